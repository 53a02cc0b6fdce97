"""Protocol settings: the published constants, and a hash that notices any change."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

import pytest

from navproof.core.errors import SpecError
from navproof.sensors import standard_sensors
from navproof.tasks import TASKS
from navproof.tasks.specs import spec_for, spec_hash, with_camera


def sensor(spec, name):
    return next(s for s in spec.sensors if s.name == name)


def test_published_constants():
    point, thing, route = (spec_for(t) for t in ("pointnav-v1", "objectnav-v1", "vln-v1"))
    assert (point.robot.forward_m, point.robot.turn_deg, point.success_m) == (0.25, 10.0, 0.2)
    assert (thing.robot.forward_m, thing.robot.turn_deg, thing.success_m) == (0.25, 30.0, 0.1)
    assert (route.robot.forward_m, route.robot.turn_deg, route.success_m) == (0.25, 15.0, 3.0)
    assert {s.budget_steps for s in (point, thing, route)} == {500}
    cameras = {
        (spec.task, name): sensor(spec, name).camera
        for spec in (point, thing, route)
        for name in ("rgb", "depth", "semantic")
    }
    sizes = {key: (c.width, c.height, c.hfov_deg, c.height_m) for key, c in cameras.items()}
    assert sizes["pointnav-v1", "rgb"] == (640, 480, 90.0, 1.25)
    assert sizes["objectnav-v1", "rgb"] == (640, 480, 79.0, 0.88)
    assert sizes["vln-v1", "rgb"][:3] == (224, 224, 90.0)
    assert sizes["vln-v1", "depth"][:3] == (256, 256, 90.0)
    assert all(cameras[t, "semantic"] == cameras[t, "depth"] for t, _ in cameras)
    depth = sensor(thing, "depth")
    assert (depth.min_range_m, depth.max_range_m, thing.robot.radius_m) == (0.5, 5.0, 0.18)
    assert thing.distance_to == "viewpoints"


def test_langnav_is_set_as_its_paper_and_released_code_say():
    spec = spec_for("langnav-v1")
    assert (spec.robot.forward_m, spec.robot.turn_deg, spec.robot.radius_m) == (0.25, 30.0, 0.18)
    assert (spec.success_m, spec.budget_steps, spec.distance_to) == (1.5, 500, "viewpoints")
    for name in ("rgb", "depth", "semantic"):
        camera = sensor(spec, name).camera
        assert (camera.width, camera.height, camera.hfov_deg) == (256, 256, 90.0)
        assert (camera.height_m, camera.pitch_deg) == (1.5, 0.0)
    depth = sensor(spec, "depth")
    assert (depth.min_range_m, depth.max_range_m) == (0.0, 10.0)


@pytest.mark.parametrize(
    ("robot", "forward_m", "turn_deg", "v", "w", "height_m", "camera_m"),
    [
        ("carter", 0.25, 20.0, 0.8, 1.2, 0.66, 0.56),
        ("aliengo", 0.25, 30.0, 1.0, 1.5, 0.60, 0.22),
        ("h1", 0.5, 15.0, 1.0, 1.5, 1.80, 1.36),
    ],
)
def test_missions_are_set_as_omninavbench_says(
    robot, forward_m, turn_deg, v, w, height_m, camera_m
):
    spec = spec_for("mission-v1", robot=robot)
    body = spec.robot
    assert (body.name, body.forward_m, body.turn_deg) == (robot, forward_m, turn_deg)
    assert (body.max_speed_m_s, body.max_turn_rad_s, body.height_m) == (v, w, height_m)
    cameras = [s.camera for s in spec.sensors if s.camera is not None]
    assert {c.height_m for c in cameras} == {camera_m}
    assert {(c.width, c.height, c.hfov_deg) for c in cameras} == {(256, 256, 90.0)}
    assert spec.success_m == 2.0
    assert standard_sensors(spec) == ("rgb", "depth", "pose")


def test_a_mission_is_carters_unless_told_otherwise():
    assert spec_for("mission-v1") == spec_for("mission-v1", robot="carter")
    hashes = {spec_hash(spec_for("mission-v1", robot=r)) for r in ("carter", "aliengo", "h1")}
    assert len(hashes) == 3


@pytest.mark.parametrize("control", ["discrete", "velocity", "waypoints", "any"])
def test_any_control_interface_can_be_asked_for(control):
    spec = spec_for("mission-v1", robot="h1", control=control)
    assert spec.control == control
    assert spec == replace(spec_for("mission-v1", robot="h1"), control=control)


def test_another_robot_takes_the_cameras_up_or_down():
    plain, tall = spec_for("vln-v1"), spec_for("vln-v1", robot="h1")
    assert sensor(plain, "rgb").camera.height_m == 1.25
    assert sensor(tall, "rgb").camera.height_m == 1.36
    assert sensor(tall, "rgb").camera.width == 224
    blind = replace(tall.robot, camera_m=0.0)
    assert sensor(spec_for("vln-v1", robot=blind), "rgb").camera.height_m == 1.25


def test_standard_sensors_hold_no_ground_truth():
    assert standard_sensors(spec_for("pointnav-v1")) == ("rgb", "depth", "pose", "pointgoal")
    assert standard_sensors(spec_for("vln-v1")) == ("rgb", "depth", "pose")
    assert standard_sensors(spec_for("langnav-v1")) == ("rgb", "depth", "pose")


def changed(value):
    """The same value with one leaf changed, once for every leaf."""
    if is_dataclass(value):
        for field in fields(value):
            for other in changed(getattr(value, field.name)):
                yield replace(value, **{field.name: other})
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            for other in changed(item):
                yield (*value[:i], other, *value[i + 1 :])
        yield value[:-1] if value else (("x", 1),)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
    elif isinstance(value, str):
        yield value + "x"


@pytest.mark.parametrize("task", sorted(TASKS))
def test_any_field_changes_the_hash(task):
    spec = spec_for(task)
    hashes = [spec_hash(s) for s in changed(spec)]
    assert len(hashes) > 60
    assert len({spec_hash(spec), *hashes}) == len(hashes) + 1
    assert len(spec_hash(spec)) == 12
    assert spec_hash(replace(spec)) == spec_hash(spec)


def test_hashes_of_the_standard_specs_are_pinned():
    """A change here makes results incomparable: give the task a new version instead."""
    assert {name: spec_hash(spec_for(name)) for name in TASKS} == {
        "pointnav-v1": "ac9b1be2e197",
        "objectnav-v1": "5240140a9841",
        "vln-v1": "25266800617e",
        "langnav-v1": "f338ed3cbff4",
        "mission-v1": "4e9ea020ef7c",
    }


def test_camera_override_touches_only_sizes():
    spec = with_camera(spec_for("vln-v1"), 64, 48)
    assert {(s.camera.width, s.camera.height) for s in spec.sensors if s.camera} == {(64, 48)}
    assert sensor(spec, "rgb").camera.hfov_deg == 90.0
    assert spec_hash(spec) != spec_hash(spec_for("vln-v1"))
    with pytest.raises(SpecError, match="too small"):
        with_camera(spec, 4, 4)
    with pytest.raises(SpecError, match="too large"):
        with_camera(spec, 64, 100_000)
