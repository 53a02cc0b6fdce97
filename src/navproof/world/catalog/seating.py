"""Things to sit on. Front is +x: the side from which one sits down."""

from __future__ import annotations

import math

from navproof.core.errors import SceneError
from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import (
    ALL_COLOURS,
    FABRIC_COLOURS,
    FABRIC_PATTERNS,
    WOOD_COLOURS,
    legs,
    splayed_legs,
)

__all__: list[str] = []

_SHELLS = ("fabric", "leather", "plastic")  # chairs of these have a closed back


@category(
    "chair",
    "chairs",
    "seating",
    colour=(*WOOD_COLOURS, *ALL_COLOURS),
    material=("wood", "wood", "wood", "plastic", "metal", "fabric", "leather"),
    pattern=FABRIC_PATTERNS,
    modifier=("slat-back", "solid-back"),
)
def chair(kit: Kit) -> None:
    b = kit.b
    if kit.word("modifier") == "slat-back" and kit.word("material") in _SHELLS:
        if "modifier" not in kit.wanted:
            kit.prefer("modifier", "solid-back")
        elif "material" in kit.wanted or kit.word("pattern"):
            raise SceneError(f"chair: one of {kit.word('material')} cannot have a slat-back")
        else:
            kit.prefer("material", "wood")
    material = kit.word("material")
    w, d, seat = kit.u(0.42, 0.48), kit.u(0.42, 0.48), kit.u(0.44, 0.47)
    height = kit.u(0.82, 0.98)
    soft = material in ("fabric", "leather")
    frame = kit.main if not soft else kit.wood(dark=kit.rng.random() < 0.5)
    if material == "plastic":
        frame = kit.wood() if kit.one_of("wood", "metal") == "wood" else kit.steel()
    b.use(frame)
    back_x = -d / 2 + 0.02
    if material == "plastic":
        splayed_legs(kit, d * 0.7, w * 0.7, seat - 0.02, 0.018, 0.06)
    elif material == "metal":
        for y in (-w / 2 + 0.02, w / 2 - 0.02):
            b.tube([(d / 2 - 0.02, y, 0), (d / 2 - 0.03, y, seat)], 0.014, 6, caps=False)
            b.tube([(back_x - 0.03, y, 0), (back_x, y, seat), (back_x - 0.06, y, height)], 0.014, 6)
    else:
        legs(kit, d, w, seat, 0.042)
        for y in (-w / 2 + 0.02, w / 2 - 0.02):
            with b.at(back_x, y, seat, pitch=-0.12):
                b.box(0, 0, 0, 0.038, 0.038, height - seat)
        for y in (-w / 2 + 0.02, w / 2 - 0.02):
            b.box(0, y, seat - 0.09, d - 0.06, 0.022, 0.06, skip=("+z",))
        for x in (-d / 2 + 0.02, d / 2 - 0.02):
            b.box(x, 0, seat - 0.09, 0.022, w - 0.06, 0.06, skip=("+z",))
    b.use(kit.main)
    if soft:
        b.cushion(0.01, 0, seat - 0.03, d, w, 0.09, (3, 3, 1), 8)
    else:
        b.box(0.01, 0, seat - 0.015, d, w, 0.035, bevel=0.012)
    tall = height - seat
    with b.at(back_x, 0, seat, pitch=-0.12):
        if soft:
            b.cushion(0.015, 0, 0.10, 0.07, w - 0.03, tall - 0.09, (1, 3, 3), 8)
        elif material == "plastic" or kit.word("modifier") == "solid-back":
            b.box(
                0.0,
                0,
                0.0 if material == "plastic" else tall * 0.28,
                0.024,
                w - (0.02 if material == "plastic" else 0.07),
                tall if material == "plastic" else tall * 0.7,
                bevel=0.010,
            )
        if not soft and material != "plastic" and kit.word("modifier") == "slat-back":
            upright = kit.rng.random() < 0.5
            b.box(0, 0, tall - 0.08, 0.028, w - 0.03, 0.08, bevel=0.01)
            if upright:
                b.box(0, 0, tall * 0.18, 0.022, w - 0.06, 0.04)
                for i in range(5):
                    y = (i - 2) * (w - 0.10) / 5
                    b.box(0, y, tall * 0.18, 0.014, 0.03, tall * 0.70, skip=("+z", "-z"))
            else:
                for i in range(3):
                    b.box(0, 0, tall * (0.16 + 0.22 * i), 0.018, w - 0.06, 0.055)
    kit.stand(0.02, 0, seat + (0.06 if soft else 0.02), d * 0.6, w * 0.6, 0.4)


