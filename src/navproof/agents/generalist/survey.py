"""What the generalist has seen: a survey in which people leave no trace on the map of where one can
go, and are tracked instead."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.agents.generalist.people import PERSON, SOMEBODY, Crowd, PersonSighting, seen_people
from navproof.agents.mapping.navigate import XY
from navproof.agents.mapping.occupancy import LIMIT, OccupancyMap
from navproof.agents.route.sight import AgreeingEyes
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.sightings import Sighting, place
from navproof.agents.search.survey import Survey
from navproof.core.types import Beliefs, Observation, Pose, Remembered, TaskBrief
from navproof.perception.protocol import Detections

__all__ = ["MissionEyes", "MissionSurvey"]

_VIEW_M = 6.0
_SOMEBODY = 0.15  # score from which on a mask is kept off the map
_AROUND_M = 0.45  # of somebody: what turns occupied there while she is seen is she
_BODY_M = 0.4
_STANDS_M, _STANDS_S = 0.25, 3.2  # who stands for so long is walked round
_RIM_PX = 5
_STUCK_STEPS, _STUCK_M = 6, 0.08
_STEP_M, _TURN_DEG = 0.25, 15.0


class MissionEyes(AgreeingEyes):
    """The encoder has a say in what things are; people it has never seen."""

    def judges(self, query: str) -> bool:
        return SOMEBODY.search(query) is None


class MissionSurvey(Survey):
    """``look`` takes in a whole observation, ``glance`` only where the robot is. Plans are made for
    short steps and small turns, whatever the robot's own are: it is driven along them."""

    def __init__(self, brief: TaskBrief, eyes: Eyes) -> None:
        if brief.control == "any":
            robot = replace(brief.robot, forward_m=_STEP_M, turn_deg=_TURN_DEG)
            brief = replace(brief, robot=robot)
        super().__init__("generalist", brief, eyes, None, _VIEW_M)
        self.crowd = Crowd()
        self.people: tuple[PersonSighting, ...] = ()  # of this step
        self.looked = False
        self._standing: list[tuple[OccupancyMap, XY, NDArray[np.int16]]] = []
        self._recent: deque[tuple[Pose, bool, bool]] = deque(maxlen=_STUCK_STEPS)
        self._goes = False

    def glance(self, obs: Observation) -> None:
        """Only where the robot is now."""
        pose, _, _ = self._readings(obs)
        self.pose, self.step, self.looked = pose, obs.step, False
        self.perceived, self.fresh, self.people = (), (), ()
        self._feel(obs, pose)

    def watch(self, obs: Observation, things: tuple[str, ...], words: str, time_s: float) -> None:
        """Look for ``things`` and people, among whom somebody whom ``words`` describe ("" for
        nobody)."""
        pose, depth, rgb = self._readings(obs)
        self.eyes.open(obs, self.brief)
        queries = tuple(dict.fromkeys((PERSON, *((words,) if words else ()), *things)))
        detections = self.eyes.detect(rgb, queries)
        bodies: list[PersonSighting] = []
        self.perceived, self.fresh, self.looked = (), (), True
        if detections is not None:
            seen, sightings = place(detections, queries, depth, self.camera, pose, obs.step)
            self.perceived = tuple(seen)
            about = (PERSON, words)
            people = [s for s in sightings if s.label in about]
            bodies = seen_people(people, words, (pose.x, pose.y))
            self.fresh = tuple(
                s for s in sightings if s.label not in about and not _is_somebody(s, bodies)
            )
            for sighting in self.fresh:
                self.sightings.add(sighting)
            depth = _without(
                depth, detections, [q for q, name in enumerate(queries) if name in about]
            )
        self.people = tuple(bodies)
        self.crowd.see(bodies, time_s)
        self._map(replace(obs, readings={**obs.readings, "depth": depth}), bodies, time_s)

    def way_m(self, place: XY, otherwise_m: float) -> float:
        """How far it is to within a metre of a place; ``otherwise_m`` where no way is known."""
        field, (r0, c0) = self.nav.distances(self.pose)
        row, col = self.nav.map.index(*place)
        n = round(1.0 / self.nav.map.cell)
        rows = slice(max(0, row - r0 - n), max(0, row - r0 + n + 1))
        cols = slice(max(0, col - c0 - n), max(0, col - c0 + n + 1))
        nearest = float(field[rows, cols].min(initial=math.inf))
        return nearest if math.isfinite(nearest) else otherwise_m

    def moved(self, forward: bool) -> None:
        self._goes = forward

    def beliefs(self) -> Beliefs:
        people = tuple(
            Remembered(PERSON, (round(t.at[0], 3), round(t.at[1], 3), 0.0), self.step)
            for t in self.crowd.tracks
        )
        return Beliefs(self.perceived, (*self.sightings.remembered(), *people), self.path)

    # ---------------------------------------------------------------------------------- inside
    def _map(self, obs: Observation, bodies: list[PersonSighting], time_s: float) -> None:
        """Fuse depth; what turns occupied around somebody stays as it was."""
        maps = (self.nav.map, self.close.map)
        for world in maps:
            world.make_room(*_xy(obs), 12.0)
        self._lift()
        before = [
            (world, window, world.evidence[window].copy())
            for world in maps
            for body in bodies
            if (window := _window(world.index(*body.at), world.evidence.shape[0], world.cell))
        ]
        self.grope(obs)
        for world, window, was in before:
            now = world.evidence[window]
            np.copyto(now, was, where=(now > was) & (was <= 0))
        self._set_down(time_s)

    def _set_down(self, time_s: float) -> None:
        """People who stand are in the way while they do."""
        for track in self.crowd.near(time_s, _STANDS_S):
            if track.looks < 3 or track.still_s(_STANDS_M) < _STANDS_S:
                continue
            for world in (self.nav.map, self.close.map):
                window = _window(world.index(*track.at), world.evidence.shape[0], world.cell)
                if window is not None:
                    self._standing.append((world, track.at, world.evidence[window].copy()))
                    world.stamp(*track.at, _BODY_M, LIMIT)

    def _lift(self) -> None:
        """The map as it is without people."""
        for world, at, was in reversed(self._standing):
            window = _window(world.index(*at), world.evidence.shape[0], world.cell)
            if window is not None:
                world.evidence[window] = was
        self._standing.clear()

    def _feel(self, obs: Observation, pose: Pose) -> None:
        """An obstacle that was bumped into but not seen: touched, and not got on for a while."""
        self._recent.append((pose, self._goes, obs.collided))
        if len(self._recent) < _STUCK_STEPS:
            return
        goes = all(goes for _, goes, _ in self._recent)
        touches = sum(hit for _, _, hit in self._recent) >= _STUCK_STEPS - 2
        if goes and touches and math.dist(self._recent[0][0].point, pose.point) < _STUCK_M:
            if not any(math.dist(p.at, (pose.x, pose.y)) < 0.8 for p in self.people):
                self.nav.bump(pose)
                self.close.bump(pose)
            self._recent.clear()


