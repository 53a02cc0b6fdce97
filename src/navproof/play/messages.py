"""What the pool and its workers say to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from navproof.agents.declaration import Declaration
from navproof.agents.limits import Limits
from navproof.core.registry import Origin, Registered
from navproof.core.salt import Salt
from navproof.play.jobs import PoolJob

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = [
    "Beat",
    "Done",
    "Entered",
    "LoadAgents",
    "Loaded",
    "Loading",
    "Ready",
    "Require",
    "Setup",
    "Stop",
    "WarmUp",
    "Warmed",
    "Work",
]


# ------------------------------------------------------------------------------ to a worker
@dataclass(frozen=True, slots=True)
class Setup:
    """The first message: settings that hold for every job, and what the parent registered.
    ``plugins`` must still be what they were when the run began, and agents' servers must say of
    themselves what they ``declared``. ``salts`` are those that scenes are
    made with; agents' processes may not read what is ``withheld``."""

    simulator: str
    limits: Limits
    beliefs: bool
    in_process: bool = False
    rewriter: Rewriter | None = None
    registered: tuple[Registered, ...] = ()
    plugins: tuple[Origin, ...] = ()
    salts: tuple[Salt, ...] = ()
    withheld: tuple[Path, ...] = ()
    declared: Mapping[str, Declaration] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoadAgents:
    """Have these agents imported now, to find out whether they can be."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Require:
    """These files of plug-ins must still be what they are said to be, and agents' servers must say
    of themselves what they ``declared``."""

    plugins: tuple[Origin, ...]
    declared: Mapping[str, Declaration]


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Compile what is not in the kernel cache."""


@dataclass(frozen=True, slots=True)
class Work:
    job: PoolJob


@dataclass(frozen=True, slots=True)
class Stop:
    """End quietly."""


# ---------------------------------------------------------------------------- from a worker
@dataclass(frozen=True, slots=True)
class Ready:
    """Everything is imported; ``warm`` says whether the kernels are compiled."""

    warm: bool


@dataclass(frozen=True, slots=True)
class Loading:
    """``what`` comes next ("make simulator 'x.py:Y'"): it is the cause if the worker ends there."""

    what: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """``refusal`` is the one line that says why an agent cannot be loaded, or empty. Where it is,
    ``declarations`` are what each agent says of itself, and ``holds`` is what keeps their processes
    away from others (``core.confine``)."""

    refusal: str
    declarations: Mapping[str, Declaration]
    holds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Warmed:
    seconds: float


@dataclass(frozen=True, slots=True)
class Entered:
    """A part of the job with its own time limit begins (``play.session.Phase``)."""

    phase: str


@dataclass(frozen=True, slots=True)
class Beat:
    """The job goes on: said about once a second while it does."""


@dataclass(frozen=True, slots=True)
class Done:
    """``result`` is what the job's ``run`` returned; ``printed`` what the agent printed, where its
    episode did not end "ok"."""

    result: Any
    printed: str = ""
