"""Groups of furniture that belong together, for any room that wants one."""

from __future__ import annotations

import itertools
import math

from navproof.world.furnish.builder import RoomBuilder
from navproof.world.furnish.placed import Placed
from navproof.world.furnish.placement import Footprint, Prefer, Spot, WallShape, overlap
from navproof.world.model import ObjectModel

__all__ = [
    "along_middle",
    "bed_set",
    "ceiling_lights",
    "corner",
    "curtains",
    "desk_set",
    "facing",
    "near",
    "pictures",
    "plants",
    "radiators",
    "seats_around",
    "shelf_on_wall",
    "sitting_group",
    "work_surface",
]


# ------------------------------------------------------------------------------ preferences
def corner(spot: Spot) -> float:
    """Prefers places near an end of the wall."""
    if spot.wall is None:
        return 0.0
    return 1.0 - min(spot.along, spot.wall.length - spot.along) / spot.wall.length * 2


def along_middle(spot: Spot) -> float:
    """Prefers places in the middle of a long wall."""
    if spot.wall is None:
        return 0.0
    off = abs(spot.along - spot.wall.length / 2) / spot.wall.length
    return 0.2 * min(spot.wall.length, 6.0) - 1.5 * off


def near(x: float, y: float, weight: float = 0.3) -> Prefer:
    def score(spot: Spot) -> float:
        return -weight * math.hypot(spot.x - x, spot.y - y)

    return score


def facing(host: Placed) -> Prefer:
    """Opposite ``host``, on its axis, looking back at it."""

    def score(spot: Spot) -> float:
        c, s = math.cos(host.yaw), math.sin(host.yaw)
        dx, dy = spot.x - host.x, spot.y - host.y
        ahead, aside = c * dx + s * dy, abs(c * dy - s * dx)
        back = math.cos(spot.yaw - host.yaw)  # −1 when it looks at the host
        return -2.0 * back - 1.2 * aside - (3.0 if ahead < 0.5 else 0.0) - 0.15 * abs(ahead - 3.0)

    return score


# ----------------------------------------------------------------------------------- groups
def seats_around(
    b: RoomBuilder,
    table: Placed,
    seat: str,
    most: int,
    *,
    colour: str | None = None,
    odd: float = 0.0,
    tuck: float = 0.1,
    ends: bool = True,
) -> list[Placed]:
    """Up to ``most`` equal seats round a table, facing it; with chance ``odd`` one differs."""
    pattern = b.model(seat, colour=colour)
    if pattern is None:
        return []
    sx, sy, _ = table.model.size
    depth, width, _ = pattern.size
    per_side = max(1, int((sy - 0.1) / (width + 0.12)))
    places: list[tuple[float, float, float]] = []
    for k in range(per_side):
        y = (k + 0.5) / per_side * sy - sy / 2
        for side in (1, -1):
            places.append((side * (sx / 2 + depth / 2 - tuck), y, math.pi if side > 0 else 0.0))
    if ends and sx > width + 0.1:
        for side in (1, -1):
            places.append((0.0, side * (sy / 2 + depth / 2 - tuck), -side * math.pi / 2))
    if str(table.model.attributes.get("modifier", "")) == "round":
        count = min(most, 4 if sx < 1.25 else 6)
        places = []
        for k in range(count):
            angle = 2 * math.pi * k / count
            r = sx / 2 + depth / 2 - tuck
            places.append((r * math.cos(angle), r * math.sin(angle), angle + math.pi))
    found: list[Placed] = []
    strange = int(b.rng.integers(len(places))) if b.chance(odd) else -1
    for k, (x, y, turn) in enumerate(places[:most]):
        model = b.model(seat) if k == strange else pattern
        wx, wy = table.world(x, y)
        wiggle = b.between(-0.09, 0.09)
        if model is not None:
            done = b.tucked(model, wx, wy, table.yaw + turn + wiggle, table, 2)
            if done is not None:
                found.append(done)
    return found


def desk_set(
    b: RoomBuilder, *, seat: str = "office chair", rank: int = 1, prefer: Prefer | None = None
) -> Placed | None:
    """A desk against a wall with a chair, a screen or laptop, and what lies about."""
    desk = b.wall(b.model("desk", colour=b.style.wood), aisle=0.85, rank=rank, prefer=prefer)
    if desk is None:
        return None
    work_surface(b, desk, seat)
    return desk


