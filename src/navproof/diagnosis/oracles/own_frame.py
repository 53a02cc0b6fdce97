"""The frame in which an agent believes itself to be, and the world's.

They differ by the place where the episode began and, under a condition that corrupts the pose, by
drift. Relative to the robot they agree: what is 2 m ahead of it in one is 2 m ahead in the other.
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
    """The frame of an agent. ``true`` is the pose in the world and ``believed`` the pose that the
    agent is told."""

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
        """A point of the world, in the agent's frame."""
        return _carried(self.true, self.believed, x, y)

    def in_world(self, x: float, y: float) -> XY:
        """A point of the agent's frame, in the world."""
        return _carried(self.believed, self.true, x, y)


def _carried(out_of: Pose, into: Pose, x: float, y: float) -> XY:
    """The point that lies to ``into`` as (x, y) lies to ``out_of``."""
    turn = into.yaw - out_of.yaw
    c, s = math.cos(turn), math.sin(turn)
    dx, dy = x - out_of.x, y - out_of.y
    return round(into.x + c * dx - s * dy, 6), round(into.y + s * dx + c * dy, 6)
