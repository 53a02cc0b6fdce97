"""Sketches of homes: a hub flat for three to five rooms, a hallway house for five to ten.

Hallway house: a public block (living room, kitchen, perhaps dining room) on the left; a hallway
leads from it to the right between two rows of private rooms. The hallway may instead run through
the whole house from the front door. A bathroom may sit by the hallway with the neighbouring
bedroom wrapped round it (an L-shaped room).
"""

from __future__ import annotations

import numpy as np

from navproof.world.plans.blocks import Draft, cm, fill_row, turned, two_rows
from navproof.world.plans.floorplan import Sketch

__all__ = ["home_sketch"]

_WIDTHS = {
    "bedroom": (310, 420),
    "bathroom": (190, 260),
    "study": (260, 330),
    "laundry room": (190, 240),
    "dining room": (300, 380),
    "storage room": (170, 220),
    "playroom": (290, 360),
}


def home_sketch(rng: np.random.Generator, rooms: int) -> Sketch:
    """A home with exactly ``rooms`` rooms (3 to 10)."""
    small = rooms < 5 or (rooms == 5 and rng.random() < 0.4)
    return turned(_hub(rng, rooms) if small else _hallway(rng, rooms), rng)


def _hub(rng: np.random.Generator, rooms: int) -> Sketch:
    """A flat whose living room is the hub: kitchen beside it, bedrooms and bath behind."""
    d = Draft()
    split, right = cm(rng, 430, 540), cm(rng, 320, 400)
    bed, bath = cm(rng, 330, 400), cm(rng, 190, 230)
    second = cm(rng, 280, 340) if rooms >= 5 else 0
    depth = bed + bath + second
    has_kitchen = rooms >= 4
    kitchen = min(cm(rng, 260, 310), depth - 330) if has_kitchen else 0
    living = d.room("living room", (0, 0, split, depth - kitchen))
    bedroom = d.room("bedroom", (split, 0, split + right, bed))
    # the bathroom must touch the living room; with a tall kitchen it may not
    bathroom = d.room("bathroom", (split, bed, split + right, bed + bath))
    d.link(living, bedroom)
    touches = depth - kitchen - bed >= 130
    d.link(living if touches else bedroom, bathroom)
    if has_kitchen:
        room = d.room("kitchen", (0, depth - kitchen, split, depth))
        d.link(living, room, "arch" if rng.random() < 0.6 else "door")
        if second:
            extra = "bedroom" if rng.random() < 0.6 else "study"
            third = d.room(extra, (split, bed + bath, split + right, depth))
            d.link(room if depth - kitchen - bed - bath < 130 else living, third)
    d.link(living, -1, "front")
    return d.done()


def _programme(rng: np.random.Generator, rooms: int) -> tuple[bool, bool, list[str]]:
    """(Whether the entrance is through the hallway, whether the public block has a dining room, the
    private rooms.)"""
    through = bool(rng.random() < 0.45)
    left = rooms - 3  # living room, kitchen, hallway
    dining = left >= 3 and rng.random() < 0.6
    left -= int(dining)
    extras = ["bedroom", "bathroom", "bedroom", "study", "bathroom", "bedroom", "laundry room"]
    if left >= 4 and rng.random() < 0.4:
        extras[3:5] = ["bathroom", "study"] if rng.random() < 0.5 else ["bedroom", "bathroom"]
    if left >= 5 and rng.random() < 0.3:
        extras[4] = "playroom" if extras[4] != "bathroom" else "bathroom"
    return through, dining, extras[:left]


