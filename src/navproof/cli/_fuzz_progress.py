"""The progress of a campaign on a terminal (a bar) or in a log (a line now and then)."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

__all__ = ["FuzzProgress"]

_LINES = 10


class FuzzProgress:
    """Shows cases played and failures found, then failures made smaller. Everything goes to the
    error stream. Implements ``navproof.diagnose.fuzz.campaign.Progress``."""

    def __init__(self) -> None:
        self.done = self.total = self.failures = 0
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("eta"),
            TimeRemainingColumn(),
            console=self._console,
        )
        self._tasks: dict[str, TaskID] = {}
        self._told = 0
        self._announced: set[str] = set()

    def __enter__(self) -> FuzzProgress:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._console.is_terminal:
            self._bar.stop()

    # -------------------------------------------------------------- what the campaign tells
    def begin(self, total: int, done: int, failures: int) -> None:
        self.total, self.done, self.failures = total, done, failures
        if 0 < done < total:
            print(f"{done} of {total} cases are played already; going on", file=sys.stderr)
        self._show()

    def calibrating(self, done: int, total: int) -> None:
        self._bar_at("calibrating", done + 1, total)

    def played(self, result: Any) -> None:
        self.done += 1
        self.failures += 0 if result.success else 1
        self._show()

    def minimising(self, done: int, total: int) -> None:
        self._bar_at("making failures smaller", done, total)

    # ------------------------------------------------------------------------------- inside
    def _show(self) -> None:
        if self._console.is_terminal:
            self._bar_at("cases", self.done, self.total)
            self._bar.update(self._tasks["cases"], description=f"cases ({self.failures} failed)")
        elif self.done * _LINES // max(self.total, 1) > self._told or self.done == self.total:
            self._told = self.done * _LINES // max(self.total, 1)
            print(f"cases: {self.done} of {self.total}; {self.failures} failed", file=sys.stderr)

    def _bar_at(self, what: str, done: int, total: int) -> None:
        if not self._console.is_terminal:
            if total and what not in self._announced:
                print(f"{what} ({total})", file=sys.stderr)
                self._announced.add(what)
            return
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(what, total=total)
        self._bar.update(self._tasks[what], completed=done, total=total)
