"""The parts of a floor plan: those of a sketch on wall centre lines, and those of the exact
plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from navproof.world.polygon import signed_area

__all__ = [
    "FloorPlan",
    "Leaf",
    "Link",
    "LinkKind",
    "PlanDoor",
    "PlanRoom",
    "PlanWindow",
    "Rect",
    "Segment",
    "Sketch",
    "SketchRoom",
    "WindowStyle",
]

Rect = tuple[int, int, int, int]
"""x0, y0, x1, y1 in centimetres, on wall centre lines."""
LinkKind = Literal["door", "arch", "front", "closed"]


@dataclass(frozen=True, slots=True)
class SketchRoom:
    type: str
    rects: tuple[Rect, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """An opening that is wanted between two rooms (``b`` = −1: to the outside)."""

    a: int
    b: int
    kind: LinkKind = "door"


@dataclass(frozen=True, slots=True)
class Sketch:
    rooms: tuple[SketchRoom, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight wall between two rooms. ``axis`` 0 runs along x (at y = ``at``), 1 along y;
    ``normal`` (±1) points along the other axis, out of the first room. Centimetres."""

    axis: int
    at: int
    lo: int
    hi: int
    normal: int

    @property
    def length(self) -> int:
        return self.hi - self.lo


@dataclass(frozen=True, slots=True)
class Leaf:
    """A door leaf. It opens into ``room``, by ``angle_deg`` from closed (0 = shut), hinged on the
    left as seen from the opening looking into that room, or on the right. ``hinge`` is on the
    floor, ``yaw`` the direction of the leaf from its hinge."""

    room: int
    angle_deg: float
    right: bool
    hinge: tuple[float, float]
    yaw: float


@dataclass(frozen=True, slots=True)
class PlanDoor:
    """An opening through a wall; metres. ``yaw`` points from ``rooms[0]`` into ``rooms[1]``."""

    rooms: tuple[int, int]
    centre: tuple[float, float]
    yaw: float
    width_m: float
    height_m: float
    kind: LinkKind
    leaf: Leaf | None


@dataclass(frozen=True, slots=True)
class PlanWindow:
    """A window in an outer wall; ``centre`` is on the wall's inner face, ``yaw`` into the room."""

    room: int
    centre: tuple[float, float]
    yaw: float
    width_m: float
    sill_m: float
    head_m: float


@dataclass(frozen=True, slots=True)
class PlanRoom:
    """``polygon`` is the inner wall line, counter-clockwise, rectilinear, metres."""

    id: int
    type: str
    name: str
    polygon: tuple[tuple[float, float], ...]
    colour: str

    @property
    def area_m2(self) -> float:
        return abs(signed_area(self.polygon))


@dataclass(frozen=True, slots=True)
class FloorPlan:
    kind: str
    rooms: tuple[PlanRoom, ...]
    doors: tuple[PlanDoor, ...]
    windows: tuple[PlanWindow, ...]
    height_m: float
    wall_m: float


@dataclass(frozen=True, slots=True)
class WindowStyle:
    """Widths in metres. Room types: ``dark`` get no window, ``high`` one small high one,
    ``counter`` sills above a worktop, ``shopfront`` wide panes down to 0.3 m."""

    narrow_m: float = 0.9
    wide_m: float = 1.6
    sill_m: float = 0.9
    dark: frozenset[str] = frozenset()
    high: frozenset[str] = frozenset()
    counter: frozenset[str] = frozenset({"kitchen", "kitchenette", "lab"})
    shopfront: frozenset[str] = frozenset()
