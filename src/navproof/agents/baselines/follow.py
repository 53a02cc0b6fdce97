"""Discrete moves along a path: a search over short sequences of turns and steps.

A robot that turns by 30° and steps by 0.25 m can follow no line exactly. Zig-zagging between the
two nearest headings costs at most 1/cos(15°) − 1 = 3.5 %, and ending within 0.1 m of a point takes
the right combination of steps. Both come out of one A* search over (position, heading), whose
heuristic is the length of path that remains.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

from navproof.core.types import Move

__all__ = ["PathProgress", "plan_moves", "simplify"]

XY = tuple[float, float]

HORIZON_M = 2.0
_CELL_M = 0.02  # two states closer than this with the same heading are one
_MAX_DEVIATION_M = 0.15
_TURN_COST_M = 0.02  # per radian: turns are free in path length but cost steps
_DEVIATION_COST = 0.05
_MAX_POPS = 6000
_HEADING_STEP_RAD = math.radians(20.0)  # finer robots search only every second or third heading
_GREED = 1.02  # weight of the heuristic: far fewer states for a path at most 2 % longer


def simplify(path: Sequence[XY], tolerance_m: float = 0.01) -> list[XY]:
    """Fewer points, none of the dropped ones farther than ``tolerance_m`` from the new line
    (Douglas–Peucker). Ends are kept."""
    if len(path) < 3:
        return [(float(x), float(y)) for x, y in path]
    keep = {0, len(path) - 1}
    stack = [(0, len(path) - 1)]
    while stack:
        first, last = stack.pop()
        worst, at = tolerance_m, -1
        for i in range(first + 1, last):
            away = _to_segment(*path[i], *path[first], *path[last])[0]
            if away > worst:
                worst, at = away, i
        if at >= 0:
            keep.add(at)
            stack += [(first, at), (at, last)]
    return [(float(path[i][0]), float(path[i][1])) for i in sorted(keep)]


class PathProgress:
    """Measures along a path: how far from it a point lies and how much of it remains from there."""

    def __init__(self, path: Sequence[XY]) -> None:
        self.path = simplify(path)
        self.after = [0.0] * len(self.path)  # length of path beyond each vertex
        for i in range(len(self.path) - 2, -1, -1):
            self.after[i] = self.after[i + 1] + math.dist(self.path[i], self.path[i + 1])

    def measure(self, x: float, y: float) -> tuple[float, float]:
        """(distance to the path, length from the point over the next vertex to the end)."""
        best, ahead = math.inf, 0
        for i in range(len(self.path) - 1):
            away, _ = _to_segment(x, y, *self.path[i], *self.path[i + 1])
            if away <= best:
                best, ahead = away, i + 1
        if len(self.path) == 1:
            best = math.dist(self.path[0], (x, y))
        vx, vy = self.path[ahead]
        return best, math.hypot(vx - x, vy - y) + self.after[ahead]


def plan_moves(
    x: float,
    y: float,
    yaw: float,
    path: Sequence[XY],
    *,
    step_m: float,
    turn_rad: float,
    tolerance_m: float,
    blocked: Sequence[tuple[float, float, float]] = (),
) -> list[Move]:
    """Moves that follow ``path`` for about two metres, or to within ``tolerance_m`` of its end.

    ``blocked`` holds (x, y, heading) from where a step forward was tried and did not move the
    robot; they are avoided. Empty where no sequence was found.
    """
    corridor = PathProgress(path)
    end = corridor.path[-1]
    deviation, remaining = corridor.measure(x, y)
    enough = max(remaining - HORIZON_M, HORIZON_M) if remaining > HORIZON_M else -1.0
    limit = max(_MAX_DEVIATION_M, deviation + 0.02)
    half = math.ceil(math.pi / turn_rad)
    stride = max(1, round(_HEADING_STEP_RAD / turn_rad))
    unit = [
        (k, math.cos(yaw + k * turn_rad) * step_m, math.sin(yaw + k * turn_rad) * step_m)
        for k in range(-half - half % stride, half + 1, stride)
    ]
    nodes: list[tuple[float, float, int, int]] = [(x, y, 0, -1)]  # x, y, heading, parent
    queue = [(remaining, 0, 0.0, remaining)]  # f, node, g, remaining
    visited: set[tuple[int, int, int]] = set()
    for _ in range(_MAX_POPS):
        if not queue:
            break
        _, index, cost, left = heapq.heappop(queue)
        px, py, heading, _ = nodes[index]
        key = (round(px / _CELL_M), round(py / _CELL_M), heading)
        if key in visited:
            continue
        visited.add(key)
        if left <= enough or math.hypot(end[0] - px, end[1] - py) <= tolerance_m:
            return _moves(nodes, index)
        near = left <= 2.5 * step_m
        for k, dx, dy in unit:
            qx, qy = px + dx, py + dy
            away, rest = corridor.measure(qx, qy)
            if (rest > left - 0.3 * step_m and not near) or away > max(limit, step_m * near):
                continue
            if blocked and _is_blocked(px, py, yaw + k * turn_rad, blocked):
                continue
            total = cost + step_m + _TURN_COST_M * turn_rad * abs(k - heading)
            total += _DEVIATION_COST * away
            nodes.append((qx, qy, k, index))
            heapq.heappush(queue, (total + _GREED * rest, len(nodes) - 1, total, rest))
    return []


def _moves(nodes: list[tuple[float, float, int, int]], index: int) -> list[Move]:
    headings: list[int] = []
    while nodes[index][3] >= 0:
        headings.append(nodes[index][2])
        index = nodes[index][3]
    moves: list[Move] = []
    now = 0
    for heading in reversed(headings):
        side = Move.LEFT if heading > now else Move.RIGHT
        moves += [side] * abs(heading - now) + [Move.FORWARD]
        now = heading
    return moves


def _is_blocked(
    x: float, y: float, yaw: float, blocked: Sequence[tuple[float, float, float]]
) -> bool:
    return any(
        math.hypot(bx - x, by - y) < 0.1 and math.cos(byaw - yaw) > 0.98 for bx, by, byaw in blocked
    )


def _to_segment(
    x: float, y: float, x0: float, y0: float, x1: float, y1: float
) -> tuple[float, float]:
    """(distance to the segment, position along it in [0, 1])."""
    dx, dy = x1 - x0, y1 - y0
    length2 = dx * dx + dy * dy
    t = 0.0 if length2 == 0.0 else ((x - x0) * dx + (y - y0) * dy) / length2
    t = min(1.0, max(0.0, t))
    return math.hypot(x0 + t * dx - x, y0 + t * dy - y), t
