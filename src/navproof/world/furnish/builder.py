"""Furnishing: a builder that recipes use to put groups of furniture into a room.

A recipe asks for things by category and says where they belong (against a wall, beside, in front
of, on, above). What does not fit is left out. After the recipe, pieces that keep a robot of 0.25 m
radius from a door or from another piece are taken away, the least important first.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from navproof.core.errors import SceneError
from navproof.core.seeding import keyed
from navproof.core.seeding import rng as stream
from navproof.core.types import Scalar
from navproof.world.catalog import CATEGORIES, build
from navproof.world.furnish.placed import FLAT_M, Placed, Style
from navproof.world.furnish.placement import (
    Footprint,
    Prefer,
    RoomSpace,
    Spot,
    Wall,
    WallShape,
    overlap,
)
from navproof.world.furnish.repair import RoomReach, repair
from navproof.world.furnish.surfaces import find_place
from navproof.world.model import ObjectModel
from navproof.world.plans.floorplan import FloorPlan, PlanRoom, PlanWindow

__all__ = ["RoomBuilder"]


def _steps(low: float, high: float, step: float) -> list[float]:
    if high < low:
        return []
    count = int((high - low) / step) + 1
    return [low + (high - low) * i / count for i in range(count + 1)]


class RoomBuilder:
    """Furnishes one room. Every method that places a thing returns it as placed, or None where
    there is no room for it."""

    def __init__(
        self,
        plan: FloorPlan,
        room: PlanRoom,
        style: Style,
        seed: int,
        exclude: Collection[str],
    ) -> None:
        self.plan, self.room, self.style = plan, room, style
        self.space = RoomSpace.of(plan, room)
        self.rng = stream(seed, room.name, f"furnish.{room.id}")
        self.exclude = frozenset(exclude)
        self.placed: list[Placed] = []
        self._reach = RoomReach(plan, room, self.space.bodies)

    # ------------------------------------------------------------------------------ choices
    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def one_of(self, *options: str) -> str:
        return options[int(self.rng.integers(len(options)))]

    def one_of_numbers(self, *options: float) -> float:
        return options[int(self.rng.integers(len(options)))]

    def glaze(self) -> str | None:
        """The colour of a bathroom's ceramics: white, or now and then left to chance."""
        return "white" if self.chance(0.7) else None

    def between(self, low: float, high: float) -> float:
        return round(float(self.rng.uniform(low, high)), 3)

    def model(self, category: str, **wanted: Scalar) -> ObjectModel | None:
        """A new model, or None for a category that is held out. ``wanted`` is a wish: what the
        category cannot be is left to chance, lengths are brought into its range."""
        key = int(self.rng.integers(1 << 62))
        if category in self.exclude:
            return None
        what = CATEGORIES[category]
        wishes: dict[str, Scalar] = {}
        lengths: dict[str, Scalar] = {}
        for name, value in wanted.items():
            if name in what.dimensions and isinstance(value, int | float):
                low, high = what.dimensions[name]
                lengths[name] = min(max(float(value), low), high)
            elif value in what.attributes.get(name, ()):
                wishes[name] = value
        try:
            return build(category, keyed(key), wishes | lengths)
        except SceneError:  # wishes that do not go together
            return build(category, keyed(key), lengths)

    def island(
        self,
        model: ObjectModel | None,
        margin: float,
        *,
        prefer: Prefer | None = None,
        rank: int = 1,
        aside: float | None = None,
    ) -> Placed | None:
        """Place a model free in the room, along either of its axes, with ``margin`` metres free in
        front of it and behind it and ``aside`` metres (by default the same) at its ends."""
        if model is None:
            return None
        ends = margin if aside is None else aside
        spot = self.island_spot(model.size, margin, ends, prefer=prefer, rank=rank)
        if spot is None:
            return None
        return self._add(model, spot.x, spot.y, 0.0, spot.yaw, "floor", rank)

    def island_spot(
        self,
        size: tuple[float, float, float],
        margin: float,
        ends: float,
        *,
        prefer: Prefer | None = None,
        rank: int = 1,
    ) -> Spot | None:
        """A place where a thing of that size could stand free in the room."""
        xs = [p[0] for p in self.room.polygon]
        ys = [p[1] for p in self.room.polygon]
        half = size[0] / 2, size[1] / 2
        spots = []
        for yaw in (0.0, math.pi / 2):
            hx, hy = half[0] + margin, half[1] + ends
            if yaw:
                hx, hy = hy, hx
            spots += [
                Spot(round(x, 4), round(y, 4), yaw)
                for x in _steps(min(xs) + hx, max(xs) - hx, 0.25)
                for y in _steps(min(ys) + hy, max(ys) - hy, 0.25)
            ]
        tries = 8
        for k in self.best_order([prefer(s) if prefer else 0.0 for s in spots], 0.15):
            spot = spots[k]
            zone = Footprint(
                spot.x, spot.y, half[0] + margin, half[1] + ends, spot.yaw, 0.0, size[2]
            )
            body = Footprint(spot.x, spot.y, *half, spot.yaw, 0.0, size[2])
            if self.space.free(zone, doorway=False) and self.space.free(body):
                if self.fits(body, rank):
                    return spot
                tries -= 1
                if not tries:
                    break
        return None

    # ---------------------------------------------------------------------------- placing
    def _add(
        self,
        model: ObjectModel,
        x: float,
        y: float,
        z: float,
        yaw: float,
        kind: str,
        rank: int,
        *,
        support: Placed | None = None,
        leader: Placed | None = None,
        spot: Spot | None = None,
        aisle: Footprint | None = None,
    ) -> Placed:
        yaw = round(math.atan2(math.sin(yaw), math.cos(yaw)), 6)
        thing = Placed(
            model, round(x, 4), round(y, 4), round(z, 4), yaw, self.room.id, kind, rank,
            support, leader, spot, aisle,
        )  # fmt: skip
        self.placed.append(thing)
        if kind in ("floor", "wall"):
            f = thing.footprint
            if f.z1 - f.z0 > FLAT_M or kind == "wall":
                self.space.bodies.append(f)
        if aisle is not None:
            self.space.aisles.append(aisle)
        return thing

    def at(
        self,
        model: ObjectModel | None,
        x: float,
        y: float,
        yaw: float,
        *,
        rank: int = 2,
        leader: Placed | None = None,
        ignore_aisles: bool = False,
    ) -> Placed | None:
        """Place a model at exactly this position, if it is free."""
        if model is None:
            return None
        trial = Placed(model, x, y, 0.0, yaw, self.room.id, "floor", rank)
        f = trial.footprint
        flat = f.z1 - f.z0 <= FLAT_M
        saved = self.space.aisles
        if ignore_aisles or flat:
            self.space.aisles = []
        free = self.space.contains(f) if flat else self.space.free(f)
        self.space.aisles = saved
        if not free:
            return None
        return self._add(model, x, y, 0.0, yaw, "floor", rank, leader=leader)

    def wall(
        self,
        model: ObjectModel | None,
        *,
        rank: int = 2,
        aisle: float = 0.5,
        gap: float = 0.025,
        side: float = 0.0,
        prefer: Prefer | None = None,
        walls: Sequence[Wall] | None = None,
        leader: Placed | None = None,
        step: float = 0.1,
    ) -> Placed | None:
        """Place a model with its back to a wall and ``aisle`` metres free in front of it."""
        if model is None:
            return None
        depth, width, height = model.size
        shape = WallShape(depth, width, 0.0, height, gap, aisle, side)
        spots = self.space.along_walls(shape, walls, step)
        tries = 10
        for k in self.best_order([prefer(s) if prefer else 0.0 for s in spots], 0.3):
            if not self.space.stands(spots[k], shape):
                continue
            spot = spots[k]
            if self.fits(Footprint(spot.x, spot.y, depth / 2, width / 2, spot.yaw), rank):
                return self.settle(model, spot, aisle=aisle, rank=rank, leader=leader)
            tries -= 1
            if not tries:
                break
        return None

    def best_order(self, scores: Sequence[float], noise: float) -> list[int]:
        """Indices from the best score to the worst, with chance added."""
        jitter = self.rng.random(len(scores)) * noise
        return sorted(range(len(scores)), key=lambda i: (-(scores[i] + float(jitter[i])), i))

    def best_index(self, scores: Sequence[float], noise: float) -> int:
        return self.best_order(scores, noise)[0]

    def settle(
        self,
        model: ObjectModel,
        spot: Spot,
        *,
        aisle: float,
        rank: int,
        leader: Placed | None = None,
    ) -> Placed:
        """Place a model at a wall spot that is known to be free."""
        way = None
        if aisle > 0:
            reach = model.size[0] / 2 + aisle / 2
            x, y = spot.x + math.cos(spot.yaw) * reach, spot.y + math.sin(spot.yaw) * reach
            way = Footprint(x, y, aisle / 2, model.size[1] / 2, spot.yaw)
        return self._add(
            model, spot.x, spot.y, 0.0, spot.yaw, "floor", rank, leader=leader, spot=spot, aisle=way
        )

    def beside(
        self,
        model: ObjectModel | None,
        host: Placed,
        side: int,
        *,
        gap: float = 0.04,
        rank: int = 2,
        flush: bool = True,
    ) -> Placed | None:
        """Place a model to the left (+1) or right (−1) of ``host``, facing the same way, with their
        backs in line."""
        if model is None:
            return None
        hx, hy = host.model.size[0] / 2, host.model.size[1] / 2
        mx, my = model.size[0] / 2, model.size[1] / 2
        x, y = host.world(mx - hx if flush else 0.0, side * (hy + my + gap))
        if host.spot is not None and host.spot.wall is not None:
            wall = host.spot.wall
            along = (x - wall.x) * wall.dx + (y - wall.y) * wall.dy
            if wall.blocked(along - my, along + my, 0.0, model.size[2]):
                return None
        return self.at(model, x, y, host.yaw, rank=rank, leader=host, ignore_aisles=True)

    def front(
        self,
        model: ObjectModel | None,
        host: Placed,
        distance: float,
        *,
        across: float = 0.0,
        face: bool = False,
        turn: float = 0.0,
        rank: int = 2,
    ) -> Placed | None:
        """``distance`` metres before the front of ``host`` (negative tucks in under it), shifted
        ``across`` to its left; ``face`` turns it towards the host."""
        if model is None:
            return None
        x, y = host.world(host.model.size[0] / 2 + distance + model.size[0] / 2, across)
        yaw = host.yaw + (math.pi if face else 0.0) + turn
        return (
            self.tucked(model, x, y, yaw, host, rank)
            if distance < 0
            else self.at(model, x, y, yaw, rank=rank, leader=host, ignore_aisles=True)
        )

    def tucked(
        self, model: ObjectModel, x: float, y: float, yaw: float, host: Placed, rank: int
    ) -> Placed | None:
        """Like ``at``, but may overlap its host's footprint (a chair under a table)."""
        f = host.footprint
        kept = self.space.bodies
        self.space.bodies = [b for b in kept if b != f]
        trial = Placed(model, x, y, 0.0, yaw, self.room.id, "floor", rank).footprint
        saved, self.space.aisles = self.space.aisles, []
        free = self.space.free(trial)
        self.space.bodies, self.space.aisles = kept, saved
        if not free:
            return None
        return self._add(model, x, y, 0.0, yaw, "floor", rank, leader=host)

    def rug(self, model: ObjectModel | None, x: float, y: float, yaw: float) -> Placed | None:
        """Lay a rug flat on the floor, where it fits in the room and is clear of other rugs."""
        if model is None:
            return None
        f = Placed(model, x, y, 0.0, yaw, self.room.id, "floor", 3).footprint
        others = [p.footprint for p in self.placed if p.category == "rug"]
        if not self.space.contains(f) or any(overlap(f, o) for o in others):
            return None
        return self._add(model, x, y, 0.0, yaw, "floor", 3)

    def hang(
        self,
        model: ObjectModel | None,
        z: float,
        *,
        over: Placed | None = None,
        across: float = 0.0,
        prefer: Prefer | None = None,
        walls: Sequence[Wall] | None = None,
        rank: int = 3,
    ) -> Placed | None:
        """Hang a model on a wall with its lowest edge at ``z``, or ``over`` a thing that stands
        against that wall."""
        if model is None:
            return None
        depth, width, height = model.size
        shape = WallShape(depth, width, z, z + height, 0.008, floor=z < 1.0)
        if z + height > self.plan.height_m - 0.05:
            return None
        if over is not None:
            if over.spot is None or over.spot.wall is None:
                return None
            wall = over.spot.wall
            along = over.spot.along - across
            if not width / 2 <= along <= wall.length - width / 2:
                return None
            if wall.blocked(along - width / 2, along + width / 2, z, z + height):
                return None
            spots = [Spot(*wall.point(along, 0.008 + depth / 2), wall.yaw, wall, along)]
        else:
            spots = self.space.along_walls(shape, walls, 0.15)
        for k in self.best_order([prefer(s) if prefer else 0.0 for s in spots], 0.3):
            spot = spots[k]
            if spot.wall is not None and self.space.stands(spot, shape):
                x, y = spot.wall.point(spot.along, 0.004)
                low = float(model.mesh.vertices[:, 2].min())
                return self._add(
                    model, x, y, z - low, spot.yaw, "wall", rank, leader=over, spot=spot
                )
        return None

    def drape(self, pane: PlanWindow, colour: str, long: bool) -> None:
        """A curtain over a window, to the floor when ``long``, else to just below the sill."""
        tall = pane.head_m + (0.1 if long else 0.28 - pane.sill_m)
        model = self.model(
            "curtain",
            state="open" if self.chance(0.85) else "drawn",
            colour=colour,
            width_m=pane.width_m + 0.3,
            height_m=tall,
        )
        if model is None:
            return
        depth, width, height = model.size
        x, y = pane.centre
        for wall in self.space.walls:
            along = (x - wall.x) * wall.dx + (y - wall.y) * wall.dy
            out = -(x - wall.x) * wall.dy + (y - wall.y) * wall.dx
            if (
                abs(out) > 0.01
                or math.cos(wall.yaw - pane.yaw) < 0.9
                or not 0 < along < wall.length
            ):
                continue
            if not width / 2 <= along <= wall.length - width / 2:
                continue
            z = max(0.02, min(pane.head_m + 0.14 - height, self.plan.height_m - 0.06 - height))
            px, py = wall.point(along, 0.055)
            cx, cy = wall.point(along, 0.055 + depth / 2)
            f = Footprint(cx, cy, depth / 2, width / 2, wall.yaw, z, z + height)
            if self.space.free(f):
                spot = Spot(px, py, wall.yaw, wall, along)
                self._add(model, px, py, z, wall.yaw, "wall", 3, spot=spot)
            return

    def ceiling(
        self, model: ObjectModel | None, x: float, y: float, yaw: float = 0.0
    ) -> Placed | None:
        """Hang a model from the ceiling at (x, y)."""
        if model is None:
            return None
        thing = Placed(model, x, y, self.plan.height_m, yaw, self.room.id, "ceiling", 1)
        if not self.space.contains(thing.footprint):
            return None
        return self._add(model, x, y, self.plan.height_m, yaw, "ceiling", 1)

    def on(
        self,
        category: str,
        host: Placed | None,
        *,
        u: float | None = None,
        v: float | None = None,
        turn: float | None = None,
        surface: int | None = None,
        rank: int = 3,
        **wanted: Scalar,
    ) -> Placed | None:
        """On a surface of ``host``. ``u`` and ``v`` in [−1, 1] fix the place (back to front, right
        to left); ``turn`` the angle to the host's front, else small chance."""
        if host is None or not host.model.surfaces:
            return None
        model = self.model(category, **wanted)
        return self.set_on(model, host, u=u, v=v, turn=turn, surface=surface, rank=rank)

    def set_on(
        self,
        model: ObjectModel | None,
        host: Placed,
        *,
        u: float | None = None,
        v: float | None = None,
        turn: float | None = None,
        surface: int | None = None,
        rank: int = 3,
    ) -> Placed | None:
        """Put a model on a surface where there is room (see ``find_place``)."""
        if model is None:
            return None
        place = find_place(model, host, self.rng, u, v, turn, surface)
        if place is None:
            return None
        x, y, z, yaw = place
        return self._add(model, x, y, z, yaw, "on", rank, support=host, leader=host)

    # ----------------------------------------------------------------------------- keeping free
    def remove(self, thing: Placed) -> None:
        """Take a thing away with everything on it and its satellites."""
        gone = [thing]
        for other in self.placed:
            if other not in gone and (other.support in gone or other.leader in gone):
                gone.append(other)
        for g in gone:
            if g.kind in ("floor", "wall") and g.footprint in self.space.bodies:
                self.space.bodies.remove(g.footprint)
            if g.aisle is not None and g.aisle in self.space.aisles:
                self.space.aisles.remove(g.aisle)
        self.placed = [p for p in self.placed if p not in gone]

    def fits(self, f: Footprint, rank: int) -> bool:
        """Whether a robot can still reach the doors and the other pieces with a large piece
        standing there."""
        return rank > 1 or self._reach.complaint(self.placed, [f]) == 0

    def ensure_reachable(self) -> None:
        """Remove pieces until a robot can come near to every door and every piece."""
        repair(self._reach, lambda: self.placed, self.remove)
