"""The texture library: small tileable pictures, made by program, the same bytes everywhere.

Texels are linear RGB that multiply a material's tint; A (0–255) mixes its ``tint`` into ``tint2``
(A = 0 shows ``tint``). Only lattice noise, polynomials and square roots are used: no transcendental
function whose last bit differs between machines. Row 0 is the top of a picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from navproof.core.seeding import rng as stream
from navproof.world.textures.noise import SIZE, Floats, bumps, noise, ramp, rgba, smooth, wave
from navproof.world.textures.paintings import paintings
from navproof.world.textures.pictures import pictures

__all__ = ["TEXTURE_SIZE_M", "texture_library"]

TEXTURE_SIZE_M: Mapping[str, float] = MappingProxyType(
    {
        "plain": 1.0, "plaster": 1.6, "concrete": 1.6, "bricks": 0.9, "tiles": 0.9,
        "small_tiles": 0.4, "floor_tiles": 1.2, "carpet": 0.8, "parquet": 1.0, "planks": 1.2,
        "laminate": 1.4, "grass": 1.0, "wood": 0.9, "dark_wood": 0.9, "pine": 0.9,
        "painted_wood": 0.9, "fabric": 0.18,
        "knit": 0.12, "leather": 0.35, "metal": 0.8, "ceramic": 0.8, "glass": 0.9, "marble": 1.0,
        "wicker": 0.14, "cardboard": 0.5, "paper": 0.5, "plush": 0.2, "striped": 0.36,
        "checkered": 0.40, "dotted": 0.36, "floral": 0.44, "plaid": 0.44, "zigzag": 0.36,
        "wallpaper": 0.8, "ceiling_tiles": 1.2, "books": 0.8, "leaves": 0.3, "bark": 0.3,
        "grille": 0.08, "keys": 0.3,
    }
)  # fmt: skip
"""Metres that one repeat covers when a surface is mapped metrically; 1 m for those not listed."""


def _wood(r: np.random.Generator, contrast: float, warm: float, bend: float) -> NDArray[np.uint8]:
    """Grain along u: fine fibres, darker growth lines that wander a little."""
    _, v = ramp()
    drift = v + bend * (noise(r, 3, 2) - 0.5) + 0.4 * bend * (noise(r, 7, 4) - 0.5)
    lines = wave(drift * 11.0) * (0.35 + 0.65 * noise(r, 14, 2))
    fibre = noise(r, 128, 6) * 0.6 + noise(r, 64, 3) * 0.4
    value = 1.0 - contrast * (0.5 * lines + 0.5 * fibre)
    dark = (1.0 - value)[..., None] * np.array([0.0, warm, 2.0 * warm])
    return rgba(value[..., None] - dark)


def _fabric(r: np.random.Generator) -> NDArray[np.uint8]:
    u, v = ramp()
    over, under = wave(u * 32), wave(v * 32)
    check = (np.floor(u * 32) + np.floor(v * 32)) % 2
    value = 0.80 + 0.16 * np.where(check > 0, over, under) + 0.08 * (noise(r, 32, 32) - 0.5)
    return rgba(value)


def _knit(r: np.random.Generator) -> NDArray[np.uint8]:
    u, v = ramp()
    slant = np.abs((u * 12) % 1.0 - 0.5)
    return rgba(0.68 + 0.30 * wave(v * 16 + slant) * wave(u * 12 + 0.25) + 0.06 * noise(r, 32, 32))


def _leather(r: np.random.Generator) -> NDArray[np.uint8]:
    cells = bumps(r, 22)
    return rgba(0.84 + 0.11 * cells + 0.10 * (noise(r, 5, 5) - 0.5))


def _metal(r: np.random.Generator) -> NDArray[np.uint8]:
    u, _ = ramp()
    brush = noise(r, 128, 3) * 0.5 + noise(r, 64, 2) * 0.5
    return rgba(0.80 + 0.14 * wave(u) + 0.12 * (brush - 0.5))


def _ceramic(r: np.random.Generator) -> NDArray[np.uint8]:
    return rgba(0.95 + 0.05 * smooth(noise(r, 3, 3)))


def _glass(r: np.random.Generator) -> NDArray[np.uint8]:
    u, v = ramp()
    streak = smooth(np.clip(4.0 * wave(u + v) - 3.0, 0, 1)) + 0.7 * smooth(
        np.clip(8.0 * wave(u + v + 0.2) - 7.0, 0, 1)
    )
    base = np.array([0.62, 0.74, 0.74]) + 0.05 * (noise(r, 4, 4)[..., None] - 0.5)
    return rgba(base + streak[..., None] * np.array([0.36, 0.25, 0.25]))


def _marble(r: np.random.Generator) -> NDArray[np.uint8]:
    u, v = ramp()
    warp = noise(r, 4, 4) * 0.8 + noise(r, 8, 8) * 0.4 + noise(r, 16, 16) * 0.2
    vein = 1.0 - np.clip(np.abs((u + v * 2 + warp) % 1.0 - 0.5) * 9.0, 0, 1)
    fine = 1.0 - np.clip(np.abs((2 * u - v + 1.7 * warp) % 1.0 - 0.5) * 16.0, 0, 1)
    return rgba(0.97 - 0.45 * smooth(vein) - 0.25 * smooth(fine) - 0.12 * noise(r, 6, 6))


def _tiles(
    r: np.random.Generator, rows: int, columns: int, joint: float, spread: float
) -> NDArray[np.uint8]:
    u, v = ramp()
    fu, fv = (u * columns) % 1.0, (v * rows) % 1.0
    edge = np.minimum(np.minimum(fu, 1 - fu) / rows, np.minimum(fv, 1 - fv) / columns) * rows
    tone = r.random((rows, columns))[(v * rows).astype(int), (u * columns).astype(int)]
    value = 0.96 - spread * tone + 0.03 * (noise(r, 32, 32) - 0.5)
    return rgba(np.where(edge < joint, 0.62, value))


def _bricks(r: np.random.Generator) -> NDArray[np.uint8]:
    u, v = ramp()
    rows, columns = 12, 4
    row = np.floor(v * rows)
    su = u * columns + 0.5 * (row % 2)
    fu, fv = su % 1.0, (v * rows) % 1.0
    joint = (np.minimum(fu, 1 - fu) < 0.035) | (np.minimum(fv, 1 - fv) < 0.10)
    tone = r.random((rows, columns))[row.astype(int), su.astype(int) % columns]
    value = 0.80 - 0.32 * tone + 0.18 * (noise(r, 48, 48) - 0.5)
    brick = value[..., None] * np.array([0.80, 0.36, 0.25])
    return rgba(np.where(joint[..., None], np.array([0.62, 0.59, 0.54]), brick))


def _boards(r: np.random.Generator, rows: int, columns: int, spread: float) -> NDArray[np.uint8]:
    """Floor boards along u, with staggered ends."""
    u, v = ramp()
    row = np.floor(v * rows).astype(int) % rows
    su = u * columns + r.random(rows)[row]
    board = su.astype(int) % columns
    tone = r.random((rows, columns))[row, board]
    fibre = (
        noise(r, 128, 4) * 0.5
        + noise(r, 64, 8) * 0.3
        + 0.2 * wave((v * rows) * 1.5 + noise(r, 8, 4))
    )
    value = 1.0 - spread * tone - 0.20 * fibre
    gap = (((v * rows) % 1.0) < 0.05) | ((su % 1.0) < 0.012 * columns)
    value = np.where(gap, value * 0.55, value)
    return rgba(value[..., None] - (1 - value)[..., None] * np.array([0.0, 0.15, 0.3]))


def _parquet(r: np.random.Generator) -> NDArray[np.uint8]:
    """Basket-weave: squares of four strips, alternating direction."""
    u, v = ramp()
    cell = (np.floor(u * 4) + np.floor(v * 4)).astype(int) % 2
    strip = np.where(cell == 0, u * 16, v * 16)
    fine = np.where(cell == 0, noise(r, 4, 128), noise(r, 128, 4))
    key = (np.floor(u * 4) * 16 + np.floor(v * 4) * 4 + np.floor(strip) % 4).astype(int)
    value = 1.0 - 0.30 * r.random(128)[key % 128] - 0.18 * fine
    edge = ((strip % 1.0) < 0.08) | ((u * 4) % 1.0 < 0.025) | ((v * 4) % 1.0 < 0.025)
    value = np.where(edge, value * 0.62, value)
    return rgba(value[..., None] - (1 - value)[..., None] * np.array([0.0, 0.15, 0.3]))


def _carpet(r: np.random.Generator) -> NDArray[np.uint8]:
    return rgba(0.78 + 0.34 * (noise(r, 64, 64) - 0.5) + 0.22 * (r.random((SIZE, SIZE)) - 0.5))


def _plaster(r: np.random.Generator) -> NDArray[np.uint8]:
    return rgba(0.95 + 0.05 * (noise(r, 8, 8) - 0.5) + 0.05 * (noise(r, 48, 48) - 0.5))


def _concrete(r: np.random.Generator) -> NDArray[np.uint8]:
    cloud = noise(r, 4, 4) * 0.5 + noise(r, 10, 10) * 0.3 + noise(r, 64, 64) * 0.2
    return rgba(0.70 + 0.36 * (cloud - 0.3) - 0.15 * (r.random((SIZE, SIZE)) > 0.985))


def _wicker(r: np.random.Generator) -> NDArray[np.uint8]:
    u, v = ramp()
    row, column = np.floor(v * 10), np.floor(u * 5)
    odd = (row + column) % 2
    strand = wave(v * 10 - 0.0) * (0.55 + 0.45 * wave(u * 5 + 0.0))
    under = wave(u * 5) * (0.4 + 0.6 * wave(v * 10))
    value = np.where(odd > 0, 0.62 + 0.38 * strand, 0.48 + 0.45 * under)
    return rgba(value + 0.08 * (noise(r, 32, 32) - 0.5))


def _cardboard(r: np.random.Generator) -> NDArray[np.uint8]:
    _, v = ramp()
    return rgba(0.86 + 0.08 * wave(v * 42) + 0.12 * (noise(r, 24, 24) - 0.5))


def _paper(r: np.random.Generator) -> NDArray[np.uint8]:
    return rgba(0.95 + 0.06 * (noise(r, 48, 48) - 0.5))


def _plush(r: np.random.Generator) -> NDArray[np.uint8]:
    return rgba(0.55 + 0.45 * noise(r, 40, 40) + 0.15 * (noise(r, 100, 100) - 0.5))


def _grass(r: np.random.Generator) -> NDArray[np.uint8]:
    value = 0.5 + 0.6 * (noise(r, 24, 64) - 0.3)
    return rgba(value[..., None] * np.array([0.35, 0.62, 0.18]))


def _leaves(r: np.random.Generator) -> NDArray[np.uint8]:
    u, v = ramp()
    vein = np.clip(np.abs(u - 0.5) * 30.0, 0, 1)
    side = wave(v * 8 - np.abs(u - 0.5) * 6)
    return rgba(0.70 + 0.2 * side * vein + 0.2 * (noise(r, 12, 12) - 0.5) + 0.15 * (1 - vein))


def _bark(r: np.random.Generator) -> NDArray[np.uint8]:
    return rgba(0.5 + 0.5 * noise(r, 8, 40))


def _ceiling_tiles(r: np.random.Generator) -> NDArray[np.uint8]:
    u, v = ramp()
    fu, fv = (u * 2) % 1.0, (v * 2) % 1.0
    edge = np.minimum(np.minimum(fu, 1 - fu), np.minimum(fv, 1 - fv))
    holes = r.random((SIZE, SIZE)) > 0.93
    return rgba(np.where(edge < 0.03, 0.72, 0.95 - 0.12 * holes))


def _wallpaper(r: np.random.Generator) -> NDArray[np.uint8]:
    u, _ = ramp()
    stripe = (wave(u * 4) > 0.5).astype(np.float64)
    return rgba(0.96 + 0.04 * (noise(r, 32, 32) - 0.5), 0.55 * stripe)


def _grille(r: np.random.Generator) -> NDArray[np.uint8]:
    u, v = ramp()
    holes = np.clip(3.0 * wave(u * 8) * wave(v * 8) - 1.0, 0, 1)
    return rgba(1.0 - 0.85 * smooth(holes))


# ---------------------------------------------------------------------- pattern masks
def _weave() -> Floats:
    u, v = ramp()
    return 0.93 + 0.07 * wave(u * 42) * wave(v * 42)


def _mask(mask: Floats) -> NDArray[np.uint8]:
    return rgba(_weave(), mask)


def _striped() -> NDArray[np.uint8]:
    u, _ = ramp()
    return _mask(((u * 3) % 1.0 < 0.44).astype(np.float64))


def _checkered() -> NDArray[np.uint8]:
    u, v = ramp()
    return _mask((np.floor(u * 4) + np.floor(v * 4)) % 2)


def _dotted() -> NDArray[np.uint8]:
    u, v = ramp()
    row = np.floor(v * 4)
    x, y = (u * 4 + 0.5 * (row % 2)) % 1.0 - 0.5, (v * 4) % 1.0 - 0.5
    return _mask(np.clip((0.28 - np.sqrt(x * x + y * y)) * 14.0, 0, 1))


def _floral(r: np.random.Generator) -> NDArray[np.uint8]:
    u, v = ramp()
    mask = np.zeros((SIZE, SIZE))
    petals = ((0.62, 0.0), (0.19, 0.59), (-0.50, 0.36), (-0.50, -0.36), (0.19, -0.59))
    for cx, cy, size in (
        (0.25, 0.25, 0.17),
        (0.75, 0.70, 0.19),
        (0.72, 0.20, 0.10),
        (0.22, 0.75, 0.11),
    ):
        x, y = (u - cx + 0.5) % 1.0 - 0.5, (v - cy + 0.5) % 1.0 - 0.5
        for px, py in petals:
            dx, dy = x - px * size, y - py * size
            mask = np.maximum(
                mask, np.clip((0.42 * size - np.sqrt(dx * dx + dy * dy)) * 90.0, 0, 1)
            )
        hole = np.clip((0.24 * size - np.sqrt(x * x + y * y)) * 120.0, 0, 1)
        mask = mask * (1.0 - hole)
    stem = np.abs((u - 0.5 - 0.12 * (wave(v) - 0.5) + 0.5) % 1.0 - 0.5) < 0.012
    return _mask(np.maximum(mask, 0.6 * stem))


def _plaid() -> NDArray[np.uint8]:
    u, v = ramp()

    def bands(t: Floats) -> Floats:
        f = t % 1.0
        out: Floats = 0.5 * ((f < 0.34) * 1.0) + 0.5 * (((f > 0.60) & (f < 0.66)) * 1.0)
        return out

    return _mask(bands(u * 2) + bands(v * 2))


def _zigzag() -> NDArray[np.uint8]:
    u, v = ramp()
    shift = np.abs((u * 4) % 1.0 - 0.5)
    return _mask((((v * 4 + shift) % 1.0) < 0.44).astype(np.float64))


@lru_cache(maxsize=1)
def texture_library() -> Mapping[str, NDArray[np.uint8]]:
    """Every texture by name: (128, 128, 4) uint8, read-only, made once per process."""

    def r(name: str) -> np.random.Generator:
        return stream(0, "textures", name)

    makers: dict[str, Callable[[], NDArray[np.uint8]]] = {
        "plain": lambda: rgba(np.ones((SIZE, SIZE))),
        "plaster": lambda: _plaster(r("plaster")),
        "concrete": lambda: _concrete(r("concrete")),
        "bricks": lambda: _bricks(r("bricks")),
        "tiles": lambda: _tiles(r("tiles"), 6, 6, 0.04, 0.05),
        "small_tiles": lambda: _tiles(r("small_tiles"), 8, 8, 0.07, 0.22),
        "floor_tiles": lambda: _tiles(r("floor_tiles"), 3, 3, 0.022, 0.08),
        "carpet": lambda: _carpet(r("carpet")),
        "parquet": lambda: _parquet(r("parquet")),
        "planks": lambda: _boards(r("planks"), 8, 1, 0.30),
        "laminate": lambda: _boards(r("laminate"), 8, 2, 0.16),
        "grass": lambda: _grass(r("grass")),
        "wood": lambda: _wood(r("wood"), 0.40, 0.16, 0.10),
        "dark_wood": lambda: _wood(r("dark_wood"), 0.55, 0.10, 0.12),
        "painted_wood": lambda: _wood(r("painted_wood"), 0.15, 0.02, 0.08),
        "pine": lambda: _wood(r("pine"), 0.34, 0.30, 0.25),
        "fabric": lambda: _fabric(r("fabric")),
        "knit": lambda: _knit(r("knit")),
        "leather": lambda: _leather(r("leather")),
        "metal": lambda: _metal(r("metal")),
        "ceramic": lambda: _ceramic(r("ceramic")),
        "glass": lambda: _glass(r("glass")),
        "marble": lambda: _marble(r("marble")),
        "wicker": lambda: _wicker(r("wicker")),
        "cardboard": lambda: _cardboard(r("cardboard")),
        "paper": lambda: _paper(r("paper")),
        "plush": lambda: _plush(r("plush")),
        "leaves": lambda: _leaves(r("leaves")),
        "bark": lambda: _bark(r("bark")),
        "ceiling_tiles": lambda: _ceiling_tiles(r("ceiling_tiles")),
        "wallpaper": lambda: _wallpaper(r("wallpaper")),
        "grille": lambda: _grille(r("grille")),
        "striped": _striped,
        "checkered": _checkered,
        "dotted": _dotted,
        "floral": lambda: _floral(r("floral")),
        "plaid": _plaid,
        "zigzag": _zigzag,
    }
    library = {name: make() for name, make in makers.items()}
    library |= paintings() | pictures()
    for texture in library.values():
        texture.flags.writeable = False
    return MappingProxyType(library)