def _is_somebody(thing: Sighting, bodies: list[PersonSighting]) -> bool:
    """Whether a person was taken for a thing."""
    at = thing.position[:2]
    return any(math.dist(at, b.at) < _BODY_M and b.score > thing.score for b in bodies)


def _xy(obs: Observation) -> tuple[float, float]:
    assert obs.pose is not None
    return float(obs.pose[0]), float(obs.pose[1])


def _window(cell: tuple[int, int], size: int, cell_m: float) -> tuple[slice, slice] | None:
    n = math.ceil(_AROUND_M / cell_m)
    row, col = cell
    if not (n <= row < size - n and n <= col < size - n):
        return None
    return slice(row - n, row + n + 1), slice(col - n, col + n + 1)


def _without(
    depth: NDArray[np.float32], detections: Detections, people: list[int]
) -> NDArray[np.float32]:
    """Depth with holes where there are people, and a little around them."""
    masks = [
        mask
        for mask, query, score in zip(
            detections.masks, detections.queries, detections.scores, strict=True
        )
        if int(query) in people and score >= _SOMEBODY
    ]
    if not masks:
        return depth
    whole = np.any(masks, axis=0).astype(np.uint8)
    if whole.shape != depth.shape:
        size = (depth.shape[1], depth.shape[0])
        whole = cv2.resize(whole, size, interpolation=cv2.INTER_NEAREST_EXACT)
    grown = cv2.dilate(whole, np.ones((_RIM_PX, _RIM_PX), dtype=np.uint8)) > 0
    return np.where(grown, np.float32(0.0), depth)
