"""Which of a policy server's keys is given what, and what its answers mean, in a TOML file:

    [observation]                                      # a key of the server, and what it is given
    "observation/image" = { from = "rgb", size = [224, 224], fit = "pad" }
    "observation/state" = { from = "pose", take = [0, 1, 3], dtype = "float32" }
    prompt = { from = "instruction" }
    mode = { value = "navigate" }

    [observation.extra]                                # keys may be nested
    depth = { from = "depth", scale = 0.1, axes = "hw1" }

    [action]
    key = "actions"
    as = "velocity"                                    # velocity, moves or waypoints
    execute = 8                                        # of each answer, before the next is asked

What is wrong with a file is told in one line with file, key and field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from navproof.agents.declaration import Declaration
from navproof.agents.protocol import FEELINGS
from navproof.core.errors import SpecError, UnknownNameError, one_line
from navproof.core.input.reading import read_toml
from navproof.core.registry import suggest
from navproof.core.types import Move
from navproof.sensors.fields import Fields
from navproof.tasks.registry import task_id

__all__ = ["ActionRule", "Entry", "PolicyMap", "load_policy_map"]

TOLD = ("instruction", "system", "goal_category", "step", "first")
"""What can be given besides sensors; ``first`` is true at the first question of an episode."""
_FITS = ("stretch", "pad", "crop")
_AXES = ("hwc", "chw", "hw", "hw1", "1hw")
_TYPES = ("uint8", "int32", "int64", "float16", "float32", "float64", "bool")
_ENTRY = ("from", "size", "fit", "colour", "axes", "dtype", "scale", "offset", "take", "batch")
_ACTION = ("key", "as", "execute", "columns", "scale", "moves", "argmax", "stop", "still")
_KINDS = ("velocity", "moves", "waypoints")
_MOST = 1_000_000
_LARGEST = 8192


@dataclass(frozen=True, slots=True)
class Entry:
    """What one key is given: a constant ``value``, something that is told (``TOLD``), or the
    reading of a sensor, which is resized, reordered, scaled (x · ``scale`` + ``offset``), reduced
    to ``take`` of its numbers and cast, in that order. ``path`` leads to nested keys."""

    path: tuple[str, ...]
    source: str = ""
    value: Any = None
    size: tuple[int, int] | None = None
    fit: str = "stretch"
    is_bgr: bool = False
    axes: str = ""
    dtype: str = ""
    scale: float = 1.0
    offset: float = 0.0
    take: tuple[int, ...] | None = None
    batch: bool = False


@dataclass(frozen=True, slots=True)
class ActionRule:
    """What an answer means. Under ``key`` it holds a chunk, of which ``execute`` rows (0: all) are
    done before the server is asked again: two ``columns`` times ``scale`` are a velocity (m/s,
    rad/s) or a waypoint (metres ahead, to the left), a number or name is one of ``moves``. The
    episode is stopped where ``stop`` = (key, limit) is exceeded, and after ``still`` (0: never)
    velocities in a row that move nothing."""

    key: tuple[str, ...]
    kind: Literal["velocity", "moves", "waypoints"]
    execute: int = 0
    columns: tuple[int, int] = (0, 1)
    scale: tuple[float, float] = (1.0, 1.0)
    moves: Mapping[str, Move] = field(default_factory=dict)
    argmax: bool = False
    stop: tuple[tuple[str, ...], float] | None = None
    still: int = 0


@dataclass(frozen=True, slots=True)
class PolicyMap:
    """A whole file. ``reconnect``: every episode has a connection of its own, so that nothing of
    the one before is left in the server."""

    entries: tuple[Entry, ...]
    action: ActionRule
    tasks: tuple[str, ...] | None = None
    feels: frozenset[str] = frozenset()
    reconnect: bool = True

    @property
    def declaration(self) -> Declaration:
        """What the agent is given, and where it is run."""
        sensors = [entry.source for entry in self.entries if entry.source not in ("", *TOLD)]
        if self.action.kind == "waypoints":
            sensors.append("pose")  # they are kept where they are while the robot moves on
        return Declaration(tuple(dict.fromkeys(sensors)), self.feels, self.tasks)


def load_policy_map(path: Path) -> PolicyMap:
    """The map in a file, checked. A ``SpecError`` in one line where it cannot be used."""
    try:
        told = read_toml(path)
    except OSError as error:
        raise SpecError(f"{path}: cannot be read ({error.strerror or error})") from None
    except ValueError as error:
        raise SpecError(f"{path}: not a TOML file ({one_line(error)})") from None
    whole = Fields(told, str(path))
    whole.only(("observation", "action", "agent"), "maps")
    tables = {name: told.get(name, {}) for name in ("observation", "action", "agent")}
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise whole.wrong(name, f"it must be a table, begun with [{name}]")
    entries = tuple(_entries(tables["observation"], (), f"{path}: observation"))
    if not entries:
        raise whole.wrong("observation", "it names no key of the server")
    about = Fields(tables["agent"], f"{path}: agent")
    about.only(("tasks", "feels", "reconnect"), "the agent")
    return PolicyMap(
        entries,
        _action(Fields(tables["action"], f"{path}: action")),
        _tasks(about),
        _feels(about, entries),
        about.flag("reconnect", True),
    )


def _entries(table: Mapping[str, Any], path: tuple[str, ...], where: str) -> Iterator[Entry]:
    for key, told in table.items():
        place = (*path, key)
        what = f"{where}: '{'.'.join(place)}'"
        if not isinstance(told, dict):
            raise SpecError(f'{what} must read {{ from = "rgb" }} or {{ value = 1 }}')
        if "from" in told or "value" in told:
            yield _entry(Fields(told, what), place)
        else:
            yield from _entries(told, place, where)


def _entry(fields: Fields, path: tuple[str, ...]) -> Entry:
    if fields.has("value"):
        fields.only(("value",), "constants")
        return Entry(path, value=fields.get("value"))
    fields.only(_ENTRY, "keys")
    take = fields.get("take")
    if take is not None and not (
        isinstance(take, list) and take and all(type(n) is int and n >= 0 for n in take)
    ):
        raise fields.wrong("take", "it must be a list of places, counted from 0")
    return Entry(
        path,
        source=fields.text("from", ""),
        size=fields.size("size", (1, 1), _LARGEST) if fields.has("size") else None,
        fit=fields.one_of("fit", _FITS, "stretch"),
        is_bgr=fields.one_of("colour", ("rgb", "bgr"), "rgb") == "bgr",
        axes=fields.one_of("axes", _AXES, "hwc") if fields.has("axes") else "",
        dtype=fields.one_of("dtype", _TYPES, "float32") if fields.has("dtype") else "",
        scale=fields.number("scale", 1.0),
        offset=fields.number("offset", 0.0),
        take=None if take is None else tuple(take),
        batch=fields.flag("batch", False),
    )


def _action(fields: Fields) -> ActionRule:
    fields.only(_ACTION, "actions")
    kind = fields.one_of("as", _KINDS)
    first, second = _two(fields, "columns", (0.0, 1.0))
    if min(first, second) < 0 or (int(first), int(second)) != (first, second):
        raise fields.wrong("columns", "it must be two places, counted from 0")
    if kind == "moves" and not isinstance(fields.get("moves"), dict):
        raise fields.wrong("moves", 'which number means what: { 0 = "stop", 1 = "forward", … }')
    moves: dict[str, Move] = {}
    for key, name in (fields.get("moves") or {}).items():
        if name not in tuple(Move):
            raise fields.wrong("moves", f"there is no move '{name}'{suggest(str(name), [*Move])}")
        moves[str(key)] = Move(name)
    return ActionRule(
        _path(fields.text("key", "actions")),
        kind,  # type: ignore[arg-type]  # one of them
        fields.whole("execute", 0, 0, _MOST),
        (int(first), int(second)),
        _two(fields, "scale", (1.0, 1.0)),
        moves,
        fields.flag("argmax", False),
        _stop(fields),
        fields.whole("still", 0, 0, _MOST),
    )


def _stop(fields: Fields) -> tuple[tuple[str, ...], float] | None:
    told = fields.get("stop")
    if told is None:
        return None
    if not isinstance(told, dict) or set(told) != {"key", "above"}:
        raise fields.wrong("stop", 'it must read { key = "done", above = 0.5 }')
    inside = Fields(told, "stop")
    return _path(inside.text("key", "")), inside.number("above", 0.5)


def _path(key: str) -> tuple[str, ...]:
    return tuple(key.split("."))


def _two(fields: Fields, name: str, usual: tuple[float, float]) -> tuple[float, float]:
    """Two numbers, in any order."""
    told = fields.get(name)
    if told is None:
        return usual
    if not isinstance(told, list) or len(told) != 2:
        raise fields.wrong(name, f"it must be two numbers, got {told!r}")
    first, second = (Fields({name: one}, f"{name}").number(name, 0.0) for one in told)
    return first, second


def _tasks(fields: Fields) -> tuple[str, ...] | None:
    told = fields.get("tasks")
    if told is None:
        return None
    if not isinstance(told, list) or not all(isinstance(one, str) for one in told):
        raise fields.wrong("tasks", "it must be a list of tasks")
    try:
        return tuple(task_id(one) for one in told)
    except UnknownNameError as error:
        raise fields.wrong("tasks", str(error)) from None


def _feels(fields: Fields, entries: tuple[Entry, ...]) -> frozenset[str]:
    """By default pictures, where they are given, and words and system prompts that are given."""
    told = fields.get("feels")
    if told is None:
        sources = {entry.source for entry in entries}
        words = {"words"} if "instruction" in sources else set()
        return frozenset({"rgb", "depth", *words, *({"prompt"} if "system" in sources else ())})
    if not isinstance(told, list) or not set(told) <= set(FEELINGS):
        raise fields.wrong("feels", f"it must be a list out of {', '.join(FEELINGS)}")
    return frozenset(told)
