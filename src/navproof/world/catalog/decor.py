"""Decoration and things that stand about: rugs, plants, pictures, baskets, a piano, a bicycle."""

from __future__ import annotations

import math

import numpy as np

from navproof.world.catalog._core import Kit, category
from navproof.world.catalog._parts import ALL_COLOURS, FABRIC_COLOURS
from navproof.world.meshing import circle, rounded_rectangle
from navproof.world.palette import COLOURS
from navproof.world.scene import Material

__all__: list[str] = []


@category(
    "rug", "rugs", "decor",
    colour=FABRIC_COLOURS, material=("fabric",), pattern=("plain", "plain", "striped", "checkered", "dotted", "floral", "plaid", "zigzag"),
    modifier=("rectangular", "rectangular", "round"), size=("small", "medium", "large"),
    lengths={"width_m": (0.3, 5.0), "length_m": (0.3, 6.0)},
)  # fmt: skip
def rug(kit: Kit) -> None:
    b = kit.b
    sx = kit.length("width_m", 1.35 * kit.k, 1.45 * kit.k)
    sy = kit.length("length_m", 1.95 * kit.k, 2.05 * kit.k)
    second = COLOURS["beige"] if kit.word("colour") not in ("beige", "white", "yellow") else COLOURS["brown"]
    border = Material("carpet", second)
    look = kit.main if kit.word("pattern") else Material("carpet", tuple(min(1.0, 1.2 * c) for c in COLOURS[kit.word("colour")]))  # type: ignore[arg-type]
    scale = 2.0
    if kit.word("modifier") == "round":
        r = sx / 2
        b.use(border).loft(circle(28), [(r, 0.0), (r - 0.005, 0.010), (r - 0.06, 0.010)])
        b.use(look)
        o = circle(28) * (r - 0.06)
        b._add(np.concatenate([np.concatenate([o, np.full((28, 1), 0.010)], axis=1), [[0, 0, 0.010]]]),
               np.tile([0.0, 0.0, 1.0], (29, 1)), np.concatenate([o, [[0, 0]]]) / scale,
               np.array([[28, i, (i + 1) % 28] for i in range(28)]))  # fmt: skip
        return
    b.use(border).box(0, 0, 0, sx, sy, 0.009, skip=("-z",))
    hx, hy = sx / 2 - 0.07, sy / 2 - 0.07
    b.use(look)
    points = np.array([[(-hx, -hy, 0.0105), (-hx, hy, 0.0105)], [(hx, -hy, 0.0105), (hx, hy, 0.0105)]])
    points = points[::-1]
    repeat = b._texture_m * scale
    uv = np.array([[(0, 2 * hx), (2 * hy, 2 * hx)], [(0, 0), (2 * hy, 0)]]) / repeat
    b.grid(points, uv)
    b.use(Material("plain", tuple(0.8 * c for c in second)))  # type: ignore[arg-type]
    if kit.rng.random() < 0.5:
        for s in (-1, 1):
            for i in range(12):
                b.box((i - 5.5) * sx / 12, s * (sy / 2 + 0.02), 0, sx / 40, 0.04, 0.006, skip=("-z",))


def _leaf(length: float, width: float, droop: float) -> np.ndarray:
    """(4, 3, 3) points of a pointed leaf along +x, bending down, folded along its rib."""
    rows = []
    for t, w in ((0.0, 0.12), (0.35, 1.0), (0.7, 0.75), (1.0, 0.04)):
        x, z = length * t * (1 - 0.25 * droop * t), length * (0.55 * t - droop * t * t)
        rows.append([(x, width * w * s / 2, z + 0.12 * width * abs(s) * w) for s in (-1, 0, 1)])
    return np.array(rows)


_LEAF_UV = np.array([[(u, 1 - v) for u in (0.0, 0.5, 1.0)] for v in (0.0, 0.35, 0.7, 1.0)])


