"""States along one run, to come back to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Checkpoints"]

T = TypeVar("T")


class Checkpoints(Generic[T]):
    """States along one run, at step 0 and every ``every`` steps, never more than ``most``: when
    they become too many, every second one is dropped and the distance doubles. From any step the
    way back is at most ``every`` steps of replay, whatever the length of the run."""

    def __init__(self, every: int = 8, most: int = 24) -> None:
        if every < 1 or most < 2:
            raise ValueError(f"checkpoints every {every} steps, at most {most}, make no sense")
        self.every = every
        self.most = most
        self._kept: dict[int, T] = {}

    def offer(self, step: int, take: Callable[[], T]) -> None:
        """Keep the state of a step, if it is one of those to be kept. Steps come in order."""
        if step % self.every:
            return
        self._kept[step] = take()
        if len(self._kept) > self.most:
            self.every *= 2
            self._kept = {s: state for s, state in self._kept.items() if s % self.every == 0}

    def before(self, step: int) -> tuple[int, T]:
        """(step, state) of the last one at or before a step; a ``KeyError`` where there is none."""
        steps = sorted(self._kept)
        index = bisect_right(steps, step) - 1
        if index < 0:
            raise KeyError(step)
        return steps[index], self._kept[steps[index]]

    def __len__(self) -> int:
        return len(self._kept)
