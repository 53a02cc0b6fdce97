"""Parts that many things share: legs, drawer fronts, doors with handles, shades, books."""

from __future__ import annotations

import math

from navproof.world.catalog.category import Kit
from navproof.world.scene import RGB, Material

__all__ = [
    "ALL_COLOURS",
    "FABRIC_COLOURS",
    "FABRIC_PATTERNS",
    "WARM",
    "WOOD_COLOURS",
    "arc",
    "books",
    "doors",
    "drawers",
    "legs",
    "shade_lamp",
    "splayed_legs",
]

ALL_COLOURS = (
    "black",
    "white",
    "grey",
    "red",
    "orange",
    "yellow",
    "green",
    "blue",
    "purple",
    "pink",
    "brown",
    "beige",
    "turquoise",
)
FABRIC_COLOURS = (*ALL_COLOURS, *("grey", "beige") * 3, "blue", "brown", "white")
WOOD_COLOURS = ("brown", "brown", "brown", "beige", "beige", "white", "black", "grey")
FABRIC_PATTERNS = (
    *("plain",) * 13,
    "striped",
    "checkered",
    "dotted",
    "floral",
    "plaid",
    "zigzag",
)
WARM: RGB = (1.0, 0.86, 0.66)


def arc(
    cx: float, cz: float, radius: float, start: float, end: float, n: int, y: float = 0.0
) -> list[tuple[float, float, float]]:
    """Points of a circular arc in the x–z plane (angles from +x towards +z, radians)."""
    angles = [start + (end - start) * i / n for i in range(n + 1)]
    return [(cx + radius * math.cos(a), y, cz + radius * math.sin(a)) for a in angles]


def legs(
    kit: Kit, sx: float, sy: float, height: float, thick: float, inset: float = 0.0, z: float = 0.0
) -> None:
    """Four square legs at the corners of an sx × sy footprint."""
    dx, dy = sx / 2 - thick / 2 - inset, sy / 2 - thick / 2 - inset
    for x in (-dx, dx):
        for y in (-dy, dy):
            kit.b.box(x, y, z, thick, thick, height, skip=("+z", "-z"))


def splayed_legs(
    kit: Kit, sx: float, sy: float, height: float, radius: float, splay: float, n: int = 6
) -> None:
    """Four round tapered legs, wider apart at the floor by ``splay``."""
    for x in (-1, 1):
        for y in (-1, 1):
            tx, ty = x * (sx / 2 - radius), y * (sy / 2 - radius)
            foot = (tx + x * splay, ty + y * splay, 0.0)
            kit.b.tube([foot, (tx, ty, height)], [radius * 0.65, radius], n, caps=False)


def _handle(kit: Kit, x: float, y: float, z: float, style: str, upright: bool) -> None:
    if style == "knob":
        kit.b.box(x + 0.014, y, z - 0.014, 0.028, 0.028, 0.028, skip=("-x",))
    elif upright:
        kit.b.box(x + 0.014, y, z - 0.09, 0.022, 0.016, 0.18, skip=("-x",))
    else:
        kit.b.box(x + 0.014, y, z - 0.008, 0.022, 0.16, 0.016, skip=("-x",))


def drawers(
    kit: Kit,
    front: Material,
    knob: Material,
    x: float,
    y: float,
    z: float,
    width: float,
    height: float,
    rows: int,
    columns: int = 1,
    style: str = "bar",
    gap: float = 0.014,
) -> None:
    """Drawer fronts standing out of the plane ``x``, with handles; dark gaps between them."""
    kit.b.use(kit.dark()).panel(x + 0.001, y, z, width, height, image=False)
    w, h = width / columns, height / rows
    for r in range(rows):
        for c in range(columns):
            cy = y - width / 2 + (c + 0.5) * w
            cz = z + r * h
            kit.b.use(front).box(x + 0.009, cy, cz + gap / 2, 0.018, w - gap, h - gap, skip=("-x",))
            kit.b.use(knob)
            if w > 0.7 and style == "knob":
                for side in (-0.25, 0.25):
                    _handle(kit, x + 0.018, cy + side * w, cz + h / 2, style, False)
            else:
                _handle(kit, x + 0.018, cy, cz + h / 2, style, False)


