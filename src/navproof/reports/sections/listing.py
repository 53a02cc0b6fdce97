"""Every episode of a report in one list: what the page's script sorts, filters and opens.

The list is data (JSON), not markup: thousands of episodes under dozens of conditions stay small.
Frames are not in it. A row has the command that makes them, and a link to the file that it writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from navproof.core.errors import NavproofError
from navproof.log import TraceKey
from navproof.metrics import METRICS
from navproof.reports.draw.plan import View, floor_svg
from navproof.reports.gather import OUTCOMES, Gathered, Row, Way
from navproof.reports.page_data import page_data
from navproof.reports.sections.stories import Story
from navproof.reports.tables import columns_of, digits, task_title
from navproof.world.scene import Scene

__all__ = ["Listing", "listing"]

_ROOM = 1_400_000  # characters of a list with plans and ways; without them it has what it needs
_MOST = 20_000
_FEW = ("spl", "goal_sr", "steps", "navigation_error_m")
_FAILED = "did not succeed"


@dataclass(frozen=True, slots=True)
class Listing:
    """``data`` is JSON for the script, safe inside a page; ``note`` what is left out of it."""

    data: str
    rows: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    """One episode under one condition by one agent; ``row`` where its trace was looked at."""

    entrant: int
    key: TraceKey
    result: Mapping[str, Any]
    row: Row | None


def listing(g: Gathered, load_scene: Callable[[str], Scene], stories: Sequence[Story]) -> Listing:
    """All episodes of all runs. ``stories`` are shown in full on the same page."""
    lines = list(_lines(g))
    left_out = len(lines) - _MOST
    note = "" if left_out <= 0 else f"{left_out} more are in the runs' results.parquet."
    lines = lines[:_MOST]
    names = [m.name for m in columns_of(g)]
    few = [name for name in names if name in _FEW]
    plans = _plans(lines, load_scene)
    data = ""
    for columns, drawn, floors in ((names, True, plans), (names, False, {}), (few, False, {})):
        told = _told(g, lines, columns, floors, stories, drawn)
        data = page_data(told)
        if len(data) <= _ROOM:
            break
        note = note or "There are too many to draw a plan of each: the command below makes one."
    return Listing(data, len(lines), note)


def _lines(g: Gathered) -> Iterator[_Line]:
    """The rows of a report, and what was run under other conditions, in the order of agents."""
    lines = [_Line(r.entrant, r.key, r.result, r) for r in g.rows]
    runs = {e.series: e.run for e in g.entrants}
    there = {(runs[line.entrant], line.key) for line in lines}
    for trial in g.trials:
        if (runs[trial.entrant], trial.key) not in there:
            lines.append(_Line(trial.entrant, trial.key, trial.result, None))
    lines.sort(key=lambda one: (one.entrant, one.key.condition != "clean", one.key))
    yield from lines


class _Values:
    """Words that repeat, by number."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}

    def __call__(self, word: str) -> int:
        return self.words.setdefault(word, len(self.words))


