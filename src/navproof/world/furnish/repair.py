"""Keeping a room passable: pieces that block the way are removed, the least important first."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from navproof.world.furnish.placed import FLAT_M, Placed
from navproof.world.furnish.placement import Footprint
from navproof.world.furnish.reach import ReachMap
from navproof.world.plans.floorplan import FloorPlan, PlanRoom

__all__ = ["RoomReach", "repair"]

_ROBOT_HEIGHT_M = 1.8
_LOSS = (9.0, 3.0, 1.0, 0.0)  # what giving up a piece of each rank costs


def _in_the_way(thing: Placed) -> bool:
    """Whether a piece stands on the floor, or hangs low enough for a robot to run into it."""
    if thing.kind == "wall":
        return thing.footprint.z0 < _ROBOT_HEIGHT_M
    return thing.kind == "floor" and thing.model.size[2] > FLAT_M


class RoomReach:
    """Tells whether a robot can come near to a room's doors and to the things in it."""

    def __init__(self, plan: FloorPlan, room: PlanRoom, fixed: Sequence[Footprint]) -> None:
        doors = [d for d in plan.doors if room.id in d.rooms]
        self._map = ReachMap([room], doors, plan.wall_m)
        self._fixed = list(fixed)

    def complaint(self, placed: Sequence[Placed], more: Sequence[Footprint] = ()) -> float:
        """0 when all is well, else how bad it is, with ``more`` standing there as well. Only main
        pieces must be come near to: a nightstand between bed and wall may be out of reach."""
        main = [p.footprint for p in placed if p.kind == "floor" and p.rank <= 1]
        bodies = [p.footprint for p in placed if _in_the_way(p)]
        return self._map.complaint([*self._fixed, *bodies, *more], [*main, *more])


def repair(
    reach: RoomReach, placed: Callable[[], Sequence[Placed]], remove: Callable[[Placed], None]
) -> None:
    """Remove pieces until nothing is out of reach."""
    while True:
        things = placed()
        bad = reach.complaint(things)
        if bad == 0:
            return
        options = [p for p in things if _in_the_way(p)]
        if not options:
            return
        options.sort(key=lambda p: -p.rank)
        chosen, least = options[0], math.inf
        for option in options:
            if _LOSS[option.rank] >= least:
                break
            left = reach.complaint([p for p in things if option not in (p, p.leader)])
            if left < bad and left + _LOSS[option.rank] < least:
                chosen, least = option, left + _LOSS[option.rank]
        if chosen.rank == 0 and options[0].rank >= 2:
            chosen = options[0]  # several lesser pieces together before an essential one
        remove(chosen)
