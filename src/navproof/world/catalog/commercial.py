"""Furniture of shops, offices and clinics, and fixtures on walls. The front is +x."""

from __future__ import annotations

import math

from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import drawers
from navproof.world.meshing import circle
from navproof.world.scene import Material

__all__: list[str] = []


@category(
    "radiator",
    "radiators",
    "fixture",
    colour=("white", "white", "grey", "black"),
    material=("metal",),
    lengths={"length_m": (0.4, 2.5)},
)
def radiator(kit: Kit) -> None:
    b = kit.b
    w, h = kit.length("length_m", 0.7, 1.1), kit.u(0.52, 0.60)
    n = max(4, round(w / 0.085))
    b.use(kit.main)
    for i in range(n):
        b.box(
            0,
            -w / 2 + (i + 0.5) * w / n,
            0.10,
            0.10,
            w / n * 0.72,
            h,
            bevel=0.018 if n < 14 else 0.0,
        )
    for z in (0.15, h + 0.02):
        b.box(0, 0, z, 0.045, w, 0.045)
    b.use(kit.steel()).tube(
        [(0, w / 2 - 0.01, 0.17), (0, w / 2 + 0.05, 0.17), (0, w / 2 + 0.05, 0.0)], 0.012, 6
    )
    b.use(Material("plain", (0.85, 0.85, 0.85))).cylinder(0, w / 2 + 0.05, 0.17, 0.024, 0.07, 8)
    b.use(kit.main)
    for s in (-1, 1):
        b.box(0, s * (w / 2 - 0.08), 0, 0.04, 0.04, 0.10, skip=("+z",))


@category(
    "partition",
    "partitions",
    "commercial",
    colour=("grey", "grey", "blue", "green", "beige", "red", "white"),
    material=("fabric",),
    panels=(1, 2, 3),
    lengths={"length_m": (0.6, 6.0)},
)
def partition(kit: Kit) -> None:
    b, n = kit.b, kit.count("panels")
    h = kit.u(1.3, 1.6)
    w = kit.length("length_m", 0.95 * n, 1.15 * n)
    each = w / n
    for i in range(n):
        y = -w / 2 + (i + 0.5) * each
        b.use(kit.main).box(0, y, 0.12, 0.045, each - 0.04, h - 0.15)
        b.use(kit.steel())
        for s in (-1, 1):
            b.box(0, y + s * (each / 2 - 0.01), 0.02, 0.05, 0.02, h - 0.02)
        b.box(0, y, h - 0.03, 0.05, each, 0.03)
        b.box(0, y, 0.10, 0.05, each - 0.04, 0.02)
    for y in (-w / 2 + 0.02, w / 2 - 0.02):
        b.box(0, y, 0, 0.40, 0.04, 0.025)


@category(
    "water cooler",
    "water coolers",
    "commercial",
    colour=("white", "white", "grey", "black", "blue"),
    material=("plastic",),
)
def water_cooler(kit: Kit) -> None:
    b = kit.b
    w, h = 0.31, kit.u(0.96, 1.04)
    b.use(kit.main).box(0, 0, 0, w, w, h, bevel=0.02)
    b.use(kit.dark() if kit.word("colour") != "black" else kit.steel(0.6)).box(
        w / 2 - 0.03, 0, h * 0.62, 0.064, w * 0.7, h * 0.2
    )
    b.use(kit.steel(0.6)).box(w / 2 + 0.02, 0, h * 0.60, 0.07, w * 0.7, 0.02)
    for y, colour in ((-0.05, "blue"), (0.05, "red")):
        b.use(kit.paint(colour)).box(w / 2 + 0.02, y, h * 0.75, 0.035, 0.03, 0.045)
    b.use(kit.steel(0.8)).cylinder(0, 0, h - 0.005, 0.09, 0.03, 12, caps="none")
    b.use(Material("glass", (0.42, 0.72, 0.95))).lathe(
        [
            (0.05, h + 0.0),
            (0.07, h + 0.05),
            (0.132, h + 0.10),
            (0.135, h + 0.2),
            (0.128, h + 0.215),
            (0.135, h + 0.23),
            (0.135, h + 0.36),
            (0.10, h + 0.40),
            (0, h + 0.41),
        ],
        14,
    )


