"""The progress of a run on a terminal (a bar) or in a log (a line now and then)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

__all__ = [
    "CountBar",
    "MergeProgress",
    "RunProgress",
    "StderrBar",
    "VerificationProgress",
    "shown",
]

T = TypeVar("T")
B = TypeVar("B", bound="StderrBar")

_BAR_COLUMNS = 62  # of a terminal, for all but the note, which is cut to what is left
_LINES = 10  # in a log, about so many lines of progress


class StderrBar:
    """A bar on the error stream, so that ``--json`` stays clean; ``more`` columns at its end."""

    def __init__(self, *more: ProgressColumn) -> None:
        self._console = Console(stderr=True, emoji=False)
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("eta"),
            TimeRemainingColumn(),
            *more,
            console=self._console,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar.live.is_started:
            self._bar.stop()

    def announce(self, text: str) -> None:
        self._console.print(text, soft_wrap=True, markup=False, highlight=False)


class CountBar(StderrBar):
    """How many of all are done, with a note: a bar on a terminal, else a line now and then."""

    def __init__(self) -> None:
        super().__init__(TextColumn("{task.fields[note]}", markup=False))
        self._task: TaskID | None = None
        self._live = self._console.is_terminal
        self._told = 0

    def count(self, what: str, done: int, total: int, note: str = "") -> None:
        """So many of ``what`` are done."""
        if not self._live:
            self._tell(what, done, total, note)
            return
        room = max(self._console.width - _BAR_COLUMNS, 1)
        note = note if len(note) <= room else f"{note[: room - 1]}…"
        if self._task is None:
            self._task = self._bar.add_task(what, total=total, completed=done, note=note)
            self._bar.start()
        self._bar.update(self._task, completed=done, total=total, note=note)

    def close(self) -> None:
        """What is counted next is something else."""
        if self._task is not None:
            self._bar.stop()
            self._bar.remove_task(self._task)
            self._task = None
        self._told = 0

    def _tell(self, what: str, done: int, total: int, note: str) -> None:
        if done * _LINES // max(total, 1) > self._told or done == total:
            self._told = done * _LINES // max(total, 1)
            print(f"{what}: {done} of {total}{'; ' if note else ''}{note}", file=sys.stderr)


class RunProgress(CountBar):
    """Shows episodes done, time left and the share of goals that each agent has found so far in
    clean episodes. Implements ``navproof.runner.run.Progress``."""

    def __init__(self) -> None:
        super().__init__()
        self.done = self.total = 0
        self._rates: dict[str, tuple[float, int]] = {}

    # ---------------------------------------------------------------- what the runner tells
    def making(self, done: int, total: int, what: str) -> None:
        self.count("making episodes", done, total, what)
        if done >= total:
            self.close()

    def begin(self, total: int, resumed: Any) -> None:
        self.total, self.done = total, len(resumed)
        for key, success in resumed.items():
            self._add(key, success)
        if resumed and self.done < total:
            self.announce(f"{self.done} of {total} episodes are done already; going on")
        self.count("episodes", self.done, total, self._note())

    def finished(self, trace: Any) -> None:
        from navproof.metrics.navigation.success import share_found

        self.done += 1
        if trace.status != "infrastructure":
            self._add(trace.key, share_found(trace))
        self.count("episodes", self.done, self.total, self._note())

    # ------------------------------------------------------------------------------- inside
    def _add(self, key: Any, success: float) -> None:
        """Of clean episodes alone: conditions are never averaged."""
        if key.condition == "clean":
            total, n = self._rates.get(key.agent, (0.0, 0))
            self._rates[key.agent] = (total + success, n + 1)

    def _note(self) -> str:
        from navproof.log.names import short_name

        rates = [
            f"{short_name(name)} {total / n:.2f}"
            for name, (total, n) in sorted(self._rates.items())
        ]
        return f"SR {', '.join(rates)}" if rates else ""


class VerificationProgress(CountBar):
    """Implements ``navproof.verification.verify.Progress``."""

    def simulated(self, done: int, total: int) -> None:
        self.count("traces", done, total)


class MergeProgress(CountBar):
    """Implements ``navproof.runner.merging.Progress``."""

    def copied(self, done: int, total: int) -> None:
        self.count("traces", done, total)


@contextmanager
def shown(progress: bool | T, bar: Callable[[], B]) -> Iterator[T | B | None]:
    """What hears of progress: a bar for True, nothing for False, or what is given."""
    if not isinstance(progress, bool):
        yield progress
    elif progress:
        with bar() as made:
            yield made
    else:
        yield None