def doors(
    kit: Kit,
    front: Material,
    knob: Material,
    x: float,
    y: float,
    z: float,
    width: float,
    height: float,
    count: int,
    style: str = "bar",
    gap: float = 0.012,
    panelled: bool = False,
    ajar: float = 0.0,
) -> None:
    """Upright door leaves in the plane ``x``; the first opens by ``ajar`` radians."""
    kit.b.use(kit.dark()).panel(x + 0.001, y, z, width, height, image=False)
    w = width / count
    for c in range(count):
        cy = y - width / 2 + (c + 0.5) * w
        left = c % 2 == 0
        edge = -w / 2 + gap / 2 if left else w / 2 - gap / 2
        turn = 0.0 if c or not ajar else -ajar
        with kit.b.at(x + 0.001, cy + edge, 0.0, yaw=turn):
            middle = -edge
            thick = 0.02
            kit.b.use(front).box(
                thick / 2,
                middle,
                z + gap / 2,
                thick,
                w - gap,
                height - gap,
                skip=() if turn else ("-x",),
            )
            if panelled:
                inner = min(0.09, w * 0.18)
                kit.b.box(
                    thick,
                    middle,
                    z + inner,
                    0.016,
                    w - 2 * inner,
                    height - 2 * inner,
                    bevel=0.008,
                    skip=("-x",),
                )
            kit.b.use(knob)
            _handle(
                kit,
                thick,
                middle + (w / 2 - 0.05) * (1 if left else -1),
                z + height * (0.5 if height > 1.0 else 0.72),
                style,
                True,
            )


def shade_lamp(
    kit: Kit,
    z: float,
    bottom: float,
    top: float,
    height: float,
    on: bool,
    shade: Material,
    n: int = 14,
) -> None:
    """A lamp shade, open below and above, lit from inside when ``on``. A pale shade is lit less
    brightly, so that its colour stays visible."""
    inside = shade
    if on:
        warm = 0.0 if max(shade.tint) < 0.05 else 0.08
        r, g, b = (
            round((1 - warm) * c + warm * w, 4) for c, w in zip(shade.tint, WARM, strict=True)
        )
        glow = round(min(1.4, 0.5 / max(r, g, b)), 4)
        shade = Material(shade.texture, (r, g, b), shade.tint2, glow)
        inside = kit.lit(WARM, 1.0)
    kit.b.use(shade)
    inner = max(top - 0.006, 0.0)
    kit.b.lathe([(bottom - 0.006, z), (bottom, z), (top, z + height), (inner, z + height)], n)
    kit.b.use(inside).lathe([(inner, z + height), (bottom - 0.006, z)], n)
    bulb = kit.lit(WARM, 1.6) if on else Material("plain", (0.72, 0.72, 0.70))
    kit.b.use(bulb).sphere(0, 0, z + height * 0.45, 0.03, 0.03, 0.04, 6, 4)


_SPINES: tuple[RGB, ...] = (
    (0.30, 0.03, 0.03),
    (0.03, 0.07, 0.22),
    (0.04, 0.16, 0.07),
    (0.55, 0.40, 0.12),
    (0.60, 0.56, 0.48),
    (0.03, 0.03, 0.04),
    (0.45, 0.14, 0.03),
    (0.12, 0.05, 0.18),
)


def books(
    kit: Kit, x: float, y0: float, y1: float, z: float, depth: float, height: float, blocks: int = 3
) -> None:
    """A row of standing books from y0 to y1 on a shelf, as a few blocks with printed spines."""
    y = y0
    for _ in range(blocks):
        width = min(y1 - y, (y1 - y0) / blocks * kit.u(0.7, 1.0))
        h = height * kit.u(0.78, 0.98)
        d = depth * kit.u(0.85, 1.0)
        kit.b.use(Material("plain", _SPINES[int(kit.rng.integers(8))]))
        kit.b.box(x, y + width / 2, z, d, width - 0.004, h, skip=("+x", "-z", "-x"))
        kit.b.use(Material("books"))
        start = kit.u(0.0, 1.0)
        repeat = width / 0.42
        front = x + d / 2
        _spines(kit, front, y, y + width - 0.004, z, z + h, start, start + repeat)
        y += width


def _spines(
    kit: Kit, x: float, y0: float, y1: float, z0: float, z1: float, u0: float, u1: float
) -> None:
    import numpy as np

    points = np.array([[(x, y0, z0), (x, y1, z0)], [(x, y0, z1), (x, y1, z1)]])
    uv = np.array([[(u0, 0.995), (u1, 0.995)], [(u0, 0.26), (u1, 0.26)]])
    kit.b.grid(points, uv)