@category(
    "vending machine",
    "vending machines",
    "commercial",
    colour=("red", "red", "blue", "black", "white", "green"),
    material=("metal",),
    state=("on", "on", "off"),
)
def vending_machine(kit: Kit) -> None:
    b = kit.b
    d, w, h = kit.u(0.76, 0.84), kit.u(0.88, 1.0), kit.u(1.78, 1.88)
    on = kit.word("state") == "on"
    b.use(kit.main).box(0, 0, 0.06, d, w, h - 0.06, bevel=0.015)
    b.use(kit.dark()).box(0, 0, 0, d - 0.08, w - 0.06, 0.06, skip=("+z", "-z"))
    x = d / 2
    b.use(kit.dark()).panel(x + 0.001, -w * 0.11, h * 0.32, w * 0.70, h * 0.56, image=False)
    b.use(Material("snacks", emission=0.55 if on else 0.0)).panel(
        x + 0.003, -w * 0.11, h * 0.33, w * 0.66, h * 0.54
    )
    b.use(kit.dark()).box(x, -w * 0.11, h * 0.11, 0.02, w * 0.55, h * 0.12, bevel=0.005)
    b.use(kit.steel(0.9)).box(x, w * 0.37, h * 0.36, 0.02, w * 0.18, h * 0.42, bevel=0.004)
    b.use(Material("digits" if on else "screen_off", emission=0.6 if on else 0.0)).panel(
        x + 0.011, w * 0.37, h * 0.70, w * 0.14, 0.07
    )
    b.use(Material("keys", (0.06, 0.06, 0.06), (0.85, 0.85, 0.85))).panel(
        x + 0.011, w * 0.37, h * 0.52, w * 0.13, 0.16
    )
    b.use(kit.dark()).panel(x + 0.011, w * 0.37, h * 0.42, w * 0.07, 0.03, image=False)
    stripe = "white" if kit.word("colour") != "white" else "blue"
    b.use(Material("plain", kit.paint(stripe).tint, emission=0.4 if on else 0.0)).panel(
        x + 0.002, 0, h * 0.905, w * 0.8, h * 0.06, image=False
    )


@category(
    "display fridge",
    "display fridges",
    "commercial",
    colour=("white", "grey", "black", "red", "blue"),
    material=("metal",),
    doors=(1, 2),
    state=("on", "on", "off"),
)
def display_fridge(kit: Kit) -> None:
    b, n = kit.b, kit.count("doors")
    d, w, h = kit.u(0.62, 0.7), n * kit.u(0.6, 0.68), kit.u(1.85, 1.98)
    on = kit.word("state") == "on"
    b.use(kit.main).box(-0.01, 0, 0.05, d - 0.02, w, h - 0.05, bevel=0.01)
    b.use(kit.dark()).box(0, 0, 0, d - 0.08, w - 0.06, 0.05, skip=("+z", "-z"))
    x = d / 2 - 0.02
    each = w / n
    for i in range(n):
        y = -w / 2 + (i + 0.5) * each
        frame = kit.steel(0.8) if kit.word("colour") != "grey" else kit.dark()
        b.use(frame).box(x + 0.015, y, 0.24, 0.03, each - 0.01, h - 0.46)
        b.use(Material("snacks", emission=0.5 if on else 0.0)).panel(
            x + 0.0315, y, 0.28, each - 0.10, h - 0.54
        )
        b.use(kit.steel(1.2)).box(x + 0.045, y + each / 2 - 0.03, h * 0.42, 0.025, 0.02, 0.4)
    band = "blue" if kit.word("colour") not in ("blue",) else "white"
    b.use(Material("plain", kit.paint(band).tint, emission=0.5 if on else 0.0)).panel(
        x + 0.002, 0, h - 0.19, w - 0.06, 0.14, image=False
    )
    b.use(Material("grille", (0.4, 0.4, 0.4))).panel(
        x + 0.002, 0, 0.08, w - 0.08, 0.12, image=False
    )


