"""Following somebody: behind her at a distance, facing her, waiting when she rests, looking for her
when she is out of sight, until she has stood for longer than anybody rests."""

from __future__ import annotations

import math

from navproof.agents.generalist.people import PERSON, Track
from navproof.agents.generalist.skills import SkillTools, drive_to
from navproof.agents.mapping.navigate import XY
from navproof.core.types import Action

__all__ = ["FollowSkill"]

_GAP_M, _STOPPING = 1.1, 0.6  # behind her, and of the way that the robot needs to stop
_WAITS_M = 0.4  # more, before she has set out: she may come this way
_LONG_M = 0.5  # who needs more to stop does not stop in order to turn, or go backwards
_NEAR_M = 1.15  # nearer, it backs off: a follower keeps more than 1 m away
_SLACK_M = 0.15
_WALKS_M_S = 0.3
_LEAD_S = 1.0  # it drives to where she will be by then, so that it does not brake behind her
_STRIDE_M = 0.2
_FIT, _CLEAR_FIT = 0.3, 0.45  # of several sightings, of one
_WAITS_NEAR_M = 4.0
_SURE, _SURE_LOOKS = 0.5, 3  # mean score from which on it is somebody, and of how many looks
_IN_SIGHT_S = 0.9
_TURNS_S = 2.5  # for which it first turns to somebody who went out of view
_ASIDE_RAD = 0.6
_RESTS_S = 3.8  # longer than anybody rests
_STANDS_M = 0.3
_HAS_WALKED_M = 0.8
_THERE_M = 0.5
_LOST_S = 15.0  # for which it goes to where she was last
_GIVES_UP_S = 12.0  # longer than it takes to find her in time
_GIVES_UP_LAST_S, _GIVES_UP_M = 30.0, 1.2  # where nothing comes after
_AHEAD_S = 0.6
_AROUND_RAD = math.radians(290.0)
_GLANCE_RAD = math.radians(15.0)  # to the one side, before it looks all around by the other
_SIDE_RAD = math.radians(70.0)  # the same where she was lost


