"""Screens, sound, office machines and the small appliances of a kitchen. Screens face +x."""

from __future__ import annotations

import math

import numpy as np

from navproof.world.catalog.category import Kit, category
from navproof.world.meshing import rounded_rectangle
from navproof.world.scene import Material
from navproof.world.textures.palette import shade

__all__: list[str] = []


def _screen(on: bool, name: str) -> Material:
    return Material(name, emission=0.75) if on else Material("screen_off")


@category(
    "tv",
    "tvs",
    "electronics",
    "on",
    colour=("black", "black", "grey"),
    material=("plastic",),
    state=("on", "off"),
    size=("small", "medium", "large"),
)
def tv(kit: Kit) -> None:
    b, k = kit.b, kit.k
    w, h = 1.0 * k, 0.58 * k
    z = 0.07
    b.use(kit.main).box(0, 0, z, 0.045, w, h, bevel=0.006)
    b.use(_screen(kit.word("state") == "on", "screen_tv")).panel(
        0.0235, 0, z + 0.02, w - 0.03, h - 0.04
    )
    b.use(kit.dark())
    b.box(0, 0, 0.015, 0.03, 0.10, 0.07)
    b.box(0, 0, 0, 0.22, w * 0.42, 0.016, bevel=0.004)


@category(
    "monitor",
    "monitors",
    "electronics",
    "on",
    colour=("black", "black", "white", "grey"),
    material=("plastic",),
    state=("on", "off"),
)
def monitor(kit: Kit) -> None:
    b = kit.b
    w = kit.u(0.52, 0.64)
    h = w * 0.59
    b.use(kit.main).box(0, 0, 0.12, 0.03, w, h, bevel=0.005)
    b.use(_screen(kit.word("state") == "on", "screen_desktop")).panel(
        0.0155, 0, 0.135, w - 0.025, h - 0.03
    )
    b.use(kit.steel(0.8) if kit.word("colour") != "grey" else kit.dark())
    b.box(-0.04, 0, 0.01, 0.025, 0.06, 0.25)
    b.box(-0.02, 0, 0, 0.19, 0.24, 0.014, bevel=0.004)


@category(
    "laptop",
    "laptops",
    "electronics",
    "on",
    colour=("grey", "grey", "black", "white", "red", "blue", "pink"),
    material=("metal", "plastic"),
    state=("open", "open", "closed"),
)
def laptop(kit: Kit) -> None:
    b = kit.b
    w = kit.u(0.31, 0.37)
    d = w * 0.68
    b.use(kit.main).box(0, 0, 0, d, w, 0.016, bevel=0.004)
    if kit.word("state") == "closed":
        b.box(0, 0, 0.017, d, w, 0.009, bevel=0.003)
        b.use(kit.steel(1.3) if kit.word("colour") != "white" else kit.dark()).cylinder(
            0, 0, 0.026, 0.018, 0.001, 10, caps="top"
        )
        return
    dark = (
        Material("keys", (0.015, 0.015, 0.018), (0.10, 0.10, 0.11))
        if kit.word("colour") != "black"
        else Material("keys", (0.03, 0.03, 0.033), (0.22, 0.22, 0.23))
    )
    x0, x1 = -d * 0.42, d * 0.08
    b.use(dark).quad(
        [
            (x1, -w * 0.45, 0.0165),
            (x1, w * 0.45, 0.0165),
            (x0, w * 0.45, 0.0165),
            (x0, -w * 0.45, 0.0165),
        ],
        image=True,
    )
    b.use(kit.steel(0.6)).quad(
        [
            (d * 0.42, -w * 0.14, 0.0165),
            (d * 0.42, w * 0.14, 0.0165),
            (d * 0.14, w * 0.14, 0.0165),
            (d * 0.14, -w * 0.14, 0.0165),
        ]
    )
    with b.at(-d / 2 + 0.006, 0, 0.014, pitch=-kit.u(0.25, 0.42)):
        b.use(kit.main).box(0, 0, 0, 0.009, w, d, bevel=0.003)
        b.use(_screen(True, "screen_desktop")).panel(0.005, 0, 0.012, w - 0.022, d - 0.024)


