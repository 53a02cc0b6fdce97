"""Diagnosing the episodes of a run, here or in processes of their own.

A desk keeps one agent and one simulator from episode to episode. What it says of an episode depends
on the run alone: not on what it did before, nor on which desk it is.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from navproof.core.errors import NavproofError, one_line
from navproof.diagnose.attribution.attribute import Settings, attribute
from navproof.diagnose.oracles.oracles import make_oracles
from navproof.diagnose.oracles.protocol import JudgeError, MemoryLikeness, SemanticDistance
from navproof.diagnose.types import Diagnosis, Thresholds
from navproof.diagnose.workbench import Workbench
from navproof.log.folder import RunFolder
from navproof.log.trace import TraceKey

__all__ = ["Assignment", "Desk", "Office"]


@dataclass(frozen=True, slots=True)
class Assignment:
    """One episode, and the thresholds to judge it by."""

    key: TraceKey
    thresholds: Thresholds


@dataclass
class Desk:
    """Belongs to one process."""

    folder: RunFolder
    settings: Settings
    distance: SemanticDistance | None = None
    likeness: MemoryLikeness | None = None

    def __post_init__(self) -> None:
        self._bench: Workbench | None = None

    def diagnose(self, given: Assignment) -> Diagnosis:
        """What is said of an episode; whatever goes wrong costs this episode alone."""
        key = given.key
        try:
            trace = self.folder.trace(key)
            if trace.status != "ok":
                return Diagnosis(key, "not_run", said=f"It ended early: {trace.reason}")
            if self._bench is None or self._bench.agent != key.agent:
                self._bench = Workbench(key.agent, make_oracles(self.distance, self.likeness))
            stage = self._bench.restage(trace)
            return attribute(stage, given.thresholds, expected=trace, settings=self.settings)
        except JudgeError as error:
            return Diagnosis(key, "not_run", said=f"It could not be judged: {error}")
        except Exception as error:
            self._bench = None
            why = str(error) if isinstance(error, NavproofError) else one_line(error)
            return Diagnosis(key, "not_run", said=f"It could not be played again: {why}")


class Office:
    """So many processes with a desk in each, kept until it closes; with one worker, a desk in this
    process. A process that dies costs the episode it was at. Use as a context manager."""

    def __init__(self, desk: Desk, workers: int) -> None:
        self._desk = desk
        self._workers = workers
        self._idle: list[_Line] = []
        self._busy: dict[_Line, Assignment] = {}

    def __enter__(self) -> Office:
        return self

    def __exit__(self, *_: object) -> None:
        for line in (*self._idle, *self._busy):
            line.end.close()
            line.process.terminate()
        self._idle, self._busy = [], {}

    def work(self, assignments: Iterable[Assignment]) -> Iterator[Diagnosis]:
        """Diagnoses as they come, in no particular order."""
        waiting = deque(assignments)
        if self._workers == 1:
            yield from map(self._desk.diagnose, waiting)
            return
        while waiting or self._busy:
            while waiting and len(self._busy) < self._workers:
                line = self._idle.pop() if self._idle else _open_line(self._desk)
                self._busy[line] = waiting.popleft()
                line.end.send(self._busy[line])
            ready = wait([line.end for line in self._busy])
            for line in [line for line in self._busy if line.end in ready]:
                given = self._busy.pop(line)
                try:
                    found: Diagnosis = line.end.recv()
                except (EOFError, ConnectionError):
                    yield Diagnosis(given.key, "not_run", said="Its process died.")
                else:
                    self._idle.append(line)
                    yield found


@dataclass(frozen=True, eq=False)
class _Line:
    """To a process, from this end."""

    end: Connection
    process: SpawnProcess


def _open_line(desk: Desk) -> _Line:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_sit, args=(desk, there), daemon=True)
    process.start()
    there.close()
    return _Line(here, process)


def _sit(desk: Desk, line: Connection) -> None:
    """The life of a process: an assignment in, a diagnosis out, until the line is closed."""
    while True:
        try:
            given: Assignment = line.recv()
        except (EOFError, KeyboardInterrupt):
            return
        line.send(desk.diagnose(given))
