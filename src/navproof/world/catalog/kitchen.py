"""Kitchen and laundry appliances and units. Doors face +x; lengths run along y."""

from __future__ import annotations

import math

from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import arc, doors, drawers
from navproof.world.scene import Material

__all__: list[str] = []

_FRONTS = ("white", "white", "grey", "beige", "blue", "green", "black", "brown", "red")
_DEPTH, _HEIGHT = 0.60, 0.90


def _worktop(
    kit: Kit, sx: float, sy: float, z: float, hole: tuple[float, float, float] | None = None
) -> None:
    """A worktop with its upper face at z, and room for a basin (y, width, depth) when asked."""
    look = (
        kit.paint("brown" if kit.word("colour") not in ("brown",) else "beige", "wood")
        if kit.word("modifier") == "wood-topped"
        else kit.paint(
            "white"
            if kit.word("colour") in ("black", "grey", "blue", "green", "brown", "red")
            else "grey",
            "marble",
        )
    )
    b = kit.b
    b.use(look)
    if hole is None:
        b.box(0.01, 0, z - 0.04, sx + 0.02, sy, 0.04, bevel=0.006)
        return
    y, w, d = hole
    left, right = (y - w / 2) + sy / 2, sy / 2 - (y + w / 2)
    b.box(0.01, -sy / 2 + left / 2, z - 0.04, sx + 0.02, left, 0.04)
    b.box(0.01, sy / 2 - right / 2, z - 0.04, sx + 0.02, right, 0.04)
    front = (sx + 0.02 - d) / 2
    b.box(0.01 + d / 2 + front / 2, y, z - 0.04, front, w, 0.04)
    b.box(0.01 - d / 2 - front / 2, y, z - 0.04, front, w, 0.04)


def _unit(kit: Kit, sy: float) -> None:
    b = kit.b
    b.use(kit.dark()).box(-0.03, 0, 0, _DEPTH - 0.1, sy, 0.1, skip=("+z", "-z", "-x"))
    b.use(kit.main).box(-0.02, 0, 0.1, _DEPTH - 0.04, sy, _HEIGHT - 0.14, skip=("+z", "-z", "-x"))


@category(
    "kitchen counter",
    "kitchen counters",
    "kitchen",
    colour=_FRONTS,
    material=("wood",),
    doors=tuple(range(15)),
    drawers=(0, 0, 3, 3, 4, 1, 2),
    modifier=("marble-topped", "wood-topped"),
    lengths={"length_m": (0.3, 6.0)},
)
def kitchen_counter(kit: Kit) -> None:
    sy = kit.length("length_m", 1.0, 2.0)
    nd = kit.count("drawers")
    if nd in (1, 2) and sy > 0.7:
        kit.prefer("drawers", 3)
    if sy < 0.6 and "doors" not in kit.wanted and nd:
        kit.prefer("doors", 0)
    else:
        kit.prefer("doors", max(1, round((sy - (0.45 if nd else 0.0)) / 0.45)))
    nd, no = kit.count("drawers"), kit.count("doors")
    _unit(kit, sy)
    x, z, h = _DEPTH / 2 - 0.04, 0.105, _HEIGHT - 0.15
    stack = 0.0
    if nd:
        stack = sy if not no else min(0.5, sy / (no + 1))
        drawers(kit, kit.main, kit.steel(), x, sy / 2 - stack / 2, z, stack, h, nd)
    if no:
        doors(kit, kit.main, kit.steel(), x, -stack / 2, z, sy - stack, h, no)
    _worktop(kit, _DEPTH, sy, _HEIGHT)
    kit.stand(-0.02, 0, _HEIGHT, _DEPTH * 0.8, sy * 0.94, 0.5)


