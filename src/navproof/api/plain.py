"""From what people pass in Python (names, classes, functions, numbers) to what a run is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from numbers import Integral
from pathlib import Path
from typing import Any, TypeAlias

from navproof.agents.sets import expand_agents
from navproof.core.errors import SpecError
from navproof.core.names import split_list
from navproof.core.registry import reference_to
from navproof.core.types import SensorSpec
from navproof.corruptions.condition import Condition
from navproof.corruptions.registry import CORRUPTIONS
from navproof.runner.conditions import GROUPS, group
from navproof.sensors.config import load_sensors

__all__ = [
    "AgentLike",
    "ConditionLike",
    "agent_names",
    "condition_texts",
    "image_size",
    "seed_numbers",
    "sensor_specs",
    "whole_number",
]

AgentLike: TypeAlias = str | Callable[..., Any]
"""An agent's name, or its class (or a function that makes agents)."""
ConditionLike: TypeAlias = str | Condition | Callable[..., Any]
"""A condition as text or as value, or a function that is a corruption."""
_MOST_SEEDS = 10_000


def agent_names(agents: AgentLike | Iterable[AgentLike]) -> tuple[str, ...]:
    """The names of agents, those of sets replaced by their agents. A class becomes a reference to
    its file or module; ``SpecError`` where worker processes could not import it from there."""
    found: list[str] = []
    for agent in _several(agents, "agents"):
        if isinstance(agent, str):
            found += split_list(agent)
        else:
            found.append(reference_to(agent, "agent"))
    return expand_agents(found)


def condition_texts(conditions: ConditionLike | Iterable[ConditionLike]) -> list[str]:
    """Conditions as texts, those of groups one by one."""
    found: list[str] = []
    for condition in _several(conditions, "conditions"):
        if isinstance(condition, Condition):
            found.append(condition.name)
        elif isinstance(condition, str):
            for text in condition.split(","):
                is_group = text.strip() in GROUPS and text.strip() not in CORRUPTIONS
                found += group(text.strip()) if is_group else (text,)
        else:
            found.append(reference_to(condition, "corruption"))
    return found


def image_size(size: str | tuple[int, int] | None, what: str = "camera") -> tuple[int, int] | None:
    """``"256x256"`` or (width, height); a ``SpecError`` that begins with ``what``, which is how the
    user calls it, where it is neither."""
    if size is None:
        return None
    if isinstance(size, str):
        found = re.fullmatch(r"([0-9]{1,9})[xX]([0-9]{1,9})", size.strip())
        sides = [int(side) for side in found.groups()] if found else []
    else:
        sides = list(size) if isinstance(size, Iterable) else []
        if not all(isinstance(side, Integral) and not isinstance(side, bool) for side in sides):
            sides = []
    if len(sides) != 2:
        example = "256x256" if what.startswith("-") else "256x256 or (256, 256)"
        raise SpecError(f"{what} must read WIDTHxHEIGHT, such as {example}, got {size!r}")
    return int(sides[0]), int(sides[1])


def whole_number(what: str, value: int | None) -> int | None:
    """The number, or a ``SpecError`` that names what it is for."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise SpecError(f"{what} must be a whole number, got {value!r}")


def seed_numbers(seeds: int | Iterable[int]) -> tuple[int, ...]:
    """Which seeds: so many from 0 on, or those given."""
    if not isinstance(seeds, int):
        try:
            numbers = tuple(seeds)
        except TypeError:
            raise SpecError(f"seeds must be how many, or which ones, got {seeds!r}") from None
        for number in numbers:
            whole_number("a seed", number)
        return numbers
    if isinstance(seeds, bool) or not 1 <= seeds <= _MOST_SEEDS:
        raise SpecError(f"the number of seeds must be from 1 to {_MOST_SEEDS}, got {seeds}")
    return tuple(range(seeds))


def sensor_specs(
    sensors: str | Path | SensorSpec | Iterable[SensorSpec],
) -> tuple[SensorSpec, ...]:
    """Sensors out of a TOML file, or as they are."""
    if isinstance(sensors, SensorSpec):
        return (sensors,)
    if isinstance(sensors, str | Path):
        return load_sensors(sensors)
    return tuple(sensors)


def _several(given: Any, what: str) -> list[Any]:
    """One thing, or several: strings, classes, functions and conditions are one."""
    if isinstance(given, str | Condition) or callable(given):
        return [given]
    try:
        return list(given)
    except TypeError:
        raise SpecError(f"{what}: {given!r} is neither a name nor a class") from None
