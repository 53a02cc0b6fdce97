"""From names to sensors: which ones an agent gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from navproof.core.errors import SpecError
from navproof.core.registry import suggest
from navproof.core.types import PRIVILEGED, Camera, SensorSpec, TaskSpec
from navproof.sensors.panorama import EquirectangularSensor, ViewsSensor
from navproof.sensors.protocol import Sensor
from navproof.sensors.registry import SENSORS

__all__ = ["build", "choose", "coloured", "privileged", "sees", "with_sensors"]


def build(spec: SensorSpec) -> Sensor:
    """The sensor that ``spec`` describes; ``SpecError`` where it makes no sense."""
    if spec.every < 1 or spec.delay_steps < 0:
        raise SpecError(
            f"sensor '{spec.name}' has every={spec.every}, delay_steps={spec.delay_steps};"
            " every must be ≥ 1 and delay_steps ≥ 0"
        )
    return SENSORS.get(spec.kind)(spec)


def choose(task: TaskSpec, names: Sequence[str] | None) -> tuple[SensorSpec, ...]:
    """The sensors for an agent that asked for ``names`` (None: the task's standard ones).

    Standard are all of the task's but the privileged ones. ``semantic`` and ``expert`` can always
    be asked for (``semantic`` then shares the camera of depth or rgb), and so can ``pose``.
    ``pointgoal`` and ``mission`` are left out where the task does not give them, so that one agent
    can play every task. Any other name that the task does not have is a ``SpecError``.
    """
    offered = {s.name: s for s in task.sensors}
    if names is None:
        return tuple(s for s in task.sensors if s.kind not in PRIVILEGED)
    chosen: list[SensorSpec] = []
    for name in dict.fromkeys(names):
        if name in offered:
            chosen.append(offered[name])
        elif name == "semantic":
            chosen.append(SensorSpec("semantic", "semantic", camera=_any_camera(task)))
        elif name == "expert":
            chosen.append(SensorSpec("expert", "expert"))
        elif name == "pose":
            chosen.append(SensorSpec("pose", "pose"))
        elif name not in ("pointgoal", "mission"):
            known = sorted({*offered, *PRIVILEGED, "pose"})
            raise SpecError(f"{task.task} has no sensor '{name}'{suggest(name, known)}")
    return tuple(chosen)


def with_sensors(task: TaskSpec, sensors: Sequence[SensorSpec]) -> TaskSpec:
    """The task with these sensors too; one with the name of the task's own takes its place."""
    given = {s.name: s for s in sensors}
    own = tuple(given.pop(s.name, s) for s in task.sensors)
    return replace(task, sensors=(*own, *given.values()))


def sees(spec: SensorSpec) -> Literal["rgb", "depth"] | None:
    """What a camera's readings are pictures of, and so which corruptions act on them."""
    if spec.kind == "panorama":
        return spec.of
    return spec.kind if spec.kind == "rgb" or spec.kind == "depth" else None


def coloured(sensors: Sequence[Sensor]) -> frozenset[Camera]:
    """The cameras that must be rendered with their colours."""
    found: set[Camera] = set()
    for sensor in sensors:
        if sees(sensor.spec) != "rgb":
            continue
        if isinstance(sensor, EquirectangularSensor | ViewsSensor):
            found |= set(sensor.cameras)
        elif sensor.spec.camera is not None:
            found.add(sensor.spec.camera)
    return frozenset(found)


def privileged(names: Sequence[str] | None, task: TaskSpec) -> tuple[str, ...]:
    """Names of the ground-truth sensors among those an agent asked for."""
    return tuple(s.name for s in choose(task, names) if s.kind in PRIVILEGED)


def _any_camera(task: TaskSpec) -> Camera:
    """The camera of the depth sensor if there is one, else of the first that has any."""
    for spec in sorted(task.sensors, key=lambda s: s.kind != "depth"):
        if spec.camera is not None:
            return spec.camera
    raise SpecError(f"{task.task} has no camera, so there is nothing for 'semantic' to label")
