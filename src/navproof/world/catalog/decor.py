"""Pictures, mirrors, clocks, vases, a piano and a fireplace."""

from __future__ import annotations

import math

from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import ALL_COLOURS
from navproof.world.meshing import circle
from navproof.world.scene import Material

__all__: list[str] = []


@category(
    "picture",
    "pictures",
    "decor",
    "wall",
    colour=("black", "brown", "white", "yellow", "grey", "red", "blue"),
    material=("wood",),
    modifier=(
        "landscape",
        "seascape",
        "abstract",
        "geometric",
        "portrait",
        "floral",
        "city",
        "cat",
    ),
    size=("small", "medium", "large"),
)
def picture(kit: Kit) -> None:
    """A picture; its colour is the frame's, and its modifier says what is painted."""
    b, kind = kit.b, kit.word("modifier")
    w, h = (0.52, 0.68) if kind in ("portrait", "floral") else (0.80, 0.58)
    w, h = w * kit.k, h * kit.k
    t = 0.045
    b.use(kit.main)
    for s in (-1, 1):
        b.box(0.015, s * (w / 2 - t / 2), 0, 0.03, t, h, bevel=0.008, skip=("-x",))
        b.box(
            0.015,
            0,
            h / 2 + s * (h / 2 - t / 2) - t / 2,
            0.03,
            w - 2 * t,
            t,
            bevel=0.008,
            skip=("-x",),
        )
    b.use(Material("paper", (0.86, 0.85, 0.82))).panel(
        0.012, 0, t, w - 2 * t, h - 2 * t, image=False
    )
    m = 0.05 * kit.k if kit.rng.random() < 0.6 else 0.0
    name = "flowers" if kind == "floral" else kind
    b.use(Material("painting_" + name)).panel(0.014, 0, t + m, w - 2 * t - 2 * m, h - 2 * t - 2 * m)


@category(
    "mirror",
    "mirrors",
    "decor",
    "wall",
    colour=("brown", "black", "white", "grey", "yellow"),
    material=("wood",),
    modifier=("round", "rectangular", "oval"),
    size=("small", "medium", "large"),
)
def mirror(kit: Kit) -> None:
    b, kind = kit.b, kit.word("modifier")
    w, h = (0.62 * kit.k, 0.62 * kit.k) if kind == "round" else (0.52 * kit.k, 0.8 * kit.k)
    glass = Material("mirror")
    if kind == "rectangular":
        t = 0.05
        b.use(kit.main)
        for s in (-1, 1):
            b.box(0.015, s * (w / 2 - t / 2), 0, 0.03, t, h, bevel=0.01, skip=("-x",))
            b.box(
                0.015,
                0,
                h / 2 + s * (h / 2 - t / 2) - t / 2,
                0.03,
                w - 2 * t,
                t,
                bevel=0.01,
                skip=("-x",),
            )
        b.use(glass).panel(0.012, 0, t, w - 2 * t, h - 2 * t)
        return
    with b.at(0, 0, h / 2, yaw=math.pi / 2, roll=math.pi / 2):
        sx, sy = w / 2, h / 2
        b.use(kit.main).loft(
            circle(28),
            [
                (sx, sy, 0.0),
                (sx, sy, 0.022),
                (sx - 0.012, sy - 0.012, 0.03),
                (sx - 0.04, sy - 0.04, 0.016),
            ],
        )
    b.use(glass).disc(0.016, 0, h / 2, w / 2 - 0.04, h / 2 - 0.04, 28)


@category(
    "wall clock",
    "wall clocks",
    "decor",
    "wall",
    colour=("black", "white", "red", "blue", "green", "yellow", "brown", "grey", "orange"),
    material=("plastic", "wood", "metal"),
)
def wall_clock(kit: Kit) -> None:
    r = kit.u(0.14, 0.19)
    with kit.b.at(0, 0, r, yaw=math.pi / 2, roll=math.pi / 2):
        kit.b.use(kit.main).loft(
            circle(24), [(r, 0.0), (r, 0.03), (r - 0.012, 0.04), (r - 0.025, 0.024)]
        )
    kit.b.use(Material("clock_face")).disc(0.025, 0, r, r - 0.02, r - 0.02, 24)


