"""A body in its clothes: rounded parts on bones, upright, for an adult of 1.75 m; then scaled."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from navproof.world.people.gait import (
    ARM,
    FOOT,
    FOREARM,
    HEAD,
    PELVIS,
    SHIN,
    THIGH,
    TORSO,
)
from navproof.world.people.looks import HAIR, SKIN, Appearance
from navproof.world.people.shapes import Carried, Ring, ShapeBuilder, Shapes
from navproof.world.scene import RGB
from navproof.world.textures.palette import COLOURS, shade

__all__ = ["build_body", "paints", "shoulder_m", "stride_m"]

Row: TypeAlias = tuple[float, float, float, Carried]
"""(z, half depth, half width, bones)"""

_TORSO: Mapping[str, tuple[tuple[float, float, float], ...]] = {
    "man": (
        (0.93, 0.112, 0.160), (1.05, 0.108, 0.150), (1.12, 0.112, 0.156), (1.28, 0.122, 0.172),
        (1.39, 0.108, 0.182), (1.445, 0.082, 0.148), (1.49, 0.056, 0.066),
    ),
    "woman": (
        (0.93, 0.118, 0.166), (1.06, 0.090, 0.126), (1.25, 0.126, 0.148), (1.36, 0.102, 0.158),
        (1.425, 0.072, 0.128), (1.475, 0.048, 0.056),
    ),
}  # fmt: skip
_ROUND = (-15.0, 15.0, 45.0, 80.0, 110.0, 145.0, 180.0, 215.0, 250.0, 280.0, 315.0)
"""Corners of the trunk: a narrow strip in front, for what an open jacket shows."""
_SKULL_AT, _SKULL = (0.012, 0.0, 1.633), (0.098, 0.079, 0.117)
_OPEN = ("jacket", "cardigan", "vest")


def shoulder_m(look: Appearance) -> float:
    """Half the distance between the shoulder joints of an adult of 1.75 m."""
    return (0.188 if look.noun == "man" else 0.162) * look.build


def stride_m(look: Appearance) -> float:
    """The length of a stride (two steps) of an adult of 1.75 m; shorter in a skirt."""
    return 0.95 if _bare(look) else 1.085


def paints(look: Appearance) -> dict[str, RGB]:
    """Linear RGB of every colour name that ``build_body`` uses."""
    skin, hair = SKIN[look.skin], HAIR[look.hair_colour]
    lower = look.lower.rgb if look.lower else look.upper.rgb
    return {
        "skin": skin,
        "lips": shade((skin[0], skin[1] * 0.62, skin[2] * 0.62), 0.75),
        "eye": (0.02, 0.016, 0.016),
        "hair": hair,
        "upper": look.upper.rgb,
        "trim": shade(look.upper.rgb, 0.55),
        "band": (0.75, 0.74, 0.55),
        "under": COLOURS[look.under],
        "lower": lower,
        "belt": (0.018, 0.014, 0.012),
        "shoe": COLOURS[look.shoes],
        "sole": (0.05, 0.05, 0.05),
    }


def build_body(look: Appearance) -> Shapes:
    """The standing body, feet on z = 0, facing +x."""
    shapes = ShapeBuilder()
    _legs(shapes, look)
    (_skirt if _bare(look) else _hips)(shapes, look)
    _torso(shapes, look)
    _arms(shapes, look)
    _head(shapes, look)
    _hair(shapes, look)
    built = shapes.build()
    size = look.height_m / 1.75
    return replace(built, vertices=np.round(built.vertices * size, 6))


def _bare(look: Appearance) -> bool:
    return look.lower is None or look.lower.cut == "skirt"


def _legs(shapes: ShapeBuilder, look: Appearance) -> None:
    since, bare, b = shapes.parts, _bare(look), look.build
    thin = 0.88 if bare else 1.0
    thigh, shin = (THIGH, THIGH, 1.0), (SHIN, SHIN, 1.0)
    rows: tuple[Row, ...] = (
        (0.075, 0.048 * thin, 0.044 * thin, shin),
        (0.34, 0.064, 0.056, shin),
        (0.47, 0.060, 0.055, (SHIN, THIGH, 0.75)),
        (0.53, 0.064, 0.060, (THIGH, SHIN, 0.75)),
        (0.70, 0.082, 0.076, thigh),
        (0.90, 0.098, 0.088, (THIGH, PELVIS, 0.6)),
    )
    if bare:
        rows = (*rows[:4], (0.66, 0.068, 0.066, thigh))
    rings = [Ring(z, rx * b, ry * b, bones, 0.0, 0.09) for z, rx, ry, bones in rows]
    shapes.loft(rings, "skin" if bare else "lower", 6, caps=(False, True))
    foot: Carried = (FOOT, FOOT, 1.0)
    shoe = [
        Ring(0.0, 0.128, 0.045, foot, 0.062, 0.09),
        Ring(0.028, 0.130, 0.047, foot, 0.062, 0.09),
        Ring(0.062, 0.096, 0.043, foot, 0.03, 0.09),
        Ring(0.105, 0.056, 0.045, foot, -0.004, 0.09),
    ]
    shapes.loft(shoe, lambda x, y, z: "sole" if z < 0.02 else "shoe", 6, caps=(True, False))
    shapes.mirrored(since)


def _hips(shapes: ShapeBuilder, look: Appearance) -> None:
    b = look.build
    pelvis: Carried = (PELVIS, PELVIS, 1.0)
    rows = ((0.82, 0.07, 0.08), (0.87, 0.106, 0.146), (0.98, 0.104, 0.150))
    rings = [Ring(z, rx * b, ry * b, pelvis) for z, rx, ry in rows]
    shapes.loft(rings, "lower", 8, square=2.4)
    if look.upper.cut == "shirt":
        belt = [Ring(z, 0.114 * b, 0.162 * b, pelvis) for z in (0.955, 0.99)]
        shapes.loft(belt, "belt", 10, caps=(False, False), square=2.5)


def _torso(shapes: ShapeBuilder, look: Appearance) -> None:
    b, cut = look.build, look.upper.cut
    rows = _TORSO[look.noun]
    if cut == "dress":
        rows = ((1.0, 0.108, 0.145), *rows[1:])
    elif cut == "shirt":
        rows = ((0.975, 0.112, 0.160), *rows[1:])
    loose = 1.07 if cut in _OPEN else 1.0
    rings = []
    for number, (z, rx, ry) in enumerate(rows):
        share = 1.0 if z > 1.1 else (0.0, 0.4)[number]
        wide = loose if z < 1.42 else 1.0
        rings.append(Ring(z, rx * b * loose, ry * b * wide, (TORSO, PELVIS, share)))

    def paint(x: float, y: float, z: float) -> str:
        if cut in _OPEN and x > 0.05 and abs(y) < 0.02:
            return "under"
        if cut == "vest" and 1.05 < z < 1.12:
            return "band"
        if cut in ("shirt", "jumper", "dress") and z > 1.462:
            return "trim" if cut != "dress" else "skin"
        return "upper"

    shapes.loft(rings, paint, _ROUND, square=2.4)


def _skirt(shapes: ShapeBuilder, look: Appearance) -> None:
    """From the waist to the knees; its sides go along with the thighs."""
    b, colour = look.build, "lower"
    waist: Carried = (PELVIS, PELVIS, 1.0)
    wide = 1.18 if look.lower is None else 1.12
    rows = ((0.50, 0.205, 0.225), (0.68, 0.168, 0.200), (0.84, 0.132, 0.178), (1.03, 0.10, 0.135))
    middle = [Ring(z, rx * b * (wide if z < 0.7 else 1.03), ry * b, waist) for z, rx, ry in rows]
    shapes.loft(middle, colour, 9)
    shapes.carry_skirt(0.50, 0.86, THIGH, THIGH + 1)


def _arms(shapes: ShapeBuilder, look: Appearance) -> None:
    since, b, y = shapes.parts, look.build, shoulder_m(look)
    arm, fore = (ARM, ARM, 1.0), (FOREARM, FOREARM, 1.0)
    cut = look.upper.cut
    full = 1.0 if look.noun == "man" else 0.86
    rows: tuple[Row, ...] = (
        (0.895, 0.030, 0.026, fore),
        (1.09, 0.042, 0.038, (FOREARM, FOREARM, 1.0)),
        (1.165, 0.044, 0.040, (ARM, FOREARM, 0.55)),
        (1.28, 0.050, 0.046, arm),
        (1.38, 0.056, 0.048, arm),
        (1.428, 0.036, 0.034, (ARM, TORSO, 0.7)),
    )
    loose = 1.14 if cut in ("jacket", "cardigan", "jumper") else 1.0
    rings = [
        Ring(z, rx * b * full * loose, ry * b * full * loose, k, 0.0, y) for z, rx, ry, k in rows
    ]

    def paint(x: float, y: float, z: float) -> str:
        if cut == "vest":
            return "under"
        if cut == "dress":
            return "upper" if z > 1.30 else "skin"
        if cut == "jacket" and z < 0.95:
            return "trim"
        return "upper"

    shapes.loft(rings, paint, 6)
    shapes.ball((0.012, y, 0.825), (0.042, 0.024, 0.09), FOREARM, "skin", 5, 2)
    shapes.mirrored(since)


def _head(shapes: ShapeBuilder, look: Appearance) -> None:
    neck = [
        Ring(1.44, 0.056, 0.058, (TORSO, TORSO, 1.0), -0.005),
        Ring(1.57, 0.052, 0.052, (HEAD, HEAD, 1.0), 0.0),
    ]
    shapes.loft(neck, "skin", 6, caps=(False, False))
    bearded = look.extra == "beard"

    def face(x: float, y: float, z: float) -> str:
        return "hair" if bearded and x > 0.025 and z < 1.605 else "skin"

    shapes.ball(_SKULL_AT, _SKULL, HEAD, face, 8, 6)
    for side in (-1.0, 1.0):
        y = 0.031 * side
        shapes.patch(_on_face(y, 1.648, 0.013, 0.008), HEAD, "eye")
        if look.extra == "glasses":
            for z in (1.668, 1.632):
                shapes.patch(_on_face(y, z, 0.025, 0.004, 0.006), HEAD, "belt")
            for edge in (y - 0.023, y + 0.023):
                shapes.patch(_on_face(edge, 1.65, 0.004, 0.019, 0.006), HEAD, "belt")
    tip, top = (0.128, 0.0, 1.625), (0.108, 0.0, 1.66)
    shapes.patch([tip, (0.105, 0.017, 1.618), top], HEAD, "skin")
    shapes.patch([tip, top, (0.105, -0.017, 1.618)], HEAD, "skin")
    shapes.patch(_on_face(0.0, 1.583, 0.024, 0.006), HEAD, "lips")


def _on_face(
    y: float, z: float, half_y: float, half_z: float, off: float = 0.003
) -> list[tuple[float, float, float]]:
    """A small rectangle on the front of the head, ``off`` its surface."""
    corners = []
    for sy, sz in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        cy, cz = y + sy * half_y, z + sz * half_z
        inward = (cy / _SKULL[1]) ** 2 + ((cz - _SKULL_AT[2]) / _SKULL[2]) ** 2
        depth = _SKULL[0] * math.sqrt(max(0.0, 1.0 - inward))
        corners.append((_SKULL_AT[0] + depth + off, cy, cz))
    return corners


def _hair(shapes: ShapeBuilder, look: Appearance) -> None:
    if look.hair == "bald":
        return
    big = {"curly": 1.5, "short": 1.10, "long": 1.13, "bun": 1.10}[look.hair]
    cx, cz = (-0.03, 1.668) if look.hair == "curly" else (0.002, 1.646)
    nape = {"curly": 1.54, "short": 1.59, "long": 1.52, "bun": 1.58}[look.hair]
    brow = 1.685

    def keep(x: float, y: float, z: float) -> str | None:
        at_back = x < 0.012 + 0.35 * max(0.0, z - 1.64)
        return "hair" if (z > brow or (at_back and z > nape)) else None

    radii = (_SKULL[0] * big, _SKULL[1] * big, _SKULL[2] * (big if look.hair != "curly" else 1.25))
    shapes.ball((cx, 0.0, cz), radii, HEAD, keep, 8, 6, two_sided=True)
    if look.hair == "long":
        rings = [
            Ring(1.30, 0.020, 0.075, (HEAD, TORSO, 0.4), -0.118),
            Ring(1.42, 0.030, 0.092, (HEAD, TORSO, 0.7), -0.100),
            Ring(1.55, 0.045, 0.095, (HEAD, HEAD, 1.0), -0.062),
            Ring(1.66, 0.055, 0.088, (HEAD, HEAD, 1.0), -0.045),
        ]
        shapes.loft(rings, "hair", 6)
    if look.hair == "bun":
        shapes.ball((-0.105, 0.0, 1.70), (0.050, 0.052, 0.048), HEAD, "hair", 6, 3)
