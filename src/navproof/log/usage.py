"""What agents asked of language models: how often, how long it took and what it cost.

A trace keeps what does not depend on the machine in ``Trace.exchanges``; the rest is in
``Trace.timing``, one number for each exchange: ``exchange_s`` (seconds), ``exchange_attempts`` and
``exchange_kept`` (1 where the answer was one of before).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from typing import TYPE_CHECKING

from navproof.core.types import Exchange
from navproof.log.trace import Trace

if TYPE_CHECKING:
    from navproof.log.folder import RunFolder

__all__ = [
    "Usage",
    "exchanges_of",
    "kept_apart",
    "usage_by_agent",
    "usage_of",
    "without_timing",
]

_SECONDS, _ATTEMPTS, _KEPT = "exchange_s", "exchange_attempts", "exchange_kept"
_ASKED_AGAIN = "again"
_FIRST = 3  # episodes by which an agent is known to ask somebody


@dataclass(frozen=True, slots=True)
class Usage:
    """Of some episodes. ``calls`` are answers that were used or could not be (``faults``), those of
    before among them (``kept``); ``again`` were asked because the answer before could not be used.
    ``tokens_in`` and ``tokens_out`` are sums over the ``told`` calls of which the endpoint told
    them; ``price`` is that of all, ``spent`` that of those that were not kept. ``seconds`` are
    those of each call that was not kept, in order."""

    episodes: int = 0
    calls: int = 0
    kept: int = 0
    again: int = 0
    faults: int = 0
    attempts: int = 0
    told: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    price: float = 0.0
    spent: float = 0.0
    seconds: tuple[float, ...] = ()

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def words(self) -> str:
        """In one line, for people."""
        each = f" ({self.calls / self.episodes:.1f} each)" if self.episodes > 1 else ""
        parts = [
            f"{_counted(self.calls, 'answer')} of a language model in"
            f" {_counted(self.episodes, 'episode')}{each}"
        ]
        if self.told:
            parts.append(f"{self.tokens_in:,} tokens in, {self.tokens_out:,} out")
        if (median := self.quantile_s(0.5)) is not None:
            parts.append(f"median {median:.1f} s")
        if self.kept:
            parts.append(f"{100 * self.kept / self.calls:.0f} % of them kept from before")
        if self.faults:
            parts.append(f"{self.faults} that could not be used")
        if self.price:
            parts.append(f"price {self.price:.4g}, spent {self.spent:.4g}")
        return "; ".join(parts)

    def document(self) -> dict[str, float | None]:
        """As plain data, with quantiles in place of every call's seconds."""
        found: dict[str, float | None] = asdict(self)
        del found["seconds"]
        return {**found, "median_s": self.quantile_s(0.5), "p95_s": self.quantile_s(0.95)}

    def quantile_s(self, share: float) -> float | None:
        """Seconds that this share of the calls did not exceed; None where none was timed."""
        if not self.seconds:
            return None
        ranked = sorted(self.seconds)
        return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def kept_apart(
    exchanges: Sequence[Exchange],
) -> tuple[tuple[Exchange, ...], dict[str, tuple[float, ...]]]:
    """The exchanges without what depends on the machine, and that as timing (none for none)."""
    if not exchanges:
        return (), {}
    timing = {
        _SECONDS: tuple(round(e.seconds, 6) for e in exchanges),
        _ATTEMPTS: tuple(float(e.attempts) for e in exchanges),
        _KEPT: tuple(float(e.kept) for e in exchanges),
    }
    return without_timing(exchanges), timing


def without_timing(exchanges: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """The exchanges without what depends on the machine."""
    return tuple(replace(e, seconds=0.0, attempts=1, kept=False) for e in exchanges)


def exchanges_of(trace: Trace) -> tuple[Exchange, ...]:
    """The exchanges of a trace with their seconds, attempts and whether the answer was kept."""
    count = len(trace.exchanges)
    seconds, attempts, kept = (
        _numbers(trace.timing, name, count) for name in (_SECONDS, _ATTEMPTS, _KEPT)
    )
    return tuple(
        replace(e, seconds=s, attempts=int(a) or 1, kept=bool(k))
        for e, s, a, k in zip(trace.exchanges, seconds, attempts, kept, strict=True)
    )


def usage_of(traces: Iterable[Trace]) -> Usage:
    """What some episodes used."""
    episodes, found = 0, list[Exchange]()
    for trace in traces:
        episodes += 1
        found += exchanges_of(trace)
    told = [e for e in found if e.tokens_in is not None or e.tokens_out is not None]
    return Usage(
        episodes=episodes,
        calls=len(found),
        kept=sum(e.kept for e in found),
        again=sum(e.purpose.endswith(_ASKED_AGAIN) for e in found),
        faults=sum(bool(e.fault) for e in found),
        attempts=sum(e.attempts for e in found if not e.kept),
        told=len(told),
        tokens_in=sum(e.tokens_in or 0 for e in told),
        tokens_out=sum(e.tokens_out or 0 for e in told),
        price=sum(e.price for e in found),
        spent=sum(e.price for e in found if not e.kept),
        seconds=tuple(e.seconds for e in found if not e.kept),
    )


def usage_by_agent(folder: RunFolder) -> dict[tuple[str, str], Usage]:
    """What each agent used under each condition, of those that asked a model at all."""
    keys = folder.keys()
    asking = [
        agent
        for agent in dict.fromkeys(key.agent for key in keys)
        if any(folder.trace(k).exchanges for k in [k for k in keys if k.agent == agent][:_FIRST])
    ]
    found: dict[tuple[str, str], Usage] = {}
    for key in keys:
        if key.agent in asking:
            place = (key.agent, key.condition)
            found[place] = found.get(place, Usage()) + usage_of([folder.trace(key)])
    return found


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _numbers(timing: Mapping[str, tuple[float, ...]], name: str, count: int) -> Sequence[float]:
    """One for each exchange; zeros where the trace has none."""
    numbers = timing.get(name, ())
    return numbers if len(numbers) == count else (0.0,) * count
