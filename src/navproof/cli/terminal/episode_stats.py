"""``navproof episodes stats``: what a set of episodes holds, in numbers and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from navproof.cli.terminal.output import console, print_json, print_table

if TYPE_CHECKING:
    from navproof.core.types import Episode

__all__ = ["show_stats"]


def show_stats(
    names: Sequence[str],
    load: Callable[[str], tuple[Episode, ...]],
    output: Path | None,
    json: bool,
) -> None:
    """Count each set, and all together where there are several; print, and write the page."""
    from navproof.reports.dataset.mission_stats import MissionStats, are_missions, measure_missions
    from navproof.reports.dataset.stats import DatasetStats, measure

    loaded = {name: load(name) for name in dict.fromkeys(names)}
    short = len({Path(name).name for name in loaded}) == len(loaded)
    missions = all(are_missions(episodes) for episodes in loaded.values())
    count: Callable[[str, Sequence[Episode]], DatasetStats | MissionStats]
    count = measure_missions if missions else measure
    sets = [count(Path(n).name if short else n, loaded[n]) for n in loaded]
    if len(sets) > 1:
        sets.append(count("overall", [e for episodes in loaded.values() for e in episodes]))
    if json:
        print_json([s.plain() for s in sets])
    else:
        tables = {s.name: s.table() for s in sets}
        rows: list[dict[str, Any]] = [
            {"": row, **{name: _rounded(table[row]) for name, table in tables.items()}}
            for row in sets[0].table()
        ]
        print_table("episodes", rows)
        _print_counts(sets)
    if output is not None:
        from navproof.reports.dataset.page import write_stats

        written = write_stats(sets, output)
        if not json:
            console.print(f"{len(written)} files → {output} (open {output / 'index.html'})")


def _print_counts(sets: Sequence[Any]) -> None:
    """How often each linguistic feature, or each skill, occurs."""
    for title, head, attribute in (
        ("linguistic features", "descriptions with", "by_feature"),
        ("skills", "sub-instructions of", "by_skill"),
    ):
        counts = {s.name: getattr(s, attribute, {}) for s in sets}
        if any(n for held in counts.values() for n in held.values()):
            names = dict.fromkeys(name for held in counts.values() for name in held)
            rows: list[dict[str, Any]] = [
                {head: name, **{s: held.get(name, 0) for s, held in counts.items()}}
                for name in names
            ]
            print_table(title, rows)


def _rounded(value: float | None) -> Any:
    """Means with one decimal, as text, so that counts and they can stand in one column."""
    return f"{value:.1f}" if isinstance(value, float) else value