def _plant(kit: Kit, pot_r: float, pot_h: float, height: float, kind: str, leaves: int) -> None:
    b = kit.b
    look = kit.main
    b.use(look).lathe([(0, 0), (pot_r * 0.72, 0), (pot_r * 0.95, pot_h * 0.85), (pot_r, pot_h * 0.86), (pot_r, pot_h), (pot_r * 0.88, pot_h), (pot_r * 0.86, pot_h * 0.9)], 12)
    b.use(Material("bark", (0.10, 0.06, 0.035))).loft(circle(12), [(pot_r * 0.87, pot_h * 0.9), (0, pot_h * 0.92)])
    tones = ((0.06, 0.26, 0.05), (0.09, 0.34, 0.07), (0.04, 0.20, 0.06), (0.14, 0.36, 0.06))
    crown = height - pot_h
    if kind == "tree":
        trunk = crown * 0.5
        b.use(Material("bark", (0.25, 0.15, 0.08))).tube([(0, 0, pot_h * 0.9), (0.02, 0.01, pot_h + trunk * 0.5), (0, 0, pot_h + trunk)], [pot_r * 0.13, pot_r * 0.1, pot_r * 0.08], 6, caps=False)
    for i in range(leaves):
        t = i / max(1, leaves - 1)
        yaw = i * 2.39996 + kit.u(-0.3, 0.3)
        b.use(Material("leaves", tones[i % 4]))
        if kind == "snake":
            r = pot_r * 0.5 * math.sqrt(t)
            tall = crown * kit.u(0.65, 1.0)
            w = 0.05 * height / 0.8 + 0.012
            lean = 0.12 + 0.15 * t
            with b.at(r * math.cos(yaw), r * math.sin(yaw), pot_h * 0.9, yaw=yaw, pitch=lean):
                rows = [[(0.01 * z, s * w * k / 2, tall * z) for s in (-1, 0, 1)] for z, k in ((0, 0.7), (0.35, 1.0), (0.75, 0.8), (1.0, 0.05))]
                p = np.array(rows)
                p[:, 1, 0] -= 0.2 * w
                b.grid(p, _LEAF_UV, two_sided=True)
            continue
        if kind == "tree":
            z0 = pot_h + crown * (0.42 + 0.45 * t)
            length, width, tilt = crown * 0.36 * (1.1 - 0.4 * t), crown * 0.17, 0.3 - 1.1 * t
        elif kind == "palm":
            z0 = pot_h + crown * 0.12 * t
            length, width, tilt = crown * (0.95 - 0.1 * (i % 3)), crown * 0.12, -1.15 + 0.55 * (1 - t)
        else:
            z0 = pot_h + crown * 0.22 * t
            length, width, tilt = crown * (0.85 + 0.2 * t), crown * 0.34, -0.95 * t - 0.1
        droop = 0.55 if kind != "palm" else 0.75
        with b.at(0, 0, z0, yaw=yaw, pitch=tilt):
            b.grid(_leaf(length, width, droop)[:, ::-1], _LEAF_UV, two_sided=True)


_POTS = ("white", "white", "brown", "orange", "black", "grey", "blue", "yellow", "turquoise", "pink", "red", "green")


@category(
    "plant", "plants", "plant",
    colour=("green",), modifier=("leafy", "tree-like", "palm-like"), size=("small", "medium", "large"),
    pot=_POTS,
)  # fmt: skip
def plant(kit: Kit) -> None:
    """A big pot plant on the floor; ``pot`` is the colour of its pot."""
    kit.chosen["colour"] = kit.word("pot")
    kind = {"leafy": "bush", "tree-like": "tree", "palm-like": "palm"}[kit.word("modifier")]
    h = 1.15 * kit.k * (1.15 if kind == "tree" else 1.0)
    _plant(kit, 0.15 * kit.k, 0.26 * kit.k, h, kind, {"bush": 14, "tree": 22, "palm": 13}[kind])
    kit.chosen["colour"] = "green"


@category(
    "potted plant", "potted plants", "plant", "on",
    colour=("green",), modifier=("leafy", "spiky"), size=("small", "medium", "large"), pot=_POTS,
)  # fmt: skip
def potted_plant(kit: Kit) -> None:
    kit.chosen["colour"] = kit.word("pot")
    kind = "bush" if kit.word("modifier") == "leafy" else "snake"
    _plant(kit, 0.065 * kit.k, 0.11 * kit.k, 0.34 * kit.k, kind, 10)
    kit.chosen["colour"] = "green"


