"""Options in an agent's name: ``mlfm@layers=1@eae=0.2`` (see ``navproof.core.options``).

A class with a dataclass ``Options`` is made as ``Class()`` without options and as
``Class(Options(layers=1))`` with them; attributes ``sensors``, ``feels`` and ``files`` of it say in
the class's place what an agent with these options declares. Any other class or function is given
its options by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from navproof.agents.address import is_address, parse_address
from navproof.core.errors import AgentError, SpecError
from navproof.core.names import Name, parse_name
from navproof.core.options import Given, read_options

__all__ = ["check_between", "make_options", "parse_agent"]


def parse_agent(name: str) -> Name:
    """The agent and its options; an ``AgentError`` where it is no such name."""
    try:
        parsed = parse_name(name, "agent")
    except SpecError as error:
        raise AgentError(str(error)) from None
    if parsed.value and is_address(name):
        parse_address(name)  # says so without repeating what might be a secret
    if parsed.value:
        raise AgentError(
            f"agent '{name}': option '{parsed.value}' must read name=value, as in {parsed.ref}@x=1"
        )
    if parsed.mode:  # a class may be called "frame"
        return Name(f"{parsed.ref}:{parsed.mode}", options=parsed.options)
    return parsed


def make_options(name: str, make: Callable[..., Any], pairs: Sequence[tuple[str, str]]) -> Given:
    """What to make agent ``name`` with; an ``AgentError`` in one line where an option is wrong."""
    try:
        return read_options(f"agent '{name}'", make, pairs)
    except SpecError as error:
        raise AgentError(str(error)) from None


def check_between(options: object, low: float, high: float, *names: str) -> None:
    """Raise where one of these options lies outside [low, high]; for ``__post_init__``."""
    for name in names:
        value = getattr(options, name)
        if not low <= value <= high:
            raise AgentError(f"{name} must be from {low:g} to {high:g}, not {value:g}")