class FollowSkill:
    """``until_s``: by then who is to be followed has set out, or has come to her end already.
    ``last``: nothing comes after it."""

    def __init__(self, kit: SkillTools, words: str, until_s: float, *, last: bool = True) -> None:
        self._kit = kit
        self.words = words or PERSON
        self._until_s = until_s
        self._is_last = last
        robot = kit.driver.robot
        gently = robot.gentle_m_s2 or robot.acceleration_m_s2
        stops_m = 0.5 * robot.max_speed_m_s**2 / gently if gently else 0.0
        self._gap_m = _GAP_M + _STOPPING * stops_m
        self._stops_soon = stops_m <= _LONG_M
        self.her: Track | None = None
        self._has_walked = False
        self._began_s: float | None = None
        self._turned = 0.0
        self._yaw: float | None = None
        self._at_last_place = False
        self._lost_s: float | None = None
        self._side = 0.0

    def queries(self) -> tuple[str, ...]:
        return ()

    def place(self) -> XY | None:
        return None if self.her is None else self.her.at

    def step(self, time_s: float) -> Action | None:
        self._began_s = time_s if self._began_s is None else self._began_s
        self._recognise(time_s)
        if self.her is None:
            return self._look_around(1.0, _GLANCE_RAD) or self._kit.explore(self._nearness)
        her = self.her
        self._has_walked |= her.has_walked(_HAS_WALKED_M, self._began_s)
        if time_s - her.seen_s > _IN_SIGHT_S:
            return self._look_for(her, time_s)
        self._turned, self._yaw, self._at_last_place, self._lost_s = 0.0, None, False, None
        if self._is_over(her, time_s):
            return None
        return self._keep_up(her, time_s)

    def _recognise(self, time_s: float) -> None:
        """Whom the words fit best; somebody who is being followed stays unless another who is in
        sight fits much better, or well enough when she is not. Where the words fit nobody (who
        has glasses is hard to see), it is anybody who stands near, as she does at first."""
        tracks = self._kit.survey.crowd.tracks
        current = self.her if self.her in tracks else None
        fits = [
            t
            for t in tracks
            if t.fit >= (_FIT if t.looks >= 2 else _CLEAR_FIT)
            and (current is None or (t is not current and self._is_better(t, current, time_s)))
        ]
        if current is None and not fits:
            fits = [t for t in tracks if self._may_wait(t)]
        if fits:
            self.her = max(fits, key=lambda t: (t.fit + 0.05 * min(t.looks, 4), t.seen_s))

    def _may_wait(self, one: Track) -> bool:
        sure = one.score >= _SURE and one.looks >= _SURE_LOOKS
        return sure and one.speed < _WALKS_M_S and self._away(one.at) < _WAITS_NEAR_M

    def _is_better(self, one: Track, current: Track, time_s: float) -> bool:
        lost = time_s - current.seen_s > _IN_SIGHT_S
        fresh = time_s - one.seen_s <= _IN_SIGHT_S
        return fresh and (one.fit > current.fit + 0.25 or (lost and one.fit > 0.6 * current.fit))

    def _is_over(self, her: Track, time_s: float) -> bool:
        stood = her.still_s(_STANDS_M)
        away = self._away(her.at)
        if stood < _RESTS_S or not 1.05 < away < 2.2:
            return False
        return self._has_walked or time_s > self._until_s

    def _keep_up(self, her: Track, time_s: float) -> Action:
        driver, pose = self._kit.driver, self._kit.survey.pose
        now = her.ahead(time_s)
        away, off = self._away(now), self._off(now)
        gap_m = self._gap_m + (0.0 if self._has_walked else _WAITS_M)
        walks = her.speed > _WALKS_M_S
        if away < _NEAR_M and abs(off) < _ASIDE_RAD and not walks and self._stops_soon:
            return driver.back(pose)
        if away > gap_m + _SLACK_M or (walks and away > gap_m):
            x, y = self._leads_to(her, time_s + _LEAD_S, _LEAD_S) if walks else now
            action = self._straight_to(x, y, gap_m) or drive_to(self._kit, x, y, gap_m)
            if action is not None:
                return action
        return driver.turn(off)

    def hold(self) -> Action | None:
        """What to do instead of going on, so that she is not lost; None where nobody is
        followed."""
        return None if self.her is None else self._kit.driver.turn(self._off(self.her.at))

    def _straight_to(self, x: float, y: float, gap_m: float) -> Action | None:
        """Straight to within a gap of a place ahead, where nothing is known to be in the way."""
        kit, pose = self._kit, self._kit.survey.pose
        go_m = self._away((x, y)) - gap_m
        if not kit.driver.smooth or go_m <= 0.0 or abs(self._off((x, y))) > _ASIDE_RAD:
            return None
        share = go_m / (go_m + gap_m)
        end = pose.x + share * (x - pose.x), pose.y + share * (y - pose.y)
        for k in range(1, math.ceil(go_m / _STRIDE_M) + 1):
            part = min(1.0, k * _STRIDE_M / go_m)
            at = pose.x + part * (end[0] - pose.x), pose.y + part * (end[1] - pose.y)
            if not kit.survey.nav.has_room_at(*at):
                return None
        kit.survey.path = ((pose.x, pose.y), end)
        return kit.driver.straight(pose, *end)

    def _look_for(self, her: Track, time_s: float) -> Action | None:
        """To where she must be by now, then to where she was last; a look around there, and on to
        what was not seen yet. When she must have come to her end without it, it gives up, at the
        place where she was last if nothing comes after."""
        self._lost_s = time_s if self._lost_s is None else self._lost_s
        gone_s = time_s - her.seen_s if self._has_walked else 0.0
        if gone_s > _GIVES_UP_S and not self._is_last:
            return None
        if gone_s > _GIVES_UP_LAST_S:
            return drive_to(self._kit, *her.at, _GIVES_UP_M)
        if not self._at_last_place:
            x, y = self._leads_to(her, time_s, _AHEAD_S)
            off = self._off((x, y))
            aside = abs(off) > _ASIDE_RAD and self._stops_soon
            if aside and time_s - her.seen_s < _TURNS_S:
                return self._kit.driver.turn(off)
            if self._away((x, y)) > _THERE_M and time_s - self._lost_s < _LOST_S:
                action = drive_to(self._kit, x, y, 0.3)
                if action is not None:
                    return action
            self._at_last_place = True
        yaw = self._kit.survey.pose.yaw
        left = her.v[1] * math.cos(yaw) - her.v[0] * math.sin(yaw)  # the way she went
        return self._look_around(left, _SIDE_RAD) or self._kit.explore(self._nearness)

    def _leads_to(self, her: Track, time_s: float, most_s: float) -> XY:
        """Where she will be if she goes on, as far as nothing is known to stand there."""
        world = self._kit.survey.nav.map
        ahead = her.ahead(time_s, most_s)
        length = math.dist(her.at, ahead)
        steps = math.ceil(length / _STRIDE_M)
        place = her.at
        for k in range(1, steps + 1):
            x, y = (a + k / steps * (b - a) for a, b in zip(her.at, ahead, strict=True))
            if world.evidence[world.index(x, y)] > 0:
                break
            place = x, y
        return place

    def _look_around(self, side: float, glance_rad: float) -> Action | None:
        """A glance to one side, then a turn by the other one, all around; None when that is
        done."""
        yaw = self._kit.survey.pose.yaw
        if self._yaw is None:
            self._side = math.copysign(0.8, side)
        else:
            self._turned += abs(math.remainder(yaw - self._yaw, math.tau))
        self._yaw = yaw
        if self._turned >= _AROUND_RAD + 2.0 * glance_rad:
            return None
        back = self._turned >= glance_rad
        return self._kit.driver.turn(-self._side if back else self._side)

    def _nearness(self, place: XY) -> float:
        """How near a place is to where she was last, and ahead of her."""
        if self.her is None:
            return 0.0
        x, y = self.her.at
        on = (self.her.v[0] * (place[0] - x) + self.her.v[1] * (place[1] - y)) > 0.0
        return (1.0 if on else 0.6) / (1.0 + 0.3 * math.dist(place, (x, y)))

    def _away(self, place: XY) -> float:
        pose = self._kit.survey.pose
        return math.dist(place, (pose.x, pose.y))

    def _off(self, place: XY) -> float:
        """The angle from the heading to a place."""
        pose = self._kit.survey.pose
        return math.remainder(math.atan2(place[1] - pose.y, place[0] - pose.x) - pose.yaw, math.tau)
