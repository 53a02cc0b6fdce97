"""Cushions, books and a teddy bear."""

from __future__ import annotations

import numpy as np

from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import ALL_COLOURS, FABRIC_COLOURS, FABRIC_PATTERNS
from navproof.world.scene import Material

__all__: list[str] = []


@category(
    "cushion",
    "cushions",
    "textile",
    "on",
    colour=FABRIC_COLOURS,
    material=("fabric", "fabric", "leather"),
    pattern=FABRIC_PATTERNS,
    modifier=("square", "round"),
)
def cushion(kit: Kit) -> None:
    kit.b.zoom = 0.7
    s, h = kit.u(0.38, 0.46), kit.u(0.13, 0.16)
    kit.b.use(kit.main)
    if kit.word("modifier") == "round":
        r = s / 2
        kit.b.lathe([(0, 0), (r * 0.7, h * 0.08), (r, h * 0.5), (r * 0.7, h * 0.92), (0, h)], 16)
    else:
        kit.b.cushion(0, 0, 0, s, s, h, (5, 5, 2), 4)


@category(
    "pillow",
    "pillows",
    "textile",
    "on",
    colour=("white", "white", "blue", "grey", "pink", "beige", "green", "yellow", "purple"),
    material=("fabric",),
    pattern=FABRIC_PATTERNS,
)
def pillow(kit: Kit) -> None:
    kit.b.zoom = 0.7
    kit.b.use(kit.main).cushion(0, 0, 0, kit.u(0.40, 0.46), kit.u(0.60, 0.70), 0.15, (4, 5, 2), 4)


@category(
    "book",
    "books",
    "media",
    "on",
    colour=ALL_COLOURS,
    material=("paper",),
    state=("open", "closed", "closed"),
)
def book(kit: Kit) -> None:
    b = kit.b
    w, h = kit.u(0.14, 0.18), kit.u(0.20, 0.25)
    paper = Material("paper", (0.88, 0.86, 0.78))
    if kit.word("state") == "open":
        b.use(kit.main)
        for s in (-1, 1):
            b.box(0, s * w / 2, 0, h + 0.012, w + 0.006, 0.004)
        xs = (h / 2, -h / 2)
        for s in (-1, 1):
            ys = [0.0, 0.15, 0.4, 0.75, 1.0]
            zs = [0.010, 0.024, 0.024, 0.018, 0.010]
            line = [(s * w * y, z) for y, z in zip(ys, zs, strict=True)]
            if s < 0:
                line = line[::-1]
            points = np.array([[(x, y, z) for y, z in line] for x in xs])
            us = np.linspace(0, 1, 5)
            uv = np.array([[(u, 1.0) for u in us], [(u, 0.0) for u in us]])
            b.use(Material("page")).grid(points, uv)
            b.use(paper)
            for x, flip in ((h / 2, False), (-h / 2, True)):
                low = [(x, y, 0.004) for y, _ in line]
                up = [(x, y, z) for y, z in line]
                b.grid(np.array([low, up] if not flip else [low[::-1], up[::-1]]))
            edge = s * w
            b.quad(
                [
                    (h / 2, edge, 0.004),
                    (-h / 2, edge, 0.004),
                    (-h / 2, edge, 0.010),
                    (h / 2, edge, 0.010),
                ]
                if s > 0
                else [
                    (-h / 2, edge, 0.004),
                    (h / 2, edge, 0.004),
                    (h / 2, edge, 0.010),
                    (-h / 2, edge, 0.010),
                ]
            )
        return
    t = kit.u(0.025, 0.045)
    b.use(kit.main)
    b.box(0, 0, 0, h, w, 0.004)
    b.box(0, 0, t - 0.004, h, w, 0.004)
    b.box(0, -w / 2 + 0.002, 0, h, 0.005, t)
    b.use(paper).box(0, 0.001, 0.004, h - 0.012, w - 0.010, t - 0.008, skip=("+z", "-z"))
    light = kit.word("colour") not in ("white", "beige", "yellow")
    ink = Material("plain", (0.85, 0.78, 0.5) if light else (0.12, 0.1, 0.1))
    z = t + 0.0006
    for x, half in ((-h * 0.22, w * 0.32), (-h * 0.10, w * 0.22), (h * 0.32, w * 0.15)):
        b.use(ink).quad(
            [
                (x + 0.010, -half, z),
                (x + 0.010, half, z),
                (x - 0.010, half, z),
                (x - 0.010, -half, z),
            ]
        )


@category(
    "teddy bear",
    "teddy bears",
    "toy",
    "on",
    colour=("brown", "brown", "beige", "white", "pink", "blue", "black", "grey"),
    material=("plush",),
    size=("small", "medium", "large"),
)
def teddy_bear(kit: Kit) -> None:
    b, k = kit.b, kit.k * 0.3
    body = kit.main
    pale = (
        Material("plush", (0.72, 0.56, 0.36))
        if kit.word("colour") not in ("beige", "white")
        else Material("plush", (0.40, 0.25, 0.14))
    )
    b.use(body)
    b.sphere(0, 0, 0.30 * k, 0.24 * k, 0.26 * k, 0.32 * k, 9, 6)
    b.sphere(0.03 * k, 0, 0.78 * k, 0.23 * k, 0.25 * k, 0.22 * k, 9, 6)
    for s in (-1, 1):
        b.sphere(0.0, s * 0.20 * k, 0.98 * k, 0.05 * k, 0.09 * k, 0.09 * k, 6, 4)
        with b.at(0.1 * k, s * 0.27 * k, 0.46 * k, roll=-s * 0.9, pitch=-0.6):
            b.sphere(0, 0, -0.06 * k, 0.08 * k, 0.08 * k, 0.19 * k, 7, 4)
        with b.at(0.26 * k, s * 0.17 * k, 0.10 * k, yaw=s * 0.35):
            b.sphere(0, 0, 0, 0.22 * k, 0.10 * k, 0.10 * k, 7, 4)
    b.use(pale).sphere(0.22 * k, 0, 0.72 * k, 0.10 * k, 0.11 * k, 0.09 * k, 7, 4)
    b.sphere(0.11 * k, 0, 0.30 * k, 0.15 * k, 0.16 * k, 0.2 * k, 7, 4)
    b.use(
        Material("plain", (0.01, 0.01, 0.01) if kit.word("colour") != "black" else (0.5, 0.3, 0.1))
    )
    b.sphere(0.315 * k, 0, 0.75 * k, 0.02 * k, 0.035 * k, 0.025 * k, 5, 3)
    for s in (-1, 1):
        b.sphere(0.235 * k, s * 0.09 * k, 0.85 * k, 0.02 * k, 0.025 * k, 0.025 * k, 5, 3)