@category(
    "keyboard",
    "keyboards",
    "electronics",
    "on",
    colour=("black", "black", "white", "grey", "pink", "blue"),
    material=("plastic",),
)
def keyboard(kit: Kit) -> None:
    b, w, d = kit.b, kit.u(0.38, 0.45), 0.14
    b.use(kit.main)
    with b.at(pitch=0.05):
        b.box(0, 0, 0, d, w, 0.018, bevel=0.004)
        light = kit.word("colour") in ("white", "pink")
        keys = Material(
            "keys",
            shade(kit.main.tint, 0.45),
            (0.92, 0.92, 0.92) if not light else (0.25, 0.25, 0.27),
        )
        if kit.word("colour") == "black":
            keys = Material("keys", (0.012, 0.012, 0.014), (0.085, 0.085, 0.09))
        b.use(keys).quad(
            [
                (d / 2 - 0.008, -w / 2 + 0.008, 0.0185),
                (d / 2 - 0.008, w / 2 - 0.008, 0.0185),
                (-d / 2 + 0.008, w / 2 - 0.008, 0.0185),
                (-d / 2 + 0.008, -w / 2 + 0.008, 0.0185),
            ],
            image=True,
        )


@category(
    "phone",
    "phones",
    "electronics",
    "on",
    colour=("black", "white", "red", "blue", "pink", "yellow", "green", "grey"),
    material=("plastic", "glass"),
    modifier=("mobile", "desk"),
)
def phone(kit: Kit) -> None:
    b = kit.b
    if kit.word("modifier") == "mobile":
        if kit.word("material") == "plastic":
            look = kit.main
        else:
            look = kit.paint(kit.word("colour"), "plastic")
        b.use(look).extrude(rounded_rectangle(0.155, 0.076, 0.012, 2), 0, 0.009)
        b.use(Material("phone", emission=0.5)).quad(
            [
                (0.072, -0.034, 0.0095),
                (0.072, 0.034, 0.0095),
                (-0.072, 0.034, 0.0095),
                (-0.072, -0.034, 0.0095),
            ],
            image=True,
        )
        return
    with b.at(pitch=0.2):
        b.use(kit.main).box(0, 0, 0.02, 0.20, 0.17, 0.045, bevel=0.012)
        b.use(
            Material("keys", (0.9, 0.9, 0.9), (0.05, 0.05, 0.06))
            if kit.word("colour") != "white"
            else Material("keys", (0.2, 0.2, 0.2), (0.9, 0.9, 0.9))
        )
        b.quad(
            [
                (0.085, -0.02, 0.0655),
                (0.085, 0.07, 0.0655),
                (-0.03, 0.07, 0.0655),
                (-0.03, -0.02, 0.0655),
            ],
            image=True,
        )
        b.use(Material("plain", (0.10, 0.16, 0.14))).quad(
            [
                (-0.045, -0.02, 0.0655),
                (-0.045, 0.07, 0.0655),
                (-0.085, 0.07, 0.0655),
                (-0.085, -0.02, 0.0655),
            ]
        )
        b.use(kit.main)
        b.tube(
            [
                (-0.09, -0.058, 0.075),
                (-0.06, -0.058, 0.09),
                (0.06, -0.058, 0.09),
                (0.09, -0.058, 0.075),
            ],
            [0.022, 0.016, 0.016, 0.022],
            6,
        )


@category(
    "speaker",
    "speakers",
    "electronics",
    "on",
    colour=("black", "black", "brown", "white", "grey", "red"),
    material=("wood", "plastic"),
    size=("small", "medium", "large"),
)
def speaker(kit: Kit) -> None:
    b, k = kit.b, kit.k
    sx, sy, h = 0.21 * k, 0.18 * k, 0.31 * k
    b.use(kit.main).box(0, 0, 0, sx, sy, h, bevel=0.008)
    for z, r in ((0.34, 0.38), (0.76, 0.2)):
        with b.at(sx / 2, 0, h * z, pitch=math.pi / 2):
            b.use(kit.steel(0.7)).lathe(
                [(r * sy + 0.008, 0), (r * sy + 0.004, 0.005), (r * sy, 0.004)], 14
            )
            cone = (
                Material("plain", (0.05, 0.05, 0.055))
                if kit.word("colour") != "black"
                else Material("plain", (0.16, 0.16, 0.17))
            )
            b.use(cone).lathe([(r * sy, 0.004), (r * sy * 0.35, 0.0005), (0, 0.004)], 14)


