"""Runs of kitchen units along walls: fridge, counters, sink, stove, hood, cabinets above."""

from __future__ import annotations

from dataclasses import dataclass

from navproof.core.types import Scalar
from navproof.world.furnish.builder import RoomBuilder
from navproof.world.furnish.placed import Placed
from navproof.world.furnish.placement import Footprint, Spot, Wall
from navproof.world.model import ObjectModel

__all__ = ["kitchen_run", "stretches"]

_DEPTH_M = 0.64
_AISLE_M = 0.8
_JOINT_M = 0.004


def stretches(b: RoomBuilder, depth: float, aisle: float) -> list[tuple[float, Wall, float, float]]:
    """Free stretches along the walls for things of that depth: (length, wall, from, to), longest
    first. A thing of up to 0.95 m height may stand below a window."""
    found = []
    for wall in b.space.walls:
        step = 0.05
        run: list[float] = []
        count = int((wall.length - 0.04) / step)
        for k in range(count + 1):
            ok = False
            if k < count:
                along = 0.02 + (k + 0.5) * step
                x, y = wall.point(along, 0.02 + (depth + aisle) / 2)
                zone = Footprint(x, y, (depth + aisle) / 2, step / 2, wall.yaw, 0.0, 0.9)
                bx, by = wall.point(along, 0.02 + depth / 2)
                body = Footprint(bx, by, depth / 2, step / 2, wall.yaw, 0.0, 0.9)
                low = all(o[2] > 0.5 or not o[0] - 0.1 < along < o[1] + 0.1 for o in wall.openings)
                ok = low and b.space.free(body) and b.space.free(zone, doorway=False)
            if ok:
                run.append(along)
            elif run:
                found.append((run[-1] - run[0] + step, wall, run[0] - step / 2, run[-1] + step / 2))
                run = []
    return sorted(found, key=lambda f: (-round(f[0], 3), f[1].index, f[2]))


@dataclass(frozen=True)
class _KitchenStyle:
    """What the units of one kitchen have in common."""

    colour: str
    modifier: str


def _row(b: RoomBuilder, front: _KitchenStyle, length: float, have: set[str]) -> list[ObjectModel]:
    """Models that fill ``length`` from one end to the other, without those that the kitchen has
    already."""
    wanted: list[ObjectModel] = []
    left = length

    def take(category: str, **more: Scalar) -> None:
        nonlocal left
        if category in have:
            return
        model = b.model(category, colour=front.colour, modifier=front.modifier, **more)
        if model is not None and model.size[1] <= left:
            wanted.append(model)
            left -= model.size[1] + _JOINT_M

    if length > 2.0:
        take("refrigerator")
    take("kitchen sink", length_m=0.8)
    take("stove")
    if left > 1.2 or b.chance(0.3):
        take("dishwasher", state="closed")
    by_name = {m.category: m for m in wanted}
    names = ("refrigerator", "kitchen sink", "dishwasher", "stove")
    order = [by_name[n] for n in names if n in by_name]
    gaps = max(1, min(3, int(left / 0.55))) if left >= 0.3 else 0
    each = left / gaps - _JOINT_M if gaps else 0.0
    slots = [1, len(order), max(0, len(order) - 1)][:gaps]  # by the fridge, last, by the stove
    row: list[ObjectModel] = []
    for k in range(len(order) + 1):
        for slot in slots:
            if slot == k or (slot > len(order) and k == len(order)):
                counter = b.model(
                    "kitchen counter",
                    length_m=min(each, 2.4),
                    colour=front.colour,
                    modifier=front.modifier,
                )
                if counter is not None:
                    row.append(counter)
        if k < len(order):
            row.append(order[k])
    return row


def kitchen_run(b: RoomBuilder, *, longest: float = 4.4, walls: int = 2) -> list[Placed]:
    """Units along the longest free stretch; when it is short, along up to ``walls`` of them."""
    colour = b.one_of("white", "white", "grey", "beige", "blue", "green", "brown", "black")
    front = _KitchenStyle(colour, b.one_of("marble-topped", "wood-topped"))
    found: list[Placed] = []
    have: set[str] = set()
    for _ in range(walls):
        options = stretches(b, _DEPTH_M, _AISLE_M)
        if not options or options[0][0] < 0.9:
            break
        length, wall, start, end = options[0]
        length = min(length, longest)
        flip = start > wall.length - end
        row = _row(b, front, length, have)
        along = 0.0
        for model in row:
            middle = along + model.size[1] / 2
            thing = _unit(b, wall, end - middle if flip else start + middle, model)
            if thing is not None:
                found.append(thing)
                have.add(model.category)
            along += model.size[1] + _JOINT_M
        have.discard("kitchen counter")
        if {"stove", "kitchen sink", "refrigerator"} <= have:
            break
    _above(b, found, front)
    return found


def _unit(b: RoomBuilder, wall: Wall, along: float, model: ObjectModel) -> Placed | None:
    half = model.size[1] / 2
    top = model.size[2] if model.size[2] > 1.4 else 0.95  # a tap may stand before a window
    if wall.blocked(along - half, along + half, 0.0, top, margin=0.0):
        return None
    x, y = wall.point(along, 0.02 + model.size[0] / 2)
    thing = b.at(model, x, y, wall.yaw, rank=0, ignore_aisles=True)
    if thing is not None:
        thing.spot = Spot(thing.x, thing.y, wall.yaw, wall, along)
        ax, ay = wall.point(along, 0.02 + model.size[0] + 0.35)
        b.space.aisles.append(Footprint(ax, ay, 0.35, half, wall.yaw))
    return thing


def _above(b: RoomBuilder, units: list[Placed], front: _KitchenStyle) -> None:
    """A hood over the stove and cabinets over the rest, where there is no window."""
    for unit in units:
        width = unit.model.size[1]
        if unit.category == "stove":
            b.hang(b.model("range hood"), 1.55, over=unit)
        elif unit.category in ("kitchen counter", "kitchen sink", "dishwasher") and b.chance(0.85):
            cabinet = b.model("wall cabinet", length_m=width - 0.005, colour=front.colour)
            b.hang(cabinet, 1.45, over=unit)
