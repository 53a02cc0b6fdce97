"""Small things that stand on other things, and what one carries about."""

from __future__ import annotations

import math

import numpy as np

from navproof.world.catalog._core import Kit, category
from navproof.world.catalog._parts import ALL_COLOURS, FABRIC_COLOURS, FABRIC_PATTERNS
from navproof.world.meshing import circle
from navproof.world.scene import Material

__all__: list[str] = []

_CHINA = ("plain", "plain", "plain", "striped", "dotted", "floral", "checkered")


@category(
    "cushion", "cushions", "textile", "on",
    colour=FABRIC_COLOURS, material=("fabric", "fabric", "leather"), pattern=FABRIC_PATTERNS, modifier=("square", "round"),
)  # fmt: skip
def cushion(kit: Kit) -> None:
    s, h = kit.u(0.38, 0.46), kit.u(0.13, 0.16)
    kit.b.use(kit.main)
    if kit.word("modifier") == "round":
        r = s / 2
        kit.b.lathe([(0, 0), (r * 0.7, h * 0.08), (r, h * 0.5), (r * 0.7, h * 0.92), (0, h)], 16)
    else:
        kit.b.cushion(0, 0, 0, s, s, h, (5, 5, 2), 4)


@category(
    "pillow", "pillows", "textile", "on",
    colour=("white", "white", "blue", "grey", "pink", "beige", "green", "yellow", "purple"), material=("fabric",), pattern=FABRIC_PATTERNS,
)  # fmt: skip
def pillow(kit: Kit) -> None:
    kit.b.use(kit.main).cushion(0, 0, 0, kit.u(0.40, 0.46), kit.u(0.60, 0.70), 0.15, (4, 5, 2), 4)


@category(
    "book", "books", "media", "on",
    colour=ALL_COLOURS, material=("paper",), state=("open", "closed", "closed"),
)  # fmt: skip
def book(kit: Kit) -> None:
    b = kit.b
    w, h = kit.u(0.14, 0.18), kit.u(0.20, 0.25)
    paper = Material("paper", (0.88, 0.86, 0.78))
    if kit.word("state") == "open":
        b.use(kit.main)
        for s in (-1, 1):
            b.box(0, s * w / 2, 0, h + 0.012, w + 0.006, 0.004)
        xs = (h / 2, -h / 2)
        for s in (-1, 1):
            ys = [0.0, 0.15, 0.4, 0.75, 1.0]
            zs = [0.010, 0.024, 0.024, 0.018, 0.010]
            line = [(s * w * y, z) for y, z in zip(ys, zs, strict=True)]
            if s < 0:
                line = line[::-1]
            points = np.array([[(x, y, z) for y, z in line] for x in xs])
            us = np.linspace(0, 1, 5)
            uv = np.array([[(u, 1.0) for u in us], [(u, 0.0) for u in us]])
            b.use(Material("page")).grid(points, uv)
            b.use(paper)
            for x, flip in ((h / 2, False), (-h / 2, True)):
                low = [(x, y, 0.004) for y, _ in line]
                up = [(x, y, z) for y, z in line]
                b.grid(np.array([low, up] if not flip else [low[::-1], up[::-1]]))
            edge = s * w
            b.quad([(h / 2, edge, 0.004), (-h / 2, edge, 0.004), (-h / 2, edge, 0.010), (h / 2, edge, 0.010)] if s > 0 else [(-h / 2, edge, 0.004), (h / 2, edge, 0.004), (h / 2, edge, 0.010), (-h / 2, edge, 0.010)])
        return
    t = kit.u(0.025, 0.045)
    b.use(kit.main)
    b.box(0, 0, 0, h, w, 0.004)
    b.box(0, 0, t - 0.004, h, w, 0.004)
    b.box(0, -w / 2 + 0.002, 0, h, 0.005, t)
    b.use(paper).box(0, 0.001, 0.004, h - 0.012, w - 0.010, t - 0.008, skip=("+z", "-z"))
    light = kit.word("colour") not in ("white", "beige", "yellow")
    ink = Material("plain", (0.85, 0.78, 0.5) if light else (0.12, 0.1, 0.1))
    z = t + 0.0006
    for x, half in ((-h * 0.22, w * 0.32), (-h * 0.10, w * 0.22), (h * 0.32, w * 0.15)):
        b.use(ink).quad([(x + 0.010, -half, z), (x + 0.010, half, z), (x - 0.010, half, z), (x - 0.010, -half, z)])


def _round_ware(kit: Kit, profile: list[tuple[float, float]], n: int = 14) -> None:
    kit.b.use(kit.main).lathe(profile, n)


