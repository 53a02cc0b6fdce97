"""Where a mission stands and where everybody is, for oracles. Ground truth, as ``expert`` is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.types import SensorSpec
from navproof.sensors.pose import to_episode_frame
from navproof.sensors.protocol import ReadingSpec, View
from navproof.sensors.registry import register_sensor
from navproof.world.people.people import track

__all__ = ["AHEAD", "AHEAD_S", "MissionSensor", "mission"]

AHEAD, AHEAD_S = 60, 0.25
"""So many times, so far apart, it is told where people will be."""


@dataclass(frozen=True)
class MissionSensor:
    """(1 + people, 3 + 2·``AHEAD``) float64. The first row: the sub-task in force (their number
    when all are done), their number, the row of the person whom it asks to follow (0: nobody),
    zeros. Then a row for each person: x and y in the episode frame, whether she walks (0 or 1),
    and x and y of where she will be, every ``AHEAD_S`` from ``AHEAD_S`` on."""

    spec: SensorSpec

    @property
    def reading(self) -> ReadingSpec:
        return ReadingSpec((None, 3 + 2 * AHEAD), "float64", -math.inf, math.inf)

    def read(self, view: View) -> NDArray[np.float64]:
        lead = view.lead
        if lead is None:
            raise SpecError(f"sensor '{self.spec.name}' needs a task with sub-tasks")
        people = view.sim.people()
        names = [person.person for person in people]
        followed = 0 if lead.person is None else 1 + names.index(lead.person)
        walks = {walk.person: walk for walk in lead.walks}
        times = [view.sim.time_s + AHEAD_S * k for k in range(1, AHEAD + 1)]
        rows = np.zeros((1 + len(people), 3 + 2 * AHEAD))
        rows[0, :3] = lead.subtask, lead.subtasks, followed
        for row, person in zip(rows[1:], people, strict=True):
            row[:2] = to_episode_frame(view.start, person.pose.x, person.pose.y)
            row[2] = person.moving
            ahead = track(walks[person.person], times).tolist()
            row[3:] = [v for x, y, _ in ahead for v in to_episode_frame(view.start, x, y)]
        return rows


@register_sensor("mission", privileged=True, not_given="leave out")
def mission(spec: SensorSpec) -> MissionSensor:
    return MissionSensor(spec)
