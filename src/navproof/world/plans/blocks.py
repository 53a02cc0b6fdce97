"""Building blocks of sketches: rows of rooms along a corridor, mirroring, turning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from navproof.world.plans.floorplan import Link, LinkKind, Rect, Sketch, SketchRoom

__all__ = ["Draft", "cm", "fill_row", "turned", "two_rows"]


def cm(rng: np.random.Generator, low: int, high: int) -> int:
    """A length in centimetres, a multiple of five in [low, high]."""
    return int(rng.integers(low // 5, high // 5 + 1)) * 5


@dataclass
class Draft:
    """A sketch in the making; rooms are named by their index."""

    rooms: list[SketchRoom] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def room(self, kind: str, *rects: Rect) -> int:
        self.rooms.append(SketchRoom(kind, rects))
        return len(self.rooms) - 1

    def link(self, a: int, b: int, kind: LinkKind = "door") -> None:
        self.links.append(Link(a, b, kind))

    def done(self) -> Sketch:
        return Sketch(tuple(self.rooms), tuple(self.links))


def fill_row(rng: np.random.Generator, wanted: Sequence[tuple[int, int]], length: int) -> list[int]:
    """Widths for rooms in a row, each within its (low, high) where possible, that add up to
    ``length`` exactly; what is missing or too much is shared in proportion to the widths."""
    widths = [cm(rng, low, high) for low, high in wanted]
    total = sum(widths)
    scaled = [max(150, round(w * length / total / 5) * 5) for w in widths]
    largest = max(range(len(scaled)), key=lambda i: (scaled[i], -i))
    scaled[largest] += length - sum(scaled)
    return scaled


def two_rows(
    rng: np.random.Generator, kinds: Sequence[str], widths: Mapping[str, tuple[int, int]]
) -> tuple[list[str], list[str]]:
    """Rooms shared out to the two sides of a corridor, about equally long, each in random order."""
    rows: tuple[list[str], list[str]] = ([], [])
    sums = [0, 0]
    for kind in sorted(kinds, key=lambda k: -widths[k][1]):
        side = 0 if sums[0] <= sums[1] else 1
        rows[side].append(kind)
        sums[side] += widths[kind][1]
    first, second = ([row[int(i)] for i in rng.permutation(len(row))] for row in rows)
    return first, second


def turned(sketch: Sketch, rng: np.random.Generator) -> Sketch:
    """The sketch mirrored in x, in y and transposed, each with probability one half."""
    flip_x, flip_y, swap = (bool(b) for b in rng.integers(0, 2, size=3))

    def move(rect: Rect) -> Rect:
        x0, y0, x1, y1 = rect
        if flip_x:
            x0, x1 = -x1, -x0
        if flip_y:
            y0, y1 = -y1, -y0
        return (y0, x0, y1, x1) if swap else (x0, y0, x1, y1)

    rooms = tuple(SketchRoom(r.type, tuple(move(q) for q in r.rects)) for r in sketch.rooms)
    return Sketch(rooms, sketch.links)
