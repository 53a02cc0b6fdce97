"""Every agent by name. One declares itself, in its own file: ``@register_agent("name")``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from navproof.agents.protocol import Agent
from navproof.core.errors import AgentError, type_of
from navproof.core.registry import Registry

__all__ = ["AGENTS", "register_agent"]

C = TypeVar("C", bound=Callable[..., Any])


def _checked(value: Any, name: str) -> Callable[..., Agent]:
    """A class with ``reset`` and ``act``, or a function that makes such an agent (its product is
    checked when it is made)."""
    if not callable(value):
        raise AgentError(f"agent '{name}' is {type_of(value)}, not a class")
    if isinstance(value, type):
        for method in ("reset", "act"):
            if not callable(getattr(value, method, None)):
                near = [m for m in vars(value) if not m.startswith("_")]
                hint = f" (it has {', '.join(near)})" if near else ""
                raise AgentError(
                    f"agent '{name}' has no method '{method}'{hint};"
                    " an agent needs reset(brief) and act(obs)"
                )
    return cast("Callable[..., Agent]", value)


AGENTS: Registry[Callable[..., Agent]] = Registry(
    "agent",
    home="navproof.agents",
    group="navproof.agents",
    declared_by="register_agent",
    convert=_checked,
)


def register_agent(name: str) -> Callable[[C], C]:
    """Declare a class (or a function that makes agents) under a name, as a decorator."""

    def declare(value: C) -> C:
        AGENTS.add(name, _checked(value, name))
        return value

    return declare