def work_surface(b: RoomBuilder, desk: Placed, seat: str = "office chair") -> None:
    """Chair, screen and small things for a desk that already stands."""
    b.front(b.model(seat), desk, -0.06, face=True, turn=b.between(-0.25, 0.25), rank=1)
    if b.chance(0.6):
        b.on("monitor", desk, u=-0.8, v=b.between(-0.3, 0.3), turn=0.0)
        b.on("keyboard", desk, u=0.6, v=b.between(-0.2, 0.2), turn=0.0)
    else:
        b.on(
            "laptop",
            desk,
            u=b.between(-0.2, 0.4),
            v=b.between(-0.3, 0.3),
            turn=b.between(-0.1, 0.1),
        )
    if b.chance(0.55):
        b.on("table lamp", desk, u=-0.8, v=b.one_of_numbers(-0.95, 0.95))
    for category, p in (
        ("mug", 0.45),
        ("book", 0.6),
        ("phone", 0.35),
        ("potted plant", 0.2),
        ("clock", 0.15),
    ):
        if b.chance(p):
            b.on(category, desk)


def bed_set(b: RoomBuilder, *, single: bool = False) -> Placed | None:
    """A bed with its head to a wall, nightstands with lamps, a picture above."""
    colour = b.one_of(*b.style.fabrics)
    for kind in ("single",) if single else ("double", "single"):
        model = b.model("bed", modifier=kind, colour=colour)
        bed = b.wall(model, aisle=0.5, side=0.5, rank=0, prefer=along_middle)
        bed = bed or b.wall(model, aisle=0.5, side=0.0, rank=0, prefer=corner)
        if bed is not None:
            break
    else:
        return None
    wood = b.style.wood
    stand = b.model("nightstand", colour=wood)
    lamp_colour = b.one_of(*b.style.accents)
    for side in (1, -1):
        if stand is None:
            continue
        night = b.beside(stand, bed, side, gap=0.05, rank=2)
        if night is None:
            continue
        b.on("table lamp", night, u=-0.3, v=b.between(-0.5, 0.5), colour=lamp_colour)
        for category, p in (
            ("book", 0.4),
            ("phone", 0.3),
            ("clock", 0.35),
            ("mug", 0.2),
            ("radio", 0.1),
            ("candle", 0.12),
        ):
            if b.chance(p):
                b.on(category, night)
    made = bed.model.attributes.get("state") != "unmade"
    for category, p in (
        ("pillow", 0.3),
        ("cushion", 0.45),
        ("teddy bear", 0.15),
        ("book", 0.1),
        ("laptop", 0.08),
    ):
        if b.chance(p) and made:
            b.on(category, bed)
    if b.chance(0.65):
        b.hang(b.model("picture"), b.between(1.35, 1.5), over=bed)
    rug = b.model("rug")
    if rug is not None and b.chance(0.5):
        x, y = bed.world(bed.model.size[0] / 2 - rug.size[0] * 0.15, 0.0)
        b.rug(rug, x, y, bed.yaw)
    return bed


