"""The skills of the generalist: each brings one sub-task to its end with what the survey knows.

A skill says what the detector should be asked for (``queries``) and the next action (``step``);
None means that it is done. Discrete moves, and standing still where somebody is waited for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

from navproof.agents._route_rooms import signs_of
from navproof.agents._search_approach import Approach
from navproof.agents._search_sightings import Sighting
from navproof.agents._search_survey import Survey
from navproof.agents.navigate import XY, turn_towards
from navproof.language.parse_mission import ParsedSubTask
from navproof.types import Action, Move, Velocity

__all__ = ["PERSON", "STILL", "Explore", "Skill", "skill_for"]

STILL = Velocity(0.0, 0.0)
PERSON = "person"
Explore = Callable[[], Move | None]
_POINT_M = 0.25  # PointNav is done within 0.36 m
_START_M = 0.8
_THING_M = (0.6, 0.75, 0.9)  # ObjectNav within 1.0 m
_LANDMARK_M = (0.9, 1.2, 1.8)  # VLN within 3.0 m, in the room
_SIGN_M = (1.0, 1.4, 2.0)
_ROOM_ODDS = 0.6
_ROOM_LOOKS = 3
_GAP_M = (1.3, 2.2)  # from somebody who is followed
_AIM_RAD = math.radians(25.0)
_LOST_S = 25.0
_STOPPED_S = 5.0  # longer than anybody rests
_MOVED_M = 0.35


class Skill(Protocol):
    """One sub-task under way."""

    def queries(self) -> tuple[str, ...]: ...
    def step(self, time_s: float) -> Action | None: ...


def skill_for(
    task: ParsedSubTask,
    survey: Survey,
    explore: Explore,
    room_odds: Callable[[str], float],
    detection: float,
) -> Skill:
    """How a sub-task is done."""
    match task.kind:
        case "goto_point" if task.offset_m is not None:
            return _ToPlace(survey, explore, task.offset_m, _POINT_M)
        case "return_to":
            return _ToPlace(survey, explore, (0.0, 0.0), _START_M)
        case "goto_room":
            return _ToRoom(survey, explore, task.target, room_odds, detection)
        case "follow_human":
            return _Follow(survey, explore, task.person or PERSON, detection)
        case _:
            reaches_m = _THING_M if task.kind == "goto_object" else _LANDMARK_M
            return _ToThing(survey, explore, (task.target,), reaches_m, detection)


class _ToPlace:
    """To a place that is told in metres."""

    def __init__(self, survey: Survey, explore: Explore, place: XY, within_m: float) -> None:
        self._survey, self._explore = survey, explore
        self._place, self._within_m = place, within_m

    def queries(self) -> tuple[str, ...]:
        return ()

    def step(self, time_s: float) -> Action | None:
        survey = self._survey
        here = (survey.pose.x, survey.pose.y)
        if math.dist(here, self._place) <= self._within_m:
            return None
        move = survey.nav.towards(survey.pose, *self._place, self._within_m / 2)
        survey.path = survey.nav.path
        return move if move is not None else self._explore()


class _ToThing:
    """To the likeliest thing that was seen of any of some names; meanwhile exploring."""

    def __init__(
        self,
        survey: Survey,
        explore: Explore,
        names: tuple[str, ...],
        reaches_m: tuple[float, ...],
        detection: float,
    ) -> None:
        self._survey, self._explore = survey, explore
        self._names, self._detection = names, detection
        self._approach = Approach(survey, reaches_m)
        self._given_up: list[XY] = []

    def queries(self) -> tuple[str, ...]:
        return self._names

    def step(self, time_s: float) -> Action | None:
        while (seen := self._likeliest()) is not None:
            x, y, _ = seen.position
            step = self._approach.step(x, y, seen.spots)
            if step == "there":
                return None
            if step != "lost":
                return step
            self._given_up.append((x, y))
            self._approach.forget()
        return self._explore()

    def _likeliest(self) -> Sighting | None:
        found = [
            seen
            for name in self._names
            for seen in self._survey.sightings.of(name)
            if seen.steady >= self._detection
            and all(math.dist(seen.position[:2], gone) > 0.6 for gone in self._given_up)
        ]
        return max(found, key=lambda seen: seen.steady, default=None)


class _ToRoom:
    """Into a room: to what gives it away; a room that nothing gives away is known by its looks."""

    def __init__(
        self,
        survey: Survey,
        explore: Explore,
        room: str,
        odds: Callable[[str], float],
        detection: float,
    ) -> None:
        self._room, self._odds, self._explore = room, odds, explore
        signs = signs_of(room)
        self._to_sign = _ToThing(survey, explore, signs, _SIGN_M, detection) if signs else None
        self._looks = 0

    def queries(self) -> tuple[str, ...]:
        return () if self._to_sign is None else self._to_sign.queries()

    def step(self, time_s: float) -> Action | None:
        if self._to_sign is not None:
            return self._to_sign.step(time_s)
        self._looks = self._looks + 1 if self._odds(self._room) > _ROOM_ODDS else 0
        return None if self._looks >= _ROOM_LOOKS else self._explore()


class _Follow:
    """After somebody, at a distance, facing her, until she has stood still for longer than anybody
    rests; where she is out of sight, to where she was last."""

    def __init__(self, survey: Survey, explore: Explore, words: str, detection: float) -> None:
        self._survey, self._explore, self._words = survey, explore, words
        self._detection = detection
        self._at: XY | None = None
        self._moved_s = 0.0
        self._seen_s = -math.inf
        self._has_moved = False

    def queries(self) -> tuple[str, ...]:
        return (self._words,)

    def step(self, time_s: float) -> Action | None:
        survey = self._survey
        self._notice(time_s)
        if self._at is None or time_s - self._seen_s > _LOST_S:
            return self._explore()
        x, y = self._at
        away = math.dist((survey.pose.x, survey.pose.y), self._at)
        in_sight = time_s - self._seen_s < 1.0
        rested = time_s - self._moved_s
        if self._has_moved and in_sight and rested > _STOPPED_S and away <= _GAP_M[1] + 0.4:
            return None
        if away > _GAP_M[1] or not in_sight:
            reach = _GAP_M[0] + 0.2 if in_sight else 0.5
            move = survey.nav.towards(survey.pose, x, y, reach)
            survey.path = survey.nav.path
            if move is not None:
                return move
            if not in_sight:
                return self._explore()
        off = math.atan2(y - survey.pose.y, x - survey.pose.x) - survey.pose.yaw
        if abs(math.remainder(off, math.tau)) > _AIM_RAD:
            return turn_towards(survey.pose, x, y, survey.nav.turn_rad) or STILL
        return STILL

    def _notice(self, time_s: float) -> None:
        """Where she is now, as far as she is seen."""
        fresh = [
            s for s in self._survey.fresh if s.label == self._words and s.score >= self._detection
        ]
        if not fresh:
            return
        best = max(fresh, key=lambda s: s.score)
        place = best.position[0], best.position[1]
        if self._at is None or math.dist(place, self._at) > _MOVED_M:
            self._has_moved |= self._at is not None
            self._at, self._moved_s = place, time_s
        self._seen_s = time_s
