"""Beds, cribs and the bed of a pet. The head is at −x, the foot at +x."""

from __future__ import annotations

import math

import numpy as np

from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import FABRIC_COLOURS, FABRIC_PATTERNS, legs
from navproof.world.meshing import circle

__all__: list[str] = []

_BEDDING = (
    "white",
    "blue",
    "grey",
    "red",
    "green",
    "pink",
    "yellow",
    "purple",
    "beige",
    "orange",
    "turquoise",
    "white",
)


def _duvet(
    kit: Kit, x0: float, x1: float, y0: float, y1: float, z: float, drop: float, ruffle: float
) -> None:
    """A quilt over the mattress from x0 (towards the head) to x1, hanging down on three sides."""
    n, m = 8, 9
    xs = [x0 + (x1 - x0) * i / (n - 1) for i in range(n)]
    side = [(y0 - 0.025, z - drop), (y0 - 0.02, z - drop * 0.4), (y0 + 0.015, z + 0.03)]
    inner = [(y0 + (y1 - y0) * (j + 1) / (m - 4), z + 0.045) for j in range(m - 5)]
    cross = (
        side
        + inner[: m - 6]
        + [(y1 - 0.015, z + 0.03), (y1 + 0.02, z - drop * 0.4), (y1 + 0.025, z - drop)]
    )
    points = np.array([[(x, y, h) for y, h in cross] for x in xs])
    if ruffle:
        bump = np.array([[kit.rng.random() for _ in cross] for _ in xs])
        lying = points[..., 2] > z
        points[..., 2] += ruffle * (bump - 0.3) * lying
        points[..., 2] = np.where(lying, np.maximum(points[..., 2], z + 0.012), points[..., 2])
        points[..., 0] += 0.5 * ruffle * (bump.T[0][:, None] - 0.5)
        points[..., 1] += 0.4 * ruffle * (bump - 0.5)
    kit.b.grid(np.ascontiguousarray(points.transpose(1, 0, 2)), two_sided=False)
    hang = points[-1].copy()
    low = hang.copy()
    low[:, 0] += 0.02
    low[:, 2] = np.minimum(low[:, 2], z - drop)
    kit.b.grid(np.stack([low, hang]))
    lip = points[0].copy()
    lip[:, 2] -= 0.04
    kit.b.grid(np.stack([points[0], lip]), two_sided=True)


def _pillow(
    kit: Kit, x: float, y: float, z: float, w: float, tilt: float, yaw: float = 0.0
) -> None:
    with kit.b.at(x, y, z, pitch=-tilt, yaw=yaw):
        kit.b.cushion(0, 0, 0, 0.42, w, 0.15, (3, 4, 2), 4)


@category(
    "bed",
    "beds",
    "bed",
    colour=_BEDDING,
    material=("fabric",),
    pattern=FABRIC_PATTERNS,
    modifier=("double", "double", "single", "bunk"),
    state=("made", "made", "unmade"),
    pillows=(1, 2, 4),
)
def bed(kit: Kit) -> None:
    """A bed; its colour is that of the duvet, the largest visible part."""
    if "modifier" not in kit.wanted and "pillows" in kit.wanted:
        kit.prefer("modifier", "double" if kit.count("pillows") > 1 else "single")
    kind = kit.word("modifier")
    if kind != "double":
        kit.prefer("pillows", 1)
    elif kit.count("pillows") == 1:
        kit.prefer("pillows", 2)
    n = kit.count("pillows")
    w = kit.u(1.45, 1.75) if kind == "double" else kit.u(0.92, 1.02)
    l = kit.u(2.02, 2.1)
    frame = kit.paint(kit.one_of("brown", "brown", "beige", "white", "black", "grey"), "wood")
    if kind == "bunk":
        kit.b.use(frame)
        h = kit.u(1.55, 1.7)
        for x in (-l / 2, l / 2):
            for y in (-w / 2, w / 2):
                kit.b.box(x, y, 0, 0.07, 0.07, h)
        for z in (0.22, 1.12):
            _level(kit, frame, l, w, z, n)
        kit.b.use(frame)
        for z in (h - 0.1, h - 0.27):
            for y in (-w / 2, w / 2):
                kit.b.box(0 if y < 0 else -0.2, y, z, l if y < 0 else l - 0.45, 0.03, 0.07)
            for x in (-l / 2, l / 2):
                kit.b.box(x, 0, z, 0.03, w, 0.07)
        for x in (l / 2 - 0.42, l / 2 - 0.04):
            kit.b.box(x, w / 2 + 0.04, 0, 0.04, 0.04, h - 0.1)
        for i in range(4):
            kit.b.box(l / 2 - 0.23, w / 2 + 0.04, 0.25 + 0.27 * i, 0.36, 0.03, 0.035)
        return
    kit.b.use(frame)
    head = kit.u(0.95, 1.15)
    style = kit.one_of("panel", "slats", "padded")
    if style == "padded":
        kit.b.use(kit.paint(kit.one_of("grey", "beige", "brown", "black"), "fabric"))
        for i in range(3):
            kit.b.cushion(
                -l / 2 - 0.03,
                -w / 2 + (i + 0.5) * w / 3,
                0.25,
                0.12,
                w / 3,
                head - 0.25,
                (1, 3, 3),
                8,
            )
        kit.b.use(frame)
    elif style == "panel":
        kit.b.box(-l / 2 - 0.03, 0, 0.0, 0.06, w + 0.06, head, bevel=0.015)
    else:
        kit.b.box(-l / 2 - 0.03, 0, head - 0.1, 0.05, w + 0.06, 0.1, bevel=0.015)
        kit.b.box(-l / 2 - 0.03, 0, 0.35, 0.04, w, 0.08)
        for s in (-1, 1):
            kit.b.box(-l / 2 - 0.03, s * (w / 2 + 0.005), 0, 0.06, 0.06, head - 0.02)
        for i in range(7):
            kit.b.box(
                -l / 2 - 0.03, (i - 3) * w / 7.5, 0.4, 0.025, 0.05, head - 0.46, skip=("+z", "-z")
            )
    kit.b.use(frame)
    kit.b.box(l / 2 + 0.01, 0, 0.08, 0.04, w + 0.02, 0.3, bevel=0.01)
    legs(kit, l, w, 0.2, 0.07, 0.02)
    _level(kit, frame, l, w, 0.18, n)