def sitting_group(b: RoomBuilder, *, screen: bool = True) -> Placed | None:
    """TV stand and sofa that face each other, coffee table and rug between, armchairs aside."""
    fabric = b.one_of(*b.style.fabrics)
    model = b.model("sofa", colour=fabric)
    stand, sofa = None, None
    if screen:
        stand, sofa = _screen_and_sofa(b, b.model("tv stand", colour=b.style.wood), model)
    if stand is not None:
        b.on("tv", stand, u=-0.2, v=0.0, turn=0.0, rank=1)
        for side in (-1.0, 1.0):
            if b.chance(0.35):
                b.on(b.one_of("speaker", "vase", "potted plant"), stand, v=side * 0.95, u=0.0)
    if sofa is None:
        sofa = b.wall(model, aisle=0.7, rank=0, prefer=along_middle, gap=0.06)
    if sofa is None:
        model = b.model("sofa", colour=fabric, seats=2, modifier="straight")
        sofa = b.wall(model, aisle=0.6, rank=0, gap=0.06, step=0.05)
    if sofa is None:
        return None
    table = b.front(
        b.model("coffee table", colour=b.style.wood), sofa, b.between(0.38, 0.48), rank=2
    )
    rug = b.model("rug")
    if rug is not None:
        centre = table if table is not None else sofa
        b.rug(rug, centre.x, centre.y, sofa.yaw)
    if table is not None:
        for category, p in (
            ("book", 0.7),
            ("mug", 0.4),
            ("bowl", 0.35),
            ("candle", 0.35),
            ("vase", 0.3),
            ("tray", 0.2),
            ("phone", 0.2),
            ("laptop", 0.15),
        ):
            if b.chance(p):
                b.on(category, table)
    for side in (1, -1):
        if b.chance(0.75):
            chair = b.model("armchair", colour=b.one_of(*b.style.accents, *b.style.fabrics))
            done = _armchair(b, chair, sofa, side)
            if done is None and b.chance(0.7):
                end = b.beside(b.model("side table", colour=b.style.wood), sofa, side, gap=0.08)
                if end is not None:
                    b.on(
                        b.one_of("table lamp", "table lamp", "potted plant", "vase"),
                        end,
                        u=0.0,
                        v=0.0,
                    )
                    if b.chance(0.4):
                        b.on(b.one_of("book", "mug", "phone"), end)
    for _ in range(2):
        if b.chance(0.5):
            b.on("cushion", sofa, colour=b.one_of(*b.style.accents))
    if b.chance(0.2):
        b.on(b.one_of("pillow", "book", "teddy bear", "laptop"), sofa)
    if b.chance(0.6) and sofa.spot is not None:
        b.hang(b.model("picture"), b.between(1.25, 1.45), over=sofa)
    return sofa


def _screen_and_sofa(
    b: RoomBuilder, stand: ObjectModel | None, sofa: ObjectModel | None
) -> tuple[Placed | None, Placed | None]:
    """A TV stand and a sofa on opposite walls, or the sofa free in the room; face to face."""
    if stand is None or sofa is None:
        return (
            b.wall(stand, aisle=1.2, rank=1, prefer=along_middle),
            b.wall(sofa, aisle=0.7, rank=0, prefer=along_middle, gap=0.06),
        )
    screens = b.space.wall_spots(
        WallShape(stand.size[0], stand.size[1], 0.0, 1.2, 0.025, aisle=1.0), step=0.25
    )
    seats = b.space.wall_spots(
        WallShape(sofa.size[0], sofa.size[1], 0.0, sofa.size[2], 0.06, aisle=0.9), step=0.25
    )
    deep = (stand.size[0] + sofa.size[0]) / 2
    pairs: list[tuple[float, Spot, Spot]] = []
    for tv in screens:
        c, s = math.cos(tv.yaw), math.sin(tv.yaw)
        for seat in seats:
            if math.cos(seat.yaw - tv.yaw) > -0.9:
                continue
            dx, dy = seat.x - tv.x, seat.y - tv.y
            ahead, aside = c * dx + s * dy - deep, abs(c * dy - s * dx)
            if 1.5 <= ahead <= 3.6 and aside < 0.5:
                pairs.append((-abs(ahead - 2.3) - aside + 0.3 * along_middle(tv), tv, seat))
    if pairs:
        _, tv, seat = pairs[b.best_index([p[0] for p in pairs], 0.5)]
        return b.settle(stand, tv, aisle=1.0, rank=1), b.settle(sofa, seat, aisle=0.5, rank=0)
    for k in b.best_order([along_middle(tv) for tv in screens], 0.5)[:12]:
        first = b.settle(stand, screens[k], aisle=1.0, rank=1)
        for distance in (2.2, 1.9, 2.5, 1.6):
            second = b.front(sofa, first, distance, face=True, rank=0)
            if second is not None:
                second.leader = None
                return first, second
        b.remove(first)
    return b.wall(stand, aisle=1.2, rank=1, prefer=along_middle), None


def _armchair(b: RoomBuilder, model: ObjectModel | None, sofa: Placed, side: int) -> Placed | None:
    if model is None:
        return None
    depth = sofa.model.size[0] / 2
    for out, ahead in ((0.45, 0.75), (0.3, 0.95), (0.7, 0.8)):
        x, y = sofa.world(depth + ahead, side * (sofa.model.size[1] / 2 + out))
        yaw = sofa.yaw - side * math.pi / 2 - side * b.between(0.1, 0.5)
        done = b.at(model, x, y, yaw, rank=2, leader=sofa, ignore_aisles=True)
        if done is not None:
            return done
    return None


