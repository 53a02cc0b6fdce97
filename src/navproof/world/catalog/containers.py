"""Baskets, bins, boxes and bags."""

from __future__ import annotations

import math

from navproof.world.catalog.category import Kit, category
from navproof.world.meshing import circle, rounded_rectangle
from navproof.world.scene import Material

__all__: list[str] = []

_BAG_COLOURS = (
    "blue",
    "red",
    "black",
    "green",
    "grey",
    "yellow",
    "purple",
    "pink",
    "orange",
)


@category(
    "basket",
    "baskets",
    "storage",
    colour=("beige", "brown", "white", "black", "grey"),
    material=("wicker",),
    modifier=("round", "square"),
    size=("small", "medium", "large"),
)
def basket(kit: Kit) -> None:
    b, k = kit.b, kit.k
    r, h = 0.20 * k, 0.32 * k
    o = (
        circle(16) * r
        if kit.word("modifier") == "round"
        else rounded_rectangle(2 * r, 2.4 * r, 0.05, 3)
    )
    b.use(kit.main).loft(
        o,
        [
            (0.0, 0.0),
            (0.85, 0.0),
            (1.0, h * 0.95),
            (1.04, h),
            (0.93, h),
            (0.8, h * 0.35),
            (0.0, h * 0.34),
        ],
    )
    for s in (-1, 1):
        y = s * (r if kit.word("modifier") == "round" else 1.2 * r)
        b.tube(
            [
                (-0.06 * k, y, h),
                (-0.05 * k, y, h + 0.05 * k),
                (0.05 * k, y, h + 0.05 * k),
                (0.06 * k, y, h),
            ],
            0.011,
            5,
            caps=False,
        )


@category(
    "trash can",
    "trash cans",
    "storage",
    colour=("grey", "black", "white", "red", "blue", "green", "yellow"),
    material=("metal", "plastic"),
    state=("open", "closed"),
    size=("small", "medium", "large"),
)
def trash_can(kit: Kit) -> None:
    b, k = kit.b, kit.k
    r, h = 0.15 * k, 0.44 * k
    b.use(kit.main)
    if kit.word("state") == "open":
        b.lathe(
            [
                (0, 0),
                (r * 0.82, 0),
                (r, h),
                (r * 1.03, h),
                (r * 1.03, h + 0.012),
                (r * 0.94, h + 0.012),
                (r * 0.84, h * 0.5),
            ],
            16,
        )
        b.use(Material("plain", (0.02, 0.02, 0.02))).loft(
            circle(16), [(r * 0.86, h * 0.55), (0, h * 0.5)]
        )
        b.use(Material("paper", (0.85, 0.85, 0.82)))
        for i in range(3):
            b.sphere(
                0.4 * r * math.cos(2.1 * i),
                0.4 * r * math.sin(2.1 * i),
                h * (0.62 + 0.1 * i),
                r * 0.34,
                r * 0.3,
                r * 0.3,
                6,
                4,
            )
    else:
        b.lathe([(0, 0), (r, 0), (r, h * 0.86)], 16)
        b.use(kit.dark() if kit.word("colour") != "black" else kit.steel()).lathe(
            [
                (r, h * 0.86),
                (r * 1.04, h * 0.86),
                (r * 1.04, h * 0.9),
                (r * 0.9, h * 0.99),
                (r * 0.5, h * 1.06),
                (0, h * 1.08),
            ],
            16,
        )
        b.box(r, 0, 0.01, 0.06 * k, 0.09 * k, 0.018)


@category(
    "box",
    "boxes",
    "storage",
    colour=("brown", "brown", "beige", "white"),
    material=("cardboard",),
    state=("open", "closed"),
    size=("small", "medium", "large"),
)
def box(kit: Kit) -> None:
    b, k = kit.b, kit.k
    sx, sy, h = kit.u(0.34, 0.38) * k, kit.u(0.44, 0.50) * k, kit.u(0.30, 0.36) * k
    b.use(kit.main)
    tape = Material(
        "plain", (0.62, 0.45, 0.24) if kit.word("colour") != "brown" else (0.55, 0.42, 0.26)
    )
    if kit.word("state") == "closed":
        b.box(0, 0, 0, sx, sy, h)
        b.use(tape).box(0, 0, h - 0.06, 0.06, sy + 0.002, 0.062)
        b.use(Material("page")).panel(sx / 2 + 0.002, 0.1 * k, h * 0.35, 0.14 * k, 0.1 * k)
        kit.stand(0, 0, h, sx * 0.85, sy * 0.85, 0.5)
        return
    t = 0.006
    b.box(0, 0, 0, sx, sy, t)
    for s in (-1, 1):
        b.box(s * (sx / 2 - t / 2), 0, 0, t, sy, h)
        b.box(0, s * (sy / 2 - t / 2), 0, sx, t, h)
        with b.at(s * (sx / 2 - t / 2), 0, h, pitch=s * 2.2):
            b.box(0, 0, 0, t, sy, sx * 0.45)
        with b.at(0, s * (sy / 2 - t / 2), h, roll=-s * 2.0):
            b.box(0, 0, 0, sx - 0.02, t, sx * 0.4)
    b.use(Material("paper", (0.6, 0.55, 0.45))).box(
        0, 0, t, sx * 0.7, sy * 0.7, h * 0.35, bevel=0.02
    )


