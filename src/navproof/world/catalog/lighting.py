"""Lamps and ceiling fixtures; a lit one glows and carries a light."""

from __future__ import annotations

import math

from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import WARM, shade_lamp
from navproof.world.scene import Material

__all__: list[str] = []

_SHADES = (
    "white",
    "white",
    "beige",
    "black",
    "red",
    "orange",
    "yellow",
    "green",
    "blue",
    "pink",
    "purple",
    "turquoise",
)
_STATE = ("on", "off")


@category(
    "floor lamp",
    "floor lamps",
    "lighting",
    colour=_SHADES,
    material=("fabric",),
    state=_STATE,
    modifier=("standing", "tripod", "arched"),
)
def floor_lamp(kit: Kit) -> None:
    b, on = kit.b, kit.word("state") == "on"
    h, style = kit.u(1.48, 1.68), kit.word("modifier")
    pole = kit.one_of("steel", "dark", "wood")
    b.use({"steel": kit.steel(), "dark": kit.dark(), "wood": kit.wood()}[pole])
    x = 0.0
    if style == "tripod":
        for i in range(3):
            a = 2 * math.pi * i / 3
            b.tube(
                [
                    (0.28 * math.cos(a), 0.28 * math.sin(a), 0),
                    (0.02 * math.cos(a), 0.02 * math.sin(a), h - 0.3),
                ],
                0.014,
                5,
            )
        b.cylinder(0, 0, h - 0.34, 0.035, 0.12, 8)
    elif style == "arched":
        x = 0.62
        b.cylinder(0, 0, 0, 0.15, 0.04, 14)
        b.tube(
            [(0, 0, 0.03), (0, 0, h - 0.35)]
            + [
                (0.31 - 0.31 * math.cos(t), 0, h - 0.35 + 0.31 * math.sin(t))
                for t in (0.5, 1.0, 1.57, 2.1, 2.7)
            ]
            + [(x, 0, h - 0.32)],
            0.011,
            6,
        )
    else:
        b.lathe([(0, 0), (0.15, 0), (0.15, 0.02), (0.03, 0.035), (0, 0.035)], 16)
        b.cylinder(0, 0, 0.03, 0.012, h - 0.25, 6, caps="none")
    bottom, top, tall = kit.u(0.18, 0.22), kit.u(0.12, 0.17), kit.u(0.24, 0.30)
    z = h - tall if style != "arched" else h - 0.5
    with b.at(x, 0, 0):
        shade_lamp(kit, z, bottom, top, tall, on, kit.main)
    if on:
        kit.glow((x, 0.0, z + tall / 2), 0.6, WARM)


@category(
    "table lamp",
    "table lamps",
    "lighting",
    "on",
    colour=_SHADES,
    material=("fabric",),
    state=_STATE,
    size=("small", "medium", "large"),
)
def table_lamp(kit: Kit) -> None:
    b, on, k = kit.b, kit.word("state") == "on", kit.k
    style = kit.one_of("urn", "stick", "ball")
    b.use(
        kit.paint(kit.one_of("white", "blue", "grey", "brown", "green"), "ceramic")
        if style != "stick"
        else kit.steel()
    )
    h = 0.44 * k
    if style == "urn":
        b.lathe(
            [
                (0, 0),
                (0.055 * k, 0),
                (0.06 * k, 0.015 * k),
                (0.035 * k, 0.03 * k),
                (0.07 * k, 0.11 * k),
                (0.06 * k, 0.17 * k),
                (0.015 * k, 0.22 * k),
                (0.012 * k, 0.28 * k),
            ],
            12,
        )
    elif style == "ball":
        b.lathe([(0, 0), (0.06 * k, 0), (0.06 * k, 0.01 * k), (0.05 * k, 0.015 * k)], 12)
        b.sphere(0, 0, 0.11 * k, 0.085 * k, 0.085 * k, 0.1 * k, 12, 6)
        b.cylinder(0, 0, 0.2 * k, 0.012 * k, 0.08 * k, 6, caps="none")
    else:
        b.lathe(
            [
                (0, 0),
                (0.075 * k, 0),
                (0.075 * k, 0.012 * k),
                (0.012 * k, 0.02 * k),
                (0.01 * k, 0.28 * k),
            ],
            12,
        )
    tall = 0.18 * k
    shade_lamp(kit, h - tall, 0.135 * k, 0.085 * k, tall, on, kit.main)
    if on:
        kit.glow((0.0, 0.0, h - tall / 2), 0.35, WARM)


@category(
    "ceiling light",
    "ceiling lights",
    "lighting",
    "ceiling",
    colour=("white",),
    material=("glass",),
    state=("on", "on", "off"),
    modifier=("round", "square", "long"),
)
def ceiling_light(kit: Kit) -> None:
    b, on = kit.b, kit.word("state") == "on"
    lens = (
        Material("plain", (1.0, 0.97, 0.90), emission=1.0)
        if on
        else Material("plain", (0.72, 0.72, 0.70))
    )
    kind = kit.word("modifier")
    if kind == "round":
        r = kit.u(0.16, 0.22)
        b.use(kit.steel()).lathe([(r + 0.01, -0.035), (r + 0.01, 0.0)], 18)
        b.use(lens).lathe([(0, -0.09), (r * 0.55, -0.078), (r * 0.9, -0.05), (r, -0.03)], 18)
    else:
        sx, sy = (kit.u(0.5, 0.6),) * 2 if kind == "square" else (0.3, 1.2)
        b.use(Material("plain", (0.85, 0.85, 0.85))).box(
            0, 0, -0.06, sx, sy, 0.06, skip=("+z", "-z")
        )
        b.use(lens).box(0, 0, -0.068, sx - 0.03, sy - 0.03, 0.01, skip=("+z",))
        b.use(Material("plain", (0.85, 0.85, 0.85))).quad(
            [
                (-sx / 2, -sy / 2, -0.06),
                (-sx / 2, sy / 2, -0.06),
                (sx / 2, sy / 2, -0.06),
                (sx / 2, -sy / 2, -0.06),
            ]
        )
    if on:
        kit.glow((0.0, 0.0, -0.15), 1.0, (1.0, 0.95, 0.86))