@category(
    "kitchen sink",
    "kitchen sinks",
    "kitchen",
    colour=_FRONTS,
    material=("wood",),
    doors=tuple(range(1, 8)),
    modifier=("marble-topped", "wood-topped"),
    lengths={"length_m": (0.7, 3.0)},
)
def kitchen_sink(kit: Kit) -> None:
    """A counter unit with a steel basin and a tap."""
    sy, b = kit.length("length_m", 0.9, 1.3), kit.b
    kit.prefer("doors", max(1, round(sy / 0.45)))
    _unit(kit, sy)
    doors(
        kit,
        kit.main,
        kit.steel(),
        _DEPTH / 2 - 0.04,
        0,
        0.105,
        sy,
        _HEIGHT - 0.15,
        kit.count("doors"),
    )
    w, d = min(0.56, sy - 0.2), 0.40
    y = -min(0.15, (sy - w) / 2 - 0.06)
    _worktop(kit, _DEPTH, sy, _HEIGHT, (y, w, d))
    b.use(kit.steel())
    t = 0.018
    for s in (-1, 1):
        b.box(0.01 + s * (d / 2), y, _HEIGHT - 0.002, 0.035, w + 0.05, 0.006)
        b.box(0.01, y + s * (w / 2), _HEIGHT - 0.002, d, 0.035, 0.006)
    with b.at(0.01, y, 0):
        outline = [(d / 2, w / 2), (-d / 2, w / 2), (-d / 2, -w / 2), (d / 2, -w / 2)]
        b.loft(
            outline, [(1.0, _HEIGHT), (0.9, _HEIGHT - 0.17), (0.0, _HEIGHT - 0.175)], smooth=False
        )
    b.use(kit.dark()).cylinder(0.01, y, _HEIGHT - 0.174, 0.03, 0.003, 8, caps="top")
    b.use(kit.steel(1.2))
    spout = [
        (-d / 2 - 0.04, 0.0, 0.0),
        (-d / 2 - 0.04, 0.0, 0.22),
        *arc(-d / 2 + 0.05, 0.22, 0.09, math.pi, 0.35, 5)[1:],
    ]
    with b.at(0, y, _HEIGHT):
        b.tube(spout, t * 0.8, 7)
        b.cylinder(-d / 2 - 0.04, 0, 0, 0.028, 0.02, 8, caps="top")
        b.box(-d / 2 - 0.04, 0.05, 0.05, 0.016, 0.09, 0.016)
    for s in (-1, 1):
        edge = y + s * w / 2
        room = sy / 2 - s * edge
        kit.stand(0.0, s * (sy / 2 - room / 2), _HEIGHT, _DEPTH * 0.75, room * 0.8, 0.5)


@category(
    "refrigerator",
    "refrigerators",
    "appliance",
    colour=("white", "white", "grey", "grey", "black", "red", "blue", "green", "beige"),
    material=("metal", "plastic"),
    doors=(1, 2, 2),
    state=("closed", "closed", "ajar"),
)
def refrigerator(kit: Kit) -> None:
    b, n = kit.b, kit.count("doors")
    sx, sy, h = kit.u(0.62, 0.70), kit.u(0.60, 0.75), kit.u(1.68, 1.85)
    b.use(kit.main).box(-0.03, 0, 0.04, sx - 0.06, sy, h - 0.04, skip=("-z",))
    b.use(kit.dark()).box(-0.02, 0, 0, sx - 0.1, sy - 0.04, 0.05, skip=("+z", "-z"))
    x = sx / 2 - 0.06
    b.panel(x + 0.001, 0, 0.05, sy - 0.02, h - 0.06, image=False)
    parts = (
        [(0.05, h - 0.055)]
        if n == 1
        else [(0.05, (h - 0.06) * 0.36), (0.05 + (h - 0.06) * 0.36, (h - 0.06) * 0.64)]
    )
    open_angle = kit.u(0.8, 1.1) if kit.word("state") == "ajar" else 0.0
    for i, (z, tall) in enumerate(parts):
        turn = -open_angle if i == len(parts) - 1 else 0.0
        if turn:
            b.use(Material("plain", (0.92, 0.94, 0.96), emission=0.35))
            b.panel(x + 0.003, 0, z + 0.02, sy - 0.06, tall - 0.04, image=False)
            b.use(Material("snacks", emission=0.2)).panel(
                x + 0.006, 0, z + 0.05, sy - 0.12, tall - 0.12
            )
        with b.at(x + 0.002, -sy / 2, 0, yaw=turn):
            b.use(kit.main).box(0.03, sy / 2, z + 0.006, 0.06, sy, tall - 0.012, bevel=0.012)
            b.use(kit.steel(0.8) if kit.word("colour") != "grey" else kit.dark())
            bar = min(0.5, tall * 0.5)
            hz = z + tall - bar - 0.08 if (n == 2 and i == 0) else z + 0.08
            b.box(0.09, sy - 0.06, hz, 0.02, 0.022, bar, bevel=0.005)
            for e in (hz + 0.02, hz + bar - 0.04):
                b.box(0.07, sy - 0.06, e, 0.03, 0.02, 0.02)