@category(
    "printer",
    "printers",
    "electronics",
    "on",
    colour=("white", "white", "grey", "black"),
    material=("plastic",),
)
def printer(kit: Kit) -> None:
    b = kit.b
    w, d, h = kit.u(0.42, 0.48), kit.u(0.36, 0.40), kit.u(0.20, 0.25)
    b.use(kit.main).box(0, 0, 0, d, w, h, bevel=0.02)
    b.box(-0.03, 0, h - 0.005, d - 0.1, w - 0.04, 0.025, bevel=0.008)
    b.use(kit.dark() if kit.word("colour") != "black" else kit.steel(0.6)).box(
        d / 2 - 0.02, 0, h * 0.28, 0.05, w * 0.72, h * 0.28
    )
    b.box(d / 2 - 0.03, w * 0.33, h + 0.002, 0.05, 0.11, 0.012)
    b.use(Material("screen_desktop", emission=0.3)).quad(
        [
            (d / 2 - 0.008, w * 0.33 - 0.045, h + 0.0145),
            (d / 2 - 0.008, w * 0.33 + 0.045, h + 0.0145),
            (d / 2 - 0.05, w * 0.33 + 0.045, h + 0.0145),
            (d / 2 - 0.05, w * 0.33 - 0.045, h + 0.0145),
        ],
        image=True,
    )
    b.use(Material("paper", (0.92, 0.92, 0.9))).box(d / 2 + 0.05, 0, h * 0.30, 0.14, 0.22, 0.008)
    with b.at(-d / 2 + 0.05, 0, h, pitch=-0.35):
        b.use(Material("paper", (0.92, 0.92, 0.9))).box(0, 0, 0, 0.006, 0.22, 0.17)


@category(
    "radio",
    "radios",
    "electronics",
    "on",
    colour=("red", "brown", "black", "white", "blue", "green", "yellow", "orange", "turquoise"),
    material=("wood", "plastic"),
)
def radio(kit: Kit) -> None:
    b = kit.b
    w, h, d = kit.u(0.26, 0.32), 0.16, 0.10
    b.use(kit.main).box(0, 0, 0, d, w, h, bevel=0.018)
    x = d / 2
    b.use(Material("grille", (0.75, 0.70, 0.58))).panel(
        x + 0.001, -w * 0.2, 0.025, w * 0.48, h - 0.05, image=False
    )
    b.use(Material("plain", (0.85, 0.78, 0.55), emission=0.2)).panel(
        x + 0.001, w * 0.26, h * 0.58, w * 0.36, h * 0.24, image=False
    )
    b.use(Material("plain", (0.6, 0.05, 0.04))).panel(
        x + 0.002, w * 0.22, h * 0.59, 0.004, h * 0.22, image=False
    )
    b.use(kit.steel(1.1))
    for y in (w * 0.15, w * 0.36):
        with b.at(x, y, h * 0.30, pitch=math.pi / 2):
            b.cylinder(0, 0, 0, 0.022, 0.018, 10, caps="top")
    b.tube([(-0.02, w / 2 - 0.03, h), (-0.03, w / 2 + 0.03, h + 0.13)], 0.003, 4)
    b.tube(
        [
            (0, -w * 0.35, h - 0.01),
            (0, -w * 0.33, h + 0.035),
            (0, w * 0.33, h + 0.035),
            (0, w * 0.35, h - 0.01),
        ],
        0.008,
        5,
    )


