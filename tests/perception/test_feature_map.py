"""What a feature map keeps: weights by hand, growth, memory, and clear words for bad input."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.core.types import Camera, Pose
from navproof.perception.feature_map import FeatureMap, MapSettings
from navproof.perception.projection import accumulate

DOT = Camera(1, 1, 60.0, height_m=1.0)  # one pixel that looks straight ahead, 1 m above the floor
HERE = Pose(0.0, 0.0)
SETTINGS = MapSettings(size_m=12.0)


def unit(*numbers: float) -> NDArray[np.float32]:
    return np.array(numbers, dtype=np.float32).reshape(1, 1, -1)


def at(z: float) -> NDArray[np.float32]:
    return np.full((1, 1), z, dtype=np.float32)


def only(world: FeatureMap) -> tuple[NDArray[np.float32], float]:
    assert len(world) == 1
    return world.features[1], float(world.weights[1])


def test_two_looks_blend_by_confidence() -> None:
    # The same cell from 3 m (weight ¼, as far as range_m) and from 1 m (0.9²); the one patch is on
    # the rim of the image: half of that.
    world = FeatureMap(2, replace(SETTINGS, range_m=3.0))
    world.fuse(unit(1, 0), at(3.0), DOT, Pose(-1.01, 0.0))
    world.fuse(unit(0, 1), at(1.0), DOT, Pose(0.99, 0.0))
    mean, weight = only(world)
    assert weight == pytest.approx(0.125 + 0.405)
    np.testing.assert_allclose(mean, [0.125 / 0.53, 0.405 / 0.53], rtol=1e-6)


def test_a_capped_weight_lets_the_map_change_its_mind() -> None:
    world = FeatureMap(2, replace(SETTINGS, cap=1.0))
    for _ in range(50):
        world.fuse(unit(1, 0), at(1.0), DOT, HERE)
    assert only(world)[1] == 1.0
    world.fuse(unit(0, 1), at(1.0), DOT, HERE)
    np.testing.assert_allclose(only(world)[0], [1 / 1.32, 0.32 / 1.32], rtol=1e-6)


def test_confidence_of_patches_weighs_and_zero_silences() -> None:
    world = FeatureMap(2, SETTINGS)
    assert world.fuse(unit(1, 0), at(1.0), DOT, HERE, confidence=np.zeros((1, 1), np.float32)) == 0
    world.fuse(unit(1, 0), at(1.0), DOT, HERE, confidence=np.full((1, 1), 0.2, np.float32))
    world.fuse(unit(0, 1), at(1.0), DOT, HERE, confidence=np.full((1, 1), 0.6, np.float32))
    np.testing.assert_allclose(only(world)[0], [0.25, 0.75], rtol=1e-6)


def test_the_mean_counts_every_pixel_the_same() -> None:
    world = FeatureMap(2, replace(SETTINGS, fusion="mean"))
    pair = Camera(1, 2, 5.0, height_m=1.0)  # two pixels one above the other
    world.fuse(unit(1, 0), np.ones((2, 1), np.float32), pair, Pose(0.03, 0.0))
    world.fuse(unit(0, 1), at(1.04), DOT, HERE)
    mean, weight = only(world)
    assert weight == 3.0
    np.testing.assert_allclose(mean, [2 / 3, 1 / 3], rtol=1e-6)


def test_the_floor_is_known_but_drowned_by_what_stands_there() -> None:
    # A column of pixels sees a rug's edge on the floor and a table leg above the same cell.
    low = Camera(1, 1, 60.0, height_m=0.02)
    leg = Camera(1, 1, 60.0, height_m=0.30)
    world = FeatureMap(2, SETTINGS)
    world.fuse(unit(1, 0), at(1.0), low, HERE)
    np.testing.assert_allclose(only(world)[0], [1, 0])
    world.fuse(unit(0, 1), at(1.0), leg, HERE)
    np.testing.assert_allclose(only(world)[0], [1 / 11, 10 / 11], rtol=1e-5)
    bare = FeatureMap(2, replace(SETTINGS, floor_weight=0.0))
    assert bare.fuse(unit(1, 0), at(1.0), low, HERE) == 0


def test_growth_keeps_what_is_there() -> None:
    world = FeatureMap(2, SETTINGS)
    world.fuse(unit(0.6, 0.8), at(1.0), DOT, HERE)
    before = world.grid
    row, col = before.index(1.0, 0.0)
    world.fuse(unit(1, 0), at(1.0), DOT, Pose(30.0, -2.0))
    assert world.grid.cols > before.cols
    assert world.grid.rows == before.rows
    assert world.shape == (3, *world.grid.shape) == world.slots.shape
    row, col = world.grid.index(1.0, 0.0)
    np.testing.assert_allclose(world.at(1, row, col), [0.6, 0.8])
    np.testing.assert_allclose(world.at(1, *world.grid.index(31.0, -2.0)), [1, 0])
    for slot in (1, 2):
        assert world.slots[tuple(world.cells[slot])] == slot
    r0, r1, c0, c1 = world.known_bounds()
    assert (r1 - r0, c1 - c0) == (row - r0 + 1, world.grid.index(31.0, 0.0)[1] - col + 1)


def test_the_table_grows_past_its_first_size() -> None:
    camera = Camera(128, 128, 90.0, height_m=1.2)
    world = FeatureMap(4, replace(SETTINGS, cell_m=0.01, layers=5))
    draw = np.random.default_rng(0)
    kept: list[tuple[tuple[int, int, int], NDArray[np.float32]]] = []
    for step in range(3):
        features = draw.normal(size=(16, 16, 4)).astype(np.float32)
        world.fuse(features, np.full((128, 128), 1.5, np.float32), camera, Pose(step, 0.0), 4.0)
        cell = tuple(int(i) for i in world.cells[-1])
        kept.append((cell, world.at(*cell).copy()))
        depth = draw.uniform(0.5, 3.0, size=(128, 128)).astype(np.float32)
        world.fuse(features, depth, camera, Pose(-3.0 - step, 0.0, 0.0, 3.1), 1.0)
    assert len(world) > 8192
    for cell, vector in kept:
        np.testing.assert_array_equal(world.at(*cell), vector)
    assert world.dense().shape == (5, *world.grid.shape, 4)
    np.testing.assert_array_equal(world.dense()[cell], world.at(*cell))


def test_the_same_frames_give_the_same_bits() -> None:
    draw = np.random.default_rng(1)
    camera = Camera(48, 48, 90.0)
    frames = [
        (
            draw.normal(size=(6, 6, 5)).astype(np.float32),
            draw.uniform(0.3, 6.0, size=(48, 48)).astype(np.float32),
        )
        for _ in range(4)
    ]
    maps = [FeatureMap(5, SETTINGS) for _ in range(2)]
    for world in maps:
        for turn, (features, depth) in enumerate(frames):
            world.fuse(features, depth, camera, Pose(0, 0, 0, turn))
    assert maps[0].features.tobytes() == maps[1].features.tobytes()


def test_other_kinds_of_arrays_are_the_same_to_it_and_compile_nothing() -> None:
    camera = Camera(32, 32, 90.0)
    features = np.random.default_rng(4).normal(size=(4, 4, 6)).astype(np.float32)
    depth = np.full((32, 32), 1.3, dtype=np.float32)
    plain = FeatureMap(6, SETTINGS)
    plain.fuse(features, depth, camera, HERE)
    kinds = len(accumulate.signatures)  # type: ignore[attr-defined]
    odd = FeatureMap(6, replace(SETTINGS, range_m=2, floor_weight=0.1))
    locked, turned = depth.astype(np.float64).T, np.asfortranarray(features)
    locked.flags.writeable = turned.flags.writeable = False
    odd.fuse(turned, locked, camera, Pose(0, 0, 0, 0), 5)  # type: ignore[arg-type]
    assert plain.features.tobytes() == odd.features.tobytes()
    assert len(accumulate.signatures) == kinds  # type: ignore[attr-defined]


def test_memory_is_linear_in_layers_and_cells() -> None:
    empty = [FeatureMap(8, replace(SETTINGS, layers=n)).nbytes for n in (1, 2, 3, 4)]
    assert len(set(np.diff(empty))) == 1
    world = FeatureMap(8, SETTINGS)
    world.fuse(np.ones((1, 1, 8), np.float32), at(1.0), DOT, HERE)
    assert world.nbytes - empty[2] == 4 * 8 + 28


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"features": np.ones((2, 2, 5), np.float32)}, "gave 5 numbers a vector"),
        ({"features": np.full((2, 2, 2), np.nan, np.float32)}, "not finite"),
        ({"features": np.ones((4, 2), np.float32)}, r"\(h, w, f\)"),
        ({"features": None}, "NoneType"),
        ({"depth": None}, "needs a depth image"),
        ({"depth": np.ones((2, 2), np.float32)}, "the camera takes"),
        ({"depth": "far"}, "depth is str"),
        ({"confidence": np.ones((3, 3), np.float32)}, "patches"),
        ({"confidence": np.full((2, 2), -1.0, np.float32)}, "not negative"),
        ({"max_range_m": 0.0}, "max_range_m"),
        ({"pose": Pose(float("nan"), 0.0)}, "pose"),
    ],
)
def test_bad_input_is_one_clear_line(change: dict[str, object], words: str) -> None:
    world = FeatureMap(2, SETTINGS)
    good: dict[str, object] = {
        "features": np.ones((2, 2, 2), np.float32),
        "depth": np.ones((1, 1), np.float32),
        "camera": DOT,
        "pose": HERE,
    }
    with pytest.raises(PerceptionError, match=words) as caught:
        world.fuse(**(good | change))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    assert len(world) == 0


@pytest.mark.parametrize(
    "settings",
    [
        {"layers": 0},
        {"cell_m": 0.0},
        {"top_m": float("inf")},
        {"fusion": "median"},
        {"floor_m": 3.0},
        {"floor_weight": -0.1},
    ],
)
def test_settings_that_make_no_map_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(PerceptionError, match="map"):
        MapSettings(**settings)  # type: ignore[arg-type]
