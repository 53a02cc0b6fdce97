"""Bathroom fixtures. The front is +x, and the back stands against a wall."""

from __future__ import annotations

import math

from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import arc, doors
from navproof.world.meshing import circle, rounded_rectangle
from navproof.world.scene import Material

__all__: list[str] = []

_WATER = Material("plain", (0.42, 0.62, 0.68))


def _tap(kit: Kit, x: float, y: float, z: float, reach: float, height: float) -> None:
    b = kit.b
    b.use(kit.steel(1.25))
    path = [
        (0.0, 0.0, 0.0),
        (0.0, 0.0, height),
        *arc(reach / 2, height, reach / 2, math.pi, 0.2, 4)[1:],
    ]
    with b.at(x, y, z):
        b.tube(path, 0.014, 6)
        b.cylinder(0, 0, 0, 0.025, 0.02, 8, caps="top")
        b.box(-0.005, 0.05, 0.03, 0.016, 0.07, 0.014)


@category(
    "toilet",
    "toilets",
    "bathroom",
    colour=(*("white",) * 8, "beige", "black", "pink"),
    material=("ceramic",),
    state=("open", "closed", "closed"),
)
def toilet(kit: Kit) -> None:
    b = kit.b
    b.use(kit.main)
    h = kit.u(0.38, 0.41)
    o = circle(16)
    cx = 0.12
    rings = [
        (0.10, 0.10, 0.0, -0.02, 0),
        (0.11, 0.11, 0.02, -0.02, 0),
        (0.11, 0.105, h * 0.4, -0.02, 0),
        (0.19, 0.155, h * 0.72, cx - 0.05, 0),
        (0.235, 0.185, h - 0.015, cx, 0),
        (0.235, 0.185, h, cx, 0),
        (0.185, 0.14, h, cx, 0),
    ]
    b.loft(o, rings)
    b.box(-0.12, 0, 0, 0.26, 0.22, h * 0.85, bevel=0.04)
    b.box(-0.14, 0, h * 0.8, 0.24, 0.34, h * 0.2, bevel=0.02)
    if kit.word("state") == "open":
        b.loft(o, [(0.185, 0.14, h, cx, 0), (0.15, 0.11, h - 0.14, cx, 0), (0, 0, h - 0.15, cx, 0)])
        b.use(_WATER).loft(o, [(0.145, 0.107, h - 0.125, cx, 0), (0, 0, h - 0.124, cx, 0)])
        b.use(kit.main)
        b.loft(
            o,
            [
                (0.24, 0.19, h, cx, 0),
                (0.24, 0.19, h + 0.022, cx, 0),
                (0.165, 0.12, h + 0.022, cx, 0),
                (0.165, 0.12, h, cx, 0),
            ],
        )
        with b.at(-0.125, 0, h + 0.02, pitch=-1.75):
            b.loft(
                o,
                [
                    (0, 0, -0.01, 0.23, 0),
                    (0.23, 0.185, -0.01, 0.23, 0),
                    (0.23, 0.185, 0.012, 0.23, 0),
                    (0, 0, 0.016, 0.23, 0),
                ],
            )
    else:
        b.loft(
            o,
            [
                (0.24, 0.19, h, cx, 0),
                (0.24, 0.19, h + 0.022, cx, 0),
                (0.236, 0.186, h + 0.024, cx, 0),
                (0.245, 0.192, h + 0.03, cx, 0),
                (0.24, 0.19, h + 0.046, cx, 0),
                (0, 0, h + 0.056, cx, 0),
            ],
        )
    b.box(-0.245, 0, h, 0.19, 0.40, 0.36, bevel=0.025)
    b.box(-0.245, 0, h + 0.355, 0.205, 0.42, 0.03, bevel=0.01)
    b.use(kit.steel(1.2)).cylinder(-0.245, 0, h + 0.385, 0.028, 0.01, 10, caps="top")
    kit.stand(-0.245, 0.1, h + 0.385, 0.14, 0.14, 0.4)


