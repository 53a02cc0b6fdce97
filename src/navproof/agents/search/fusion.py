"""Target-centric fusion: how sure one is of each object, as the goal and as what resembles it.

After ApexNav (Zhang et al., RA-L 2025). Detections that touch are one object, which has for each
label (the goal's and those of things that are easily taken for it) a confidence c and an amount of
evidence S, in cells of the floor plan. A detection with score s that shows n cells gives

    c ← ((S − n)·c + n·s) / S,    S having grown by n

and so does an object that is looked at but not detected: with s = 0 for the other labels, and for
the goal with the similarity of image and words. An object is taken for the goal if the goal has the
most c·S of these labels, and was detected at least twice; those of goals before are remembered, and
compete no more. ``max`` keeps the best score ever, ``last`` the latest; neither counts what is
looked at in vain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, final

import numpy as np
from numpy.typing import NDArray

from navproof.agents.search.sightings import FRAMES, Sighting, ring
from navproof.core.types import Camera, Pose, Remembered
from navproof.sim.camera import focal_px, world_to_camera

__all__ = ["SUSPICION", "FusedSightings", "Fusion", "Likeness"]

Fusion = Literal["target", "max", "last"]
Cells = set[int]

SUSPICION = 0.1
"""The share of its confidence with which an object counts that is rather taken for something else,
or was detected once only."""
_CELL_M = 0.1
_ROW = 1 << 20  # cell (x, y) is the number x·_ROW + y
_AROUND = tuple(i * _ROW + j for i in (-1, 0, 1) for j in (-1, 0, 1))
_LEVEL_M = 0.3  # of height within which something that is looked at may be the object
_SAMPLES = 64  # along each side of a depth image
_LEAST_SEEN = 2
_NEGLIGIBLE = 1e-3  # confidence that is not lowered any more
_CLEAR = 0.2  # confidence from which on an object is told of
_SAME_M = 0.6
_CERTAIN = 1e6  # cells of evidence that nothing later outweighs


@dataclass
class _Label:
    """What one label of an object rests on; ``nearest`` is the look from the least distance."""

    nearest: Sighting
    confidence: float = 0.0
    evidence: float = 0.0
    times: int = 0
    cells: Cells = field(default_factory=set)

    @property
    def weight(self) -> float:
        return self.confidence * self.evidence


@dataclass
class _Object:
    """``around`` are the cells of all labels, and those beside them."""

    labels: dict[str, _Label] = field(default_factory=dict)
    around: Cells = field(default_factory=set)
    height_m: float = 0.0
    step: int = -1

    def called(self, rivals: frozenset[str]) -> str:
        """The label that weighs most, the first of equals: of the rivals, or, where it has none of
        these, of all."""
        names = [name for name in self.labels if name in rivals] or list(self.labels)
        return max(names, key=lambda name: self.labels[name].weight)


class Likeness(Protocol):
    """What knows how well the present image fits the words of the goal."""

    @property
    def latest(self) -> float:
        """A cosine."""


@final
class FusedSightings:
    """A ``SightingStore`` whose objects have one confidence for each label, which is what
    ``steady`` of a sighting tells. ``least`` is the score from which on a detection counts,
    ``view_m`` how far one looks."""

    def __init__(self, fusion: Fusion, least: float, view_m: float, likeness: Likeness) -> None:
        self.fusion = fusion
        self._least = least
        self._view_m = view_m
        self._likeness = likeness
        self._goal = ""
        self._rivals: frozenset[str] = frozenset()
        self._objects: list[_Object] = []
        self._now: set[int] = set()  # the objects that were detected in this step

    def ask(self, goal: str, others: Sequence[str]) -> None:
        """A new goal, by the label of its detections, and what is easily taken for it."""
        self._goal = goal
        self._rivals = frozenset((goal, *others))

    def add(self, sighting: Sighting) -> None:
        if sighting.score < self._least:
            return
        cells = set(_numbers(sighting.spots).tolist())
        index = self._touching(cells)
        if index is None:
            index = len(self._objects)
            self._objects.append(_Object())
        self._now.add(index)
        thing = self._objects[index]
        label = thing.labels.setdefault(sighting.label, _Label(sighting))
        self._fuse(label, sighting.score, len(cells))
        label.times += 1
        label.cells |= cells
        thing.around |= {cell + by for cell in cells for by in _AROUND}
        if sighting.seen_m <= label.nearest.seen_m + 0.5:
            label.nearest = sighting
            thing.height_m = sighting.position[2]
        thing.step = sighting.step

    def viewed(self, depth: NDArray[np.float32], camera: Camera, pose: Pose) -> None:
        """Objects that are in view and were not detected lose confidence."""
        detected, self._now = self._now, set()
        if self.fusion != "target" or len(detected) == len(self._objects):
            return
        points = _surface(depth, camera, pose, self._view_m)
        numbers = _numbers(points)
        for index, thing in enumerate(self._objects):
            if index in detected:
                continue
            level = np.abs(points[:, 2] - thing.height_m) <= _LEVEL_M
            looked_at = set(np.unique(numbers[level]).tolist())
            for name, label in thing.labels.items():
                count = len(label.cells & looked_at)
                if count and label.confidence >= _NEGLIGIBLE:
                    score = max(0.0, self._likeness.latest) if name == self._goal else 0.0
                    self._fuse(label, score, count)

    def hold(self, things: Sequence[Remembered]) -> None:
        """Know these things for certain, and no others. One that was known nearby keeps its
        outline."""
        previous = self.all()
        self._objects, self._now = [], set()
        for thing in things:
            x, y, z = thing.position
            near = [
                s.spots
                for s in previous
                if s.label == thing.label and math.dist(s.position[:2], (x, y)) < _SAME_M
            ]
            spots = near[0] if near else ring(x, y)
            sighting = Sighting(thing.label, (1.0,), thing.position, spots, thing.step, 1.0)
            cells = set(_numbers(spots).tolist())
            label = _Label(sighting, 1.0, _CERTAIN, _LEAST_SEEN, cells)
            around = {cell + by for cell in cells for by in _AROUND}
            self._objects.append(_Object({thing.label: label}, around, z, thing.step))

    def all(self) -> tuple[Sighting, ...]:
        return tuple(self._told(one, name) for one in self._objects for name in one.labels)

    def of(self, label: str) -> list[Sighting]:
        """The objects that may be that, most certain first; one that is not taken for it counts
        with the share ``SUSPICION``."""
        known = [self._told(one, label) for one in self._objects if label in one.labels]
        return sorted(known, key=lambda s: (-s.steady, s.position))

    def remembered(self) -> tuple[Remembered, ...]:
        """Every object as what it is taken for, if it was seen at all clearly."""
        named = [(one, one.called(self._rivals)) for one in self._objects]
        return tuple(
            Remembered(name, one.labels[name].nearest.position, one.step)
            for one, name in named
            if one.labels[name].confidence >= _CLEAR
        )

    def _fuse(self, label: _Label, score: float, cells: int) -> None:
        before = label.evidence
        label.evidence += cells
        if self.fusion == "max":
            label.confidence = max(label.confidence, score)
        elif self.fusion == "last":
            label.confidence = score
        else:
            label.confidence = (before * label.confidence + cells * score) / label.evidence

    def _told(self, thing: _Object, name: str) -> Sighting:
        label = thing.labels[name]
        taken = thing.called(self._rivals) == name and label.times >= _LEAST_SEEN
        confidence = label.confidence * (1.0 if taken else SUSPICION)
        near = label.nearest
        return Sighting(
            name, (confidence,) * FRAMES, near.position, near.spots, thing.step, near.seen_m
        )

    def _touching(self, cells: Cells) -> int | None:
        """The object that has most of these cells in it or beside it."""
        shared = [len(cells & thing.around) for thing in self._objects]
        most = max(shared, default=0)
        return shared.index(most) if most else None


def _numbers(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """(n,) the cells of the floor plan that points (n, 2 or 3) lie in."""
    cells = np.floor(points[:, :2] / _CELL_M).astype(np.int64)
    return np.asarray(cells[:, 0] * _ROW + cells[:, 1])


def _surface(
    depth: NDArray[np.float32], camera: Camera, pose: Pose, view_m: float
) -> NDArray[np.float64]:
    """(n, 3) points of what is in view."""
    v = np.linspace(0, camera.height - 1, _SAMPLES).astype(np.intp)
    u = np.linspace(0, camera.width - 1, _SAMPLES).astype(np.intp)
    z = depth[np.ix_(v, u)].astype(np.float64)
    f = focal_px(camera)
    a, b = (u + 0.5 - camera.width / 2) / f, (v + 0.5 - camera.height / 2) / f
    local = np.stack([z * a[None, :], z * b[:, None], z], axis=-1)
    rotation, centre = world_to_camera(camera, pose)
    points: NDArray[np.float64] = local @ rotation + centre
    return points[(z > 0.0) & (z <= view_m)]
