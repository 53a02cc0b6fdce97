"""How the generalist moves: along paths, by turning on the spot, or not at all.

Where a robot takes commands ten times a second (control ``any``) it is driven by waypoints and
velocities, without a stop after every step; else by discrete moves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from navproof.agents.mapping.navigate import XY
from navproof.core.types import Action, Move, Pose, TaskBrief, Velocity, Waypoints

__all__ = ["Driver"]

_AHEAD_M = 1.6
_TURN_GAIN = 2.5  # rad/s for each radian
_FACING_RAD = 0.06
_MOVES_M = 0.02
_STILL = Waypoints(((0.0, 0.0),))
_TICK_S = 0.1


class Driver:
    """Turns wishes into actions of one robot. ``smooth``: the robot takes any command."""

    def __init__(self, brief: TaskBrief) -> None:
        self.robot = brief.robot
        self.smooth = brief.control == "any"
        self._walks = brief.robot.balance is not None
        self._here: Pose | None = None
        self._is_walking = False  # and would fall if it turned on the spot

    def feel(self, pose: Pose) -> None:
        """Where the robot is now; to be called once for every step."""
        before, self._here = self._here or pose, pose
        self._is_walking = math.dist(before.point, pose.point) > _MOVES_M

    def rest(self) -> Action:
        """Stand still, braking as gently as the robot needs it."""
        return _STILL if self.smooth else Velocity(0.0, 0.0)

    def turn(self, off_rad: float) -> Action:
        """Turn on the spot by an angle, or as much of it as one step allows."""
        if not self.smooth:
            if abs(off_rad) <= 0.5 * math.radians(self.robot.turn_deg):
                return self.rest()
            return Move.LEFT if off_rad > 0 else Move.RIGHT
        if abs(off_rad) <= _FACING_RAD or (self._walks and self._is_walking):
            return self.rest()
        most = self.robot.max_turn_rad_s
        return Velocity(0.0, max(-most, min(most, _TURN_GAIN * off_rad)))

    def back(self, pose: Pose) -> Action:
        """Backwards, slowly."""
        return Velocity(-0.25 * self.robot.max_speed_m_s, 0.0) if self.smooth else self.rest()

    def along(self, pose: Pose, path: Sequence[XY], move: Move) -> Action:
        """On along a path (episode frame); ``move`` is the discrete move that begins it."""
        if not self.smooth:
            return move
        points = _ahead(pose, path)
        if points:
            return Waypoints(points)
        if move is Move.FORWARD:
            return Waypoints(((0.3, 0.0),))
        return self.turn(math.copysign(math.pi / 6, 1.0 if move is Move.LEFT else -1.0))

    def straight(self, pose: Pose, x: float, y: float) -> Action:
        """Straight to a place nearby."""
        off = math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, math.tau)
        if self.smooth:
            away = math.dist((x, y), (pose.x, pose.y))
            return Waypoints(((away * math.cos(off), away * math.sin(off)),))
        turned = self.turn(off)
        return turned if isinstance(turned, Move) else Move.FORWARD

    @staticmethod
    def goes(action: Action) -> bool:
        """Whether an action is meant to get the robot on."""
        return action is Move.FORWARD or (isinstance(action, Waypoints) and action != _STILL)

    def takes_s(self, action: Action) -> float:
        """About how long an action takes."""
        if isinstance(action, Velocity | Waypoints):
            return _TICK_S
        if action is Move.FORWARD:
            return self.robot.forward_m / self.robot.max_speed_m_s
        if action in (Move.LEFT, Move.RIGHT):
            return math.radians(self.robot.turn_deg) / self.robot.max_turn_rad_s
        return 0.0


def _ahead(pose: Pose, path: Sequence[XY]) -> tuple[XY, ...]:
    """The next metres of a path in the robot's frame."""
    if not path:
        return ()
    here = (pose.x, pose.y)
    first = min(range(len(path)), key=lambda i: math.dist(path[i], here))
    c, s = math.cos(pose.yaw), math.sin(pose.yaw)
    points: list[XY] = []
    last, length = here, 0.0
    for x, y in path[first + 1 :]:
        length += math.dist(last, (x, y))
        last = (x, y)
        dx, dy = x - pose.x, y - pose.y
        points.append((dx * c + dy * s, dy * c - dx * s))
        if length > _AHEAD_M:
            break
    return tuple(points)
