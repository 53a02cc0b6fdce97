"""The frame that an agent takes itself to be in, and the world.

They differ by where the episode began and, under a condition that spoils the pose, by drift: what
is 2 m ahead of the robot is 2 m ahead of it in either.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from navproof.core.types import Pose
from navproof.diagnosis.oracles.protocol import Situation
from navproof.sensors.pose import to_episode_frame

__all__ = ["OwnFrame"]

XY = tuple[float, float]


@dataclass(frozen=True, slots=True)
class OwnFrame:
    """``true`` is the pose in the world, ``believed`` the one that the agent is told."""

    true: Pose
    believed: Pose

    @staticmethod
    def of(situation: Situation) -> OwnFrame:
        true, start, told = situation.pose, situation.start, situation.observation.pose
        if told is not None:
            x, y, z, yaw = (float(v) for v in told)
        else:
            x, y = to_episode_frame(start, true.x, true.y)
            z, yaw = true.z - start.z, math.remainder(true.yaw - start.yaw, math.tau)
        return OwnFrame(true, Pose(x, y, z, yaw))

    def seen_from_within(self, x: float, y: float) -> XY:
        """A point of the world as the agent would tell it."""
        return _carried(self.true, self.believed, x, y)

    def in_world(self, x: float, y: float) -> XY:
        """Where in the world a point lies that the agent tells of."""
        return _carried(self.believed, self.true, x, y)


def _carried(out_of: Pose, into: Pose, x: float, y: float) -> XY:
    """A point that lies to ``into`` as (x, y) lies to ``out_of``."""
    turn = into.yaw - out_of.yaw
    c, s = math.cos(turn), math.sin(turn)
    dx, dy = x - out_of.x, y - out_of.y
    return round(into.x + c * dx - s * dy, 6), round(into.y + s * dx + c * dy, 6)
