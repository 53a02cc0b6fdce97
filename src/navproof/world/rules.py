"""What the fields of a scene may hold: types, and the range in which everything that uses them
works.

A rule says in words what it takes. NaN is in no range.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from navproof.core.types import FIRST_OBJECT_ID, FIRST_PERSON_ID
from navproof.world.scene import Box, Door, Light, Material, Room, SceneObject, Storey, Window

__all__ = ["FARTHEST_M", "MOST_AREA_M2", "RULES", "Rule", "is_whole"]

FARTHEST_M = 10_000.0
"""How far from the origin anything may be: single precision is about a millimetre there."""
MOST_AREA_M2 = 62_500.0
"""Of the rectangle that holds a scene, seen from above: navigation maps have 25 million cells
then."""
_LONGEST_TEXT = 200
_WIDEST_M = 1000.0
_MOST_ID = 1_000_000
_WORDS = ("colour", "colour2", "material", "pattern", "size", "state", "modifier")
_COUNTS = ("drawers", "doors", "seats", "shelves", "cushions", "pillows", "panes", "panels")
"""Attributes that are a word, and those that are a number of things; others are any scalar."""


@dataclass(frozen=True, slots=True)
class Rule:
    """``takes`` follows "must be"."""

    takes: str
    fits: Callable[[Any], bool]


def is_whole(value: Any) -> bool:
    """Whether it is an ``int``, and no ``bool``."""
    return type(value) is int


def _is_number(value: Any, low: float, high: float) -> bool:
    return type(value) in (float, int) and low <= value <= high


def _number(low: float, high: float) -> Rule:
    return Rule(f"a number from {low:g} to {high:g}", lambda v: _is_number(v, low, high))


def _whole(low: int, high: int) -> Rule:
    return Rule(
        f"a whole number from {low} to {high}", lambda v: type(v) is int and low <= v <= high
    )


def _numbers(count: int, low: float, high: float) -> Rule:
    return Rule(
        f"{count} numbers from {low:g} to {high:g}",
        lambda v: type(v) is tuple and len(v) == count and all(_is_number(x, low, high) for x in v),
    )


def _one_of(*words: str) -> Rule:
    return Rule(f"one of {', '.join(words)}", lambda v: type(v) is str and v in words)


def _or_none(rule: Rule) -> Rule:
    return Rule(f"{rule.takes}, or null", lambda v: v is None or rule.fits(v))


def _is_text(value: Any) -> bool:
    return type(value) is str and 0 < len(value) <= _LONGEST_TEXT and value.isprintable()


def _is_polygon(value: Any) -> bool:
    return (
        type(value) is tuple
        and len(value) >= 3
        and all(type(corner) is tuple and len(corner) == 2 for corner in value)
        and all(_is_number(x, -FARTHEST_M, FARTHEST_M) for corner in value for x in corner)
    )


def _is_attribute(name: Any, value: Any) -> bool:
    if not _is_text(name):
        return False
    if value is None:
        return True
    if name in _WORDS:
        return _is_text(value)
    if name in _COUNTS:
        return type(value) is int and 0 <= value <= 1000
    if type(value) is float:
        return math.isfinite(value)
    return type(value) is bool or _is_text(value) or (type(value) is int and abs(value) < 1 << 63)


_TEXT = Rule(f"printable text of at most {_LONGEST_TEXT} characters", _is_text)
_FLAG = Rule("true or false", lambda v: type(v) is bool)
_PLACE = _numbers(3, -FARTHEST_M, FARTHEST_M)
_ANGLE = _number(-1000.0, 1000.0)
_LENGTH = _number(0.001, _WIDEST_M)
_ID = _whole(0, _MOST_ID)
_OBJECT = _whole(FIRST_OBJECT_ID, FIRST_PERSON_ID - 1)
_ROOM = _whole(-1, _MOST_ID)
_COLOUR = _numbers(3, 0.0, 1000.0)

RULES: Mapping[type[Any], Mapping[str, Rule]] = {
    Storey: {
        "index": _whole(0, 99),
        "elevation_m": _number(-FARTHEST_M, FARTHEST_M),
        "height_m": _LENGTH,
    },
    Room: {
        "id": _ID,
        "type": _TEXT,
        "name": _TEXT,
        "storey": _whole(0, 99),
        "polygon": Rule("three or more corners (x, y) in metres", _is_polygon),
    },
    Door: {
        "id": _ID,
        "rooms": Rule(
            "two rooms, the second −1 for the outside",
            lambda v: type(v) is tuple and len(v) == 2 and all(map(is_whole, v)),
        ),
        "centre": _PLACE,
        "yaw": _ANGLE,
        "width_m": _LENGTH,
        "height_m": _LENGTH,
        "passable": _FLAG,
        "object_id": _or_none(_OBJECT),
    },
    Window: {
        "id": _ID,
        "room": _ROOM,
        "centre": _PLACE,
        "yaw": _ANGLE,
        "width_m": _LENGTH,
        "height_m": _LENGTH,
    },
    Light: {
        "id": _ID,
        "kind": _one_of("ceiling", "lamp", "window"),
        "room": _ROOM,
        "position": _PLACE,
        "colour": _COLOUR,
        "power": _number(0.0, 1e6),
        "on": _FLAG,
        "object_id": _or_none(_OBJECT),
    },
    Box: {"centre": _PLACE, "size": _numbers(3, 1e-6, _WIDEST_M), "yaw": _ANGLE},
    SceneObject: {
        "id": _OBJECT,
        "category": _TEXT,
        "room": _ROOM,
        "box": Rule("a box", lambda v: type(v) is Box),
        "attributes": Rule(
            "attributes by name: words, counts, numbers",
            lambda v: type(v) is dict and all(_is_attribute(n, a) for n, a in v.items()),
        ),
        "support": _or_none(_OBJECT),
        "position_kind": _one_of("floor", "on", "wall", "ceiling", "opening"),
    },
    Material: {
        "texture": _TEXT,
        "tint": _COLOUR,
        "tint2": _COLOUR,
        "emission": _number(0.0, 1000.0),
    },
}
"""By kind of thing and field; every field has one."""