@category(
    "clock",
    "clocks",
    "decor",
    "on",
    colour=("black", "white", "red", "blue", "green", "yellow", "pink", "brown"),
    material=("plastic", "wood", "metal"),
    modifier=("alarm", "digital"),
)
def clock(kit: Kit) -> None:
    b = kit.b
    b.use(kit.main)
    if kit.word("modifier") == "digital":
        b.box(0, 0, 0, 0.06, 0.16, 0.08, bevel=0.01)
        b.use(Material("digits", emission=0.8)).panel(0.0305, 0, 0.012, 0.14, 0.056)
        return
    r = 0.055
    z = r + 0.02
    with b.at(-0.022, 0, z, yaw=math.pi / 2, roll=math.pi / 2):
        b.loft(circle(16), [(0, 0.0), (r, 0.0), (r, 0.044), (r - 0.006, 0.044)])
    for s in (-1, 1):
        b.tube([(0, s * 0.035, 0.03), (0, s * 0.05, 0)], 0.007, 5)
        b.use(kit.steel(1.2)).sphere(0, s * 0.033, z + r + 0.006, 0.02, 0.024, 0.018, 8, 4)
        b.use(kit.main)
    b.use(Material("clock_face")).disc(0.0225, 0, z, r - 0.003, r - 0.003, 16)


@category(
    "vase",
    "vases",
    "decor",
    "on",
    colour=ALL_COLOURS,
    material=("ceramic", "ceramic", "glass"),
    pattern=("plain", "plain", "plain", "striped", "dotted", "floral", "zigzag"),
    state=("empty", "with flowers"),
    size=("small", "medium", "large"),
)
def vase(kit: Kit) -> None:
    kit.b.zoom = 0.5
    b, k = kit.b, kit.k
    r, h = 0.075 * k, 0.26 * k
    style = kit.one_of("belly", "tall", "flare")
    profile = {
        "belly": [
            (0, 0),
            (0.6, 0),
            (0.85, 0.15),
            (1.0, 0.38),
            (0.85, 0.62),
            (0.45, 0.82),
            (0.42, 0.9),
            (0.58, 1.0),
            (0.48, 1.0),
            (0.3, 0.85),
        ],
        "tall": [
            (0, 0),
            (0.6, 0),
            (0.65, 0.05),
            (0.62, 0.5),
            (0.75, 0.85),
            (0.7, 0.95),
            (0.6, 1.0),
            (0.52, 1.0),
            (0.4, 0.85),
        ],
        "flare": [
            (0, 0),
            (0.5, 0),
            (0.55, 0.04),
            (0.4, 0.3),
            (0.5, 0.6),
            (0.95, 1.0),
            (0.87, 1.0),
            (0.35, 0.55),
        ],
    }[style]
    b.use(kit.main).lathe([(p * r, z * h) for p, z in profile], 14)
    if kit.word("state") == "with flowers":
        colour = kit.one_of("red", "yellow", "pink", "white", "purple", "orange")
        for i in range(5):
            a = i * 2.39996
            x, y = 0.07 * k * math.cos(a), 0.07 * k * math.sin(a)
            z = h + k * kit.u(0.08, 0.17)
            b.use(Material("plain", (0.07, 0.25, 0.05))).tube(
                [(0, 0, h * 0.85), (x, y, z)], 0.004, 3, caps=False
            )
            b.use(kit.paint(colour, "plastic")).lathe(
                [(0, z), (0.03 * k, z + 0.012 * k), (0.022 * k, z + 0.03 * k), (0, z + 0.022 * k)],
                6,
                x,
                y,
            )


