"""What verification says of a trace, and of a run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal, Protocol

from navproof.log.trace import TraceKey

__all__ = ["Progress", "RunVerdict", "TraceVerdict", "Verdict"]

Verdict = Literal["verified", "refuted", "unverifiable"]


class Progress(Protocol):
    """Is told how a verification gets on."""

    def announce(self, text: str) -> None:
        """A line for the user."""

    def simulated(self, done: int, total: int) -> None:
        """So many traces are done."""


@dataclass(frozen=True, slots=True)
class TraceVerdict:
    """Of one trace. ``why`` says what differs where, or why it cannot be told; "" if verified."""

    key: TraceKey
    verdict: Verdict
    why: str = ""


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """Of a run. ``faults`` are what refutes the run as a whole, ``gaps`` what keeps it as a whole
    from being verified; ``notes`` what a reader should know besides. ``planned`` is the number of
    its episodes, of which ``traces`` were looked at. ``digest`` is one of all its traces. ``shard``
    says which part of a run it is ("2/8"), "" for a whole one."""

    traces: tuple[TraceVerdict, ...]
    planned: int
    faults: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    digest: str = ""
    shard: str = ""

    @property
    def verdict(self) -> Verdict:
        counts = self.counts
        if self.faults or counts["refuted"]:
            return "refuted"
        if self.gaps or counts["unverifiable"] or not self.traces:
            return "unverifiable"
        return "verified"

    @property
    def counts(self) -> Counter[Verdict]:
        return Counter(one.verdict for one in self.traces)
