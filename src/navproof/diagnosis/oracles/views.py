"""What is visible in a frame: the pixels and the box of every thing, from the image of instance
ids."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.core.types import FIRST_OBJECT_ID, FIRST_PERSON_ID
from navproof.perception.protocol import TruthFrame

__all__ = ["Box", "FrameThings", "iou", "views_of"]

Box = tuple[float, float, float, float]
LEAST_PX = 4


@jit
def _gather(
    instances: NDArray[np.int32], first: int, things: int, first_person: int, people: int
) -> NDArray[np.int64]:
    """(things + people, 5): pixels, u0, v0, u1, v1 of each; ids count from ``first``, then from
    ``first_person``."""
    table = np.zeros((things + people, 5), dtype=np.int64)
    height, width = instances.shape
    table[:, 1] = width
    table[:, 2] = height
    for v in range(height):
        begins = 0
        for u in range(1, width + 1):  # by runs of one id: most of a row is few of them
            if u < width and instances[v, u] == instances[v, begins]:
                continue
            i = instances[v, begins]
            i = i - first_person + things if i >= first_person else i - first
            if 0 <= i < things + people and (i < things) == (instances[v, begins] < first_person):
                table[i, 0] += u - begins
                table[i, 1] = min(table[i, 1], begins)
                table[i, 2] = min(table[i, 2], v)
                table[i, 3] = max(table[i, 3], u)
                table[i, 4] = max(table[i, 4], v + 1)
            begins = u
    return table


@dataclass(frozen=True, slots=True, eq=False)
class FrameThings:
    """The things of a frame, by id: ``pixels`` and ``boxes`` (n, 4) in the order of ``ids``."""

    ids: tuple[int, ...]
    pixels: NDArray[np.int64]
    boxes: NDArray[np.float64]
    size: int  # of the frame, pixels

    def large(self, least_px: float) -> tuple[int, ...]:
        """The indices of the things that cover at least so many pixels."""
        return tuple(int(i) for i in np.flatnonzero(self.pixels >= least_px))

    def box(self, index: int) -> Box:
        u0, v0, u1, v1 = (float(v) for v in self.boxes[index])
        return (u0, v0, u1, v1)


def views_of(frame: TruthFrame) -> FrameThings:
    """Everything in a frame that its facts name and that covers a few pixels."""
    objects = [i for i in frame.facts if i < FIRST_PERSON_ID]
    people = len(frame.facts) - len(objects)
    count = max(objects, default=FIRST_OBJECT_ID - 1) - FIRST_OBJECT_ID + 1
    table = _gather(frame.instances, FIRST_OBJECT_ID, count, FIRST_PERSON_ID, people)
    rows = np.flatnonzero(table[:, 0] >= LEAST_PX)
    ids = [int(r) + (FIRST_OBJECT_ID if r < count else FIRST_PERSON_ID - count) for r in rows]
    known = np.array([i in frame.facts for i in ids], dtype=bool)
    rows = rows[known]
    return FrameThings(
        tuple(i for i in ids if i in frame.facts),
        table[rows, 0],
        table[rows, 1:].astype(np.float64),
        frame.instances.size,
    )


def iou(boxes: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, m) intersection over union of (n, 4) and (m, 4) boxes."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    both = np.prod(np.maximum(high - low, 0.0), axis=2)
    either = _area(boxes)[:, None] + _area(others)[None, :] - both
    shared: NDArray[np.float64] = both / np.maximum(either, 1e-9)
    return shared


def _area(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 0.0)
    area: NDArray[np.float64] = sides[:, 0] * sides[:, 1]
    return area
