"""Protocol settings of tasks: looked up, changed, and the hash that goes with every result.

Each task declares its own (``tasks.kind``); the sources are named there. The body is a cylinder of
0.18 m radius in all of them but missions, so that aligned episodes of different tasks share one
navigable area.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from navproof.core.errors import SpecError
from navproof.core.plain import as_plain
from navproof.core.types import Camera, Control, Robot, SensorSpec, TaskSpec
from navproof.sim.robots import load_robot
from navproof.tasks.registry import TASKS

__all__ = [
    "RADIUS_M",
    "check_image_size",
    "navigation_sensors",
    "spec_for",
    "spec_hash",
    "with_camera",
    "with_robot",
]

RADIUS_M = 0.18
"""The body of PointNav, ObjectNav, VLN and LangNav."""
_LARGEST = 8192  # pixels along a side of an image


def navigation_sensors(
    rgb: Camera,
    depth: Camera,
    min_range_m: float = 0.0,
    max_range_m: float = 10.0,
    pointgoal: bool = False,
) -> tuple[SensorSpec, ...]:
    """What every task here offers: colour, depth, the pose, the point goal where it has one, and
    ground truth for those who ask for it."""
    goal = (SensorSpec("pointgoal", "pointgoal"),) if pointgoal else ()
    return (
        SensorSpec("rgb", "rgb", rgb),
        SensorSpec("depth", "depth", depth, min_range_m, max_range_m),
        SensorSpec("pose", "pose"),
        *goal,
        SensorSpec("semantic", "semantic", depth),
        SensorSpec("expert", "expert"),
    )


def spec_for(
    task_id: str, robot: str | Path | Robot | None = None, control: Control | None = None
) -> TaskSpec:
    """The standard settings of a task ("pointnav-v1", "langnav-v1", …), or those with another
    robot (a name or file for ``sim.robots.load_robot``) or another control interface."""
    spec = TASKS.get(task_id).spec
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
    check_image_size(width, height)
    sensors = tuple(
        s if s.camera is None else replace(s, camera=replace(s.camera, width=width, height=height))
        for s in spec.sensors
    )
    return replace(spec, sensors=sensors)


def check_image_size(width: int, height: int) -> None:
    """Raises where no camera has images of that size."""
    if width < 8 or height < 8:
        raise SpecError(f"a camera of {width}×{height} pixels is too small; use at least 8×8")
    if width > _LARGEST or height > _LARGEST:
        raise SpecError(
            f"a camera of {width}×{height} pixels is too large; use at most {_LARGEST}×{_LARGEST}"
        )
