"""Where things are to each other, as people say it: next to, between, left of, under, …

Every relation is three-valued. ``YES`` and ``NO`` are cases in which nobody would argue;
``BORDERLINE`` is everything between, and a description that has a borderline candidate is not used
(``goals.ambiguous``).

Conventions. *Left*, *right*, *in front of* and *behind* are said only of an anchor that has a
front (``FRONTED``), and as somebody says them who stands before that front and faces the anchor:
what is left of a sofa is at the left hand of a person looking at the sofa, so at the right hand of
one who sits on it. *Under* and *above* are vertical and need no viewer. Distances are between
footprints (oriented boxes seen from above), metres.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType

from navproof.world.scene import Box, SceneObject

__all__ = ["ANCHOR_RELATIONS", "FRONTED", "RELATIONS", "SPATIAL_RELATIONS", "Verdict", "judge"]


class Verdict(IntEnum):
    """Ordered, so that ``min`` is "and" and ``max`` is "or" (Kleene's three-valued logic)."""

    NO = 0
    BORDERLINE = 1
    YES = 2


NO, BORDERLINE, YES = Verdict.NO, Verdict.BORDERLINE, Verdict.YES

FRONTED = frozenset(
    {
        "armchair",
        "bed",
        "bookshelf",
        "cabinet",
        "coffee machine",
        "copier",
        "desk",
        "dishwasher",
        "display fridge",
        "display shelf",
        "dresser",
        "filing cabinet",
        "fireplace",
        "kitchen sink",
        "microwave",
        "monitor",
        "nightstand",
        "piano",
        "refrigerator",
        "shelf unit",
        "sofa",
        "stove",
        "toilet",
        "tv",
        "tv stand",
        "vending machine",
        "wardrobe",
        "washbasin",
        "washing machine",
    }
)
"""Categories whose front everybody agrees on: the side that is used, +x of the box."""

_NEAR_M, _FAR_M = 0.5, 1.0  # next to: gap that is certainly near, and certainly not
_CLOSE_M, _APART_M = 0.2, 0.4  # the same for small things on one support
_BESIDE_M, _AWAY_M = 1.0, 2.0  # left, right, in front, behind
_BETWEEN_M, _NOT_BETWEEN_M = 1.2, 2.0
_OPPOSITE_DEG, _ASIDE_DEG = 145.0, 110.0
_LEVEL_M = 0.05
_FLAT_M = 0.05


def judge(relation: str, thing: SceneObject, anchors: Sequence[SceneObject]) -> Verdict:
    """Whether ``thing`` stands in ``relation`` to its anchor (two for "between")."""
    if len({thing.id, *(a.id for a in anchors)}) <= len(anchors):
        return NO  # nothing stands next to itself
    return _JUDGES[relation](thing, anchors)


# ------------------------------------------------------------------------------------- nearness
def _next_to(thing: SceneObject, anchors: Sequence[SceneObject]) -> Verdict:
    (anchor,) = anchors
    if _carries(thing, anchor) or _carries(anchor, thing) or _overhead(thing, anchor):
        return NO
    gap = _gap(thing.box, anchor.box)
    if not _comparable(thing, anchor):
        return BORDERLINE if gap <= _FAR_M else NO
    near, far = (_CLOSE_M, _APART_M) if thing.position_kind == "on" else (_NEAR_M, _FAR_M)
    return YES if gap <= near else NO if gap > far else BORDERLINE


def _between(thing: SceneObject, anchors: Sequence[SceneObject]) -> Verdict:
    one, other = anchors
    if any(_carries(thing, a) or _carries(a, thing) or _overhead(thing, a) for a in anchors):
        return NO
    x, y, _ = thing.box.centre
    to_one, to_other = (_nearest(a.box, x, y) for a in anchors)
    arms = [(px - x, py - y) for px, py in (to_one, to_other)]
    if min(math.hypot(*arm) for arm in arms) < 1e-6:
        return NO  # its middle is inside one of them
    (ax, ay), (bx, by) = arms
    angle = abs(math.degrees(math.atan2(ax * by - ay * bx, ax * bx + ay * by)))
    gap = max(_gap(thing.box, a.box) for a in anchors)
    if angle < _ASIDE_DEG or gap > _NOT_BETWEEN_M:
        return NO
    alike = all(_comparable(thing, a) for a in anchors) and _comparable(one, other)
    return YES if alike and angle >= _OPPOSITE_DEG and gap <= _BETWEEN_M else BORDERLINE


# ----------------------------------------------------------------------- sides of a fronted anchor
def _side(along: int, sign: int) -> Callable[[SceneObject, Sequence[SceneObject]], Verdict]:
    """The judge for the side of the anchor towards ``sign`` on its axis ``along`` (0 front, 1
    left)."""

    def judged(thing: SceneObject, anchors: Sequence[SceneObject]) -> Verdict:
        (anchor,) = anchors
        if _carries(anchor, thing):
            return NO
        gap = _gap(thing.box, anchor.box)
        if gap > _AWAY_M:
            return NO
        if anchor.category not in FRONTED or thing.room != anchor.room:
            return BORDERLINE if gap <= _BESIDE_M else NO
        corners = [_seen_from(anchor.box, x, y) for x, y in _corners(thing.box)]
        out = [sign * corner[along] for corner in corners]
        centre = _seen_from(anchor.box, *thing.box.centre[:2])
        half, half_across = anchor.box.size[along] / 2, anchor.box.size[1 - along] / 2
        if sign * centre[along] <= half / 2:
            return NO
        beyond = min(out) >= half - 2 * _LEVEL_M
        within = abs(centre[1 - along]) <= half_across
        if beyond and within and gap <= _BESIDE_M and _on_a_level(thing, anchor, along):
            return YES
        return BORDERLINE

    return judged


def _on_a_level(thing: SceneObject, anchor: SceneObject, along: int) -> bool:
    """Whether people would speak of sides at all: nothing that hangs over the anchor is beside it,
    and before or behind it stands only what stands on the same ground."""
    if along == 0:
        alike = thing.position_kind == anchor.position_kind
        return alike and thing.position_kind in ("floor", "on") and thing.support == anchor.support
    overhead = _low(thing.box) > _high(anchor.box) + 0.5
    return thing.position_kind != "ceiling" and not overhead


# -------------------------------------------------------------------------------------- vertical
def _under(thing: SceneObject, anchors: Sequence[SceneObject]) -> Verdict:
    (anchor,) = anchors
    return _stacked(thing, anchor)


def _above(thing: SceneObject, anchors: Sequence[SceneObject]) -> Verdict:
    (anchor,) = anchors
    return NO if _carries(anchor, thing) else _stacked(anchor, thing)


def _stacked(lower: SceneObject, upper: SceneObject) -> Verdict:
    """Whether ``lower`` is under ``upper``: lower in height, and in line seen from above."""
    if _carries(lower, upper) or _gap(lower.box, upper.box) > 0.5:
        return NO
    if lower.box.size[2] <= _FLAT_M and upper.position_kind == "floor":  # a rug
        covered = [_distance(lower.box, x, y) == 0.0 for x, y in _corners(upper.box)]
        if upper.box.size[2] <= _FLAT_M or not _cross(lower.box, upper.box):
            return NO
        return YES if all(covered) and lower.room == upper.room else BORDERLINE
    if _low(upper.box) < lower.box.centre[2]:
        return NO
    if lower.room != upper.room or upper.position_kind in ("floor", "on"):
        return BORDERLINE
    clear = _low(upper.box) >= _high(lower.box) - _LEVEL_M
    x, y, _ = upper.box.centre
    u, v, _ = lower.box.centre
    in_line = _distance(lower.box, x, y) <= 0.15 or _distance(upper.box, u, v) <= 0.15
    return YES if clear and in_line else BORDERLINE


# -------------------------------------------------------------------------------------- geometry
def _carries(lower: SceneObject, upper: SceneObject) -> bool:
    return upper.support == lower.id


def _comparable(thing: SceneObject, anchor: SceneObject) -> bool:
    """Both on the floor of one room, or both on one support; rugs stand beside nothing."""
    if thing.room != anchor.room:
        return False
    if thing.position_kind == anchor.position_kind == "floor":
        return min(thing.box.size[2], anchor.box.size[2]) > _FLAT_M
    shared = thing.position_kind == anchor.position_kind == "on" and thing.support == anchor.support
    return shared and abs(_low(thing.box) - _low(anchor.box)) <= _LEVEL_M


def _overhead(thing: SceneObject, anchor: SceneObject) -> bool:
    """One hangs clear above the other."""
    return max(_low(thing.box) - _high(anchor.box), _low(anchor.box) - _high(thing.box)) > 0.3


def _low(box: Box) -> float:
    return box.centre[2] - box.size[2] / 2


def _high(box: Box) -> float:
    return box.centre[2] + box.size[2] / 2


def _seen_from(box: Box, x: float, y: float) -> tuple[float, float]:
    """The point in the box's own frame (x front, y left)."""
    dx, dy = x - box.centre[0], y - box.centre[1]
    c, s = math.cos(box.yaw), math.sin(box.yaw)
    return c * dx + s * dy, c * dy - s * dx


def _corners(box: Box) -> list[tuple[float, float]]:
    c, s = math.cos(box.yaw), math.sin(box.yaw)
    hx, hy = box.size[0] / 2, box.size[1] / 2
    return [
        (box.centre[0] + c * a - s * b, box.centre[1] + s * a + c * b)
        for a, b in ((hx, hy), (-hx, hy), (-hx, -hy), (hx, -hy))
    ]


def _nearest(box: Box, x: float, y: float) -> tuple[float, float]:
    """The point of the footprint that is nearest to (x, y)."""
    u, v = _seen_from(box, x, y)
    u = min(max(u, -box.size[0] / 2), box.size[0] / 2)
    v = min(max(v, -box.size[1] / 2), box.size[1] / 2)
    c, s = math.cos(box.yaw), math.sin(box.yaw)
    return box.centre[0] + c * u - s * v, box.centre[1] + s * u + c * v


def _distance(box: Box, x: float, y: float) -> float:
    """From a point to the footprint; 0 inside."""
    u, v = _seen_from(box, x, y)
    return math.hypot(max(abs(u) - box.size[0] / 2, 0.0), max(abs(v) - box.size[1] / 2, 0.0))


def _gap(a: Box, b: Box) -> float:
    """Between two footprints; 0 where they touch or overlap."""
    if _cross(a, b):
        return 0.0
    return min(
        min(_distance(a, x, y) for x, y in _corners(b)),
        min(_distance(b, x, y) for x, y in _corners(a)),
    )


def _cross(a: Box, b: Box) -> bool:
    """Whether two footprints overlap: no side of either separates them."""
    for one, other in ((a, b), (b, a)):
        corners = [_seen_from(one, x, y) for x, y in _corners(other)]
        for axis in (0, 1):
            values = [corner[axis] for corner in corners]
            half = one.size[axis] / 2
            if min(values) > half or max(values) < -half:
                return False
    return True


_JUDGES: Mapping[str, Callable[[SceneObject, Sequence[SceneObject]], Verdict]] = MappingProxyType(
    {
        "next to": _next_to,
        "between": _between,
        "left of": _side(1, -1),
        "right of": _side(1, 1),
        "in front of": _side(0, 1),
        "behind": _side(0, -1),
        "under": _under,
        "above": _above,
    }
)
ANCHOR_RELATIONS = ("next to", "between")
SPATIAL_RELATIONS = ("left of", "right of", "behind", "in front of", "under", "above")
RELATIONS = (*ANCHOR_RELATIONS, *SPATIAL_RELATIONS)
"""Every relation that ``judge`` knows."""
