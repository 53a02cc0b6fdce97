"""Every robot by name. One is a TOML file, in ``bodies/`` or of one's own.

A file has the fields of ``types.Robot`` by name, and tables ``[gait]`` and ``[balance]`` with those
of ``types.Gait`` and ``types.Balance`` where the robot walks. To add a robot, copy a file, change
its numbers and name the file wherever a robot is asked for. ``my_robot.py:NAME`` (a ``Robot``, or a
function without arguments that returns one) and ``register_robot`` do the same from Python.
"""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

from navproof.core.errors import NavproofError, SpecError, UnknownNameError, one_line
from navproof.core.input.reading import read_toml, short
from navproof.core.plain import as_plain
from navproof.core.registry import Registry, suggest
from navproof.core.types import Robot

__all__ = [
    "ROBOTS",
    "checked_robot",
    "is_robot_name",
    "load_robot",
    "register_robot",
    "robot_names",
]

_SUFFIX = ".toml"
_POSITIVE = frozenset(
    {
        "radius_m", "height_m", "forward_m", "turn_deg", "max_speed_m_s", "max_turn_rad_s",
        "gait.stride_m", "balance.height_m", "balance.ahead_m", "balance.behind_m",
        "balance.side_m", "balance.recovery_s", "balance.fall_pitch_deg", "balance.fall_roll_deg",
    }
)  # fmt: skip
_LEAST = 1e-3
"""Of what must be greater than 0: less is no robot, and takes for ever."""
_MOST_ELSE = 100.0
_LONGEST_MOVE_S = 600.0
_MOST = {
    "radius_m": 5.0,
    "height_m": 5.0,
    "forward_m": 10.0,
    "turn_deg": 180.0,
    "max_speed_m_s": 10.0,
    "max_turn_rad_s": 20.0,
    "acceleration_m_s2": 100.0,
    "turn_acceleration_rad_s2": 1000.0,
    "camera_m": 5.0,
    "camera_standing_m": 5.0,
    "gait.pitch_deg": 45.0,
    "balance.fall_pitch_deg": 89.0,
    "balance.fall_roll_deg": 89.0,
}


def robot_names() -> tuple[str, ...]:
    """Every robot that has a name: those that come with navproof first."""
    return tuple(ROBOTS)


def is_robot_name(text: str) -> bool:
    """Whether a robot has that name, or it is a reference to one, which is not followed here."""
    return text in ROBOTS or text.endswith(_SUFFIX) or ":" in text


def load_robot(name_or_path: str | Path) -> Robot:
    """A robot by its name ("carter", "aliengo", "h1", or one that was registered), by its file (a
    path that ends in .toml) or by ``file.py:NAME``.

    ``UnknownNameError`` for a name that there is not; ``SpecError`` for a file that cannot be
    used, in one line with the file and the field.
    """
    name = str(name_or_path)
    try:
        robot = ROBOTS.get(name)
    except UnknownNameError as error:
        raise UnknownNameError(f"{error} (or give a .toml file)") from None
    if robot.name in ROBOTS.built_in() and robot != ROBOTS.get(robot.name):
        raise SpecError(
            f"robot {name} calls itself '{robot.name}', as one of navproof's does, and is another: "
            "give it a name of its own"
        )
    return robot


def register_robot(name: str, robot: Robot | Callable[[], Robot]) -> Robot:
    """Declare a robot, or what makes one without arguments, under a name. Returns the robot."""
    return ROBOTS.add(name, checked_robot(robot, name))


def checked_robot(value: Any, name: str) -> Robot:
    """A ``Robot`` whose every field makes sense; a function is called for one. A ``SpecError``
    where one does not."""
    made = value
    if callable(value):
        try:
            made = value()
        except NavproofError as error:
            raise SpecError(f"robot '{name}': {error}") from None
        except (Exception, SystemExit) as error:
            raise SpecError(f"robot '{name}' could not be made: {one_line(error)}") from error
    if not isinstance(made, Robot):
        returns = "returns" if callable(value) and made is not value else "is"
        raise SpecError(f"robot '{name}' {returns} a {type(made).__name__}, not a Robot")
    plain = {k: v for k, v in as_plain(made).items() if v is not None}
    return _robot(plain, f"robot '{name}'")


