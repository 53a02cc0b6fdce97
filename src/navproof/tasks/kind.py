"""What navproof knows of a task: one declaration, in the task's own file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from navproof.core.types import Episode, TaskSpec
from navproof.sim.protocol import Simulator
from navproof.tasks.protocol import Task

if TYPE_CHECKING:
    from navproof.tasks.changes import Changes
    from navproof.tasks.draft import Site

__all__ = ["Faults", "Maker", "TaskKind", "Words", "short_name"]

Words = Literal["none", "beside", "only"]
"""What the instruction tells of the goal: nothing (an agent reads it elsewhere), what is also told
otherwise (a category), or everything."""
Faults: TypeAlias = Iterator[tuple[str, str]]
"""(field of the episode, what is wrong with it)."""
Maker: TypeAlias = "Callable[[Site, int, int, int], Episode | None]"
"""One try at an episode from (opened scene, seed, index, attempt); None where it gave none."""


def short_name(task: str) -> str:
    """The id without its version, fit for file names: "vln" for "vln-v1"; of a task of somebody's
    own what it is called in its file."""
    name = task.rpartition(":")[2]
    stem, dash, version = name.rpartition("-v")
    return stem if dash and version.isdigit() else name


@dataclass(frozen=True, slots=True)
class TaskKind:
    """Everything that navproof knows of a task.

    ``id`` is its versioned name ("vln-v1"): rules or settings that change results are another
    version. ``title`` is what people call it, ``about`` one sentence. ``spec`` are its settings;
    its ``task`` is the id. ``rules`` makes the rules of given settings.

    ``words`` says what the instruction tells of the goal, ``is_route`` whether it describes the
    way there; corruptions of words reach an agent where nothing else tells the goal.
    ``make`` draws an episode in a scene, in up to ``tries`` attempts, ``extended`` one in harder
    language; ``maker_version`` is raised when they would draw others. Where episodes are made for
    several robots in turn, ``robots`` names them. ``usual_suite`` is played where none is named.

    ``form`` tells what is wrong with an episode by itself, ``check`` with an episode in its scene,
    which the simulator holds. ``tiny`` makes the episode that conformance tests play, in the flat
    of ``navproof.testing``, of so many steps. ``changes`` makes what test generation and diagnosis
    need to change episodes.
    """

    id: str
    title: str
    about: str
    spec: TaskSpec
    rules: Callable[[TaskSpec], Task]
    words: Words = "only"
    is_route: bool = False
    make: Maker | None = None
    tries: int = 80
    extended: Maker | None = None
    maker_version: int = 0
    robots: tuple[str, ...] = ()
    usual_suite: str = "mini"
    form: Callable[[Episode], Faults] | None = None
    check: Callable[[Simulator, Episode], Faults] | None = None
    tiny: Callable[[Any, int], Episode] | None = None
    changes: Callable[[], Changes] | None = None

    @property
    def short(self) -> str:
        return short_name(self.id)
