"""The skills of the generalist: each brings one sub-task to its end with what the survey knows.

A skill says what the detector should be asked for (``queries``), where the sub-task leads as far
as that is known (``place``), and the next action (``step``); None means that it is done.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from navproof.agents.generalist.drive import Driver
from navproof.agents.generalist.explore import Promise
from navproof.agents.generalist.rooms import LIKELY, RoomMap
from navproof.agents.generalist.survey import MissionSurvey
from navproof.agents.mapping.navigate import XY
from navproof.agents.route.rooms import signs_of
from navproof.agents.search.approach import Approach
from navproof.agents.search.sightings import Sighting
from navproof.core.types import Action, Move
from navproof.language.lexicon.terms import ROOM_NAMES

__all__ = ["GoToPlace", "GoToRoom", "GoToThing", "Skill", "SkillTools", "drive_to"]

_POINT_M = 0.2  # PointNav is done within 0.36 m
_NEARLY_M = 0.8
_SAME_M = 0.6
_LOOK_M = (1.0, 2.5)  # from where a thing that was seen from afar is judged
_LOOKS = 4
_MAYBE, _MAYBE_M = 0.55, 3.5  # of the score that is believed; from how far that is looked at
_IN_ROOM, _OF_ROOM = 0.05, 0.2  # where a thing may be, and what may give a room away
_ROOM_ODDS = 0.5
_ROOM_M = 1.3


@dataclass(slots=True)
class SkillTools:
    """What skills work with. ``explore`` gives the next action towards what was not seen yet,
    rather where a promise is high, None when all was; ``detection`` is the score from which on a
    detection is believed."""

    survey: MissionSurvey
    driver: Driver
    rooms: RoomMap
    explore: Callable[[Promise], Action | None]
    detection: float


class Skill(Protocol):
    """Carries out one sub-task."""

    def queries(self) -> tuple[str, ...]: ...
    def place(self) -> XY | None: ...
    def step(self, time_s: float) -> Action | None: ...


def drive_to(kit: SkillTools, x: float, y: float, reach_m: float) -> Action | None:
    """The next action on the way to within ``reach_m`` of a point, or as near as one can stand to
    it; None when the robot is there, or when nothing leads there (then the path is empty)."""
    survey = kit.survey
    move = survey.nav.towards(survey.pose, x, y, reach_m)
    survey.path = survey.nav.path
    return None if move is None else kit.driver.along(survey.pose, survey.path, move)


class GoToPlace:
    """Goes to a place that is told in metres."""

    def __init__(self, kit: SkillTools, place: XY, within_m: float = _POINT_M) -> None:
        self._kit, self._at, self._within_m = kit, place, within_m
        self._tries = 0

    def queries(self) -> tuple[str, ...]:
        return ()

    def place(self) -> XY | None:
        return self._at

    def step(self, time_s: float) -> Action | None:
        survey = self._kit.survey
        away = math.dist((survey.pose.x, survey.pose.y), self._at)
        if away <= self._within_m:
            return None
        action = drive_to(self._kit, *self._at, self._within_m / 2)
        if action is not None:
            return action
        if away <= _NEARLY_M and self._tries < 20:
            self._tries += 1
            return self._kit.driver.straight(survey.pose, *self._at)
        if away <= _NEARLY_M:
            return None
        return self._kit.explore(self._nearness)

    def _nearness(self, place: XY) -> float:
        return 1.0 / (1.0 + 0.2 * math.dist(place, self._at))


class GoToThing:
    """To the likeliest thing that was seen of any of some names; meanwhile exploring. What turns
    out to be something else from near is dropped; what may be one is looked at where that is no
    detour. ``room`` is where it is, if that is said: places that are less likely than ``least`` to
    be of that room do not count."""

    def __init__(
        self,
        kit: SkillTools,
        names: tuple[str, ...],
        reaches_m: tuple[float, ...],
        room: str = "",
        least: float = _IN_ROOM,
    ) -> None:
        self._kit, self._names = kit, names
        self._room, self._least = room, least
        self._rooms = (room,) if room else rooms_with(names)
        self._approach = Approach(kit.survey, reaches_m)
        self._given_up: list[XY] = []
        self._looked_at: list[XY] = []
        self._aim: XY | None = None
        self._looks = self._nods = 0

    def queries(self) -> tuple[str, ...]:
        return self._names

    def place(self) -> XY | None:
        seen = self._likeliest(self._kit.detection, math.inf, self._given_up)
        return None if seen is None else (seen.position[0], seen.position[1])

    def step(self, time_s: float) -> Action | None:
        survey = self._kit.survey
        while (found := self._next()) is not None:
            seen, sure = found
            x, y, _ = seen.position
            if self._aim is None or math.dist(self._aim, (x, y)) > _SAME_M:
                self._aim, self._looks, self._nods = (x, y), 0, 0
            if not self._is_denied(sure):
                step = self._approach.step(x, y, seen.spots)
                if step == "there" and sure:
                    return None
                if isinstance(step, Move):
                    return self._kit.driver.along(survey.pose, survey.path, step)
            (self._given_up if sure else self._looked_at).append((x, y))
            self._approach.forget()
            self._aim = None
        return self._kit.explore(self._promise)

    def _next(self) -> tuple[Sighting, bool] | None:
        """What to go to, and whether it is surely one."""
        least = self._kit.detection
        sure = self._likeliest(least, math.inf, self._given_up)
        if sure is not None:
            return sure, True
        maybe = self._likeliest(_MAYBE * least, _MAYBE_M, self._given_up + self._looked_at)
        return None if maybe is None else (maybe, False)

    def _promise(self, place: XY) -> float:
        return max((self._kit.rooms.around(room, *place) for room in self._rooms), default=0.0)

    def _likeliest(self, least: float, within_m: float, without: list[XY]) -> Sighting | None:
        pose = self._kit.survey.pose
        sightings = [
            sighting
            for name in self._names
            for sighting in self._kit.survey.sightings.of(name)
            if sighting.steady >= least
            and math.dist(sighting.position[:2], (pose.x, pose.y)) <= within_m
            and all(math.dist(sighting.position[:2], gone) > _SAME_M for gone in without)
            and not (self._room and self._is_elsewhere(sighting))
        ]
        return max(sightings, key=self._worth, default=None)

    def _is_elsewhere(self, sighting: Sighting) -> bool:
        return self._kit.rooms.denies(self._room, *sighting.position[:2], self._least)

    def _worth(self, sighting: Sighting) -> float:
        """Its score, less for the way to it, more for having set out for it and for its room."""
        pose, at = self._kit.survey.pose, sighting.position[:2]
        is_aim = self._aim is not None and math.dist(at, self._aim) < _SAME_M
        inside = self._kit.rooms.around(self._room, *at) if self._room else 0.0
        away = math.dist(at, (pose.x, pose.y))
        return sighting.steady - 0.01 * away + (0.1 if is_aim else 0.0) + 0.3 * inside

    def _is_denied(self, sure: bool) -> bool:
        """Whether good views of the aim have shown nothing of the kind in most cases; of what may
        be one, whether there were any, since it would be sure by then."""
        survey, aim = self._kit.survey, self._aim
        if aim is None:
            return False
        pose = survey.pose
        away = math.dist((pose.x, pose.y), aim)
        off = math.remainder(math.atan2(aim[1] - pose.y, aim[0] - pose.x) - pose.yaw, math.tau)
        half = math.radians(survey.camera.hfov_deg) / 2.0
        if survey.looked and _LOOK_M[0] <= away <= _LOOK_M[1] and abs(off) < 0.7 * half:
            here = np.array([[pose.x, pose.y]])
            if survey.eye_level.sees(here, *aim, 0.35)[0]:
                self._looks += 1
                self._nods += any(
                    s.label in self._names
                    and math.dist(s.position[:2], aim) < 0.75
                    and s.score >= 0.5 * self._kit.detection
                    for s in survey.fresh
                )
        return self._looks >= _LOOKS and (not sure or 3 * self._nods < self._looks)


class GoToRoom:
    """Into a room: to what gives it away, or to where it looks like one, until it does so around
    the robot."""

    def __init__(self, kit: SkillTools, room: str, reaches_m: tuple[float, ...]) -> None:
        self._kit, self._room = kit, room
        signs = signs_of(room)
        self._to_sign = GoToThing(kit, signs, reaches_m, room, _OF_ROOM) if signs else None
        self._given_up: list[XY] = []

    def queries(self) -> tuple[str, ...]:
        return () if self._to_sign is None else self._to_sign.queries()

    def place(self) -> XY | None:
        sign = None if self._to_sign is None else self._to_sign.place()
        return sign or self._region()

    def step(self, time_s: float) -> Action | None:
        if self._to_sign is not None and self._to_sign.place() is not None:
            return self._to_sign.step(time_s)
        middle = self._region()
        if middle is None:
            return self._kit.explore(lambda place: self._kit.rooms.around(self._room, *place))
        survey, rooms = self._kit.survey, self._kit.rooms
        here = (survey.pose.x, survey.pose.y)
        inside = rooms.at(self._room, *here) > min(_ROOM_ODDS, self._kit.detection)
        if inside and math.dist(here, middle) < _ROOM_M:
            return None
        action = drive_to(self._kit, *middle, 0.4)
        if action is not None:
            return action
        if inside:
            return None
        self._given_up.append(middle)
        return self._kit.driver.rest()

    def _region(self) -> XY | None:
        pose = self._kit.survey.pose
        least = min(LIKELY, self._kit.detection)
        region = self._kit.rooms.region(self._room, (pose.x, pose.y), least)
        if region is None or any(math.dist(region[0], gone) < 1.0 for gone in self._given_up):
            return None
        return region[0]


def rooms_with(names: tuple[str, ...]) -> tuple[str, ...]:
    """The rooms that some things give away."""
    return tuple(room for room in ROOM_NAMES if set(names) & set(signs_of(room)))