@category(
    "picture", "pictures", "decor", "wall",
    colour=("black", "brown", "white", "yellow", "grey", "red", "blue"), material=("wood",),
    modifier=("landscape", "seascape", "abstract", "geometric", "portrait", "floral"), size=("small", "medium", "large"),
)  # fmt: skip
def picture(kit: Kit) -> None:
    """The colour is the frame's; the modifier says what is painted."""
    b, kind = kit.b, kit.word("modifier")
    w, h = (0.52, 0.68) if kind in ("portrait", "floral") else (0.80, 0.58)
    w, h = w * kit.k, h * kit.k
    t = 0.045
    b.use(kit.main)
    for s in (-1, 1):
        b.box(0.015, s * (w / 2 - t / 2), 0, 0.03, t, h, bevel=0.008, skip=("-x",))
        b.box(0.015, 0, h / 2 + s * (h / 2 - t / 2) - t / 2, 0.03, w - 2 * t, t, bevel=0.008, skip=("-x",))
    b.use(Material("paper", (0.86, 0.85, 0.82))).panel(0.012, 0, t, w - 2 * t, h - 2 * t, image=False)
    m = 0.05 * kit.k if kit.rng.random() < 0.6 else 0.0
    name = "flowers" if kind == "floral" else kind
    b.use(Material("painting_" + name)).panel(0.014, 0, t + m, w - 2 * t - 2 * m, h - 2 * t - 2 * m)


@category(
    "mirror", "mirrors", "decor", "wall",
    colour=("brown", "black", "white", "grey", "yellow"), material=("wood",), modifier=("round", "rectangular", "oval"), size=("small", "medium", "large"),
)  # fmt: skip
def mirror(kit: Kit) -> None:
    b, kind = kit.b, kit.word("modifier")
    w, h = (0.62 * kit.k, 0.62 * kit.k) if kind == "round" else (0.52 * kit.k, 0.8 * kit.k)
    glass = Material("mirror")
    if kind == "rectangular":
        t = 0.05
        b.use(kit.main)
        for s in (-1, 1):
            b.box(0.015, s * (w / 2 - t / 2), 0, 0.03, t, h, bevel=0.01, skip=("-x",))
            b.box(0.015, 0, h / 2 + s * (h / 2 - t / 2) - t / 2, 0.03, w - 2 * t, t, bevel=0.01, skip=("-x",))
        b.use(glass).panel(0.012, 0, t, w - 2 * t, h - 2 * t)
        return
    with b.at(0, 0, h / 2, yaw=math.pi / 2, roll=math.pi / 2):
        sx, sy = w / 2, h / 2
        b.use(kit.main).loft(circle(28), [(sx, sy, 0.0), (sx, sy, 0.022), (sx - 0.012, sy - 0.012, 0.03), (sx - 0.04, sy - 0.04, 0.016)])
    _disc(kit, glass, 0.016, h / 2, w / 2 - 0.04, h / 2 - 0.04, 28)


def _disc(kit: Kit, look: Material, x: float, z: float, ry: float, rz: float, n: int, y: float = 0.0) -> None:
    """An elliptic picture facing +x with its texture shown whole."""
    o = circle(n)
    points = np.concatenate([np.stack([np.full(n, x), y + o[:, 0] * ry, z + o[:, 1] * rz], 1), [[x, y, z]]])
    uv = np.concatenate([np.stack([0.5 + o[:, 0] / 2, 0.5 - o[:, 1] / 2], 1), [[0.5, 0.5]]])
    kit.b.use(look)
    faces = np.array([[n, i, (i + 1) % n] for i in range(n)])
    kit.b._add(points, np.tile([1.0, 0.0, 0.0], (n + 1, 1)), uv * kit.b._texture_m, faces)


@category(
    "wall clock", "wall clocks", "decor", "wall",
    colour=("black", "white", "red", "blue", "green", "yellow", "brown", "grey", "orange"), material=("plastic", "wood", "metal"),
)  # fmt: skip
def wall_clock(kit: Kit) -> None:
    r = kit.u(0.14, 0.19)
    with kit.b.at(0, 0, r, yaw=math.pi / 2, roll=math.pi / 2):
        kit.b.use(kit.main).loft(circle(24), [(r, 0.0), (r, 0.03), (r - 0.012, 0.04), (r - 0.025, 0.024)])
    _disc(kit, Material("clock_face"), 0.025, r, r - 0.02, r - 0.02, 24)


@category(
    "clock", "clocks", "decor", "on",
    colour=("black", "white", "red", "blue", "green", "yellow", "pink", "brown"), material=("plastic", "wood", "metal"), modifier=("alarm", "digital"),
)  # fmt: skip
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
    _disc(kit, Material("clock_face"), 0.0225, z, r - 0.003, r - 0.003, 16)