@category(
    "backpack",
    "backpacks",
    "accessory",
    colour=(*_BAG_COLOURS, "turquoise"),
    material=("fabric",),
    pattern=("plain", "plain", "plain", "striped", "checkered", "dotted"),
)
def backpack(kit: Kit) -> None:
    kit.b.zoom = 0.7
    b = kit.b
    h, w = kit.u(0.42, 0.50), kit.u(0.30, 0.34)
    b.use(kit.main)
    with b.at(pitch=-0.1):
        b.cushion(0, 0, 0, 0.20, w, h, (3, 4, 4), 4)
        dark = kit.paint(kit.word("colour"), "fabric", tone=0.6)
        b.use(dark).cushion(0.09, 0, h * 0.08, 0.10, w * 0.76, h * 0.42, (2, 3, 3), 4)
        b.use(kit.steel()).box(0.14, 0, h * 0.41, 0.008, w * 0.5, 0.008)
        b.use(kit.dark() if kit.word("colour") != "black" else kit.steel(0.6))
        b.tube(
            [
                (-0.03, -0.04, h - 0.015),
                (-0.03, -0.035, h + 0.04),
                (-0.03, 0.035, h + 0.04),
                (-0.03, 0.04, h - 0.015),
            ],
            0.008,
            5,
            caps=False,
        )
        b.tube(
            [(0.062, -w * 0.36, h * 0.66), (0.074, 0, h * 0.84), (0.062, w * 0.36, h * 0.66)],
            0.006,
            4,
        )
        for s in (-1, 1):
            b.tube(
                [
                    (-0.06, s * 0.07, h * 0.92),
                    (-0.15, s * 0.09, h * 0.7),
                    (-0.15, s * 0.11, h * 0.35),
                    (-0.07, s * 0.12, h * 0.12),
                ],
                0.014,
                5,
                caps=False,
            )


@category(
    "suitcase",
    "suitcases",
    "accessory",
    colour=(*_BAG_COLOURS, "white", "turquoise"),
    material=("plastic", "leather", "fabric"),
    size=("small", "medium", "large"),
)
def suitcase(kit: Kit) -> None:
    b, k = kit.b, kit.k
    d, w, h = 0.24 * k, 0.42 * k, 0.62 * k
    b.use(kit.dark())
    for x in (-d / 2 + 0.04, d / 2 - 0.04):
        for y in (-w / 2 + 0.05, w / 2 - 0.05):
            with b.at(x, y, 0.025, roll=math.pi / 2):
                b.cylinder(0, 0, -0.012, 0.025, 0.024, 7)
    b.use(kit.main).box(0, 0, 0.045, d, w, h, bevel=0.035)
    if kit.word("material") == "plastic":
        for i in range(5):
            b.box(
                d / 2,
                (i - 2) * w * 0.17,
                0.12,
                0.012,
                w * 0.07,
                h - 0.15,
                bevel=0.004,
                skip=("-x",),
            )
    else:
        b.use(kit.dark() if kit.word("colour") != "black" else kit.wood())
        for y in (-w * 0.28, w * 0.28):
            b.box(0, y, 0.043, d + 0.008, 0.03, h + 0.004)
    b.use(kit.steel())
    b.box(0, 0, 0.044, 0.012, w + 0.003, h + 0.002)
    b.use(kit.dark())
    b.tube(
        [(0, -0.07, h + 0.04), (0, -0.06, h + 0.08), (0, 0.06, h + 0.08), (0, 0.07, h + 0.04)],
        0.011,
        5,
    )
    b.use(kit.steel())
    tall = h + 0.045 + 0.30 * k
    b.tube(
        [
            (-d * 0.35, -0.09, h),
            (-d * 0.35, -0.09, tall),
            (-d * 0.35, 0.09, tall),
            (-d * 0.35, 0.09, h),
        ],
        0.009,
        5,
    )
