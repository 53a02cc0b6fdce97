"""Naming one object so that nobody could mean another: noun, adjectives, what it stands on.

A description *fits* an object when the object's own name ends with the same noun ("table" fits a
"coffee table", for so a listener would take it) and has every attribute that is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from navproof.language.nouns import noun
from navproof.types import Scalar
from navproof.world.scene import Scene, SceneObject

__all__ = ["SAYABLE", "Description", "describe", "fits"]

SAYABLE = ("size", "colour", "pattern", "material", "modifier")
"""Attributes that become adjectives, in the order in which they are said."""
_MATERIAL_WORDS = {"wood": "wooden", "wool": "woollen"}
_UNSAID = {"size": ("medium",), "pattern": ("plain", "solid", "none")}
_PREFERRED = ("colour", "modifier", "material", "pattern", "size")
_MAX_ADJECTIVES = 3


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
            _MATERIAL_WORDS.get(self.attributes[key], self.attributes[key])
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
    if not noun(thing.category).endswith(noun(description.category)):
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
    sayable = _sayable(thing)
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


def _sayable(thing: SceneObject) -> dict[str, str]:
    found: dict[str, str] = {}
    for key in SAYABLE:
        value = thing.attributes.get(key)
        if isinstance(value, str) and value and value not in _UNSAID.get(key, ()):
            found[key] = value
    return found


def _enriched(
    pick: Description, sayable: Mapping[str, str], rng: np.random.Generator
) -> Description:
    if pick.attributes or "colour" not in sayable or rng.random() < 0.5:
        return pick
    return Description(pick.category, {"colour": sayable["colour"]}, pick.on)
