"""One short episode of each task in the two-room flat of ``navproof.testing``."""

from __future__ import annotations

import math
from dataclasses import replace

from navproof.core.types import Episode, Goal, Instruction, Point, Pose, Question, SubTask, Walk
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks.specs import spec_for
from navproof.testing import tiny_scene
from navproof.world.people.people import APPEARANCES

__all__ = ["tiny_episode", "tiny_simulator"]

_WORDS = "Walk past the red table, go through the doorway and stop at the blue chair."
_MISSION = (
    "Go to the bedroom and find the blue chair, then come back to where you started. "
    "What colour is the table?"
)
_THINGS = ("chair", "table")
_BELOW_TABLE: tuple[Point, ...] = ((-2.4, 2.4, 0.0), (-2.0, 2.4, 0.0), (-1.6, 2.4, 0.0))
_START = Pose(-3.0, 1.0, 0.0, 0.0)


def tiny_simulator(task: str) -> EmbeddedSimulator:
    """The flat, loaded with the body of a task."""
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), spec_for(task).robot)
    return sim


def _around_chair(sim: EmbeddedSimulator) -> tuple[Point, ...]:
    """Navigable points of a 0.15 m grid, at most 1 m from the chair (all of them see it)."""
    chair = next(o for o in sim.scene.objects if o.category == "chair").box
    grid = ((0.15 * col, 0.15 * row) for row in range(14, 27) for col in range(5, 22))
    near = (
        (round(x, 4), round(y, 4), 0.0)
        for x, y in grid
        if math.hypot(
            max(0.0, abs(x - chair.centre[0]) - chair.size[0] / 2),
            max(0.0, abs(y - chair.centre[1]) - chair.size[1] / 2),
        )
        <= 1.0
    )
    return tuple(point for point in near if sim.is_navigable(point))


def tiny_episode(task: str, sim: EmbeddedSimulator, budget_steps: int = 60) -> Episode:
    """From the west room through the doorway into the east room, to its blue chair (VLN,
    ObjectNav), to a point behind the wall (PointNav), or to the chair and back to the table
    (LangNav, ``budget_steps`` for both together), or into the room, to the chair and back to where
    it started, while somebody walks about there (missions)."""
    positions: tuple[Point, ...] = ((3.0, 1.2, 0.0) if task == "pointnav-v1" else (2.0, 2.6, 0.0),)
    goals: tuple[Goal, ...] = (Goal("point", positions),)
    if task in ("objectnav-v1", "langnav-v1", "mission-v1"):
        positions = _around_chair(sim)
        goals = (Goal("object", positions, category="chair"),)
    if task == "langnav-v1":
        chair, table = (next(o for o in sim.scene.objects if o.category == c) for c in _THINGS)
        goals = (
            replace(goals[0], object_ids=(chair.id,), text="Find the blue chair."),
            Goal("object", _BELOW_TABLE, "table", (table.id,), "Find the red table."),
        )
    sim.place(_START)
    episode = Episode(
        episode_id=f"tiny-{task}",
        task=task,
        scene="tiny",
        start=_START,
        goals=goals,
        geodesic_m=round(sim.geodesic(_START.point, positions), 4),
        reference_path=sim.shortest_path(_START.point, positions),
        budget_steps=budget_steps,
        seed=7,
        instruction=Instruction(_WORDS) if task == "vln-v1" else None,
    )
    return _mission(episode) if task == "mission-v1" else episode


def _mission(episode: Episode) -> Episode:
    (chair,) = episode.goals
    bedroom = Goal("room", ((2.0, 2.0, 0.0),), text="the bedroom")
    home = Goal("point", (_START.point,), text="where you started")
    passer = Walk("p1", next(iter(APPEARANCES)), ((3.4, 3.4, 2.0), (3.4, 1.4, 0.0)))
    return replace(
        episode,
        instruction=Instruction(_MISSION),
        goals=(home,),
        geodesic_m=round(2.0 * episode.geodesic_m, 4),
        reference_path=(*episode.reference_path, *episode.reference_path[-2::-1]),
        people=(passer,),
        subtasks=(
            SubTask("goto_room", "go to the bedroom", bedroom, 3.0, rooms=(1,)),
            SubTask("goto_object", "find the blue chair", chair, 1.0),
            SubTask("return_to", "come back to where you started", home, 2.0),
        ),
        question=Question("What colour is the table?", "colour", "red"),
    )
