"""Options of something that a user names: a class or function says which it takes.

    class Agent:                               class Agent:
        @dataclass(frozen=True)                    def __init__(self, beam: int = 5): ...
        class Options:
            beam: int = 5

        def __init__(self, options=None): ...

On the left a dataclass ``Options``, which is passed whole; on the right the parameters of the
constructor (or of a function). Values come as text (``agent@beam=7``) or as they are in a TOML
file, and take the annotated type: ``int``, ``float``, ``bool``, ``str``, ``Path``, a ``Literal`` of
texts, or one of these or None. Without an annotation the type is that of the default, else text.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from navproof.core.errors import NavproofError, SpecError, one_line
from navproof.core.registry import suggest
from navproof.core.types import Scalar

__all__ = ["Given", "describe_options", "options_class", "read_options"]

_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
_NONE = ("none", "null")
_PLAIN: Mapping[Any, str] = {
    bool: "true or false", int: "a whole number", float: "a number", str: "text", Path: "a path",
}  # fmt: skip
_NEEDED = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Given:
    """What to call a class or function with."""

    positional: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)

    @property
    def options(self) -> Any:
        """The instance of the dataclass ``Options``, or None."""
        return self.positional[0] if self.positional else None


def options_class(make: object) -> type | None:
    """The dataclass ``Options`` of a class, if it has one."""
    found = getattr(make, "Options", None)
    return found if isinstance(found, type) and is_dataclass(found) else None


def read_options(
    what: str, make: Callable[..., Any], pairs: Sequence[tuple[str, Scalar]], first: int = 0
) -> Given:
    """``pairs`` as the arguments that ``make`` takes after its ``first`` positional ones.

    A ``SpecError`` that begins with ``what`` where a name is unknown, a value does not fit, or
    something that is needed was not given.
    """
    known, takes_any = _known(make, first)
    settable = list(describe_options(make, first))
    kind = options_class(make)
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in known:
            values[name] = _value(f"{what}: {name}", value, known[name][0])
        elif takes_any:
            values[name] = value
        elif not settable:
            where = "its class has no dataclass 'Options' and its constructor no parameters"
            raise SpecError(f"{what} takes no options ({where}), so '{name}' means nothing to it")
        else:
            raise SpecError(f"{what} has no option '{name}'{suggest(name, settable)}")
    missing = [n for n, (_, usual) in known.items() if usual is _NEEDED and n not in values]
    if missing:
        raise SpecError(f"{what} needs the option '{missing[0]}'")
    if kind is None:
        return Given(named=values)
    try:
        return Given((kind(**values),))
    except NavproofError as error:
        raise SpecError(f"{what}: {error}") from None
    except (Exception, SystemExit) as error:
        raise SpecError(f"{what}: its options: {one_line(error)}") from error


def describe_options(make: Callable[..., Any], first: int = 0) -> dict[str, str]:
    """Every option that a value can be written for, with its default as it would be written (""
    where it must be given)."""
    known, _ = _known(make, first)
    return {
        name: "" if usual is _NEEDED else _shown(usual)
        for name, (kind, usual) in known.items()
        if _is_settable(kind)
    }


Known = dict[str, tuple[Any, Any]]
"""Options by name, each with its type and its default (``_NEEDED`` where it has none)."""


def _known(make: Callable[..., Any], first: int) -> tuple[Known, bool]:
    """The options, and whether any other name is taken too."""
    kind = options_class(make)
    if kind is not None:
        types_of = _types(kind)
        return {
            f.name: (
                types_of.get(f.name, str),
                f.default
                if f.default is not MISSING
                else f.default_factory()
                if f.default_factory is not MISSING
                else _NEEDED,
            )
            for f in fields(kind)
            if f.init
        }, False
    if _constructor(make) is object.__init__:
        return {}, False
    try:
        parameters = list(inspect.signature(make).parameters.values())
    except (TypeError, ValueError):
        return {}, False
    types_of = _types(_constructor(make))
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters)
    found = [p for p in parameters[first:] if p.kind in named]
    return {
        p.name: (types_of.get(p.name, _usual_type(p.default)), p.default) for p in found
    }, takes_any


def _constructor(make: Any) -> Any:
    return make.__init__ if isinstance(make, type) else make  # type: ignore[misc]


def _types(of: Any) -> dict[str, Any]:
    try:
        return get_type_hints(of)
    except Exception:  # an annotation that means something to a type checker alone
        return {}


def _usual_type(default: Any) -> Any:
    return type(default) if type(default) in _PLAIN else str


def _is_settable(kind: Any) -> bool:
    if get_origin(kind) in (Union, types.UnionType):
        return any(_is_settable(one) for one in get_args(kind))
    return kind is Any or kind in _PLAIN or get_origin(kind) is Literal


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def _value(where: str, value: Scalar, kind: Any) -> Any:
    """``value`` as the type of an option."""
    origin = get_origin(kind)
    if origin is Literal:
        allowed = [str(one) for one in get_args(kind)]
        if str(value) in allowed:
            return get_args(kind)[allowed.index(str(value))]
        hint = suggest(str(value), allowed).partition("; known")[0]
        raise SpecError(f"{where} is one of {', '.join(allowed)}, not '{value}'{hint}")
    if origin in (Union, types.UnionType):
        return _one_of(where, value, get_args(kind))
    if kind is Any:
        return value
    if kind not in _PLAIN:
        raise SpecError(f"{where} cannot be set by an option")
    try:
        return _plain(value, kind)
    except ValueError:
        raise SpecError(f"{where} must be {_PLAIN[kind]}, not '{_shown(value)}'") from None


def _one_of(where: str, value: Scalar, kinds: tuple[Any, ...]) -> Any:
    """As the first kind that takes it; text comes last, since it takes everything."""
    if type(None) in kinds and (value is None or str(value).lower() in _NONE):
        return None
    given = [kind for kind in kinds if kind is not type(None)]
    refusal = SpecError(f"{where} cannot be set by an option")
    for kind in sorted(given, key=lambda kind: kind is str):
        try:
            return _value(where, value, kind)
        except SpecError as error:
            refusal = error
    raise refusal


def _plain(value: Scalar, kind: Any) -> Any:
    if isinstance(value, str):
        return _truth(value) if kind is bool else kind(value)
    fits = type(value) is kind or (kind is float and type(value) is int)
    if not fits:
        raise ValueError(value)
    return kind(value)


def _truth(text: str) -> bool:
    if text.lower() in _YES:
        return True
    if text.lower() in _NO:
        return False
    raise ValueError(text)
