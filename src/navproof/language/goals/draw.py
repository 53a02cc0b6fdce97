"""Drawing descriptions of an object, from its bare category to what only it is.

The shares are those of LangNav (arXiv, Table 2 and Figure 5): a third of the descriptions name a
category alone; the others have 1.5 linguistic features on average, most often a modifier or a
support, then colour, size, material, number, state, texture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal, TypeVar, get_args

import numpy as np

from navproof.core.errors import SpecError
from navproof.core.registry import suggest
from navproof.language.goals.match import ambiguous, matches, named, stands
from navproof.language.goals.sayable import sayable, sayable_support
from navproof.language.goals.structure import COUNTS, GoalDescription
from navproof.language.lexicon.relations import (
    ANCHOR_RELATIONS,
    RELATIONS,
    SPATIAL_RELATIONS,
    Verdict,
)
from navproof.world.scene import Scene, SceneObject

__all__ = ["Detail", "draw_descriptions"]

Detail = Literal[
    "any", "category", "attributes", "unique", "negation", "anchor", "spatial", "coreference"
]
"""How much, or what, a description says; "any" mixes the first three kinds as LangNav does."""

_T = TypeVar("_T")
_BARE = {True: 0.22, False: 0.48}  # of things that have a modifier or a support, and others
_UNIQUE = 0.3  # of those with features
_HOW_MANY = (0.50, 0.37, 0.13)  # one, two, three features
_WEIGHTS = {
    "modifier": 5.0,
    "support": 4.0,
    "colour": 0.6,
    "size": 0.8,
    "material": 0.7,
    "number": 0.7,
    "state": 0.5,
    "pattern": 0.5,
}
_SUPPORT_DETAIL = 0.15
_ANCHOR_DETAIL = 0.25
_NEGATED = ("colour", "pattern", "material", "modifier", "state")
_TRIES = 12


def draw_descriptions(
    scene: Scene,
    target_id: int,
    rng: np.random.Generator,
    detail: Detail = "any",
    previous_ids: Sequence[int] = (),
    count: int = 1,
) -> tuple[GoalDescription, ...]:
    """Up to ``count`` different descriptions that clearly fit the target; of no object is it
    doubtful whether they fit it. Fewer, or none, where the target gives no occasion for them.

    "unique" fits the target alone; "coreference" needs one object in ``previous_ids``.
    """
    if detail not in get_args(Detail):
        raise SpecError(f"there is no detail '{detail}'{suggest(detail, list(get_args(Detail)))}")
    drawer = _Drawer(scene, scene.object(target_id), rng, tuple(previous_ids))
    found: dict[GoalDescription, None] = {}
    for _ in range(3 * count):
        if len(found) == count:
            break
        kind = drawer.kind() if detail == "any" else detail
        draft = drawer.clear_draft(kind)
        if detail == "any" and kind == "unique" and (draft is None or draft.is_bare):
            draft = drawer.clear_draft("attributes")
        if detail == "any" and draft is None:
            draft = drawer.clear_draft("category")
        if draft is not None:
            found[draft] = None
    return tuple(found)


def _weighted(weights: Mapping[str, float], rng: np.random.Generator) -> str:
    names = list(weights)
    share = np.array([weights[n] for n in names])
    return names[int(rng.choice(len(names), p=share / share.sum()))]


@dataclass(frozen=True)
class _Drawer:
    scene: Scene
    target: SceneObject
    rng: np.random.Generator
    previous: tuple[int, ...]

    def kind(self) -> str:
        """One of the kinds of "any", as often as LangNav has them."""
        told = sayable_support(self.target, self.scene) or sayable(self.target).get("modifier")
        if self.rng.random() < _BARE[told is not None]:
            return "category"
        return "unique" if self.rng.random() < _UNIQUE else "attributes"

    def clear_draft(self, kind: str) -> GoalDescription | None:
        for _ in range(_TRIES):
            draft = self._draft(kind)
            if draft is not None and self._is_clear(draft):
                return draft
        return None

    def _is_clear(self, draft: GoalDescription) -> bool:
        ids = matches(draft, self.scene, self.previous)
        return self.target.id in ids and not ambiguous(draft, self.scene, self.previous)

    def _draft(self, kind: str) -> GoalDescription | None:
        kinds: dict[str, Callable[[], GoalDescription | None]] = {
            "category": lambda: GoalDescription(self.target.category),
            "attributes": self._attributes,
            "unique": self._unique,
            "negation": self._negation,
            "anchor": lambda: self._relation(ANCHOR_RELATIONS),
            "spatial": lambda: self._relation(SPATIAL_RELATIONS),
            "coreference": self._coreference,
        }
        return kinds[kind]()

    @cached_property
    def _namesakes(self) -> Mapping[int, SceneObject]:
        """All that the target's noun fits, itself among them."""
        return named(self.target.category, self.scene)

    # ------------------------------------------------------------------------------- attributes
    def _features(self) -> Iterator[tuple[str, GoalDescription]]:
        """(linguistic feature, description with that alone), likelier ones earlier."""
        category = self.target.category
        options: dict[str, list[GoalDescription]] = {}
        for key, value in sayable(self.target).items():
            feature = "number" if key in COUNTS else key
            options.setdefault(feature, []).append(GoalDescription(category, {key: value}))
        below = sayable_support(self.target, self.scene)
        if below is not None:
            options["support"] = [GoalDescription(category, support=self._mentioned(below))]
        weights = {name: _WEIGHTS[name] for name in options}
        while weights:
            name = _weighted(weights, self.rng)
            del weights[name]
            yield name, self._pick(options[name])

    def _mentioned(self, thing: SceneObject, detail: float = _SUPPORT_DETAIL) -> GoalDescription:
        """A support or an anchor: its category, now and then with one attribute."""
        attributes = {k: v for k, v in sayable(thing).items() if k not in (*COUNTS, "state")}
        if not attributes or self.rng.random() > detail:
            return GoalDescription(thing.category)
        key = self._pick(sorted(attributes))
        return GoalDescription(thing.category, {key: attributes[key]})

    def _attributes(self) -> GoalDescription | None:
        wanted = 1 + int(self.rng.choice(len(_HOW_MANY), p=_HOW_MANY))
        draft = GoalDescription(self.target.category)
        for (_, feature), _ in zip(self._features(), range(wanted), strict=False):
            draft = _joined(draft, feature)
        return None if draft.is_bare else draft

    def _unique(self) -> GoalDescription | None:
        """Features are added until nothing else fits, and those left out that were not needed."""
        draft = GoalDescription(self.target.category)
        chosen: list[GoalDescription] = []
        for _, feature in self._features():
            if matches(draft, self.scene) == (self.target.id,):
                break
            draft = _joined(draft, feature)
            chosen.append(feature)
        if matches(draft, self.scene) != (self.target.id,):
            return None
        for feature in list(chosen):
            fewer = [f for f in chosen if f is not feature]
            shorter = _all_joined(self.target.category, fewer)
            if matches(shorter, self.scene) == (self.target.id,):
                chosen, draft = fewer, shorter
        return draft if len(chosen) <= 3 else None

    # ------------------------------------------------------------------------------- relations
    def _negation(self) -> GoalDescription | None:
        """Not as another of its kind is: "a chair that is not black"."""
        own = self.target.attributes
        others = {
            (key, str(value))
            for thing in self._namesakes.values()
            for key, value in sayable(thing).items()
            if key in _NEGATED and own.get(key) != value
        }
        if not others:
            return None
        draft = GoalDescription(self.target.category, negation=self._pick(sorted(others)))
        return self._enriched(draft, 0.3)

    def _relation(self, relations: Sequence[str]) -> GoalDescription | None:
        found = [r for r in relations if self._settings[r]]
        if not found:
            return None
        relation = self._pick(found)
        chosen = self._pick(self._settings[relation])
        anchors = tuple(self._mentioned(anchor, _ANCHOR_DETAIL) for anchor in chosen)
        draft = GoalDescription(self.target.category, relation=relation, anchors=anchors)
        return self._enriched(draft, 0.25)

    @cached_property
    def _settings(self) -> dict[str, list[tuple[SceneObject, ...]]]:
        """For each relation, the anchors to which the target clearly stands in it."""
        anchors = [o for o in self.scene.objects if self._could_anchor(o)]
        near = [o for o in anchors if _within_reach(self.target, o)]
        found: dict[str, list[tuple[SceneObject, ...]]] = {}
        for relation in RELATIONS:
            size = 2 if relation == "between" else 1
            found[relation] = [row for row in combinations(near, size) if self._is(relation, row)]
        return found

    def _is(self, relation: str, anchors: Sequence[SceneObject]) -> bool:
        ids = [anchor.id for anchor in anchors]
        return stands(relation, self.target.id, ids, self.scene) is Verdict.YES

    def _could_anchor(self, thing: SceneObject) -> bool:
        """Something one sees before the target: not a smaller thing, nor one that is overhead."""
        if thing.room != self.target.room or thing.id in self._namesakes:
            return False
        if thing.category in ("door", "ceiling light", "ceiling fan", "rug", "radiator"):
            return False
        return _area(thing) >= 0.6 * _area(self.target) or thing.position_kind in (
            "wall",
            "opening",
        )

    def _coreference(self) -> GoalDescription | None:
        if len(self.previous) != 1 or self.previous[0] == self.target.id:
            return None
        it = self.scene.object(self.previous[0])
        found = [r for r in (*RELATIONS, "on", "on") if r != "between" and self._is(r, (it,))]
        if not found:
            return None
        draft = GoalDescription(self.target.category, coreference=self._pick(found))
        return self._enriched(draft, 0.25)

    def _enriched(self, draft: GoalDescription, chance: float) -> GoalDescription:
        """With an attribute as well, now and then."""
        if self.rng.random() >= chance:
            return draft
        negated = "" if draft.negation is None else draft.negation[0]
        for name, feature in self._features():
            if name not in ("support", "state", "number", negated):
                return _joined(draft, feature)
        return draft

    def _pick(self, options: Sequence[_T]) -> _T:
        return options[int(self.rng.integers(len(options)))]


def _area(thing: SceneObject) -> float:
    return thing.box.size[0] * thing.box.size[1]


def _within_reach(target: SceneObject, anchor: SceneObject) -> bool:
    """A cheap bound on all relations."""
    gap = math.dist(target.box.centre[:2], anchor.box.centre[:2])
    return gap < 2.0 + max(target.box.size) + max(anchor.box.size)


def _joined(draft: GoalDescription, feature: GoalDescription) -> GoalDescription:
    return replace(
        draft,
        attributes={**draft.attributes, **feature.attributes},
        support=draft.support or feature.support,
    )


def _all_joined(category: str, features: Sequence[GoalDescription]) -> GoalDescription:
    draft = GoalDescription(category)
    for feature in features:
        draft = _joined(draft, feature)
    return draft
