"""Wardrobes, dressers, cabinets and shelves. Doors and drawers are on the +x side."""

from __future__ import annotations

from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import WOOD_COLOURS, books, doors, drawers, legs
from navproof.world.scene import Material

__all__: list[str] = []


def _carcass(kit: Kit, sx: float, sy: float, z0: float, z1: float, top: float = 0.02) -> None:
    """A closed case with a slightly wider top; the front is left to doors and drawers."""
    kit.b.box(-0.01, 0, z0, sx - 0.02, sy, z1 - z0 - top, skip=("+z", "-z"))
    kit.b.box(0, 0, z1 - top, sx + 0.01, sy + 0.02, top, bevel=0.005)


def _knob(kit: Kit) -> Material:
    return kit.steel() if kit.word("colour") in ("black", "brown", "white", "beige") else kit.dark()


@category(
    "nightstand",
    "nightstands",
    "storage",
    colour=(*WOOD_COLOURS, "blue", "pink"),
    material=("wood",),
    drawers=(1, 2, 3),
)
def nightstand(kit: Kit) -> None:
    b, n = kit.b, kit.count("drawers")
    sx, sy, h = kit.u(0.38, 0.44), kit.u(0.42, 0.52), kit.u(0.48, 0.60)
    foot = 0.12
    b.use(kit.main)
    legs(kit, sx - 0.02, sy, foot, 0.035)
    space = h - foot - 0.03
    used = space if n > 1 else space * 0.5
    if n == 1:
        z = foot
        b.box(-0.01, 0, z, sx - 0.03, sy, 0.02)
        for s in (-1, 1):
            b.box(-0.01, s * (sy / 2 - 0.01), z, sx - 0.03, 0.02, space, skip=("+z",))
        b.box(-sx / 2 + 0.02, 0, z, 0.015, sy - 0.02, space, skip=("+z",))
        b.box(-0.01, 0, h - used - 0.03, sx - 0.04, sy - 0.03, used, skip=("+z",))
        kit.stand(0, 0, z + 0.02, sx * 0.7, sy * 0.75, used * 0.85)
        b.box(0, 0, h - 0.02, sx + 0.01, sy + 0.02, 0.02, bevel=0.005)
    else:
        _carcass(kit, sx, sy, foot, h)
    drawers(
        kit,
        kit.main,
        _knob(kit),
        sx / 2 - 0.02,
        0,
        h - used - 0.025,
        sy - 0.03,
        used,
        n,
        style="knob",
    )
    kit.stand(0, 0, h, sx * 0.85, sy * 0.88, 0.8)


@category(
    "dresser",
    "dressers",
    "storage",
    colour=(*WOOD_COLOURS, "blue", "green", "pink"),
    material=("wood",),
    drawers=(3, 4, 6, 8),
)
def dresser(kit: Kit) -> None:
    b, n = kit.b, kit.count("drawers")
    columns = 1 if n <= 4 else 2
    rows = n // columns
    sx, sy, h = (
        kit.u(0.44, 0.50),
        kit.u(0.80, 0.95) * (1.0 if columns == 1 else 1.5),
        0.16 + 0.2 * rows,
    )
    b.use(kit.main)
    legs(kit, sx - 0.02, sy, 0.1, 0.05)
    _carcass(kit, sx, sy, 0.1, h)
    drawers(
        kit,
        kit.main,
        _knob(kit),
        sx / 2 - 0.02,
        0,
        0.12,
        sy - 0.05,
        h - 0.15,
        rows,
        columns,
        style=kit.one_of("knob", "bar"),
    )
    kit.stand(0, 0, h, sx * 0.85, sy * 0.92, 0.9)


