"""The plan drawing: where things lie, and that names keep off each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from navproof.testing import tiny_scene
from navproof.world.drawing.plan import draw_plan
from navproof.world.scene import Box, Scene, SceneObject, Window


def pixel(x: float, y: float, ox: float, oy: float, m: float) -> tuple[int, int]:
    """(row, column) by the convention of ``TopDown``."""
    return int((oy - y) / m), int((x - ox) / m)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return tiny_scene()


@pytest.mark.parametrize("m", [0.01, 0.02, 0.05])
def test_pixels_lie_where_the_origin_says(scene: Scene, m: float) -> None:
    image, ox, oy = draw_plan(scene, m, labels=False)
    assert image.dtype == np.uint8
    assert image.shape[0] == pytest.approx(4.9 / m, abs=2)
    assert image.shape[1] == pytest.approx(8.9 / m, abs=2)

    def at(x: float, y: float) -> np.ndarray:
        return image[pixel(x, y, ox, oy, m)].astype(int)

    red, blue, green = at(-2.2, 3.4), at(2.0, 3.5), at(3.4, 0.5)
    assert red[0] > red[1] + 40
    assert blue[2] > blue[0] + 40
    assert green[1] > green[0] + 20
    assert at(-4.08, 2.0).max() < 90  # the outer wall is dark
    assert at(0.0, 0.7).max() < 140  # so is the inner one
    assert at(0.0, 2.0).min() > 200  # and the doorway is open
    assert at(-3.0, 1.0).min() > 200
    assert not np.array_equal(at(-3.0, 1.0), at(1.0, 1.0))  # rooms of two types, two tints


def test_windows_are_light_strokes_in_the_wall(scene: Scene) -> None:
    pane = Window(99, 0, (-4.0, 2.0, 1.5), 0.0, 1.4, 1.2)
    image, ox, oy = draw_plan(replace(scene, windows=(pane,)), 0.01, labels=False)
    assert image[pixel(-4.06, 2.3, ox, oy, 0.01)].min() > 110
    assert image[pixel(-4.06, 3.3, ox, oy, 0.01)].max() < 90


def test_names_are_written_and_never_on_each_other(scene: Scene) -> None:
    crowd = tuple(
        SceneObject(100 + k, "bookshelf", 0, Box((-3.5 + 0.16 * k, 1.0, 0.5), (0.9, 0.9, 1.0)))
        for k in range(12)
    )
    crowded = replace(scene, objects=(*scene.objects, *crowd))
    plain, _, _ = draw_plan(crowded, 0.01, labels=False)
    written, ox, oy = draw_plan(crowded, 0.01, labels=True)
    ink = (plain.astype(int) - written).sum(axis=2) > 60
    assert ink.sum() > 500
    row, column = pixel(-3.5, 1.45, ox, oy, 0.01)
    over = ink[row : row + 90, column - 45 : column + 260]
    # twelve heaps of one name would fill this area; a readable one leaves most of it
    assert 0.0 < over.mean() < 0.12
    again, _, _ = draw_plan(crowded, 0.01, labels=True)
    assert np.array_equal(again, written)
