"""Tables, desks and counters to sit or stand at."""

from __future__ import annotations

from navproof.world.catalog.category import Kit, category
from navproof.world.catalog.parts import WOOD_COLOURS, drawers, legs, splayed_legs
from navproof.world.meshing import circle
from navproof.world.scene import Material

__all__: list[str] = []


def _top(
    kit: Kit, look: Material, sx: float, sy: float, z: float, thick: float, shape: str
) -> None:
    """A table top whose upper face is at ``z``; oval and round ones follow an ellipse."""
    kit.b.use(look)
    if shape in ("round", "oval"):
        e = 0.012
        rings = [
            (0.0, 0.0, z - thick),
            (sx / 2 - e, sy / 2 - e, z - thick),
            (sx / 2, sy / 2, z - thick + e),
            (sx / 2, sy / 2, z - e / 2),
            (sx / 2 - e / 2, sy / 2 - e / 2, z),
            (0.0, 0.0, z),
        ]
        kit.b.loft(circle(24), rings)
    else:
        kit.b.box(0, 0, z - thick, sx, sy, thick, bevel=0.008)


def _base(kit: Kit, sx: float, sy: float, z: float, shape: str, style: str) -> None:
    """Legs or a pedestal below a top at height ``z``."""
    b = kit.b
    if style == "pedestal":
        r = min(sx, sy) * 0.30
        b.lathe(
            [(r, 0), (r, 0.02), (r * 0.4, 0.05), (0.05, 0.10), (0.045, z - 0.08), (r * 0.5, z)], 14
        )
        return
    inner = 0.70 if shape in ("round", "oval") else 1.0
    if style == "tapered":
        splayed_legs(kit, sx * inner - 0.12, sy * inner - 0.12, z, 0.028, 0.04)
    else:
        legs(kit, sx * inner, sy * inner, z, 0.07 if style == "square" else 0.04, 0.02)
    if shape not in ("round", "oval"):
        for y in (-sy / 2 + 0.08, sy / 2 - 0.08):
            b.box(0, y, z - 0.08, sx - 0.16, 0.025, 0.08, skip=("+z",))
        for x in (-sx / 2 + 0.08, sx / 2 - 0.08):
            b.box(x, 0, z - 0.08, 0.025, sy - 0.16, 0.08, skip=("+z",))


def _places(kit: Kit, sx: float, sy: float, z: float, shape: str, clearance: float = 0.9) -> None:
    k = 0.66 if shape in ("round", "oval") else 0.9
    kit.stand(0, 0, z, sx * k, sy * k, clearance)


@category(
    "dining table",
    "dining tables",
    "table",
    colour=WOOD_COLOURS,
    material=("wood", "wood", "wood", "glass", "marble"),
    modifier=("rectangular", "rectangular", "round", "oval", "square"),
    size=("small", "medium", "large"),
)
def dining_table(kit: Kit) -> None:
    shape, z = kit.word("modifier"), kit.u(0.73, 0.76)
    sx, sy = 0.88 * kit.k**0.5, 1.55 * kit.k
    if shape in ("round", "square"):
        sx = sy = 1.05 * kit.k
    solid = kit.word("material") == "wood"
    style = kit.one_of("square", "tapered") if solid else kit.one_of("thin", "tapered")
    if shape == "round" and kit.rng.random() < 0.6:
        style = "pedestal"
    thick = 0.035 if solid else 0.02
    kit.b.use(kit.main if solid else kit.steel(0.6 if kit.word("colour") == "black" else 0.9))
    _base(kit, sx, sy, z - thick, shape, style)
    _top(kit, kit.main, sx, sy, z, thick, shape)
    _places(kit, sx, sy, z, shape)


