"""What stands in the rooms of a home."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from navproof.world.furnish.builder import RoomBuilder
from navproof.world.furnish.groups import (
    along_middle,
    bed_set,
    ceiling_lights,
    corner,
    curtains,
    desk_set,
    near,
    pictures,
    plants,
    radiators,
    seats_around,
    shelf_on_wall,
    sitting_group,
)
from navproof.world.furnish.kitchen import kitchen_run
from navproof.world.furnish.placed import Placed

__all__ = ["HOME_RECIPES", "middle", "strew"]

_TABLE_THINGS = ("bowl", "vase", "candle", "plate", "mug", "bottle", "potted plant", "book")
_SHELF_THINGS = (
    "book",
    "vase",
    "clock",
    "candle",
    "potted plant",
    "teddy bear",
    "radio",
    "bowl",
    "speaker",
)


def middle(b: RoomBuilder) -> tuple[float, float]:
    xs = [p[0] for p in b.room.polygon]
    ys = [p[1] for p in b.room.polygon]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def strew(b: RoomBuilder, host: Placed | None, things: tuple[str, ...], most: int) -> None:
    """Up to ``most`` small things on a piece of furniture."""
    if host is None:
        return
    for _ in range(int(b.rng.integers(1, most + 1))):
        b.on(b.one_of(*things), host)


def _eats_in(b: RoomBuilder) -> str:
    """The type of the room that the dining table belongs in."""
    for room in b.plan.rooms:
        if room.type == "dining room" or (room.type == "kitchen" and room.area_m2 > 10):
            return room.type
    return "living room"


def living_room(b: RoomBuilder) -> None:
    if not any(r.type == "kitchen" for r in b.plan.rooms):
        stock_kitchen(b, kitchen_run(b, longest=3.4, walls=1))
    sitting_group(b)
    if _eats_in(b) == "living room":
        dining_table(b, most=4)
    if b.chance(0.7):
        strew(b, b.wall(b.model("bookshelf", colour=b.style.wood), rank=2), _SHELF_THINGS, 3)
    if b.chance(0.2):
        b.wall(b.model("fireplace"), aisle=0.8, rank=2, prefer=along_middle)
    if b.chance(0.18):
        b.wall(b.model("piano"), aisle=0.8, rank=2)
    if b.chance(0.6):
        b.wall(b.model("floor lamp"), aisle=0.0, prefer=corner, gap=0.08)
    if b.chance(0.4):
        strew(b, b.wall(b.model("cabinet", colour=b.style.wood), rank=2), _SHELF_THINGS, 3)
    if b.chance(0.2):
        b.wall(b.model("pet bed"), aisle=0.0, rank=3, prefer=corner)
    if b.chance(0.25):
        b.wall(b.model("basket"), aisle=0.0, rank=3)
    if b.chance(0.2):
        b.wall(b.model("ottoman", colour=b.one_of(*b.style.accents)), aisle=0.0, rank=3)
    plants(b, 1 + int(b.chance(0.5)))
    curtains(b, 0.9)
    radiators(b)
    if b.chance(0.35):
        b.hang(b.model("wall clock"), 1.8, prefer=along_middle)
    pictures(b, 1 + int(b.rng.integers(0, 3)))
    if b.chance(0.15):
        b.hang(b.model("air conditioner"), b.plan.height_m - 0.45, prefer=along_middle)
    ceiling_lights(b, "ceiling fan" if b.chance(0.15) else "ceiling light")


def dining_table(b: RoomBuilder, most: int = 6) -> Placed | None:
    """A table with chairs round it, wherever there is room."""
    x, y = middle(b)
    area = b.room.area_m2 if b.room.type == "dining room" else 0.55 * b.room.area_m2
    first = 0 if area > 15 else 1 if area > 9 else 2
    table = None
    for size in ("large", "medium", "small")[first:]:
        model = b.model("dining table", colour=b.style.wood, size=size)
        table = b.island(model, 0.75, prefer=near(x, y, 0.15), rank=0, aside=0.7)
        if table is None and size == "small":
            table = b.island(model, 0.65, prefer=near(x, y, 0.15), rank=1, aside=0.4)
        if table is None and size == "small":
            table = b.wall(model, aisle=0.7, side=0.4, rank=1, prefer=along_middle)
        if table is not None:
            break
    if table is None:
        return None
    colour = b.style.wood if b.chance(0.5) else b.one_of(*b.style.accents)
    seats_around(b, table, "chair", most, colour=colour, odd=0.25)
    strew(b, table, _TABLE_THINGS, 4)
    return table


def dining_room(b: RoomBuilder) -> None:
    table = dining_table(b)
    if table is not None and b.chance(0.75):
        drop = round(b.plan.height_m - 1.8, 3)
        b.ceiling(b.model("pendant lamp", state="on", drop_m=drop), table.x, table.y)
    else:
        ceiling_lights(b)
    if table is not None and b.chance(0.4):
        b.rug(b.model("rug"), table.x, table.y, table.yaw)
    if b.chance(0.7):
        side = b.wall(b.model("cabinet", colour=b.style.wood), rank=2, prefer=along_middle)
        strew(b, side, ("vase", "bowl", "plate", "candle", "bottle", "radio", "tray"), 4)
    if b.chance(0.3):
        b.wall(b.model("high chair"), rank=3)
    plants(b, int(b.chance(0.7)))
    curtains(b)
    radiators(b)
    pictures(b, 2)
    if b.chance(0.3):
        b.hang(b.model("wall clock"), 1.8)


def stock_kitchen(b: RoomBuilder, units: list[Placed]) -> None:
    """Appliances and dishes on the counters."""
    counters = [u for u in units if u.category in ("kitchen counter", "dishwasher", "kitchen sink")]
    wants = [
        "kettle",
        "toaster",
        "coffee machine",
        "microwave",
        "bottle",
        "bowl",
        "mug",
        "plate",
        "tray",
    ]
    wants = [w for w in wants if b.chance(0.55)]
    for k, want in enumerate(wants):
        if counters:
            host = counters[k % len(counters)]
            b.on(
                want,
                host,
                u=-0.5 if want in ("microwave", "coffee machine", "toaster") else None,
                turn=0.0,
            )


def kitchen(b: RoomBuilder) -> None:
    units = kitchen_run(b)
    if _eats_in(b) == "kitchen":
        dining_table(b, most=4)
    elif b.room.area_m2 > 12 and b.chance(0.6):
        x, y = middle(b)
        island = b.island(b.model("kitchen island"), 0.9, prefer=near(x, y), rank=1)
        if island is not None:
            seats_around(b, island, "stool", 2, ends=False, tuck=0.05)
            strew(b, island, ("bowl", "bottle", "plate", "tray", "vase"), 3)
    stock_kitchen(b, units)
    if b.chance(0.7):
        b.wall(b.model("trash can"), aisle=0.0, prefer=corner)
    if b.chance(0.25):
        b.wall(b.model("shelf unit"), rank=3)
    if b.chance(0.4):
        b.hang(b.model("wall clock"), 1.85)
    if b.chance(0.2):
        b.hang(b.model("towel"), 1.0)
    plants(b, int(b.chance(0.3)))
    curtains(b, 0.4)
    pictures(b, int(b.chance(0.5)))
    ceiling_lights(b)


def bedroom(b: RoomBuilder) -> None:
    bed_set(b, single=b.room.area_m2 < 9.5)
    wardrobe = b.model("wardrobe", colour=b.style.wood)
    b.wall(wardrobe, aisle=0.6, rank=1, prefer=corner)
    if b.chance(0.65):
        dresser = b.wall(
            b.model("dresser", colour=b.style.wood), aisle=0.6, rank=2, prefer=along_middle
        )
        if dresser is not None:
            if b.chance(0.5):
                b.hang(b.model("mirror"), 1.05, over=dresser)
            strew(
                b,
                dresser,
                ("vase", "candle", "clock", "book", "radio", "potted plant", "teddy bear"),
                3,
            )
    if b.chance(0.4) and b.room.area_m2 > 11:
        desk_set(b, seat=b.one_of("chair", "office chair"), rank=2)
    if b.chance(0.3):
        b.wall(b.model("armchair", colour=b.one_of(*b.style.accents)), aisle=0.4)
    if b.chance(0.3):
        strew(b, b.wall(b.model("bookshelf", colour=b.style.wood), rank=2), _SHELF_THINGS, 3)
    if b.chance(0.12):
        b.wall(b.model("crib"), aisle=0.5)
    if b.chance(0.25):
        b.wall(b.model(b.one_of("suitcase", "backpack", "basket", "box")), aisle=0.0, rank=3)
    if b.chance(0.3):
        b.wall(b.model("floor lamp"), aisle=0.0, prefer=corner, gap=0.08)
    plants(b, int(b.chance(0.5)))
    curtains(b, 0.95)
    radiators(b)
    if b.chance(0.3):
        shelf_on_wall(b)
    pictures(b, 1 + int(b.chance(0.5)))
    ceiling_lights(b)


def bathroom(b: RoomBuilder) -> None:
    glaze = b.glaze()
    seat = b.model("toilet", colour=glaze)
    if b.wall(seat, aisle=0.55, rank=0, prefer=corner, side=0.1) is None:
        b.wall(seat, aisle=0.4, rank=0, prefer=corner)
    bowl = b.model("washbasin", colour=glaze)
    basin = b.wall(bowl, aisle=0.6, rank=0, prefer=along_middle)
    if basin is None:
        basin = b.wall(bowl, aisle=0.4, rank=0)
    bath = None
    if b.room.area_m2 > 5.2 and b.chance(0.7):
        bath = b.wall(b.model("bathtub", colour=glaze), aisle=0.5, rank=1, prefer=corner)
    if bath is None or b.room.area_m2 > 8:
        b.wall(b.model("shower"), aisle=0.5, rank=1, prefer=corner)
    if basin is not None:
        b.hang(b.model("mirror"), 1.1, over=basin)
        strew(b, basin, ("bottle", "mug", "candle", "potted plant"), 2)
    if b.chance(0.35):
        b.wall(b.model("washing machine"), aisle=0.5, rank=2)
    if b.chance(0.4):
        strew(
            b,
            b.wall(b.model("cabinet", colour="white", size="small"), rank=2),
            ("bottle", "potted plant", "radio", "candle"),
            2,
        )
    for category, p in (("basket", 0.45), ("trash can", 0.5), ("stool", 0.25)):
        if b.chance(p):
            b.wall(b.model(category), aisle=0.0, rank=3, prefer=corner)
    for _ in range(1 + int(b.chance(0.5))):
        b.hang(b.model("towel"), 1.0)
    rug = b.model("rug", size="small")
    if basin is not None and rug is not None and b.chance(0.6):
        x, y = basin.world(basin.model.size[0] / 2 + rug.size[0] / 2 + 0.05, 0.0)
        b.rug(rug, x, y, basin.yaw)
    ceiling_lights(b)


def study(b: RoomBuilder) -> None:
    desk_set(b, prefer=along_middle)
    for _ in range(1 + int(b.chance(0.5))):
        strew(b, b.wall(b.model("bookshelf", colour=b.style.wood), rank=2), _SHELF_THINGS, 3)
    if b.chance(0.4):
        strew(b, b.wall(b.model("filing cabinet"), rank=2), ("printer", "book", "potted plant"), 1)
    if b.chance(0.5):
        b.wall(b.model("armchair", colour=b.one_of(*b.style.fabrics)), aisle=0.4)
    if b.chance(0.25):
        b.wall(b.model(b.one_of("exercise bike", "piano", "sofa")), aisle=0.5)
    if b.chance(0.4):
        b.wall(b.model("floor lamp"), aisle=0.0, prefer=corner, gap=0.08)
    if b.chance(0.5):
        b.wall(b.model("trash can"), aisle=0.0, prefer=corner, rank=3)
    if b.chance(0.2):
        b.hang(b.model("whiteboard"), 1.0)
    if b.chance(0.5):
        x, y = middle(b)
        b.rug(b.model("rug"), x, y, 0.0)
    plants(b, 1)
    curtains(b)
    radiators(b)
    pictures(b, 2)
    if b.chance(0.5):
        shelf_on_wall(b)
    ceiling_lights(b)


def laundry_room(b: RoomBuilder) -> None:
    first = b.wall(b.model("washing machine"), aisle=0.6, rank=0)
    if first is not None and b.chance(0.5):
        b.beside(b.model("washing machine"), first, 1, gap=0.03)
    b.wall(b.model("kitchen sink", length_m=0.8), aisle=0.6, rank=1)
    strew(b, b.wall(b.model("shelf unit"), rank=2), ("bottle", "bowl", "radio"), 2)
    for category in ("basket", "basket", "box", "trash can"):
        if b.chance(0.6):
            b.wall(b.model(category), aisle=0.0, rank=3, prefer=corner)
    b.hang(b.model("towel"), 1.0)
    ceiling_lights(b)


def playroom(b: RoomBuilder) -> None:
    x, y = middle(b)
    b.rug(b.model("rug"), x, y, 0.0)
    shelf = b.wall(b.model("shelf unit"), rank=1)
    strew(b, shelf, ("teddy bear", "book", "radio"), 3)
    desk_set(b, seat="chair")
    if b.chance(0.4):
        b.wall(b.model("crib"), aisle=0.5)
    if b.chance(0.4):
        b.wall(b.model("piano"), aisle=0.7)
    for category in ("box", "basket", "ottoman", "pet bed"):
        if b.chance(0.5):
            b.wall(b.model(category), aisle=0.0, rank=3, prefer=corner)
    strew(b, b.wall(b.model("dresser"), rank=2), ("teddy bear", "clock", "table lamp"), 2)
    curtains(b)
    radiators(b)
    pictures(b, 3)
    ceiling_lights(b)


def hallway(b: RoomBuilder) -> None:
    if b.chance(0.7):
        b.wall(b.model("coat rack"), aisle=0.0, rank=3, prefer=corner)
    if b.chance(0.6):
        stand = b.wall(
            b.model(b.one_of("side table", "cabinet", "bench"), size="small"), aisle=0.7, rank=3
        )
        if stand is not None:
            strew(b, stand, ("vase", "phone", "candle", "clock", "table lamp", "bowl"), 2)
            if b.chance(0.5):
                b.hang(b.model("mirror"), 1.1, over=stand)
    for category, p in (("backpack", 0.2), ("suitcase", 0.12), ("bicycle", 0.08), ("plant", 0.3)):
        if b.chance(p):
            b.wall(b.model(category), aisle=0.7, rank=3, prefer=corner)
    pictures(b, 1 + int(b.rng.integers(0, 3)))
    ceiling_lights(b)


def storage_room(b: RoomBuilder) -> None:
    for _ in range(2):
        strew(b, b.wall(b.model("shelf unit"), rank=1), ("bottle", "book", "bowl", "radio"), 3)
    for category in ("box", "box", "suitcase", "bicycle", "basket", "cabinet"):
        if b.chance(0.6):
            b.wall(
                b.model(category),
                aisle=0.3 if category == "cabinet" else 0.0,
                rank=3,
                prefer=corner,
            )
    ceiling_lights(b)


HOME_RECIPES: Mapping[str, Callable[[RoomBuilder], None]] = {
    "living room": living_room,
    "dining room": dining_room,
    "kitchen": kitchen,
    "bedroom": bedroom,
    "bathroom": bathroom,
    "study": study,
    "laundry room": laundry_room,
    "playroom": playroom,
    "hallway": hallway,
    "storage room": storage_room,
}
