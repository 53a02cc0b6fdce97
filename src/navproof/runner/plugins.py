"""Which things from outside a run uses: they are part of what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from navproof.agents.address import is_address
from navproof.agents.options import parse_agent
from navproof.agents.registry import AGENTS
from navproof.core.errors import RunError, SpecError
from navproof.core.registry import NOT_IMPORTABLE, Origin, Registry
from navproof.core.types import Episode, TaskSpec
from navproof.corruptions.condition import parse_condition
from navproof.corruptions.registry import CORRUPTIONS
from navproof.sensors.registry import SENSORS
from navproof.sim.registry import SIMULATORS
from navproof.sim.robots import ROBOTS
from navproof.tasks import TASKS
from navproof.tasks.settings import STANDARD, Settings
from navproof.tasks.suites import SUITES

if TYPE_CHECKING:
    from navproof.runner.spec import RunSpec
    from navproof.tasks.suites.pack.read import Pack

__all__ = [
    "check_as_played",
    "check_needed",
    "describe_plugins",
    "edited_plugins",
    "needed_by",
    "plugins_of",
]

_FOLDER = re.compile(r".*[/\\]")


def plugins_of(
    spec: RunSpec,
    episodes: Sequence[Episode],
    tasks: Mapping[str, TaskSpec],
    settings: Settings = STANDARD,
) -> tuple[Origin, ...]:
    """Everything from outside that is used, by kind and name; nothing is imported for it. A
    ``SpecError`` where worker processes could not import one. Metrics are not part of what a run
    is: it can be scored again by others."""
    references: list[tuple[Registry[Any], str]] = [(SIMULATORS, spec.simulator)]
    references += [(AGENTS, parse_agent(a).ref) for a in spec.agents if not is_address(a)]
    robots = {episode.robot for episode in episodes if episode.robot}
    references += [(ROBOTS, robot) for robot in robots.difference(settings.robots)]
    if not Path(spec.suite).is_file():
        references.append((SUITES, spec.suite))
    return _from_outside([*references, *_of_tasks(tasks, spec.conditions)])


def needed_by(tasks: Mapping[str, TaskSpec], conditions: Sequence[str]) -> tuple[Origin, ...]:
    """What tasks and conditions need from outside, as ``plugins_of``."""
    return _from_outside(_of_tasks(tasks, conditions))


def _of_tasks(
    tasks: Mapping[str, TaskSpec], conditions: Sequence[str]
) -> list[tuple[Registry[Any], str]]:
    references: list[tuple[Registry[Any], str]] = [(TASKS, task) for task in tasks]
    sensors = [sensor for task in tasks.values() for sensor in task.sensors]
    references += [(SENSORS, sensor.kind) for sensor in sensors]
    under = [*conditions, *(sensor.corrupt for sensor in sensors if sensor.corrupt)]
    return [*references, *((CORRUPTIONS, name) for name in _corruptions(under))]


def _from_outside(references: Iterable[tuple[Registry[Any], str]]) -> tuple[Origin, ...]:
    plugins = {}
    for registry, name in dict.fromkeys(references):
        origin = registry.origin(name)
        if origin is not None and not origin.source:
            raise SpecError(f"{origin.kind} '{name}' {NOT_IMPORTABLE}")
        if origin is not None:
            plugins[origin.kind, name] = origin
    return tuple(plugins[key] for key in sorted(plugins))


def describe_plugins(plugins: Iterable[Origin]) -> list[dict[str, str]]:
    """As a run's description holds them: the same wherever the files lie."""
    return [
        {"kind": p.kind, "name": p.name, "source": _FOLDER.sub("", p.source), "digest": p.digest}
        for p in plugins
    ]


def edited_plugins(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What is in both descriptions with another content, in words."""
    before = {(p["kind"], p["name"]): p["digest"] for p in old.get("plugins", ())}
    return [
        f"the file of {p['kind']} {p['name']} has changed since"
        for p in new.get("plugins", ())
        if before.get((p["kind"], p["name"]), p["digest"]) != p["digest"]
    ]


def check_as_played(described: Mapping[str, Any], what: str) -> None:
    """``RunError`` where the file of something that shapes episodes is no longer what it was when
    a run with that description was played: going back into it would lead elsewhere. (An agent that
    acts otherwise than before is noticed by itself; a suite's episodes are in the traces.)"""
    shaping: list[Registry[Any]] = [CORRUPTIONS, ROBOTS, SENSORS, SIMULATORS, TASKS]
    registries = {registry.kind: registry for registry in shaping}
    for plugin in described.get("plugins", ()):
        kind, name, digest = plugin["kind"], plugin["name"], plugin["digest"]
        origin = registries[kind].origin(name) if kind in registries else None
        if origin is not None and origin.digest != digest:
            if not origin.digest:
                raise RunError(
                    f"{what}: the file of {kind} {name} is not found from {Path.cwd()}; go to the "
                    "folder in which the run was made"
                )
            raise RunError(
                f"{what}: the file of {kind} {name} has changed since it was run; run it again"
            )


def check_needed(pack: Pack, plugins: Iterable[Origin]) -> None:
    """``SpecError`` where something from outside that a packed suite names, and a run uses, is not
    what it was when the suite was packed."""
    now = {(plugin.kind, plugin.name): plugin.digest for plugin in plugins}
    for need in pack.manifest.needs:
        if now.get((need.kind, need.name), need.digest) != need.digest:
            raise SpecError(
                f"{pack.path} was packed with another {need.kind} {need.name} than the one here"
            )


def _corruptions(conditions: Iterable[str]) -> Iterator[str]:
    for condition in conditions:
        for part in parse_condition(condition).parts:
            yield part.corruption.name
