"""Answers out of what was seen: colours, states and other looks by asking the encoder which words
fit best, numbers by counting what was detected in the room, heights by how far up things reach."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from navproof.agents.generalist.questions import ParsedQuestion, read_question
from navproof.agents.generalist.rooms import RoomMap
from navproof.agents.generalist.survey import MissionSurvey
from navproof.agents.mapping.navigate import XY
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.sightings import Sighting
from navproof.core.types import Detection
from navproof.sim.camera import focal_px

__all__ = ["EvidenceCollector"]

_SEEN = 0.3
_GLIMPSED = 0.2
_SAME_M = 0.8
_LOOKS = 12  # of a thing that are kept
_IN_ROOM = 0.2  # probability from which on a thing may be in a room
_SUPPORTS = (
    *("kitchen counter", "desk", "dining table", "coffee table", "side table", "TV stand"),
    *("nightstand", "dresser", "cabinet", "bookshelf", "shelf unit", "wall shelf", "stove"),
    *("dishwasher", "refrigerator", "washing machine", "reception desk", "conference table"),
    *("counter bar", "display shelf", "filing cabinet", "washbasin", "bed", "sofa", "armchair"),
)
_ON_M = 1.2
_COUNTS, _APART_M = 0.6, 1.0


@dataclass(slots=True)
class _ThingView:
    """One good view of a thing: how it looks, where it is, how far up it reaches."""

    weight: float
    at: XY
    top_m: float
    feature: NDArray[np.float32]


@dataclass(slots=True)
class _ThingViews:
    best: list[_ThingView] = field(default_factory=list)

    def add(self, look: _ThingView) -> None:
        self.best.append(look)
        self.best.sort(key=lambda known: -known.weight)
        del self.best[_LOOKS:]

    def is_worth(self, weight: float) -> bool:
        return len(self.best) < _LOOKS or weight > self.best[-1].weight


class EvidenceCollector:
    """Watches for what a question is about. The answer is given once, at the end."""

    def __init__(self, question: str | None, eyes: Eyes, rooms: RoomMap) -> None:
        self._eyes, self._rooms = eyes, rooms
        self._given = question is None
        self._asked = read_question(question or "")
        self._looks: dict[str, _ThingViews] = {thing: _ThingViews() for thing in self._asked.things}
        self._survey: MissionSurvey | None = None

    def queries(self) -> tuple[str, ...]:
        more = _SUPPORTS if self._asked.form == "support" else ()
        return () if self._given else (*self._asked.things, *more)

    def watch(self, rgb: NDArray[np.uint8], survey: MissionSurvey) -> None:
        """Take in one picture."""
        self._survey = survey
        if self._given or self._asked.form not in ("fits", "taller", "same"):
            return
        patches: NDArray[np.float32] | None = None
        for seen in survey.perceived:
            looks = self._looks.get(seen.label)
            if looks is None or seen.box is None or seen.position is None or seen.score < _GLIMPSED:
                continue
            weight = seen.score * min(1.0, math.sqrt(_area(seen.box)) / 60.0)
            if not looks.is_worth(weight):
                continue
            if patches is None:
                patches = self._eyes.encoder.encode_patches(rgb)
            feature = _feature(patches, seen.box, rgb.shape)
            top_m = _top_m(seen, survey)
            looks.add(_ThingView(weight, (seen.position[0], seen.position[1]), top_m, feature))

    def answer(self) -> str | None:
        """What is answered; None where there is nothing (more) to answer."""
        if self._given:
            return None
        self._given = True
        return self._answer(self._asked) or self._asked.guess

    # ---------------------------------------------------------------------------------- by form
    def _answer(self, question: ParsedQuestion) -> str:
        things, rooms = question.things, question.rooms
        match question.form:
            case "fits":
                return self._fitting(question, things[0])
            case "count":
                count = self._count(things[0], rooms[0])
                return str(count) if count else ""
            case "exists":
                return "yes" if self._count(things[0], rooms[0]) else "no"
            case "room":
                best = max(self._seen(things[0]), key=lambda s: s.steady, default=None)
                return "" if best is None else self._rooms.kind_at(*best.position[:2])
            case "support":
                return self._support(things[0])
            case "taller":
                tops = [self._height(thing) for thing in things]
                return things[int(np.argmax(tops))] if all(tops) else ""
            case "same":
                colours = [self._fitting(question, thing) for thing in things]
                return "" if "" in colours else "yes" if colours[0] == colours[1] else "no"
            case "more" | "which more" | "which room more":
                return self._more(question)
            case _:
                return ""

    def _more(self, question: ParsedQuestion) -> str:
        if len(question.things) > 1:
            one, other = (self._count(thing, question.rooms[0]) for thing in question.things)
        else:
            one, other = (self._count(question.things[0], room) for room in question.rooms)
        if one == other == 0:
            return ""
        if question.form == "more":
            return "yes" if one > other else "no"
        names = question.things if question.form == "which more" else question.rooms
        return names[0] if one >= other else names[1]

    def _fitting(self, question: ParsedQuestion, thing: str) -> str:
        """The answer whose words fit what was seen of a thing best."""
        looks = self._of_one(thing, question.rooms)
        if not looks:
            return ""
        mean = sum(look.weight * look.feature for look in looks)
        texts = [words.format(thing) for words, _ in question.choices]
        best = int(np.argmax(self._eyes.encoder.encode_text(texts) @ np.asarray(mean)))
        return question.choices[best][1]

    def _height(self, thing: str) -> float:
        looks = self._of_one(thing, self._asked.rooms)
        return max((look.top_m for look in looks[:4]), default=0.0)

    def _of_one(self, thing: str, rooms: tuple[str, ...]) -> list[_ThingView]:
        """The views of the thing that is meant: the clearest one, rather in its room."""
        views = self._looks[thing].best
        if not views:
            return []

        def worth(look: _ThingView) -> float:
            inside = max((self._rooms.around(room, *look.at) for room in rooms), default=1.0)
            return look.weight * (_IN_ROOM + inside)

        best = max(views, key=worth)
        return [look for look in views if math.dist(look.at, best.at) < _SAME_M]

    def _support(self, thing: str) -> str:
        best = max(self._seen(thing), key=lambda s: s.steady, default=None)
        if best is None:
            return ""
        near = [
            (math.dist(best.position[:2], below.position[:2]) - below.steady, name)
            for name in _SUPPORTS
            for below in self._seen(name)
            if name != thing and math.dist(best.position[:2], below.position[:2]) < _ON_M
        ]
        return min(near, default=(0.0, ""))[1]

    def _seen(self, thing: str) -> list[Sighting]:
        if self._survey is None:
            return []
        return [s for s in self._survey.sightings.of(thing) if s.steady >= _SEEN]

    def _count(self, thing: str, room: str) -> int:
        """How many there are: sightings that are near each other may be of one."""
        places: list[XY] = []
        for view in self._seen(thing):
            at = view.position[:2]
            inside = view.steady >= _COUNTS and self._rooms.around(room, *at) >= _IN_ROOM
            if inside and all(math.dist(at, other) > _APART_M for other in places):
                places.append(at)
        return len(places)


def _area(box: tuple[float, float, float, float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _top_m(detection: Detection, survey: MissionSurvey) -> float:
    """How far up what is in a box reaches, by its upper edge and its distance."""
    assert detection.box is not None
    assert detection.position is not None
    camera, pose = survey.camera, survey.pose
    x, y, _ = detection.position
    ahead_m = (x - pose.x) * math.cos(pose.yaw) + (y - pose.y) * math.sin(pose.yaw)
    above = camera.height / 2.0 - detection.box[1]
    return camera.height_m + above * max(0.0, ahead_m) / focal_px(camera)


def _feature(
    patches: NDArray[np.float32], box: tuple[float, float, float, float], shape: tuple[int, ...]
) -> NDArray[np.float32]:
    """The mean feature of the patches in the middle of a box."""
    high, wide = patches.shape[0] / shape[0], patches.shape[1] / shape[1]
    u0, v0, u1, v1 = box
    rows = slice(int((0.75 * v0 + 0.25 * v1) * high), int((0.25 * v0 + 0.75 * v1) * high) + 1)
    cols = slice(int((0.75 * u0 + 0.25 * u1) * wide), int((0.25 * u0 + 0.75 * u1) * wide) + 1)
    mean: NDArray[np.float32] = patches[rows, cols].reshape(-1, patches.shape[-1]).mean(axis=0)
    return mean
