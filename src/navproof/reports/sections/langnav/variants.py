"""Agents that are variants of one another: ``mlfm``, ``mlfm@layers=1``, ``mlfm@layers=2`` …

A name is an agent and its options, ``agent@option=value@…``. Entrants that differ from one another
in the value of the same options belong into one table, with the agent as it is beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from navproof.core.errors import SpecError
from navproof.core.names import parse_name
from navproof.reports.gather import Entrant

__all__ = ["AS_IT_IS", "Ablation", "ablations", "options_of", "without_variants"]

AS_IT_IS = "as it is"
"""What stands for the value of an option that was not given."""


@dataclass(frozen=True, slots=True)
class Ablation:
    """Variants of ``agent`` by ``options``; ``rows`` are (values in that order, entrant)."""

    agent: str
    options: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], Entrant], ...]


def options_of(name: str) -> tuple[str, dict[str, str]]:
    """The agent and its options, by name."""
    try:
        found = parse_name(name)
    except SpecError:  # from a run of another version
        return name, {}
    return str(replace(found, options=())), dict(found.options)


def ablations(entrants: Sequence[Entrant]) -> list[Ablation]:
    """The tables that these entrants make: one per agent and set of options varied.

    Options that every entrant of an agent has with the same value are no ablation; they are part
    of the agent's name in the table.
    """
    families: dict[str, list[tuple[dict[str, str], Entrant]]] = {}
    for entrant in entrants:
        agent, options = options_of(entrant.agent)
        families.setdefault(agent, []).append((options, entrant))
    found = []
    for agent, members in families.items():
        shared = dict(members[0][0])
        for options, _ in members:
            shared = {k: v for k, v in shared.items() if options.get(k) == v}
        name = "@".join([agent, *(f"{k}={v}" for k, v in sorted(shared.items()))])
        varied = [({k: v for k, v in o.items() if k not in shared}, e) for o, e in members]
        found += _tables(name, varied)
    return found


def without_variants(entrants: Sequence[Entrant], found: Sequence[Ablation]) -> list[Entrant]:
    """Those that stand for themselves: no variant beside the agent as it is. All of them where
    nothing else would be left."""
    varied = {e.series for table in found for values, e in table.rows if AS_IT_IS not in values}
    return [e for e in entrants if e.series not in varied] or list(entrants)


def _tables(agent: str, varied: Sequence[tuple[dict[str, str], Entrant]]) -> list[Ablation]:
    """One table per set of options that somebody has, with those beside them that have some of
    these options, to the same values, and no other: with one option less, and as it is."""
    groups = list(dict.fromkeys(tuple(sorted(options)) for options, _ in varied if options))
    tables = []
    for names in groups:
        full = [options for options, _ in varied if tuple(sorted(options)) == names]
        known = {(name, options[name]) for options in full for name in names}
        rows = [
            (tuple(options.get(name, AS_IT_IS) for name in names), entrant)
            for options, entrant in varied
            if options.items() <= known
        ]
        if len(rows) > 1:
            rows.sort(key=lambda row: [_order(value) for value in row[0]])
            tables.append(Ablation(agent, names, tuple(rows)))
    return tables


def _order(value: str) -> tuple[int, float, str]:
    """Numbers by size, then words, then the agent as it is."""
    try:
        return 0, float(value), ""
    except ValueError:
        return (2, 0.0, "") if value == AS_IT_IS else (1, 0.0, value)
