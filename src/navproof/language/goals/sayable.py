"""What people would mention about a thing: its attributes less those that say nothing or jar."""

from __future__ import annotations

from collections.abc import Mapping

from navproof.core.types import Scalar
from navproof.language.goals.structure import COUNTS
from navproof.language.lexicon.describe import sayable_adjectives
from navproof.world.scene import Scene, SceneObject

__all__ = ["sayable", "sayable_support"]

_HUSHED: Mapping[str, tuple[str, ...]] = {
    "colour": ("kitchen sink", "ceiling light", "fire extinguisher"),
    "material": (
        "air conditioner",
        "bicycle",
        "cash register",
        "ceiling light",
        "copier",
        "dishwasher",
        "display fridge",
        "exercise bike",
        "fire extinguisher",
        "keyboard",
        "kitchen counter",
        "kitchen island",
        "kitchen sink",
        "laptop",
        "microwave",
        "monitor",
        "phone",
        "piano",
        "printer",
        "radiator",
        "range hood",
        "refrigerator",
        "shower",
        "stove",
        "tv",
        "vending machine",
        "wall cabinet",
        "washing machine",
        "water cooler",
        "wheelchair",
        "window",
    ),
    "modifier": ("kitchen sink",),
    "state": ("air conditioner", "vending machine", "display fridge"),
    "doors": ("kitchen sink",),
}
"""Attributes that nobody would use to name such a thing: a kitchen sink's "wood" is its unit's."""
_FEWEST = {"shelves": 2, "panes": 2, "panels": 2, "seats": 2, "blades": 2}
_MOST = 8
_NO_SUPPORT = ("kitchen sink",)


def sayable(thing: SceneObject) -> dict[str, Scalar]:
    """Attributes worth saying, with their values."""
    found: dict[str, Scalar] = dict(sayable_adjectives(thing))
    state = thing.attributes.get("state")
    if state is not None:
        found["state"] = state
    for key in COUNTS:
        count = thing.attributes.get(key)
        if isinstance(count, int) and _FEWEST.get(key, 1) <= count <= _MOST:
            found[key] = count
    return {k: v for k, v in found.items() if thing.category not in _HUSHED.get(k, ())}


def sayable_support(thing: SceneObject, scene: Scene) -> SceneObject | None:
    """What it stands on, if people would say so."""
    below = None if thing.support is None else scene.object(thing.support)
    return None if below is None or below.category in _NO_SUPPORT else below