@category(
    "vase", "vases", "decor", "on",
    colour=ALL_COLOURS, material=("ceramic", "ceramic", "glass"), pattern=("plain", "plain", "plain", "striped", "dotted", "floral", "zigzag"), state=("empty", "with flowers"), size=("small", "medium", "large"),
)  # fmt: skip
def vase(kit: Kit) -> None:
    b, k = kit.b, kit.k
    r, h = 0.075 * k, 0.26 * k
    style = kit.one_of("belly", "tall", "flare")
    profile = {
        "belly": [(0, 0), (0.6, 0), (0.85, 0.15), (1.0, 0.38), (0.85, 0.62), (0.45, 0.82), (0.42, 0.9), (0.58, 1.0), (0.48, 1.0), (0.3, 0.85)],
        "tall": [(0, 0), (0.6, 0), (0.65, 0.05), (0.62, 0.5), (0.75, 0.85), (0.7, 0.95), (0.6, 1.0), (0.52, 1.0), (0.4, 0.85)],
        "flare": [(0, 0), (0.5, 0), (0.55, 0.04), (0.4, 0.3), (0.5, 0.6), (0.95, 1.0), (0.87, 1.0), (0.35, 0.55)],
    }[style]
    b.use(kit.main).lathe([(p * r, z * h) for p, z in profile], 14)
    if kit.word("state") == "with flowers":
        colour = kit.one_of("red", "yellow", "pink", "white", "purple", "orange")
        for i in range(5):
            a = i * 2.39996
            x, y = 0.07 * k * math.cos(a), 0.07 * k * math.sin(a)
            z = h + k * kit.u(0.08, 0.17)
            b.use(Material("plain", (0.07, 0.25, 0.05))).tube([(0, 0, h * 0.85), (x, y, z)], 0.004, 3, caps=False)
            b.use(kit.paint(colour, "plastic")).lathe([(0, z), (0.03 * k, z + 0.012 * k), (0.022 * k, z + 0.03 * k), (0, z + 0.022 * k)], 6, x, y)


@category(
    "curtain", "curtains", "decor", "wall",
    colour=FABRIC_COLOURS, material=("fabric",), pattern=("plain", "plain", "plain", "striped", "floral", "dotted", "plaid", "zigzag", "checkered"), state=("open", "drawn"),
    lengths={"width_m": (0.5, 5.0), "height_m": (0.5, 3.5)},
)  # fmt: skip
def curtain(kit: Kit) -> None:
    """Two halves on a rod; drawn covers the whole width, open leaves the middle free."""
    b = kit.b
    w, h = kit.length("width_m", 1.4, 2.0), kit.length("height_m", 1.6, 2.3)
    b.use(kit.steel(0.8)).tube([(0.07, -w / 2, h - 0.02), (0.07, w / 2, h - 0.02)], 0.012, 6)
    for s in (-1, 1):
        b.sphere(0.07, s * w / 2, h - 0.02, 0.024, 0.024, 0.024, 6, 4)
        b.box(0.03, s * (w / 2 - 0.08), h - 0.03, 0.06, 0.02, 0.02)
    drawn = kit.word("state") == "drawn"
    wide = w * (0.485 if drawn else 0.17)
    folds = max(3, round(w / 0.16)) if drawn else max(4, round(w / 0.3))
    n = 4 * folds + 1
    wave = [0.0, 1.0, 0.0, -1.0]
    for s in (-1, 1):
        y0 = s * (w / 2 - 0.03) if s < 0 else s * (w / 2 - 0.03) - wide
        amp = 0.022 if drawn else 0.035
        ys = [y0 + wide * i / (n - 1) for i in range(n)]
        xs = [0.07 + amp * wave[i % 4] for i in range(n)]
        points = np.array([[(x, y, z) for x, y in zip(xs, ys, strict=True)] for z in (0.0, h - 0.01)])
        uv = np.empty((2, n, 2))
        full = w * 0.5
        uv[..., 0] = np.arange(n) / (n - 1) * full / b_scale(kit)
        uv[0, :, 1], uv[1, :, 1] = h / b_scale(kit), 0.0
        b.use(kit.main).grid(points, uv, two_sided=True)


def b_scale(kit: Kit) -> float:
    """Metres per repeat of a curtain's pattern: patterns hang larger than on cushions."""
    return 0.45 if kit.word("pattern") else 0.18