@category(
    "wardrobe",
    "wardrobes",
    "storage",
    colour=(*WOOD_COLOURS, "blue", "green"),
    material=("wood",),
    doors=(1, 2, 2, 3, 4),
    state=("closed", "closed", "ajar"),
)
def wardrobe(kit: Kit) -> None:
    b, n = kit.b, kit.count("doors")
    sx, sy, h = (
        kit.u(0.56, 0.62),
        n * kit.u(0.46, 0.52) + (0.2 if n == 1 else 0.0),
        kit.u(1.95, 2.15),
    )
    b.use(kit.main)
    b.box(0, 0, 0, sx - 0.06, sy - 0.02, 0.08, skip=("+z", "-z"))
    _carcass(kit, sx, sy, 0.08, h, 0.04)
    ajar = kit.u(0.7, 1.0) if kit.word("state") == "ajar" else 0.0
    if ajar:
        w = (sy - 0.04) / n
        y = -sy / 2 + 0.02 + w / 2
        x = sx / 2 - 0.02
        b.use(kit.steel()).tube(
            [(x - 0.02, y - w / 2, h - 0.25), (x - 0.02, y + w / 2, h - 0.25)], 0.012, 5
        )
        for i in range(4):
            b.use(kit.paint(("red", "blue", "white", "grey")[i], "fabric"))
            b.box(
                x + 0.006,
                y - w / 2 + (i + 0.6) * w / 4.4,
                h - 1.05,
                0.008,
                w / 5.5,
                0.78,
                skip=("-x",),
            )
    doors(
        kit,
        kit.main,
        _knob(kit),
        sx / 2 - 0.02,
        0,
        0.09,
        sy - 0.04,
        h - 0.14,
        n,
        panelled=kit.rng.random() < 0.6,
        ajar=ajar,
    )


@category(
    "cabinet",
    "cabinets",
    "storage",
    colour=(*WOOD_COLOURS, "blue", "green", "red", "turquoise"),
    material=("wood", "wood", "wood", "metal"),
    doors=(1, 2, 2, 3),
    state=("closed", "closed", "ajar"),
)
def cabinet(kit: Kit) -> None:
    b, n = kit.b, kit.count("doors")
    sx, sy, h = kit.u(0.38, 0.46), n * kit.u(0.42, 0.5) + (0.1 if n == 1 else 0), kit.u(0.78, 1.1)
    b.use(kit.main)
    legs(kit, sx - 0.02, sy, 0.09, 0.05)
    _carcass(kit, sx, sy, 0.09, h)
    ajar = kit.u(0.7, 1.0) if kit.word("state") == "ajar" else 0.0
    doors(
        kit,
        kit.main,
        _knob(kit),
        sx / 2 - 0.02,
        0,
        0.10,
        sy - 0.04,
        h - 0.13,
        n,
        style="knob",
        panelled=True,
        ajar=ajar,
    )
    kit.stand(0, 0, h, sx * 0.85, sy * 0.9, 0.8)


@category(
    "tv stand",
    "tv stands",
    "storage",
    colour=WOOD_COLOURS,
    material=("wood",),
    drawers=(0, 1, 2),
    doors=(0, 2),
)
def tv_stand(kit: Kit) -> None:
    b, nd, no = kit.b, kit.count("drawers"), kit.count("doors")
    sx, sy, h = kit.u(0.38, 0.44), kit.u(1.2, 1.7), kit.u(0.45, 0.55)
    foot = 0.1
    b.use(kit.main)
    legs(kit, sx, sy, foot, 0.045, 0.03)
    b.box(0, 0, foot, sx, sy, 0.025)
    b.box(0, 0, h - 0.025, sx, sy, 0.025, bevel=0.005)
    b.box(-sx / 2 + 0.01, 0, foot + 0.02, 0.012, sy - 0.02, h - foot - 0.04, skip=("+z", "-z"))
    side = sy * 0.3
    for y in (-sy / 2 + 0.01, -sy / 2 + side, sy / 2 - side, sy / 2 - 0.01):
        b.box(0, y, foot + 0.02, sx - 0.01, 0.02, h - foot - 0.045, skip=("+z", "-z"))
    z0, high = foot + 0.025, h - foot - 0.05
    if no:
        for s in (-1, 1):
            doors(
                kit,
                kit.main,
                _knob(kit),
                sx / 2 - 0.012,
                s * (sy / 2 - side / 2),
                z0,
                side - 0.03,
                high,
                1,
                style="knob",
            )
    middle = sy - 2 * side - 0.03
    if nd:
        b.use(kit.main).box(-0.01, 0, z0, sx - 0.03, middle, high * 0.5)
        drawers(kit, kit.main, _knob(kit), sx / 2 - 0.02, 0, z0, middle, high * 0.5, 1, nd)
        kit.stand(0, 0, z0 + high * 0.5, sx * 0.7, middle * 0.8, high * 0.45)
    else:
        b.use(kit.main).box(0, 0, z0 + high * 0.5, sx - 0.04, middle, 0.016)
    kit.stand(0, 0, h, sx * 0.9, sy * 0.94, 1.0)


