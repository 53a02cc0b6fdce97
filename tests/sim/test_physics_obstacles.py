"""Scenes as convex pieces: exact where a part is convex, never filled where it is hollow."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import Delaunay

from navproof.core.errors import SimulationError
from navproof.core.types import FIRST_OBJECT_ID
from navproof.sim.physics import obstacles as module
from navproof.sim.physics.obstacles import SLAB_M, Hull, Piece, obstacles
from navproof.testing import tiny_scene
from navproof.world.scene import Box, Scene

SCENE = tiny_scene()
LOW, HIGH = 0.66, 2.3


def with_vertices(change: NDArray[np.float64]) -> Scene:
    """The tiny scene with only its crate, whose (n, 3) corners are moved there."""
    g = SCENE.geometry
    faces = g.faces[g.face_instance == FIRST_OBJECT_ID + 2]
    instances = g.face_instance[g.face_instance == FIRST_OBJECT_ID + 2]
    moved = g.vertices.copy()
    moved[np.unique(faces)] = change
    geometry = replace(g, faces=faces, face_instance=instances, vertices=moved)
    return replace(SCENE, geometry=geometry)


def crate() -> NDArray[np.float64]:
    g = SCENE.geometry
    corners = g.vertices[np.unique(g.faces[g.face_instance == FIRST_OBJECT_ID + 2])]
    return corners.astype(np.float64)


def covers(piece: Piece, x: float, y: float, z: float) -> bool:
    """Whether a point is inside a piece."""
    if isinstance(piece, Hull):
        return bool(Delaunay(piece.points).find_simplex([[x, y, z]])[0] >= 0)
    dx, dy = x - piece.centre[0], y - piece.centre[1]
    cos, sin = math.cos(piece.yaw), math.sin(piece.yaw)
    inner = (cos * dx + sin * dy, cos * dy - sin * dx, z - piece.centre[2])
    return all(abs(d) <= s / 2 for d, s in zip(inner, piece.size, strict=True))


def test_furniture_is_its_box_between_step_height_and_the_robots_height() -> None:
    pieces = obstacles(SCENE, LOW)
    table = next(p for p in pieces if isinstance(p, Box) and p.size[1] == pytest.approx(0.6))
    assert table.centre == pytest.approx((-2.0, 3.4, (0.08 + LOW) / 2))
    assert table.size == pytest.approx((1.0, 0.6, LOW - 0.08))
    low = next(p for p in pieces if covers(p, 3.5, 0.5, 0.3))
    assert isinstance(low, Box)
    assert low.centre[2] + low.size[2] / 2 == pytest.approx(0.5)


def test_walls_are_slabs_behind_their_surface_and_rooms_stay_empty() -> None:
    pieces = obstacles(SCENE, LOW)
    for inside, behind in (((-2.0, 0.001), (-2.0, -0.001)), ((3.999, 2.0), (4.001, 2.0))):
        assert not any(covers(p, *inside, 0.3) for p in pieces)
        assert any(covers(p, *behind, 0.3) for p in pieces)
    assert not any(covers(p, -2.0, -SLAB_M - 0.001, 0.3) for p in pieces)
    for x in np.linspace(-3.9, 3.9, 40):
        assert not any(covers(p, float(x), 2.0, 0.3) for p in pieces)


def test_a_lintel_is_in_the_way_of_the_tall_alone() -> None:
    for height, there in ((LOW, False), (HIGH, True)):
        pieces = obstacles(SCENE, height)
        assert any(covers(p, SLAB_M / 2, 2.0, 2.1) for p in pieces) is there


def test_what_is_low_is_driven_over() -> None:
    flat = crate()
    flat[:, 2] *= 0.07 / 0.5
    assert obstacles(with_vertices(flat), LOW) == ()


def test_a_turned_box_stays_a_box() -> None:
    corners = crate()
    middle, angle = np.array([3.5, 0.5]), math.radians(25)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    corners[:, :2] = (corners[:, :2] - middle) @ turn.T + middle
    (piece,) = obstacles(with_vertices(corners), LOW)
    assert isinstance(piece, Box)
    assert piece.size == pytest.approx((0.5, 0.5, 0.42), abs=1e-5)
    assert math.remainder(piece.yaw - angle, math.pi / 2) == pytest.approx(0.0, abs=1e-4)


def test_a_slanted_part_is_cut_at_the_band() -> None:
    corners = crate()
    top = corners[:, 2] > 0.25
    corners[top, 0] += 0.5
    (piece,) = obstacles(with_vertices(corners), 0.33)
    assert isinstance(piece, Hull)
    assert piece.bounds == pytest.approx((3.25 + 0.08, 0.25, 3.75 + 0.33, 0.75), abs=1e-5)


def test_a_scene_with_too_many_pieces_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_PIECES", 5)
    with pytest.raises(SimulationError, match="tiny is too detailed"):
        obstacles(SCENE, LOW)
