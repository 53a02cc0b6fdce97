"""What agents asked of language models: one line for each agent that asked any."""

from __future__ import annotations

from dataclasses import dataclass

from navproof.log.usage import Usage
from navproof.reports.gather import Entrant, Gathered

__all__ = ["UsageLine", "usage_lines"]


@dataclass(frozen=True, slots=True)
class UsageLine:
    """One agent; ``cells`` are the numbers in the order of the table's columns."""

    entrant: Entrant
    episodes: int
    cells: tuple[str, ...]


def usage_lines(g: Gathered) -> tuple[UsageLine, ...]:
    """One for each entrant that asked a model in its rows, in their order."""
    return tuple(
        UsageLine(entrant, g.usage[entrant.series].episodes, _cells(g.usage[entrant.series]))
        for entrant in g.entrants
        if entrant.series in g.usage
    )


def _cells(used: Usage) -> tuple[str, ...]:
    each = max(1, used.episodes)
    tokens_in, tokens_out = (
        f"{total / each:,.0f}" if used.told else "–" for total in (used.tokens_in, used.tokens_out)
    )
    return (
        f"{used.calls / each:.1f}",
        tokens_in,
        tokens_out,
        _seconds(used.quantile_s(0.5)),
        _seconds(used.quantile_s(0.95)),
        f"{100 * used.kept / used.calls:.0f} %",
        str(used.faults),
        f"{used.price / each:.4g}" if used.price else "–",
        f"{used.spent:.4g}" if used.price else "–",
    )


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
