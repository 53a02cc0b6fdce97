"""Ways that the robot can go, out of its map of depth: straight ones to choose from, and openings
that were seen earlier and never entered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from navproof.agents.mapping.navigate import XY, Navigator
from navproof.agents.mapping.planning import clearance_m
from navproof.core.types import Pose

__all__ = ["Direction", "bearing_words", "find_directions", "free_rays"]

_RAYS = 72
_APART_RAD = math.radians(30.0)
_LEAST_M = 0.6
_LOOK_M = 0.5  # beyond the end of a way: what is unknown there is what it leads to
_ENDS_M = 0.1  # before what is in the way
_BODY_M = 0.35  # around the robot, which stands there
_WAS_HERE_M = 1.0
_MOST_FAR = 3
_FAR_APART_M = 1.5
_SAME_M = 0.3


@dataclass(frozen=True, slots=True)
class Direction:
    """A way to (x, y), ``way_m`` long, at a ``bearing`` from where the robot looks (to the left
    > 0). ``is_new``: nothing is known of what begins there; ``visits``: how often the robot has
    been there; ``is_far``: it is an opening that was seen earlier, not a straight way."""

    number: int
    x: float
    y: float
    bearing: float
    way_m: float
    is_new: bool
    visits: int = 0
    is_far: bool = False

    @property
    def at(self) -> XY:
        return self.x, self.y

    @property
    def words(self) -> str:
        """As a line of a list."""
        where = bearing_words(self.bearing)
        if self.is_far:
            return f"{self.number}: back to an opening {self.way_m:.1f} m away, {where}, unexplored"
        about = ["leads into the unexplored"] if self.is_new else []
        if self.visits:
            about.append("you have been there")
        told = f" ({', '.join(about)})" if about else ""
        return f"{self.number}: {where}, {self.way_m:.1f} m{told}"


def bearing_words(bearing: float) -> str:
    """An angle (rad, to the left > 0) as people say it."""
    degrees = round(math.degrees(math.remainder(bearing, math.tau)) / 5.0) * 5
    if abs(degrees) <= 10:
        return "straight ahead"
    if abs(degrees) >= 170:
        return "behind you"
    return f"{abs(degrees)}° to the {'left' if degrees > 0 else 'right'}"


def find_directions(
    nav: Navigator,
    pose: Pose,
    trail: Sequence[XY],
    most: int,
    stride_m: float,
    blocked: Sequence[XY] = (),
) -> tuple[Direction, ...]:
    """At most ``most`` ways, numbered from straight ahead to the left all around, the far ones
    last. ``trail`` is where the robot has decided before, ``blocked`` where it could not go."""
    lengths, new = free_rays(nav, pose, stride_m)
    ways = (_straight(pose, k, float(lengths[k]), bool(new[k]), trail) for k in _peaks(lengths))
    free = [d for d in ways if not _is_near(blocked, d.at)]
    found = sorted(free[: max(1, most - 1)], key=lambda d: d.bearing % math.tau)
    openings = [d for d in _openings(nav, pose, found, stride_m) if not _is_near(blocked, d.at)]
    far = openings[: max(0, most - len(found))]
    return tuple(replace(d, number=i) for i, d in enumerate((*found, *far), start=1))


def _is_near(places: Sequence[XY], at: XY) -> bool:
    return any(math.dist(place, at) < _SAME_M for place in places)


def _straight(pose: Pose, ray: int, free_m: float, is_new: bool, trail: Sequence[XY]) -> Direction:
    bearing = math.remainder(ray * math.tau / _RAYS, math.tau)
    way_m = round(free_m, 2)
    x = pose.x + way_m * math.cos(pose.yaw + bearing)
    y = pose.y + way_m * math.sin(pose.yaw + bearing)
    visits = sum(math.dist(spot, (x, y)) < _WAS_HERE_M for spot in trail)
    return Direction(0, x, y, bearing, way_m, is_new, visits)


def free_rays(
    nav: Navigator, pose: Pose, stride_m: float
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(72,) how far the robot can go straight in each direction, from ahead to the left, at most
    ``stride_m``, and whether the unknown begins around there."""
    grid, radius = nav.map, nav.robot.radius_m
    grid.make_room(pose.x, pose.y, stride_m + 2.0)
    row, col = grid.index(pose.x, pose.y)
    n = math.ceil((stride_m + 1.5) / grid.cell)
    window = grid.evidence[row - n : row + n + 1, col - n : col + n + 1]
    clear = clearance_m(window, grid.cell)
    step = 0.5 * grid.cell
    along = np.arange(step, stride_m + _LOOK_M, step)
    angles = pose.yaw + np.arange(_RAYS) * math.tau / _RAYS
    x0, y0 = grid.centre(row - n, col - n)
    cols = np.rint((pose.x + np.cos(angles)[:, None] * along - x0) / grid.cell).astype(np.intp)
    rows = np.rint((pose.y + np.sin(angles)[:, None] * along - y0) / grid.cell).astype(np.intp)
    evidence = window[rows, cols]
    near = along[None, :] < max(_BODY_M, radius)
    is_free = (evidence < 0) & (clear[rows, cols] >= radius) | near
    blocked = ~is_free
    first = np.where(blocked.any(axis=1), blocked.argmax(axis=1), len(along))
    reach = np.minimum(np.append(along, along[-1] + step)[first], stride_m)
    lengths = np.where(reach < stride_m, np.maximum(0.0, reach - _ENDS_M), stride_m)
    beyond = (along[None, :] >= reach[:, None] - step) & (along[None, :] < reach[:, None] + _LOOK_M)
    unknown, wall = (_first(beyond & there) for there in (evidence == 0, evidence > 0))
    return lengths, unknown < wall  # what is behind a wall is not reached that way


def _first(where: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The first column that holds in each row; the number of columns where none does."""
    found = np.where(where.any(axis=1), where.argmax(axis=1), where.shape[1])
    return np.asarray(found, dtype=np.intp)


def _peaks(lengths: NDArray[np.float64]) -> list[int]:
    """The rays in the middle of what is widest and longest, apart from each other, best first."""
    wide = np.mean([np.roll(lengths, shift) for shift in (-2, -1, 0, 1, 2)], axis=0)
    taken: list[int] = []
    for ray in np.lexsort((np.arange(_RAYS), -np.round(wide, 3))):
        if lengths[ray] < _LEAST_M:
            continue
        apart = min(
            (abs(math.remainder((int(ray) - k) * math.tau / _RAYS, math.tau)) for k in taken),
            default=math.inf,
        )
        if apart >= _APART_RAD - 1e-9:
            taken.append(int(ray))
    return taken


def _openings(
    nav: Navigator, pose: Pose, straight: Sequence[Direction], stride_m: float
) -> list[Direction]:
    """The nearest borders of the unknown to which no straight way leads."""
    found: list[Direction] = []
    ends = [(d.x, d.y) for d in straight]
    for (x, y), _, way_m in nav.frontiers(pose):
        if way_m <= stride_m or any(math.dist((x, y), end) < _FAR_APART_M for end in ends):
            continue
        bearing = math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, math.tau)
        found.append(Direction(0, x, y, bearing, round(way_m, 2), is_new=True, is_far=True))
        ends.append((x, y))
        if len(found) == _MOST_FAR:
            break
    return found
