"""Where pixels land on a map, against closed forms and against pixel-by-pixel NumPy."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from navproof.check.tiny import tiny_simulator
from navproof.core.types import Camera, Pose
from navproof.perception.feature_map import FeatureMap, MapSettings
from navproof.perception.grid import Grid
from navproof.perception.projection import patch_quality, refine
from navproof.sim.camera import unproject

CAMERA = Camera(width=64, height=64, hfov_deg=90.0, height_m=1.5)
PLAIN = MapSettings(layers=3, cell_m=0.06, top_m=2.4, fusion="mean", size_m=12.0)


def one_feature() -> NDArray[np.float32]:
    return np.ones((1, 1, 1), dtype=np.float32)


def cells_of(world: FeatureMap) -> set[tuple[int, int, int]]:
    grid = world.grid
    return {(int(k), int(r) + grid.row0, int(c) + grid.col0) for k, r, c in world.cells[1:]}


def test_a_wall_fills_exactly_its_cells() -> None:
    # 64 px and 90°: focal 32. Wall at x = 2.03: column u looks at y = −2.03·(u − 31.5)/32, row v
    # at height 1.5 − 2.03·(v − 31.5)/32.
    world = FeatureMap(1, PLAIN)
    depth = np.full((64, 64), 2.03, dtype=np.float32)
    world.fuse(one_feature(), depth, CAMERA, Pose(0.0, 0.0))
    steps = [2.03 * (i - 31.5) / 32.0 for i in range(64)]
    expected = set()
    for y in (-s for s in steps):
        for h in (1.5 - s for s in steps):
            if h < 2.4:
                expected.add((max(0, math.floor(h / 0.8)), math.floor(y / 0.06), 33))
    assert cells_of(world) == expected
    assert {k for k, _, _ in expected} == {0, 1, 2}


@pytest.mark.parametrize(("yaw", "col", "row"), [(90.0, 0, 33), (180.0, -34, 0), (-90.0, 0, -34)])
def test_the_robots_heading_turns_the_wall(yaw: float, col: int, row: int) -> None:
    world = FeatureMap(1, PLAIN)
    depth = np.zeros((64, 64), dtype=np.float32)
    depth[20, 31:33] = 2.03  # 3 cm left and right of straight ahead
    world.fuse(one_feature(), depth, CAMERA, Pose(0.0, 0.0, 0.0, math.radians(yaw)))
    found = {(r, c) for _, r, c in cells_of(world)}
    beside = {(row, -1), (row, 0)} if row else {(-1, col), (0, col)}
    assert found == beside


def test_pitch_and_yaw_of_the_camera_itself() -> None:
    # Looking 45° down from 1.5 m, the middle of the image is the floor 1.5 m ahead; 90° left of
    # the robot, that is y = +1.5.
    camera = Camera(65, 65, 60.0, height_m=1.5, pitch_deg=-45.0, yaw_deg=90.0)
    depth = np.zeros((65, 65), dtype=np.float32)
    depth[32, 32] = math.hypot(1.5, 1.5)
    world = FeatureMap(1, PLAIN)
    world.fuse(one_feature(), depth, camera, Pose(0.31, 0.02))
    assert cells_of(world) == {(0, math.floor(1.52 / 0.06), math.floor(0.31 / 0.06))}


@pytest.mark.parametrize(
    ("height", "layer"), [(0.0, 0), (0.5, 0), (0.79, 0), (0.81, 1), (1.59, 1), (1.61, 2), (2.39, 2)]
)
def test_height_chooses_the_layer(height: float, layer: int) -> None:
    camera = Camera(1, 1, 60.0, height_m=height)  # its only pixel looks straight ahead
    world = FeatureMap(1, PLAIN)
    world.fuse(one_feature(), np.ones((1, 1), dtype=np.float32), camera, Pose(0, 0, 3.0))
    assert [k for k, _, _ in cells_of(world)] == [layer]


def test_what_is_above_the_top_or_too_far_goes_nowhere() -> None:
    world = FeatureMap(1, PLAIN)
    one = np.ones((1, 1), dtype=np.float32)
    assert world.fuse(one_feature(), one, Camera(1, 1, 60.0, height_m=2.41), Pose(0, 0)) == 0
    assert world.fuse(one_feature(), 4.9 * one, Camera(1, 1, 60.0), Pose(0, 0), 5.0) == 1
    assert world.fuse(one_feature(), 5.1 * one, Camera(1, 1, 60.0), Pose(0, 0), 5.0) == 0


def test_holes_say_nothing() -> None:
    world = FeatureMap(1, MapSettings(size_m=12.0))
    depth = np.zeros((64, 64), dtype=np.float32)
    depth[5, 5], depth[6, 6], depth[7, 7], depth[8, 8] = np.nan, np.inf, -np.inf, -1.0
    assert world.fuse(one_feature(), depth, CAMERA, Pose(0.0, 0.0)) == 0
    assert len(world) == 0


def test_points_stay_in_their_cells_when_the_grid_grows() -> None:
    small = Grid.of_size(0.06, 12.0)
    assert small.covering(-6.0, 5.99, -6.0, 5.99) is small
    large = small.covering(-1.0, 31.7, -9.5, 0.0)
    assert large.col0 == small.col0
    assert large.row0 * 0.06 <= -9.5
    assert (large.col0 + large.cols) * 0.06 >= 31.7
    assert large.row0 + large.rows == small.row0 + small.rows
    rows, cols = small.part_of(large)
    for x in np.arange(-60, 60) * 0.06:  # on the borders of cells, where rounding could tell
        row, col = small.index(x, -x)
        assert large.index(x, -x) == (row + rows.start, col + cols.start)
    rows, cols = small.window(1.0, -5.99, 0.12)
    assert (rows, cols) == (slice(0, 3), slice(114, 119))
    rows, cols = small.window(-9.0, 0.0, 0.5)  # outside: no cells, and none from the other end
    assert np.ones(small.shape)[rows, cols].size == 0
    row, col = large.index(1.0, -2.0)
    assert np.abs(np.subtract(large.centre(row, col), (1.0, -2.0))).max() <= 0.03


def test_a_patch_across_a_jump_of_depth_counts_little_and_a_slanted_one_fully() -> None:
    columns = (np.arange(32) + 0.5 - 16.0) / 16.0
    depth = np.empty((32, 32), dtype=np.float32)
    depth[:] = 2.0 / (1.0 + 0.5 * columns)  # a wall seen at a slant: 1/z is affine
    quality = np.ones((4, 4), dtype=np.float32)
    patch_quality(depth, 1, 0.1, 0.05, 0.5, quality)
    np.testing.assert_allclose(quality[1:3, 1:3], 1.0, atol=1e-6)
    np.testing.assert_allclose(quality[0], 0.5, atol=1e-6)  # the rim
    depth[:, :12], depth[:, 12:] = 2.0, 1.5
    quality[:] = 1.0
    patch_quality(depth, 1, 0.1, 0.05, 0.5, quality)
    np.testing.assert_allclose(quality[1:3, 1], 1.0 / (1.0 + (1.0 / 3.0 / 0.1) ** 2), rtol=1e-5)
    np.testing.assert_allclose(quality[1:3, 2], 1.0, rtol=1e-6)


def test_smooth_features_are_bilinear_between_the_middles_of_patches() -> None:
    features = np.random.default_rng(5).normal(size=(6, 5, 3)).astype(np.float32)
    finer = np.empty((12, 10, 3), dtype=np.float32)
    refine(features, finer)
    expected = np.stack([cv2.resize(features[..., k], (10, 12)) for k in range(3)], axis=-1)
    np.testing.assert_allclose(finer, expected, atol=1e-6)
    camera = Camera(48, 48, 90.0)
    depth = np.random.default_rng(6).uniform(0.5, 4.0, (48, 48)).astype(np.float32)
    square = features[:4, :4]
    smooth, by_hand = FeatureMap(3), FeatureMap(3, MapSettings(smooth=False))
    smooth.fuse(square, depth, camera, Pose(0, 0))
    refine(np.ascontiguousarray(square), finer := np.empty((8, 8, 3), dtype=np.float32))
    by_hand.fuse(finer, depth, camera, Pose(0, 0))
    np.testing.assert_array_equal(smooth.features, by_hand.features)


# -------------------------------------------------------------------------- against plain NumPy
def factor_of_patches(depth: NDArray[np.float32], h: int, w: int) -> NDArray[np.float64]:
    """1 / (1 + (e/0.1)²) ≥ 0.05 with e the largest relative bend of 1/z; half at the rim."""
    size = depth.shape[0]
    inverse = 1.0 / np.where(depth > 0, depth, np.nan).astype(np.float64)
    bend = np.zeros_like(inverse)
    for axis in (0, 1):
        second = np.zeros_like(inverse)
        mid = inverse[1:-1] if axis == 0 else inverse[:, 1:-1]
        low = inverse[:-2] if axis == 0 else inverse[:, :-2]
        high = inverse[2:] if axis == 0 else inverse[:, 2:]
        at = (slice(1, -1), slice(None)) if axis == 0 else (slice(None), slice(1, -1))
        second[at] = np.abs(low + high - 2 * mid) / mid
        bend = np.fmax(bend, second)
    bend[0], bend[-1], bend[:, 0], bend[:, -1] = 0, 0, 0, 0
    worst = np.nan_to_num(bend).reshape(h, size // h, w, size // w).max(axis=(1, 3))
    factor = np.maximum(0.05, 1 / (1 + (worst / 0.1) ** 2))
    rim = np.ones((h, w), dtype=bool)
    rim[1:-1, 1:-1] = False
    return np.where(rim, 0.5 * factor, factor)


@pytest.mark.parametrize("fusion", ["confidence", "mean"])
def test_fusion_is_that_of_a_pixel_by_pixel_reference(fusion: str) -> None:
    settings = MapSettings(fusion=fusion, size_m=12.0, cap=0.4, smooth=False)  # type: ignore[arg-type]
    world = FeatureMap(7, settings)
    sim = tiny_simulator("objectnav-v1")
    draw = np.random.default_rng(3)
    mean: dict[tuple[int, int, int], NDArray[np.float64]] = {}
    total: dict[tuple[int, int, int], float] = {}
    for pose in (Pose(-2.0, 2.0, 0.0, 0.3), Pose(-1.8, 2.1, 0.0, 0.1), Pose(-2.0, 2.0, 0.0, -2.5)):
        sim.place(pose)
        depth = sim.render(CAMERA).depth
        features = draw.normal(size=(8, 8, 7)).astype(np.float32)
        world.fuse(features, depth, CAMERA, pose, 4.0)
        factor = factor_of_patches(depth, 8, 8)
        points = unproject(CAMERA, pose, depth)
        frame: dict[tuple[int, int, int], list[tuple[float, NDArray[np.float64]]]] = {}
        for v in range(64):
            for u in range(64):
                x, y, height = points[v, u]
                far = math.hypot(x - pose.x, y - pose.y)
                if not (depth[v, u] > 0 and far <= 4.0 and height < 2.4):
                    continue
                cell = (max(0, int(height / 0.8)), math.floor(y / 0.06), math.floor(x / 0.06))
                weight = 1.0
                if fusion == "confidence":
                    weight = factor[v // 8, u // 8] / (1 + (float(depth[v, u]) / 2.0) ** 2) ** 2
                    weight *= 0.1 if height < 0.05 else 1.0
                frame.setdefault(cell, []).append((weight, features[v // 8, u // 8].astype(float)))
        for cell, looks in frame.items():
            ours = sum(w for w, _ in looks)
            new = sum(w * f for w, f in looks) / ours
            c = ours / len(looks) if fusion == "confidence" else ours
            old = total.get(cell, 0.0)
            mean[cell] = (old * mean.get(cell, np.zeros(7)) + c * new) / (old + c)
            total[cell] = min(0.4, old + c) if fusion == "confidence" else old + c
    assert cells_of(world) == set(mean)
    assert max(total.values()) == 0.4 or fusion == "mean"
    for (layer, row, col), expected in mean.items():
        slot = world.slots[layer, row - world.grid.row0, col - world.grid.col0]
        np.testing.assert_allclose(world.features[slot], expected, rtol=2e-4, atol=2e-4)
        assert world.weights[slot] == pytest.approx(total[layer, row, col], rel=1e-4)
        assert world.norms[slot] == pytest.approx(np.linalg.norm(world.features[slot]), rel=1e-5)
