"""Naming one object so that nobody could mean another: noun, adjectives, what it stands on.

A description *fits* an object when a listener could take its noun for the object ("table" fits a
coffee table; see ``nouns.could_mean``) and the object has every attribute that is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from navproof.core.types import Scalar
from navproof.language.lexicon.nouns import adjective, could_mean, noun
from navproof.world.scene import Scene, SceneObject

__all__ = ["SAYABLE", "Description", "describe", "fits", "sayable_adjectives"]

SAYABLE = ("size", "colour", "pattern", "material", "modifier")
"""Attributes that become adjectives, in the order in which they are said."""
_SAID_MATERIALS = ("wood", "leather", "glass", "metal", "marble", "wicker", "plastic", "cardboard")
_UNSAID = {
    "size": ("medium",),
    "pattern": ("plain",),
    "modifier": ("straight", "standing", "easy", "backed", "solid-back", "flat", "tree-like"),
}
_TELLS_NOTHING = {
    "colour": ("plant", "potted plant", "whiteboard"),
    "material": ("bed", "picture", "mirror", "toilet", "washbasin", "bathtub", "whiteboard"),
}
_PREFERRED = ("colour", "modifier", "material", "pattern", "size")
_MAX_ADJECTIVES = 2


@dataclass(frozen=True, slots=True)
class Description:
    """``attributes`` are those said; ``on`` is the category of the thing it stands on, if said."""

    category: str
    attributes: Mapping[str, str]
    on: str | None = None

    @property
    def text(self) -> str:
        """Without article: "red wooden chair", "green vase on the desk"."""
        words = [
            adjective(self.category, key, self.attributes[key])
            for key in SAYABLE
            if key in self.attributes
        ]
        head = " ".join([*words, noun(self.category)])
        return head if self.on is None else f"{head} on the {noun(self.on)}"

    def facts(self) -> dict[str, Scalar]:
        """As it is stored in a clause."""
        stored: dict[str, Scalar] = {"category": self.category}
        stored |= {f"attr.{key}": value for key, value in sorted(self.attributes.items())}
        if self.on is not None:
            stored["attr.on"] = self.on
        return stored


def fits(description: Description, thing: SceneObject, scene: Scene) -> bool:
    """Whether a listener could take ``thing`` for what is described."""
    if not could_mean(description.category, thing.category):
        return False
    if any(thing.attributes.get(k) != v for k, v in description.attributes.items()):
        return False
    if description.on is None:
        return True
    return thing.support is not None and scene.object(thing.support).category == description.on


def describe(
    thing: SceneObject, others: Iterable[SceneObject], scene: Scene, rng: np.random.Generator
) -> Description | None:
    """The shortest description that fits ``thing`` and none of ``others``, or None.

    Among equally short ones, colour is preferred, as people do; a colour that is not needed is
    added half of the time, for people do that too.
    """
    rivals = [o for o in others if o.id != thing.id]
    sayable = sayable_adjectives(thing)
    on = None if thing.support is None else scene.object(thing.support).category
    supports = (None,) if on is None else (None, on)
    for count in range(_MAX_ADJECTIVES + 1):
        for said in supports:
            drafts = [
                Description(thing.category, {k: sayable[k] for k in keys}, said)
                for keys in combinations([k for k in _PREFERRED if k in sayable], count)
            ]
            fitting = [d for d in drafts if not any(fits(d, o, scene) for o in rivals)]
            if fitting:
                pick = (
                    fitting[0] if rng.random() < 0.7 else fitting[int(rng.integers(len(fitting)))]
                )
                return _enriched(pick, sayable, rng)
    return None


def sayable_adjectives(thing: SceneObject) -> dict[str, str]:
    """The attributes that people would put before its noun, in the order of ``SAYABLE``: none
    that is the rule for such a thing or that nobody would mention."""
    found: dict[str, str] = {}
    for key in SAYABLE:
        value = thing.attributes.get(key)
        if not isinstance(value, str) or value in ("", *_UNSAID.get(key, ())):
            continue
        if thing.category in _TELLS_NOTHING.get(key, ()):
            continue
        if key != "material" or value in _SAID_MATERIALS:
            found[key] = value
    return found


def _enriched(
    pick: Description, sayable: Mapping[str, str], rng: np.random.Generator
) -> Description:
    if pick.attributes or "colour" not in sayable or rng.random() < 0.5:
        return pick
    return Description(pick.category, {"colour": sayable["colour"]}, pick.on)
