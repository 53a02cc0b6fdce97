"""A scene on one sheet: its labelled plan beside four views of its rooms."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Camera
from navproof.sim.render.render import Renderer
from navproof.sim.render.views import View, choose_views
from navproof.world.drawing.plan import draw_plan
from navproof.world.scene import Scene

__all__ = ["draw_sheet"]

_CAMERA = Camera(width=640, height=480, hfov_deg=90.0, height_m=1.4)
_GAP, _CAPTION = 16, 34
_PAPER = (252, 251, 248)
_INK = (64, 66, 76)
Image = NDArray[np.uint8]


def draw_sheet(scene: Scene, camera: Camera = _CAMERA) -> Image:
    """(h, w, 3) RGB: the plan on the left, four views with their rooms' names on the right."""
    renderer = Renderer(scene)
    views = choose_views(scene, 4, renderer)
    tiles = [_tile(renderer, camera, view) for view in views]
    height = 2 * (camera.height + _CAPTION) + 3 * _GAP
    plan = _fitted_plan(scene, height - 2 * _GAP - _CAPTION)
    left = plan.shape[1] + 2 * _GAP
    width = left + (2 * (camera.width + _GAP) if tiles else 0)
    sheet = np.full((height, width, 3), _PAPER, dtype=np.uint8)
    top = (height - _CAPTION - plan.shape[0]) // 2 + _CAPTION
    sheet[top : top + plan.shape[0], _GAP : _GAP + plan.shape[1]] = plan
    _caption(sheet, f"{scene.id}  ({len(scene.rooms)} rooms)", _GAP, _GAP + _CAPTION - 12)
    for number, tile in enumerate(tiles):
        y = _GAP + (number // 2) * (tile.shape[0] + _GAP)
        x = left + (number % 2) * (tile.shape[1] + _GAP)
        sheet[y : y + tile.shape[0], x : x + tile.shape[1]] = tile
    return sheet


def _fitted_plan(scene: Scene, height: int) -> Image:
    """The plan, at a scale at which it is ``height`` pixels high or as wide as it is high."""
    coarse, _, _ = draw_plan(scene, 0.1, labels=False)
    longest = 0.1 * max(coarse.shape[0], coarse.shape[1] / 1.2)
    image, _, _ = draw_plan(scene, longest / (height - 2))
    return image[:height]


def _tile(renderer: Renderer, camera: Camera, view: View) -> Image:
    frame = renderer.render(camera, view.pose)
    tile = np.full((camera.height + _CAPTION, camera.width, 3), _PAPER, dtype=np.uint8)
    tile[_CAPTION:] = frame.rgb
    _caption(tile, view.room.name.replace("_", " "), 2, _CAPTION - 12)
    return tile


def _caption(image: Image, text: str, x: int, y: int) -> None:
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_DUPLEX, 0.62, _INK, 1, cv2.LINE_AA)