@category(
    "armchair",
    "armchairs",
    "seating",
    colour=FABRIC_COLOURS,
    material=("fabric", "fabric", "leather"),
    pattern=FABRIC_PATTERNS,
    modifier=("easy", "wingback"),
)
def armchair(kit: Kit) -> None:
    b = kit.b
    w, d = kit.u(0.78, 0.90), kit.u(0.78, 0.88)
    seat, height, arm = kit.u(0.40, 0.44), kit.u(0.82, 0.92), kit.u(0.13, 0.16)
    wing = kit.word("modifier") == "wingback"
    if wing:
        height += 0.16
    b.use(kit.wood(dark=True))
    splayed_legs(kit, d - 0.1, w - 0.1, 0.13, 0.025, 0.015)
    b.use(kit.main)
    b.box(0, 0, 0.12, d - 0.02, w - 0.04, seat - 0.26, bevel=0.02)
    for s in (-1, 1):
        b.cushion(0.02, s * (w / 2 - arm / 2), 0.13, d - 0.04, arm, 0.50, (3, 1, 3), 8)
    with b.at(-d / 2 + 0.13, 0, seat - 0.12, pitch=-0.16):
        b.cushion(0, 0, 0, 0.2, w - 0.06, height - seat + 0.1, (1, 3, 3), 8)
        if wing:
            for s in (-1, 1):
                b.cushion(
                    0.12, s * (w / 2 - 0.08), 0.28, 0.30, 0.09, height - seat - 0.2, (2, 1, 2), 8
                )
    b.cushion(0.09, 0, seat - 0.15, d - 0.22, w - 2 * arm + 0.02, 0.19, (3, 3, 1), 8)
    kit.stand(0.12, 0, seat + 0.035, d * 0.45, (w - 2 * arm) * 0.8, 0.4)


@category(
    "sofa",
    "sofas",
    "seating",
    colour=FABRIC_COLOURS,
    material=("fabric", "fabric", "leather"),
    pattern=FABRIC_PATTERNS,
    seats=(2, 3, 3, 4),
    modifier=("straight", "straight", "L-shaped"),
    cushions=(0, 0, 1, 2, 3),
)
def sofa(kit: Kit) -> None:
    b, seats = kit.b, kit.count("seats")
    corner = kit.word("modifier") == "L-shaped"
    d, seat, height = kit.u(0.86, 0.96), kit.u(0.41, 0.45), kit.u(0.78, 0.88)
    arm, each = kit.u(0.13, 0.2), kit.u(0.60, 0.68)
    inner = each * seats
    w = inner + 2 * arm
    b.use(kit.wood(dark=True))
    for x in (-d / 2 + 0.07, d / 2 - 0.07):
        for y in (-w / 2 + 0.07, w / 2 - 0.07):
            b.box(x, y, 0, 0.05, 0.05, 0.1, skip=("+z", "-z"))
    b.use(kit.main)
    b.box(0, 0, 0.09, d, w - 0.02, seat - 0.24, bevel=0.02)
    long = kit.u(0.60, 0.75) if corner else 0.0
    for s in (-1, 1):
        if corner and s == 1:
            continue
        b.box(0.0, s * (w / 2 - arm / 2), 0.09, d, arm, 0.51, bevel=0.045)
    with b.at(-d / 2 + 0.11, 0, 0.1, pitch=-0.08):
        b.box(0, 0, 0, 0.18, w - 0.02, height - 0.13, bevel=0.05)
    back = height - seat + 0.01
    for i in range(seats):
        y = -inner / 2 + (i + 0.5) * each
        deep = d - 0.2
        b.cushion(0.10, y, seat - 0.15, deep, each - 0.012, 0.18, (3, 3, 1), 8)
        with b.at(-d / 2 + 0.24, y, seat - 0.01, pitch=-0.2):
            b.cushion(0, 0, 0, 0.19, each - 0.015, back, (1, 3, 2), 4)
    if corner:
        y, wide = w / 2 - arm / 2 - each / 2, each + arm
        b.box(d / 2 + long / 2 - 0.02, y, 0.09, long, wide, seat - 0.24, bevel=0.02)
        b.cushion(d / 2 + long / 2 - 0.02, y, seat - 0.15, long, wide - 0.01, 0.18, (3, 3, 1), 8)
        b.box(0.0, w / 2 - arm / 2, 0.09, d, arm, seat - 0.1, bevel=0.03)
    accents = ("yellow", "red", "blue", "green", "white", "orange", "black", "pink")
    for i in range(kit.count("cushions")):
        y = (-1, 1, 0.35)[i] * (inner / 2 - 0.24)
        colour = accents[
            (accents.index(kit.word("colour")) + 1 + i * 3) % 8
            if kit.word("colour") in accents
            else (i * 3) % 8
        ]
        b.use(kit.paint(colour, "fabric"))
        with b.at(-d / 2 + 0.40, y, seat + 0.01, pitch=-0.38, yaw=0.25 * (-1) ** i):
            b.cushion(0, 0, 0, 0.13, 0.40, 0.38, (1, 4, 4), 4)
    for i in range(seats):
        kit.stand(0.2, -inner / 2 + (i + 0.5) * each, seat + 0.025, 0.32, each * 0.8, 0.4)


