"""Getting about with an occupancy map: to a place, or to where the map ends."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.agents.mapping.lazy_field import LazyField
from navproof.agents.mapping.occupancy import LIMIT, PASSED, OccupancyMap
from navproof.agents.mapping.planning import (
    NO_HEADING,
    best_heading,
    clearance_m,
    descend_path,
    distance_field,
    find_frontiers,
    occupied_beside,
    reachable_from,
)
from navproof.core.types import Move, Point, Pose, Robot

__all__ = ["Navigator", "turn_towards"]

XY = tuple[float, float]
_ROOMY_M = (0.08, 0.03)  # room beside the body, as the way allows
_TIGHT_M = -0.01
_TIGHTER_M = -0.05  # for gaps that the cells of the map make look narrower than they are
_MARGINS_M = (*_ROOMY_M, _TIGHT_M, _TIGHTER_M)
_LOOSEST_M = -0.1  # for the way out of a gap that one has slid into
_TRAPPED_M2 = 1.0
_BUMP_M = 0.05
_BESIDE_M = 0.02  # the least room beside the body
_TOUCHING = 0.4  # of the radius: nearer than this there is no sliding along
_REPLAN_STEPS = 16
_AROUND_M = 2.5
_AROUND_CELLS = 2  # the neighbours of a cell are no farther than so many cells more
_CUT = (max, min, max, min)
_MOVED_M = 0.25  # a target that moves less is the same
_TURN_COST_M = 0.06  # per radian


def turn_towards(pose: Pose, x: float, y: float, turn_rad: float) -> Move | None:
    """The turn that brings the robot to face a point; None where no turn brings it nearer."""
    error = math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, math.tau)
    if abs(error) <= 0.5 * turn_rad + 1e-6:
        return None
    return Move.LEFT if error > 0 else Move.RIGHT


class Navigator:
    """Plans on the map with fast marching and chooses discrete moves down the field.

    A way keeps room beside the robot where that makes it little longer. An ``agile`` one goes on
    in touch with what is beside the way, if the robot slides, where no heading keeps clear of it,
    and does not turn back and forth between two headings that are as good.
    Cells that are not known are taken as free only when ``optimistic`` is asked for.
    """

    def __init__(self, robot: Robot, world: OccupancyMap, *, agile: bool = False) -> None:
        self.robot = robot
        self.agile = agile
        self.map = world
        self.turn_rad = math.radians(robot.turn_deg)
        self.path: tuple[XY, ...] = ()
        self._goal: tuple[float, float, float] | None = None
        self._age = 0
        self._field: LazyField | None = None
        self._clearance: NDArray[np.float32] = np.empty((0, 0), dtype=np.float32)
        self._corner = (0, 0)
        self._origin = world.origin  # of the map when it was planned on
        self._obstacles = 0  # occupied cells beside the path when it was planned
        self._bumps: list[XY] = []
        self._turned: tuple[Move, Point] = (Move.FORWARD, (0.0, 0.0, 0.0))  # last move, and where

    def towards(self, pose: Pose, x: float, y: float, reach_m: float) -> Move | None:
        """The next move to within ``reach_m`` of a point, or as near as one can stand to it.

        None when the robot is there, or when nothing leads there (then ``path`` is empty).
        """
        self._age += 1
        goal = self._goal
        has_moved = goal is None or goal[2] != reach_m or math.dist(goal[:2], (x, y)) > _MOVED_M
        grown = not np.array_equal(self._origin, self.map.origin)
        stale = self._age >= _REPLAN_STEPS or self._on_path() > self._obstacles
        if has_moved or grown or stale or self._lost(pose):
            self._plan(pose, x, y, reach_m)
            self._goal = (x, y, reach_m)
        if not self.path or self.remaining_m(pose) <= 0.0:
            return None
        return self._descend(pose)

    def remaining_m(self, pose: Pose) -> float:
        """Metres to go on the present plan; inf without one, 0 at its end."""
        if self._field is None:
            return math.inf
        r, c = self._local(pose)
        rows, cols = self._field.shape
        if not (0 <= r < rows and 0 <= c < cols):
            return math.inf
        return self._field.at(r, c)

    def has_room_at(self, x: float, y: float) -> bool:
        """Whether nothing is known to stand where the robot's body would be, and a little beside
        it."""
        row, col = self.map.index(x, y)
        n = round((self.robot.radius_m + _BESIDE_M) / self.map.cell)
        window = self.map.evidence[row - n : row + n + 1, col - n : col + n + 1]
        return not bool((window > 0).any())

    def forget_plan(self) -> None:
        """Plan anew at the next call (after a bump, say)."""
        self._goal = None

    def frontiers(
        self, pose: Pose, without: Sequence[XY] = (), radius_m: float = 0.4
    ) -> list[tuple[XY, int, float]]:
        """Reachable frontiers as ((x, y), size in cells, distance in metres), nearest first, as far
        as they lie beyond ``radius_m`` from the points ``without``."""
        r0, r1, c0, c1 = self.map.known_bounds()
        evidence = self.map.evidence[r0:r1, c0:c1]
        clear = clearance_m(evidence, self.map.cell)
        ignored = np.zeros(evidence.shape, dtype=np.uint8)
        for x, y in without:
            row, col = self.map.index(x, y)
            cv2.circle(ignored, (col - c0, row - r0), round(radius_m / self.map.cell), 1, -1)
        for margin in (*_MARGINS_M, _LOOSEST_M) if self.agile else _MARGINS_M:
            free = self._free(evidence, clear, margin, (r0, c0), pose, optimistic=False)
            here = np.zeros_like(free)
            row, col = self.map.index(pose.x, pose.y)
            here[row - r0, col - c0] = True
            field = distance_field(free, here, self.map.cell)
            frontiers = find_frontiers(evidence, field, ignored=ignored > 0)
            if frontiers:
                return [
                    (self.map.centre(f.cell[0] + r0, f.cell[1] + c0), f.size, f.distance_m)
                    for f in frontiers
                ]
        return []

    def distances(self, pose: Pose) -> tuple[NDArray[np.float64], tuple[int, int]]:
        """How far every place is from the robot (m) over what is not known to be blocked, inf
        where it cannot stand or get to, and the map's (row, column) of the field's first cell."""
        r0, r1, c0, c1 = self.map.known_bounds(margin=20)
        evidence = self.map.evidence[r0:r1, c0:c1]
        clear = clearance_m(evidence, self.map.cell)
        row, col = self.map.index(pose.x, pose.y)
        for margin in (_TIGHT_M, _TIGHTER_M, _LOOSEST_M):
            free = self._free(evidence, clear, margin, (r0, c0), pose, optimistic=True)
            free = reachable_from(free, row - r0, col - c0)
            if int(free.sum()) * self.map.cell**2 >= _TRAPPED_M2:
                break
        here = np.zeros_like(free)
        here[row - r0, col - c0] = True
        return distance_field(free, here, self.map.cell), (r0, c0)

    def is_unknown_near(self, x: float, y: float, cells: int = 4) -> bool:
        """Whether anything around a point is still unknown."""
        r, c = self.map.index(x, y)
        rows, cols = (
            slice(max(0, r - cells), r + cells + 1),
            slice(max(0, c - cells), c + cells + 1),
        )
        return bool((self.map.evidence[rows, cols] == 0).any())

    def bump(self, pose: Pose) -> None:
        """Remember an obstacle just ahead that the eyes did not see."""
        reach = self.robot.radius_m + 0.05
        x, y = pose.x + reach * math.cos(pose.yaw), pose.y + reach * math.sin(pose.yaw)
        self.map.stamp(x, y, _BUMP_M, LIMIT)
        self._bumps.append((x, y))
        self.forget_plan()

    def block(self, pose: Pose) -> None:
        """Remember an obstacle on the path just ahead, where the robot does not get on."""
        reach = self.robot.radius_m + 0.05
        ahead = [place for place in self.path if math.dist(place, (pose.x, pose.y)) >= reach]
        if ahead:
            self.map.stamp(*ahead[0], _BUMP_M, LIMIT)
            self._bumps.append(ahead[0])
        self.forget_plan()

    def forgive(self) -> bool:
        """Forget the obstacles that were bumped into but never seen, as one does when they seem to
        bar every way; whether there were any."""
        for x, y in self._bumps:
            self.map.stamp(x, y, _BUMP_M, -PASSED)
        forgiven = bool(self._bumps)
        self._bumps.clear()
        self.forget_plan()
        return forgiven

    # ----------------------------------------------------------------------------------- inside
    def _plan(self, pose: Pose, x: float, y: float, reach_m: float) -> None:
        """An agile one looks for a way around first, and farther afield if there is none."""
        self.map.make_room(x, y, 2.0)
        self._origin = self.map.origin
        whole = self._bounds(x, y)
        straight = math.dist((pose.x, pose.y), (x, y))
        if self.agile:
            n = math.ceil((_AROUND_M + 0.5 * straight) / self.map.cell)
            (ra, ca), (rb, cb) = self.map.index(pose.x, pose.y), self.map.index(x, y)
            near = (min(ra, rb) - n, max(ra, rb) + n, min(ca, cb) - n, max(ca, cb) + n)
            window = tuple(f(a, b) for f, a, b in zip(_CUT, near, whole, strict=True))
            short, length = self._plan_within(window, pose, x, y, reach_m)  # type: ignore[arg-type]
            if window == whole or (short <= 0.3 and length <= 1.5 * straight + 2.0):
                return
        self._plan_within(whole, pose, x, y, reach_m)

    def _plan_within(
        self, window: tuple[int, int, int, int], pose: Pose, x: float, y: float, reach_m: float
    ) -> tuple[float, float]:
        """Plan on a part of the map (row0, row1, col0, col1); (metres short of the target, metres
        to go)."""
        r0, r1, c0, c1 = window
        evidence = self.map.evidence[r0:r1, c0:c1]
        clear = clearance_m(evidence, self.map.cell)
        rows = (np.arange(r0, r1) + 0.5) * self.map.cell + float(self.map.origin[1]) - y
        cols = (np.arange(c0, c1) + 0.5) * self.map.cell + float(self.map.origin[0]) - x
        away = np.sqrt(rows[:, None] ** 2 + cols[None, :] ** 2)
        row, col = self.map.index(pose.x, pose.y)
        self._corner, self._clearance, self._age = (r0, c0), clear, 0

        def way(margin: float) -> tuple[float, LazyField]:
            """(metres short of the target, field) with that much room beside the body."""
            free = self._free(evidence, clear, margin, (r0, c0), pose, optimistic=True)
            reachable = reachable_from(free, row - r0, col - c0)
            nearest = float(away[reachable].min(initial=math.inf))
            seeds = reachable & (away <= max(reach_m, nearest + 0.1))
            return max(0.0, nearest - reach_m), LazyField(reachable, seeds, self.map.cell)

        short, field = way(_TIGHT_M)
        for margin in (_TIGHTER_M, _LOOSEST_M) if self.agile else (_TIGHTER_M,):
            if short > 0.3:
                tighter = way(margin)
                if tighter[0] < short - 0.1:
                    short, field = tighter
        length = field.at(row - r0, col - c0)
        most_m = 1.15 * length + 0.3
        for margin in _ROOMY_M:
            roomy_short, roomy = way(margin)
            if roomy_short <= short + 0.05 and roomy.at(row - r0, col - c0, most_m) <= most_m:
                field = roomy
                break
        self._field = field
        far_m = field.at(row - r0, col - c0) + _AROUND_CELLS * self.map.cell
        cells = descend_path(field.up_to(far_m), row - r0, col - c0)
        self.path = tuple(self.map.centre(int(r) + r0, int(c) + c0) for r, c in cells[::4])
        self._obstacles = self._on_path()
        return short, length

    def _descend(self, pose: Pose) -> Move | None:
        assert self._field is not None
        r0, c0 = self._corner
        cell = self.map.cell
        left_m = self.remaining_m(pose)
        ends = left_m <= 1.2 * self.robot.forward_m
        ways = [(-0.05, margin, 0) for margin in _MARGINS_M]  # slack, room, cells around
        if self.agile and self.robot.sliding:
            ways.append((-0.1, _TOUCHING * self.robot.radius_m - self.robot.radius_m, 2))
        if not ends:
            ways += [(0.5, margin, 0) for margin in _MARGINS_M]
        for slack_m, margin, around in ways:
            turns = best_heading(
                self._field.up_to(left_m + max(0.0, slack_m) + _AROUND_CELLS * cell),
                self._clearance,
                (pose.y - float(self.map.origin[1])) / cell - r0,
                (pose.x - float(self.map.origin[0])) / cell - c0,
                pose.yaw,
                self.turn_rad,
                self.robot.forward_m / cell,
                self.robot.radius_m + margin,
                _TURN_COST_M * self.turn_rad,
                slack_m,
                around,
            )
            if turns != NO_HEADING:
                return self._steady(pose, turns)
        if not ends:  # else no step brings it nearer: it is there
            self.forget_plan()
            self.path = ()
        return None

    def _steady(self, pose: Pose, turns: int) -> Move:
        """The move to a heading; going forward instead of undoing the last turn (what is ahead was
        the best heading then)."""
        move = Move.FORWARD if turns == 0 else Move.LEFT if turns > 0 else Move.RIGHT
        last, where = self._turned
        self._turned = (move, pose.point)
        if self.agile and {last, move} == {Move.LEFT, Move.RIGHT} and where == pose.point:
            return Move.FORWARD
        return move

    def _free(
        self,
        evidence: NDArray[np.int16],
        clear: NDArray[np.float32],
        margin: float,
        corner: tuple[int, int],
        pose: Pose,
        *,
        optimistic: bool,
    ) -> NDArray[np.bool_]:
        """Where the robot may stand. Where it stands now is always free."""
        is_free = evidence <= 0 if optimistic else evidence < 0
        free: NDArray[np.bool_] = is_free & (clear >= self.robot.radius_m + margin)
        row, col = self.map.index(pose.x, pose.y)
        r, c = row - corner[0], col - corner[1]
        n = math.ceil((self.robot.radius_m + 0.05) / self.map.cell)
        around = (slice(max(0, r - n), r + n + 1), slice(max(0, c - n), c + n + 1))
        free[around] |= (evidence[around] <= 0) & (clear[around] >= 0.6 * self.robot.radius_m)
        free[r, c] = True
        return free

    def _bounds(self, x: float, y: float) -> tuple[int, int, int, int]:
        """What is known and the target, with a metre around."""
        r0, r1, c0, c1 = self.map.known_bounds(margin=20)
        row, col = self.map.index(x, y)
        size = self.map.evidence.shape[0]
        return (
            max(0, min(r0, row - 20)),
            min(size, max(r1, row + 21)),
            max(0, min(c0, col - 20)),
            min(size, max(c1, col + 21)),
        )

    def _local(self, pose: Pose) -> tuple[int, int]:
        row, col = self.map.index(pose.x, pose.y)
        return row - self._corner[0], col - self._corner[1]

    def _on_path(self) -> int:
        """Occupied cells within the robot's radius of the path (counted once for each point)."""
        if not self.path:
            return 0
        n = round(self.robot.radius_m / self.map.cell)
        points = np.array(self.path)
        return occupied_beside(self.map.evidence, points, self.map.origin, self.map.cell, n)

    def _lost(self, pose: Pose) -> bool:
        return not math.isfinite(self.remaining_m(pose))