def _told(
    g: Gathered,
    lines: Sequence[_Line],
    names: Sequence[str],
    plans: Mapping[tuple[str, float], tuple[View, str]],
    stories: Sequence[Story],
    drawn: bool,
) -> dict[str, Any]:
    agents, tasks, scenes, conditions, outcomes, reasons = (_Values() for _ in range(6))
    metrics = [METRICS.get(name) or g.metrics.metrics[name] for name in names]
    places = {place: index for index, place in enumerate(plans)}
    full = {(s.task, s.scene, s.episode_id): s.number for s in stories}
    rows, details = [], []
    for line in lines:
        result, entrant = line.result, g.entrants[line.entrant]
        task, scene = str(result["task"]), str(result["scene"])
        rows.append(
            [
                line.key.episode_id,
                agents(_agent(g, line)),
                tasks(task_title(task)),
                scenes(scene),
                conditions(line.key.condition),
                outcomes(_outcome(line)),
                reasons(str(result.get("reason") or "")),
                *(_rounded(result.get(m.name), digits(m)) for m in metrics),
            ]
        )
        way = line.row.way if line.row is not None and drawn else None
        detail: dict[str, Any] = {"r": entrant.run, "s": entrant.series % 8}
        if line.key.seed:
            detail["d"] = line.key.seed
        if number := full.get((task, scene, line.key.episode_id)):
            detail["n"] = number
        if way is not None and (place := places.get((scene, way.floor_m))) is not None:
            view = plans[scene, way.floor_m][0]
            detail |= {"p": place, "w": _flat(view, way.points), "g": _flat(view, way.goals)}
        details.append(detail)
    picks = {"Agent": agents, "Task": tasks, "Scene": scenes, "Condition": conditions}
    picks |= {"Outcome": outcomes, "Reason": reasons}
    columns: list[dict[str, Any]] = [{"name": "Episode"}]
    columns += [{"name": name, "values": list(v.words)} for name, v in picks.items()]
    for at, m in enumerate(metrics, len(columns)):
        whole = m.better == "lower" and all(isinstance(row[at], int | None) for row in rows)
        unit = f" ({m.unit})" if m.unit else ""
        columns.append({"name": m.label + unit, "number": 0 if whole else digits(m)})
    shown = [0, *(1 + i for i, v in enumerate(picks.values()) if len(v.words) > 1 or i in (0, 4))]
    shown += [7 + i for i, name in enumerate(names) if name in _FEW]
    return {
        "columns": columns,
        "shown": shown,
        "rows": rows,
        "details": details,
        "plans": [
            {"w": round(v.width, 1), "h": round(v.height, 1), "g": s} for v, s in plans.values()
        ],
        "runs": [{"run": str(run.path), "name": _safe(run.path.name)} for run in g.runs],
        "asked": [line.key.agent for line in lines] if len(agents.words) > 1 else [],
        "agent": lines[0].key.agent if lines else "",
    }


def _agent(g: Gathered, line: _Line) -> str:
    """The label of an agent, without the condition that stands in a column of its own."""
    entrant = g.entrants[line.entrant]
    return entrant.label.replace(f" · {entrant.condition}", "", 1)


def _outcome(line: _Line) -> str:
    """How it ended; of an episode whose trace was not looked at, whether it succeeded."""
    if line.row is not None:
        return OUTCOMES[line.row.outcome]
    status = str(line.result.get("status") or "ok")
    if status != "ok":
        return OUTCOMES.get(status, status)
    return OUTCOMES["success"] if line.result.get("success") else _FAILED


def _rounded(value: Any, decimals: int) -> float | int | None:
    if value is None:
        return None
    number = round(float(value), decimals)
    return int(number) if number == int(number) else number


def _flat(view: View, points: Sequence[tuple[float, float]]) -> list[int]:
    return [round(c) for x, y in points for c in view(x, y)]


def _safe(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name) or "run"


def _plans(
    lines: Sequence[_Line], load_scene: Callable[[str], Scene]
) -> dict[tuple[str, float], tuple[View, str]]:
    """The floors on which episodes begin, drawn; a scene that cannot be loaded has none."""
    ways: dict[str, list[Way]] = {}
    for line in lines:
        if line.row is not None and line.row.way is not None:
            ways.setdefault(str(line.result["scene"]), []).append(line.row.way)
    plans: dict[tuple[str, float], tuple[View, str]] = {}
    size = 0
    for name in sorted(ways):
        if size > _ROOM:
            break
        try:
            scene = load_scene(name)
        except NavproofError:
            continue
        for floor_m in sorted({way.floor_m for way in ways[name]}):
            if (drawn := floor_svg(scene, floor_m)) is not None:
                plans[name, floor_m] = drawn
                size += len(drawn[1])
    return plans