@category(
    "mug", "mugs", "tableware", "on",
    colour=ALL_COLOURS, material=("ceramic",), pattern=_CHINA, state=("empty", "full"),
)  # fmt: skip
def mug(kit: Kit) -> None:
    r, h = kit.u(0.038, 0.044), kit.u(0.085, 0.10)
    _round_ware(kit, [(0, 0), (r * 0.9, 0), (r, 0.006), (r, h), (r - 0.004, h), (r - 0.006, h * 0.5 if kit.word("state") == "empty" else h * 0.85)])
    full = kit.word("state") == "full"
    inside = Material("plain", (0.09, 0.04, 0.015)) if full else Material("ceramic", (0.8, 0.8, 0.78))
    kit.b.use(inside).loft(circle(14), [(r - 0.006, h * (0.86 if full else 0.5)), (0.0, h * (0.86 if full else 0.1))])
    kit.b.use(kit.main)
    path = [(0, r - 0.002, h * 0.82), (0, r + 0.022, h * 0.78), (0, r + 0.030, h * 0.5), (0, r + 0.02, h * 0.25), (0, r - 0.002, h * 0.2)]
    kit.b.tube(path, 0.006, 5, caps=False)


@category(
    "bowl", "bowls", "tableware", "on",
    colour=ALL_COLOURS, material=("ceramic", "ceramic", "wood", "glass", "metal"), pattern=_CHINA, state=("empty", "with fruit"), size=("small", "medium", "large"),
)  # fmt: skip
def bowl(kit: Kit) -> None:
    r, h = 0.115 * kit.k, 0.075 * kit.k
    _round_ware(kit, [(0, 0), (r * 0.4, 0), (r * 0.42, h * 0.1), (r * 0.8, h * 0.5), (r, h), (r * 0.95, h), (r * 0.72, h * 0.5), (r * 0.3, h * 0.18), (0, h * 0.16)], 16)
    if kit.word("state") == "with fruit":
        for i, (colour, a) in enumerate((("red", 0.3), ("orange", 2.4), ("green", 4.4), ("yellow", 0.0))):
            q = 0.0 if i == 3 else r * 0.42
            kit.b.use(kit.paint(colour)).sphere(q * math.cos(a), q * math.sin(a), h * 0.75 + (r * 0.42 if i == 3 else 0.0), r * 0.34, r * 0.34, r * 0.33, 7, 5)


@category(
    "plate", "plates", "tableware", "on",
    colour=("white", "white", "blue", "red", "green", "yellow", "black", "pink", "grey", "turquoise"), material=("ceramic",), pattern=_CHINA, state=("empty", "with food"),
)  # fmt: skip
def plate(kit: Kit) -> None:
    r = kit.u(0.115, 0.135)
    _round_ware(kit, [(0, 0), (r * 0.55, 0), (r, 0.018), (r, 0.022), (r * 0.62, 0.009), (0, 0.007)], 18)
    ring = "white" if kit.word("colour") != "white" else "blue"
    kit.b.use(kit.paint(ring, "ceramic")).loft(circle(18), [(r * 0.985, 0.0225), (r * 0.93, 0.0210)])
    if kit.word("state") == "with food":
        kit.b.use(Material("plush", (0.36, 0.16, 0.06))).sphere(0.02, -0.02, 0.014, 0.04, 0.03, 0.016, 8, 4)
        kit.b.use(kit.paint("green")).sphere(-0.03, 0.03, 0.014, 0.03, 0.03, 0.018, 7, 4)
        kit.b.use(kit.paint("yellow")).sphere(-0.03, -0.04, 0.012, 0.028, 0.022, 0.014, 7, 4)


@category(
    "bottle", "bottles", "tableware", "on",
    colour=("green", "brown", "blue", "white", "red", "black", "orange", "yellow"), material=("glass", "plastic"),
)  # fmt: skip
def bottle(kit: Kit) -> None:
    r, h = kit.u(0.034, 0.042), kit.u(0.24, 0.31)
    look = kit.main if kit.word("material") == "plastic" else Material("glass", kit.paint(kit.word("colour")).tint)
    kit.b.use(look).lathe([(0, 0), (r, 0), (r, h * 0.58), (r * 0.9, h * 0.66), (r * 0.36, h * 0.78), (r * 0.34, h * 0.93)], 12)
    kit.b.use(kit.steel() if kit.word("colour") != "black" else kit.paint("red")).lathe([(r * 0.38, h * 0.93), (r * 0.38, h), (0, h)], 10)
    label = Material("paper", (0.9, 0.87, 0.76)) if kit.word("colour") != "white" else kit.paint("blue")
    kit.b.use(label).lathe([(r * 1.015, h * 0.18), (r * 1.015, h * 0.46)], 12)


