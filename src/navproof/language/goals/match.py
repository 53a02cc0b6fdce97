"""Which objects a description fits: the meaning of ``GoalDescription``.

Three-valued (see ``relations``): a noun fits as a listener takes it (``nouns.could_mean``); an
attribute fits when the object has exactly that value. It is borderline for an object of which
nobody has recorded the attribute (a "closed cabinet" and a chest of drawers), and for a colour that
is only the second one of a pattern.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from weakref import WeakKeyDictionary

from navproof.core.types import Scalar
from navproof.language.goals.structure import COUNTS, GoalDescription
from navproof.language.lexicon.nouns import could_mean
from navproof.language.lexicon.relations import Verdict, judge
from navproof.world.scene import Scene, SceneObject

__all__ = ["ambiguous", "is_definite", "matches", "named", "stands"]

NO, BORDERLINE, YES = Verdict.NO, Verdict.BORDERLINE, Verdict.YES
_LOOSE = {"cushions": ("cushion", "pillow"), "pillows": ("pillow", "cushion")}
"""Counted parts that also lie about as things of their own."""


def matches(
    description: GoalDescription, scene: Scene, previous_ids: Sequence[int] = ()
) -> tuple[int, ...]:
    """Ids of exactly the objects that fit, ascending. ``previous_ids``: the goal before's."""
    return _having(YES, description, scene, previous_ids)


def ambiguous(
    description: GoalDescription, scene: Scene, previous_ids: Sequence[int] = ()
) -> tuple[int, ...]:
    """Ids of the objects of which people would disagree whether they fit. A description is used
    only where there are none."""
    return _having(BORDERLINE, description, scene, previous_ids)


def stands(relation: str, thing_id: int, anchor_ids: Sequence[int], scene: Scene) -> Verdict:
    """``relations.judge`` by ids, remembered; "on" is standing on the anchor."""
    return _memory_of(scene).related(relation, scene.object(thing_id), tuple(anchor_ids))


def named(category: str, scene: Scene) -> Mapping[int, SceneObject]:
    """The objects that a listener could take for a ``category``, by id."""
    return _memory_of(scene).named(category)


def is_definite(description: GoalDescription, scene: Scene) -> bool:
    """Whether a part of a description (a support, an anchor) is "the …": one object fits it."""
    return len(matches(description, scene)) == 1


def _having(
    wanted: Verdict, description: GoalDescription, scene: Scene, previous_ids: Sequence[int]
) -> tuple[int, ...]:
    memory, previous = _memory_of(scene), tuple(previous_ids)
    things = memory.named(description.category).values()
    return tuple(o.id for o in things if memory.fits(description, o, previous) is wanted)


class _SceneCache:
    """Keeps what was worked out about one scene, so that thousands of descriptions cost little."""

    def __init__(self, objects: Iterable[SceneObject]) -> None:
        self.objects = sorted(objects, key=lambda o: o.id)
        self.by_id = {o.id: o for o in self.objects}
        self.carried: dict[int, set[str]] = defaultdict(set)
        for thing in self.objects:
            if thing.support is not None:
                self.carried[thing.support].add(thing.category)
        self._categories = {o.category for o in self.objects}
        self._named: dict[str, dict[int, SceneObject]] = {}
        self._related: dict[tuple[str, int, tuple[int, ...]], Verdict] = {}

    def named(self, said: str) -> dict[int, SceneObject]:
        """What a listener could take for a ``said``, by id."""
        if said not in self._named:
            fitting = {c for c in self._categories if could_mean(said, c)}
            self._named[said] = {o.id: o for o in self.objects if o.category in fitting}
        return self._named[said]

    def related(self, relation: str, thing: SceneObject, anchors: tuple[int, ...]) -> Verdict:
        if relation == "on":
            return YES if thing.support in anchors else NO
        key = (relation, thing.id, anchors)
        if key not in self._related:
            self._related[key] = judge(relation, thing, [self.by_id[a] for a in anchors])
        return self._related[key]

    def fits(
        self, description: GoalDescription, thing: SceneObject, previous: tuple[int, ...]
    ) -> Verdict:
        found = YES if thing.id in self.named(description.category) else NO
        for key, value in description.attributes.items():
            found = min(found, self._has(thing, key, value))
        if description.negation is not None:
            found = min(found, self._lacks(thing, *description.negation))
        if found and description.support is not None:
            below = self.by_id.get(-1 if thing.support is None else thing.support)
            stands = NO if below is None else self.fits(description.support, below, previous)
            found = min(found, stands)
        if found and description.relation is not None:
            found = min(found, self._stands_to(description, thing, previous))
        if found and description.coreference is not None:
            found = min(found, self._stands_to_it(description.coreference, thing, previous))
        return found

    def _has(self, thing: SceneObject, key: str, value: Scalar) -> Verdict:
        own = thing.attributes.get(key)
        if key in COUNTS:
            loose = _LOOSE.get(key, ())
            if any(category in self.carried[thing.id] for category in loose):
                return BORDERLINE
            return YES if own == value else NO  # a count that is not named is 0
        if own == value:
            return YES
        if key == "colour" and _second_colour(thing) == value:
            return BORDERLINE
        return BORDERLINE if own is None and key != "pattern" else NO

    def _lacks(self, thing: SceneObject, key: str, value: str) -> Verdict:
        return Verdict(YES - self._has(thing, key, value))

    def _stands_to(
        self, description: GoalDescription, thing: SceneObject, previous: tuple[int, ...]
    ) -> Verdict:
        """The best of all ways to choose the anchors."""
        assert description.relation is not None
        choices = [
            [(i, v) for i, o in self.named(a.category).items() if (v := self.fits(a, o, previous))]
            for a in description.anchors
        ]
        best = NO
        if len(choices) == 1:
            for anchor, known in choices[0]:
                best = max(best, min(known, self.related(description.relation, thing, (anchor,))))
            return best
        for (one, first), (other, second) in (
            (a, b) for a in choices[0] for b in choices[1] if a[0] != b[0]
        ):
            known = min(first, second)
            best = max(best, min(known, self.related(description.relation, thing, (one, other))))
        return best

    def _stands_to_it(
        self, relation: str, thing: SceneObject, previous: tuple[int, ...]
    ) -> Verdict:
        """ "It" is clear only when the goal before was one object."""
        known = [i for i in previous if i in self.by_id]
        found = max((self.related(relation, thing, (i,)) for i in known), default=NO)
        return found if len(previous) == 1 else min(found, BORDERLINE)


def _second_colour(thing: SceneObject) -> Scalar:
    patterned = thing.attributes.get("pattern", "plain") != "plain"
    return thing.attributes.get("colour2") if patterned else None


_memories: WeakKeyDictionary[Scene, _SceneCache] = WeakKeyDictionary()


def _memory_of(scene: Scene) -> _SceneCache:
    """Kept as long as the scene itself; holds nothing that the scene does not determine."""
    if scene not in _memories:
        _memories[scene] = _SceneCache(scene.objects)
    return _memories[scene]
