"""The progress of a diagnosis on a terminal (a bar) or in a log (a line for each failure)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rich.progress import TaskID

from navproof.api.text.progress import StderrBar

if TYPE_CHECKING:
    from navproof.diagnosis.types import Diagnosis

__all__ = ["ShownProgress"]


class ShownProgress(StderrBar):
    """Implements ``navproof.diagnosis.run.DiagnosisProgress``."""

    def __init__(self) -> None:
        super().__init__()
        self._task: TaskID | None = None
        self._agent, self._total, self._done = "", 0, 0
        self._began = time.monotonic()

    def begin(self, agent: str, total: int, done: int) -> None:
        self._agent, self._total, self._done = agent, total, done
        if done and done < total:
            self.announce(f"{agent}: {done} of {total} failures are explained already; going on")
        if not self._console.is_terminal or done == total:
            return
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(f"{agent}: failures", total=total, completed=done)
        self._bar.start()

    def finished(self, diagnosis: Diagnosis) -> None:
        self._done += 1
        if self._task is not None:
            self._bar.update(self._task, completed=self._done)
            return
        spent = time.monotonic() - self._began
        what = diagnosis.verdict.replace("_", " ")
        found = diagnosis.attribution
        if found is not None:
            together = "" if found.also is None else f" with {found.also}"
            what = f"{found.capability}{together} at step {found.step}"
        told = f"{self._agent}: failure {self._done} of {self._total}: {what} ({spent:.0f} s)"
        self.announce(told)
