"""Which doorway it is along a wall: the first, the second, the third."""

from __future__ import annotations

import math

from navproof.language.routes.route import Crossing, Route

__all__ = ["nth_on_its_side"]

_SAME_WALL_M = 0.5
_UNSURE_M = 0.45
_MOST = 3


def nth_on_its_side(route: Route, crossing: Crossing, seen_m: float) -> int | None:
    """The place of the crossed doorway among those in the same wall, counted along the straight
    stretch on which the walker comes; None where the count is unsure, above three, or would say
    nothing because there is no other."""
    stay = route.stay_at(crossing.s - 0.01)
    begin = max([stay.s0, *(t.s + 0.5 for t in route.turns if t.s < seen_m)])
    if seen_m < begin:
        return None
    ox, oy, _ = route.at(seen_m)
    yaw = route.heading(seen_m)

    def local(x: float, y: float) -> tuple[float, float]:
        c, s = math.cos(yaw), math.sin(yaw)
        return c * (x - ox) + s * (y - oy), -s * (x - ox) + c * (y - oy)

    along, aside = local(*crossing.door.centre[:2])
    first = local(*route.at(begin)[:2])[0]
    if along < first + _UNSURE_M or abs(aside) < _SAME_WALL_M:
        return None
    before = after = 0
    for door in route.scene.doors:
        if crossing.leaves not in door.rooms or door.id == crossing.door.id:
            continue
        x, y = local(*door.centre[:2])
        if abs(y - aside) > _SAME_WALL_M:
            continue
        if abs(x - first) < _UNSURE_M + door.width_m / 2:
            return None
        if first < x < along:
            before += 1
        elif x > along:
            after += 1
    count = before + 1
    return count if count <= _MOST and (before or after) else None
