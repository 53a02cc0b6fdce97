"""Rugs on the floor and curtains before windows."""

from __future__ import annotations

import math

import numpy as np

from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import FABRIC_COLOURS
from navproof.world.meshing import circle
from navproof.world.scene import Material
from navproof.world.textures.palette import COLOURS, shade

__all__: list[str] = []


@category(
    "rug",
    "rugs",
    "decor",
    colour=FABRIC_COLOURS,
    material=("fabric",),
    pattern=("plain", "plain", "striped", "checkered", "dotted", "floral", "plaid", "zigzag"),
    modifier=("rectangular", "rectangular", "round"),
    size=("small", "medium", "large"),
    lengths={"width_m": (0.3, 5.0), "length_m": (0.3, 6.0)},
)
def rug(kit: Kit) -> None:
    b = kit.b
    sx = kit.length("width_m", 1.35 * kit.k, 1.45 * kit.k)
    sy = kit.length("length_m", 1.95 * kit.k, 2.05 * kit.k)
    second = (
        COLOURS["beige"]
        if kit.word("colour") not in ("beige", "white", "yellow")
        else COLOURS["brown"]
    )
    border = Material("carpet", second)
    look = (
        kit.main
        if kit.word("pattern")
        else Material("carpet", shade(COLOURS[kit.word("colour")], 1.2))
    )
    b.zoom = 1.6
    if kit.word("modifier") == "round":
        r = sx / 2
        b.use(border).loft(circle(28), [(r, 0.0), (r - 0.005, 0.010), (r - 0.06, 0.010)])
        with b.at(0, 0, 0.010, pitch=-math.pi / 2):
            b.use(look).disc(0, 0, 0, r - 0.06, r - 0.06, 28, image=False)
        return
    b.use(border).box(0, 0, 0, sx, sy, 0.009, skip=("-z",))
    hx, hy, z = sx / 2 - 0.07, sy / 2 - 0.07, 0.0105
    b.use(look).quad([(hx, -hy, z), (hx, hy, z), (-hx, hy, z), (-hx, -hy, z)])
    b.use(Material("plain", shade(second, 0.8)))
    if kit.rng.random() < 0.5:
        for s in (-1, 1):
            for i in range(12):
                b.box(
                    (i - 5.5) * sx / 12, s * (sy / 2 + 0.02), 0, sx / 40, 0.04, 0.006, skip=("-z",)
                )


@category(
    "curtain",
    "curtains",
    "decor",
    "wall",
    colour=FABRIC_COLOURS,
    material=("fabric",),
    pattern=(
        "plain",
        "plain",
        "plain",
        "striped",
        "floral",
        "dotted",
        "plaid",
        "zigzag",
        "checkered",
    ),
    state=("open", "drawn"),
    lengths={"width_m": (0.5, 5.0), "height_m": (0.5, 3.5)},
)
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
        points = np.array(
            [[(x, y, z) for x, y in zip(xs, ys, strict=True)] for z in (0.0, h - 0.01)]
        )
        uv = np.empty((2, n, 2))
        full = w * 0.5
        uv[..., 0] = np.arange(n) / (n - 1) * full / _drop_scale(kit)
        uv[0, :, 1], uv[1, :, 1] = h / _drop_scale(kit), 0.0
        b.use(kit.main).grid(points, uv, two_sided=True)


def _drop_scale(kit: Kit) -> float:
    """Metres per repeat of a curtain's pattern: patterns hang larger than on cushions."""
    return 0.45 if kit.word("pattern") else 0.18
