"""From a reference path to an instruction: ``instruct``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from navproof.core.types import Instruction, Point
from navproof.language.routes.plan import plan
from navproof.language.routes.realise import realise
from navproof.language.routes.route import Route
from navproof.language.routes.views import Views
from navproof.sim.protocol import Simulator
from navproof.world.scene import SceneObject

__all__ = ["instruct"]


def instruct(
    sim: Simulator,
    path: Sequence[Point],
    start_yaw: float,
    goal: SceneObject,
    camera_m: float,
    rng: np.random.Generator,
) -> Instruction | None:
    """A route instruction for a path that ends beside ``goal``, with the clauses it was made from.

    ``camera_m`` is the height from which landmarks must be seen. The simulator's robot must fit
    at the path's start; it is left there. None where the path cannot be told truly and uniquely
    in 10–45 words.
    """
    route = Route(sim.scene, path, start_yaw)
    views = Views(sim, route, camera_m)
    clauses = plan(route, views, goal, rng)
    if clauses is None:
        return None
    return realise(clauses, sim.scene, rng)