def _read(path: Path) -> Robot:
    try:
        held = read_toml(path)
    except OSError as error:
        raise SpecError(f"robot file {path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise SpecError(f"robot file {path} is not TOML: {error}") from None
    return _robot(held, f"robot file {path}")


def _robot(held: Mapping[str, Any], what: str) -> Robot:
    """A robot from plain values; ``what`` begins the message of any error."""
    try:
        robot: Robot = _made(Robot, held, "")
        _check_together(robot)
    except _FieldError as error:
        field, why = error.args
        raise SpecError(f"{what}: field '{field}' {why}") from None
    return robot


class _FieldError(Exception):
    """(field, what is wrong with it)."""


def _made(kind: Any, held: Mapping[str, Any], prefix: str) -> Any:
    """An instance of a dataclass from a table, every field checked."""
    hints = typing.get_type_hints(kind)
    known = {f.name: f for f in fields(kind)}
    for name in held:
        if name not in known:
            raise _FieldError(prefix + name, f"is unknown{suggest(name, list(known))}")
    values: dict[str, Any] = {}
    for name, field in known.items():
        if name in held:
            values[name] = _value(hints[name], held[name], prefix + name)
        elif field.default is MISSING:
            raise _FieldError(prefix + name, "is missing")
    return kind(**values)


def _value(kind: Any, plain: Any, where: str) -> Any:
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        kind = next(k for k in typing.get_args(kind) if k is not type(None))
    if is_dataclass(kind):
        if not isinstance(plain, dict):
            raise _FieldError(where, f"must be a table, but is {plain!r}")
        return _made(kind, plain, f"{where}.")
    if kind is bool:
        if not isinstance(plain, bool):
            raise _FieldError(where, f"must be true or false, but is {plain!r}")
        return plain
    if kind is str:
        if not isinstance(plain, str) or not plain.strip():
            raise _FieldError(where, f"must be a name, but is {plain!r}")
        return plain
    return _number(plain, where)


def _number(plain: Any, where: str) -> float:
    if isinstance(plain, bool) or not isinstance(plain, int | float):
        raise _FieldError(where, f"must be a number, but is {plain!r}")
    value = float(plain) if abs(plain) < 1e300 else math.inf
    if not math.isfinite(value) or value < 0.0 or (value == 0.0 and where in _POSITIVE):
        least = "greater than 0" if where in _POSITIVE else "0 or more"
        raise _FieldError(where, f"must be {least}, but is {plain!r}")
    if value < _LEAST and where in _POSITIVE:
        raise _FieldError(where, f"must be at least {_LEAST:g}, but is {plain!r}")
    if value > _MOST.get(where, _MOST_ELSE):
        most = _MOST.get(where, _MOST_ELSE)
        raise _FieldError(where, f"must be at most {most:g}, but is {short(plain)}")
    return value


def _check_together(robot: Robot) -> None:
    """What one field alone does not say."""
    limited = robot.acceleration_m_s2 > 0.0
    if limited != (robot.turn_acceleration_rad_s2 > 0.0):
        lacking = "turn_acceleration_rad_s2" if limited else "acceleration_m_s2"
        raise _FieldError(lacking, "must be greater than 0 where the other acceleration is")
    if robot.gentle_m_s2 > robot.acceleration_m_s2:
        raise _FieldError(
            "gentle_m_s2",
            f"must be at most acceleration_m_s2 ({robot.acceleration_m_s2:g}),"
            f" but is {robot.gentle_m_s2:g}",
        )
    for field, way, speed, acceleration in (
        ("forward_m", robot.forward_m, robot.max_speed_m_s, _gentlest(robot)),
        (
            "turn_deg",
            math.radians(robot.turn_deg),
            robot.max_turn_rad_s,
            robot.turn_acceleration_rad_s2,
        ),
    ):
        # To a standstill, up to full speed and down again: no move takes longer.
        longest_s = way / speed + (2.0 * speed / acceleration if limited else 0.0)
        if longest_s > _LONGEST_MOVE_S:
            raise _FieldError(
                field,
                f"may take {longest_s:,.0f} s at that speed and acceleration, and must take at "
                f"most {_LONGEST_MOVE_S:g} s",
            )
    if robot.balance is not None and not limited:
        raise _FieldError("acceleration_m_s2", "must be greater than 0 where there is a balance")
    if robot.balance is not None and robot.balance.fall_leg_m > robot.balance.leg_m:
        raise _FieldError("balance.fall_leg_m", "must be at most balance.leg_m")


def _gentlest(robot: Robot) -> float:
    return robot.gentle_m_s2 or robot.acceleration_m_s2


ROBOTS: Registry[Robot] = Registry(
    "robot",
    home="navproof.sim",
    group="navproof.robots",
    declared_by="register_robot",
    convert=checked_robot,
    data=(_SUFFIX, _read),
)
