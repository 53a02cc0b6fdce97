"""Things that stand on a laid table."""

from __future__ import annotations

import math

from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import ALL_COLOURS
from navproof.world.meshing import circle
from navproof.world.scene import Material

__all__: list[str] = []


_CHINA = ("plain", "plain", "plain", "striped", "dotted", "floral", "checkered")


def _round_ware(kit: Kit, profile: list[tuple[float, float]], n: int = 14) -> None:
    kit.b.use(kit.main).lathe(profile, n)


@category(
    "mug",
    "mugs",
    "tableware",
    "on",
    colour=ALL_COLOURS,
    material=("ceramic",),
    pattern=_CHINA,
    state=("empty", "full"),
)
def mug(kit: Kit) -> None:
    kit.b.zoom = 0.22
    r, h = kit.u(0.038, 0.044), kit.u(0.085, 0.10)
    _round_ware(
        kit,
        [
            (0, 0),
            (r * 0.9, 0),
            (r, 0.006),
            (r, h),
            (r - 0.004, h),
            (r - 0.006, h * 0.5 if kit.word("state") == "empty" else h * 0.85),
        ],
    )
    full = kit.word("state") == "full"
    inside = (
        Material("plain", (0.09, 0.04, 0.015)) if full else Material("ceramic", (0.8, 0.8, 0.78))
    )
    kit.b.use(inside).loft(
        circle(14), [(r - 0.006, h * (0.86 if full else 0.5)), (0.0, h * (0.86 if full else 0.1))]
    )
    kit.b.use(kit.main)
    path = [
        (0, r - 0.002, h * 0.82),
        (0, r + 0.022, h * 0.78),
        (0, r + 0.030, h * 0.5),
        (0, r + 0.02, h * 0.25),
        (0, r - 0.002, h * 0.2),
    ]
    kit.b.tube(path, 0.006, 5, caps=False)


@category(
    "bowl",
    "bowls",
    "tableware",
    "on",
    colour=ALL_COLOURS,
    material=("ceramic", "ceramic", "wood", "glass", "metal"),
    pattern=_CHINA,
    state=("empty", "with fruit"),
    size=("small", "medium", "large"),
)
def bowl(kit: Kit) -> None:
    kit.b.zoom = 0.4
    r, h = 0.115 * kit.k, 0.075 * kit.k
    _round_ware(
        kit,
        [
            (0, 0),
            (r * 0.4, 0),
            (r * 0.42, h * 0.1),
            (r * 0.8, h * 0.5),
            (r, h),
            (r * 0.95, h),
            (r * 0.72, h * 0.5),
            (r * 0.3, h * 0.18),
            (0, h * 0.16),
        ],
        16,
    )
    if kit.word("state") == "with fruit":
        for i, (colour, a) in enumerate(
            (("red", 0.3), ("orange", 2.4), ("green", 4.4), ("yellow", 0.0))
        ):
            q = 0.0 if i == 3 else r * 0.42
            kit.b.use(kit.paint(colour)).sphere(
                q * math.cos(a),
                q * math.sin(a),
                h * 0.75 + (r * 0.42 if i == 3 else 0.0),
                r * 0.34,
                r * 0.34,
                r * 0.33,
                7,
                5,
            )


@category(
    "plate",
    "plates",
    "tableware",
    "on",
    colour=(
        "white",
        "white",
        "blue",
        "red",
        "green",
        "yellow",
        "black",
        "pink",
        "grey",
        "turquoise",
    ),
    material=("ceramic",),
    pattern=_CHINA,
    state=("empty", "with food"),
)
def plate(kit: Kit) -> None:
    kit.b.zoom = 0.4
    r = kit.u(0.115, 0.135)
    _round_ware(
        kit, [(0, 0), (r * 0.55, 0), (r, 0.018), (r, 0.022), (r * 0.62, 0.009), (0, 0.007)], 18
    )
    ring = "white" if kit.word("colour") != "white" else "blue"
    kit.b.use(kit.paint(ring, "ceramic")).loft(
        circle(18), [(r * 0.985, 0.0225), (r * 0.93, 0.0210)]
    )
    if kit.word("state") == "with food":
        kit.b.use(Material("plush", (0.36, 0.16, 0.06))).sphere(
            0.02, -0.02, 0.014, 0.04, 0.03, 0.016, 8, 4
        )
        kit.b.use(kit.paint("green")).sphere(-0.03, 0.03, 0.014, 0.03, 0.03, 0.018, 7, 4)
        kit.b.use(kit.paint("yellow")).sphere(-0.03, -0.04, 0.012, 0.028, 0.022, 0.014, 7, 4)


@category(
    "bottle",
    "bottles",
    "tableware",
    "on",
    colour=("green", "brown", "blue", "white", "red", "black", "orange", "yellow"),
    material=("glass", "plastic"),
)
def bottle(kit: Kit) -> None:
    r, h = kit.u(0.034, 0.042), kit.u(0.24, 0.31)
    look = (
        kit.main
        if kit.word("material") == "plastic"
        else Material("glass", kit.paint(kit.word("colour")).tint)
    )
    kit.b.use(look).lathe(
        [
            (0, 0),
            (r, 0),
            (r, h * 0.58),
            (r * 0.9, h * 0.66),
            (r * 0.36, h * 0.78),
            (r * 0.34, h * 0.93),
        ],
        12,
    )
    kit.b.use(kit.steel() if kit.word("colour") != "black" else kit.paint("red")).lathe(
        [(r * 0.38, h * 0.93), (r * 0.38, h), (0, h)], 10
    )
    label = (
        Material("paper", (0.9, 0.87, 0.76)) if kit.word("colour") != "white" else kit.paint("blue")
    )
    kit.b.use(label).lathe([(r * 1.015, h * 0.18), (r * 1.015, h * 0.46)], 12)


@category(
    "tray",
    "trays",
    "tableware",
    "on",
    colour=("brown", "beige", "white", "black", "red", "grey", "blue", "green"),
    material=("wood", "plastic", "metal"),
)
def tray(kit: Kit) -> None:
    b = kit.b
    sx, sy = kit.u(0.28, 0.34), kit.u(0.42, 0.50)
    b.use(kit.main).box(0, 0, 0, sx, sy, 0.010)
    for s in (-1, 1):
        b.box(s * (sx / 2 - 0.006), 0, 0.0, 0.012, sy, 0.04)
        b.box(0, s * (sy / 2 - 0.006), 0.0, sx, 0.012, 0.04)
        b.tube(
            [
                (-0.06, s * (sy / 2 - 0.006), 0.04),
                (-0.05, s * (sy / 2 + 0.006), 0.065),
                (0.05, s * (sy / 2 + 0.006), 0.065),
                (0.06, s * (sy / 2 - 0.006), 0.04),
            ],
            0.007,
            5,
            caps=False,
        )
    kit.stand(0, 0, 0.010, sx * 0.8, sy * 0.8, 0.4)