@category(
    "coffee table",
    "coffee tables",
    "table",
    colour=WOOD_COLOURS,
    material=("wood", "wood", "glass", "marble", "metal"),
    modifier=("rectangular", "rectangular", "round", "oval", "square"),
    size=("small", "medium", "large"),
)
def coffee_table(kit: Kit) -> None:
    shape, z = kit.word("modifier"), kit.u(0.38, 0.46)
    sx, sy = 0.56 * kit.k**0.5, 1.05 * kit.k
    if shape in ("round", "square"):
        sx = sy = 0.78 * kit.k
    solid = kit.word("material") in ("wood", "metal")
    kit.b.use(kit.main if solid else kit.steel())
    _base(kit, sx, sy, z - 0.03, shape, "square" if solid else "thin")
    _top(kit, kit.main, sx, sy, z, 0.03, shape)
    if solid and shape in ("rectangular", "square"):
        kit.b.use(kit.main).box(0, 0, 0.10, sx - 0.1, sy - 0.1, 0.02)
        kit.stand(0, 0, 0.12, sx - 0.18, sy - 0.2, z - 0.2)
    _places(kit, sx, sy, z, shape)


@category(
    "side table",
    "side tables",
    "table",
    colour=(*WOOD_COLOURS, "red", "blue", "green"),
    material=("wood", "wood", "metal", "glass", "marble"),
    modifier=("round", "square"),
)
def side_table(kit: Kit) -> None:
    shape, z, s = kit.word("modifier"), kit.u(0.48, 0.60), kit.u(0.40, 0.52)
    solid = kit.word("material") in ("wood", "metal")
    kit.b.use(kit.main if solid else kit.steel())
    if shape == "round":
        _base(kit, s, s, z - 0.025, shape, kit.one_of("pedestal", "tapered"))
    else:
        legs(kit, s, s, z - 0.025, 0.035)
        kit.b.box(0, 0, z * 0.3, s - 0.05, s - 0.05, 0.018)
        kit.stand(0, 0, z * 0.3 + 0.018, s - 0.12, s - 0.12, z * 0.7 - 0.08)
    _top(kit, kit.main, s, s, z, 0.025, shape)
    _places(kit, s, s, z, shape)


@category(
    "desk",
    "desks",
    "table",
    colour=WOOD_COLOURS,
    material=("wood", "wood", "wood", "metal"),
    drawers=(0, 1, 2, 3, 3),
    size=("small", "medium", "large"),
)
def desk(kit: Kit) -> None:
    b, n = kit.b, kit.count("drawers")
    sx, sy, z = kit.u(0.62, 0.70), 1.3 * kit.k**1.2, kit.u(0.72, 0.76)
    b.use(kit.main).box(0, 0, z - 0.03, sx, sy, 0.03, bevel=0.006)
    frame = kit.main if kit.word("material") == "wood" else kit.steel(0.8)
    b.use(frame)
    knob = kit.steel() if kit.word("material") == "wood" else kit.dark()
    if n <= 1:
        legs(kit, sx, sy, z - 0.03, 0.05, 0.015)
        b.box(-sx / 2 + 0.05, 0, z - 0.33, 0.02, sy - 0.1, 0.28)
        if n == 1:
            b.box(0.0, 0, z - 0.13, sx - 0.06, sy * 0.45, 0.10, skip=("+z",))
            drawers(kit, kit.main, knob, sx / 2 - 0.03, 0, z - 0.13, sy * 0.45, 0.10, 1)
    else:
        w = min(0.42, sy * 0.36)
        y = sy / 2 - w / 2 - 0.01
        b.box(-0.01, y, 0.04, sx - 0.05, w, z - 0.07, skip=("+z",))
        drawers(kit, kit.main, knob, sx / 2 - 0.035, y, 0.05, w, z - 0.09, n)
        b.use(frame).box(0, -sy / 2 + 0.02, 0, sx - 0.04, 0.03, z - 0.03, skip=("+z",))
        b.box(-sx / 2 + 0.05, 0, z - 0.4, 0.02, sy - 0.1, 0.36)
    kit.stand(0, 0, z, sx * 0.88, sy * 0.92, 0.9)


