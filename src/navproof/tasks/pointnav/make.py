"""PointNav episodes, with the rejection rule of Gibson PointNav (Savva et al. 2019)."""

from __future__ import annotations

import math

import numpy as np

from navproof.core.types import Episode, Goal
from navproof.tasks.draft import Site, episode_id, episode_seed, round_point, round_pose
from navproof.tasks.specs import spec_for

__all__ = ["make_pointnav"]

_TASK = "pointnav-v1"
_MIN_M, _MAX_M = 1.0, 30.0
_RATIO = 1.1


def make_pointnav(site: Site, seed: int, index: int, attempt: int) -> Episode | None:
    """One try: a random start and goal 1–30 m apart along the floor, or None.

    A way nearly straight (geodesic under 1.1 × Euclidean, ratio q) is kept only with probability
    20·(q − 0.98)², so that most episodes ask for a way around something.
    """
    sim = site.body(_TASK)
    draw = site.stream(seed, f"{_TASK}.{index}", attempt)
    start = round_point(sim.random_point(draw))
    goal = round_point(sim.random_point(draw))
    yaw = float(draw.uniform(-math.pi, math.pi))
    keep = float(draw.random())
    euclid = math.dist(start, goal)
    if euclid < 0.5 or euclid > _MAX_M:
        return None
    length = sim.geodesic(start, (goal,))
    if not _MIN_M <= length <= _MAX_M or not _winding(length / euclid, keep):
        return None
    path = sim.shortest_path(start, (goal,))
    if not path:
        return None
    spec = spec_for(_TASK)
    return Episode(
        episode_id=episode_id(_TASK, site.ref, seed, index),
        task=_TASK,
        scene=site.ref,
        start=round_pose(start, yaw),
        goals=(Goal("point", (goal,)),),
        geodesic_m=round(length, 4),
        reference_path=tuple(round_point(p) for p in path),
        budget_steps=spec.budget_steps,
        seed=episode_seed(seed, site.ref, _TASK, index),
        tags={"ratio": round(length / euclid, 3)},
    )


def _winding(ratio: float, draw: float) -> bool:
    return ratio >= _RATIO or draw <= 20.0 * float(np.square(ratio - 0.98))