@category(
    "kettle",
    "kettles",
    "appliance",
    "on",
    colour=("grey", "black", "white", "red", "blue", "turquoise", "yellow", "green"),
    material=("metal", "plastic"),
)
def kettle(kit: Kit) -> None:
    b = kit.b
    b.use(kit.dark()).cylinder(0, 0, 0, 0.085, 0.02, 14)
    b.use(kit.main).lathe(
        [(0.08, 0.02), (0.09, 0.04), (0.082, 0.14), (0.06, 0.205), (0.055, 0.215), (0.0, 0.23)], 16
    )
    b.tube([(0.05, 0, 0.15), (0.10, 0, 0.19), (0.115, 0, 0.215)], [0.03, 0.016, 0.012], 6)
    b.use(kit.dark() if kit.word("colour") != "black" else kit.steel())
    b.sphere(0, 0, 0.237, 0.016, 0.016, 0.012, 8, 4)
    b.tube(
        [
            (-0.05, 0, 0.205),
            (-0.11, 0, 0.215),
            (-0.135, 0, 0.16),
            (-0.125, 0, 0.08),
            (-0.085, 0, 0.055),
        ],
        0.013,
        6,
    )


@category(
    "toaster",
    "toasters",
    "appliance",
    "on",
    colour=("grey", "white", "red", "black", "blue", "yellow", "turquoise", "green"),
    material=("metal", "plastic"),
    state=("empty", "with toast"),
)
def toaster(kit: Kit) -> None:
    b = kit.b
    sx, sy, h = 0.18, kit.u(0.26, 0.30), 0.19
    b.use(kit.dark()).box(0, 0, 0, sx - 0.02, sy - 0.02, 0.02, skip=("-z",))
    b.use(kit.main).box(0, 0, 0.015, sx, sy, h - 0.015, bevel=0.03)
    for x in (-0.035, 0.035):
        b.use(kit.dark() if kit.word("colour") != "black" else kit.steel(0.5)).box(
            x, 0, h - 0.001, 0.032, sy - 0.10, 0.003, skip=("-z",)
        )
        if kit.word("state") == "with toast":
            b.use(Material("paper", (0.55, 0.30, 0.10))).box(
                x, 0, h - 0.01, 0.018, 0.12, 0.06, bevel=0.006
            )
    b.use(kit.dark() if kit.word("colour") != "black" else kit.steel())
    b.box(0, sy / 2 + 0.012, h * 0.62, 0.05, 0.028, 0.018)
    with b.at(0.04, sy / 2, 0.06, roll=-math.pi / 2):
        b.cylinder(0, 0, 0, 0.016, 0.014, 8, caps="top")


@category(
    "microwave",
    "microwaves",
    "appliance",
    "on",
    colour=("grey", "white", "black", "red"),
    material=("metal", "plastic"),
    state=("closed", "closed", "open"),
)
def microwave(kit: Kit) -> None:
    b = kit.b
    w, h, d = kit.u(0.46, 0.52), kit.u(0.27, 0.30), 0.36
    b.use(kit.main).box(-0.01, 0, 0.012, d - 0.02, w, h - 0.012, bevel=0.006)
    b.use(kit.dark())
    for y in (-w / 2 + 0.05, w / 2 - 0.05):
        b.box(0, y, 0, d - 0.1, 0.04, 0.013, skip=("+z",))
    x = d / 2 - 0.02
    door = w * 0.72
    y0 = -w / 2 + door / 2
    opened = kit.word("state") == "open"
    b.use(
        Material("plain", (0.035, 0.035, 0.04))
        if kit.word("colour") != "black"
        else Material("plain", (0.2, 0.2, 0.21))
    ).panel(x + 0.002, w / 2 - (w - door) / 2, 0.02, w - door - 0.012, h - 0.03, image=False)
    b.use(Material("digits", emission=0.5)).panel(
        x + 0.004, w / 2 - (w - door) / 2, h * 0.76, (w - door) * 0.7, 0.03
    )
    b.use(Material("keys", (0.03, 0.03, 0.03), (0.6, 0.6, 0.6))).panel(
        x + 0.004, w / 2 - (w - door) / 2, 0.05, (w - door) * 0.7, h * 0.5
    )
    if opened:
        b.use(Material("plain", (0.75, 0.74, 0.66), emission=0.25)).panel(
            x + 0.002, y0, 0.03, door - 0.04, h - 0.05, image=False
        )
        b.use(Material("glass", (0.8, 0.9, 0.9))).box(x + 0.004, y0, 0.05, 0.006, door * 0.7, 0.012)
    with b.at(x, -w / 2, 0, yaw=-1.5 if opened else 0.0):
        b.use(kit.main).box(0.012, door / 2, 0.014, 0.024, door - 0.006, h - 0.018, bevel=0.005)
        b.use(Material("screen_off")).panel(0.0245, door / 2 - 0.01, 0.05, door * 0.72, h - 0.09)
        b.use(kit.steel(1.1)).box(0.036, door - 0.03, 0.05, 0.02, 0.016, h - 0.09, skip=())