@category(
    "tray", "trays", "tableware", "on",
    colour=("brown", "beige", "white", "black", "red", "grey", "blue", "green"), material=("wood", "plastic", "metal"),
)  # fmt: skip
def tray(kit: Kit) -> None:
    b = kit.b
    sx, sy = kit.u(0.28, 0.34), kit.u(0.42, 0.50)
    b.use(kit.main).box(0, 0, 0, sx, sy, 0.010)
    for s in (-1, 1):
        b.box(s * (sx / 2 - 0.006), 0, 0.0, 0.012, sy, 0.04)
        b.box(0, s * (sy / 2 - 0.006), 0.0, sx, 0.012, 0.04)
        b.tube([(-0.06, s * (sy / 2 - 0.006), 0.04), (-0.05, s * (sy / 2 + 0.006), 0.065), (0.05, s * (sy / 2 + 0.006), 0.065), (0.06, s * (sy / 2 - 0.006), 0.04)], 0.007, 5, caps=False)
    kit.stand(0, 0, 0.010, sx * 0.8, sy * 0.8, 0.4)


@category(
    "teddy bear", "teddy bears", "toy", "on",
    colour=("brown", "brown", "beige", "white", "pink", "blue", "black", "grey"), material=("plush",), size=("small", "medium", "large"),
)  # fmt: skip
def teddy_bear(kit: Kit) -> None:
    b, k = kit.b, kit.k * 0.3
    body = kit.main
    pale = Material("plush", (0.72, 0.56, 0.36)) if kit.word("colour") not in ("beige", "white") else Material("plush", (0.40, 0.25, 0.14))
    b.use(body)
    b.sphere(0, 0, 0.30 * k, 0.24 * k, 0.26 * k, 0.32 * k, 9, 6)
    b.sphere(0.03 * k, 0, 0.78 * k, 0.23 * k, 0.25 * k, 0.22 * k, 9, 6)
    for s in (-1, 1):
        b.sphere(0.0, s * 0.20 * k, 0.98 * k, 0.05 * k, 0.09 * k, 0.09 * k, 6, 4)
        with b.at(0.1 * k, s * 0.27 * k, 0.46 * k, roll=-s * 0.9, pitch=-0.6):
            b.sphere(0, 0, -0.06 * k, 0.08 * k, 0.08 * k, 0.19 * k, 7, 4)
        with b.at(0.26 * k, s * 0.17 * k, 0.10 * k, yaw=s * 0.35):
            b.sphere(0, 0, 0, 0.22 * k, 0.10 * k, 0.10 * k, 7, 4)
    b.use(pale).sphere(0.22 * k, 0, 0.72 * k, 0.10 * k, 0.11 * k, 0.09 * k, 7, 4)
    b.sphere(0.11 * k, 0, 0.30 * k, 0.15 * k, 0.16 * k, 0.2 * k, 7, 4)
    b.use(Material("plain", (0.01, 0.01, 0.01) if kit.word("colour") != "black" else (0.5, 0.3, 0.1)))
    b.sphere(0.315 * k, 0, 0.75 * k, 0.02 * k, 0.035 * k, 0.025 * k, 5, 3)
    for s in (-1, 1):
        b.sphere(0.235 * k, s * 0.09 * k, 0.85 * k, 0.02 * k, 0.025 * k, 0.025 * k, 5, 3)


@category(
    "trash can", "trash cans", "storage", wall=True,
    colour=("grey", "black", "white", "red", "blue", "green", "yellow"), material=("metal", "plastic"), state=("open", "closed"), size=("small", "medium", "large"),
)  # fmt: skip
def trash_can(kit: Kit) -> None:
    b, k = kit.b, kit.k
    r, h = 0.15 * k, 0.44 * k
    b.use(kit.main)
    if kit.word("state") == "open":
        b.lathe([(0, 0), (r * 0.82, 0), (r, h), (r * 1.03, h), (r * 1.03, h + 0.012), (r * 0.94, h + 0.012), (r * 0.84, h * 0.5)], 16)
        b.use(Material("plain", (0.02, 0.02, 0.02))).loft(circle(16), [(r * 0.86, h * 0.55), (0, h * 0.5)])
        b.use(Material("paper", (0.85, 0.85, 0.82)))
        for i in range(3):
            b.sphere(0.4 * r * math.cos(2.1 * i), 0.4 * r * math.sin(2.1 * i), h * (0.62 + 0.1 * i), r * 0.34, r * 0.3, r * 0.3, 6, 4)
    else:
        b.lathe([(0, 0), (r, 0), (r, h * 0.86)], 16)
        b.use(kit.dark() if kit.word("colour") != "black" else kit.steel()).lathe([(r, h * 0.86), (r * 1.04, h * 0.86), (r * 1.04, h * 0.9), (r * 0.9, h * 0.99), (r * 0.5, h * 1.06), (0, h * 1.08)], 16)
        b.box(r, 0, 0.01, 0.06 * k, 0.09 * k, 0.018)


