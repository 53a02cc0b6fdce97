"""What a mission is made of: kinds of sub-tasks in order, and what goes on beside them.

The shares are those of OmniNavBench (section III-C, Figure 2). Its sub-instructions count SocialNav
and EQA too: 39, 32 and 29 % of the missions have two, three and more; VLN 42, ObjectNav 22,
SocialNav 12, following 10, PointNav 8 and EQA 6 % of them, and 28.6 % of VLN is to return.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np

from navproof.core.types import SubTaskKind

__all__ = ["CATEGORY", "SubTaskChain", "draw_chain"]

T = TypeVar("T")

CATEGORY: Mapping[SubTaskKind, str] = {
    "goto_room": "vln",
    "goto_landmark": "vln",
    "return_to": "vln",
    "goto_object": "objectnav",
    "goto_point": "pointnav",
    "follow_human": "follow",
}
"""The skill that a sub-task asks for."""
_LENGTHS: Mapping[int, float] = {2: 0.39, 3: 0.32, 4: 0.20, 5: 0.09}
_BESIDE: Mapping[str, float] = {"social": 0.59, "question": 0.29, "": 0.12}
"""What the third sub-instruction is, if it is not one more place to go to; longer missions may
have both, each with its share."""
_RETURN = 0.39  # of the missions
_KINDS: Mapping[SubTaskKind, float] = {
    "goto_room": 0.32,
    "goto_landmark": 0.32,
    "goto_object": 0.25,
    "follow_human": 0.1,
    "goto_point": 0.077,
}
"""Of all but the return, before chains of one skill are thrown away."""


@dataclass(frozen=True, slots=True)
class SubTaskChain:
    """``kinds`` in order, at least two skills among them. ``social``: people are to be kept away
    from; ``asks``: a question is to be answered."""

    kinds: tuple[SubTaskKind, ...]
    social: bool
    asks: bool

    @property
    def length(self) -> int:
        """Sub-instructions, as the paper counts them."""
        return len(self.kinds) + self.social + self.asks


def draw_chain(draw: np.random.Generator) -> SubTaskChain:
    """The same for the same state of ``draw``. Somebody is followed once at most, nothing comes
    twice in a row, and only the last sub-task is to return."""
    length = _weighted(draw, _LENGTHS)
    social = asks = False
    if length == 3:
        beside = _weighted(draw, _BESIDE)
        social, asks = beside == "social", beside == "question"
    elif length > 3:
        social, asks = (float(draw.random()) < _BESIDE[name] for name in ("social", "question"))
    count = length - social - asks
    while True:
        kinds: list[SubTaskKind] = [_weighted(draw, _KINDS) for _ in range(count)]
        if float(draw.random()) < _RETURN:
            kinds[-1] = "return_to"
        if _is_mixed(kinds):
            return SubTaskChain(tuple(kinds), social, asks)


def _is_mixed(kinds: list[SubTaskKind]) -> bool:
    skills = {CATEGORY[kind] for kind in kinds}
    again = any(a == b for a, b in pairwise(kinds))
    return len(skills) > 1 and not again and kinds.count("follow_human") <= 1


def _weighted(draw: np.random.Generator, shares: Mapping[T, float]) -> T:
    names, weights = list(shares), np.array(list(shares.values()))
    return names[int(draw.choice(len(names), p=weights / weights.sum()))]