@category(
    "stove",
    "stoves",
    "appliance",
    colour=("white", "white", "grey", "black", "red"),
    material=("metal",),
    modifier=("gas", "electric"),
)
def stove(kit: Kit) -> None:
    b = kit.b
    sx, sy, h = 0.62, 0.60, 0.90
    b.use(kit.main).box(-0.01, 0, 0.06, sx - 0.02, sy, h - 0.08, skip=("-z",))
    b.use(kit.dark()).box(-0.02, 0, 0, sx - 0.1, sy - 0.04, 0.06, skip=("+z", "-z"))
    x = sx / 2 - 0.02
    gas = kit.word("modifier") == "gas"
    top = kit.steel(0.9) if gas else Material("plain", (0.015, 0.015, 0.018))
    b.use(top).box(0, 0, h - 0.02, sx, sy, 0.02, bevel=0.005)
    for px in (-0.14, 0.14):
        for py in (-0.14, 0.14):
            r = 0.095 if px * py > 0 else 0.075
            if gas:
                b.use(kit.dark()).cylinder(px, py, h, 0.04, 0.018, 8, caps="top")
                for t in (0.0, math.pi / 2):
                    with b.at(px, py, h + 0.02, yaw=t):
                        b.box(0, 0, 0, 2 * r, 0.012, 0.012)
            else:
                b.use(
                    Material(
                        "plain", (0.30, 0.03, 0.02) if px > 0 and py > 0 else (0.10, 0.10, 0.11)
                    )
                ).cylinder(px, py, h, r, 0.002, 14, caps="top")
                b.use(top).cylinder(px, py, h + 0.0005, r - 0.012, 0.002, 14, caps="top")
    b.use(kit.dark()).box(x + 0.012, 0, 0.24, 0.024, sy - 0.06, 0.42, bevel=0.006)
    b.use(Material("screen_off")).panel(x + 0.0255, 0, 0.30, sy - 0.18, 0.28)
    b.use(kit.steel(1.1)).box(x + 0.05, 0, 0.63, 0.02, sy - 0.12, 0.022)
    for s in (-1, 1):
        b.box(x + 0.035, s * (sy / 2 - 0.09), 0.63, 0.04, 0.02, 0.02)
    b.use(kit.main).box(x + 0.012, 0, 0.08, 0.024, sy - 0.06, 0.14)
    for i in range(5):
        b.use(kit.dark() if kit.word("colour") != "black" else kit.steel())
        with b.at(x, (i - 2) * 0.105, 0.78, pitch=math.pi / 2):
            b.cylinder(0, 0, 0, 0.022, 0.03, 8, caps="top")
    b.use(kit.main).box(-sx / 2 + 0.02, 0, h, 0.03, sy, 0.08)


@category(
    "dishwasher",
    "dishwashers",
    "appliance",
    colour=("white", "grey", "grey", "black"),
    material=("metal", "plastic"),
    state=("closed", "closed", "open"),
)
def dishwasher(kit: Kit) -> None:
    b = kit.b
    sx, sy, h = 0.60, 0.60, 0.86
    b.use(kit.main).box(-0.02, 0, 0.08, sx - 0.04, sy, h - 0.08, skip=("-z",))
    b.use(kit.dark()).box(-0.03, 0, 0, sx - 0.1, sy - 0.04, 0.08, skip=("+z", "-z"))
    x = sx / 2 - 0.04
    opened = kit.word("state") == "open"
    if opened:
        b.use(Material("plain", (0.05, 0.05, 0.055))).panel(
            x + 0.001, 0, 0.12, sy - 0.05, h - 0.28, image=False
        )
        b.use(kit.steel())
        for z in (0.22, 0.46):
            for i in range(6):
                b.box(x + 0.01, (i - 2.5) * 0.085, z, 0.012, 0.012, 0.12)
            b.box(x + 0.012, 0, z, 0.014, sy - 0.08, 0.014)
        b.use(kit.paint("white", "ceramic"))
        for i in range(5):
            with b.at(x - 0.0, (i - 2) * 0.09, 0.31, roll=math.pi / 2):
                b.cylinder(0, 0, 0, 0.085, 0.01, 10)
    with b.at(x, 0, 0.10, pitch=1.45 if opened else 0.0):
        b.use(kit.main).box(0.02, 0, 0, 0.04, sy - 0.01, h - 0.25, bevel=0.006)
        b.use(kit.steel(0.8)).box(0.06, 0, h - 0.32, 0.025, sy - 0.16, 0.025, bevel=0.005)
    b.use(kit.dark() if kit.word("colour") != "black" else kit.steel(0.7)).box(
        x + 0.02, 0, h - 0.14, 0.04, sy - 0.01, 0.12
    )
    b.use(Material("digits", emission=0.3)).panel(x + 0.0415, 0.16, h - 0.11, 0.10, 0.05)
    b.use(kit.steel())
    for i in range(4):
        b.panel(x + 0.0415, -0.2 + 0.05 * i, h - 0.095, 0.025, 0.02, image=False)
    kit.stand(-0.02, 0, h, 0.45, 0.5, 0.5)


