"""Where a mission stands and where everybody is, for oracles. Ground truth, as ``expert`` is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.errors import SpecError
from navproof.sensors.pose import to_episode_frame
from navproof.sensors.protocol import ReadingSpec, View
from navproof.types import SensorSpec

__all__ = ["MissionSensor", "mission"]


@dataclass(frozen=True)
class MissionSensor:
    """(1 + people, 3) float64. The first row: the sub-task in force (their number when all are
    done), their number, and the row of the person whom it asks to follow (0: nobody). Then a row
    for each person: x and y in the episode frame, and whether she walks (0 or 1)."""

    spec: SensorSpec

    @property
    def reading(self) -> ReadingSpec:
        return ReadingSpec((None, 3), "float64", -math.inf, math.inf)

    def read(self, view: View) -> NDArray[np.float64]:
        lead = view.lead
        if lead is None:
            raise SpecError(f"sensor '{self.spec.name}' needs a task with sub-tasks")
        people = view.sim.people()
        names = [person.person for person in people]
        followed = 0 if lead.person is None else 1 + names.index(lead.person)
        rows = [(float(lead.subtask), float(lead.subtasks), float(followed))]
        for person in people:
            x, y = to_episode_frame(view.start, person.pose.x, person.pose.y)
            rows.append((x, y, float(person.moving)))
        return np.array(rows, dtype=np.float64)


def mission(spec: SensorSpec) -> MissionSensor:
    return MissionSensor(spec)