@category(
    "stool",
    "stools",
    "seating",
    colour=(*WOOD_COLOURS, "red", "blue", "yellow", "green", "black", "white"),
    material=("wood", "metal", "leather", "plastic"),
    modifier=("bar", "low"),
)
def stool(kit: Kit) -> None:
    b, material = kit.b, kit.word("material")
    bar = kit.word("modifier") == "bar"
    h = kit.u(0.70, 0.78) if bar else kit.u(0.42, 0.48)
    r = kit.u(0.16, 0.19)
    frame = kit.main if material in ("wood", "metal", "plastic") else kit.steel()
    b.use(frame)
    splayed_legs(kit, r * 1.5, r * 1.5, h - 0.02, 0.017, 0.05)
    ring = r * 0.75 + 0.03
    z = h * 0.35
    corners = [(ring, ring, z), (-ring, ring, z), (-ring, -ring, z), (ring, -ring, z)]
    b.tube(corners, 0.010, 5, closed=True)
    b.use(kit.main)
    round_seat = kit.rng.random() < 0.6
    if material == "leather":
        if round_seat:
            b.lathe(
                [
                    (0, h - 0.03),
                    (r, h - 0.02),
                    (r + 0.008, h + 0.02),
                    (r * 0.8, h + 0.045),
                    (0, h + 0.05),
                ],
                14,
            )
        else:
            b.cushion(0, 0, h - 0.03, 2 * r, 2 * r, 0.08, (3, 3, 1), 8)
    elif round_seat:
        b.lathe(
            [
                (0, h - 0.02),
                (r - 0.01, h - 0.02),
                (r, h - 0.005),
                (r - 0.01, h + 0.015),
                (0, h + 0.015),
            ],
            16,
        )
    else:
        b.box(0, 0, h - 0.02, 2 * r, 2 * r, 0.035, bevel=0.01)
    kit.stand(0, 0, h + (0.05 if material == "leather" else 0.015), r, r, 0.5)


@category(
    "bench",
    "benches",
    "seating",
    colour=WOOD_COLOURS,
    material=("wood", "wood", "metal"),
    seats=(2, 3, 4),
    modifier=("backless", "backed"),
)
def bench(kit: Kit) -> None:
    b = kit.b
    w, d, h = kit.count("seats") * kit.u(0.46, 0.52), kit.u(0.36, 0.42), kit.u(0.43, 0.47)
    b.use(kit.main)
    slats = 4
    for i in range(slats):
        x = -d / 2 + (i + 0.5) * d / slats
        b.box(x, 0, h - 0.03, d / slats - 0.015, w, 0.03, bevel=0.006)
    for y in (-w / 2 + 0.1, w / 2 - 0.1):
        b.box(0, y, h - 0.08, d - 0.02, 0.05, 0.05)
        for x in (-d / 2 + 0.04, d / 2 - 0.04):
            b.box(x, y, 0, 0.05, 0.05, h - 0.08, skip=("+z", "-z"))
    b.box(0, 0, 0.12, 0.04, w - 0.2, 0.05)
    if kit.word("modifier") == "backed":
        for y in (-w / 2 + 0.1, w / 2 - 0.1):
            with b.at(-d / 2 + 0.01, y, h - 0.02, pitch=-0.15):
                b.box(0, 0, 0, 0.035, 0.05, 0.42)
        for z in (0.12, 0.28):
            with b.at(-d / 2 + 0.03, 0, h - 0.02, pitch=-0.15):
                b.box(0, 0, z, 0.022, w, 0.10, bevel=0.008)
    kit.stand(0.02, 0, h, d * 0.7, w * 0.8, 0.5)