@category(
    "bookshelf",
    "bookshelves",
    "storage",
    colour=WOOD_COLOURS,
    material=("wood",),
    shelves=(3, 4, 5),
)
def bookshelf(kit: Kit) -> None:
    b, n = kit.b, kit.count("shelves")
    sx, sy, pitch = kit.u(0.28, 0.32), kit.u(0.75, 0.95), kit.u(0.34, 0.38)
    h = 0.08 + n * pitch + 0.02
    look = kit.main
    b.use(look)
    for s in (-1, 1):
        b.box(0, s * (sy / 2 - 0.0125), 0, sx, 0.025, h)
    b.box(-sx / 2 + 0.006, 0, 0.06, 0.012, sy - 0.04, h - 0.07, skip=("+z", "-z", "-x"))
    b.box(0, 0, h - 0.022, sx, sy - 0.05, 0.022, skip=("+y", "-y"))
    b.box(sx / 2 - 0.02, 0, 0, 0.02, sy - 0.05, 0.06, skip=("+y", "-y", "-z"))
    for i in range(n):
        z = 0.06 + i * pitch
        b.use(look).box(0.003, 0, z, sx - 0.006, sy - 0.05, 0.02, skip=("+y", "-y"))
        top = z + 0.02
        room = pitch - 0.04
        inner = sy - 0.06
        full = kit.rng.random()
        span = inner * (0.95 if full < 0.45 else kit.u(0.4, 0.65))
        left = kit.rng.random() < 0.5
        y0 = -inner / 2 if left else inner / 2 - span
        books(kit, 0.0, y0, y0 + span, top, sx * 0.72, room * 0.86, 2)
        free = inner - span
        if free > 0.18:
            kit.stand(
                0.0,
                (y0 + span + inner / 2) / 2 if left else (-inner / 2 + y0) / 2,
                top,
                sx * 0.75,
                free * 0.85,
                room,
            )
    kit.stand(0, 0, h, sx * 0.8, sy * 0.85, 0.4)


@category(
    "shelf unit",
    "shelf units",
    "storage",
    colour=("grey", "black", "white", "brown", "beige", "red", "blue"),
    material=("metal", "wood"),
    shelves=(3, 4, 5),
)
def shelf_unit(kit: Kit) -> None:
    b, n = kit.b, kit.count("shelves")
    sx, sy, h = kit.u(0.36, 0.46), kit.u(0.8, 1.1), 0.12 + n * kit.u(0.34, 0.40)
    b.use(kit.main)
    legs(kit, sx, sy, h, 0.035)
    for i in range(n):
        z = 0.12 + i * (h - 0.15) / max(1, n - 1)
        b.use(kit.main).box(0, 0, z, sx - 0.01, sy - 0.01, 0.025)
        gap = (h - 0.15) / (n - 1) - 0.06 if i < n - 1 else 0.5
        kit.stand(0, 0, z + 0.025, sx * 0.8, sy * 0.8, gap)
    for s in (-1, 1):
        y = s * (sy / 2 - 0.015)
        b.tube([(-sx / 2 + 0.02, y, 0.15), (sx / 2 - 0.02, y, h - 0.08)], 0.007, 4, caps=False)


@category(
    "filing cabinet",
    "filing cabinets",
    "commercial",
    colour=("grey", "grey", "black", "white", "green", "blue", "red"),
    material=("metal",),
    drawers=(2, 3, 4),
)
def filing_cabinet(kit: Kit) -> None:
    b, n = kit.b, kit.count("drawers")
    sx, sy, h = kit.u(0.52, 0.60), kit.u(0.40, 0.46), 0.06 + n * 0.31
    b.use(kit.main).box(-0.01, 0, 0, sx - 0.02, sy, h, bevel=0.006)
    drawers(kit, kit.main, kit.dark(), sx / 2 - 0.02, 0, 0.05, sy - 0.02, h - 0.07, n)
    b.use(Material("paper", (0.9, 0.9, 0.86)))
    for i in range(n):
        b.panel(sx / 2 + 0.0, 0, 0.05 + (i + 0.74) * (h - 0.07) / n, 0.1, 0.035, image=False)
    kit.stand(0, 0, h, sx * 0.8, sy * 0.8, 0.8)