@category(
    "pendant lamp",
    "pendant lamps",
    "lighting",
    "ceiling",
    colour=_SHADES,
    material=("metal", "fabric", "glass"),
    state=("on", "on", "off"),
    modifier=("cone", "drum", "globe"),
    lengths={"drop_m": (0.3, 2.0)},
)
def pendant_lamp(kit: Kit) -> None:
    b, on = kit.b, kit.word("state") == "on"
    if kit.word("modifier") == "globe" and kit.word("material") != "glass":
        kit.prefer(
            "modifier" if "material" in kit.wanted else "material",
            "cone" if "material" in kit.wanted else "glass",
        )
    drop, r, kind = kit.length("drop_m", 0.6, 0.95), kit.u(0.16, 0.22), kit.word("modifier")
    b.use(kit.dark()).cylinder(0, 0, -0.025, 0.05, 0.025, 10, caps="bottom")
    tall = {"cone": r * 0.9, "drum": r * 1.0, "globe": r * 1.6}[kind]
    b.tube([(0, 0, -drop + tall), (0, 0, 0)], 0.005, 4, caps=False)
    if kind == "globe":
        look = kit.main
        glow = Material(look.texture, look.tint, look.tint2, 0.9 if on else 0.0)
        b.use(glow).sphere(0, 0, -drop + tall / 2, r * 0.8, r * 0.8, tall / 2, 14, 8)
    elif kind == "drum":
        shade_lamp(kit, -drop, r, r, tall, on, kit.main, 18)
    else:
        shade_lamp(kit, -drop, r, 0.03, tall, on, kit.main, 18)
    if on:
        kit.glow((0.0, 0.0, -drop + tall * 0.3), 0.8, WARM)


@category(
    "ceiling fan",
    "ceiling fans",
    "lighting",
    "ceiling",
    colour=("white", "brown", "black", "beige", "grey"),
    material=("wood",),
    blades=(3, 4, 5),
    state=("on", "off"),
)
def ceiling_fan(kit: Kit) -> None:
    """A ceiling fan; ``state`` is that of its lamp."""
    b, on = kit.b, kit.word("state") == "on"
    n = kit.count("blades")
    b.use(kit.steel(0.8))
    b.cylinder(0, 0, -0.05, 0.06, 0.05, 10, caps="bottom")
    b.cylinder(0, 0, -0.22, 0.015, 0.18, 6, caps="none")
    b.lathe(
        [(0, -0.34), (0.07, -0.34), (0.10, -0.31), (0.10, -0.25), (0.05, -0.22), (0, -0.22)], 12
    )
    for i in range(n):
        with b.at(0, 0, -0.27, yaw=2 * math.pi * i / n, roll=0.12):
            b.use(kit.steel(0.8)).box(0.13, 0, 0, 0.12, 0.03, 0.01)
            b.use(kit.main).box(0.40, 0, 0, 0.46, 0.13, 0.012, bevel=0.004)
    look = (
        Material("plain", (1.0, 0.94, 0.84), emission=1.0)
        if on
        else Material("plain", (0.75, 0.75, 0.73))
    )
    b.use(look).lathe([(0, -0.42), (0.06, -0.41), (0.09, -0.37), (0.07, -0.34)], 12)
    if on:
        kit.glow((0.0, 0.0, -0.45), 0.9, (1.0, 0.93, 0.82))


@category(
    "candle",
    "candles",
    "decor",
    "on",
    colour=(
        "white",
        "white",
        "red",
        "green",
        "blue",
        "purple",
        "yellow",
        "pink",
        "orange",
        "beige",
    ),
    material=("wax",),
    state=("lit", "unlit"),
    size=("small", "medium", "large"),
)
def candle(kit: Kit) -> None:
    b = kit.b
    r, h = 0.034, 0.14 * kit.k * kit.k
    b.use(kit.steel(1.1)).lathe(
        [(0, 0), (0.055, 0), (0.065, 0.012), (0.058, 0.012), (0.05, 0.006), (0, 0.006)], 12
    )
    b.use(kit.main).lathe(
        [(r, 0.006), (r, h - 0.004), (r - 0.004, h), (0.01, h - 0.006), (0, h - 0.007)], 12
    )
    b.use(kit.dark()).cylinder(0, 0, h - 0.007, 0.002, 0.018, 4)
    if kit.word("state") == "lit":
        b.use(kit.lit((1.0, 0.62, 0.16), 1.8)).lathe(
            [(0, h + 0.008), (0.010, h + 0.022), (0.006, h + 0.042), (0, h + 0.058)], 8
        )
        kit.glow((0.0, 0.0, h + 0.04), 0.08, (1.0, 0.70, 0.35))
