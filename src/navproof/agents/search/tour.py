"""The shortest open tour through a few places, from where the robot is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from navproof.agents.mapping.navigate import XY, Navigator
from navproof.core.types import Pose

__all__ = ["MOST_PLACES", "first_of_tour", "ways_between"]

MOST_PLACES = 8
_NO_WAY_M = 1e4


def first_of_tour(from_here: Sequence[float], between: NDArray[np.float64]) -> int:
    """The place that the shortest way through all of them visits first (Held and Karp).

    ``from_here`` (n,) are the metres to each place, ``between`` (n, n) those between places. Of
    tours as short as each other, the one counts whose first place has the least index.
    """
    count = len(from_here)
    rest = {(frozenset({i}), i): 0.0 for i in range(count)}  # metres left, standing at i
    whole = frozenset(range(count))
    for size in range(2, count + 1):
        for places in _subsets(count, size):
            for at in places:
                left = places - {at}
                rest[places, at] = min(float(between[at, to]) + rest[left, to] for to in left)
    return min(range(count), key=lambda i: (from_here[i] + rest[whole, i], i))


def ways_between(nav: Navigator, pose: Pose, places: Sequence[XY]) -> NDArray[np.float64]:
    """(n, n) metres from each place to each other one, on what is not known to be blocked."""
    ways = np.zeros((len(places), len(places)))
    for i, (x, y) in enumerate(places):
        field, (row0, col0) = nav.distances(replace(pose, x=x, y=y))
        for j, other in enumerate(places):
            row, col = nav.map.index(*other)
            metres = float(field[row - row0, col - col0])
            ways[i, j] = metres if math.isfinite(metres) else _NO_WAY_M
    return ways


def _subsets(count: int, size: int) -> list[frozenset[int]]:
    numbers = range(1 << count)
    return [
        frozenset(i for i in range(count) if number >> i & 1)
        for number in numbers
        if number.bit_count() == size
    ]
