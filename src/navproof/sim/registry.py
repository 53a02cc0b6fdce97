"""Every simulator by name. One declares itself, in its own file: ``@register_simulator("name")``
on what makes it without arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from navproof.core.blame import blame
from navproof.core.errors import NavproofError, SpecError
from navproof.core.registry import Registry
from navproof.sim.protocol import GoesOn, Simulator

__all__ = [
    "EMBEDDED",
    "PHYSICS",
    "SIMULATORS",
    "SIMULATOR_METHODS",
    "SIMULATOR_PROPERTIES",
    "going_on",
    "make_simulator",
    "missing_in",
    "register_simulator",
    "simulator_name",
]

C = TypeVar("C", bound=Callable[..., Any])
EMBEDDED = "embedded"
PHYSICS = "physics"
_FORMER = {"navproof.sim.physics:simulator": PHYSICS}
"""What runs of version 0.1 call it."""
SIMULATOR_METHODS = (
    *("load", "people", "place", "apply", "render", "is_navigable", "geodesic", "shortest_path"),
    *("random_point", "line_of_sight", "top_down", "snapshot", "restore"),
)
SIMULATOR_PROPERTIES = ("scene", "robot", "pose", "time_s")
"""What ``Simulator`` consists of."""
_SHOWN = 4


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


def make_simulator(name: str) -> Simulator:
    """A simulator by its name or reference, which has every method; a ``NavproofError`` in one line
    where it cannot be made, whatever it raises, or is none."""
    factory = SIMULATORS.get(simulator_name(name))
    try:
        sim = factory()
    except NavproofError:
        raise
    except (Exception, SystemExit) as error:
        raise SpecError(f"simulator '{name}' could not be made: {blame(error)}") from error
    if missing := missing_in(sim):
        shown = ", ".join(missing[:_SHOWN]) + (", …" if len(missing) > _SHOWN else "")
        raise SpecError(
            f"simulator '{name}' is none: a {type(sim).__name__} has no {shown} "
            f"('navproof check simulator {name}' tells all)"
        )
    return sim


def missing_in(sim: object) -> list[str]:
    """Which methods and properties of ``Simulator`` something lacks. A property may raise as long
    as no scene is loaded, and is there all the same."""
    methods = [name for name in SIMULATOR_METHODS if not callable(getattr(sim, name, None))]
    return [*methods, *(name for name in SIMULATOR_PROPERTIES if not _is_there(sim, name))]


def _is_there(sim: object, name: str) -> bool:
    try:
        inspect.getattr_static(sim, name)
    except AttributeError:
        pass
    else:
        return True
    try:
        getattr(sim, name)  # one that passes everything on to another
    except AttributeError:
        return False
    except Exception:
        return True
    return True


def going_on(sim: object) -> GoesOn:
    """A simulator in which time can pass without a command; a ``SpecError`` where it cannot."""
    if not isinstance(sim, GoesOn):
        raise SpecError(
            f"simulator {type(sim).__name__} has no go_on(dt_s), so the world can only wait for "
            "agents in it: run with the clock 'wait', or give it one (docs/guides/simulators.md)"
        )
    return sim
