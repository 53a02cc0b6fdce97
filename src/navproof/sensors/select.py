"""From names to sensors: which ones an agent gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Protocol, runtime_checkable

from navproof.core.errors import SpecError
from navproof.core.registry import suggest
from navproof.core.types import Camera, SensorSpec, TaskSpec
from navproof.sensors.protocol import Sensor
from navproof.sensors.registry import SENSORS, Sees, SensorKind

__all__ = [
    "build",
    "choose",
    "coloured",
    "kind_of",
    "privileged",
    "reads",
    "sees",
    "standard_sensors",
    "with_sensors",
]


def kind_of(spec: SensorSpec) -> SensorKind:
    """The kind of a sensor; ``UnknownNameError`` where there is none of that name."""
    return SENSORS.get(spec.kind)


def build(spec: SensorSpec) -> Sensor:
    """The sensor that ``spec`` describes; ``SpecError`` where it makes no sense."""
    if spec.every < 1 or spec.delay_steps < 0:
        raise SpecError(
            f"sensor '{spec.name}' has every={spec.every}, delay_steps={spec.delay_steps};"
            " every must be ≥ 1 and delay_steps ≥ 0"
        )
    return kind_of(spec).build(spec)


def choose(task: TaskSpec, names: Sequence[str] | None) -> tuple[SensorSpec, ...]:
    """The sensors for an agent that asked for ``names`` (None: the task's standard ones).

    Standard are all of the task's but the privileged ones. What a task does not give is added, left
    out or refused, as its kind says: ``semantic`` and ``expert`` can always be asked for
    (``semantic`` then shares the camera of depth or rgb), and so can ``pose``. ``pointgoal`` and
    ``mission`` are left out, so that one agent can play every task. Any other name that the task
    does not have is a ``SpecError``.
    """
    offered = {s.name: s for s in task.sensors}
    if names is None:
        return tuple(s for s in task.sensors if not kind_of(s).privileged)
    chosen: list[SensorSpec] = []
    for name in dict.fromkeys(names):
        kind = SENSORS.get(name) if name not in offered and name in SENSORS else None
        if name in offered:
            chosen.append(offered[name])
        elif kind is not None and kind.not_given == "add":
            chosen.append(SensorSpec(name, name, camera=_any_camera(task) if kind.camera else None))
        elif kind is None or kind.not_given == "refuse":
            built_in = [(n, SENSORS.get(n)) for n in SENSORS.built_in()]
            known = {*offered, *(n for n, k in built_in if k.not_given != "refuse")}
            raise SpecError(f"{task.task} has no sensor '{name}'{suggest(name, sorted(known))}")
    return tuple(chosen)


def with_sensors(task: TaskSpec, sensors: Sequence[SensorSpec]) -> TaskSpec:
    """The task with these sensors too; one with the name of the task's own takes its place."""
    given = {s.name: s for s in sensors}
    own = tuple(given.pop(s.name, s) for s in task.sensors)
    return replace(task, sensors=(*own, *given.values()))


def reads(spec: SensorSpec) -> Sees | None:
    """What a sensor's readings are."""
    return kind_of(spec).reads(spec)


def sees(spec: SensorSpec) -> Literal["rgb", "depth"] | None:
    """What a sensor's readings are, where conditions of a run act on them."""
    kind = kind_of(spec)
    what = None if kind.own_conditions else kind.reads(spec)
    return None if what == "pose" else what


@runtime_checkable
class _HasCameras(Protocol):
    """A sensor with several cameras, or others than its spec's."""

    @property
    def cameras(self) -> Sequence[Camera]: ...


def coloured(sensors: Sequence[Sensor]) -> frozenset[Camera] | None:
    """The cameras that must be rendered with their colours; None for all, where a sensor needs
    colours and does not say in which views."""
    found: set[Camera] = set()
    for sensor in sensors:
        kind, spec = kind_of(sensor.spec), sensor.spec
        if kind.reads(spec) != "rgb" and not kind.colour:
            continue
        cameras = tuple(sensor.cameras) if isinstance(sensor, _HasCameras) else ()
        if not cameras and spec.camera is None:
            return None
        found |= set(cameras) or {spec.camera or Camera()}
    return frozenset(found)


def privileged(names: Sequence[str] | None, task: TaskSpec) -> tuple[str, ...]:
    """Names of the ground-truth sensors among those an agent asked for."""
    return tuple(s.name for s in choose(task, names) if kind_of(s).privileged)


def standard_sensors(task: TaskSpec) -> tuple[str, ...]:
    """Names of the sensors an agent gets when it asks for none: all but the privileged."""
    return tuple(s.name for s in choose(task, None))


def _any_camera(task: TaskSpec) -> Camera:
    """The camera of the depth sensor if there is one, else of the first that has any."""
    for spec in sorted(task.sensors, key=lambda s: s.kind != "depth"):
        if spec.camera is not None:
            return spec.camera
    raise SpecError(f"{task.task} has no camera, so there is nothing for 'semantic' to label")
