"""Every corruption of what a camera shows at rising intensity on one sheet, to be looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.types import Camera, SensorSpec
from navproof.corruptions.condition import Applied
from navproof.corruptions.protocol import Corruption, Moment
from navproof.corruptions.registry import CORRUPTIONS
from navproof.sim.render.render import Renderer
from navproof.sim.render.views import choose_views
from navproof.world.scene import Scene

__all__ = ["IMAGE_CORRUPTIONS", "INTENSITIES", "Picture", "draw_gallery", "fit", "photograph"]

INTENSITIES = (0.25, 0.5, 0.75, 1.0)
_MOUNTED = ("camera_tilt", "camera_height", "wrong_intrinsics")
IMAGE_CORRUPTIONS = (
    *(n for n in CORRUPTIONS.built_in() if CORRUPTIONS.get(n).target in ("rgb", "depth")),
    *_MOUNTED,
)
Image = NDArray[np.uint8]
Pixels = TypeVar("Pixels", NDArray[np.uint8], NDArray[np.float32])

_TILE_W, _TILE_H = 224, 168
_GAP, _MARGIN, _BLOCK_GAP = 6, 20, 22
_LABEL, _HEAD = 176, 64
_PAPER, _INK, _FAINT = (252, 251, 248), (48, 50, 60), (120, 122, 132)
_HOLE = (0, 0, 0)
_RANGE_M = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What corruptions are shown on, at the size of a tile (see ``fit``): (h, w, 3) colours, and
    (h, w) depth in metres or None. ``shoot`` takes it again with another camera than ``camera``,
    where that can be done: a knocked mount is seen only so."""

    label: str
    rgb: Image
    depth: NDArray[np.float32] | None = None
    camera: Camera | None = None
    shoot: Callable[[Camera], Image] | None = None


def photograph(scene: Scene, width: int = _TILE_W, height: int = _TILE_H) -> Picture:
    """The best view of a scene."""
    eye = Renderer(scene)
    views = choose_views(scene, 1, eye)
    if not views:
        raise SpecError(f"scene {scene.id} has no furnished room to look at")
    camera, pose = Camera(width, height, hfov_deg=90.0, height_m=1.4), views[0].pose
    frame = eye.render(camera, pose)

    def shoot(other: Camera) -> Image:
        return eye.render(other, pose).rgb

    return Picture(f"rendered: {scene.id}", frame.rgb, frame.depth, camera, shoot)


def fit(image: Pixels, smooth: bool = True) -> Pixels:
    """An image of any size, scaled to cover a tile and cut to it around its centre. Without
    ``smooth`` no new values come about, as depth needs it."""
    height, width = image.shape[:2]
    scale = max(_TILE_W / width, _TILE_H / height)
    size = (max(_TILE_W, round(width * scale)), max(_TILE_H, round(height * scale)))
    way = cv2.INTER_NEAREST if not smooth else cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    resized = cv2.resize(image, size, interpolation=way)
    top, left = (size[1] - _TILE_H) // 2, (size[0] - _TILE_W) // 2
    cut = resized[top : top + _TILE_H, left : left + _TILE_W]
    return np.ascontiguousarray(cut, dtype=image.dtype)