@category(
    "kitchen island",
    "kitchen islands",
    "kitchen",
    colour=("white", "white", "grey", "brown", "blue", "green", "black", "beige"),
    material=("wood",),
    modifier=("marble-topped", "wood-topped"),
    doors=tuple(range(1, 10)),
    lengths={"length_m": (0.9, 4.0)},
)
def kitchen_island(kit: Kit) -> None:
    from navproof.world.catalog.parts import doors

    b = kit.b
    sy, sx, z = kit.length("length_m", 1.4, 2.0), kit.u(0.8, 0.95), 0.91
    kit.prefer("doors", max(2, round(sy / 0.48)))
    b.use(kit.dark()).box(0, 0, 0, sx - 0.2, sy - 0.1, 0.09, skip=("+z", "-z"))
    b.use(kit.main).box(0, 0, 0.09, sx - 0.1, sy - 0.06, z - 0.13, skip=("+z",))
    doors(
        kit,
        kit.main,
        kit.steel(),
        sx / 2 - 0.05,
        0,
        0.10,
        sy - 0.07,
        z - 0.15,
        kit.count("doors"),
        panelled=True,
    )
    stone = kit.word("modifier") == "marble-topped"
    b.use(kit.paint("white", "marble") if stone else kit.paint("brown", "wood"))
    b.box(0, 0, z - 0.04, sx, sy, 0.04, bevel=0.008)
    kit.stand(0, 0, z, sx * 0.85, sy * 0.9, 0.9)


@category(
    "conference table",
    "conference tables",
    "table",
    colour=("brown", "brown", "beige", "white", "black", "grey"),
    material=("wood", "wood", "glass"),
    modifier=("rectangular", "oval"),
    lengths={"length_m": (1.8, 6.0)},
)
def conference_table(kit: Kit) -> None:
    b = kit.b
    sy, sx, z = kit.length("length_m", 2.4, 3.4), kit.u(1.1, 1.3), 0.74
    solid = kit.word("material") == "wood"
    b.use(kit.main if solid else kit.steel())
    for s in (-1, 1):
        b.box(0, s * sy * 0.28, 0.03, sx * 0.40, 0.10, z - 0.07, bevel=0.01)
        b.box(0, s * sy * 0.28, 0, sx * 0.6, 0.30, 0.03)
    b.box(0, 0, z - 0.16, 0.06, sy * 0.56, 0.10)
    _top(kit, kit.main, sx, sy, z, 0.035, kit.word("modifier"))
    if kit.word("modifier") == "rectangular":
        b.use(kit.dark()).box(0, 0, z - 0.002, 0.12, 0.5, 0.004, skip=("-z",))
    _places(kit, sx, sy, z, kit.word("modifier"))


@category(
    "reception desk",
    "reception desks",
    "commercial",
    colour=("white", "brown", "grey", "black", "blue", "beige"),
    material=("wood", "wood", "marble"),
    modifier=("straight", "curved"),
    lengths={"length_m": (1.4, 4.0)},
)
def reception_desk(kit: Kit) -> None:
    """A reception desk; its front (+x) is the visitors' side."""
    b = kit.b
    w, high, low = kit.length("length_m", 1.8, 2.6), kit.u(1.06, 1.14), 0.75
    top = kit.paint("white" if kit.word("colour") != "white" else "grey", "marble")
    if kit.word("modifier") == "curved":
        n = 8
        bow = 0.30
        ys = [-w / 2 + w * i / n for i in range(n + 1)]
        xs = [0.1 + bow * (1 - (2 * y / w) ** 2) for y in ys]
        outer = list(zip(xs, ys, strict=True))
        inner = [(x - 0.10, y) for x, y in reversed(outer)]
        b.use(kit.main)
        _strip(kit, outer, inner, 0.0, high - 0.04)
        b.use(top)
        _strip(
            kit,
            [(x + 0.04, y) for x, y in outer],
            [(x - 0.16, y) for x, y in inner],
            high - 0.04,
            high,
        )
    else:
        b.use(kit.main).box(0.3, 0, 0, 0.08, w, high - 0.04)
        b.use(kit.steel()).box(0.342, 0, high * 0.55, 0.004, w * 0.98, 0.03, skip=("-x",))
        b.box(0.342, 0, 0.02, 0.004, w, 0.08, skip=("-x",))
        b.use(top).box(0.24, 0, high - 0.04, 0.32, w + 0.04, 0.04, bevel=0.008)
    b.use(kit.main)
    for s in (-1, 1):
        b.box(-0.05, s * (w / 2 - 0.02), 0, 0.62, 0.04, low)
    b.use(kit.paint("beige", "wood")).box(-0.08, 0, low - 0.03, 0.6, w - 0.06, 0.03)
    kit.stand(-0.12, 0, low, 0.4, w - 0.3, 0.25)
    kit.stand(0.22, 0, high, 0.2, w * 0.5, 0.8)