@category(
    "box", "boxes", "storage",
    colour=("brown", "brown", "beige", "white"), material=("cardboard",), state=("open", "closed"), size=("small", "medium", "large"),
)  # fmt: skip
def box(kit: Kit) -> None:
    b, k = kit.b, kit.k
    sx, sy, h = kit.u(0.34, 0.38) * k, kit.u(0.44, 0.50) * k, kit.u(0.30, 0.36) * k
    b.use(kit.main)
    tape = Material("plain", (0.62, 0.45, 0.24) if kit.word("colour") != "brown" else (0.55, 0.42, 0.26))
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
    b.use(Material("paper", (0.6, 0.55, 0.45))).box(0, 0, t, sx * 0.7, sy * 0.7, h * 0.35, bevel=0.02)


@category(
    "backpack", "backpacks", "accessory",
    colour=("blue", "red", "black", "green", "grey", "yellow", "purple", "pink", "orange", "turquoise"), material=("fabric",), pattern=("plain", "plain", "plain", "striped", "checkered", "dotted"),
)  # fmt: skip
def backpack(kit: Kit) -> None:
    b = kit.b
    h, w = kit.u(0.42, 0.50), kit.u(0.30, 0.34)
    b.use(kit.main)
    with b.at(pitch=-0.1):
        b.cushion(0, 0, 0, 0.20, w, h, (3, 4, 4), 4)
        dark = kit.paint(kit.word("colour"), "fabric", tone=0.6)
        b.use(dark).cushion(0.09, 0, h * 0.08, 0.10, w * 0.76, h * 0.42, (2, 3, 3), 4)
        b.use(kit.steel()).box(0.14, 0, h * 0.41, 0.008, w * 0.5, 0.008)
        b.use(kit.dark() if kit.word("colour") != "black" else kit.steel(0.6))
        b.tube([(-0.03, -0.04, h - 0.015), (-0.03, -0.035, h + 0.04), (-0.03, 0.035, h + 0.04), (-0.03, 0.04, h - 0.015)], 0.008, 5, caps=False)
        b.tube([(0.062, -w * 0.36, h * 0.66), (0.074, 0, h * 0.84), (0.062, w * 0.36, h * 0.66)], 0.006, 4)
        for s in (-1, 1):
            b.tube([(-0.06, s * 0.07, h * 0.92), (-0.15, s * 0.09, h * 0.7), (-0.15, s * 0.11, h * 0.35), (-0.07, s * 0.12, h * 0.12)], 0.014, 5, caps=False)


@category(
    "suitcase", "suitcases", "accessory",
    colour=("blue", "red", "black", "green", "grey", "yellow", "purple", "pink", "orange", "white", "turquoise"), material=("plastic", "leather", "fabric"), size=("small", "medium", "large"),
)  # fmt: skip
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
            b.box(d / 2, (i - 2) * w * 0.17, 0.12, 0.012, w * 0.07, h - 0.15, bevel=0.004, skip=("-x",))
    else:
        b.use(kit.dark() if kit.word("colour") != "black" else kit.wood())
        for y in (-w * 0.28, w * 0.28):
            b.box(0, y, 0.043, d + 0.008, 0.03, h + 0.004)
    b.use(kit.steel())
    b.box(0, 0, 0.044, 0.012, w + 0.003, h + 0.002)
    b.use(kit.dark())
    b.tube([(0, -0.07, h + 0.04), (0, -0.06, h + 0.08), (0, 0.06, h + 0.08), (0, 0.07, h + 0.04)], 0.011, 5)
    b.use(kit.steel())
    tall = h + 0.045 + 0.30 * k
    b.tube([(-d * 0.35, -0.09, h), (-d * 0.35, -0.09, tall), (-d * 0.35, 0.09, tall), (-d * 0.35, 0.09, h)], 0.009, 5)


