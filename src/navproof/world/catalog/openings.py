"""Doors and windows. The origin is the middle of the opening's sill in the middle of the wall;
local x is the wall's normal, y runs along the wall."""

from __future__ import annotations

import math

from navproof.core.errors import SceneError
from navproof.world.catalog.category import Kit, category
from navproof.world.scene import Material
from navproof.world.textures.palette import COLOURS, shade

__all__: list[str] = []


@category(
    "door",
    "doors",
    "opening",
    "opening",
    colour=("white", "white", "brown", "brown", "beige", "grey", "black", "red", "blue", "green"),
    material=("wood", "wood", "wood", "glass", "metal"),
    state=("open", "closed"),
    modifier=("panelled", "flat"),
    lengths={
        "width_m": (0.5, 2.0),
        "height_m": (1.6, 3.0),
        "depth_m": (0.05, 0.5),
        "angle_deg": (30.0, 120.0),
    },
)
def door(kit: Kit) -> None:
    """Leaf, handles and frame. The hinge is at y = +width/2; an open leaf swings towards +x by
    ``angle_deg`` (100 by default); ``depth_m`` is the thickness of the wall."""
    b = kit.b
    if kit.word("material") == "glass" and kit.word("modifier") == "panelled":
        if "modifier" not in kit.wanted:
            kit.prefer("modifier", "flat")
        elif "material" in kit.wanted:
            raise SceneError("door: a glass one cannot be panelled")
        else:
            kit.prefer("material", "wood")
    w, h, depth = (
        kit.length("width_m", 0.9, 0.9),
        kit.length("height_m", 2.05, 2.05),
        kit.length("depth_m", 0.12, 0.12),
    )
    angle = kit.length("angle_deg", 92.0, 108.0)
    jamb, casing = 0.025, 0.06
    frame = (
        Material("wood", shade(COLOURS[kit.word("colour")], 1.15))
        if kit.word("material") == "wood"
        else Material("plain", (0.80, 0.79, 0.76))
    )
    b.use(frame)
    for s in (-1, 1):
        b.box(0, s * (w / 2 - jamb / 2), 0, depth, jamb, h, skip=("-z",))
        for f in (-1, 1):
            b.box(
                f * (depth / 2 + 0.006),
                s * (w / 2 + casing / 2 - 0.01),
                0,
                0.012,
                casing,
                h + casing - 0.01,
                skip=("-z", "-x" if f > 0 else "+x"),
            )
    b.box(0, 0, h - jamb, depth, w - 2 * jamb, jamb)
    for f in (-1, 1):
        b.box(
            f * (depth / 2 + 0.006),
            0,
            h - 0.01,
            0.012,
            w - 0.02,
            casing,
            skip=("-x" if f > 0 else "+x",),
        )
    leaf, thick = w - 2 * jamb - 0.006, 0.04
    turn = 0.0 if kit.word("state") == "closed" else math.radians(angle)
    with b.at(depth / 2 - 0.002, w / 2 - jamb - 0.003, 0, yaw=turn):
        _leaf(kit, leaf, h - jamb - 0.012, thick)


