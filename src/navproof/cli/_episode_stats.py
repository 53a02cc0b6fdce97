"""``navproof episodes stats``: what a set of episodes holds, in numbers and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from navproof.cli._output import console, print_json, print_table

if TYPE_CHECKING:
    from navproof.types import Episode

__all__ = ["show_stats"]


def show_stats(
    names: Sequence[str],
    load: Callable[[str], tuple[Episode, ...]],
    output: Path | None,
    json: bool,
) -> None:
    """Count each set, and all together where there are several; print, and write the page."""
    from navproof.report.dataset_stats import measure

    loaded = {name: load(name) for name in dict.fromkeys(names)}
    short = len({Path(name).name for name in loaded}) == len(loaded)
    sets = [measure(Path(n).name if short else n, loaded[n]) for n in loaded]
    if len(sets) > 1:
        sets.append(measure("overall", [e for episodes in loaded.values() for e in episodes]))
    if json:
        print_json([s.plain() for s in sets])
    else:
        tables = {s.name: s.table() for s in sets}
        rows: list[dict[str, Any]] = [
            {"": row, **{name: _rounded(table[row]) for name, table in tables.items()}}
            for row in sets[0].table()
        ]
        print_table("episodes", rows)
        features = list(dict.fromkeys(f for s in sets for f in s.by_feature))
        if any(s.features for s in sets):
            shares: list[dict[str, Any]] = [
                {"descriptions with": f, **{s.name: s.by_feature.get(f, 0) for s in sets}}
                for f in features
            ]
            print_table("linguistic features", shares)
    if output is not None:
        from navproof.report.dataset_page import write_stats

        written = write_stats(sets, output)
        if not json:
            console.print(f"{len(written)} files → {output} (open {output / 'index.html'})")


def _rounded(value: float | None) -> Any:
    """Means with one decimal, as text, so that counts and they can stand in one column."""
    return f"{value:.1f}" if isinstance(value, float) else value
