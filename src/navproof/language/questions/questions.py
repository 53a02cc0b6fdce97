"""Questions about a scene, each with one right answer and the objects that prove it.

Kinds: colour, count, existence, location, state, attribute, comparison. Answers come from the
scene's ground truth alone. A question is asked only where nobody could mean another room or thing,
and where nothing in sight could make the answer arguable (an armchair among chairs to be counted,
a pattern of two colours): see ``places``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

import numpy as np

from navproof.core.types import Question
from navproof.language.questions.groups import about_groups
from navproof.language.questions.places import NO, YES, Draft, places
from navproof.language.questions.things import about_things
from navproof.world.scene import Scene

__all__ = ["QUESTION_KINDS", "questions_for"]

QUESTION_KINDS = (
    "colour",
    "count",
    "existence",
    "location",
    "state",
    "attribute",
    "comparison",
)
_ONES = 0.25
"""The largest share of counts that are 1."""


def questions_for(
    scene: Scene,
    rng: np.random.Generator,
    rooms: Collection[int] | None = None,
    visible: Collection[int] | None = None,
) -> list[tuple[Question, tuple[int, ...]]]:
    """Questions in random order, each with its evidence: the ids of the objects that must have
    been seen, all of them, to answer it. (For "Is there a piano in the study?" – no – these are
    the largest things of the room: who has seen them has seen the room.)

    ``rooms`` restricts what is asked about, ``visible`` the evidence. Answers are balanced: of the
    questions of a kind as many are answered yes as no, and no other answer is much commoner than
    the next. Draw a kind first, then one of its questions, to ask all kinds equally often.
    """
    known = places(scene, None if rooms is None else frozenset(rooms))
    drafts = [draft for place in known for draft in about_things(place)]
    drafts += about_groups(known, rng)
    if visible is not None:
        seen = frozenset(visible)
        drafts = [draft for draft in drafts if seen.issuperset(draft[1])]
    by_kind: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        by_kind[draft[0].kind].append(draft)
    kept = [d for kind in QUESTION_KINDS for d in _balanced(by_kind[kind], rng)]
    return [kept[int(i)] for i in rng.permutation(len(kept))]


def _balanced(drafts: Sequence[Draft], rng: np.random.Generator) -> list[Draft]:
    """A part of the questions of one kind in which answers are alike frequent."""
    by_answer: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        by_answer[draft[0].answer].append(draft)
    polar = min(len(by_answer.pop(YES, [])), len(by_answer.pop(NO, [])))
    sizes = {YES: polar, NO: polar}
    most = int(np.ceil(np.median([len(v) for v in by_answer.values()]))) if by_answer else 0
    sizes |= {answer: min(len(v), most) for answer, v in by_answer.items()}
    if drafts and drafts[0][0].kind == "count":
        others = sum(size for answer, size in sizes.items() if answer != "1")
        sizes["1"] = min(sizes.get("1", 0), int(others * _ONES / (1 - _ONES)))
    kept: list[Draft] = []
    for answer, size in sizes.items():
        options = [draft for draft in drafts if draft[0].answer == answer]
        kept += [options[int(i)] for i in sorted(rng.permutation(len(options))[:size])]
    return kept