def _leaf(kit: Kit, w: float, h: float, thick: float) -> None:
    """A leaf that hangs from its hinge at y = 0 towards −y, its outer face at x = 0."""
    b, glass = kit.b, kit.word("material") == "glass"
    x, z0 = -thick / 2, 0.008
    if glass:
        edge = kit.paint(kit.word("colour"), "wood" if kit.word("colour") != "grey" else "metal")
        t = 0.10
        b.use(edge)
        for y in (-t / 2, -w + t / 2):
            b.box(x, y, z0, thick, t, h - z0)
        for z in (z0, h - t):
            b.box(x, -w / 2, z, thick, w - 2 * t, t)
        b.box(x, -w / 2, h * 0.45, thick * 0.8, w - 2 * t, 0.05)
        b.use(Material("glass", (0.88, 1.0, 1.0))).box(x, -w / 2, t, 0.012, w - 2 * t, h - 2 * t)
    else:
        b.use(kit.main).box(x, -w / 2, z0, thick, w, h - z0, bevel=0.003)
        if kit.word("modifier") == "panelled":
            dim = shade(kit.main.tint, 0.72)
            groove = Material(kit.main.texture, dim)
            for z, tall in ((0.18, h * 0.30), (0.18 + h * 0.36, h * 0.48)):
                for y in (-w * 0.28, -w * 0.72):
                    for f in (-1, 1):
                        face = x + f * thick / 2
                        b.use(groove).box(face, y, z, 0.004, w * 0.34, tall)
                        b.use(kit.main).box(
                            face, y, z + 0.03, 0.012, w * 0.34 - 0.06, tall - 0.06, bevel=0.005
                        )
    b.use(kit.steel(1.1) if kit.word("colour") != "grey" else kit.dark())
    for f in (-1, 1):
        face = x + f * thick / 2
        b.box(face + f * 0.004, -w + 0.07, 0.94, 0.008, 0.045, 0.17)
        b.tube(
            [
                (face, -w + 0.07, 1.04),
                (face + f * 0.05, -w + 0.07, 1.04),
                (face + f * 0.05, -w + 0.19, 1.04),
            ],
            0.010,
            6,
        )


@category(
    "window",
    "windows",
    "opening",
    "opening",
    colour=("white", "white", "brown", "grey", "black"),
    material=("wood", "plastic"),
    panes=(1, 2, 4, 6),
    state=("closed", "closed", "open"),
    lengths={"width_m": (0.3, 4.0), "height_m": (0.3, 3.0), "depth_m": (0.05, 0.5)},
)
def window(kit: Kit) -> None:
    """Frame, sill and a view; the room is on the +x side and the view on the outer face."""
    b = kit.b
    w, h, depth = (
        kit.length("width_m", 1.2, 1.2),
        kit.length("height_m", 1.2, 1.2),
        kit.length("depth_m", 0.12, 0.12),
    )
    n = kit.count("panes")
    t = 0.055
    view = kit.one_of("outside", "outside_hills", "outside_street")
    back = -depth / 2 + 0.03
    b.use(Material(view, emission=0.85)).panel(back - 0.02, 0, 0.0, w, h)
    b.use(kit.main)
    for s in (-1, 1):
        b.box(back, s * (w / 2 - t / 2), 0, 0.06, t, h)
        b.box(back, 0, h / 2 + s * (h / 2 - t / 2) - t / 2, 0.06, w - 2 * t, t)
    columns, rows = {1: (1, 1), 2: (2, 1), 4: (2, 2), 6: (3, 2)}[n]
    for i in range(1, columns):
        b.box(back, -w / 2 + i * w / columns, t, 0.045, 0.045, h - 2 * t)
    for j in range(1, rows):
        b.box(back, 0, j * h / rows - 0.02, 0.045, w - 2 * t, 0.04)
    # The sill and the casing overlap the edges of the opening, so that no two faces coincide.
    front = depth / 2 + 0.09
    b.box((back + front) / 2, 0, -0.03, front - back, w + 0.10, 0.034, bevel=0.004)
    for side in (-1, 1):
        b.box(depth / 2 + 0.008, side * (w / 2 + 0.025), 0, 0.016, 0.06, h + 0.055, skip=("-x",))
    b.box(depth / 2 + 0.0075, 0, h - 0.005, 0.015, w, 0.06, skip=("-x",))
    b.use(kit.steel())
    if kit.word("state") == "open":
        with b.at(back + 0.03, -w / 2 + t, 0, yaw=-math.radians(60)):
            each = w / columns - t
            b.use(kit.main)
            for y in (0.02, each - 0.02):
                b.box(0, y, t, 0.035, 0.04, h - 2 * t)
            for z in (t, h - t - 0.04):
                b.box(0, each / 2, z, 0.035, each - 0.08, 0.04)
    else:
        b.box(back + 0.04, w * (0.02 if columns > 1 else 0.45), h * 0.45, 0.025, 0.02, 0.10)
