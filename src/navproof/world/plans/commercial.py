"""Sketches of commercial spaces: offices and clinics along a corridor, cafés and shops with a
large front room and service rooms behind it."""

from __future__ import annotations

import numpy as np

from navproof.world.plans.blocks import Draft, cm, fill_row, turned, two_rows
from navproof.world.plans.floorplan import Sketch

__all__ = ["cafe_sketch", "clinic_sketch", "office_sketch", "shop_sketch"]

_WIDTHS = {
    "open office": (640, 820),
    "meeting room": (360, 450),
    "private office": (290, 350),
    "kitchenette": (280, 350),
    "restroom": (210, 280),
    "copy room": (230, 280),
    "storage room": (210, 270),
    "exam room": (300, 370),
    "office": (290, 350),
    "lab": (320, 400),
}


def _corridor(
    rng: np.random.Generator, front: str, kinds: list[str], width: tuple[int, int], arch: bool
) -> Sketch:
    """A front room on the left, a corridor to the right with rooms on both sides."""
    d = Draft()
    rows = two_rows(rng, kinds, _WIDTHS)
    length = max(sum(cm(rng, *_WIDTHS[k]) for k in row) for row in rows)
    hall, below, above = cm(rng, 150, 190), cm(rng, 390, 510), cm(rng, 390, 510)
    wide = cm(rng, *width)
    y0, y1 = below, below + hall
    low, high = cm(rng, 0, 120), cm(rng, 0, 120)
    main = d.room(front, (0, -low if rng.random() < 0.5 else low, wide, y1 + above - high))
    corridor = d.room("corridor", (wide, y0, wide + length, y1))
    d.link(main, corridor, "arch" if arch else "door")
    d.link(main, -1, "front")
    for row, (lo, hi) in zip(rows, ((0, y0), (y1, y1 + above)), strict=True):
        x = wide
        for kind, w in zip(row, fill_row(rng, [_WIDTHS[k] for k in row], length), strict=True):
            room = d.room(kind, (x, lo, x + w, hi))
            d.link(corridor, room, "arch" if kind == "open office" else "door")
            x += w
    return turned(d.done(), rng)


def office_sketch(rng: np.random.Generator, rooms: int) -> Sketch:
    """Reception, corridor, open office, and ``rooms`` − 3 others."""
    others = ["meeting room", "restroom", "kitchenette", "private office", "copy room"]
    others += ["meeting room", "storage room", "private office"]
    if rng.random() < 0.4:
        others[3], others[5] = others[5], others[3]
    return _corridor(rng, "reception", ["open office", *others[: rooms - 3]], (430, 540), True)


def clinic_sketch(rng: np.random.Generator, rooms: int) -> Sketch:
    """Waiting room with the reception desk, corridor, exam rooms and what they need."""
    others = ["exam room", "restroom", "exam room", "office", "lab", "exam room"]
    others += ["storage room", "exam room", "restroom"]
    return _corridor(rng, "waiting room", others[: rooms - 2], (480, 600), rng.random() < 0.5)


def _front_and_back(
    rng: np.random.Generator, front: str, back: list[tuple[str, tuple[int, int]]], depth: int
) -> tuple[Draft, int, list[int]]:
    """A large front room over the whole width, service rooms in a row behind it."""
    d = Draft()
    width = max(cm(rng, 680, 900), sum(low for _, (low, _) in back))
    main = d.room(front, (0, 0, width, depth))
    widths = fill_row(rng, [w for _, w in back], width)
    deep = cm(rng, 270, 340)
    x, ids = 0, []
    for (kind, _), w in zip(back, widths, strict=True):
        ids.append(d.room(kind, (x, depth, x + w, depth + deep)))
        x += w
    d.link(main, -1, "front")
    return d, main, ids


def cafe_sketch(rng: np.random.Generator, rooms: int) -> Sketch:
    """Seating area, open counter, kitchen, restroom, then a storage room and a second restroom."""
    back = [("counter", (340, 440)), ("restroom", (190, 240))]
    if rooms >= 5:
        back.append(("storage room", (190, 250)))
    if rooms >= 6:
        back.append(("restroom", (190, 240)))
    d, main, ids = _front_and_back(rng, "seating area", back, cm(rng, 560, 720))
    x0, _, x1, top = d.rooms[ids[0]].rects[0]
    kitchen = d.room("kitchen", (x0, top, x1, top + cm(rng, 280, 340)))
    d.link(ids[0], kitchen)
    d.link(main, ids[0], "arch")
    if rng.random() < 0.6:
        d.link(kitchen, -1, "closed")  # the back door
    for other in ids[1:]:
        d.link(main, other)
    return turned(d.done(), rng)


def shop_sketch(rng: np.random.Generator, rooms: int) -> Sketch:
    """Sales area with the counter, storage room, office, then a restroom and a fitting room."""
    back = [("storage room", (280, 380)), ("office", (260, 320))]
    if rooms >= 4:
        back.append(("restroom", (190, 230)))
    if rooms >= 5:
        back.append(("fitting room", (200, 260)))
    d, main, ids = _front_and_back(rng, "sales area", back, cm(rng, 620, 820))
    for other in ids:
        d.link(main, other)
    if rng.random() < 0.6:
        d.link(ids[0], -1, "closed")  # where goods are delivered
    return turned(d.done(), rng)