@category(
    "piano",
    "pianos",
    "furniture",
    colour=("black", "black", "brown", "white"),
    material=("wood",),
)
def piano(kit: Kit) -> None:
    """An upright piano; the keys are on the +x side."""
    b = kit.b
    w, h = 1.48, kit.u(1.15, 1.28)
    b.use(kit.main)
    b.box(-0.15, 0, 0.08, 0.34, w, h - 0.11, bevel=0.01)
    b.box(-0.14, 0, h - 0.03, 0.38, w + 0.04, 0.03, bevel=0.008)
    for s in (-1, 1):
        b.box(0.05, s * (w / 2 - 0.03), 0, 0.66, 0.06, 0.10)
        b.box(0.17, s * (w / 2 - 0.04), 0.56, 0.34, 0.08, 0.20, bevel=0.015)
        b.box(0.28, s * (w / 2 - 0.06), 0.08, 0.07, 0.07, 0.50)
    b.box(0.15, 0, 0.56, 0.30, w - 0.1, 0.09)
    b.use(Material("plain", (0.88, 0.87, 0.82))).box(0.21, 0, 0.65, 0.16, w - 0.18, 0.02)
    black = Material("plain", (0.01, 0.01, 0.012))
    white_w = (w - 0.18) / 35
    b.use(black)
    for i in range(35):
        if i % 7 not in (2, 6):
            b.box(
                0.175,
                -(w - 0.18) / 2 + (i + 1) * white_w,
                0.67,
                0.09,
                white_w * 0.55,
                0.012,
                skip=("-z", "-x"),
            )
    b.use(kit.main).box(0.04, 0, 0.90, 0.02, 0.7, 0.2)
    b.use(Material("page")).panel(0.055, -0.12, 0.92, 0.22, 0.28)
    b.use(Material("page")).panel(0.055, 0.12, 0.92, 0.22, 0.28)
    b.use(Material("plain", (0.6, 0.42, 0.12)))
    for y in (-0.08, 0.0, 0.08):
        b.box(0.06, y, 0.03, 0.12, 0.035, 0.015)
    kit.stand(-0.14, 0, h, 0.28, w * 0.9, 0.6)


@category(
    "fireplace",
    "fireplaces",
    "furniture",
    colour=("white", "grey", "beige", "brown", "black"),
    material=("marble", "wood"),
    state=("lit", "unlit"),
)
def fireplace(kit: Kit) -> None:
    b = kit.b
    w, h, d = kit.u(1.25, 1.5), kit.u(1.08, 1.2), 0.36
    b.use(kit.main)
    for s in (-1, 1):
        b.box(0, s * (w / 2 - 0.13), 0, d, 0.26, h - 0.06, bevel=0.01)
        b.box(d / 2, s * (w / 2 - 0.13), 0.12, 0.03, 0.16, h - 0.40, bevel=0.008)
    b.box(0, 0, h - 0.32, d, w - 0.5, 0.26, bevel=0.01)
    b.box(0.03, 0, h - 0.06, d + 0.10, w + 0.14, 0.06, bevel=0.012)
    b.box(0.06, 0, 0, d + 0.12, w - 0.52, 0.05)
    b.use(Material("bricks", (0.5, 0.5, 0.5))).box(-d / 2 + 0.02, 0, 0.05, 0.04, w - 0.5, h - 0.35)
    b.use(Material("bricks", (0.4, 0.4, 0.4)))
    for s in (-1, 1):
        b.box(-0.02, s * (w / 2 - 0.275), 0.05, d - 0.06, 0.03, h - 0.36)
    b.use(kit.wood(0.6, dark=True))
    for i in range(3):
        y = (i - 1) * 0.16
        b.tube(
            [(-0.05, y - 0.14, 0.09 + 0.05 * (i % 2)), (0.07, y + 0.16, 0.11 + 0.04 * (i % 2))],
            0.04,
            6,
        )
    if kit.word("state") == "lit":
        b.use(Material("flame", emission=1.4))
        b.panel(-0.09, 0, 0.06, w - 0.58, 0.55)
        kit.glow((0.2, 0.0, 0.3), 0.45, (1.0, 0.55, 0.22))
    kit.stand(0.03, 0, h, d * 0.8, w * 0.95, 0.8)
