"""Textures and materials as the shading kernel reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SceneError
from navproof.sim.render.shade import LUT_MAX, LUT_SIZE
from navproof.world.scene import Material

__all__ = ["Materials", "pack_lanes", "tone_lut"]


def tone_lut() -> NDArray[np.uint8]:
    """Linear light in [0, ``LUT_MAX``) to sRGB bytes.

    Linear up to a shoulder at 0.6, from where y = s + t/(1 + t/(1 − s)) bends towards 1.
    """
    x = (np.arange(LUT_SIZE) + 0.5) * (LUT_MAX / LUT_SIZE)
    shoulder = 0.6
    over = np.maximum(x - shoulder, 0.0)
    y = np.minimum(x, shoulder) + over / (1.0 + over / (1.0 - shoulder))
    srgb: NDArray[np.float64] = np.where(
        y <= 0.0031308, 12.92 * y, 1.055 * np.power(y, 1.0 / 2.4) - 0.055
    )
    table: NDArray[np.uint8] = np.floor(srgb * 255.0 + 0.5).astype(np.uint8)
    return table


class Materials:
    """Textures with their mip levels in one array, and the looks that use them."""

    def __init__(self, textures: Mapping[str, NDArray[np.uint8]], where: str) -> None:
        self._where = where
        sizes = {t.shape for t in textures.values()}
        self.texels = next(iter(sizes))[0] if sizes else 1
        sizes_ok = all(s == (self.texels, self.texels, 4) for s in sizes)
        if not sizes_ok or self.texels & (self.texels - 1):
            raise SceneError(f"{where}: textures must all be RGBA squares of one power-of-two side")
        sides = [self.texels >> k for k in range(self.texels.bit_length())]
        self.levels = np.cumsum([0] + [(s + 1) * (s + 1) for s in sides]).astype(np.int64)
        self._numbers: dict[int, int] = {}
        self._rows: dict[tuple[Material, int], tuple[int, NDArray[np.uint8]]] = {}
        self._scene_textures = textures
        self._atlas: list[NDArray[np.uint64]] = []
        self._colours: list[list[float]] = []
        self._textures: list[int] = []
        self.atlas = np.zeros(1, dtype=np.uint64)
        self.colour = np.zeros((1, 11), dtype=np.float32)
        self.texture = np.full(1, -1, dtype=np.int32)

    def rows(
        self, materials: Sequence[Material], textures: Mapping[str, NDArray[np.uint8]] | None = None
    ) -> NDArray[np.int32]:
        """The row of each material, new ones added."""
        before = len(self._colours)
        own = textures or {}
        out = np.empty(len(materials), dtype=np.int32)
        for i, material in enumerate(materials):
            image = own.get(material.texture, self._scene_textures.get(material.texture))
            if image is None:
                raise SceneError(f"{self._where}: no texture is named {material.texture!r}")
            key = (material, id(image))
            if key not in self._rows:
                self._rows[key] = (self._add(material, image), image)  # the image keeps its id
            out[i] = self._rows[key][0]
        if len(self._colours) != before:
            self.colour = np.array(self._colours, dtype=np.float32)
            self.texture = np.array(self._textures, dtype=np.int32)
            if self._atlas:
                self.atlas = np.concatenate(self._atlas)
                self._atlas = [self.atlas]
        return out

    def _add(self, material: Material, image: NDArray[np.uint8]) -> int:
        number, constant = -1, image[0, 0].astype(np.float64) / 255.0
        if np.any(image != image[0, 0]):
            if id(image) not in self._numbers:
                if image.shape != (self.texels, self.texels, 4):
                    side = self.texels
                    raise SceneError(
                        f"{self._where}: texture {material.texture!r} is {image.shape}, "
                        f"the scene's are {(side, side, 4)}"
                    )
                self._numbers[id(image)] = len(self._numbers)
                self._atlas.append(_mip_chain(image))
            number = self._numbers[id(image)]
        more = [b - a for a, b in zip(material.tint, material.tint2, strict=True)]
        self._colours.append([*material.tint, *more, material.emission, *constant])
        self._textures.append(number)
        return len(self._colours) - 1


def pack_lanes(image: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """RGB or RGBA bytes as four 16-bit lanes of a flat uint64 array, R uppermost."""
    wide = image.astype(np.uint64).reshape(-1, image.shape[-1])
    lanes: NDArray[np.uint64] = (
        wide[:, 0] << np.uint64(48) | wide[:, 1] << np.uint64(32) | wide[:, 2] << np.uint64(16)
    )
    if wide.shape[1] == 4:
        lanes |= wide[:, 3]
    return lanes


def _mip_chain(image: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """All levels, finest first, halved by 2×2 means; the first row and column close each."""
    level = image.astype(np.float64)
    out = []
    while True:
        whole = np.floor(level + 0.5).astype(np.uint8)
        out.append(pack_lanes(np.pad(whole, ((0, 1), (0, 1), (0, 0)), mode="wrap")))
        if level.shape[0] == 1:
            return np.concatenate(out)
        rows = level[0::2] + level[1::2]
        level = (rows[:, 0::2] + rows[:, 1::2]) / 4.0