@category(
    "bathtub",
    "bathtubs",
    "bathroom",
    colour=("white", "white", "white", "beige", "black"),
    material=("ceramic",),
    state=("empty", "filled"),
    modifier=("freestanding", "built-in"),
)
def bathtub(kit: Kit) -> None:
    b = kit.b
    w, l, h = kit.u(0.72, 0.80), kit.u(1.6, 1.75), kit.u(0.54, 0.60)
    free = kit.word("modifier") == "freestanding"
    o = rounded_rectangle(w, l, w * 0.42 if free else 0.12, 5)
    inner = rounded_rectangle(w - 0.14, l - 0.16, w * 0.36, 5)
    b.use(kit.main)
    if free:
        b.loft(
            o,
            [
                (0, 0.02),
                (0.66, 0.02),
                (0.74, 0.06),
                (0.92, h * 0.7),
                (0.97, h - 0.03),
                (1.0, h - 0.015),
                (1.0, h),
                (0.93, h),
            ],
        )
        ring = o * 0.93
    else:
        b.box(0, 0, 0, w, l, h - 0.03, skip=("+z", "-z"))
        flat = [(w / 2, l / 2), (-w / 2, l / 2), (-w / 2, -l / 2), (w / 2, -l / 2)]
        b.loft(flat, [(1.0, h - 0.03), (1.02, h - 0.03), (1.02, h)], smooth=False)
        ring = inner
        _rim(kit, w * 1.02, l * 1.02, inner, h)
    low = 0.18
    if kit.word("state") == "filled":
        b.loft(ring, [(1.0, h), (0.95, h - 0.14)])
        b.use(_WATER).loft(ring, [(0.955, h - 0.13), (0.0, h - 0.129)])
    else:
        b.loft(ring, [(1.0, h), (0.90, h * 0.55), (0.78, low), (0.0, low - 0.01)])
        b.use(kit.steel()).cylinder(0, -l * 0.28, low - 0.004, 0.03, 0.006, 8, caps="top")
    with b.at(0, -l / 2 + (0.05 if not free else 0.03), 0, yaw=math.pi / 2):
        _tap(kit, 0, 0, h, 0.16, 0.12)


def _rim(kit: Kit, sx: float, sy: float, inner: object, z: float) -> None:
    """The flat rim between a rectangle and the rounded inner outline."""
    import numpy as np

    ring = np.asarray(inner, dtype=np.float64)
    ring = np.concatenate([ring, ring[:1]])
    scale = np.minimum(
        sx / 2 / np.maximum(np.abs(ring[:, 0]), 1e-9), sy / 2 / np.maximum(np.abs(ring[:, 1]), 1e-9)
    )
    outer = ring * scale[:, None]
    points = np.zeros((2, len(ring), 3))
    points[0, :, :2], points[1, :, :2] = outer, ring
    points[..., 2] = z
    kit.b.grid(points)


@category(
    "shower",
    "showers",
    "bathroom",
    colour=("white", "white", "grey", "black"),
    material=("glass",),
    state=("closed", "open"),
)
def shower(kit: Kit) -> None:
    """A tray and a frame in its colour, and glass walls, open at the front when ``state`` is open.
    The glass is drawn as its frame and etched bands, so that the inside stays visible."""
    b = kit.b
    sx, sy, h = kit.u(0.85, 0.95), kit.u(0.85, 1.05), 2.0
    b.use(kit.main).box(0, 0, 0, sx, sy, 0.08, bevel=0.01)
    b.use(kit.dark()).cylinder(0, 0, 0.08, 0.05, 0.003, 10, caps="top")
    frame = kit.paint(kit.word("colour"), "metal")
    b.use(
        Material(
            "tiles", (0.80, 0.88, 0.90) if kit.word("colour") != "white" else (0.55, 0.72, 0.78)
        )
    )
    b.box(-sx / 2 + 0.01, 0, 0.08, 0.02, sy, h - 0.08)
    b.use(frame)
    for y in (-sy / 2 + 0.015, sy / 2 - 0.015):
        b.box(sx / 2 - 0.015, y, 0.08, 0.03, 0.03, h - 0.08)
        b.box(0, y, h - 0.03, sx, 0.03, 0.03)
        b.box(0, y, 0.08, sx, 0.03, 0.03)
    b.box(sx / 2 - 0.015, 0, h - 0.03, 0.03, sy, 0.03)
    pane = Material("glass", (0.86, 1.0, 1.0))
    for y in (-sy / 2 + 0.012, sy / 2 - 0.012):
        b.use(pane).box(0, y, 0.75, sx - 0.03, 0.006, 0.55)
    closed = kit.word("state") == "closed"
    with b.at(sx / 2 - 0.015, -sy / 2 + 0.03, 0, yaw=0.0 if closed else -1.2):
        wide = sy - 0.06
        b.use(pane).box(0, wide / 2, 0.75, 0.006, wide - 0.04, 0.55)
        b.use(frame)
        for y in (0.01, wide - 0.01):
            b.box(0, y, 0.10, 0.02, 0.02, h - 0.14)
        for z in (0.10, h - 0.06):
            b.box(0, wide / 2, z, 0.02, wide, 0.02)
        b.box(0.03, wide - 0.06, 0.9, 0.02, 0.02, 0.3)
    b.use(kit.steel(1.2))
    b.tube(
        [
            (-sx / 2 + 0.03, 0, 1.0),
            (-sx / 2 + 0.04, 0, 1.9),
            (-sx / 2 + 0.12, 0, 1.95),
            (-sx / 2 + 0.28, 0, 1.93),
        ],
        0.012,
        6,
    )
    b.cylinder(-sx / 2 + 0.28, 0, 1.89, 0.09, 0.035, 12, top=0.03)
    b.cylinder(-sx / 2 + 0.04, 0, 1.0, 0.03, 0.05, 8)