def draw_gallery(
    pictures: Sequence[Picture],
    names: Sequence[str] = IMAGE_CORRUPTIONS,
    intensities: Sequence[float] = INTENSITIES,
    seed: int = 0,
) -> Image:
    """(h, w, 3) RGB: a row for each corruption; for each picture a column as it is ("clean") and
    one for each intensity. Depth is coloured from near (blue) to far (red), holes are black.
    A corruption keeps its generator from left to right, so only its intensity changes."""
    rows = [CORRUPTIONS.get(name) for name in names]
    for row in rows:
        if row.name not in IMAGE_CORRUPTIONS:
            raise SpecError(f"{row.name} changes {row.target}, no image: it has no picture")
    columns = 1 + len(intensities)
    block = columns * (_TILE_W + _GAP) - _GAP
    width = 2 * _MARGIN + _LABEL + len(pictures) * block + (len(pictures) - 1) * _BLOCK_GAP
    height = 2 * _MARGIN + _HEAD + len(rows) * (_TILE_H + _GAP) - _GAP
    sheet = np.full((height, width, 3), _PAPER, dtype=np.uint8)
    for number, picture in enumerate(pictures):
        left = _MARGIN + _LABEL + number * (block + _BLOCK_GAP)
        _write(sheet, picture.label, left, _MARGIN + 18, 0.62)
        for column, heading in enumerate(["clean", *(f"{i:g}" for i in intensities)]):
            _write(sheet, heading, left + column * (_TILE_W + _GAP), _MARGIN + 50, 0.5, _FAINT)
        for line, corruption in enumerate(rows):
            top = _MARGIN + _HEAD + line * (_TILE_H + _GAP)
            for column, tile in enumerate(_tiles(picture, corruption, intensities, seed)):
                x = left + column * (_TILE_W + _GAP)
                sheet[top : top + _TILE_H, x : x + _TILE_W] = tile
    for line, corruption in enumerate(rows):
        _label(sheet, corruption, _MARGIN + _HEAD + line * (_TILE_H + _GAP))
    return sheet


def _tiles(
    picture: Picture, corruption: Corruption, intensities: Sequence[float], seed: int
) -> list[Image]:
    """The clean picture and its corrupted ones; nothing for depth that a picture has not, nor for
    another camera where it cannot be taken again."""
    if corruption.name in _MOUNTED:
        return _taken_again(picture, corruption, intensities, seed)
    clean = picture.rgb if corruption.target == "rgb" else picture.depth
    if clean is None:
        return []
    moment = Moment(seed, "sheet", corruption.target, 0)
    range_m = max(_RANGE_M, float(picture.depth.max()) if picture.depth is not None else 0.0)
    parts = [Applied(corruption, intensity, corruption.lasting) for intensity in intensities]
    shown = [clean, *(part.corrupt(clean, moment, max_range_m=range_m) for part in parts)]
    if corruption.target == "rgb":
        return list(shown)
    far_m = max(float(clean.max()), 0.1) * 1.1
    return [_coloured(depth, far_m) for depth in shown]


def _taken_again(
    picture: Picture, corruption: Corruption, intensities: Sequence[float], seed: int
) -> list[Image]:
    if picture.shoot is None or picture.camera is None:
        return []
    moment = Moment(seed, "sheet", "rgb", 0)
    spec = SensorSpec("rgb", "rgb", picture.camera)
    tiles = [picture.rgb]
    for intensity in intensities:
        knocked = corruption.apply(spec, intensity, moment.lasting(corruption.name)).camera
        tiles.append(picture.shoot(knocked))
    return tiles


def _coloured(depth: NDArray[np.float32], far_m: float) -> Image:
    """Depth from near (blue) to far (red), black where there is none."""
    level = (255.0 * np.clip(depth / far_m, 0.0, 1.0)).astype(np.uint8)
    colours: Image = cv2.applyColorMap(level, cv2.COLORMAP_TURBO)[..., ::-1].astype(np.uint8)
    colours[depth <= 0.0] = _HOLE
    return colours


def _label(sheet: Image, corruption: Corruption, top: int) -> None:
    """The name (broken at underscores where it is long) and the usual intensity."""
    y = top + 22
    for line in _lines(corruption.name):
        _write(sheet, line, _MARGIN, y, 0.56)
        y += 24
    _write(sheet, f"usually {corruption.default:g}", _MARGIN, y, 0.42, _FAINT)
    mode = "stays through an episode" if corruption.lasting else "new in every frame"
    _write(sheet, mode, _MARGIN, y + 20, 0.38, _FAINT)


def _lines(name: str) -> list[str]:
    words = name.split("_")
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) < 14:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _write(
    image: Image, text: str, x: int, y: int, size: float, colour: tuple[int, int, int] = _INK
) -> None:
    plain = text.encode("ascii", "replace").decode()
    cv2.putText(image, plain, (x, y), cv2.FONT_HERSHEY_DUPLEX, size, colour, 1, cv2.LINE_AA)
