"""Runs of kitchen units along walls: fridge, counters, sink, stove, hood, cabinets above."""

from __future__ import annotations

from navproof.world.furnish import RoomBuilder
from navproof.world.placed import Placed
from navproof.world.placement import Footprint, Spot, Wall

__all__ = ["kitchen_run", "stretches"]

_DEPTH_M = 0.64
_AISLE_M = 0.8


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


def _units(length: float, b: RoomBuilder, *, fridge: bool) -> list[tuple[str, float]]:
    """(category, width) from one end to the other that fill ``length``."""
    units: list[tuple[str, float]] = []
    left = length
    if fridge and left > 1.9:
        units.append(("refrigerator", 0.68))
        left -= 0.7
    middle: list[tuple[str, float]] = []
    for category, width, need in (
        ("kitchen sink", 0.8, 0.8),
        ("stove", 0.6, 0.6),
        ("kitchen counter", 0.6, 0.5),
        ("dishwasher", 0.6, 0.6),
        ("kitchen counter", 0.6, 0.5),
        ("kitchen counter", 0.6, 0.5),
        ("kitchen counter", 0.6, 0.5),
    ):
        if left >= need:
            middle.append((category, min(width, left)))
            left -= min(width, left)
    order = {"kitchen sink": 2, "stove": 4, "dishwasher": 3}
    counters = [u for u in middle if u[0] == "kitchen counter"]
    fixed = sorted((u for u in middle if u[0] != "kitchen counter"), key=lambda u: order[u[0]])
    mixed: list[tuple[str, float]] = []
    for k, unit in enumerate(fixed):
        if k < len(counters):
            mixed.append(counters[k])
        mixed.append(unit)
    mixed += counters[len(fixed) :]
    if left > 0.01 and counters:  # widen the last counter to close the gap
        for k in range(len(mixed) - 1, -1, -1):
            if mixed[k][0] == "kitchen counter":
                mixed[k] = ("kitchen counter", mixed[k][1] + min(left, 0.5))
                break
    return units + mixed


def kitchen_run(b: RoomBuilder, *, fridge: bool = True, longest: float = 4.6) -> list[Placed]:
    """Units along the longest free stretch, and along a second wall when the first is short."""
    style = {
        "colour": b.one_of("white", "white", "grey", "beige", "blue", "green", "brown", "black")
    }
    found: list[Placed] = []
    have: set[str] = set()
    for _ in range(2):
        options = stretches(b, _DEPTH_M, _AISLE_M)
        if not options or options[0][0] < 1.2:
            break
        length, wall, start, end = options[0]
        length = min(length, longest)
        flip = b.chance(0.5) if end - start - length > 0.3 else start > wall.length - end
        origin = end if flip else start
        along = 0.0
        for category, width in _units(length, b, fridge=fridge and "refrigerator" not in have):
            if category in have and category != "kitchen counter":
                category = "kitchen counter"
            thing = _unit(b, wall, origin, along, width, category, flip, style)
            if thing is not None:
                found.append(thing)
                have.add(category)
            along += width
        if len(found) >= 5 or "stove" in have:
            break
    _above(b, found, style)
    return found


def _unit(
    b: RoomBuilder,
    wall: Wall,
    origin: float,
    along: float,
    width: float,
    category: str,
    flip: bool,
    style: dict[str, str],
) -> Placed | None:
    model = b.model(category, width_m=width - 0.002, **style)
    if model is None:
        model = b.model("kitchen counter", width_m=width - 0.002, **style)
    if model is None:
        return None
    room = min(width, 1.2)
    middle = along + max(room, model.size[1]) / 2
    at = origin - middle if flip else origin + middle
    x, y = wall.point(at, 0.02 + model.size[0] / 2)
    if model.size[2] > 1.0 and wall.blocked(at - width / 2, at + width / 2, 0.0, model.size[2]):
        return None
    thing = b.at(model, x, y, wall.yaw, rank=0, ignore_aisles=True)
    if thing is not None:
        thing.spot = Spot(thing.x, thing.y, wall.yaw, wall, at)
        ax, ay = wall.point(at, 0.02 + model.size[0] + 0.35)
        b.space.aisles.append(Footprint(ax, ay, 0.35, model.size[1] / 2, wall.yaw))
    return thing


def _above(b: RoomBuilder, units: list[Placed], style: dict[str, str]) -> None:
    """A hood over the stove and cabinets over the rest, where there is no window."""
    for unit in units:
        width = unit.model.size[1]
        if unit.category == "stove":
            b.hang(b.model("range hood", width_m=width), 1.5, over=unit)
        elif unit.category in ("kitchen counter", "kitchen sink", "dishwasher") and b.chance(0.8):
            b.hang(b.model("wall cabinet", width_m=width - 0.004, **style), 1.42, over=unit)