@category(
    "coffee machine",
    "coffee machines",
    "appliance",
    "on",
    colour=("black", "grey", "red", "white", "turquoise"),
    material=("metal", "plastic"),
)
def coffee_machine(kit: Kit) -> None:
    b = kit.b
    w, d, h = 0.22, 0.28, kit.u(0.33, 0.38)
    b.use(kit.main)
    b.box(0, 0, 0, d, w, 0.05, bevel=0.008)
    b.box(-d / 2 + 0.05, 0, 0.05, 0.10, w, h - 0.12, skip=("+z", "-z"))
    b.box(0, 0, h - 0.12, d, w, 0.12, bevel=0.012)
    b.use(kit.steel(0.9) if kit.word("colour") != "grey" else kit.dark()).box(
        0.05, 0, 0.05, 0.15, w - 0.04, 0.006
    )
    b.cylinder(0.06, 0, h - 0.16, 0.03, 0.04, 8)
    b.use(Material("glass", (0.30, 0.20, 0.14))).lathe(
        [(0, 0.056), (0.055, 0.056), (0.062, 0.09), (0.045, 0.14), (0.045, 0.15), (0, 0.15)],
        12,
        0.06,
        0,
    )
    b.use(kit.dark()).tube([(0.115, 0, 0.135), (0.145, 0, 0.12), (0.115, 0, 0.075)], 0.008, 5)
    b.use(Material("digits", emission=0.5)).panel(d / 2 + 0.001, 0.03, h - 0.085, 0.08, 0.035)
    b.use(kit.steel(1.2))
    for y in (-0.06, -0.03):
        with b.at(d / 2, y, h - 0.07, pitch=math.pi / 2):
            b.cylinder(0, 0, 0, 0.011, 0.008, 8, caps="top")


@category(
    "cash register",
    "cash registers",
    "commercial",
    "on",
    colour=("grey", "black", "white", "beige"),
    material=("plastic", "metal"),
)
def cash_register(kit: Kit) -> None:
    """The keys are on the +x side, where the cashier stands."""
    b = kit.b
    w, d = 0.40, 0.42
    b.use(kit.main).box(0, 0, 0, d, w, 0.11, bevel=0.008)
    b.use(kit.dark()).box(d / 2, 0, 0.05, 0.012, 0.10, 0.02)
    b.use(kit.main)
    outline = np.array([(0.18, 0.11), (-0.18, 0.24), (-0.18, 0.11)])
    with b.at(0, -w / 2 + 0.03, 0, roll=math.pi / 2, pitch=0.0):
        b.extrude(outline, -(w - 0.06), 0.0)
    t = math.atan2(0.13, 0.36)
    with b.at(0.0, 0, 0.178, pitch=t):
        b.use(Material("keys", (0.06, 0.06, 0.065), (0.85, 0.85, 0.82))).quad(
            [
                (0.15, -w * 0.38, 0.0),
                (0.15, w * 0.2, 0.0),
                (-0.08, w * 0.2, 0.0),
                (-0.08, -w * 0.38, 0.0),
            ],
            image=True,
        )
        b.use(Material("paper", (0.95, 0.95, 0.93))).box(-0.10, w * 0.32, 0, 0.005, 0.08, 0.10)
    b.use(kit.main).box(-0.17, 0, 0.22, 0.05, 0.06, 0.10)
    b.box(-0.17, 0, 0.31, 0.05, 0.24, 0.09, bevel=0.006)
    b.use(Material("digits", emission=0.7)).panel(-0.1445, 0, 0.325, 0.2, 0.06)
