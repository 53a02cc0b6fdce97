"""Bicycles, and exercise bikes."""

from __future__ import annotations

import math

from navproof.world.catalog.category import Kit, category
from navproof.world.scene import Material

__all__: list[str] = []


def _wheel(kit: Kit, x: float, z: float, r: float, rim: Material, n: int = 16) -> None:
    b = kit.b
    ring = [
        (x + r * math.cos(2 * math.pi * i / n), 0.0, z + r * math.sin(2 * math.pi * i / n))
        for i in range(n)
    ]
    b.use(kit.dark()).tube(ring, 0.022, 5, closed=True)
    b.use(rim)
    for i in range(4):
        a = math.pi * i / 4
        c, s = r * math.cos(a), r * math.sin(a)
        b.tube([(x - c, 0, z - s), (x + c, 0, z + s)], 0.004, 3, caps=False)
    b.tube([(x, -0.04, z), (x, 0.04, z)], 0.022, 6)


@category(
    "bicycle",
    "bicycles",
    "sport",
    colour=(
        "red",
        "blue",
        "green",
        "black",
        "white",
        "yellow",
        "orange",
        "pink",
        "purple",
        "turquoise",
    ),
    material=("metal",),
    size=("small", "medium"),
)
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
    for path in (
        (crank, seat),
        (seat, head),
        (crank, low_head),
        ((back, 0.03, r), crank),
        ((back, -0.03, r), crank),
        ((back, 0.03, r), seat),
        ((back, -0.03, r), seat),
        ((front, 0.035, r), low_head),
        ((front, -0.035, r), low_head),
        (low_head, (0.33 * k, 0, 0.92 * k)),
    ):
        b.tube(path, 0.020, 5)
    b.use(kit.dark())
    b.tube(
        [
            (0.42 * k, -0.27, 0.97 * k),
            (0.36 * k, -0.18, 0.99 * k),
            (0.33 * k, 0, 0.94 * k),
            (0.36 * k, 0.18, 0.99 * k),
            (0.42 * k, 0.27, 0.97 * k),
        ],
        0.015,
        5,
    )
    b.tube([seat, (-0.225 * k, 0, 0.88 * k)], 0.015, 5)
    b.cushion(-0.24 * k, 0, 0.87 * k, 0.27, 0.15, 0.07, (3, 2, 1), 4)
    with b.at(crank[0], 0.05, crank[2], roll=math.pi / 2):
        b.use(kit.steel()).cylinder(0, 0, -0.004, 0.09 * k, 0.008, 12)
    for s in (-1, 1):
        b.use(kit.steel()).tube(
            [
                (crank[0], 0.06 * s, crank[2]),
                (crank[0] + 0.12 * s * k, 0.08 * s, crank[2] - 0.12 * s * k),
            ],
            0.011,
            4,
        )
        b.use(kit.dark()).box(
            crank[0] + 0.12 * s * k, 0.13 * s, crank[2] - 0.12 * s * k - 0.01, 0.08, 0.09, 0.022
        )


@category(
    "exercise bike",
    "exercise bikes",
    "sport",
    colour=("black", "red", "white", "grey", "blue", "yellow"),
    material=("metal",),
)
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
    b.tube(
        [
            (0.14, -0.24, 1.12),
            (0.26, -0.2, 1.06),
            (0.31, 0, 0.98),
            (0.26, 0.2, 1.06),
            (0.14, 0.24, 1.12),
        ],
        0.018,
        6,
    )
    with b.at(0.34, 0, 1.08, pitch=-0.5):
        b.box(0, 0, 0, 0.03, 0.22, 0.16, bevel=0.008)
        with b.at(-0.017, 0, 0, yaw=math.pi):
            b.use(Material("screen_desktop", emission=0.4)).panel(0, 0, 0.02, 0.18, 0.11)
    for s in (-1, 1):
        b.use(kit.steel()).tube(
            [(0.05, 0.06 * s, 0.30), (0.05 + 0.12 * s, 0.09 * s, 0.30 - 0.08 * s)], 0.014, 5
        )
        b.use(kit.dark()).box(0.05 + 0.12 * s, 0.15 * s, 0.28 - 0.08 * s, 0.10, 0.10, 0.025)