@category(
    "display shelf",
    "display shelves",
    "commercial",
    colour=("white", "grey", "black", "brown", "red", "blue", "yellow"),
    material=("metal", "wood"),
    shelves=(3, 4, 5),
)
def display_shelf(kit: Kit) -> None:
    b, n = kit.b, kit.count("shelves")
    sx, sy, h = kit.u(0.42, 0.5), kit.u(1.0, 1.3), kit.u(1.5, 1.75)
    b.use(kit.main)
    b.box(-sx / 2 + 0.015, 0, 0, 0.03, sy, h)
    b.box(0, 0, 0, sx, sy, 0.12)
    for i in range(n):
        z = 0.12 + i * (h - 0.2) / n
        if i:
            b.use(kit.main).box(-0.01, 0, z - 0.02, sx - 0.02 - 0.02 * i, sy - 0.02, 0.02)
        b.use(Material("plain", (0.85, 0.78, 0.25))).panel(
            sx / 2 - 0.018 - 0.01 * i, 0, z - 0.032, sy - 0.04, 0.03, image=False
        )
        room = (h - 0.2) / n - 0.05
        deep = sx * 0.5
        count, y = 4, -sy / 2 + 0.04
        step = (sy - 0.08) / count
        for _ in range(count):
            colour = kit.one_of(
                "red", "yellow", "blue", "green", "orange", "white", "pink", "purple"
            )
            tall = room * kit.u(0.5, 0.85)
            b.use(kit.paint(colour, "cardboard"))
            b.box(-0.04, y + step / 2, z, deep, step * 0.82, tall, skip=("-z", "-x"))
            b.use(Material("plain", (0.9, 0.9, 0.88))).panel(
                -0.04 + deep / 2 + 0.002,
                y + step / 2,
                z + tall * 0.35,
                step * 0.5,
                tall * 0.3,
                image=False,
            )
            y += step
    b.use(kit.main)
    for s in (-1, 1):
        b.box(-0.1, s * (sy / 2 - 0.01), 0.12, sx - 0.2, 0.02, h - 0.2)
    kit.stand(-0.05, 0, h - 0.08, 0.0, 0.0, 0.3)


@category(
    "coat rack",
    "coat racks",
    "storage",
    colour=("brown", "black", "white", "beige", "grey"),
    material=("wood", "metal"),
)
def coat_rack(kit: Kit) -> None:
    import math

    b, h = kit.b, kit.u(1.68, 1.82)
    b.use(kit.main)
    b.tube([(0, 0, 0.08), (0, 0, h)], 0.022, 8)
    b.sphere(0, 0, h + 0.02, 0.03, 0.03, 0.03, 8, 4)
    for i in range(4):
        a = i * math.pi / 2 + 0.4
        c, s = math.cos(a), math.sin(a)
        b.tube([(0.24 * c, 0.24 * s, 0.015), (0.12 * c, 0.12 * s, 0.08), (0, 0, 0.2)], 0.016, 5)
        b.tube(
            [(0, 0, h - 0.16), (0.10 * c, 0.10 * s, h - 0.12), (0.15 * c, 0.15 * s, h - 0.02)],
            0.011,
            5,
        )
    if kit.rng.random() < 0.75:
        a = 0.4
        b.use(kit.paint(kit.one_of("blue", "red", "green", "grey", "beige"), "fabric"))
        with b.at(0.15 * math.cos(a), 0.15 * math.sin(a), h - 0.06, yaw=a):
            b.loft(
                [(math.cos(t * math.pi / 5), math.sin(t * math.pi / 5)) for t in range(10)],
                [
                    (0, 0, -0.92, 0, 0),
                    (0.09, 0.21, -0.92, 0, 0),
                    (0.08, 0.19, -0.5, 0, 0),
                    (0.07, 0.17, -0.16, 0, 0),
                    (0.03, 0.05, 0.0, 0, 0),
                    (0, 0, 0.01, 0, 0),
                ],
            )
    if kit.rng.random() < 0.5:
        a = 0.4 + math.pi
        b.use(kit.dark())
        with b.at(0.15 * math.cos(a), 0.15 * math.sin(a), h - 0.03):
            b.lathe(
                [(0, -0.06), (0.16, -0.06), (0.16, -0.05), (0.09, -0.04), (0.08, 0.05), (0, 0.06)],
                12,
            )
