"""Every simulator by name. One declares itself, in its own file: ``@register_simulator("name")``
on what makes it without arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from navproof.core.errors import SpecError
from navproof.core.registry import Registry
from navproof.sim.protocol import GoesOn, Simulator

__all__ = [
    "EMBEDDED",
    "PHYSICS",
    "SIMULATORS",
    "going_on",
    "register_simulator",
    "simulator_name",
]

C = TypeVar("C", bound=Callable[..., Any])
EMBEDDED = "embedded"
PHYSICS = "physics"
_FORMER = {"navproof.sim.physics:simulator": PHYSICS}
"""What runs of version 0.1 call it."""


def _checked(value: Any, name: str) -> Callable[[], Simulator]:
    if not callable(value):
        raise SpecError(f"simulator '{name}' is a {type(value).__name__}, not something to call")
    return cast("Callable[[], Simulator]", value)


SIMULATORS: Registry[Callable[[], Simulator]] = Registry(
    "simulator",
    home="navproof.sim",
    group="navproof.simulators",
    declared_by="register_simulator",
    convert=_checked,
)


def register_simulator(name: str) -> Callable[[C], C]:
    """Declare a class or function that makes a ``Simulator`` under a name, as a decorator."""

    def declare(value: C) -> C:
        SIMULATORS.add(name, _checked(value, name))
        return value

    return declare


def simulator_name(name: str) -> str:
    """The name that a simulator has today."""
    return _FORMER.get(name, name)


def going_on(sim: object) -> GoesOn:
    """A simulator in which time can pass without a command; a ``SpecError`` where it cannot."""
    if not isinstance(sim, GoesOn):
        raise SpecError(
            f"simulator {type(sim).__name__} has no go_on(dt_s), so the world can only wait for "
            "agents in it: run with the clock 'wait', or give it one (docs/guides/simulators.md)"
        )
    return sim
