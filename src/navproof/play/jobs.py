"""What a worker is to do, and which worker does it next."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from navproof.core.types import Episode, TaskSpec
from navproof.log.trace import Status, Trace, TraceKey
from navproof.play.record import Recorder

if TYPE_CHECKING:
    from navproof.play.session import Watcher
    from navproof.play.worker import Worker

__all__ = ["MOST_ATTEMPTS", "Dispatcher", "Job", "PoolJob"]

MOST_ATTEMPTS = 3
"""So often something is tried that the machine keeps from being done."""


class PoolJob(Protocol):
    """What a pool hands to its workers; it travels by pickle, from the parent to a worker."""

    @property
    def key(self) -> TraceKey: ...

    @property
    def scene(self) -> str:
        """Jobs in one scene go to one worker, which has it loaded."""

    def run(self, worker: Worker, watcher: Watcher) -> Any:
        """Do it, in a worker. What comes back travels by pickle too."""

    def lost(self, status: Status, reason: str) -> Any:
        """What comes out where the worker had to be ended, or ended by itself too often."""


@dataclass(frozen=True, slots=True)
class Job:
    """One episode for one agent; it leads to a trace."""

    key: TraceKey
    episode: Episode
    spec: TaskSpec

    @property
    def scene(self) -> str:
        return self.episode.scene

    def run(self, worker: Worker, watcher: Watcher) -> Trace:
        return worker.play(self, watcher)

    def lost(self, status: Status, reason: str) -> Trace:
        return Recorder(self.key, self.episode, self.spec).finish(status, reason)


J = TypeVar("J", bound=PoolJob)


class Dispatcher(Generic[J]):
    """Hands out jobs: a worker stays in its scene, then takes a scene that nobody plays, then helps
    another worker."""

    def __init__(self, jobs: Sequence[J]) -> None:
        groups: dict[str, deque[J]] = {}
        for job in jobs:
            groups.setdefault(job.scene, deque()).append(job)
        self._free = deque(groups.values())
        self._held: dict[int, deque[J]] = {}
        self.left = sum(len(group) for group in self._free)

    def next(self, worker: int) -> J | None:
        """The next job of a worker, or None when nothing is left."""
        queue = self._held.get(worker)
        if not queue:
            queue = self._free.popleft() if self._free else self._half_of_the_longest()
            self._held[worker] = queue
        if not queue:
            return None
        self.left -= 1
        return queue.popleft()

    def again(self, worker: int, job: J) -> None:
        """A job that has to be done once more, before any other."""
        self._held.setdefault(worker, deque()).appendleft(job)
        self.left += 1

    def _half_of_the_longest(self) -> deque[J]:
        longest = max(self._held.values(), key=len, default=deque[J]())
        half = deque[J]()
        for _ in range((len(longest) + 1) // 2):
            half.appendleft(longest.pop())
        return half
