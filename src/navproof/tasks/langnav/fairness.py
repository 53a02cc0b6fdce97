"""What makes a LangNav episode fair: the paper's constraints (i)–(vi), section 3.2.

(i)   every goal object has a viewpoint within 1.5 m;
(ii)  the start and all goals are on one floor;
(iii) every goal can be reached from the start;
(iv)  the start is at least 2 m from every goal object (straight, along the floor, to its box);
(v)   from the start, the way to the viewpoints of each goal is longer than the straight line to
      them (ratio above 1: something is in between);
(vi)  the way from the start to the first goal is at least 2.5 m long.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from navproof.core.types import Goal, Point
from navproof.sim.protocol import Simulator, points
from navproof.tasks.objectnav.viewpoints import box_distance_m

__all__ = ["GOALS", "broken_constraints"]

GOALS = 3
_VIEW_M = 1.5
_APART_M = 2.0
_FIRST_M = 2.5
_RATIO = 1.001  # above the rounding of lengths to a tenth of a millimetre
_FLOOR_M = 0.5


def broken_constraints(
    sim: Simulator, start: Point, goals: Sequence[Goal]
) -> Iterator[tuple[str, str]]:
    """(field, what is wrong) for every constraint that does not hold, cheap ones first. The
    simulator holds the scene and LangNav's robot; the goals' objects are in the scene."""
    x, y, z = start
    for index, goal in enumerate(goals):
        where = f"goals.{index}"
        boxes = {i: sim.scene.object(i).box for i in goal.object_ids}
        for object_id, box in boxes.items():
            if all(box_distance_m(box, p[0], p[1]) > _VIEW_M for p in goal.positions):
                why = f"(i) no viewpoint within {_VIEW_M} m of object {object_id}"
                yield f"{where}.positions", why
        if any(abs(p[2] - z) > _FLOOR_M for p in goal.positions):
            yield f"{where}.positions", "(ii) not on the floor of the start"
        nearest = min(box_distance_m(box, x, y) for box in boxes.values())
        if nearest < _APART_M:
            yield "start", f"(iv) {nearest:.2f} m from goal {index}, {_APART_M} m at least"
    for index, goal in enumerate(goals):
        length = sim.geodesic(start, points(goal.positions))
        straight = min(math.dist(start, p) for p in goal.positions)
        if not math.isfinite(length):
            yield f"goals.{index}.positions", "(iii) cannot be reached from the start"
        elif length <= _RATIO * straight:
            yield "start", f"(v) nothing in between it and goal {index}"
        if index == 0 and length < _FIRST_M:
            yield "start", f"(vi) {length:.2f} m from the first goal, {_FIRST_M} m at least"
