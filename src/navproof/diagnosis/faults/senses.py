"""Faults of perception and memory: what is put into an agent in the place of what is so.

Both work through the seam of corrections: the eyes are shown a frame that is not the true one, or
memory is made to hold other things than were seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.agents.correction import Correction
from navproof.agents.landmarks import named_in_order
from navproof.core.types import (
    FIRST_OBJECT_ID,
    WALL,
    Beliefs,
    Decision,
    Move,
    Observation,
    Pose,
    Remembered,
    TaskBrief,
)
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.language.lexicon.nouns import noun
from navproof.perception.protocol import TruthFrame
from navproof.world.catalog import CATEGORIES

__all__ = [
    "ConfusedObjectFault",
    "FaultStep",
    "ForgottenObjectFault",
    "MissedObjectFault",
    "PerceivedPlaces",
    "SwappedMemoryFault",
    "concerns",
    "wanted",
]

XY = tuple[float, float]
_SEEN_PX = 24  # smaller views are missed by good eyes too
_ALIKE_SHARE = 0.01  # of the frame, that a thing must cover to be taken for the goal
_SAME_M = 0.75
_APART_M = 2.0


@dataclass(frozen=True, slots=True)
class FaultStep:
    """One step before the agent decides. ``target`` is the category that is looked for now, in the
    words of the ground truth, ``named`` all that the words name; ``places`` is what has been
    perceived so far, ``held`` what memory told at the step before."""

    brief: TaskBrief
    obs: Observation
    pose: Pose
    target: str
    named: tuple[str, ...]
    places: PerceivedPlaces
    held: tuple[Remembered, ...]


def wanted(brief: TaskBrief, words: str) -> tuple[str, tuple[str, ...]]:
    """(the category that is looked for, all categories named): the first one named where goals are
    claimed one by one, the last where an instruction is followed; "" for none."""
    if brief.goal_category:
        return brief.goal_category, (brief.goal_category,)
    things = {str(facts["category"]) for facts in (brief.facts or {}).values()}
    named = named_in_order(words, things)
    if not named:
        return "", ()
    return (named[0] if Move.FOUND in brief.actions else named[-1]), named


def concerns(label: str, category: str) -> bool:
    """Whether an agent's label speaks of a category: it is its name, or a description that ends
    with it and is no other category's name (a potted plant is no plant)."""
    if not category or (label in CATEGORIES and label != category):
        return False
    return f" {noun(label)}".endswith(f" {noun(category)}")


@dataclass
class PerceivedPlaces:
    """Where things were perceived, by label, as an honest memory would hold them."""

    found: dict[str, list[Remembered]] = field(default_factory=dict)

    def __deepcopy__(self, memo: object) -> PerceivedPlaces:
        return PerceivedPlaces({label: list(same) for label, same in self.found.items()})

    def add(self, beliefs: Beliefs | None, step: int) -> None:
        for seen in beliefs.perceived if beliefs is not None else ():
            if seen.position is None:
                continue
            same = self.found.setdefault(seen.label, [])
            thing = Remembered(seen.label, seen.position, step)
            for index, known in enumerate(same):
                if math.dist(known.position[:2], seen.position[:2]) < _SAME_M:
                    same[index] = thing
                    break
            else:
                same.append(thing)

    def of(self, category: str) -> list[Remembered]:
        """The things whose label speaks of a category."""
        return [t for label, same in self.found.items() if concerns(label, category) for t in same]


# ----------------------------------------------------------------------------------- perception
@dataclass
class MissedObjectFault:
    """The thing that is looked for is not seen: its pixels are a wall's."""

    capability = Capability.PERCEPTION
    kind = ErrorType.MISSED

    def senses(self, now: FaultStep) -> Correction | None:
        instances = _instances(now.obs)
        if instances is None:
            return None
        gone = np.isin(instances, _ids_of(now.brief, now.target))
        if int(gone.sum()) < _SEEN_PX:
            return None
        without = np.where(gone, np.int32(WALL), instances)
        return Correction(sight=_frame(now, without, now.brief.facts or {}))

    def shows(self, now: FaultStep, decision: Decision) -> bool:
        return True


@dataclass
class ConfusedObjectFault:
    """The thing that is looked for and the largest other one in view when it begins are taken for
    each other from then on."""

    capability = Capability.PERCEPTION
    kind = ErrorType.CONFUSED
    taken_for: str = ""
    of: str = ""

    def senses(self, now: FaultStep) -> Correction | None:
        instances = _instances(now.obs)
        if instances is None or not now.target:
            return None
        if self.of != now.target:
            taken_for = _largest_other(now.brief, instances, now.target)
            if not taken_for:
                return None
            self.of, self.taken_for = now.target, taken_for
        both = np.isin(instances, _ids_of(now.brief, self.of, self.taken_for))
        if int(both.sum()) < _SEEN_PX:
            return None
        swapped = {self.of: self.taken_for, self.taken_for: self.of}
        facts = {
            i: {**f, "category": swapped.get(str(f["category"]), f["category"])}
            for i, f in (now.brief.facts or {}).items()
        }
        return Correction(sight=_frame(now, instances, facts))

    def shows(self, now: FaultStep, decision: Decision) -> bool:
        return True


