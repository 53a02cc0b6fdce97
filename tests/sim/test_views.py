"""Chosen views stand free in their rooms and look at furniture."""

from __future__ import annotations

import numpy as np
import pytest

from navproof.core.types import FIRST_OBJECT_ID, Camera
from navproof.sim.render.render import Renderer
from navproof.sim.render.sheet import draw_sheet
from navproof.sim.render.views import choose_views
from navproof.testing import tiny_scene
from navproof.world.scene import Scene


@pytest.fixture(scope="module")
def scene() -> Scene:
    return tiny_scene()


def test_views_take_different_rooms_first_and_show_their_things(scene: Scene) -> None:
    views = choose_views(scene, 4)
    assert len(views) == 4
    assert {v.room.id for v in views[:2]} == {0, 1}
    renderer = Renderer(scene)
    for view in views[:2]:
        assert scene.room_at(view.pose.x, view.pose.y) == view.room
        frame = renderer.render(Camera(width=80, height=60, height_m=1.4), view.pose)
        seen = {int(i) for i in np.unique(frame.instances) if i >= FIRST_OBJECT_ID}
        assert seen & {o.id for o in scene.objects if o.room == view.room.id}
        assert float(np.median(frame.depth)) > 1.0


def test_views_are_the_same_every_time(scene: Scene) -> None:
    assert choose_views(scene, 3) == choose_views(scene, 3)


def test_the_sheet_holds_plan_and_views(scene: Scene) -> None:
    sheet = draw_sheet(scene, Camera(width=160, height=120, height_m=1.4))
    assert sheet.dtype == np.uint8
    right = sheet[:, -2 * 176 :]
    assert len(np.unique(right.reshape(-1, 3), axis=0)) > 20
    assert sheet[:, : -2 * 176].std() > 10
