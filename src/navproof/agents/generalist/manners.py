"""Manners: keeping a distance from people whom no sub-task asks to follow.

Everybody seen of late is taken to walk on as she does. Where going on would bring the robot too
near to her within the next seconds it waits; where waiting would too, it steps aside, unless it
would lose somebody whom it follows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from navproof.agents.generalist.drive import Driver
from navproof.agents.generalist.people import Track
from navproof.agents.generalist.survey import MissionSurvey
from navproof.agents.mapping.navigate import XY
from navproof.core.types import Action, Pose, Waypoints

__all__ = ["PersonalSpace"]

_AHEAD_S = (0.3, 0.6, 0.9, 1.2, 1.6, 2.0, 2.4)
_FRESH_S = 2.0
_SURE = 0.4  # mean score from which on a track is somebody
_BESIDE_M = 1.2  # of who is followed: what is seen there is she
_THE_ONE = 0.45  # fit from which on somebody is the one to be followed, now, before or later
_HASTE = 0.8  # of the robot's speed, at which it goes on
_PATIENCE_S = 7.0
_SQUEEZE_M = 0.75  # what is kept when patience is at its end
_ASIDE_M = 0.6
_DIRECTIONS = 12


class PersonalSpace:
    """Keeps a distance of ``keep_m`` from people."""

    def __init__(self, survey: MissionSurvey, driver: Driver, keep_m: float) -> None:
        self._survey, self._driver, self._keep_m = survey, driver, keep_m
        self._waits_since: float | None = None
        self.waits = False

    def mind(
        self, action: Action, followed: Track | None, time_s: float, hold: Action | None = None
    ) -> Action:
        """The action, or another that keeps the distance: ``hold``, where there is one."""
        others = self._others(followed, time_s)
        self.waits = False
        if not others or not isinstance(action, Waypoints):
            return action
        keep = self._keep(time_s)
        pose = self._survey.pose
        speed = _HASTE * self._driver.robot.max_speed_m_s
        way = [_along(action.points, speed * s) for s in _AHEAD_S]
        going = [_world(pose, point) for point in way]
        if self._room(going, others, time_s) >= keep:
            self._waits_since = None if self._calm(others, time_s) else self._waits_since
            return action
        if self._waits_since is None:
            self._waits_since = time_s
        self.waits = True
        if hold is not None:
            return hold
        here = (pose.x, pose.y)
        standing = self._room([here] * len(_AHEAD_S), others, time_s)
        if standing >= keep or standing >= self._room(going, others, time_s) + 0.5:
            return self._driver.rest()
        aside = self._aside(others, time_s, standing)
        return self._driver.rest() if aside is None else self._driver.straight(pose, *aside)

    def _others(self, followed: Track | None, time_s: float) -> list[Track]:
        return [
            t
            for t in self._survey.crowd.near(time_s, _FRESH_S)
            if t.fit < _THE_ONE
            and t.looks > 1
            and t.score >= _SURE
            and (followed is None or math.dist(t.at, followed.at) > _BESIDE_M)
        ]

    def _keep(self, time_s: float) -> float:
        since = self._waits_since
        if since is not None and time_s - since > _PATIENCE_S:
            if time_s - since > 2.0 * _PATIENCE_S:
                self._waits_since = None
            return _SQUEEZE_M
        return self._keep_m

    def _calm(self, others: Sequence[Track], time_s: float) -> bool:
        pose = self._survey.pose
        near = (math.dist(t.at, (pose.x, pose.y)) for t in others)
        return all(away > self._keep_m + 0.8 for away in near)

    def _room(self, way: Sequence[XY], others: Sequence[Track], time_s: float) -> float:
        """The least distance on a way, unless one is as near already and gets no nearer."""
        least = math.inf
        here = (self._survey.pose.x, self._survey.pose.y)
        for track in others:
            now = math.dist(here, track.ahead(time_s))
            for place, ahead_s in zip(way, _AHEAD_S, strict=True):
                apart = math.dist(place, track.ahead(time_s + ahead_s, 3.0))
                if apart < now - 0.02:
                    least = min(least, apart)
        return least

    def _aside(self, others: Sequence[Track], time_s: float, standing: float) -> XY | None:
        """Where there is more room, if anywhere."""
        pose = self._survey.pose
        best, point = standing + 0.1, None
        for k in range(_DIRECTIONS):
            angle = pose.yaw + math.tau * k / _DIRECTIONS
            dx, dy = math.cos(angle), math.sin(angle)
            if not all(self._is_free(pose.x + r * dx, pose.y + r * dy) for r in (0.2, 0.4, 0.6)):
                continue
            far = (pose.x + _ASIDE_M * dx, pose.y + _ASIDE_M * dy)
            way = [far] * len(_AHEAD_S)
            room = self._room(way, others, time_s) - 0.1 * abs(
                math.remainder(angle - pose.yaw, math.tau)
            )
            if room > best:
                best, point = room, far
        return point

    def _is_free(self, x: float, y: float) -> bool:
        """Whether a place is known, and there is room at it."""
        nav = self._survey.nav
        return nav.has_room_at(x, y) and bool(nav.map.evidence[nav.map.index(x, y)] < 0)


def _along(points: Sequence[XY], metres: float) -> XY:
    """So far along a way that begins at the robot."""
    at, left = (0.0, 0.0), metres
    for point in points:
        length = math.dist(at, point)
        if length >= left:
            share = left / length if length else 0.0
            return at[0] + share * (point[0] - at[0]), at[1] + share * (point[1] - at[1])
        at, left = point, left - length
    return at


def _world(pose: Pose, point: XY) -> XY:
    c, s = math.cos(pose.yaw), math.sin(pose.yaw)
    return pose.x + point[0] * c - point[1] * s, pose.y + point[0] * s + point[1] * c
