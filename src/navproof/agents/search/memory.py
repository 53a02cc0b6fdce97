"""The maps that search agents ask: features of patches or images, and VLFM's value map.

A memory is fed every image and survives from goal to goal; ``ask`` puts a new question to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.agents.mapping.navigate import XY
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.goal import SearchGoal
from navproof.agents.search.sightings import Sighting
from navproof.agents.search.truth import moved_to_fit, true_features
from navproof.core.types import Camera, Pose
from navproof.perception.feature_map import FeatureMap, MapSettings
from navproof.perception.grid import Grid
from navproof.perception.protocol import check_features
from navproof.perception.query import UNKNOWN, TextQuery
from navproof.perception.value_map import ValueMap

__all__ = ["FeatureMemory", "Features", "Memory", "ValueMemory"]

Features = Literal["patch", "image"]
F32 = NDArray[np.float32]
_NEAR_M = 1.2
_BY_IT_M = 2.5
_NEARLY_BEST = 0.7


class Memory(Protocol):
    """What was seen where, to be asked in words."""

    @property
    def grid(self) -> Grid: ...
    def see(self, rgb: NDArray[np.uint8], depth: F32, camera: Camera, pose: Pose) -> None: ...
    def ask(self, goal: SearchGoal, it: XY | None = None) -> None:
        """Put a new question; ``it`` is where the thing of the goal before was claimed."""

    def hold(self, things: Sequence[Sighting], pose: Pose) -> None:
        """Agree that these things are where they are; what it holds elsewhere stays."""

    def scores(self) -> F32:
        """(layers, rows, cols) the probability that the thing wanted is there; ``UNKNOWN``."""

    def agrees(self, scores: F32, x: float, y: float, radius_m: float, match: float) -> bool:
        """Whether the map, too, holds the thing wanted near a place where it was detected."""

    def promise(self, x: float, y: float, radius_m: float) -> float:
        """How much the surroundings of a place are like the thing wanted (a cosine)."""


class FeatureMemory:
    """Features in cells and layers. ``kernel`` asks for a thing and what it stands on as two texts
    across layers (and likewise for what it is near to, and what it is not); otherwise the whole
    description is one text."""

    def __init__(
        self,
        eyes: Eyes,
        settings: MapSettings,
        reach_m: float,
        features: Features = "patch",
        kernel: bool = False,
    ) -> None:
        self._eyes = eyes
        self._features = features
        self._kernel = kernel
        self._reach_m = reach_m
        self.map = FeatureMap(eyes.encoder.feature_dim, settings)
        self._query: TextQuery | None = None
        self._beside: TextQuery | None = None  # what it is not, then what it is near to
        self._denied = 0
        self._it: XY | None = None
        self._texts: dict[str, F32] = {}  # asked so far

    @property
    def grid(self) -> Grid:
        return self.map.grid

    def see(self, rgb: NDArray[np.uint8], depth: F32, camera: Camera, pose: Pose) -> None:
        if self._features == "patch":
            features = self._eyes.encoder.encode_patches(rgb)
        else:
            features = self._eyes.encoder.encode_image(rgb)[None, None, :]
        if self._eyes.sight is not None:
            features = true_features(features, self._texts, self._eyes.sight, rgb, self._odds)
        self.map.fuse(features, depth, camera, pose, self._reach_m)
        for query in (self._query, self._beside):
            if query is not None:
                query.update()

    def ask(self, goal: SearchGoal, it: XY | None = None) -> None:
        texts, beside = [goal.whole], []
        self._beside, self._it = None, None
        if self._kernel:
            texts = [goal.target, goal.support] if goal.support else [goal.target]
            negatives = [f"{what} {goal.noun}" for what in goal.negated]
            beside, self._denied = [*negatives, *goal.anchors], len(negatives)
            self._it = it if goal.by_it else None
        self._query = self._about(texts)
        if beside:
            self._beside = self._about(beside)

    def hold(self, things: Sequence[Sighting], pose: Pose) -> None:
        for thing in things:
            rows = self._cells_of(thing, pose)
            if not rows.size:
                continue
            text = self._eyes.encoder.encode_text([thing.label])
            norms = np.maximum(self.map.norms[rows], 1e-12)
            unit_features = (self.map.features[rows] / norms[:, None]).astype(np.float32)
            fits = np.ones((len(rows), 1), dtype=np.bool_)
            self.map.replace(rows, moved_to_fit(unit_features, text, fits, ~fits, self._odds))
        for query in (self._query, self._beside):
            if query is not None:
                query.update()

    def scores(self) -> F32:
        assert self._query is not None
        odds = self._odds
        if len(self._query.texts) == 1:
            p = self._query.likelihood(*odds)
        else:
            p = self._query.supported(*odds, same_layer=True)
        is_known = p > UNKNOWN
        for text in range(0 if self._beside is None else len(self._beside.texts)):
            assert self._beside is not None
            other = np.maximum(self._beside.likelihood(*odds, text), 0.0)
            if text < self._denied:
                p = np.where(is_known, p * (1.0 - other), UNKNOWN)
            else:
                near = cv2.dilate(other.max(axis=0), _disc(round(_NEAR_M / self.grid.cell_m)))
                p = np.where(is_known, np.sqrt(np.maximum(p, 0.0) * near), UNKNOWN)
        if self._it is not None:
            p = np.where(is_known & ~self._around_it(), 0.0, p)
        return np.asarray(p, dtype=np.float32)

    @property
    def _odds(self) -> tuple[float, float]:
        encoder = self._eyes.encoder
        if self._features == "image":
            return self._eyes.image_odds
        return encoder.scale, encoder.bias

    def _about(self, texts: list[str]) -> TextQuery:
        vectors = self._eyes.encoder.encode_text(texts)
        self._texts |= dict(zip(texts, vectors, strict=True))
        return TextQuery(self.map, vectors)

    def _cells_of(self, thing: Sighting, pose: Pose) -> NDArray[np.int32]:
        """The rows of the map's cells that a thing's outline touches, at its height."""
        layers = self.map.settings.layers
        height_m = thing.position[2] - pose.z
        layer = min(max(int(height_m / self.map.settings.layer_m), 0), layers - 1)
        rows: set[int] = set()
        for x, y in (thing.position[:2], *thing.spots.tolist()):
            row, col = self.grid.index(x, y)
            if 0 <= row < self.grid.rows and 0 <= col < self.grid.cols:
                rows.add(int(self.map.slots[layer, row, col]))
        return np.array(sorted(rows - {0}), dtype=np.int32)

    def _around_it(self) -> NDArray[np.bool_]:
        """(rows, cols) the cells near the thing of the goal before."""
        assert self._it is not None
        row, col = self.grid.index(*self._it)
        rows, cols = np.ogrid[: self.grid.rows, : self.grid.cols]
        near: NDArray[np.bool_] = np.hypot(rows - row, cols - col) <= _BY_IT_M / self.grid.cell_m
        return near

    def agrees(self, scores: F32, x: float, y: float, radius_m: float, match: float) -> bool:
        return _best_near(scores, self.grid, x, y, radius_m) >= match

    def promise(self, x: float, y: float, radius_m: float) -> float:
        assert self._query is not None
        rows, cols = self.grid.window(x, y, radius_m)
        near = self._query.scores[0][:, rows, cols].max(axis=0)
        values = near[near > UNKNOWN]
        return float(values.mean()) if values.size else 0.0


@dataclass(frozen=True, slots=True)
class _MapImage:
    """One image as a value map needs it."""

    feature: F32
    depth: F32
    camera: Camera
    pose: Pose


_GLANCE_PX = 64


class ValueMemory:
    """How well each image as a whole fits the words, painted on what it shows. For a new goal
    all images so far are painted again. Where the goal has a room, the words are midway between the
    thing's and the room's."""

    def __init__(self, eyes: Eyes, cell_m: float, reach_m: float) -> None:
        self._eyes = eyes
        self._cell_m = cell_m
        self._reach_m = reach_m
        self._glances: list[_MapImage] = []
        self._text: F32 = np.zeros(eyes.encoder.feature_dim, dtype=np.float32)
        self._texts: dict[str, F32] = {}  # asked so far
        self._map = ValueMap(1, cell_m)

    @property
    def grid(self) -> Grid:
        return self._map.grid

    def see(self, rgb: NDArray[np.uint8], depth: F32, camera: Camera, pose: Pose) -> None:
        feature = check_features(
            self._eyes.encoder.encode_image(rgb), self._eyes.encoder.feature_dim, "the encoder"
        )
        if self._eyes.sight is not None:
            image, odds = feature[None, None, :], self._eyes.image_odds
            feature = true_features(image, self._texts, self._eyes.sight, rgb, odds)[0, 0]
        every = max(1, camera.width // _GLANCE_PX)
        small = np.ascontiguousarray(depth[every // 2 :: every, every // 2 :: every])
        size = replace(camera, width=small.shape[1], height=small.shape[0])
        glance = _MapImage(feature, small, size, pose)
        self._glances.append(glance)
        self._paint(glance)

    def ask(self, goal: SearchGoal, it: XY | None = None) -> None:
        names = [goal.whole] if goal.room is None else [goal.whole, goal.room]
        features = self._eyes.encoder.encode_text(names)
        texts = check_features(features, self._eyes.encoder.feature_dim, "the text encoder")
        self._texts[goal.whole] = texts[0]
        self._text = texts[0]
        if goal.room is not None:
            both = texts.mean(axis=0)
            self._text = both / np.float32(max(float(np.linalg.norm(both)), 1e-12))
        self._map = ValueMap(1, self._cell_m)
        for glance in self._glances:
            self._paint(glance)

    def hold(self, things: Sequence[Sighting], pose: Pose) -> None:
        """Images as a whole know of no places."""

    def scores(self) -> F32:
        scale, bias = self._eyes.image_odds
        odds = np.clip(scale * self._map.values + bias, -60.0, 60.0)
        p = 1.0 / (1.0 + np.exp(-odds))
        return np.where(self._map.confidence > 0.0, p, UNKNOWN).astype(np.float32)

    def agrees(self, scores: F32, x: float, y: float, radius_m: float, match: float) -> bool:
        """A value map only ranks places: an image's value is spread over all that it shows, so it
        hardly ever is sure of one. It agrees where it is nearly as good as anywhere."""
        least = min(match, _NEARLY_BEST * float(scores.max(initial=0.0)))
        return _best_near(scores, self.grid, x, y, radius_m) >= max(least, 0.0)

    @property
    def latest(self) -> float:
        """How well the last image as a whole fits the words (a cosine)."""
        return float(self._glances[-1].feature @ self._text) if self._glances else 0.0

    def best_near(self, x: float, y: float, radius_m: float) -> float:
        """The best value (a cosine) within ``radius_m`` of a place, −1 where nothing was seen."""
        rows, cols = self.grid.window(x, y, radius_m)
        values = self._map.values[0, rows, cols]
        return float(values[self._map.confidence[rows, cols] > 0.0].max(initial=-1.0))

    def promise(self, x: float, y: float, radius_m: float) -> float:
        value = float(self._map.value_at(x, y, radius_m)[0])
        return value if value > UNKNOWN else 0.0

    def _paint(self, glance: _MapImage) -> None:
        value = float(glance.feature @ self._text)
        self._map.fuse([value], glance.depth, glance.camera, glance.pose, self._reach_m)


def _best_near(scores: F32, grid: Grid, x: float, y: float, radius_m: float) -> float:
    rows, cols = grid.window(x, y, radius_m)
    return float(scores[:, rows, cols].max(initial=UNKNOWN))


def _disc(cells: int) -> NDArray[np.uint8]:
    side = 2 * cells + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), dtype=np.uint8)
