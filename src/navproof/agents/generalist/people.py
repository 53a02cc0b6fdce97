"""People whom a robot has seen: where they are, how they move, and how well words fit them.

Detections are carried into the episode frame and joined to tracks: an α-β filter of constant
velocity (Kalata 1984) with a gate that grows with the time since somebody was last seen, and is
narrower for whom the words fit less than before: two people who meet do not change names. Who a
track is grows out of the scores of its last sightings.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from navproof.agents.mapping.navigate import XY
from navproof.agents.search.sightings import Sighting

__all__ = ["PERSON", "SOMEBODY", "Crowd", "PersonSighting", "Track", "seen_people"]

PERSON = "person"
SOMEBODY = re.compile(r"\b(?:person|people|man|woman|lady|guy|gentleman|girl|boy)\b", re.IGNORECASE)
"""Words for people."""
_LEAST = 0.25  # score from which on somebody is there
_SAME_M = 1.0  # detections of one frame that are nearer are one person
_BODY_M = 0.12  # from the surface that is seen to the middle of somebody
_UNLIKE_M = 0.8
_AWHILE_S, _ALIKE, _DOUBT = 0.5, 0.5, 0.1
_NEWEST = 0.08  # share of the newest sighting in who somebody is
_ALPHA, _BETA = 0.6, 0.25
_GATE_M, _GATE_M_S, _GATE_MOST_M = 0.7, 1.3, 2.5
_FASTEST_M_S = 1.4
_SIGHTINGS = 3
_KEPT_S = 12.0  # for which where somebody was is remembered
_FORGET_S = 90.0


@dataclass(frozen=True, slots=True)
class PersonSighting:
    """Somebody in one frame. ``score``: that there is a person; ``fit``: that the words asked for
    fit her."""

    at: XY
    score: float
    fit: float


@dataclass(slots=True)
class Track:
    """Somebody over time. ``fit`` and ``score`` are means of the last sightings; ``trail`` holds
    (s, x, y) of the last seconds, as filtered."""

    at: XY
    seen_s: float
    v: XY = (0.0, 0.0)
    looks: int = 1
    fit: float = 0.0
    score: float = 0.0
    trail: list[tuple[float, float, float]] = field(default_factory=list)

    @property
    def speed(self) -> float:
        return math.hypot(*self.v)

    def ahead(self, time_s: float, most_s: float = 2.5) -> XY:
        """Where she will be; she is taken to go on for ``most_s`` after she was seen."""
        dt = max(0.0, min(most_s, time_s - self.seen_s))
        return self.at[0] + dt * self.v[0], self.at[1] + dt * self.v[1]

    def still_s(self, within_m: float) -> float:
        """For how long she has been seen within so little of where she is."""
        last = self.trail[-1][0]
        since = last
        for s, x, y in reversed(self.trail):
            if math.dist((x, y), self.at) > within_m:
                break
            since = s
        return last - since

    def has_walked(self, metres: float, since_s: float = 0.0) -> bool:
        """Whether she is now elsewhere than before; one sighting alone may have been wrong."""
        away = [math.dist((x, y), self.at) > metres for s, x, y in self.trail if s >= since_s]
        return sum(away) >= _SIGHTINGS


class Crowd:
    """Everybody who was seen."""

    def __init__(self) -> None:
        self.tracks: list[Track] = []

    def see(self, sightings: Sequence[PersonSighting], time_s: float) -> None:
        """Join the people of one frame to the tracks, nearest first."""
        pairs = sorted(
            (_unlike_m(track, sighting, time_s), i, j)
            for i, sighting in enumerate(sightings)
            for j, track in enumerate(self.tracks)
        )
        joined: set[int] = set()
        matched: set[int] = set()
        for apart, i, j in pairs:
            track = self.tracks[j]
            gate = min(_GATE_MOST_M, _GATE_M + _GATE_M_S * (time_s - track.seen_s))
            if i in joined or j in matched or apart > gate:
                continue
            joined.add(i)
            matched.add(j)
            _update(track, sightings[i], time_s)
        for i, sighting in enumerate(sightings):
            if i not in joined:
                trail = [(time_s, *sighting.at)]
                track = Track(
                    sighting.at, time_s, fit=sighting.fit, score=sighting.score, trail=trail
                )
                self.tracks.append(track)
        self.tracks = [t for t in self.tracks if time_s - t.seen_s < _FORGET_S]

    def near(self, time_s: float, within_s: float) -> list[Track]:
        """Those who were seen of late."""
        return [t for t in self.tracks if time_s - t.seen_s <= within_s]


def _unlike_m(track: Track, sighting: PersonSighting, time_s: float) -> float:
    """How far somebody is from where a track leads, more if the words fit her less. After a while
    one whom they do not fit is she only where she is expected."""
    apart = math.dist(sighting.at, track.ahead(time_s))
    if time_s - track.seen_s > _AWHILE_S and sighting.fit < _ALIKE * track.fit - _DOUBT:
        return apart if apart <= _GATE_M else math.inf
    return apart + _UNLIKE_M * max(0.0, track.fit - sighting.fit)


def _update(track: Track, sighting: PersonSighting, time_s: float) -> None:
    dt = time_s - track.seen_s
    x, y = track.ahead(time_s)
    dx, dy = sighting.at[0] - x, sighting.at[1] - y
    if dt > 1.5:  # she may have turned meanwhile
        track.at, track.v = sighting.at, (0.0, 0.0)
    else:
        track.at = x + _ALPHA * dx, y + _ALPHA * dy
        gain = _BETA / max(dt, 0.1)
        v = track.v[0] + gain * dx, track.v[1] + gain * dy
        fast = math.hypot(*v)
        scale = min(1.0, _FASTEST_M_S / fast) if fast > 0.0 else 1.0
        track.v = v[0] * scale, v[1] * scale
    track.seen_s = time_s
    track.looks += 1
    newest = max(1.0 / track.looks, _NEWEST)
    track.fit += newest * (sighting.fit - track.fit)
    track.score += newest * (sighting.score - track.score)
    track.trail.append((time_s, *track.at))
    while time_s - track.trail[0][0] > _KEPT_S:
        track.trail.pop(0)


def seen_people(sightings: Sequence[Sighting], words: str, eye: XY) -> list[PersonSighting]:
    """The people of one frame, out of what was detected as ``person`` or as the ``words``."""
    people: list[PersonSighting] = []
    for sighting in sorted(sightings, key=lambda s: -s.score):
        if sighting.label not in (PERSON, words) or sighting.score < _LEAST:
            continue
        x, y, _ = sighting.position
        away = math.dist((x, y), eye)
        grow = 1.0 + _BODY_M / away if away > 0.0 else 1.0
        at = eye[0] + grow * (x - eye[0]), eye[1] + grow * (y - eye[1])
        fit = sighting.score if sighting.label == words else 0.0
        same = next((i for i, s in enumerate(people) if math.dist(s.at, at) < _SAME_M), None)
        if same is None:
            people.append(PersonSighting(at, sighting.score, fit))
        else:
            other = people[same]
            people[same] = PersonSighting(other.at, other.score, max(other.fit, fit))
    return people
