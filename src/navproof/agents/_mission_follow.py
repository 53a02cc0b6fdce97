"""Following somebody: behind her at a distance, facing her, waiting when she rests, looking for her
when she is out of sight, until she has stood for longer than anybody rests."""

from __future__ import annotations

import math

from navproof.agents._mission_people import PERSON, Track
from navproof.agents._mission_skills import Kit, drive_to
from navproof.agents.navigate import XY
from navproof.types import Action

__all__ = ["Follow"]

_GAP_M = 1.6
_NEAR_M = 1.25  # nearer, it backs off: a follower keeps more than 1 m away
_SLACK_M = 0.25
_FIT = 0.3
_IN_SIGHT_S = 0.9
_RESTS_S = 3.8  # longer than anybody rests
_STANDS_M = 0.3
_HAS_WALKED_M = 0.8
_THERE_M = 0.5
_LOST_S = 15.0  # for which it goes to where she was last
_AHEAD_S = 1.5
_AROUND_RAD = math.radians(290.0)


class Follow:
    """``until_s``: by then who is to be followed has set out, or has come to her end already."""

    def __init__(self, kit: Kit, words: str, until_s: float) -> None:
        self._kit = kit
        self.words = words or PERSON
        self._until_s = until_s
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
            return self._look_around(1.0) or self._kit.explore(self._nearness)
        her = self.her
        self._has_walked |= her.has_walked(_HAS_WALKED_M, self._began_s)
        if time_s - her.seen_s > _IN_SIGHT_S:
            return self._look_for(her, time_s)
        self._turned, self._yaw, self._at_last_place, self._lost_s = 0.0, None, False, None
        if self._is_over(her, time_s):
            return None
        return self._keep_up(her, time_s)

    def _recognise(self, time_s: float) -> None:
        """Whom the words fit best; somebody who is being followed stays unless another fits much
        better."""
        fits = [t for t in self._kit.survey.crowd.tracks if t.fit >= _FIT and t.looks >= 2]
        if not fits:
            return
        best = max(fits, key=lambda t: (t.fit + 0.05 * min(t.looks, 4), t.seen_s))
        held = self.her if self.her in self._kit.survey.crowd.tracks else None
        if held is None or (best is not held and self._is_better(best, held, time_s)):
            self.her = best

    def _is_better(self, one: Track, held: Track, time_s: float) -> bool:
        lost = time_s - held.seen_s > _IN_SIGHT_S
        fresh = time_s - one.seen_s <= _IN_SIGHT_S
        return fresh and (one.fit > held.fit + 0.25 or (lost and one.fit > 0.7 * held.fit))

    def _is_over(self, her: Track, time_s: float) -> bool:
        stood = her.still_s(_STANDS_M)
        away = self._away(her.at)
        if stood < _RESTS_S or not 1.05 < away < 2.2:
            return False
        return self._has_walked or time_s > self._until_s

    def _keep_up(self, her: Track, time_s: float) -> Action:
        driver, pose = self._kit.driver, self._kit.survey.pose
        x, y = her.at
        away = self._away(her.at)
        off = math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, math.tau)
        if away < _NEAR_M and abs(off) < 0.6:
            return driver.back(pose)
        if away > _GAP_M + _SLACK_M or (away > _GAP_M and her.speed > 0.4):
            action = drive_to(self._kit, x, y, _GAP_M)
            if action is not None:
                return action
        return driver.turn(off)

    def _look_for(self, her: Track, time_s: float) -> Action | None:
        """To where she must be by now, then to where she was last; a look around there, and on to
        what was not seen yet."""
        self._lost_s = time_s if self._lost_s is None else self._lost_s
        if not self._at_last_place:
            x, y = her.ahead(time_s, _AHEAD_S)
            if self._away((x, y)) > _THERE_M and time_s - self._lost_s < _LOST_S:
                action = drive_to(self._kit, x, y, 0.3)
                if action is not None:
                    return action
            self._at_last_place = True
        yaw = self._kit.survey.pose.yaw
        left = her.v[1] * math.cos(yaw) - her.v[0] * math.sin(yaw)  # the way she went
        return self._look_around(left) or self._kit.explore(self._nearness)

    def _look_around(self, side: float) -> Action | None:
        """A turn to one side, all around; None when that is done."""
        yaw = self._kit.survey.pose.yaw
        if self._yaw is None:
            self._side = math.copysign(0.8, side)
        else:
            self._turned += abs(math.remainder(yaw - self._yaw, math.tau))
        self._yaw = yaw
        return self._kit.driver.turn(self._side) if self._turned < _AROUND_RAD else None

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