@category(
    "washing machine",
    "washing machines",
    "appliance",
    colour=("white", "white", "grey", "black"),
    material=("metal",),
    state=("closed", "closed", "open"),
)
def washing_machine(kit: Kit) -> None:
    b = kit.b
    sx, sy, h = kit.u(0.56, 0.60), 0.60, 0.85
    b.use(kit.main).box(-0.01, 0, 0.02, sx - 0.02, sy, h - 0.02, bevel=0.01)
    x = sx / 2 - 0.02
    b.use(Material("controls")).panel(x + 0.002, 0, h - 0.15, sy - 0.03, 0.12)
    opened = kit.word("state") == "open"
    glass = (
        Material("glass", (0.10, 0.13, 0.16))
        if not opened
        else Material("plain", (0.02, 0.02, 0.025))
    )
    with b.at(x, 0, 0.40, pitch=math.pi / 2):
        b.use(kit.steel(0.75)).lathe([(0.22, 0), (0.21, 0.02), (0.15, 0.025)], 20)
        if opened:
            b.use(Material("metal", (0.25, 0.25, 0.26))).lathe(
                [(0.15, 0.02), (0.12, 0.004), (0, 0.003)], 16
            )
        else:
            b.use(glass).lathe([(0.15, 0.022), (0.11, 0.05), (0.0, 0.06)], 20)
    if opened:
        with b.at(x, 0.21, 0.40, yaw=1.3), b.at(0, -0.21, 0, pitch=math.pi / 2):
            b.use(kit.steel(0.8)).lathe(
                [(0, 0.02), (0.13, 0.02), (0.20, 0.02), (0.21, 0.04), (0.14, 0.055)], 16
            )
            b.use(Material("glass", (0.10, 0.13, 0.16))).lathe(
                [(0.14, 0.055), (0.10, 0.075), (0, 0.08)], 16
            )
    else:
        b.use(kit.dark()).box(x + 0.03, -0.19, 0.37, 0.025, 0.03, 0.06, bevel=0.004)
    b.use(kit.dark()).box(x + 0.003, 0.2, 0.04, 0.006, 0.12, 0.08)
    kit.stand(-0.02, 0, h, 0.45, 0.5, 0.6)


@category(
    "wall cabinet",
    "wall cabinets",
    "kitchen",
    "wall",
    colour=_FRONTS,
    material=("wood",),
    doors=tuple(range(1, 11)),
    lengths={"length_m": (0.3, 4.0)},
)
def wall_cabinet(kit: Kit) -> None:
    sy, h, sx = kit.length("length_m", 0.6, 1.2), kit.u(0.6, 0.72), 0.34
    kit.prefer("doors", max(1, round(sy / 0.42)))
    kit.b.use(kit.main).box(0, 0, 0, sx, sy, h, skip=("-x",))
    doors(
        kit,
        kit.main,
        kit.steel(),
        sx / 2,
        0,
        0.0,
        sy,
        h,
        kit.count("doors"),
        panelled=kit.rng.random() < 0.5,
    )


@category(
    "range hood",
    "range hoods",
    "appliance",
    "wall",
    colour=("grey", "grey", "black", "white"),
    material=("metal",),
)
def range_hood(kit: Kit) -> None:
    b = kit.b
    w, d = kit.u(0.58, 0.64), 0.48
    b.use(kit.main)
    outline = [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)]
    b.loft(
        outline,
        [
            (d, w, 0.0, d / 2, 0),
            (d, w, 0.06, d / 2, 0),
            (0.26, 0.28, 0.28, 0.13, 0),
            (0.26, 0.28, 0.75, 0.13, 0),
            (0, 0, 0.75, 0.13, 0),
        ],
        smooth=False,
    )
    b.use(Material("grille", (0.5, 0.5, 0.5)))
    b.quad(
        [
            (0.02, -w / 2 + 0.02, 0.001),
            (0.02, w / 2 - 0.02, 0.001),
            (d - 0.02, w / 2 - 0.02, 0.001),
            (d - 0.02, -w / 2 + 0.02, 0.001),
        ]
    )
    b.use(kit.dark() if kit.word("colour") != "black" else kit.steel())
    for i in range(3):
        b.panel(d + 0.001, (i - 1) * 0.05, 0.02, 0.03, 0.02, image=False)
