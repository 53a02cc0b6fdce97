"""The places of one mission: how far away each is, and where to go for it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from navproof.core.types import Episode, SubTask
from navproof.sim.protocol import GoalSet, Simulator, points
from navproof.tasks.mission.follow_place import place_behind, stride_of

if TYPE_CHECKING:
    from navproof.world.people.people import PersonState

__all__ = ["People", "Places", "apart_m", "people_of"]

People = Mapping[str, "PersonState"]
"""Everybody now, by name."""


class Places:
    """The places of one episode's sub-tasks. What it keeps follows from episode,
    scene and robot alone."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self._goals = tuple(_positions(episode, subtask) for subtask in episode.subtasks)
        self._within: dict[int, GoalSet] = {}
        self._behind: dict[tuple[str, int], GoalSet] = {}

    def distances_m(self, sim: Simulator, people: People) -> tuple[float, ...]:
        """To the goal of each sub-task: along the floor to the nearest position of a room,
        landmark, object or place to return to, straight to a point or to a person."""
        distances = []
        for subtask, goals in zip(self._episode.subtasks, self._goals, strict=True):
            if subtask.kind == "follow_human":
                distances.append(apart_m(sim, people[subtask.person or ""]))
            elif subtask.kind == "goto_point":
                distances.append(_straight_m(sim, goals))
            else:
                distances.append(sim.geodesic(sim.pose.point, goals))
        return tuple(distances)

    def last_m(self, sim: Simulator, people: People) -> float:
        """To the goal of the last sub-task, where the mission should end: for one to follow, where
        her walk ends."""
        if self._episode.subtasks[-1].kind == "follow_human":
            return _straight_m(sim, self._goals[-1])
        return self.distances_m(sim, people)[-1]

    def aim(self, sim: Simulator, index: int, people: People) -> GoalSet:
        """Where to go for a sub-task: its positions, those in its rooms where it names any; behind
        somebody who is to be followed."""
        subtask = self._episode.subtasks[index]
        if subtask.kind != "follow_human":
            if index not in self._within:
                self._within[index] = _in_rooms(sim, self._goals[index], subtask.rooms)
            return self._within[index]
        person = people[subtask.person or ""]
        key = (person.person, stride_of(person.walked_m))
        if key not in self._behind:
            walk = next(w for w in self._episode.people if w.person == person.person)
            self._behind[key] = place_behind(sim, walk, key[1])
        return self._behind[key]


def people_of(sim: Simulator) -> People:
    return {person.person: person for person in sim.people()}


def apart_m(sim: Simulator, person: PersonState) -> float:
    """Straight along the floor, from the robot's centre to hers."""
    return math.hypot(person.pose.x - sim.pose.x, person.pose.y - sim.pose.y)


def _straight_m(sim: Simulator, goals: GoalSet) -> float:
    return min(math.hypot(x - sim.pose.x, y - sim.pose.y) for x, y, _ in goals)


def _positions(episode: Episode, subtask: SubTask) -> GoalSet:
    """Of a person to be followed, unless the episode says otherwise, where her walk ends."""
    if subtask.goal.positions:
        return points(subtask.goal.positions)
    walks = {walk.person: walk for walk in episode.people}
    x, y, _ = walks[subtask.person or ""].path[-1]
    return points([(x, y, episode.start.z)])


def _in_rooms(sim: Simulator, goals: GoalSet, rooms: Collection[int]) -> GoalSet:
    """The goals that lie in these rooms; all of them where none does."""
    places = [(goal, sim.scene.room_at(*goal)) for goal in goals]
    return tuple(goal for goal, room in places if room and room.id in rooms) or goals
