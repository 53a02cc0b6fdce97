"""What is to be played, and who plays it next."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from navproof.core.types import Episode, TaskSpec
from navproof.log.trace import TraceKey

__all__ = ["Dispatcher", "Job"]


@dataclass(frozen=True, slots=True)
class Job:
    """One episode for one agent."""

    key: TraceKey
    episode: Episode
    spec: TaskSpec


class Dispatcher:
    """Hands out jobs: a worker stays in its scene, then takes a free one, then helps another."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        groups: dict[str, deque[Job]] = {}
        for job in jobs:
            groups.setdefault(job.episode.scene, deque()).append(job)
        self._free = deque(groups.values())
        self._held: dict[int, deque[Job]] = {}
        self.left = sum(len(group) for group in self._free)

    def next(self, worker: int) -> Job | None:
        """The next job of a worker, or None when nothing is left."""
        held = self._held.get(worker)
        if not held:
            held = self._free.popleft() if self._free else self._half_of_the_longest()
            self._held[worker] = held
        if not held:
            return None
        self.left -= 1
        return held.popleft()

    def _half_of_the_longest(self) -> deque[Job]:
        longest = max(self._held.values(), key=len, default=deque[Job]())
        taken = deque[Job]()
        for _ in range((len(longest) + 1) // 2):
            taken.appendleft(longest.pop())
        return taken
