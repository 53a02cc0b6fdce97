"""The progress of a campaign on a terminal (a bar) or in a log (a line now and then)."""

from __future__ import annotations

from typing import Any

from rich.progress import TaskID

from navproof.cli._progress import StderrBar

__all__ = ["FuzzProgress"]

_LINES = 10


class FuzzProgress(StderrBar):
    """Shows cases played and failures found, then failures made smaller.
    Implements ``navproof.diagnose.fuzz.campaign.Progress``."""

    def __init__(self) -> None:
        super().__init__()
        self.done = self.total = self.failures = 0
        self._tasks: dict[str, TaskID] = {}
        self._told = 0
        self._announced: set[str] = set()

    # -------------------------------------------------------------- what the campaign tells
    def begin(self, total: int, done: int, failures: int) -> None:
        self.total, self.done, self.failures = total, done, failures
        if 0 < done < total:
            self.announce(f"{done} of {total} cases are played already; going on")
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
            self.announce(f"cases: {self.done} of {self.total}; {self.failures} failed")

    def _bar_at(self, what: str, done: int, total: int) -> None:
        if not self._console.is_terminal:
            if total and what not in self._announced:
                self.announce(f"{what} ({total})")
                self._announced.add(what)
            return
        if what not in self._tasks:
            self._bar.start()
            self._tasks[what] = self._bar.add_task(what, total=total)
        self._bar.update(self._tasks[what], completed=done, total=total)