@category(
    "exam bed",
    "exam beds",
    "commercial",
    colour=("blue", "green", "black", "grey", "beige", "turquoise", "white"),
    material=("leather",),
    drawers=(0, 2, 3),
)
def exam_bed(kit: Kit) -> None:
    """An examination bed, long along x, with its head at −x."""
    b, n = kit.b, kit.count("drawers")
    l, w, h = kit.u(1.82, 1.95), kit.u(0.62, 0.70), kit.u(0.68, 0.78)
    if n:
        case = kit.paint("white" if kit.word("colour") != "white" else "grey")
        b.use(case).box(0, 0, 0.08, l * 0.72, w - 0.06, h - 0.20)
        b.use(kit.dark()).box(0, 0, 0, l * 0.68, w - 0.14, 0.08, skip=("+z", "-z"))
        with b.at(yaw=math.pi / 2):
            drawers(kit, case, kit.steel(), w / 2 - 0.03, 0, 0.10, l * 0.70, h - 0.24, 1, n)
    else:
        b.use(kit.steel(1.1))
        for x in (-l / 2 + 0.15, l / 2 - 0.15):
            for y in (-w / 2 + 0.05, w / 2 - 0.05):
                b.tube([(x, y, 0), (x, y, h - 0.12)], 0.018, 6)
            b.tube([(x, -w / 2 + 0.05, 0.2), (x, w / 2 - 0.05, 0.2)], 0.014, 6, caps=False)
        for y in (-w / 2 + 0.05, w / 2 - 0.05):
            b.box(0, y, h - 0.14, l - 0.2, 0.04, 0.04)
    b.use(kit.main)
    b.cushion(0.28, 0, h - 0.10, l - 0.58, w, 0.10, (4, 3, 1), 8)
    with b.at(-l / 2 + 0.60, 0, h - 0.1, pitch=0.45):
        b.cushion(-0.28, 0, 0, 0.58, w, 0.10, (3, 3, 1), 8)
    b.use(Material("paper", (0.93, 0.94, 0.95))).box(0.30, 0, h - 0.0005, l - 0.62, w * 0.66, 0.004)
    kit.stand(0.3, 0, h + 0.0035, l * 0.5, w * 0.55, 0.6)


@category(
    "wheelchair",
    "wheelchairs",
    "commercial",
    colour=("black", "black", "blue", "red", "green", "grey"),
    material=("fabric", "leather"),
)
def wheelchair(kit: Kit) -> None:
    b = kit.b
    w, seat = 0.46, 0.50
    steel = kit.steel(1.1)
    for s in (-1, 1):
        y = s * (w / 2 + 0.07)
        n, r = 18, 0.30
        ring = [
            (
                -0.12 + r * math.cos(2 * math.pi * i / n),
                y,
                r + 0.01 + r * math.sin(2 * math.pi * i / n),
            )
            for i in range(n)
        ]
        b.use(
            kit.dark() if kit.word("colour") != "black" else Material("plain", (0.03, 0.03, 0.032))
        ).tube(ring, 0.02, 5, closed=True)
        b.use(steel)
        for i in range(4):
            a = math.pi * i / 4
            c, q = r * math.cos(a), r * math.sin(a)
            b.tube(
                [(-0.12 - c, y, r + 0.01 - q), (-0.12 + c, y, r + 0.01 + q)], 0.004, 3, caps=False
            )
        edge = s * w / 2
        b.tube([(-0.28, edge, 0.95), (-0.20, edge, 0.90), (-0.20, edge, 0.25)], 0.014, 5)
        b.tube([(-0.20, edge, 0.72), (0.20, edge, 0.72), (0.22, edge, seat)], 0.014, 5)
        b.tube(
            [(-0.20, edge, seat - 0.02), (0.24, edge, seat - 0.02), (0.36, edge, 0.14)], 0.014, 5
        )
        b.tube([(0.22, edge, seat), (0.22, edge, 0.15)], 0.012, 5)
        b.use(kit.dark())
        with b.at(0.22, edge, 0.08, roll=math.pi / 2):
            b.cylinder(0, 0, -0.015, 0.08, 0.03, 10)
        b.box(-0.02, edge, 0.72, 0.28, 0.05, 0.03, bevel=0.008)
        b.box(0.40, s * 0.11, 0.12, 0.16, 0.16, 0.015)
        b.tube([(-0.28, edge, 0.95), (-0.36, edge, 0.95)], 0.02, 5)
    b.use(kit.main)
    b.cushion(0.01, 0, seat - 0.04, 0.42, w - 0.02, 0.07, (3, 3, 1), 8)
    b.box(-0.20, 0, seat + 0.05, 0.025, w - 0.02, 0.36, bevel=0.01)
    b.use(steel)
    b.tube([(-0.15, -w / 2, 0.25), (0.18, w / 2, seat - 0.04)], 0.01, 4, caps=False)
    b.tube([(-0.15, w / 2, 0.25), (0.18, -w / 2, seat - 0.04)], 0.01, 4, caps=False)