# ------------------------------------------------------------------------------ decoration
def ceiling_lights(b: RoomBuilder, fixture: str = "ceiling light") -> None:
    """One fixture per 16 m² or so, over the middle of the room's parts."""
    xs, ys = sorted({p[0] for p in b.room.polygon}), sorted({p[1] for p in b.room.polygon})
    parts = [
        (x0, y0, x1, y1)
        for x0, x1 in itertools.pairwise(xs)
        for y0, y1 in itertools.pairwise(ys)
        if b.space.contains(Footprint((x0 + x1) / 2, (y0 + y1) / 2, 0.05, 0.05, 0.0))
    ]
    if len(xs) == 2 and len(ys) == 2:
        parts = [(xs[0], ys[0], xs[1], ys[1])]
    parts.sort(key=lambda r: -((r[2] - r[0]) * (r[3] - r[1])))
    panes = [w for w in b.plan.windows if w.room == b.room.id]
    glass = sum(w.width_m * (w.head_m - w.sill_m) for w in panes)
    state = "on" if glass < 0.12 * b.room.area_m2 or b.chance(0.75) else "off"
    model = b.model(fixture, state=state)
    if fixture != "ceiling light" and model is None:
        model = b.model("ceiling light", state=state)
    if model is None:
        return
    for k, (x0, y0, x1, y1) in enumerate(parts):
        w, h = x1 - x0, y1 - y0
        if k and w * h < 5.0:
            continue
        nx, ny = max(1, round(w / 4.2)), max(1, round(h / 4.2))
        for i in range(nx):
            for j in range(ny):
                yaw = math.pi / 2 if w > h else 0.0  # long ones along the room
                x, y = x0 + w * (i + 0.5) / nx, y0 + h * (j + 0.5) / ny
                x, y = _clear_of_lamps(b, model, x, y, yaw)
                b.ceiling(model, x, y, yaw)


def _clear_of_lamps(
    b: RoomBuilder, model: ObjectModel, x: float, y: float, yaw: float
) -> tuple[float, float]:
    """A place near (x, y) where the fixture does not hang into a pendant lamp."""
    lamps = [p.footprint for p in b.placed if p.kind == "ceiling" and p.category != model.category]
    for dx, dy in itertools.product((0.0, 0.35, -0.35, 0.7, -0.7), repeat=2):
        body = Footprint(x + dx, y + dy, model.size[0] / 2, model.size[1] / 2, yaw)
        if b.space.contains(body) and not any(overlap(body, lamp) for lamp in lamps):
            return x + dx, y + dy
    return x, y


def curtains(b: RoomBuilder, share: float = 0.8) -> None:
    """A curtain at each side of the windows, the same in one room."""
    panes = [w for w in b.plan.windows if w.room == b.room.id and w.sill_m < 1.2]
    if not panes or not b.chance(share):
        return
    colour = b.one_of(*b.style.fabrics, *b.style.accents)
    long = b.chance(0.5)
    for pane in panes:
        b.drape(pane, colour, long)


def radiators(b: RoomBuilder, share: float = 0.6) -> None:
    """A radiator below a window."""
    for pane in [w for w in b.plan.windows if w.room == b.room.id and 0.8 <= w.sill_m < 1.2]:
        if b.chance(share):
            model = b.model("radiator", length_m=min(1.4, pane.width_m))
            b.wall(model, aisle=0.25, rank=3, gap=0.03, prefer=near(*pane.centre, 4.0), step=0.05)


def shelf_on_wall(b: RoomBuilder) -> None:
    """A wall shelf with a few things on it."""
    shelf = b.hang(b.model("wall shelf"), b.between(1.25, 1.5), prefer=along_middle)
    if shelf is not None:
        for category in ("book", "vase", "potted plant", "candle", "clock", "radio"):
            if b.chance(0.45):
                b.on(category, shelf)


def pictures(b: RoomBuilder, most: int) -> None:
    """Pictures on free walls at eye height."""
    for _ in range(most):
        model = b.model("picture")
        if model is not None:
            b.hang(model, round(1.62 - model.size[2] / 2, 3), prefer=along_middle)


def plants(b: RoomBuilder, most: int) -> None:
    """Plants in corners."""
    for _ in range(most):
        size = b.one_of("small", "medium", "medium", "large")
        b.wall(b.model("plant", size=size), aisle=0.0, prefer=corner, rank=3, gap=0.06)
