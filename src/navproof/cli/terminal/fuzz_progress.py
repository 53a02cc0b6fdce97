"""The progress of a campaign on a terminal (a bar) or in a log (a line now and then)."""

from __future__ import annotations

from typing import Any

from rich.progress import TaskID

from navproof.api.text.progress import StderrBar

__all__ = ["FuzzProgress"]

_LINES = 10
_FIRST = "the first cases, to calibrate"


class FuzzProgress(StderrBar):
    """Shows cases played and failures found, then failures made smaller.
    Implements ``navproof.diagnosis.fuzz.campaign.Progress``."""

    def __init__(self) -> None:
        super().__init__()
        self.done = self.total = self.failures = 0
        self._tasks: dict[str, TaskID] = {}
        self._told: dict[str, int] = {}

    # -------------------------------------------------------------- what the campaign tells
    def begin(self, total: int, done: int, failures: int) -> None:
        self.total, self.done, self.failures = total, done, failures
        if 0 < done < total:
            self.announce(f"{done} of {total} cases are played already; going on")
        self._show()

    def calibrating(self, done: int, total: int) -> None:
        self._at(_FIRST, done, total)

    def played(self, result: Any) -> None:
        if _FIRST in self._tasks:  # over: the first of them is played
            self._bar.remove_task(self._tasks.pop(_FIRST))
        self.done += 1
        self.failures += 0 if result.success else 1
        self._show()

    def minimising(self, done: int, total: int) -> None:
        if total:
            self._at("failures made smaller", done, total)

    # ------------------------------------------------------------------------------- inside
    def _show(self) -> None:
        if self.done or self._console.is_terminal:
            self._at("cases", self.done, self.total, f"{self.failures} failed")

    def _at(self, what: str, done: int, total: int, note: str = "") -> None:
        if not self._console.is_terminal:
            part = done * _LINES // max(total, 1)
            if part > self._told.get(what, -1):
                self._told[what] = part
                self.announce(f"{what}: {done} of {total}{note and f'; {note}'}")
            return
        if what not in self._tasks:
            self._bar.start()
            self._tasks[what] = self._bar.add_task(what, total=total)
        shown = f"{what} ({note})" if note else what
        self._bar.update(self._tasks[what], completed=done, total=total, description=shown)
