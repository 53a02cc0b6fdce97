"""Which things from outside a run uses: they are part of what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from navproof.agents.options import parse_agent
from navproof.agents.registry import AGENTS
from navproof.core.errors import SpecError
from navproof.core.registry import NOT_IMPORTABLE, Origin, Registry
from navproof.core.types import Episode, TaskSpec
from navproof.corruptions.condition import parse_condition
from navproof.corruptions.registry import CORRUPTIONS
from navproof.sensors.registry import SENSORS
from navproof.sim.registry import SIMULATORS
from navproof.sim.robots import ROBOTS
from navproof.tasks import TASKS
from navproof.tasks.suites import SUITES

if TYPE_CHECKING:
    from navproof.runner.spec import RunSpec

__all__ = ["describe_plugins", "edited_plugins", "plugins_of"]

_FOLDER = re.compile(r".*[/\\]")


def plugins_of(
    spec: RunSpec, episodes: Sequence[Episode], tasks: Mapping[str, TaskSpec]
) -> tuple[Origin, ...]:
    """Everything from outside that is used, by kind and name; nothing is imported for it. A
    ``SpecError`` where worker processes could not import one. Metrics are not part of what a run
    is: it can be scored again by others."""
    used: list[tuple[Registry[Any], str]] = [(SIMULATORS, spec.simulator)]
    used += [(AGENTS, parse_agent(agent).ref) for agent in spec.agents]
    used += [(ROBOTS, episode.robot) for episode in episodes if episode.robot]
    used += [(TASKS, task) for task in tasks]
    if not Path(spec.suite).is_file():
        used.append((SUITES, spec.suite))
    sensors = [sensor for task in tasks.values() for sensor in task.sensors]
    used += [(SENSORS, sensor.kind) for sensor in sensors]
    under = [*spec.conditions, *(sensor.corrupt for sensor in sensors if sensor.corrupt)]
    used += [(CORRUPTIONS, name) for name in _corruptions(under)]
    found = {}
    for registry, name in dict.fromkeys(used):
        origin = registry.origin(name)
        if origin is not None and not origin.source:
            raise SpecError(f"{origin.kind} '{name}' {NOT_IMPORTABLE}")
        if origin is not None:
            found[origin.kind, name] = origin
    return tuple(found[key] for key in sorted(found))


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


def _corruptions(conditions: Iterable[str]) -> Iterator[str]:
    for condition in conditions:
        for part in parse_condition(condition).parts:
            yield part.corruption.name
