"""Options in an agent's name: ``mlfm@layers=1@eae=0.2``.

A class that takes options has an attribute ``Options``: a dataclass whose fields all have a
default. Without options it is made as ``Class()``, with them as ``Class(Options(layers=1))``.
Fields may be ``int``, ``float``, ``bool``, ``str`` or a ``Literal`` of texts. An ``Options`` with
an attribute ``sensors`` says which sensors an agent with these options asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from navproof.core.errors import AgentError, NavproofError, one_line
from navproof.core.registry import suggest
from navproof.log.names import split_agent

__all__ = ["check_between", "describe_options", "make_options", "options_class", "split_name"]

_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def split_name(name: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The agent and its options: ``"mlfm@layers=1"`` is ``("mlfm", (("layers", "1"),))``."""
    agent, options = split_agent(name)
    pairs: list[tuple[str, str]] = []
    for part in options.split("@") if options else ():
        option, equals, value = part.partition("=")
        if not equals or not option or not value:
            raise AgentError(f"agent '{name}': option '{part}' must read name=value")
        if option in dict(pairs):
            raise AgentError(f"agent '{name}' has the option '{option}' twice")
        pairs.append((option, value))
    plain, at, rest = agent.rpartition("@")
    if at and not {":", "/"} & set(agent):
        raise AgentError(f"agent '{name}': option '{rest}' must read name=value, as in {plain}@x=1")
    return agent, tuple(pairs)


def options_class(make: object) -> type | None:
    """The dataclass of options of an agent's class, if it takes any."""
    found = getattr(make, "Options", None)
    return found if isinstance(found, type) and is_dataclass(found) else None


def make_options(name: str, make: object, pairs: Sequence[tuple[str, str]]) -> Any:
    """The options of agent ``name`` out of their texts; one line where one is wrong."""
    kind = options_class(make)
    if kind is None:
        if not pairs:
            return None
        raise AgentError(
            f"agent '{name}' takes no options (its class has no dataclass 'Options'),"
            f" so '{pairs[0][0]}' means nothing to it"
        )
    types = get_type_hints(kind)
    known = [f.name for f in fields(kind) if f.init]
    values: dict[str, object] = {}
    for option, text in pairs:
        if option not in known:
            raise AgentError(f"agent '{name}' has no option '{option}'{suggest(option, known)}")
        values[option] = _value(name, option, text, types[option])
    try:
        return kind(**values)
    except NavproofError as error:
        raise AgentError(f"agent '{name}': {error}") from None
    except Exception as error:
        raise AgentError(f"agent '{name}': its options: {one_line(error)}") from error


def describe_options(make: object) -> dict[str, str]:
    """Every option with its default, as it would be written."""
    kind = options_class(make)
    if kind is None:
        return {}
    return {f.name: _show(_default(f)) for f in fields(kind) if f.init}


def check_between(options: object, low: float, high: float, *names: str) -> None:
    """Raise where one of these options lies outside [low, high]; for ``__post_init__``."""
    for name in names:
        value = getattr(options, name)
        if not low <= value <= high:
            raise AgentError(f"{name} must be from {low:g} to {high:g}, not {value:g}")


def _default(field: Field[Any]) -> object:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return None if field.default is MISSING else field.default


def _show(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value(name: str, option: str, text: str, kind: Any) -> object:
    """``text`` as a value of a field's type."""
    if get_origin(kind) is Literal:
        allowed = [str(value) for value in get_args(kind)]
        if text in allowed:
            return get_args(kind)[allowed.index(text)]
        raise AgentError(
            f"agent '{name}': {option} is one of {', '.join(allowed)}, not '{text}'"
            + suggest(text, allowed).partition("; known")[0]
        )
    try:
        if kind is bool:
            return _truth(text)
        if kind in (int, float, str):
            return kind(text)
    except ValueError:
        words = {bool: "true or false", int: "a whole number", float: "a number"}
        raise AgentError(f"agent '{name}': {option} must be {words[kind]}, not '{text}'") from None
    raise AgentError(f"agent '{name}': {option} cannot be set in the agent's name")


def _truth(text: str) -> bool:
    if text.lower() in _YES:
        return True
    if text.lower() in _NO:
        return False
    raise ValueError(text)