def _strip(
    kit: Kit,
    outer: list[tuple[float, float]],
    inner: list[tuple[float, float]],
    z0: float,
    z1: float,
) -> None:
    """A curved wall between two polylines (outer then inner back), closed on top and below."""
    import numpy as np

    b = kit.b
    front = np.array([[(x, y, z) for x, y in outer] for z in (z0, z1)])
    back = np.array([[(x, y, z) for x, y in inner] for z in (z0, z1)])
    b.grid(front)
    b.grid(back)
    flat = inner[::-1]
    b.grid(np.array([[(x, y, z1) for x, y in outer], [(x, y, z1) for x, y in flat]]))
    b.grid(np.array([[(x, y, z0) for x, y in flat], [(x, y, z0) for x, y in outer]]))
    for (x0, y0), (x1, y1), flip in ((outer[0], flat[0], True), (outer[-1], flat[-1], False)):
        corners = [(x0, y0, z0), (x1, y1, z0), (x1, y1, z1), (x0, y0, z1)]
        if flip:
            corners = [corners[1], corners[0], corners[3], corners[2]]
        b.quad(corners)


@category(
    "counter bar",
    "counter bars",
    "commercial",
    colour=("brown", "brown", "black", "white", "grey", "green", "blue"),
    material=("wood",),
    modifier=("marble-topped", "wood-topped"),
    lengths={"length_m": (1.2, 6.0)},
)
def counter_bar(kit: Kit) -> None:
    b = kit.b
    w, z = kit.length("length_m", 2.0, 3.0), kit.u(1.05, 1.12)
    b.use(kit.main).box(0, 0, 0.08, 0.50, w, z - 0.12, skip=("+z",))
    b.use(kit.dark()).box(-0.02, 0, 0, 0.42, w - 0.04, 0.08, skip=("+z", "-z"))
    panels = max(2, round(w / 0.6))
    for i in range(panels):
        y = -w / 2 + (i + 0.5) * w / panels
        b.use(kit.main).box(
            0.25, y, 0.16, 0.02, w / panels - 0.12, z - 0.32, bevel=0.01, skip=("-x",)
        )
    b.use(kit.steel()).tube([(0.36, -w / 2 + 0.1, 0.2), (0.36, w / 2 - 0.1, 0.2)], 0.02, 6)
    for y in (-w / 2 + 0.2, 0.0, w / 2 - 0.2):
        b.box(0.30, y, 0.19, 0.12, 0.02, 0.02)
    stone = kit.word("modifier") == "marble-topped"
    b.use(
        kit.paint("white" if kit.word("colour") != "white" else "grey", "marble")
        if stone
        else kit.paint("beige" if kit.word("colour") == "brown" else "brown", "wood")
    )
    b.box(0.03, 0, z - 0.04, 0.64, w + 0.04, 0.04, bevel=0.01)
    kit.stand(0, 0, z, 0.45, w * 0.92, 0.8)