def _hallway(rng: np.random.Generator, rooms: int) -> Sketch:
    d = Draft()
    through, dining, private = _programme(rng, rooms)
    rows = two_rows(rng, private, _WIDTHS)
    hall = cm(rng, 120, 150)
    below, above = cm(rng, 330, 410), cm(rng, 330, 410)
    lengths = [sum(int(rng.integers(_WIDTHS[k][0], _WIDTHS[k][1])) for k in row) for row in rows]
    longest = max(lengths) // 5 * 5
    spans = [longest if n > 0.72 * longest else n // 5 * 5 for n in lengths]
    width = cm(rng, 560, 680) if dining else cm(rng, 440, 560)
    y0, y1 = below, below + hall
    hallway_rects = [(width, y0, width + longest, y1)]
    if through:
        low = (0, 0, width, y0)
        high = (0, y1, width, y1 + above + cm(rng, 0, 60))
        hallway_rects = [(0, y0, width + longest, y1)]
    else:
        cut = y1 + cm(rng, 20, 80)
        low = (0, -cm(rng, 0, 100), width, cut)
        high = (0, cut, width, max(y1 + above, cut + cm(rng, 270, 330)))
    living = d.room("living room", low)
    if dining:
        share = int(width * float(rng.uniform(0.44, 0.5))) // 5 * 5
        kitchen = d.room("kitchen", (0, high[1], share, high[3]))
        diner = d.room("dining room", (share, high[1], width, high[3]))
    else:
        kitchen, diner = d.room("kitchen", high), -1
    hallway = d.room("hallway", *hallway_rects)
    if through:
        d.link(hallway, -1, "front")
        d.link(hallway, living, "arch")
        d.link(hallway, kitchen, "door" if diner >= 0 else "arch")
        if diner >= 0:
            d.link(diner, hallway, "arch")
            d.link(kitchen, diner, "arch" if rng.random() < 0.7 else "door")
    else:
        d.link(living, hallway, "arch" if rng.random() < 0.5 else "door")
        d.link(living, diner if diner >= 0 else kitchen, "arch")
        if diner >= 0:
            d.link(kitchen, diner, "arch" if rng.random() < 0.7 else "door")
            if rng.random() < 0.5:
                d.link(living, kitchen, "door")
        d.link(living, -1, "front")
    if rng.random() < 0.3:
        d.link(kitchen if rng.random() < 0.6 else living, -1, "closed")  # a back door
    _row(d, rng, rows[0], hallway, (width, width + spans[0]), (0, y0), False)
    _row(d, rng, rows[1], hallway, (width, width + spans[1]), (y1, y1 + above), True)
    return d.done()


def _row(
    d: Draft,
    rng: np.random.Generator,
    kinds: list[str],
    hallway: int,
    across: tuple[int, int],
    depth: tuple[int, int],
    up: bool,
) -> None:
    """Rooms side by side; ``up`` when the hallway is on their low side."""
    if not kinds:
        return
    widths = fill_row(rng, [_WIDTHS[k] for k in kinds], across[1] - across[0])
    edges = [across[0]]
    for w in widths:
        edges.append(edges[-1] + w)
    rects: list[list[tuple[int, int, int, int]]] = [
        [(edges[i], depth[0], edges[i + 1], depth[1])] for i in range(len(kinds))
    ]
    ensuite: set[int] = set()
    for i, kind in enumerate(kinds):
        if kind != "bathroom":
            continue
        near = [j for j in (i - 1, i + 1) if 0 <= j < len(kinds) and kinds[j] == "bedroom"]
        if not near:
            continue
        host = near[int(rng.integers(len(near)))]
        deep = cm(rng, 205, 235)
        if depth[1] - depth[0] - deep >= 120 and rng.random() < 0.45:
            x0, x1 = edges[i], edges[i + 1]
            cut = depth[0] + deep if up else depth[1] - deep
            bath = (x0, depth[0], x1, cut) if up else (x0, cut, x1, depth[1])
            rest = (x0, cut, x1, depth[1]) if up else (x0, depth[0], x1, cut)
            rects[i] = [bath]
            rects[host].append(rest)
        others = sum(r.type == "bathroom" for r in d.rooms)
        if others and rng.random() < 0.6:
            ensuite.add(i)
    ids = [d.room(kind, *rects[i]) for i, kind in enumerate(kinds)]
    for i, kind in enumerate(kinds):
        if i in ensuite and kind == "bathroom":
            near = [j for j in (i - 1, i + 1) if 0 <= j < len(kinds) and kinds[j] == "bedroom"]
            d.link(ids[near[0]], ids[i])
        else:
            d.link(hallway, ids[i])
