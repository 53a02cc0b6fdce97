"""The mesh builder against closed forms: areas, volumes, boxes, normals and uvs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.world.meshing import MeshBuilder, circle, rounded_rectangle
from navproof.world.model import Mesh
from navproof.world.scene import Material

PLAIN = Material("plain")
SIZES = st.floats(0.05, 2.0)


def builder(texture: str = "plain") -> MeshBuilder:
    return MeshBuilder().use(Material(texture))


def triangles(mesh: Mesh) -> np.ndarray:
    return mesh.vertices[mesh.faces].astype(np.float64)


def volume(mesh: Mesh) -> float:
    """Signed volume by the divergence theorem: positive when faces wind outwards."""
    a, b, c = triangles(mesh).transpose(1, 0, 2)
    return float((a * np.cross(b, c)).sum() / 6)


def area(mesh: Mesh) -> float:
    a, b, c = triangles(mesh).transpose(1, 0, 2)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def check(mesh: Mesh) -> None:
    assert np.isfinite(mesh.vertices).all()
    assert np.isfinite(mesh.uvs).all()
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-4)
    a, b, c = triangles(mesh).transpose(1, 0, 2)
    facing = np.cross(b - a, c - a)
    mean = mesh.normals[mesh.faces].astype(np.float64).sum(axis=1)
    assert ((facing * mean).sum(axis=1) > 0).all()


@given(SIZES, SIZES, SIZES)
def test_box_has_its_volume_area_and_extent(sx: float, sy: float, sz: float) -> None:
    b = builder()
    b.box(0.3, -0.2, 0.1, sx, sy, sz)
    mesh = b.build()
    check(mesh)
    assert len(mesh.faces) == 12
    assert volume(mesh) == pytest.approx(sx * sy * sz, rel=1e-2)
    assert area(mesh) == pytest.approx(2 * (sx * sy + sy * sz + sz * sx), rel=1e-2)
    assert mesh.vertices.min(axis=0) == pytest.approx([0.3 - sx / 2, -0.2 - sy / 2, 0.1], abs=1e-4)
    assert mesh.vertices.max(axis=0)[2] == pytest.approx(0.1 + sz, abs=1e-4)


def test_bevelled_box_is_closed_and_slightly_smaller() -> None:
    b = builder()
    b.box(0, 0, 0, 1.0, 0.6, 0.4, bevel=0.05)
    mesh = b.build()
    check(mesh)
    assert len(mesh.faces) == 44
    # What twelve chamfers take away is (bevel² / 2) per metre of edge, corners aside.
    removed = 0.05**2 / 2 * 4 * (1.0 + 0.6 + 0.4)
    assert volume(mesh) == pytest.approx(0.24 - removed, abs=0.0015)
    assert _closed(mesh)


def _closed(mesh: Mesh) -> bool:
    """Every undirected edge between positions belongs to exactly two triangles."""
    _, number = np.unique(np.round(mesh.vertices, 4), axis=0, return_inverse=True)
    corners = number.reshape(-1)[mesh.faces]
    edges = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), 1)
    _, counts = np.unique(edges, axis=0, return_counts=True)
    return bool((counts == 2).all())


def test_skipped_sides_are_left_out() -> None:
    b = builder()
    b.box(0, 0, 0, 1, 1, 1, skip=("+z", "-z"))
    assert area(b.build()) == pytest.approx(4.0)


@given(st.floats(0.02, 1.0), st.floats(0.05, 2.0), st.integers(3, 24))
def test_cylinder_is_the_prism_over_a_polygon(radius: float, height: float, n: int) -> None:
    b = builder()
    b.cylinder(0.1, 0.2, 0.3, radius, height, n)
    mesh = b.build()
    check(mesh)
    polygon = n / 2 * radius**2 * math.sin(2 * math.pi / n)
    assert volume(mesh) == pytest.approx(polygon * height, rel=2e-2, abs=1e-6)


def test_sphere_tends_to_its_volume() -> None:
    b = builder()
    b.sphere(0, 0, 0, 0.5, 0.4, 0.3, 40, 40)
    mesh = b.build()
    check(mesh)
    assert volume(mesh) == pytest.approx(4 / 3 * math.pi * 0.5 * 0.4 * 0.3, rel=0.02)


def test_cushion_fills_its_box_without_leaving_it() -> None:
    b = builder()
    b.cushion(0, 0, 0, 0.6, 0.5, 0.2, (4, 4, 2), 4)
    mesh = b.build()
    check(mesh)
    assert _closed(mesh)
    assert mesh.vertices.max(axis=0) - mesh.vertices.min(axis=0) == pytest.approx(
        [0.6, 0.5, 0.2], abs=1e-4
    )
    assert 0.6 < volume(mesh) / (0.6 * 0.5 * 0.2) < 1.0


def test_tube_bends_and_keeps_its_radius() -> None:
    b = builder()
    path = [(0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 1.0)]
    b.tube(path, 0.05, 16)
    mesh = b.build()
    check(mesh)
    assert volume(mesh) == pytest.approx(math.pi * 0.05**2 * 2.0, rel=0.03)
    ends = mesh.vertices[np.abs(mesh.vertices[:, 2]) < 1e-4]
    assert np.linalg.norm(ends[:, :2], axis=1) == pytest.approx(np.full(len(ends), 0.05), abs=1e-4)


def test_closed_tube_is_a_torus() -> None:
    b = builder()
    ring = [(0.5 * x, 0.5 * y, 0.1) for x, y in circle(40)]
    b.tube(ring, 0.1, 20, closed=True)
    mesh = b.build()
    check(mesh)
    assert _closed(mesh)
    assert volume(mesh) == pytest.approx(2 * math.pi**2 * 0.5 * 0.1**2, rel=0.03)


def test_extrude_of_a_rounded_rectangle() -> None:
    b = builder()
    b.extrude(rounded_rectangle(1.0, 0.6, 0.1, 8), 0.0, 0.5)
    mesh = b.build()
    check(mesh)
    assert volume(mesh) == pytest.approx((0.6 - (4 - math.pi) * 0.01) * 0.5, rel=0.01)


def test_loft_listed_downwards_faces_inwards() -> None:
    b = builder()
    b.loft(circle(16), [(0.5, 1.0), (0.5, 0.0)])
    mesh = b.build()
    check(mesh)
    inward = (mesh.vertices[:, :2] * mesh.normals[:, :2]).sum(axis=1)
    assert (inward < 0).all()


def test_frames_nest_as_rotation_then_translation() -> None:
    b = builder()
    with b.at(1.0, 0.0, 0.0, yaw=math.pi / 2), b.at(0.5, 0.0, 0.0):
        b.box(0, 0, 0, 0.2, 0.1, 0.1)
    low, high = b.build().vertices.min(axis=0), b.build().vertices.max(axis=0)
    assert (low + high) / 2 == pytest.approx([1.0, 0.5, 0.05], abs=1e-5)
    assert high - low == pytest.approx([0.1, 0.2, 0.1], abs=1e-5)


def test_uvs_are_metric_in_texture_repeats() -> None:
    b = builder("bricks")  # one repeat is 0.9 m
    b.panel(0, 0, 0, 1.8, 0.9, image=False)
    uvs = b.build().uvs
    assert uvs.max(axis=0) - uvs.min(axis=0) == pytest.approx([2.0, 1.0], abs=1e-4)


def test_an_image_panel_shows_the_texture_once_with_its_top_up() -> None:
    b = builder("clock_face")
    b.panel(0.0, 0.0, 1.0, 0.4, 0.4)
    mesh = b.build()
    check(mesh)
    assert mesh.normals == pytest.approx(np.tile([1.0, 0.0, 0.0], (4, 1)))
    top = mesh.vertices[:, 2] > 1.2
    assert (mesh.uvs[top, 1] == 0.0).all()
    assert (mesh.uvs[~top, 1] == 1.0).all()
    # Seen from +x, right is +y.
    assert (mesh.uvs[mesh.vertices[:, 1] > 0, 0] == 1.0).all()


def test_materials_are_shared_and_two_sided_is_kept() -> None:
    b = MeshBuilder()
    red = Material("plain", (1.0, 0.0, 0.0))
    b.use(PLAIN).box(0, 0, 0, 1, 1, 1)
    b.use(red).quad([(0, 0, 2), (1, 0, 2), (1, 1, 2), (0, 1, 2)], two_sided=True)
    b.use(PLAIN).box(3, 0, 0, 1, 1, 1)
    mesh = b.build()
    assert mesh.materials == (PLAIN, red)
    assert mesh.face_material.tolist() == [0] * 12 + [1] * 2 + [0] * 12
    assert mesh.face_two_sided.tolist() == [False] * 12 + [True] * 2 + [False] * 12


def test_triangles_without_area_are_dropped() -> None:
    b = builder()
    b.lathe([(0.0, 0.0), (0.5, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0)], 8)
    a, c, d = triangles(b.build()).transpose(1, 0, 2)
    assert (np.linalg.norm(np.cross(c - a, d - a), axis=1) > 0).all()