@category(
    "basket", "baskets", "storage",
    colour=("beige", "brown", "white", "black", "grey"), material=("wicker",), modifier=("round", "square"), size=("small", "medium", "large"),
)  # fmt: skip
def basket(kit: Kit) -> None:
    b, k = kit.b, kit.k
    r, h = 0.20 * k, 0.32 * k
    o = circle(16) * r if kit.word("modifier") == "round" else rounded_rectangle(2 * r, 2.4 * r, 0.05, 3)
    b.use(kit.main).loft(o, [(0.0, 0.0), (0.85, 0.0), (1.0, h * 0.95), (1.04, h), (0.93, h), (0.8, h * 0.35), (0.0, h * 0.34)])
    for s in (-1, 1):
        y = s * (r if kit.word("modifier") == "round" else 1.2 * r)
        b.tube([(-0.06 * k, y, h), (-0.05 * k, y, h + 0.05 * k), (0.05 * k, y, h + 0.05 * k), (0.06 * k, y, h)], 0.011, 5, caps=False)


@category(
    "piano", "pianos", "furniture", wall=True,
    colour=("black", "black", "brown", "white"), material=("wood",),
)  # fmt: skip
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
            b.box(0.175, -(w - 0.18) / 2 + (i + 1) * white_w, 0.67, 0.09, white_w * 0.55, 0.012, skip=("-z", "-x"))
    b.use(kit.main).box(0.04, 0, 0.90, 0.02, 0.7, 0.2)
    b.use(Material("page")).panel(0.055, -0.12, 0.92, 0.22, 0.28)
    b.use(Material("page")).panel(0.055, 0.12, 0.92, 0.22, 0.28)
    b.use(Material("plain", (0.6, 0.42, 0.12)))
    for y in (-0.08, 0.0, 0.08):
        b.box(0.06, y, 0.03, 0.12, 0.035, 0.015)
    kit.stand(-0.14, 0, h, 0.28, w * 0.9, 0.6)


@category(
    "fireplace", "fireplaces", "furniture", wall=True,
    colour=("white", "grey", "beige", "brown", "black"), material=("marble", "wood"), state=("lit", "unlit"),
)  # fmt: skip
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
    b.use(Material("bricks", (0.5, 0.5, 0.5))).box(-d / 2 + 0.02, 0, 0.05, 0.04, w - 0.5, h - 0.35, upright=True)
    b.use(Material("bricks", (0.4, 0.4, 0.4)))
    for s in (-1, 1):
        b.box(-0.02, s * (w / 2 - 0.275), 0.05, d - 0.06, 0.03, h - 0.36, upright=True)
    b.use(kit.wood(0.6, dark=True))
    for i in range(3):
        y = (i - 1) * 0.16
        b.tube([(-0.05, y - 0.14, 0.09 + 0.05 * (i % 2)), (0.07, y + 0.16, 0.11 + 0.04 * (i % 2))], 0.04, 6)
    if kit.word("state") == "lit":
        b.use(Material("flame", emission=1.4))
        b.panel(0.02, 0, 0.10, w - 0.62, 0.48)
        kit.glow((0.2, 0.0, 0.3), 0.45, (1.0, 0.55, 0.22))
    kit.stand(0.03, 0, h, d * 0.8, w * 0.95, 0.8)


def _wheel(kit: Kit, x: float, z: float, r: float, rim: Material, n: int = 16) -> None:
    b = kit.b
    ring = [(x + r * math.cos(2 * math.pi * i / n), 0.0, z + r * math.sin(2 * math.pi * i / n)) for i in range(n)]
    b.use(kit.dark()).tube(ring, 0.022, 5, closed=True)
    b.use(rim)
    for i in range(4):
        a = math.pi * i / 4
        c, s = r * math.cos(a), r * math.sin(a)
        b.tube([(x - c, 0, z - s), (x + c, 0, z + s)], 0.004, 3, caps=False)
    b.tube([(x, -0.04, z), (x, 0.04, z)], 0.022, 6)


@category(
    "bicycle", "bicycles", "sport", wall=True,
    colour=("red", "blue", "green", "black", "white", "yellow", "orange", "pink", "purple", "turquoise"), material=("metal",), size=("small", "medium"),
)  # fmt: skip
def bicycle(kit: Kit) -> None:
    """The side of the frame faces +x and the front wheel is at +y."""
    k = {"small": 0.78, "medium": 1.0}[kit.word("size")]
    with kit.b.at(yaw=math.pi / 2):
        _bicycle(kit, k)


