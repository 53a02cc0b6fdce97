"""Plants in pots, large on the floor and small on furniture."""

from __future__ import annotations

import math

import numpy as np

from navproof.world.catalog.category import Kit, category
from navproof.world.meshing import Floats, circle
from navproof.world.scene import Material

__all__: list[str] = []


def _leaf(length: float, width: float, droop: float) -> Floats:
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
    b.use(look).lathe(
        [
            (0, 0),
            (pot_r * 0.72, 0),
            (pot_r * 0.95, pot_h * 0.85),
            (pot_r, pot_h * 0.86),
            (pot_r, pot_h),
            (pot_r * 0.88, pot_h),
            (pot_r * 0.86, pot_h * 0.9),
        ],
        12,
    )
    b.use(Material("bark", (0.10, 0.06, 0.035))).loft(
        circle(12), [(pot_r * 0.87, pot_h * 0.9), (0, pot_h * 0.92)]
    )
    tones = ((0.06, 0.26, 0.05), (0.09, 0.34, 0.07), (0.04, 0.20, 0.06), (0.14, 0.36, 0.06))
    crown = height - pot_h
    if kind == "tree":
        trunk = crown * 0.5
        b.use(Material("bark", (0.25, 0.15, 0.08))).tube(
            [(0, 0, pot_h * 0.9), (0.02, 0.01, pot_h + trunk * 0.5), (0, 0, pot_h + trunk)],
            [pot_r * 0.13, pot_r * 0.1, pot_r * 0.08],
            6,
            caps=False,
        )
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
                rows = [
                    [(0.01 * z, s * w * k / 2, tall * z) for s in (-1, 0, 1)]
                    for z, k in ((0, 0.7), (0.35, 1.0), (0.75, 0.8), (1.0, 0.05))
                ]
                p = np.array(rows)
                p[:, 1, 0] -= 0.2 * w
                b.grid(p, _LEAF_UV, two_sided=True)
            continue
        if kind == "tree":
            z0 = pot_h + crown * (0.42 + 0.45 * t)
            length, width, tilt = crown * 0.36 * (1.1 - 0.4 * t), crown * 0.17, 0.3 - 1.1 * t
        elif kind == "palm":
            z0 = pot_h + crown * 0.12 * t
            length, width, tilt = (
                crown * (0.95 - 0.1 * (i % 3)),
                crown * 0.12,
                -1.15 + 0.55 * (1 - t),
            )
        else:
            z0 = pot_h + crown * 0.22 * t
            length, width, tilt = crown * (0.85 + 0.2 * t), crown * 0.34, -0.95 * t - 0.1
        droop = 0.55 if kind != "palm" else 0.75
        with b.at(0, 0, z0, yaw=yaw, pitch=tilt):
            b.grid(_leaf(length, width, droop)[:, ::-1], _LEAF_UV, two_sided=True)


_POTS = (
    "white",
    "white",
    "brown",
    "orange",
    "black",
    "grey",
    "blue",
    "yellow",
    "turquoise",
    "pink",
    "red",
    "green",
)


@category(
    "plant",
    "plants",
    "plant",
    colour=("green",),
    modifier=("leafy", "tree-like", "palm-like"),
    size=("small", "medium", "large"),
    colour2=_POTS,
)
def plant(kit: Kit) -> None:
    """A big pot plant on the floor; ``colour2`` is its pot."""
    kit.chosen["colour"] = kit.word("colour2")
    kind = {"leafy": "bush", "tree-like": "tree", "palm-like": "palm"}[kit.word("modifier")]
    h = 1.15 * kit.k * (1.15 if kind == "tree" else 1.0)
    _plant(kit, 0.15 * kit.k, 0.26 * kit.k, h, kind, {"bush": 14, "tree": 22, "palm": 13}[kind])
    kit.chosen["colour"] = "green"


@category(
    "potted plant",
    "potted plants",
    "plant",
    "on",
    colour=("green",),
    modifier=("leafy", "spiky"),
    size=("small", "medium", "large"),
    colour2=_POTS,
)
def potted_plant(kit: Kit) -> None:
    kit.chosen["colour"] = kit.word("colour2")
    kind = "bush" if kit.word("modifier") == "leafy" else "snake"
    _plant(kit, 0.065 * kit.k, 0.11 * kit.k, 0.34 * kit.k, kind, 10)
    kit.chosen["colour"] = "green"