@category(
    "copier",
    "copiers",
    "commercial",
    colour=("white", "white", "grey", "black"),
    material=("plastic",),
    drawers=(2, 3, 4),
)
def copier(kit: Kit) -> None:
    b, n = kit.b, kit.count("drawers")
    d, w, h = 0.60, kit.u(0.58, 0.66), kit.u(0.98, 1.08)
    b.use(kit.main).box(0, 0, 0.04, d, w, h * 0.62, bevel=0.01)
    b.use(kit.dark()).box(0, 0, 0, d - 0.06, w - 0.06, 0.05, skip=("+z", "-z"))
    drawers(kit, kit.main, kit.dark(), d / 2, 0, 0.07, w - 0.04, h * 0.44, n)
    z = 0.04 + h * 0.62
    b.use(kit.dark() if kit.word("colour") != "black" else kit.steel(0.4)).box(
        -0.04, 0, z, d - 0.12, w - 0.04, 0.10
    )
    b.use(Material("paper", (0.93, 0.93, 0.91))).box(0.08, 0, z + 0.004, 0.36, 0.3, 0.012)
    b.use(kit.main).box(0, 0, z + 0.10, d, w, 0.09, bevel=0.01)
    b.box(-0.04, 0, z + 0.19, d - 0.10, w, 0.10, bevel=0.025)
    b.use(Material("paper", (0.93, 0.93, 0.91))).box(-0.06, 0.03, z + 0.29, 0.26, 0.24, 0.01)
    with b.at(d / 2 + 0.01, -w * 0.22, z + 0.12, pitch=-0.6):
        b.use(kit.dark() if kit.word("colour") != "black" else kit.steel(0.7)).box(
            0.0, 0, 0, 0.03, 0.26, 0.14, bevel=0.005
        )
        b.use(Material("screen_desktop", emission=0.6)).panel(0.0155, 0, 0.015, 0.22, 0.11)
    b.use(kit.main).box(-0.02, w / 2 + 0.10, 0.42, 0.34, 0.24, 0.03)


@category(
    "whiteboard",
    "whiteboards",
    "commercial",
    "wall",
    colour=("white",),
    material=("metal",),
    state=("written on", "clean"),
    size=("small", "medium", "large"),
    lengths={"width_m": (0.5, 4.0)},
)
def whiteboard(kit: Kit) -> None:
    b = kit.b
    w, h = kit.length("width_m", 1.35 * kit.k, 1.45 * kit.k), 0.95 * kit.k
    board = (
        Material("notes")
        if kit.word("state") == "written on"
        else Material("plain", (0.92, 0.93, 0.93))
    )
    b.use(kit.steel())
    for s in (-1, 1):
        b.box(0.012, s * (w / 2 - 0.012), 0.02, 0.024, 0.024, h, skip=("-x",))
        b.box(0.012, 0, 0.02 + h / 2 + s * (h / 2 - 0.012) - 0.012, 0.024, w, 0.024, skip=("-x",))
    b.box(0.05, 0, 0.0, 0.08, w * 0.4, 0.02)
    b.use(board).panel(0.012, 0, 0.04, w - 0.04, h - 0.04)
    for i, colour in enumerate(("red", "blue", "black")):
        b.use(kit.paint(colour)).tube(
            [(0.06, -0.16 + 0.15 * i, 0.028), (0.06, -0.05 + 0.15 * i, 0.028)], 0.009, 5
        )


