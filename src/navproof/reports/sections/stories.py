"""Chosen episodes in full: every agent's path on one plan, and what it saw along the way."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from navproof.core.errors import NavproofError
from navproof.log import Trace
from navproof.metrics import VIEWPOINT_M, GoalResult
from navproof.reports.draw.charts import Curve, curves
from navproof.reports.draw.frames import Image, Studio, backdrop, encode, spread
from navproof.reports.draw.plan import Leg, Walk, plan_svg
from navproof.reports.gather import OUTCOMES, Entrant, Gathered, Row
from navproof.reports.sections.choose import Candidate, Chosen, choose
from navproof.reports.tables import show, task_title
from navproof.world.scene import Scene

__all__ = ["Line", "Shot", "Story", "StoryGoal", "legs_of", "pick", "tell"]

FRAMES = 5
_WIDTH = 288
_SIZES = ((288, 80), (240, 74), (192, 68), (144, 62), (112, 55))  # width, JPEG quality
_MOST_AGENTS = 8
_MOST_IN_SEQUENCE = 4  # paths to several goals are long: more of them are a tangle


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: ``uri`` is a JPEG data URI; ``number`` stands on the plan too (of several goals,
    the number of the goal that ended there)."""

    number: int
    step: int
    caption: str
    alt: str
    uri: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class StoryGoal:
    """One of several goals: its words, and the linguistic features in them."""

    number: int
    text: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """What one agent did in the episode; ``goals`` says it of each of several: (found, what
    happened, small print)."""

    entrant: Entrant
    success: bool
    how: str
    spl: str
    steps: int
    path: str
    error: str
    shots: tuple[Shot, ...]
    goals: tuple[tuple[bool, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    number: int
    why: str
    task: str
    title: str
    scene: str
    episode_id: str
    instruction: str
    shortest: str
    plan: str
    chart: str
    last_step: int
    lines: tuple[Line, ...]
    note: str
    replay: str
    viewpoints: bool
    goals: tuple[StoryGoal, ...] = ()


def pick(g: Gathered, count: int) -> list[Chosen]:
    """Choose telling episodes; an agent's value is its soft-SPL, halved when it failed, or the
    mean of success and SPL over several goals."""
    groups: dict[tuple[str, str, str], dict[int, Row]] = {}
    for row in g.rows:
        place = (row.task, row.scene, row.key.episode_id)
        groups.setdefault(place, {}).setdefault(row.entrant, row)
    candidates = [
        Candidate(*place, tuple(_worth(r) for r in rows.values()), max(_lengths(rows.values())))
        for place, rows in sorted(groups.items())
    ]
    return choose(candidates, count)


def _worth(row: Row) -> float:
    if row.goals:
        return (float(row.result["goal_sr"]) + float(row.result["goal_spl"])) / 2
    soft = float(row.result.get("soft_spl") or 0.0)
    return soft if row.outcome == "success" else 0.5 * soft


def _lengths(rows: Iterable[Row]) -> list[float]:
    return [r.geodesic_m for r in rows if math.isfinite(r.geodesic_m)] or [0.0]


def tell(
    g: Gathered,
    chosen: Sequence[Chosen],
    load_scene: Callable[[str], Scene],
    room: int = 3_200_000,
) -> list[Story]:
    """Load the chosen traces, render their frames again and draw their plans.

    A scene that cannot be loaded costs its pictures, not the report. Frames are encoded as large
    as ``room`` allows (characters of all pictures together), and left out where even small ones
    are too many.
    """
    studio = Studio()
    drafts = [_Draft(g, c, load_scene, studio) for c in chosen]
    encoded: dict[int, list[str]] = {}
    for width, quality in _SIZES:
        encoded = {i: [encode(p, width, quality) for p in d.pictures] for i, d in enumerate(drafts)}
        if sum(len(uri) for uris in encoded.values() for uri in uris) <= room:
            break
    else:
        encoded = {i: [] for i in range(len(drafts))}
    return [d.finish(i + 1, encoded[i]) for i, d in enumerate(drafts)]


class _Draft:
    """One episode on its way to a ``Story``: the pictures come first, their encoding later."""

    def __init__(
        self, g: Gathered, chosen: Chosen, load_scene: Callable[[str], Scene], studio: Studio
    ) -> None:
        self.g, self.chosen = g, chosen
        found = _first_rows(g, chosen)
        most = _MOST_IN_SEQUENCE if found[0].goals else _MOST_AGENTS
        self.rows, left_out = found[:most], len(found) - most
        self.traces = [g.runs[g.entrants[r.entrant].run].trace(r.key) for r in self.rows]
        self.stops = [_stops(r, t) for r, t in zip(self.rows, self.traces, strict=True)]
        self.pictures: list[Image] = []
        self.scene: Scene | None = None
        self.note = f"The {most} best agents are shown, of {len(found)}." if left_out > 0 else ""
        try:
            self.scene = load_scene(chosen.scene)
            for trace, stops in zip(self.traces, self.stops, strict=True):
                self.pictures += studio.moments(self.scene, trace, stops, _WIDTH)
        except NavproofError as error:
            self.pictures = []
            self.note = f"No frames: {error}"

    def finish(self, number: int, uris: Sequence[str]) -> Story:
        episode, spec = self.traces[0].episode, self.traces[0].spec
        lines, walks, used = [], [], 0
        for row, trace, stops in zip(self.rows, self.traces, self.stops, strict=True):
            entrant = self.g.entrants[row.entrant]
            shots: list[Shot] = []
            if uris:
                pictures = self.pictures[used : used + len(stops)]
                mine = uris[used : used + len(stops)]
                shots = _shots(entrant.label, row, trace, stops, pictures, mine)
                used += len(stops)
            lines.append(_line(entrant, row, trace, shots))
            won, legs = row.outcome == "success", legs_of(row)
            numbered = () if legs else stops
            walks.append(Walk(entrant.label, entrant.series, trace.poses, won, numbered, legs))
        words = episode.instruction.text if episode.instruction else episode.goals[0].text
        goals = self.rows[0].goals
        label = f"Floor plan of {episode.scene} with the goal and the paths: " + "; ".join(
            f"{line.entrant.label} {line.how}, {line.path} m in {line.steps} steps"
            for line in lines
        )
        behind = backdrop(self.scene) if self.scene is not None and not self.scene.rooms else None
        drawn = plan_svg(
            *(self.scene, episode.start, episode.goals, episode.reference_path, walks),
            *(spec.success_m, label, behind),
        )
        lengths = [len(t.distances_m) for t in self.traces]
        chart = curves(
            [
                Curve(self.g.entrants[r.entrant].label, r.entrant, t.distances_m)
                for r, t in zip(self.rows, self.traces, strict=True)
            ],
            "step",
            "distance to the goal in force, metres" if goals else "distance to the goal, metres",
            VIEWPOINT_M if goals else spec.success_m,
        )
        run = self.g.runs[self.g.entrants[self.rows[0].entrant].run]
        return Story(
            *(number, self.chosen.why, episode.task, task_title(episode.task), episode.scene),
            *(episode.episode_id, words, show(episode.geodesic_m, 1), drawn, chart),
            *(max(lengths) - 1, tuple(lines), self.note),
            f"navproof replay {run.path} {episode.episode_id} -o replay.mp4",
            any(len(goal.positions) > 1 for goal in episode.goals),
            tuple(StoryGoal(g.index + 1, g.text, tuple(g.tags)) for g in goals),
        )


def legs_of(row: Row) -> tuple[Leg, ...]:
    """The ways to the goals of an episode that has several, as a plan draws them."""
    return tuple(Leg(g.index + 1, g.begin, g.end, g.success) for g in row.goals if g.revealed)


def _stops(row: Row, trace: Trace) -> tuple[int, ...]:
    """Where to look: along the way, or where each of several goals ended."""
    if not row.goals:
        return spread(len(trace.poses) - 1, FRAMES)
    return tuple(dict.fromkeys((0, *(g.end for g in row.goals if g.revealed))))


def _first_rows(g: Gathered, chosen: Chosen) -> list[Row]:
    """One row per entrant, the first seed; all of the same problem as the first of them."""
    place = (chosen.task, chosen.scene, chosen.episode_id)
    rows: dict[int, Row] = {}
    for row in g.rows:
        if (row.task, row.scene, row.key.episode_id) == place:
            rows.setdefault(row.entrant, row)
    ordered = [rows[i] for i in sorted(rows)]
    return [r for r in ordered if r.problem == ordered[0].problem]


def _line(entrant: Entrant, row: Row, trace: Trace, shots: Sequence[Shot]) -> Line:
    error = row.result.get("navigation_error_m")
    return Line(
        entrant,
        row.outcome == "success",
        OUTCOMES[row.outcome],
        show(float(row.result["spl"]), 2),
        len(trace.actions),
        show(float(row.result["path_length_m"]), 1),
        "–" if error is None else show(float(error), 2),
        tuple(shots),
        tuple(_goal_cell(goal) for goal in row.goals),
    )


def _goal_cell(goal: GoalResult) -> tuple[bool, str, str]:
    if goal.success:
        return True, "found", f"SPL {show(goal.spl, 2)}, {goal.steps} steps"
    return False, goal.failure, f"{goal.steps} steps" if goal.revealed else "never tried"


def _shots(
    label: str,
    row: Row,
    trace: Trace,
    stops: Sequence[int],
    pictures: Sequence[Image],
    uris: Sequence[str],
) -> list[Shot]:
    shots = []
    first = 0 if row.goals else 1  # the start, then a frame where each of several goals ended
    for number, (step, picture, uri) in enumerate(zip(stops, pictures, uris, strict=True), first):
        distance = trace.distances_m[step]
        away = f"{distance:.1f} m to go" if math.isfinite(distance) else "goal out of reach"
        if row.goals and number:
            away = _goal_cell(row.goals[number - 1])[1]
        alt = f"What {label} saw at step {step}, {away}"
        rows, columns = picture.shape[:2]
        shots.append(Shot(number, step, f"step {step} · {away}", alt, uri, columns, rows))
    return shots
