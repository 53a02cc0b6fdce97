"""The charts of missions: ways to fail, homes against commercial spaces, styles and pauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from navproof.language.missions.wordings import ORIGINAL, OTHER_STYLES
from navproof.metrics.missions.pauses import BEHAVIOURS
from navproof.metrics.missions.table import MissionResult, MissionRow, mission_table
from navproof.reports.draw.charts import Bar, Profile, Whisker, profiles, stacked, whiskers
from navproof.reports.gather import Entrant
from navproof.reports.sections.trust.charts import Web, radar
from navproof.reports.tables import Figure

__all__ = [
    "BEHAVIOUR_STYLES",
    "failure_radars",
    "pause_bars",
    "scene_rates",
    "style_profiles",
]

_RAYS = ("premature stop", "drift", "fall", "out of time", "stuck")
"""Round the radar, the longest name on top."""
BEHAVIOUR_STYLES: Mapping[str, str] = {
    "correct wait": "f-found",
    "abandon": "f-out-of-time",
    "intrusion": "f-wrong-detection",
    "overshoot": "f-wrong-goal-on-map",
}
"""The class in the style sheet of each behaviour."""
_SCENES = ("home", "commercial")


def failure_radars(rows: Iterable[MissionRow], entrants: Sequence[Entrant]) -> tuple[Figure, ...]:
    """One radar per robot, a web per agent: the share of its missions that failed in each way."""
    by_robot: dict[str, dict[str, MissionRow]] = {}
    for row in rows:
        by_robot.setdefault(row.group["robot"], {})[row.group["agent"]] = row
    figures = []
    for robot, found in by_robot.items():
        webs = [
            Web(e.label, e.series, tuple(found[e.label].failures[mode].mean for mode in _RAYS))
            for e in entrants
            if e.label in found
        ]
        chart = radar(_RAYS, webs, f"Share of missions on {robot}", "way to fail")
        most = max(row.episodes for row in found.values())
        figures.append(Figure(_robot(robot), f"{most} missions", chart))
    return tuple(figures)


def scene_rates(rows: Iterable[MissionRow], entrants: Sequence[Entrant]) -> Figure:
    """Failure rates of homes and commercial spaces side by side."""
    series = {e.label: e.series for e in entrants}
    groups: dict[str, list[Whisker]] = {}
    for row in rows:
        agent, i = row.group["agent"], row.scores["success"]
        marks = groups.setdefault(f"{agent} · {_robot(row.group['robot'])}", [])
        label = f"{row.group['scenes']} ({row.episodes})"
        marks.append(Whisker(label, series[agent], 1 - i.mean, 1 - i.high, 1 - i.low))
    caption = "failure rate (1 − SR), mean and 95 % interval"
    note = "In brackets: missions. Lower is better."
    return Figure("Failure rate by place", note, whiskers(list(groups.items()), caption))


def style_profiles(
    results: Sequence[MissionResult], entrants: Sequence[Entrant]
) -> tuple[Figure, ...]:
    """SR and SGC by style, over all robots."""
    table = mission_table(results, ("agent", "style"))
    found = {(row.group["agent"], row.group["style"]): row for row in table}
    styles = [s for s in (ORIGINAL, *OTHER_STYLES) if any(style == s for _, style in found)]
    agents = [e for e in entrants if any(agent == e.label for agent, _ in found)]
    figures = []
    for name, title in (("success", "SR"), ("sgc", "SGC")):
        lines = []
        for e in agents:
            held = [found.get((e.label, style)) for style in styles]
            intervals = [row.scores[name] if row else None for row in held]
            values = tuple((i.mean, i.low, i.high) if i and i.n else None for i in intervals)
            lines.append(Profile(e.label, e.series, values))
        places = [style.replace("_", " ") for style in styles]
        chart = profiles(lines, places, "style of the instruction", title)
        figures.append(Figure(f"{title} by style", "Over all robots.", chart))
    return tuple(figures)


def pause_bars(rows: Sequence[MissionRow]) -> Figure:
    """What robots did in pauses, counted."""
    bars = [
        Bar(
            f"{row.group['agent']} · {_robot(row.group['robot'])}",
            tuple(round(i.mean * row.windows) for i in row.pauses.values()),
        )
        for row in rows
    ]
    styles = [(BEHAVIOUR_STYLES[name], name) for name in BEHAVIOURS]
    chart = stacked(bars, styles, "share of the pauses")
    return Figure("What robots did in pauses", "The numbers are pauses.", chart)


def _robot(name: str) -> str:
    return name.title() if name.isidentifier() else name