def _bicycle(kit: Kit, k: float) -> None:
    b = kit.b
    r = 0.33 * k
    back, front = -0.52 * k, 0.52 * k
    for x in (back, front):
        _wheel(kit, x, r, r, kit.steel())
    crank, seat, head = (-0.06 * k, 0, 0.29 * k), (-0.20 * k, 0, 0.78 * k), (0.36 * k, 0, 0.80 * k)
    low_head = (0.39 * k, 0, 0.68 * k)
    b.use(kit.main)
    t = 0.020
    for path in ((crank, seat), (seat, head), (crank, low_head), ((back, 0.03, r), crank), ((back, -0.03, r), crank), ((back, 0.03, r), seat), ((back, -0.03, r), seat), ((front, 0.035, r), low_head), ((front, -0.035, r), low_head), (low_head, (0.33 * k, 0, 0.92 * k))):
        b.tube(path, t if path[0] is not back else 0.012, 5)
    b.use(kit.dark())
    b.tube([(0.42 * k, -0.27, 0.97 * k), (0.36 * k, -0.18, 0.99 * k), (0.33 * k, 0, 0.94 * k), (0.36 * k, 0.18, 0.99 * k), (0.42 * k, 0.27, 0.97 * k)], 0.015, 5)
    b.tube([seat, (-0.225 * k, 0, 0.88 * k)], 0.015, 5)
    b.cushion(-0.24 * k, 0, 0.87 * k, 0.27, 0.15, 0.07, (3, 2, 1), 4)
    with b.at(crank[0], 0.05, crank[2], roll=math.pi / 2):
        b.use(kit.steel()).cylinder(0, 0, -0.004, 0.09 * k, 0.008, 12)
    for s in (-1, 1):
        b.use(kit.steel()).tube([(crank[0], 0.06 * s, crank[2]), (crank[0] + 0.12 * s * k, 0.08 * s, crank[2] - 0.12 * s * k)], 0.011, 4)
        b.use(kit.dark()).box(crank[0] + 0.12 * s * k, 0.13 * s, crank[2] - 0.12 * s * k - 0.01, 0.08, 0.09, 0.022)


@category(
    "exercise bike", "exercise bikes", "sport",
    colour=("black", "red", "white", "grey", "blue", "yellow"), material=("metal",),
)  # fmt: skip
def exercise_bike(kit: Kit) -> None:
    b = kit.b
    b.use(kit.main)
    for x in (-0.45, 0.48):
        b.box(x, 0, 0, 0.08, 0.50, 0.06, bevel=0.01)
    b.tube([(-0.45, 0, 0.05), (0.48, 0, 0.05)], 0.032, 6)
    with b.at(0.32, 0.035, 0.36, roll=math.pi / 2):
        b.cylinder(0, 0, 0, 0.24, 0.07, 20)
        b.use(kit.steel(1.1)).lathe([(0.15, -0.012), (0.23, -0.010), (0.24, 0.0)], 20)
    b.use(kit.main)
    b.tube([(-0.05, 0, 0.06), (-0.16, 0, 0.62)], 0.035, 6)
    b.tube([(0.2, 0, 0.3), (0.30, 0, 0.95)], 0.032, 6)
    b.tube([(-0.08, 0, 0.25), (0.25, 0, 0.45)], 0.03, 6)
    b.use(kit.steel()).tube([(-0.16, 0, 0.6), (-0.20, 0, 0.86)], 0.02, 6)
    b.use(kit.dark()).cushion(-0.22, 0, 0.86, 0.28, 0.22, 0.08, (3, 3, 1), 4)
    b.tube([(0.14, -0.24, 1.12), (0.26, -0.2, 1.06), (0.31, 0, 0.98), (0.26, 0.2, 1.06), (0.14, 0.24, 1.12)], 0.018, 6)
    with b.at(0.34, 0, 1.08, pitch=-0.5):
        b.box(0, 0, 0, 0.03, 0.22, 0.16, bevel=0.008)
        with b.at(-0.017, 0, 0, yaw=math.pi):
            b.use(Material("screen_desktop", emission=0.4)).panel(0, 0, 0.02, 0.18, 0.11)
    for s in (-1, 1):
        b.use(kit.steel()).tube([(0.05, 0.06 * s, 0.30), (0.05 + 0.12 * s, 0.09 * s, 0.30 - 0.08 * s)], 0.014, 5)
        b.use(kit.dark()).box(0.05 + 0.12 * s, 0.15 * s, 0.28 - 0.08 * s, 0.10, 0.10, 0.025)
