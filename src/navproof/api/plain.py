"""From what people pass in Python (names, classes, functions, numbers) to what a run is made of."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from numbers import Integral
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from navproof.agents.sets import expand_agents
from navproof.core.errors import SpecError
from navproof.core.names import names_in, split_list
from navproof.core.registry import reference_to, variable_of
from navproof.core.salt import Salt
from navproof.core.types import Episode, Robot, SensorSpec
from navproof.corruptions.condition import Condition
from navproof.corruptions.registry import CORRUPTIONS
from navproof.runner.conditions import GROUPS, group
from navproof.sensors.config import load_sensors
from navproof.sim.registry import SIMULATORS
from navproof.sim.robots import ROBOTS

__all__ = [
    "AgentLike",
    "ConditionLike",
    "RobotLike",
    "agent_names",
    "an_instance",
    "condition_texts",
    "episodes_of",
    "file_name",
    "image_size",
    "plain_names",
    "robot_names",
    "salt_of",
    "seed_numbers",
    "sensor_specs",
    "simulator_name",
    "whole_number",
]

AgentLike: TypeAlias = str | Callable[..., Any]
"""An agent's name, or its class (or a function that makes agents)."""
ConditionLike: TypeAlias = str | Condition | Callable[..., Any]
"""A condition as text or as value, or a function that is a corruption."""
RobotLike: TypeAlias = str | Robot
"""A robot's name or file, or the robot itself."""
K = TypeVar("K")
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


def an_instance(what: str, value: Any, kind: type[K]) -> K | None:
    """The value, or a ``SpecError`` where it is something else; None stays None."""
    if value is None or isinstance(value, kind):
        return value
    raise SpecError(f"{what} must be a {kind.__name__}, got {value!r}")


def episodes_of(given: Any, what: str) -> tuple[Episode, ...]:
    """Episodes, or a ``SpecError`` where something is none."""
    found = tuple(given) if isinstance(given, Iterable) else (given,)
    for one in found:
        if not isinstance(one, Episode):
            raise SpecError(f"{what}: {one!r} is not an episode")
    return found


def file_name(what: str, value: Any) -> str:
    """The name of a file or folder, or a ``SpecError``."""
    if isinstance(value, str | os.PathLike) and isinstance(name := os.fspath(value), str):
        return name
    raise SpecError(f"{what} must be a path, got {value!r}")


def plain_names(what: str, names: Any) -> tuple[str, ...]:
    """One name, or several; a ``SpecError`` where something is none."""
    several = names_in(names) if isinstance(names, Iterable) else (names,)
    for name in several:
        if not isinstance(name, str):
            raise SpecError(f"{what}: {name!r} is not a name")
    return several


def robot_names(robots: RobotLike | Iterable[RobotLike]) -> tuple[str, ...]:
    """The names of robots. One that is given itself goes by the name that it is registered under,
    or by the variable at the top level of a file that holds it; ``SpecError`` where worker
    processes could not have it from there."""
    several = [robots] if isinstance(robots, Robot) else robots
    return plain_names(
        "robot",
        tuple(_name_of(one) if isinstance(one, Robot) else one for one in several)
        if isinstance(several, Iterable) and not isinstance(several, str)
        else several,
    )


def _name_of(robot: Robot) -> str:
    for name in dict.fromkeys((robot.name, *ROBOTS.registered(), *ROBOTS.built_in())):
        if name in ROBOTS and ROBOTS.find(name) == robot:
            return name
    found = variable_of(robot, "robot")
    if ROBOTS.get(found) != robot:
        raise SpecError(f"robot '{robot.name}' is another one in {found}; name the file instead")
    return found


def simulator_name(simulator: str | Callable[..., Any]) -> str:
    """The name of a simulator; a class becomes a reference to its file or module."""
    if isinstance(simulator, str):
        return simulator
    if not callable(simulator):
        raise SpecError(f"simulator: {simulator!r} is neither a name nor a class")
    for name in (*SIMULATORS.registered(), *SIMULATORS.built_in()):
        if SIMULATORS.find(name) is simulator:
            return name
    return reference_to(simulator, "simulator")


def salt_of(salt: Path | str | Salt | None) -> Salt | None:
    """The salt, or that in a file."""
    if salt is None or isinstance(salt, Salt):
        return salt
    return Salt.read(Path(file_name("salt", salt)))


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
    specs = tuple(sensors) if isinstance(sensors, Iterable) else (sensors,)
    for one in specs:
        if not isinstance(one, SensorSpec):
            raise SpecError(f"sensors: {one!r} is neither a file nor a SensorSpec")
    return specs


def _several(given: Any, what: str) -> list[Any]:
    """One thing, or several: strings, classes, functions and conditions are one."""
    if isinstance(given, str | Condition) or callable(given):
        return [given]
    try:
        return list(given)
    except TypeError:
        raise SpecError(f"{what}: {given!r} is neither a name nor a class") from None
