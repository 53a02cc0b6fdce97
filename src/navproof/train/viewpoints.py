"""Where to look from, so that pictures teach: most look at something, a few at whatever comes."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SceneError
from navproof.core.seeding import rng as stream
from navproof.core.types import FIRST_OBJECT_ID, WALL, Camera, Pose, Robot
from navproof.sim.camera import focal_px, project
from navproof.sim.geodesic.navgrid import CELL_M, NavGrid
from navproof.sim.render.render import Renderer
from navproof.world.scene import Box, Room, Scene, SceneObject

__all__ = ["SHOWN_PIXELS", "View", "Viewpoints"]

SHOWN_PIXELS = 40
"""An object that was looked at must show at least so many pixels."""
_BODY = Robot("camera stand", radius_m=0.16, height_m=1.6)
_HEIGHTS_M = (0.22, 0.55, 0.88, 1.25, 1.36, 1.5)
_HEIGHT_ODDS = (0.07, 0.11, 0.15, 0.2, 0.15, 0.32)
_NEAR_M, _FAR_M = 0.6, 4.5
_PITCH_DEG = (-35.0, 15.0)
_AT_OBJECTS = 0.7
_TARGETS, _TRIES = 5, 3
_WALL_SHARE, _OBJECT_SHARE = 0.8, 0.65
_CLOSE_M = 0.5
_SCARCE = frozenset(
    {
        "air conditioner", "backpack", "bicycle", "cash register", "ceiling fan",
        "conference table", "copier", "counter bar", "crib", "cushion", "display fridge",
        "exam bed", "exercise bike", "fireplace", "high chair", "kitchen island", "microwave",
        "ottoman", "partition", "pet bed", "piano", "pillow", "printer", "shower", "side table",
        "suitcase", "vending machine", "washing machine", "water cooler", "wheelchair",
    }
)  # fmt: skip
"""Categories in fewer than about one scene in five: where there is one, it is shown more often."""
_SCARCE_TIMES = 4
F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class View:
    """A camera, where its robot stands, and in which of the scene's rooms (−1: a doorway)."""

    camera: Camera
    pose: Pose
    room: int


class Viewpoints:
    """Draws the views of one scene, one after the other; the same for the same seed.

    What has been shown least so far (by category, then by instance) is the likeliest next target.
    """

    def __init__(self, scene: Scene, renderer: Renderer, seed: int, size: int) -> None:
        self._scene, self._eye = scene, renderer
        self._seed, self._size = seed, size
        self._places, self._rooms = _standing_places(scene)
        self._by_category: dict[str, list[SceneObject]] = {}
        for thing in scene.objects:
            self._by_category.setdefault(thing.category, []).append(thing)
        self._shown: Counter[str] = Counter()
        self._seen: Counter[int] = Counter()

    @property
    def places(self) -> F64:
        """(n, 3) where somebody could stand."""
        return self._places

    def draw(self, index: int) -> View:
        """View ``index``: 70 % look at an object, the others anywhere."""
        rng = stream(self._seed, self._scene.id, "views", index)
        view = None
        if self._by_category and rng.random() < _AT_OBJECTS:
            view = self._at_something(rng)
        return view or self._anywhere(rng)

    # ------------------------------------------------------------------------ at an object
    def _at_something(self, rng: np.random.Generator) -> View | None:
        for _ in range(_TARGETS):
            thing = self._target(rng)
            for _ in range(_TRIES):
                view = self._towards(rng, thing)
                if view is not None and self._accept(view, thing.id):
                    return view
            self._seen[thing.id] += 1
            self._shown[thing.category] += 1
        return None

    def _target(self, rng: np.random.Generator) -> SceneObject:
        names = list(self._by_category)
        things = self._by_category[names[_pick(rng, [self._need(name) for name in names])]]
        return things[_pick(rng, [1.0 / (1 + self._seen[t.id]) for t in things])]

    def _need(self, category: str) -> float:
        shown = self._shown[category] / (_SCARCE_TIMES if category in _SCARCE else 1)
        return 1.0 / (1.0 + shown) / math.sqrt(len(self._by_category[category]))

    def _towards(self, rng: np.random.Generator, thing: SceneObject) -> View | None:
        """A place at a distance at which the object is not too small, looking about its way."""
        camera = self._camera(rng)
        distance = _distance(self._places, thing.box)
        low, high = _range(thing.box, focal_px(camera))
        wanted = float(rng.uniform(low, high))
        allowed = (distance >= 0.3) & (np.abs(distance - wanted) < 0.2)
        if thing.position_kind != "opening" and rng.random() < 0.85:
            allowed &= self._rooms == _index(self._scene, thing.room)
        candidates = np.flatnonzero(allowed)
        if len(candidates) == 0:
            return None
        place = int(candidates[int(rng.integers(len(candidates)))])
        x, y, z = self._stand(rng, place)
        dx, dy = thing.box.centre[0] - x, thing.box.centre[1] - y
        aside = math.radians(camera.hfov_deg) * float(rng.uniform(-0.42, 0.42))
        if rng.random() < 0.4:
            rise = thing.box.centre[2] - z - camera.height_m
            camera = _pitched(camera, math.degrees(math.atan2(rise, math.hypot(dx, dy))), rng)
        pose = Pose(x, y, z, _wrapped(math.atan2(dy, dx) + aside))
        u, v, depth = project(camera, pose, np.array([thing.box.centre]))[0]
        reach = 0.15 * self._size
        if depth <= 0.0 or not (-reach < u < self._size + reach > v > -reach):
            return None
        return View(camera, pose, int(self._rooms[place]))

    # ----------------------------------------------------------------------------- anywhere
    def _anywhere(self, rng: np.random.Generator) -> View:
        for _ in range(_TARGETS * _TRIES):
            camera = self._camera(rng)
            if rng.random() < 0.25:
                camera = replace(camera, pitch_deg=_rounded(rng.uniform(*_PITCH_DEG)))
            place = int(rng.integers(len(self._places)))
            pose = Pose(*self._stand(rng, place), _wrapped(float(rng.uniform(-math.pi, math.pi))))
            view = View(camera, pose, int(self._rooms[place]))
            if self._accept(view):
                break
        return view

    # ------------------------------------------------------------------------------- parts
    def _camera(self, rng: np.random.Generator) -> Camera:
        height = rng.choice(_HEIGHTS_M, p=_HEIGHT_ODDS) + rng.normal(0.0, 0.02)
        kind = rng.random()
        hfov = 90.0 if kind < 0.35 else rng.uniform(79, 90) if kind < 0.75 else rng.uniform(60, 100)
        camera = Camera(self._size, self._size, _rounded(hfov), height_m=_rounded(height))
        return _pitched(camera, 0.0, rng)

    def _stand(self, rng: np.random.Generator, place: int) -> tuple[float, float, float]:
        x, y, z = self._places[place]
        dx, dy = rng.uniform(-0.5, 0.5, 2) * CELL_M
        return round(float(x + dx), 4), round(float(y + dy), 4), float(z)

    def _accept(self, view: View, target: int | None = None) -> bool:
        """Whether the picture shows the target, and is not filled by a wall or one thing."""
        frame = self._eye.render(view.camera, view.pose, colour=False)
        instances = frame.instances
        counts = np.bincount(instances.ravel(), minlength=FIRST_OBJECT_ID)
        if target is not None and (len(counts) <= target or counts[target] < SHOWN_PIXELS):
            return False
        objects = counts[FIRST_OBJECT_ID:]
        if counts[WALL] > _WALL_SHARE * instances.size:
            return False
        if len(objects) and objects.max() > _OBJECT_SHARE * instances.size:
            return False
        if 2 * np.count_nonzero(frame.depth < _CLOSE_M) > instances.size:
            return False
        visible = np.flatnonzero(objects >= SHOWN_PIXELS) + FIRST_OBJECT_ID
        things = [self._scene.object(int(k)) for k in visible]
        self._seen.update(t.id for t in things)
        self._shown.update({t.category for t in things})
        return True


