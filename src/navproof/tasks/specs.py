"""The protocol settings of each task, and the hash that goes with every result.

Sources: PointNav follows the Habitat PointNav settings, ObjectNav the Habitat HM3D ObjectNav
challenge, VLN the continuous R2R setting (R2R-CE), LangNav the paper of LangNavBench and, for the
camera, its released code. The body is a cylinder of 0.18 m radius in all of them, so that aligned
episodes of different tasks share one navigable area.

Missions follow OmniNavBench and have a robot of its three (``sim.robots``), Carter unless told
otherwise. Its cameras are where they are when that robot is in use. The paper adapts their number,
size and field of view to each algorithm; here there is one RGB-D camera of 256 × 256 pixels and
90°.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from navproof.core.errors import SpecError, UnknownNameError
from navproof.core.plain import as_plain
from navproof.core.registry import suggest
from navproof.core.types import Camera, Control, Robot, SensorSpec, TaskSpec
from navproof.sim.robots import load_robot

__all__ = ["SPECS", "spec_for", "spec_hash", "with_camera", "with_robot"]

_RADIUS_M = 0.18
_BUDGET_STEPS = 500
_MISSION_STEPS = 6000  # ten minutes at 10 Hz; an episode's own budget is 2 × its expert's time
_LARGEST = 8192  # pixels along a side of an image


def _sensors(
    rgb: Camera, depth: Camera, min_range_m: float, max_range_m: float, pointgoal: bool
) -> tuple[SensorSpec, ...]:
    goal = (SensorSpec("pointgoal", "pointgoal"),) if pointgoal else ()
    return (
        SensorSpec("rgb", "rgb", rgb),
        SensorSpec("depth", "depth", depth, min_range_m, max_range_m),
        SensorSpec("pose", "pose"),
        *goal,
        SensorSpec("semantic", "semantic", depth),
        SensorSpec("expert", "expert"),
    )


def _pointnav() -> TaskSpec:
    camera = Camera(width=640, height=480, hfov_deg=90.0, height_m=1.25)
    return TaskSpec(
        task="pointnav-v1",
        robot=Robot("pointnav", _RADIUS_M, 1.5, forward_m=0.25, turn_deg=10.0),
        sensors=_sensors(camera, camera, 0.0, 10.0, pointgoal=True),
        success_m=0.2,
        budget_steps=_BUDGET_STEPS,
    )


def _objectnav() -> TaskSpec:
    camera = Camera(width=640, height=480, hfov_deg=79.0, height_m=0.88)
    return TaskSpec(
        task="objectnav-v1",
        robot=Robot("objectnav", _RADIUS_M, 0.88, forward_m=0.25, turn_deg=30.0),
        sensors=_sensors(camera, camera, 0.5, 5.0, pointgoal=False),
        success_m=0.1,
        budget_steps=_BUDGET_STEPS,
        distance_to="viewpoints",
    )


def _vln() -> TaskSpec:
    rgb = Camera(width=224, height=224, hfov_deg=90.0, height_m=1.25)
    depth = replace(rgb, width=256, height=256)
    return TaskSpec(
        task="vln-v1",
        robot=Robot("vln", _RADIUS_M, 1.5, forward_m=0.25, turn_deg=15.0),
        sensors=_sensors(rgb, depth, 0.0, 10.0, pointgoal=False),
        success_m=3.0,
        budget_steps=_BUDGET_STEPS,
    )


def _langnav() -> TaskSpec:
    camera = Camera(width=256, height=256, hfov_deg=90.0, height_m=1.5)
    return TaskSpec(
        task="langnav-v1",
        robot=Robot("langnav", _RADIUS_M, 1.5, forward_m=0.25, turn_deg=30.0),
        sensors=_sensors(camera, camera, 0.0, 10.0, pointgoal=False),
        success_m=1.5,
        budget_steps=_BUDGET_STEPS,  # for each goal
        distance_to="viewpoints",
    )


def _mission() -> TaskSpec:
    robot = load_robot("carter")
    camera = Camera(width=256, height=256, hfov_deg=90.0, height_m=robot.camera_m)
    return TaskSpec(
        task="mission-v1",
        robot=robot,
        sensors=(
            *_sensors(camera, camera, 0.0, 10.0, pointgoal=False),
            SensorSpec("mission", "mission"),
        ),
        success_m=2.0,
        budget_steps=_MISSION_STEPS,
        control="any",
    )


SPECS: dict[str, TaskSpec] = {
    spec.task: spec for spec in (_pointnav(), _objectnav(), _vln(), _langnav(), _mission())
}


def spec_for(
    task_id: str, robot: str | Path | Robot | None = None, control: Control | None = None
) -> TaskSpec:
    """The standard settings of a task ("pointnav-v1", "langnav-v1", …), or those with another
    robot (a name or file for ``sim.robots.load_robot``) or another control interface."""
    if task_id not in SPECS:
        raise UnknownNameError(f"there is no task '{task_id}'{suggest(task_id, list(SPECS))}")
    spec = SPECS[task_id]
    if robot is not None:
        spec = with_robot(spec, robot if isinstance(robot, Robot) else load_robot(robot))
    return spec if control is None else replace(spec, control=control)


def with_robot(spec: TaskSpec, robot: Robot) -> TaskSpec:
    """The same settings for another robot, every camera as high as that robot carries it (where
    it says so)."""
    if not robot.camera_m:
        return replace(spec, robot=robot)
    sensors = tuple(
        s if s.camera is None else replace(s, camera=replace(s.camera, height_m=robot.camera_m))
        for s in spec.sensors
    )
    return replace(spec, robot=robot, sensors=sensors)


def spec_hash(spec: TaskSpec) -> str:
    """Twelve hex digits that change with any setting (SHA-256 of the canonical JSON)."""
    text = json.dumps(as_plain(spec), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def with_camera(spec: TaskSpec, width: int, height: int) -> TaskSpec:
    """The same settings with every camera ``width`` × ``height`` pixels (another hash)."""
    if width < 8 or height < 8:
        raise SpecError(f"a camera of {width}×{height} pixels is too small; use at least 8×8")
    if width > _LARGEST or height > _LARGEST:
        raise SpecError(
            f"a camera of {width}×{height} pixels is too large; use at most {_LARGEST}×{_LARGEST}"
        )
    sensors = tuple(
        s if s.camera is None else replace(s, camera=replace(s.camera, width=width, height=height))
        for s in spec.sensors
    )
    return replace(spec, sensors=sensors)
