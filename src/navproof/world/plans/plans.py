"""Whole floor plans by kind: a sketch, names that people would say, wall colours, openings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from navproof.core.errors import SceneError, SpecError
from navproof.core.registry import suggest
from navproof.world.plans.commercial import cafe_sketch, clinic_sketch, office_sketch, shop_sketch
from navproof.world.plans.floorplan import FloorPlan, Sketch, WindowStyle
from navproof.world.plans.home import home_sketch
from navproof.world.plans.layout import resolve

__all__ = ["KINDS", "ROOM_RANGE", "WALL_COLOURS", "make_plan"]

KINDS: Mapping[str, Callable[[np.random.Generator, int], Sketch]] = {
    "home": home_sketch,
    "office": office_sketch,
    "cafe": cafe_sketch,
    "shop": shop_sketch,
    "clinic": clinic_sketch,
}
ROOM_RANGE = {"home": (3, 10), "office": (6, 11), "cafe": (4, 6), "shop": (3, 5), "clinic": (6, 11)}
_ROOM_ODDS = {"home": (0.05, 0.09, 0.14, 0.18, 0.19, 0.16, 0.11, 0.08)}

WALL_COLOURS: Mapping[str, tuple[float, float, float]] = {
    "white": (0.84, 0.83, 0.80),
    "cream": (0.82, 0.74, 0.58),
    "grey": (0.50, 0.51, 0.52),
    "blue": (0.36, 0.51, 0.70),
    "green": (0.45, 0.60, 0.42),
    "yellow": (0.82, 0.69, 0.36),
    "pink": (0.79, 0.51, 0.54),
    "orange": (0.78, 0.48, 0.30),
    "purple": (0.53, 0.44, 0.66),
    "beige": (0.66, 0.56, 0.43),
}
"""Paints by the word that people would use; linear RGB."""
_QUIET = ("white", "cream", "beige", "grey")
_LOUD = ("blue", "green", "yellow", "pink", "orange", "purple")
_WINDOWS = {
    "home": WindowStyle(
        dark=frozenset({"hallway", "storage room"}), high=frozenset({"bathroom", "laundry room"})
    ),
    "office": WindowStyle(
        1.2,
        2.2,
        0.85,
        dark=frozenset({"corridor", "storage room", "copy room"}),
        high=frozenset({"restroom"}),
    ),
    "clinic": WindowStyle(
        1.0,
        1.8,
        0.95,
        dark=frozenset({"corridor", "storage room"}),
        high=frozenset({"restroom", "exam room"}),
    ),
    "cafe": WindowStyle(
        dark=frozenset({"storage room", "corridor", "counter"}),
        high=frozenset({"restroom", "kitchen"}),
        shopfront=frozenset({"seating area"}),
    ),
    "shop": WindowStyle(
        dark=frozenset({"storage room", "corridor", "fitting room"}),
        high=frozenset({"restroom", "office"}),
        shopfront=frozenset({"sales area"}),
    ),
}


def make_plan(kind: str, rng: np.random.Generator, rooms: int | None = None) -> FloorPlan:
    """A floor plan of a kind; ``rooms`` fixes the number of rooms where the kind allows it.

    Raises ``SpecError`` for an unknown kind or an impossible number of rooms.
    """
    if kind not in KINDS:
        raise SpecError(f"there is no kind of scene '{kind}'{suggest(kind, list(KINDS))}")
    low, high = ROOM_RANGE[kind]
    if rooms is not None and not low <= rooms <= high:
        raise SpecError(f"a {kind} has {low} to {high} rooms, not {rooms}")
    if rooms is None:
        odds = _ROOM_ODDS.get(kind)
        rooms = low + int(rng.choice(high - low + 1, p=odds))
    height = int(rng.integers(50, 57)) / 20 if kind == "home" else int(rng.integers(56, 65)) / 20
    wall_cm = int(rng.choice((10, 12, 14)))
    for _ in range(20):
        sketch = KINDS[kind](rng, rooms)
        names, colours = _names_and_colours(sketch, rng)
        try:
            return resolve(
                sketch,
                rng,
                kind=kind,
                height_m=height,
                wall_cm=wall_cm,
                names=names,
                colours=colours,
                windows=_WINDOWS[kind],
            )
        except SceneError:
            continue
    raise SceneError(f"no floor plan of a {kind} with {rooms} rooms came out; try another seed")


def _names_and_colours(sketch: Sketch, rng: np.random.Generator) -> tuple[list[str], list[str]]:
    """Names and wall colours of rooms. A room that is the only one of its type is called by the
    type; wall colours tell others apart."""
    types = [room.type for room in sketch.rooms]
    loud = [str(c) for c in rng.permutation(_LOUD)]
    quiet = [str(c) for c in rng.permutation(_QUIET)]
    base = quiet[0]
    colours: list[str] = []
    for index, kind in enumerate(types):
        same = [i for i, t in enumerate(types) if t == kind]
        if len(same) > 1:
            pool = (
                (loud + quiet)
                if kind in ("bedroom", "exam room", "meeting room")
                else (quiet + loud)
            )
            colours.append(pool[same.index(index) % len(pool)])
        elif kind in ("hallway", "corridor"):
            colours.append(quiet[0])
        else:
            colours.append(
                loud[index % len(loud)]
                if rng.random() < 0.28
                else (base if rng.random() < 0.5 else quiet[1])
            )
    names = [
        kind if types.count(kind) == 1 else f"{colours[i]} {kind}" for i, kind in enumerate(types)
    ]
    return names, colours