def _standing_places(scene: Scene) -> tuple[F64, NDArray[np.int16]]:
    """Cells where a slim robot fits (n, 3), and the room index of each (−1 in a doorway)."""
    places = []
    for storey in scene.storeys:
        grid = NavGrid.build(scene, _BODY, storey.index)
        rows, cols = np.nonzero(grid.navigable)
        x, y = grid.origin[0] + (cols + 0.5) * grid.cell, grid.origin[1] + (rows + 0.5) * grid.cell
        places.append(np.stack([x, y, np.full(len(x), grid.elevation)], axis=1))
    points = np.concatenate(places)
    if len(points) == 0:
        raise SceneError(f"scene {scene.id} has no free place to stand at")
    rooms = np.full(len(points), -1, dtype=np.int16)
    for index, room in enumerate(scene.rooms):
        rooms[_inside(room, points) & (points[:, 2] == scene.storeys[room.storey].elevation_m)] = (
            index
        )
    return points, rooms


def _inside(room: Room, points: F64) -> NDArray[np.bool_]:
    """``world.polygon.inside`` for many points."""
    x, y = points[:, 0], points[:, 1]
    result = np.zeros(len(points), dtype=np.bool_)
    corners = room.polygon
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if y0 != y1:
            crossed = (y0 > y) != (y1 > y)
            result ^= crossed & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return result


def _distance(points: F64, box: Box) -> F64:
    """Horizontal metres from each point to the box (0 inside); inf on another storey."""
    c, s = math.cos(box.yaw), math.sin(box.yaw)
    dx, dy = points[:, 0] - box.centre[0], points[:, 1] - box.centre[1]
    a = np.maximum(np.abs(c * dx + s * dy) - box.size[0] / 2, 0.0)
    b = np.maximum(np.abs(c * dy - s * dx) - box.size[1] / 2, 0.0)
    above = box.centre[2] - points[:, 2]
    return np.where((above > -0.5) & (above < 4.0), np.hypot(a, b), np.inf)


def _range(box: Box, focal: float) -> tuple[float, float]:
    """Distances from which to look: far only at what then still shows enough pixels."""
    _, middle, large = sorted(box.size)
    side = 0.7 * math.sqrt(max(middle, 0.02) * large)
    return _NEAR_M, min(_FAR_M, max(1.1, focal * side / math.sqrt(SHOWN_PIXELS)))


def _index(scene: Scene, room_id: int) -> int:
    return next((i for i, room in enumerate(scene.rooms) if room.id == room_id), -1)


def _pitched(camera: Camera, about_deg: float, rng: np.random.Generator) -> Camera:
    pitch = float(np.clip(about_deg + rng.normal(0.0, 3.0), *_PITCH_DEG))
    return replace(camera, pitch_deg=_rounded(pitch))


def _pick(rng: np.random.Generator, weights: list[float]) -> int:
    odds = np.array(weights)
    return int(rng.choice(len(odds), p=odds / odds.sum()))


def _rounded(value: float) -> float:
    return round(float(value), 3)


def _wrapped(angle: float) -> float:
    return round(math.remainder(angle, math.tau), 6)
