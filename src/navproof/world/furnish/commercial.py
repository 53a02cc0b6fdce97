"""What stands in offices, cafés, shops and clinics."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from navproof.world.furnish.builder import RoomBuilder
from navproof.world.furnish.groups import (
    along_middle,
    ceiling_lights,
    corner,
    desk_set,
    near,
    pictures,
    plants,
    seats_around,
    work_surface,
)
from navproof.world.furnish.home import hallway, middle, strew
from navproof.world.furnish.kitchen import kitchen_run
from navproof.world.furnish.placed import Placed
from navproof.world.furnish.placement import Spot
from navproof.world.model import ObjectModel

__all__ = ["COMMERCIAL_RECIPES"]


def _grid(
    b: RoomBuilder, category: str, most: int, margin: float, aside: float, **wanted: str
) -> list[Placed]:
    """Up to ``most`` equal free-standing things, spread over the room."""
    found: list[Placed] = []
    model = b.model(category, **wanted)
    for _ in range(most):

        def spread(spot: Spot) -> float:
            return 0.5 * min([*(math.hypot(spot.x - t.x, spot.y - t.y) for t in found), 3.0])

        thing = b.island(model, margin, prefer=spread, aside=aside, rank=1)
        if thing is None:
            break
        found.append(thing)
    return found


def _safety(b: RoomBuilder) -> None:
    if b.chance(0.6):
        b.hang(b.model("fire extinguisher"), 0.9)


def _waiting_seats(b: RoomBuilder, rows: int) -> None:
    """Chairs and benches along walls, a low table before them."""
    for _ in range(rows):
        kind = b.one_of("bench", "chair", "armchair", "sofa")
        if kind == "chair":
            pattern = b.model("chair")
            first = b.wall(pattern, aisle=0.6, rank=1, side=0.5, prefer=along_middle)
            if first is not None:
                for side in (1, -1):
                    b.beside(pattern, first, side, gap=0.06)
        else:
            b.wall(b.model(kind), aisle=0.6, rank=1, prefer=along_middle)
    seats = [p for p in b.placed if p.category in ("sofa", "armchair", "bench")]
    if seats:
        table = b.front(b.model("coffee table"), seats[0], 0.42)
        strew(b, table, ("book", "vase", "phone", "potted plant"), 2)


def reception(b: RoomBuilder) -> None:
    x, y = middle(b)
    desk = b.island(b.model("reception desk"), 0.9, prefer=near(x, y, 0.1), rank=0, aside=0.6)
    if desk is not None:
        back = b.model("office chair")
        if back is not None:
            cx, cy = desk.world(-desk.model.size[0] / 2 - back.size[0] / 2 - 0.05, 0.0)
            b.at(back, cx, cy, desk.yaw, rank=1, leader=desk, ignore_aisles=True)
        for category in ("monitor", "phone", "keyboard", "potted plant", "book"):
            if b.chance(0.7):
                b.on(category, desk, turn=math.pi if category in ("monitor", "keyboard") else None)
    _waiting_seats(b, 2)
    if b.chance(0.6):
        b.wall(b.model("water cooler"), aisle=0.5, prefer=corner)
    if b.chance(0.4):
        b.wall(b.model("coat rack"), aisle=0.0, prefer=corner)
    if b.chance(0.3):
        b.wall(b.model("vending machine"), aisle=0.7, rank=2)
    plants(b, 2)
    if b.chance(0.5):
        b.hang(b.model("wall clock"), 1.85)
    _safety(b)
    pictures(b, 2)
    ceiling_lights(b)


def waiting_room(b: RoomBuilder) -> None:
    reception(b)
    _waiting_seats(b, 2)
    if b.chance(0.5):
        b.wall(b.model("wheelchair"), aisle=0.3, rank=2)
    if b.chance(0.5):
        stand = b.wall(b.model("side table"), aisle=0.0, rank=3)
        strew(b, stand, ("book", "vase", "potted plant"), 2)


def corridor(b: RoomBuilder) -> None:
    for category, p in (("water cooler", 0.5), ("plant", 0.6), ("bench", 0.5), ("trash can", 0.5)):
        if b.chance(p):
            b.wall(b.model(category), aisle=0.75, rank=3, prefer=corner)
    if b.plan.kind == "clinic" and b.chance(0.5):
        b.wall(b.model("wheelchair"), aisle=0.75, rank=3)
    _safety(b)
    pictures(b, 3)
    if b.chance(0.5):
        b.hang(b.model("wall clock"), 1.9)
    ceiling_lights(b)


def open_office(b: RoomBuilder) -> None:
    wood = b.style.wood
    for desk in _grid(b, "desk", 6, 0.95, 0.3, colour=wood):
        work_surface(b, desk)
    for _ in range(3):
        desk_set(b)
    for _ in range(2):
        if b.chance(0.6):
            b.wall(b.model("partition"), aisle=0.3, rank=3)
    strew(b, b.wall(b.model("filing cabinet"), rank=2), ("printer", "potted plant", "book"), 2)
    if b.chance(0.6):
        b.wall(b.model("copier"), aisle=0.7, rank=2)
    b.wall(b.model("trash can"), aisle=0.0, rank=3, prefer=corner)
    if b.chance(0.7):
        strew(b, b.wall(b.model("bookshelf", colour=wood), rank=2), ("book", "clock", "vase"), 3)
    if b.chance(0.6):
        b.hang(b.model("whiteboard"), 1.0, prefer=along_middle)
    plants(b, 3)
    if b.chance(0.6):
        b.hang(b.model("wall clock"), 1.9)
    if b.chance(0.4):
        b.hang(b.model("air conditioner"), b.plan.height_m - 0.5)
    _safety(b)
    pictures(b, 2)
    ceiling_lights(b)


def meeting_room(b: RoomBuilder) -> None:
    x, y = middle(b)
    spans = [max(p[k] for p in b.room.polygon) - min(p[k] for p in b.room.polygon) for k in (0, 1)]
    model = b.model("conference table", colour=b.style.wood, length_m=max(spans) - 1.9)
    table = b.island(model, 0.8, prefer=near(x, y), rank=0, aside=0.6)
    if table is None:
        model = b.model("dining table", colour=b.style.wood)
        table = b.island(model, 0.7, prefer=near(x, y), rank=0, aside=0.5)
    if table is not None:
        seats_around(b, table, b.one_of("office chair", "chair"), 8, odd=0.15)
        strew(b, table, ("laptop", "mug", "book", "phone", "bottle", "tray"), 4)
    b.hang(b.model("whiteboard"), 0.95, prefer=along_middle)
    if b.chance(0.6):
        stand = b.wall(b.model("tv stand"), aisle=0.3, rank=2, prefer=along_middle)
        b.on("tv", stand, u=-0.2, v=0.0, turn=0.0, rank=1)
    elif b.chance(0.6):
        side = b.wall(b.model("cabinet"), aisle=0.4, rank=2)
        strew(b, side, ("coffee machine", "mug", "bottle", "tray", "vase"), 3)
    plants(b, 1)
    if b.chance(0.4):
        b.hang(b.model("wall clock"), 1.85)
    pictures(b, 1)
    ceiling_lights(b)


def private_office(b: RoomBuilder) -> None:
    x, y = middle(b)
    desk = b.island(
        b.model("desk", colour=b.style.wood), 0.95, prefer=near(x, y), rank=0, aside=0.35
    )
    if desk is not None:
        work_surface(b, desk)
        for across in (0.35, -0.35):
            guest = b.model("chair")
            if guest is not None and b.chance(0.6):
                gx, gy = desk.world(-desk.model.size[0] / 2 - guest.size[0] / 2 - 0.15, across)
                b.at(guest, gx, gy, desk.yaw, rank=2, leader=desk, ignore_aisles=True)
    else:
        desk_set(b, prefer=along_middle)
    strew(
        b, b.wall(b.model("bookshelf", colour=b.style.wood), rank=2), ("book", "clock", "vase"), 3
    )
    strew(b, b.wall(b.model("filing cabinet"), rank=2), ("printer", "potted plant"), 1)
    if b.chance(0.5):
        b.wall(b.model("armchair"), aisle=0.4)
    b.wall(b.model("trash can"), aisle=0.0, rank=3, prefer=corner)
    if b.chance(0.4):
        b.hang(b.model("whiteboard"), 1.0)
    plants(b, 1)
    pictures(b, 2)
    ceiling_lights(b)


def kitchenette(b: RoomBuilder) -> None:
    units = kitchen_run(b, longest=3.2)
    hosts = [u for u in units if u.category in ("kitchen counter", "dishwasher")]
    for k, want in enumerate(("coffee machine", "microwave", "kettle", "mug", "toaster", "bottle")):
        if hosts and b.chance(0.7):
            b.on(want, hosts[k % len(hosts)], turn=0.0)
    x, y = middle(b)
    table = b.island(b.model("dining table"), 0.6, prefer=near(x, y), rank=2, aside=0.4)
    if table is not None:
        seats_around(b, table, "chair", 4)
        strew(b, table, ("bowl", "mug", "plate", "bottle"), 3)
    b.wall(b.model("trash can"), aisle=0.0, prefer=corner)
    if b.chance(0.4):
        b.wall(b.model("vending machine"), aisle=0.7)
    if b.chance(0.4):
        b.hang(b.model("wall clock"), 1.85)
    plants(b, 1)
    ceiling_lights(b)


def restroom(b: RoomBuilder) -> None:
    glaze = b.glaze()
    model = b.model("toilet", colour=glaze)
    toilet = b.wall(model, aisle=0.55, rank=0, prefer=corner, side=0.1)
    if toilet is not None and b.room.area_m2 > 7:
        b.wall(model, aisle=0.55, rank=1, side=0.1)
    pattern = b.model("washbasin", colour=glaze)
    basin = b.wall(pattern, aisle=0.6, rank=0, prefer=along_middle)
    basins = [] if basin is None else [basin]
    if basin is not None and b.chance(0.5):
        other = b.beside(pattern, basin, 1, gap=0.12)
        if other is not None:
            other.spot = None
    for host in basins:
        b.hang(b.model("mirror"), 1.1, over=host)
        strew(b, host, ("bottle", "potted plant"), 1)
    b.wall(b.model("trash can"), aisle=0.0, rank=3, prefer=corner)
    b.hang(b.model("towel"), 1.05)
    pictures(b, int(b.chance(0.3)))
    ceiling_lights(b)


def copy_room(b: RoomBuilder) -> None:
    b.wall(b.model("copier"), aisle=0.7, rank=0)
    side = b.wall(b.model("cabinet"), aisle=0.5, rank=1)
    strew(b, side, ("printer", "book", "phone"), 2)
    strew(b, b.wall(b.model("shelf unit"), rank=2), ("book", "bottle"), 2)
    for category in ("box", "box", "trash can", "filing cabinet"):
        if b.chance(0.6):
            b.wall(b.model(category), aisle=0.0, rank=3, prefer=corner)
    ceiling_lights(b)


def storage_room(b: RoomBuilder) -> None:
    pattern = b.model("shelf unit")
    goods = ("bottle", "bowl", "book", "kettle", "radio", "plate", "vase", "toaster", "speaker")
    for _ in range(4):
        strew(b, b.wall(pattern, aisle=0.6, rank=1), goods, 7)
    for category in ("box", "box", "box", "trash can", "cabinet"):
        if b.chance(0.7):
            b.wall(b.model(category), aisle=0.0, rank=3, prefer=corner)
    ceiling_lights(b)


def exam_room(b: RoomBuilder) -> None:
    b.wall(b.model("exam bed"), aisle=0.6, rank=0, prefer=corner)
    desk_set(b)
    b.wall(b.model("washbasin"), aisle=0.5, rank=1)
    side = b.wall(b.model("cabinet", colour="white"), aisle=0.5, rank=2)
    strew(b, side, ("bottle", "tray", "bowl", "phone"), 3)
    b.wall(b.model("chair"), aisle=0.4, rank=2)
    b.wall(b.model("trash can"), aisle=0.0, rank=3, prefer=corner)
    if b.chance(0.4):
        b.wall(b.model("stool"), aisle=0.0, rank=3)
    if b.chance(0.3):
        b.wall(b.model("wheelchair"), aisle=0.3, rank=3)
    if b.chance(0.5):
        b.hang(b.model("wall clock"), 1.85)
    pictures(b, 2)
    ceiling_lights(b)


def lab(b: RoomBuilder) -> None:
    units = kitchen_run(b, longest=3.6)
    for host in units:
        if host.category in ("kitchen counter", "kitchen sink") and b.chance(0.7):
            b.on(b.one_of("bottle", "bowl", "tray", "laptop", "monitor"), host)
    desk_set(b)
    b.wall(b.model("cabinet", colour="white"), aisle=0.5)
    b.wall(b.model("stool"), aisle=0.0, rank=3)
    b.wall(b.model("trash can"), aisle=0.0, rank=3, prefer=corner)
    pictures(b, 1)
    ceiling_lights(b)


def seating_area(b: RoomBuilder) -> None:
    tables = _grid(b, "dining table", 5, 0.75, 0.7, modifier="round", size="small")
    colour = b.one_of(*b.style.accents)
    for table in tables:
        seats_around(b, table, "chair", 4, colour=colour, odd=0.2)
        strew(b, table, ("mug", "plate", "vase", "candle", "bottle", "laptop", "phone"), 3)
    for _ in range(2):
        sofa = b.wall(b.model(b.one_of("sofa", "armchair", "bench")), aisle=0.7, rank=2)
        if sofa is not None:
            low = b.front(b.model("coffee table"), sofa, 0.42)
            strew(b, low, ("mug", "book", "bowl", "candle"), 2)
    if b.chance(0.6):
        bar = b.wall(b.model("counter bar"), aisle=0.9, rank=1, prefer=along_middle)
        if bar is not None:
            for across in (-0.5, 0.5):
                b.front(b.model("stool", modifier="bar"), bar, 0.05, across=across, face=True)
            strew(b, bar, ("mug", "bottle", "tray"), 2)
    strew(b, b.wall(b.model("bookshelf"), rank=2), ("book", "vase"), 2)
    b.wall(b.model("trash can"), aisle=0.0, rank=3, prefer=corner)
    if b.chance(0.4):
        b.wall(b.model("coat rack"), aisle=0.0, rank=3, prefer=corner)
    plants(b, 3)
    if b.chance(0.5):
        b.hang(b.model("wall clock"), 1.9)
    pictures(b, 4)
    _safety(b)
    drop = round(b.plan.height_m - 1.75, 3)
    lamp = b.model("pendant lamp", state="on", drop_m=drop)
    for table in tables:
        b.ceiling(lamp, table.x, table.y)
    ceiling_lights(b)


def counter(b: RoomBuilder) -> None:
    bar = b.wall(b.model("counter bar"), aisle=0.8, rank=0, prefer=along_middle)
    if bar is not None:
        b.on("cash register", bar, rank=1)
        b.on("coffee machine", bar, rank=1)
        strew(b, bar, ("mug", "plate", "tray", "bottle"), 3)
    b.wall(b.model("display fridge"), aisle=0.6, rank=1)
    shelf = b.wall(b.model("shelf unit"), rank=2)
    strew(b, shelf, ("bottle", "mug", "bowl", "plate"), 3)
    b.wall(b.model("trash can"), aisle=0.0, rank=3, prefer=corner)
    pictures(b, 1)
    ceiling_lights(b)


def cafe_kitchen(b: RoomBuilder) -> None:
    units = kitchen_run(b)
    hosts = [u for u in units if u.category in ("kitchen counter", "dishwasher")]
    for k, want in enumerate(("microwave", "plate", "bowl", "toaster", "kettle", "tray")):
        if hosts and b.chance(0.7):
            b.on(want, hosts[k % len(hosts)], turn=0.0)
    strew(b, b.wall(b.model("shelf unit"), rank=2), ("bottle", "plate", "bowl"), 3)
    b.wall(b.model("trash can"), aisle=0.0, prefer=corner)
    _safety(b)
    ceiling_lights(b)


def _gondolas(b: RoomBuilder, pattern: ObjectModel | None, goods: tuple[str, ...]) -> None:
    """Shop shelves that stand back to back, free in the room, with aisles on both sides."""
    if pattern is None:
        return
    depth, width, height = pattern.size
    found: list[Placed] = []
    for _ in range(7):

        def spread(spot: Spot) -> float:
            return 0.4 * min([*(math.hypot(spot.x - t.x, spot.y - t.y) for t in found), 2.4])

        spot = b.island_spot((2 * depth + 0.04, width, height), 0.85, 0.7, prefer=spread)
        if spot is None:
            return
        c, s = math.cos(spot.yaw), math.sin(spot.yaw)
        for side in (1, -1):
            out = side * (depth / 2 + 0.02)
            yaw = spot.yaw if side > 0 else spot.yaw + math.pi
            shelf = b.at(pattern, spot.x + c * out, spot.y + s * out, yaw, rank=1)
            if shelf is not None:
                found.append(shelf)
                strew(b, shelf, goods, 3)


def sales_area(b: RoomBuilder) -> None:
    desk = b.wall(b.model("reception desk"), aisle=0.8, rank=0, gap=0.9, prefer=corner)
    if desk is not None:
        b.on("cash register", desk, rank=1)
        strew(b, desk, ("phone", "book", "tray"), 2)
    goods = (
        "vase",
        "bottle",
        "book",
        "teddy bear",
        "bowl",
        "mug",
        "radio",
        "clock",
        "plate",
        "speaker",
    )
    pattern = b.model("display shelf")
    _gondolas(b, pattern, goods)
    for _ in range(9):
        strew(b, b.wall(pattern, aisle=0.8, rank=2), goods, 4)
    for _ in range(2):
        if b.chance(0.6):
            b.wall(b.model("display fridge"), aisle=0.8, rank=2)
    for category in ("basket", "mirror", "stool", "box", "trash can"):
        if b.chance(0.6):
            if category == "mirror":
                b.hang(b.model("mirror"), 0.9)
            else:
                b.wall(b.model(category), aisle=0.0, rank=3, prefer=corner)
    plants(b, 2)
    _safety(b)
    pictures(b, 3)
    ceiling_lights(b)


def fitting_room(b: RoomBuilder) -> None:
    b.hang(b.model("mirror"), 0.6, prefer=along_middle)
    b.wall(b.model("stool"), aisle=0.3, rank=1)
    b.wall(b.model("coat rack"), aisle=0.0, rank=2, prefer=corner)
    b.wall(b.model("bench"), aisle=0.4, rank=2)
    x, y = middle(b)
    b.rug(b.model("rug"), x, y, 0.0)
    pictures(b, 1)
    ceiling_lights(b)


COMMERCIAL_RECIPES: Mapping[str, Callable[[RoomBuilder], None]] = {
    "reception": reception,
    "waiting room": waiting_room,
    "corridor": corridor,
    "hallway": hallway,
    "open office": open_office,
    "meeting room": meeting_room,
    "private office": private_office,
    "office": private_office,
    "kitchenette": kitchenette,
    "restroom": restroom,
    "copy room": copy_room,
    "storage room": storage_room,
    "exam room": exam_room,
    "lab": lab,
    "seating area": seating_area,
    "counter": counter,
    "kitchen": cafe_kitchen,
    "sales area": sales_area,
    "fitting room": fitting_room,
}
