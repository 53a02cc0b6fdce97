"""Sensors against closed forms in the two-room flat."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.check.tiny import tiny_simulator
from navproof.core.errors import SpecError, UnknownNameError
from navproof.core.types import Camera, Pose, SensorSpec
from navproof.sensors import SENSORS, View, build, choose, privileged
from navproof.sensors.camera import clip_range
from navproof.sensors.pose import to_episode_frame
from navproof.tasks import spec_for

CAMERA = Camera(width=33, height=33, hfov_deg=90.0, height_m=1.0)


def view(
    pose: Pose, goals: tuple[tuple[float, float, float], ...] = (), start: Pose | None = None
) -> View:
    sim = tiny_simulator("pointnav-v1")
    sim.place(pose)
    return View(sim, goals, start or pose)


def test_depth_is_along_the_optical_axis() -> None:
    seen = view(Pose(-3.0, 1.0, 0.0, math.pi))  # 1 m before the west wall
    depth = build(SensorSpec("depth", "depth", CAMERA)).read(seen)
    middle = depth[16]
    assert middle == pytest.approx(np.full(33, 1.0), abs=1e-3)


def test_depth_out_of_range_is_a_hole() -> None:
    seen = view(Pose(-3.0, 2.0, 0.0, 0.0))  # looks through the doorway at the east wall, 7 m
    near = build(SensorSpec("depth", "depth", CAMERA, 0.5, 5.0)).read(seen)
    far = build(SensorSpec("depth", "depth", CAMERA, 0.5, 10.0)).read(seen)
    assert far[16, 16] == pytest.approx(7.0, abs=1e-3)
    assert near[16, 16] == 0.0
    assert np.array_equal(near[near > 0], far[near > 0])
    assert near.dtype == np.float32


def test_clip_range_keeps_its_bounds() -> None:
    depth = np.array([[0.0, 0.49, 0.5, 5.0, 5.01, np.nan]], dtype=np.float32)
    assert clip_range(depth, 0.5, 5.0).tolist() == [[0.0, 0.0, 0.5, 5.0, 0.0, 0.0]]


def test_one_render_serves_all_readings_and_none_of_them_shares_it() -> None:
    seen = view(Pose(-3.0, 1.0))
    frame = seen.frame(CAMERA)
    assert seen.frame(CAMERA) is frame
    rgb = build(SensorSpec("rgb", "rgb", CAMERA)).read(seen)
    semantic = build(SensorSpec("semantic", "semantic", CAMERA)).read(seen)
    assert np.array_equal(rgb, frame.rgb)
    assert np.array_equal(semantic, frame.instances)
    assert not np.shares_memory(rgb, frame.rgb)
    assert not np.shares_memory(semantic, frame.instances)


def test_pose_is_the_start_seen_from_itself() -> None:
    start = Pose(-3.0, 1.0, 0.0, math.pi / 2)
    sensor = build(SensorSpec("pose", "pose"))
    assert sensor.read(view(start)).tolist() == [0.0, 0.0, 0.0, 0.0]
    there = sensor.read(view(Pose(-3.5, 2.0, 0.0, math.pi), start=start))
    assert there == pytest.approx([1.0, 0.5, 0.0, math.pi / 2], abs=1e-6)


def test_pointgoal_is_distance_and_bearing_of_the_nearest_goal() -> None:
    sensor = build(SensorSpec("pointgoal", "pointgoal"))
    seen = view(Pose(-3.0, 1.0, 0.0, math.pi / 2), ((-1.0, 1.0, 0.0), (-3.0, 3.5, 0.0)))
    assert sensor.read(seen) == pytest.approx([2.0, -math.pi / 2], abs=1e-6)


def test_expert_goes_round_the_door_jamb() -> None:
    start, goal = Pose(-3.0, 1.0, 0.0, 0.0), (3.0, 1.0, 0.0)
    path = build(SensorSpec("expert", "expert")).read(view(start, (goal,)))
    assert path[0] == pytest.approx([0.0, 0.0])
    assert path[-1] == pytest.approx([6.0, 0.0])
    length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    tangent = math.sqrt(3.0**2 + 0.5**2 - 0.18**2)  # to the circle around the jamb at (0, 1.5)
    arc = 2 * (math.atan2(0.5, 3.0) + math.asin(0.18 / math.hypot(3.0, 0.5)))
    assert length == pytest.approx(2 * tangent + 0.18 * arc, rel=0.01)


def test_no_way_is_an_empty_path() -> None:
    path = build(SensorSpec("expert", "expert")).read(view(Pose(-3.0, 1.0), ((40.0, 1.0, 0.0),)))
    assert path.shape == (0, 2)


@given(st.floats(-9, 9), st.floats(-9, 9), st.floats(-3.1, 3.1), st.floats(-9, 9), st.floats(-9, 9))
def test_episode_frame_keeps_distances(
    sx: float, sy: float, yaw: float, x: float, y: float
) -> None:
    u, v = to_episode_frame(Pose(sx, sy, 0.0, yaw), x, y)
    assert math.hypot(u, v) == pytest.approx(math.hypot(x - sx, y - sy), abs=2e-6)


@pytest.mark.parametrize("task", ["pointnav-v1", "objectnav-v1", "vln-v1"])
def test_every_kind_a_task_offers_can_be_built_and_read_as_it_says(task: str) -> None:
    sim = tiny_simulator(task)
    sim.place(Pose(-3.0, 1.0))
    seen = View(sim, ((3.0, 1.0, 0.0),), sim.pose)
    for spec in spec_for(task).sensors:
        sensor = build(spec)
        reading, form = sensor.read(seen), sensor.reading
        assert reading.dtype == np.dtype(form.dtype)
        assert len(reading.shape) == len(form.shape)
        assert all(b is None or a == b for a, b in zip(reading.shape, form.shape, strict=True))
        assert np.all(reading >= np.array(form.low))
        assert np.all(reading <= np.array(form.high))


def test_choose_gives_ground_truth_only_when_named() -> None:
    spec = spec_for("objectnav-v1")
    assert [s.name for s in choose(spec, None)] == ["rgb", "depth", "pose"]
    assert [s.name for s in choose(spec, ("expert", "pose", "expert"))] == ["expert", "pose"]
    assert privileged(("depth", "semantic"), spec) == ("semantic",)
    assert privileged(None, spec) == ()
    truth = [name for name, kind in SENSORS.items() if kind.privileged]
    assert sorted(truth) == ["expert", "mission", "semantic"]


def test_choose_names_the_nearest_sensor() -> None:
    with pytest.raises(SpecError, match=r"has no sensor 'rgbd'; did you mean 'rgb'\?"):
        choose(spec_for("objectnav-v1"), ("rgbd",))


def test_a_camera_sensor_without_camera_is_refused() -> None:
    with pytest.raises(SpecError, match="has no camera"):
        build(SensorSpec("rgb", "rgb"))
    with pytest.raises(SpecError, match="0 ≤ min < max"):
        build(SensorSpec("depth", "depth", CAMERA, 5.0, 1.0))
    with pytest.raises(UnknownNameError, match="sensor kind 'sonar'"):
        build(SensorSpec("s", "sonar"))
