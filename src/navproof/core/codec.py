"""Frozen dataclasses to plain JSON values and back, by their type hints.

``Pose`` becomes ``[x, y, z, yaw]`` (a trace holds hundreds); every other dataclass becomes an
object with all its fields, except those that came later while they have their default (see
``navproof.core.plain``): files from before they came stay the same. Floats keep every bit;
infinities and NaN become the strings "inf", "-inf" and "nan", because JSON has no numbers for them.
Decoding is strict: a missing or unknown field, or a value of another type, raises ``CodecError``
with the path of the offender.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any

from navproof.core.input.reading import short
from navproof.core.plain import is_left_out
from navproof.core.types import Pose

__all__ = ["CodecError", "from_plain", "to_plain"]

_COMPACT: tuple[type, ...] = (Pose,)
_SCALARS = (float, int, str, bool)
_QUICK = (float, str, bool)
_MOST = 1 << 63
"""What tables hold as a whole number is less, either way."""
_SPECIAL = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


class CodecError(ValueError):
    """A plain value that does not fit the type; the text names where."""


def to_plain(value: Any) -> Any:
    """Dataclasses, tuples, mappings, enums and scalars as JSON values."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        number = float(value)
        return number if math.isfinite(number) else str(number)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f: getattr(value, f.name) for f in dataclasses.fields(value)}
        if isinstance(value, _COMPACT):
            return [to_plain(v) for v in fields.values()]
        return {f.name: to_plain(v) for f, v in fields.items() if not is_left_out(f, v)}
    if isinstance(value, Mapping):
        return {str(k): to_plain(v) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(v) for v in value]
    if hasattr(value, "item"):  # a NumPy scalar
        return to_plain(value.item())
    raise CodecError(f"cannot store a {type(value).__name__}")


def from_plain(kind: Any, plain: Any, where: str = "") -> Any:
    """``plain`` as an instance of ``kind`` (a dataclass, or any type used in one)."""
    if type(plain) is kind and kind in _QUICK:  # most of what a trace holds
        return plain
    if _is_dataclass(kind):
        return _from_dataclass(kind, plain, where)
    origin = typing.get_origin(kind)
    if origin is typing.Literal:
        if plain not in typing.get_args(kind):
            raise _mismatch(where, f"one of {', '.join(map(str, typing.get_args(kind)))}", plain)
        return plain
    if origin in (typing.Union, types.UnionType):
        return _from_union(typing.get_args(kind), plain, where)
    if origin is tuple:
        return _from_tuple(typing.get_args(kind), plain, where)
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(plain, dict):
            raise _mismatch(where, "an object", plain)
        item = typing.get_args(kind)[1]
        return {k: from_plain(item, v, f"{where}.{k}") for k, v in plain.items()}
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(plain)
        except ValueError:
            raise _mismatch(where, f"a {kind.__name__}", plain) from None
    return _from_scalar(kind, plain, where)


def _from_scalar(kind: Any, plain: Any, where: str) -> Any:
    if kind is Any:
        return plain
    if kind is type(None):
        if plain is not None:
            raise _mismatch(where, "null", plain)
        return None
    if kind is float:
        if isinstance(plain, str) and plain in _SPECIAL:
            return _SPECIAL[plain]
        if isinstance(plain, float) or (_is_whole(plain) and abs(plain) < _MOST):
            return float(plain)
        raise _mismatch(where, "a number", plain)
    if kind is int:
        if _is_whole(plain) and -_MOST <= plain < _MOST:
            return plain
        raise _mismatch(where, "a whole number of at most 64 bits", plain)
    if kind in (str, bool):
        if isinstance(plain, kind):
            return plain
        raise _mismatch(where, "text" if kind is str else "true or false", plain)
    raise CodecError(f"{where}: cannot read a {kind}")


def _is_whole(plain: Any) -> bool:
    return isinstance(plain, int) and not isinstance(plain, bool)


def _from_union(options: tuple[Any, ...], plain: Any, where: str) -> Any:
    if plain is None and type(None) in options:
        return None
    scalars = [o for o in options if o in _SCALARS]
    for option in scalars:  # the exact type first: 1 stays an int, 1.0 a float
        if type(plain) is option:
            return _from_scalar(option, plain, where)
    rest = [o for o in options if o is not type(None) and o not in scalars]
    if len(rest) == 1:
        return from_plain(rest[0], plain, where)
    raise _mismatch(where, " or ".join(getattr(o, "__name__", str(o)) for o in options), plain)


def _from_tuple(items: tuple[Any, ...], plain: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(plain, list):
        raise _mismatch(where, "a list", plain)
    if len(items) == 2 and items[1] is Ellipsis:
        item = items[0]
        if item in _QUICK and all(type(v) is item for v in plain):
            return tuple(plain)  # the long lists of a trace, quickly
        if item is Pose and all(type(v) is list and set(map(type, v)) == {float} for v in plain):
            return tuple(_pose(v, f"{where}[{i}]") for i, v in enumerate(plain))
        return tuple(from_plain(item, v, f"{where}[{i}]") for i, v in enumerate(plain))
    if len(items) != len(plain):
        raise _mismatch(where, f"a list of {len(items)}", plain)
    if all(type(v) is t and t in _QUICK for t, v in zip(items, plain, strict=True)):
        return tuple(plain)  # points
    return tuple(
        from_plain(t, v, f"{where}[{i}]") for i, (t, v) in enumerate(zip(items, plain, strict=True))
    )


def _pose(values: list[float], where: str) -> Pose:
    if len(values) != 4:
        raise _mismatch(where, "a list of 4 numbers", values)
    return Pose(*values)


@cache
def _is_dataclass(kind: Any) -> bool:
    return dataclasses.is_dataclass(kind)


@cache
def _fields(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The type of each field by its name, and whether a file must have it."""
    hints, missing = typing.get_type_hints(kind), dataclasses.MISSING
    return {
        f.name: (hints[f.name], f.default is missing and f.default_factory is missing)
        for f in dataclasses.fields(kind)
    }


def _from_dataclass(kind: Any, plain: Any, where: str) -> Any:
    fields = _fields(kind)
    if kind in _COMPACT:
        if not isinstance(plain, list) or len(plain) != len(fields):
            raise _mismatch(where, f"a list of {len(fields)} numbers", plain)
        plain = dict(zip(fields, plain, strict=True))
    if not isinstance(plain, dict):
        raise _mismatch(where, "an object", plain)
    values = {}
    for name, (hint, is_needed) in fields.items():
        if name in plain:
            values[name] = from_plain(hint, plain[name], f"{where}.{name}" if where else name)
        elif is_needed:
            path = f"{where}.{name}" if where else name
            raise CodecError(f"{short(path, 120)} is missing")
    if len(values) < len(plain):
        unknown = sorted(set(plain) - fields.keys())
        raise CodecError(f"{short(f'{where}.{unknown[0]}'.lstrip('.'), 120)} is not a known field")
    return kind(**values)


def _mismatch(where: str, expected: str, got: Any) -> CodecError:
    return CodecError(
        f"{short(where, 120) or 'value'}: expected {expected}, got {short(repr(got), 40)}"
    )
