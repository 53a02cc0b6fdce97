"""One goal found and one lost, with the words, the way on the plan, and what the agent saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from navproof.core.errors import NavproofError
from navproof.metrics import FAILURES, GoalResult, target_at
from navproof.reports.draw.frames import Studio, backdrop, encode
from navproof.reports.draw.plan import Walk, plan_svg
from navproof.reports.gather import Entrant, Gathered, Row
from navproof.reports.tables import show
from navproof.world.scene import Scene

__all__ = ["Example", "examples"]

_WIDTH, _QUALITY = 288, 78


@dataclass(frozen=True, slots=True)
class Example:
    """``uri`` is what the agent saw where the goal ended, "" where the scene cannot be loaded."""

    heading: str
    entrant: Entrant
    words: str
    tags: tuple[str, ...]
    what: str
    plan: str
    uri: str
    alt: str
    size: tuple[int, int]
    place: str
    believed: bool


def examples(g: Gathered, task: str, load_scene: Callable[[str], Scene]) -> list[Example]:
    """A success and a failure of the best agent that is given no ground truth (of the best one
    where all are): in the richest words, and of its most frequent failure."""
    able = [e for e in g.entrants if g.of(e, task)]
    entrant = next((e for e in able if not e.privileged), able[0])
    goals = [(row, goal) for row in g.of(entrant, task) for goal in row.goals if goal.revealed]
    won = [(row, goal) for row, goal in goals if goal.success]
    counts = Counter(goal.failure for _, goal in goals if not goal.success)
    common = min(counts, key=lambda name: (-counts[name], name), default="")
    lost = [(row, goal) for row, goal in goals if not goal.success and goal.failure == common]
    studio = Studio()
    return [
        _example(g, heading, entrant, *_richest(found), load_scene, studio)
        for heading, found in (("A goal found", won), ("A goal lost", lost))
        if found
    ]


def _richest(found: Sequence[tuple[Row, GoalResult]]) -> tuple[Row, GoalResult]:
    """The goal with most features in its words, then the longest way, then the first."""
    return min(
        found,
        key=lambda rg: (-rg[1].attributes, -(rg[1].shortest_m or 0.0), rg[0].key, rg[1].index),
    )


def _example(
    g: Gathered,
    heading: str,
    entrant: Entrant,
    row: Row,
    goal: GoalResult,
    load_scene: Callable[[str], Scene],
    studio: Studio,
) -> Example:
    trace = g.runs[entrant.run].trace(row.key)
    poses = trace.poses[goal.begin : goal.end + 1]
    scene: Scene | None = None
    uri, size = "", (0, 0)
    try:
        scene = load_scene(row.scene)
        picture = studio.views(scene, trace.spec, [poses[-1]], _WIDTH)[0]
        uri, size = encode(picture, _WIDTH, _QUALITY), (picture.shape[1], picture.shape[0])
    except NavproofError:
        scene = None  # the way is still drawn, and the words stand
    what = f"Found after {goal.steps} steps, SPL {show(goal.spl, 2)}."
    if not goal.success:
        left = "" if goal.left_m is None else f", {show(goal.left_m, 1)} m from a viewpoint"
        reason = f"{goal.failure}: {FAILURES[goal.failure]}"
        what = f"{reason[0].upper()}{reason[1:]}. Ended after {goal.steps} steps{left}."
    believed = target_at(trace, goal.end - 1)
    drawn = plan_svg(
        *(scene, poses[0], trace.episode.goals[goal.index : goal.index + 1], ()),
        [Walk(entrant.label, entrant.series, poses, goal.success)],
        trace.spec.success_m,
        f"Floor plan of {row.scene} with the way of {entrant.label} to: {goal.text}",
        backdrop(scene) if scene is not None and not scene.rooms else None,
        believed,
    )
    place = f"{row.key.episode_id}, goal {goal.index + 1} of {len(row.goals)}"
    alt = f"What {entrant.label} saw when the goal ended"
    tags = tuple(goal.tags)
    return Example(
        *(heading, entrant, goal.text, tags, what, drawn, uri, alt, size, place),
        believed is not None,
    )