@category(
    "ottoman",
    "ottomans",
    "seating",
    colour=FABRIC_COLOURS,
    material=("fabric", "leather"),
    pattern=FABRIC_PATTERNS,
    modifier=("round", "square"),
    size=("small", "medium", "large"),
)
def ottoman(kit: Kit) -> None:
    b = kit.b
    s, h = kit.u(0.54, 0.60) * kit.k, kit.u(0.38, 0.42)
    if kit.word("modifier") == "round":
        r = s / 2
        b.use(kit.main).lathe(
            [
                (0, 0.04),
                (r - 0.02, 0.04),
                (r, 0.08),
                (r + 0.012, h * 0.6),
                (r, h - 0.05),
                (r - 0.05, h - 0.008),
                (0, h),
            ],
            18,
        )
        b.use(kit.wood(dark=True)).cylinder(0, 0, 0, r - 0.05, 0.05, 12, caps="none")
    else:
        b.use(kit.wood(dark=True))
        legs(kit, s, s, 0.1, 0.045, 0.03)
        b.use(kit.main).box(0, 0, 0.09, s, s, h - 0.18, bevel=0.02)
        b.cushion(0, 0, h - 0.12, s + 0.01, s + 0.01, 0.12, (4, 4, 1), 8)
    kit.stand(0, 0, h, s * 0.6, s * 0.6, 0.5)


@category(
    "office chair",
    "office chairs",
    "seating",
    colour=("black", "black", "grey", "blue", "red", "green", "white", "orange"),
    material=("fabric", "leather"),
    modifier=("executive", "armless"),
)
def office_chair(kit: Kit) -> None:
    b = kit.b
    seat, w = kit.u(0.46, 0.50), kit.u(0.48, 0.52)
    b.use(kit.dark() if kit.word("colour") != "black" else kit.steel(0.7))
    for i in range(5):
        a = 2 * math.pi * i / 5 + 0.3
        x, y = math.cos(a), math.sin(a)
        b.tube([(0.03 * x, 0.03 * y, 0.11), (0.29 * x, 0.29 * y, 0.065)], [0.03, 0.018], 5)
        b.use(kit.dark())
        with b.at(0.29 * x, 0.29 * y, 0.03, yaw=a, roll=math.pi / 2):
            b.cylinder(0, 0, -0.02, 0.03, 0.04, 7)
        b.use(kit.steel(0.7))
    b.cylinder(0, 0, 0.09, 0.028, seat - 0.14, 8, caps="none")
    b.box(0, 0, seat - 0.07, 0.22, 0.22, 0.04)
    b.box(-0.22, 0, seat - 0.05, 0.25, 0.06, 0.025)
    with b.at(-0.27, 0, seat - 0.05, pitch=-0.08):
        b.box(-0.05, 0, 0, 0.025, 0.07, 0.36)
    if kit.word("modifier") == "executive":
        for s in (-1, 1):
            b.tube(
                [
                    (-0.08, s * (w / 2 - 0.06), seat - 0.03),
                    (-0.08, s * (w / 2 + 0.04), seat - 0.03),
                    (-0.08, s * (w / 2 + 0.04), seat + 0.19),
                ],
                0.016,
                5,
            )
            b.box(-0.03, s * (w / 2 + 0.04), seat + 0.18, 0.26, 0.07, 0.03, bevel=0.01)
    b.use(kit.main)
    b.cushion(0, 0, seat - 0.035, w, w, 0.09, (4, 4, 1), 8)
    with b.at(-w / 2 + 0.01, 0, seat + 0.07, pitch=-0.12):
        b.cushion(0, 0, 0, 0.08, w - 0.03, kit.u(0.46, 0.62), (1, 4, 4), 8)


@category(
    "high chair",
    "high chairs",
    "seating",
    colour=("beige", "white", "brown", "blue", "pink", "green"),
    material=("wood", "plastic"),
)
def high_chair(kit: Kit) -> None:
    b = kit.b
    seat, w = kit.u(0.54, 0.60), 0.34
    b.use(kit.main)
    splayed_legs(kit, 0.30, 0.32, seat, 0.02, 0.11)
    for y in (-0.2, 0.2):
        b.tube([(0.19, y, 0.2), (-0.19, y, 0.2)], 0.012, 5, caps=False)
    b.box(0.2, 0, 0.24, 0.10, 0.34, 0.02)
    b.box(0, 0, seat - 0.02, 0.32, w, 0.03, bevel=0.008)
    with b.at(-0.15, 0, seat, pitch=-0.1):
        b.box(0, 0, 0, 0.03, w, 0.40, bevel=0.01)
    for s in (-1, 1):
        b.box(-0.02, s * (w / 2 - 0.01), seat, 0.26, 0.02, 0.17)
    b.use(kit.paint("white" if kit.word("colour") != "white" else "grey"))
    b.box(0.19, 0, seat + 0.17, 0.28, 0.46, 0.018, bevel=0.006)
    for s in (-1, 1):
        b.box(0.19, s * 0.225, seat + 0.185, 0.28, 0.012, 0.02)
    b.box(0.325, 0, seat + 0.185, 0.012, 0.46, 0.02)
    kit.stand(0.19, 0, seat + 0.188, 0.22, 0.36, 0.4)