def _instances(obs: Observation) -> NDArray[np.int32] | None:
    """The truth of the frame at the size of the picture that the agent sees."""
    if obs.semantic is None:
        return None
    truth = np.asarray(obs.semantic, dtype=np.int32)
    if obs.rgb is not None and obs.rgb.shape[:2] != truth.shape:
        size = obs.rgb.shape[1::-1]
        resized = cv2.resize(truth, size, interpolation=cv2.INTER_NEAREST_EXACT)
        truth = np.asarray(resized, dtype=np.int32)
    return truth


def _frame(
    now: FaultStep, instances: NDArray[np.int32], facts: Mapping[int, Mapping[str, object]]
) -> TruthFrame:
    return TruthFrame(instances, facts, now.brief.seed, now.obs.step)  # type: ignore[arg-type]


def _ids_of(brief: TaskBrief, *categories: str) -> list[int]:
    return [i for i, facts in (brief.facts or {}).items() if facts["category"] in categories]


def _largest_other(brief: TaskBrief, instances: NDArray[np.int32], target: str) -> str:
    """The category of the largest other thing in view that stands on the floor; "" for none."""
    facts = brief.facts or {}
    ids, pixels = np.unique(instances, return_counts=True)
    for index in np.argsort(-pixels, kind="stable"):
        if pixels[index] < _ALIKE_SHARE * instances.size:
            break
        thing = facts.get(int(ids[index])) if ids[index] >= FIRST_OBJECT_ID else None
        if thing is None or thing["support"] is not None or thing["category"] == "person":
            continue
        category = str(thing["category"])
        if category != target:
            return category
    return ""


# --------------------------------------------------------------------------------------- memory
@dataclass
class ForgottenObjectFault:
    """What was perceived of the thing that is looked for is gone as soon as it is out of view."""

    capability = Capability.MEMORY
    kind = ErrorType.FORGOTTEN

    def senses(self, now: FaultStep) -> Correction | None:
        if not now.places.of(now.target):
            return None
        kept = tuple(t for t in now.held if not concerns(t.label, now.target))
        return Correction(remembered=kept)

    def shows(self, now: FaultStep, decision: Decision) -> bool:
        return not any(concerns(t.label, now.target) for t in _told(decision))


@dataclass
class SwappedMemoryFault:
    """The thing that is looked for is remembered where another one was, and that one in its place:
    another one that the words name if there is one, else the farthest."""

    capability = Capability.MEMORY
    kind = ErrorType.MISORDERED
    other: str = ""
    of: str = ""

    def senses(self, now: FaultStep) -> Correction | None:
        mine = now.places.of(now.target)
        if self.of != now.target:
            self.of, self.other = now.target, _farthest_other(now, mine)
        theirs = now.places.found.get(self.other, [])
        if not mine or not theirs:
            self.of = ""
            return None
        kept = [t for t in now.held if t.label not in {self.other, *(m.label for m in mine)}]
        swapped = [replace(m, position=theirs[0].position) for m in mine[:1]]
        swapped += [replace(t, position=mine[0].position) for t in theirs[:1]]
        return Correction(remembered=(*kept, *swapped, *mine[1:], *theirs[1:]))

    def shows(self, now: FaultStep, decision: Decision) -> bool:
        told = [t for t in _told(decision) if concerns(t.label, now.target)]
        true = now.places.of(now.target)
        return any(_nearest_m(thing, true) >= _SAME_M for thing in told)


def _farthest_other(now: FaultStep, mine: Sequence[Remembered]) -> str:
    others = {
        label: same
        for label, same in now.places.found.items()
        if not concerns(label, now.target) and mine
    }
    named = {k: v for k, v in others.items() if any(concerns(k, n) for n in now.named)}
    away = {
        label: math.dist(same[0].position[:2], mine[0].position[:2])
        for label, same in (named or others).items()
    }
    far = {label: m for label, m in away.items() if m >= _APART_M}
    return max(far, key=lambda label: (far[label], label), default="")


def _nearest_m(thing: Remembered, true: Sequence[Remembered]) -> float:
    return min((math.dist(thing.position[:2], t.position[:2]) for t in true), default=math.inf)


def _told(decision: Decision) -> tuple[Remembered, ...]:
    return decision.beliefs.remembered if decision.beliefs is not None else ()