def _level(kit: Kit, frame: object, l: float, w: float, z: float, pillows: int) -> None:
    """Slatted base, mattress, sheet, pillows and duvet with the base at height z."""
    b = kit.b
    b.use(frame)  # type: ignore[arg-type]
    b.box(0, 0, z, l, w, 0.12, skip=("+z",))
    b.use(kit.paint((0.86, 0.85, 0.82), "fabric"))
    b.box(0, 0, z + 0.11, l - 0.05, w - 0.04, 0.2, bevel=0.04)
    top = z + 0.31
    made = kit.word("state") == "made"
    for i in range(pillows):
        column, row = (i % 2, i // 2) if pillows > 1 else (0, 0)
        wide = w / 2 - 0.1 if pillows > 1 else min(0.65, w - 0.2)
        y = (column - 0.5) * (w / 2) if pillows > 1 else 0.0
        look = kit.main if row else kit.paint((0.9, 0.89, 0.87), "fabric")
        b.use(look)
        if made:
            _pillow(
                kit, -l / 2 + 0.28 + 0.24 * row, y, top - 0.02 + 0.02 * row, wide, 0.3 + 0.35 * row
            )
        else:
            _pillow(
                kit,
                -l / 2 + 0.30 + 0.2 * row,
                y + kit.u(-0.06, 0.06),
                top - 0.01 + 0.1 * row,
                wide,
                0.1 + 0.2 * row,
                kit.u(-0.6, 0.6),
            )
    b.use(kit.main)
    if made:
        _duvet(kit, -l / 2 + 0.56, l / 2 - 0.02, -w / 2, w / 2, top, 0.2, 0.02)
        b.use(kit.paint((0.92, 0.91, 0.89), "fabric"))
        b.cushion(-l / 2 + 0.58, 0, top + 0.005, 0.16, w + 0.02, 0.06, (2, 4, 1), 8)
    else:
        s = kit.one_of("left", "right")
        shift = kit.u(0.12, 0.25) * (1 if s == "left" else -1)
        _duvet(
            kit,
            -l / 2 + kit.u(0.85, 1.0),
            l / 2 - kit.u(0.0, 0.2),
            -w / 2 + shift * (shift > 0),
            w / 2 + shift * (shift < 0),
            top,
            0.1,
            0.16,
        )
        with b.at(0.05, shift * 0.7, top + 0.02, yaw=0.5):
            b.cushion(0, 0, 0, 0.45, w * 0.62, 0.22, (3, 4, 2), 4)
    kit.stand(0.25, 0, top + 0.045 if made else top + 0.05, l * 0.42, w * 0.7, 0.6)


@category(
    "crib",
    "cribs",
    "bed",
    colour=("white", "white", "beige", "brown", "grey", "black"),
    material=("wood",),
)
def crib(kit: Kit) -> None:
    b = kit.b
    w, l, h = kit.u(0.64, 0.72), kit.u(1.2, 1.35), kit.u(0.88, 1.0)
    b.use(kit.main)
    for x in (-w / 2, w / 2):
        for y in (-l / 2, l / 2):
            b.box(x, y, 0, 0.05, 0.05, h, skip=("-z",))
        for z in (0.22, h - 0.07):
            b.box(x, 0, z, 0.03, l - 0.05, 0.05)
        for i in range(10):
            b.box(x, (i - 4.5) * l / 10.4, 0.26, 0.016, 0.022, h - 0.32, skip=("+z", "-z"))
    for y in (-l / 2, l / 2):
        b.box(0, y, 0.22, w - 0.05, 0.025, h - 0.2, bevel=0.008)
    b.use(kit.paint((0.9, 0.89, 0.86), "fabric")).box(
        0, 0, 0.3, w - 0.04, l - 0.04, 0.12, bevel=0.02
    )
    b.use(kit.paint(kit.one_of("blue", "pink", "yellow", "green"), "fabric")).box(
        0, 0.2, 0.41, w - 0.06, l * 0.55, 0.025, bevel=0.01
    )
    kit.stand(0, -l * 0.2, 0.42, w * 0.6, l * 0.3, 0.4)


@category(
    "pet bed",
    "pet beds",
    "bed",
    colour=FABRIC_COLOURS,
    material=("fabric",),
    pattern=("plain", "plain", "plaid", "dotted", "striped"),
    size=("small", "medium", "large"),
)
def pet_bed(kit: Kit) -> None:
    b = kit.b
    rx, ry = 0.30 * kit.k, 0.38 * kit.k
    ring = []
    n = 18
    for i in range(n):
        a = 2 * math.pi * i / n
        dip = 0.035 if abs(math.atan2(math.sin(a), math.cos(a))) < 0.6 else 0.0
        ring.append((rx * math.cos(a), ry * math.sin(a), 0.085 - dip))
    b.use(kit.main).tube(ring, 0.08, 8, closed=True)
    inner = "beige" if kit.word("colour") not in ("beige", "white") else "grey"
    b.use(kit.paint(inner, "plush"))
    b.loft(circle(16), [(rx * 0.98, ry * 0.98, 0.05), (rx * 0.6, ry * 0.6, 0.085), (0, 0, 0.09)])
