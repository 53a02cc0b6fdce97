"""Every suite by name. One declares itself, in its own file: ``register_suite(Suite("name", …))``.

``navproof run --suite my_suite.py:MINE`` takes a ``Suite`` from a file, or a function without
arguments that returns episodes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from navproof.core.errors import SpecError, type_of
from navproof.core.registry import Registry
from navproof.core.types import Episode

__all__ = ["SUITES", "EpisodeMaker", "Suite", "SuitePart", "checked_suite", "register_suite"]

EpisodeMaker: TypeAlias = Callable[[], Iterable[Episode]]


@dataclass(frozen=True, slots=True)
class SuitePart:
    """``per_scene`` episodes of one task in each scene. ``aligned`` (VLN and ObjectNav): the pair
    of tasks with the same scene, start and goal object, ``per_scene`` of each. ``extended``
    (LangNav): goals with negation, anchors, sides and coreference."""

    tasks: tuple[str, ...]
    scenes: tuple[str, ...]
    per_scene: int
    aligned: bool = False
    extended: bool = False


@dataclass(frozen=True, slots=True)
class Suite:
    """What a suite holds; ``seed`` is the seed of its episodes.

    ``conditions`` are what it is run under unless a run names its own: names of groups
    (``runner.conditions``) or conditions ("spatter@0.5"). ``episodes`` takes the place of the
    parts: it returns the episodes, and is called whenever they are needed. ``salt`` is the
    fingerprint of the salt that it is made with, "" for a public one.
    """

    name: str
    description: str = ""
    parts: tuple[SuitePart, ...] = ()
    seed: int = 1
    conditions: tuple[str, ...] = ()
    episodes: EpisodeMaker | None = None
    salt: str = ""

    @property
    def scenes(self) -> tuple[str, ...]:
        """Every scene once, in the order of the parts."""
        return tuple(dict.fromkeys(s for part in self.parts for s in part.scenes))

    @property
    def tasks(self) -> tuple[str, ...]:
        """Every task of the parts once, in order."""
        return tuple(dict.fromkeys(t for part in self.parts for t in part.tasks))

    @property
    def size(self) -> int | None:
        """How many episodes the parts make; None where a function returns them."""
        if self.episodes is not None:
            return None
        return sum(len(p.tasks) * len(p.scenes) * p.per_scene for p in self.parts)


def _checked(value: Any, name: str) -> Suite:
    """What stands under a name outside: a ``Suite``, or a function that returns episodes."""
    if isinstance(value, Suite):
        _check(value, name)
        return value
    if not callable(value) or isinstance(value, type):
        raise SpecError(
            f"suite '{name}' is {type_of(value)}, not a Suite or a function that returns episodes"
        )
    needed = [
        p.name
        for p in inspect.signature(value).parameters.values()
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    if needed:
        raise SpecError(
            f"suite '{name}' takes {', '.join(needed)}; a suite's function has no arguments"
        )
    about = (inspect.getdoc(value) or "").partition("\n")[0]
    return Suite(name.rpartition(":")[2], about, episodes=value)


def checked_suite(suite: Suite) -> Suite:
    """The suite; ``SpecError`` where it is none that could be made, or where another suite has its
    name (a run is labelled by it)."""
    _check(suite, suite.name)
    if suite.name in SUITES and SUITES.get(suite.name) != suite:
        raise SpecError(f"suite '{suite.name}': there is another suite of that name; rename yours")
    return suite


def _check(suite: Suite, name: str) -> None:
    def refuse(why: str) -> SpecError:
        return SpecError(f"suite '{name}': {why}")

    if not isinstance(suite.name, str) or not suite.name.strip():
        raise refuse("its name is empty")
    for what in (suite.parts, suite.conditions):
        if isinstance(what, str) or not isinstance(what, tuple):
            raise refuse(f"parts and conditions are tuples, but one is {what!r}")
    if suite.episodes is not None:
        if suite.parts:
            raise refuse("it has both parts and a function that returns episodes; give one")
        return
    if not suite.parts:
        raise refuse("it has no parts, and no function that returns episodes")
    for number, part in enumerate(suite.parts):
        if not isinstance(part, SuitePart):
            raise refuse(f"part {number} is {type_of(part)}, not a SuitePart")
        for field in ("tasks", "scenes"):
            names = getattr(part, field)
            if not isinstance(names, tuple) or not all(isinstance(n, str) for n in names):
                raise refuse(f"part {number}: {field} must be a tuple of names, is {names!r}")
            if not names:
                raise refuse(f"part {number} has no {field}")
        if not isinstance(part.per_scene, int) or part.per_scene < 1:
            raise refuse(f"part {number}: per_scene must be at least 1, is {part.per_scene!r}")


SUITES: Registry[Suite] = Registry(
    "suite",
    home="navproof.tasks.suites",
    group="navproof.suites",
    declared_by="register_suite",
    convert=_checked,
)


def register_suite(suite: Suite) -> Suite:
    """Declare a suite under its name. Returns it."""
    if not isinstance(suite, Suite):
        raise SpecError(f"register_suite takes a Suite, not a {type(suite).__name__}")
    return SUITES.add(suite.name, _checked(suite, suite.name))