@category(
    "air conditioner",
    "air conditioners",
    "appliance",
    "wall",
    colour=("white", "white", "grey", "black"),
    material=("plastic",),
    state=("open", "closed"),
)
def air_conditioner(kit: Kit) -> None:
    """An air conditioner; ``state`` is that of its louvre."""
    b = kit.b
    w, h, d = kit.u(0.78, 0.90), kit.u(0.27, 0.31), 0.20
    b.use(kit.main).box(d / 2, 0, 0.05, d, w, h - 0.05, bevel=0.03)
    b.box(d / 2 - 0.02, 0, 0, d - 0.06, w - 0.04, 0.07)
    opened = kit.word("state") == "open"
    b.use(
        Material(
            "plain", (0.03, 0.03, 0.035) if kit.word("colour") != "black" else (0.2, 0.2, 0.21)
        )
    )
    b.panel(d - 0.049, 0, 0.008, w - 0.10, 0.05, image=False)
    b.panel(d + 0.001, 0, h * 0.42, w * 0.96, 0.008, image=False)
    if opened:
        with b.at(d - 0.05, 0, 0.015, pitch=0.9):
            b.use(kit.main).box(0.0, 0, 0, 0.010, w - 0.10, 0.085)
    else:
        b.use(kit.main).box(d - 0.045, 0, 0.006, 0.008, w - 0.10, 0.054)
    b.use(Material("digits", emission=0.5 if opened else 0.0)).panel(
        d + 0.001, w * 0.36, h * 0.55, 0.07, 0.035
    )


@category(
    "fire extinguisher",
    "fire extinguishers",
    "fixture",
    "wall",
    colour=("red",),
    material=("metal",),
)
def fire_extinguisher(kit: Kit) -> None:
    b = kit.b
    r, h = kit.u(0.07, 0.08), kit.u(0.40, 0.46)
    with b.at(r + 0.02, 0, 0):
        b.use(kit.main).lathe(
            [
                (0, 0),
                (r * 0.92, 0),
                (r, 0.015),
                (r, h * 0.82),
                (r * 0.8, h * 0.93),
                (r * 0.35, h),
                (0, h),
            ],
            14,
        )
        b.use(kit.dark())
        b.cylinder(0, 0, h - 0.005, 0.02, 0.04, 8)
        b.box(0.02, 0, h + 0.035, 0.13, 0.022, 0.014)
        b.box(0.03, 0, h + 0.065, 0.14, 0.022, 0.012)
        b.tube(
            [
                (0, 0.02, h + 0.01),
                (0, r + 0.05, h - 0.02),
                (0.02, r + 0.045, h * 0.55),
                (0.02, r + 0.02, h * 0.35),
            ],
            0.010,
            5,
        )
        b.use(Material("page")).loft(
            circle(14)[[11, 12, 13, 0, 1, 2, 3]], [(r * 1.01, h * 0.32), (r * 1.01, h * 0.64)]
        )
    b.use(kit.steel(0.7)).box(0.01, 0, h * 0.3, 0.02, 0.09, 0.05)
    b.box(0.01, 0, h * 0.75, 0.02, 0.09, 0.04)


@category(
    "wall shelf",
    "wall shelves",
    "storage",
    "wall",
    colour=("brown", "beige", "white", "black", "grey"),
    material=("wood",),
    shelves=(1, 2, 3),
    lengths={"length_m": (0.3, 2.5)},
)
def wall_shelf(kit: Kit) -> None:
    b, n = kit.b, kit.count("shelves")
    w, d = kit.length("length_m", 0.6, 0.95), kit.u(0.20, 0.25)
    gap = 0.32
    for i in range(n):
        z = 0.10 + gap * i
        b.use(kit.main).box(d / 2, 0, z, d, w, 0.025, bevel=0.004)
        b.use(kit.dark() if kit.word("colour") != "black" else kit.steel())
        for y in (-w * 0.35, w * 0.35):
            b.box(0.008, y, z - 0.10, 0.016, 0.02, 0.10)
            b.tube([(0.01, y, z - 0.09), (d * 0.75, y, z)], 0.008, 4, caps=False)
        kit.stand(d / 2, 0, z + 0.025, d * 0.85, w * 0.9, gap - 0.13 if i < n - 1 else 0.4)