@category(
    "washbasin",
    "washbasins",
    "bathroom",
    colour=("white", "white", "beige", "black", "grey"),
    material=("ceramic",),
    modifier=("pedestal", "vanity", "vanity"),
)
def washbasin(kit: Kit) -> None:
    b = kit.b
    h = kit.u(0.83, 0.88)
    if kit.word("modifier") == "pedestal":
        rx, ry = 0.23, 0.29
        b.use(kit.main)
        b.lathe([(0.13, 0), (0.10, 0.05), (0.07, 0.3), (0.08, h - 0.2), (0.14, h - 0.13)], 12)
        b.loft(
            circle(18),
            [
                (0.10, 0.13, h - 0.17),
                (rx * 0.85, ry * 0.85, h - 0.08),
                (rx, ry, h - 0.015),
                (rx, ry, h),
                (rx * 0.84, ry * 0.84, h),
                (rx * 0.6, ry * 0.6, h - 0.1),
                (0, 0, h - 0.13),
            ],
        )
        b.box(-rx + 0.01, 0, h - 0.14, 0.10, 2 * ry * 0.8, 0.15, bevel=0.02)
        b.use(kit.dark()).cylinder(0, 0, h - 0.128, 0.018, 0.003, 8, caps="top")
        _tap(kit, -rx + 0.03, 0, h, 0.12, 0.08)
        return
    sx, sy = 0.46, kit.u(0.6, 0.9)
    front = kit.paint(
        kit.one_of("white", "brown", "grey", "beige", "blue")
        if kit.word("colour") != "white"
        else kit.one_of("brown", "grey", "beige", "blue"),
        "wood",
    )
    b.use(front).box(0, 0, 0.15, sx - 0.04, sy - 0.04, h - 0.27, skip=("+z",))
    doors(kit, front, kit.steel(), sx / 2 - 0.02, 0, 0.16, sy - 0.05, h - 0.29, 2, style="knob")
    b.use(kit.main).box(0, 0, h - 0.13, sx, sy, 0.05, bevel=0.008)
    z = h - 0.08
    b.loft(
        circle(18),
        [
            (0.12, 0.16, z),
            (0.17, 0.22, z + 0.06),
            (0.185, 0.24, z + 0.12),
            (0.17, 0.225, z + 0.12),
            (0.13, 0.17, z + 0.04),
            (0, 0, z + 0.02),
        ],
        centre=(0.03, 0),
    )
    b.use(kit.dark()).cylinder(0.03, 0, z + 0.021, 0.018, 0.003, 8, caps="top")
    _tap(kit, -sx / 2 + 0.04, 0, z, 0.14, 0.2)
    room = sy / 2 - 0.25
    for s in (-1, 1):
        kit.stand(0, s * (sy / 2 - room / 2), z, sx * 0.7, room * 0.8, 0.5)


@category(
    "towel",
    "towels",
    "bathroom",
    "wall",
    colour=(
        "white",
        "blue",
        "red",
        "green",
        "yellow",
        "pink",
        "purple",
        "orange",
        "beige",
        "grey",
        "turquoise",
    ),
    material=("fabric",),
    pattern=("plain", "plain", "striped", "checkered", "zigzag"),
)
def towel(kit: Kit) -> None:
    import numpy as np

    b = kit.b
    w, h = kit.u(0.42, 0.55), kit.u(0.55, 0.75)
    b.use(kit.steel(1.2)).tube([(0.06, -w / 2 - 0.06, h), (0.06, w / 2 + 0.06, h)], 0.01, 6)
    for s in (-1, 1):
        b.box(0.033, s * (w / 2 + 0.05), h - 0.012, 0.066, 0.024, 0.024)
    b.use(kit.main)
    ys = [-w / 2 + w * i / 6 for i in range(7)]
    fold = [0.006 * (-1) ** i for i in range(7)]
    profile = [
        (0.088, 0.0),
        (0.085, h * 0.5),
        (0.078, h - 0.01),
        (0.06, h + 0.016),
        (0.042, h - 0.01),
        (0.036, h * 0.35),
    ]
    points = np.array(
        [
            [(x + f * (1 - z / h) * 1.5, y, z) for y, f in zip(ys, fold, strict=True)]
            for x, z in profile
        ]
    )
    b.grid(points, two_sided=True)
