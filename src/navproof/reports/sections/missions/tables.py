"""The tables of missions: every row an agent on a robot, in per cent with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from navproof.metrics import METRICS, Interval
from navproof.metrics.missions.failures import MODES
from navproof.metrics.missions.pauses import BEHAVIOURS
from navproof.metrics.missions.table import COLUMNS, KINDS, RELEASED, MissionRow
from navproof.reports.gather import Entrant
from navproof.reports.sections.langnav.section import GoalCell, percent

__all__ = ["Grid", "GridLine", "Head", "MissionTables"]

_KIND_HELP = {
    "goto_room": "inside the room, within 3 m of its goal",
    "goto_landmark": "within 3 m of the landmark, in its room",
    "goto_object": "within 1 m of the object",
    "goto_point": "within 0.36 m of the point",
    "return_to": "within 2 m of the place, after having left it",
    "follow_human": "1 to 3 m behind the person, within 60°, when she has stopped for good",
}


@dataclass(frozen=True, slots=True)
class Head:
    """A column: its name, what it means, whether "higher" or "lower" is better ("": neither)."""

    name: str
    help: str
    better: str = ""


@dataclass(frozen=True, slots=True)
class GridLine:
    """One row: an agent, what else it is grouped by (robot, style), over how many, and cells."""

    entrant: Entrant
    names: tuple[str, ...]
    count: int
    cells: tuple[GoalCell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. ``by`` names what stands beside the agent; ``of`` what is counted."""

    title: str
    note: str
    by: tuple[str, ...]
    of: str
    heads: tuple[Head, ...]
    lines: tuple[GridLine, ...]


