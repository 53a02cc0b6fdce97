"""What a detector found, put into the episode frame, and remembered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Camera, Detection, Point, Pose, Remembered
from navproof.perception.protocol import Detections
from navproof.sim.camera import focal_px, world_to_camera

__all__ = ["FRAMES", "Sighting", "SightingStore", "Sightings", "place", "ring"]

FRAMES = 3
_SAME_M = 0.6  # sightings of one label nearer than this are one thing
_SAMPLES = 400  # pixels of a mask that are carried into the world, at most
_CLEAR = 0.2  # score from which on a thing is told of
_SPOTS = 24  # points of a thing's outline that are kept
_RING_M = 0.15  # around a thing of which the outline is not known
_SURE_M = 1.0  # from within which what is surely there counts as seen


@dataclass(frozen=True, slots=True)
class Sighting:
    """A thing that was detected. ``best`` are its best scores, one for each frame, ``spots`` (n, 2)
    points of its visible surface on the floor plan; ``seen_m`` is the least distance from which it
    was seen."""

    label: str
    best: tuple[float, ...]
    position: Point
    spots: NDArray[np.float64]
    step: int
    seen_m: float

    @property
    def score(self) -> float:
        """The best of all."""
        return self.best[0]

    @property
    def steady(self) -> float:
        """The mean of the best ``FRAMES`` scores, missing ones as 0: what one frame alone shows
        is not to be relied on."""
        return sum(self.best) / FRAMES


def place(
    detections: Detections,
    labels: Sequence[str],
    depth: NDArray[np.float32],
    camera: Camera,
    pose: Pose,
    step: int,
) -> tuple[list[Detection], list[Sighting]]:
    """Every detection as a belief, and those with depth as sightings.

    ``depth`` looks the same way as the image of the masks but may have another size.
    """
    rotation, centre = world_to_camera(camera, pose)
    beliefs: list[Detection] = []
    sightings: list[Sighting] = []
    for box, score, query, mask in zip(
        detections.boxes, detections.scores, detections.queries, detections.masks, strict=True
    ):
        label = labels[int(query)]
        points = _surface(mask, depth, camera, rotation, centre)
        position: Point | None = None
        if len(points):
            x, y, z = (round(float(v), 3) for v in np.median(points, axis=0))
            position = (x, y, z)
            spots = points[:: max(1, len(points) // _SPOTS), :2]
            away = math.dist((x, y), (pose.x, pose.y))
            sightings.append(Sighting(label, (float(score),), position, spots, step, away))
        u0, v0, u1, v1 = (float(v) for v in box)
        beliefs.append(Detection(label, float(score), (u0, v0, u1, v1), position))
    return beliefs, sightings


def _surface(
    mask: NDArray[np.bool_],
    depth: NDArray[np.float32],
    camera: Camera,
    rotation: NDArray[np.float64],
    centre: NDArray[np.float64],
) -> NDArray[np.float64]:
    """(n, 3) points under a mask, without those before or behind most of them: the rim of a mask
    often shows the background."""
    under = np.flatnonzero(mask)  # several times as fast as nonzero over two axes
    rows, cols = np.divmod(under[:: max(1, len(under) // _SAMPLES)], mask.shape[1])
    v = (rows + 0.5) / mask.shape[0] * camera.height
    u = (cols + 0.5) / mask.shape[1] * camera.width
    z = depth[v.astype(np.intp), u.astype(np.intp)].astype(np.float64)
    is_surface = z > 0.0
    u, v, z = u[is_surface], v[is_surface], z[is_surface]
    if not z.size:
        return np.empty((0, 3))
    middle = float(np.median(z))
    is_surface = np.abs(z - middle) < 0.3 + 0.1 * middle
    u, v, z = u[is_surface], v[is_surface], z[is_surface]
    f = focal_px(camera)
    local = np.stack([(u - camera.width / 2) * z / f, (v - camera.height / 2) * z / f, z], axis=1)
    points: NDArray[np.float64] = local @ rotation + centre
    return points


class SightingStore(Protocol):
    """What was detected so far, by label."""

    def add(self, sighting: Sighting) -> None: ...
    def viewed(self, depth: NDArray[np.float32], camera: Camera, pose: Pose) -> None:
        """What was in view, after the sightings of a step were added; 0 is nothing."""

    def hold(self, things: Sequence[Remembered]) -> None:
        """Know these things for certain, and no others."""

    def all(self) -> tuple[Sighting, ...]:
        """Every thing that is known."""

    def of(self, label: str) -> list[Sighting]:
        """The things of a label, most certain first."""

    def remembered(self) -> tuple[Remembered, ...]:
        """Everything that was seen at all clearly, as beliefs."""


class Sightings:
    """What was detected so far, by label. Sightings of one thing are merged, and take the place of
    the nearest look at it."""

    def __init__(self) -> None:
        self._known: dict[str, list[Sighting]] = {}

    def add(self, sighting: Sighting) -> None:
        same = self._known.setdefault(sighting.label, [])
        for index, other in enumerate(same):
            if math.dist(other.position[:2], sighting.position[:2]) < _SAME_M:
                nearer = sighting if sighting.seen_m <= other.seen_m + 0.5 else other
                best = other.best
                if sighting.step > other.step:
                    best = tuple(sorted((*best, *sighting.best), reverse=True)[:FRAMES])
                same[index] = replace(nearer, best=best, step=sighting.step)
                return
        same.append(sighting)

    def viewed(self, depth: NDArray[np.float32], camera: Camera, pose: Pose) -> None:
        """That a thing was not detected again says nothing here."""

    def hold(self, things: Sequence[Remembered]) -> None:
        """Know these things for certain, and no others. One that was known nearby keeps its
        outline."""
        previous, self._known = self._known, {}
        for thing in things:
            x, y, _ = thing.position
            near = [
                s
                for s in previous.get(thing.label, [])
                if math.dist(s.position[:2], (x, y)) < _SAME_M
            ]
            spots = near[0].spots if near else ring(x, y)
            sure = Sighting(
                thing.label, (1.0,) * FRAMES, thing.position, spots, thing.step, _SURE_M
            )
            self._known.setdefault(thing.label, []).append(sure)

    def all(self) -> tuple[Sighting, ...]:
        """Every thing that is known."""
        return tuple(s for same in self._known.values() for s in same)

    def of(self, label: str) -> list[Sighting]:
        """The things of a label, most certain first."""
        return sorted(self._known.get(label, []), key=lambda s: (-s.score, s.position))

    def remembered(self) -> tuple[Remembered, ...]:
        """Everything that was seen at all clearly, as beliefs."""
        return tuple(
            Remembered(s.label, s.position, s.step)
            for same in self._known.values()
            for s in same
            if s.score >= _CLEAR
        )


def ring(x: float, y: float) -> NDArray[np.float64]:
    """(8, 2) points around a place."""
    angle = np.arange(8) * (math.pi / 4)
    return np.stack([x + _RING_M * np.cos(angle), y + _RING_M * np.sin(angle)], axis=1)
