"""What the tiny episodes of tasks have in common: the two-room flat of ``navproof.testing``."""

from __future__ import annotations

import math

from navproof.core.types import Episode, Goal, Point, Pose
from navproof.sim.protocol import Simulator

__all__ = ["TINY_START", "around_chair", "tiny_way"]

TINY_START = Pose(-3.0, 1.0, 0.0, 0.0)


def tiny_way(sim: Simulator, task: str, goals: tuple[Goal, ...], budget_steps: int) -> Episode:
    """From the west room to the first of ``goals``; the simulator holds the flat and is left at
    the start."""
    positions = goals[0].positions
    sim.place(TINY_START)
    return Episode(
        episode_id=f"tiny-{task.rpartition(':')[2]}",
        task=task,
        scene="tiny",
        start=TINY_START,
        goals=goals,
        geodesic_m=round(sim.geodesic(TINY_START.point, positions), 4),
        reference_path=sim.shortest_path(TINY_START.point, positions),
        budget_steps=budget_steps,
        seed=7,
    )


def around_chair(sim: Simulator) -> tuple[Point, ...]:
    """Navigable points of a 0.15 m grid, at most 1 m from the blue chair (all of them see it)."""
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