@dataclass(frozen=True)
class MissionTables:
    """Makes the tables; ``entrants`` give the agents' labels their series."""

    entrants: Sequence[Entrant]

    def metrics(self, rows: Sequence[MissionRow]) -> Grid:
        note = (
            "Per cent. SR: stopped within 2 m of the last goal. full-SR: with every sub-task done "
            "in order as well. CSR: share of the sub-tasks done. SGC: mean progress of sub-tasks. "
            "HFS, HFR, SII and EQA-ACC are over the missions that have somebody to follow, "
            "somebody to keep away from, a question. Bold is the best on a robot."
        )
        return self._grid(
            "By robot", note, ("robot",), "missions", rows, _scores(COLUMNS),
            lambda row: [row.scores[name] for name in COLUMNS], ("robot",),
        )  # fmt: skip

    def released(self, rows: Sequence[MissionRow]) -> Grid:
        note = "The same episodes as the released code of OmniNavBench counts them; per cent."
        return self._grid(
            "As the released code counts", note, ("robot",), "missions", rows, _scores(RELEASED),
            lambda row: [row.released[name] for name in RELEASED], ("robot",),
        )  # fmt: skip

    def styles(self, rows: Sequence[MissionRow]) -> Grid:
        note = (
            "The same missions in other words, per cent. Bold is an agent’s best style on a robot. "
            "A style is part of an episode’s condition: it is never averaged with another."
        )
        return self._grid(
            "By style of the instruction", note, ("robot", "style"), "missions", rows,
            _scores(COLUMNS), lambda row: [row.scores[name] for name in COLUMNS],
            ("agent", "robot"),
        )  # fmt: skip

    def failures(self, rows: Sequence[MissionRow]) -> Grid:
        used = [m for m in MODES if m not in _BROKEN or any(r.failures[m].mean for r in rows)]
        heads = [Head("failed", "1 − SR"), *(Head(mode, MODES[mode]) for mode in used)]
        note = "Per cent of all missions; with SR they sum to 100."
        return self._grid(
            "How missions failed", note, ("robot",), "missions", rows, heads,
            lambda row: [_failed(row), *(row.failures[mode] for mode in used)],
        )  # fmt: skip

    def scenes(self, rows: Sequence[MissionRow]) -> Grid:
        shown = ("full_sr", "csr", "sgc", "oracle_success", "spl")
        return self._grid(
            "Homes and commercial spaces", "Per cent.", ("robot", "scenes"), "missions", rows,
            [Head("failed", "1 − SR"), *_scores(shown)],
            lambda row: [_failed(row), *(row.scores[name] for name in shown)],
        )  # fmt: skip

    def pauses(self, rows: Sequence[MissionRow]) -> Grid:
        heads = [Head(name, meaning) for name, meaning in BEHAVIOURS.items()]
        note = (
            "What the robot did while the person whom it follows rested between two movements; per "
            "cent of these pauses. The limits between the behaviours are ours (the paper gives "
            "none): 1 m and 3 m away, ±60°, 0.5 m past her."
        )
        return self._grid(
            "In pauses", note, ("robot",), "pauses", rows, heads,
            lambda row: list(row.pauses.values()), count=lambda row: row.windows,
        )  # fmt: skip

    def kinds(self, rows: Sequence[MissionRow]) -> Grid:
        used = [kind for kind in KINDS if any(row.done[kind].n for row in rows)]
        heads = [Head(kind.replace("_", " "), _KIND_HELP[kind]) for kind in used]
        heads += [Head(f"{h.name}: progress", "mean progress (P of SGC)") for h in heads]
        note = (
            "Per cent of the sub-tasks of a kind that were done, in their order: one that never "
            "came into force counts as not done. Then the mean progress of the same sub-tasks."
        )
        return self._grid(
            "By kind of sub-task", note, ("robot",), "missions", rows, heads,
            lambda row: [*(row.done[k] for k in used), *(row.progress[k] for k in used)],
        )  # fmt: skip

    def _grid(
        self, title: str, note: str, by: tuple[str, ...], of: str, rows: Sequence[MissionRow],
        heads: Sequence[Head], values: Callable[[MissionRow], Sequence[Interval]],
        within: tuple[str, ...] = (), count: Callable[[MissionRow], int] | None = None,
    ) -> Grid:  # fmt: skip
        """``within``: what the rows have in common among which the best of a column is marked;
        without it none is."""
        table = [values(row) for row in rows]
        groups: dict[tuple[str, ...], list[Sequence[Interval]]] = {}
        for row, line in zip(rows, table, strict=True):
            groups.setdefault(tuple(row.group[name] for name in within), []).append(line)
        known = {e.label: e for e in self.entrants}
        lines = []
        for row, line in zip(rows, table, strict=True):
            others = groups[tuple(row.group[name] for name in within)]
            tops = [
                _best(head.better, column) if within else None
                for head, column in zip(heads, zip(*others, strict=True), strict=True)
            ]
            cells = tuple(_cell(i, top) for i, top in zip(line, tops, strict=True))
            names = tuple(_named(name, row.group[name]) for name in by)
            n = row.episodes if count is None else count(row)
            lines.append(GridLine(known[row.group["agent"]], names, n, cells))
        return Grid(title, note, by, of, tuple(heads), tuple(lines))


_BROKEN = ("agent failure", "environment failure")


def _scores(names: Iterable[str]) -> list[Head]:
    shown = [METRICS[name] for name in names]
    return [Head(m.label, m.definition, m.better) for m in shown]


def _named(what: str, value: str) -> str:
    if what == "robot" and value.isidentifier():
        return value.title()
    return value.replace("_", " ")


def _failed(row: MissionRow) -> Interval:
    i = row.scores["success"]
    return replace(i, mean=1.0 - i.mean, low=1.0 - i.high, high=1.0 - i.low)


def _best(better: str, column: Sequence[Interval]) -> float | None:
    means = [i.mean for i in column if i.n]
    if not better or len(means) < 2 or min(means) == max(means):
        return None
    return max(means) if better == "higher" else min(means)


def _cell(i: Interval, top: float | None) -> GoalCell:
    if not i.n:
        return GoalCell(None)
    limits = f"{percent(i.low, 0)}–{percent(i.high, 0)}"
    return GoalCell(percent(i.mean), limits, i.n, top is not None and i.mean == top)
