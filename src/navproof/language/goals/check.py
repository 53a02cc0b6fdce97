"""Proof that a goal's words are true: they say its structure, and that fits its objects alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from navproof.core.errors import NavproofError
from navproof.core.types import Scalar
from navproof.language.goals.lexicon import canonical
from navproof.language.goals.match import ambiguous, matches
from navproof.language.goals.sayable import sayable
from navproof.language.goals.structure import GoalDescription
from navproof.language.goals.tags import tags_from, tags_of
from navproof.language.lexicon.nouns import article, noun
from navproof.language.reading.goal import parse_goal
from navproof.world.scene import Scene

__all__ = ["check_goal"]


def check_goal(
    text: str,
    facts: Mapping[str, Scalar],
    scene: Scene,
    object_ids: Sequence[int],
    previous_ids: Sequence[int] = (),
) -> list[str]:
    """What is wrong with a goal; empty when it is proved.

    The structure in ``facts`` (``GoalDescription.facts``) must fit exactly ``object_ids`` and leave
    no object in doubt; the words must tell every feature of it and no other, name the same thing,
    and say "the" of one object and "a" of several.
    """
    try:
        description = GoalDescription.from_facts(facts)
        parsed = parse_goal(text)
    except NavproofError as error:
        return [str(error)]
    problems: list[str] = []
    fitting = matches(description, scene, previous_ids)
    if set(fitting) != set(object_ids):
        problems.append(f"fits objects {list(fitting)}, not {sorted(object_ids)}")
    doubtful = ambiguous(description, scene, previous_ids)
    if doubtful:
        problems.append(f"may or may not fit objects {list(doubtful)}")
    problems += _unsayable(description, scene, fitting)
    return problems + list(_words(text, parsed.noun, description, len(fitting)))


def _unsayable(description: GoalDescription, scene: Scene, fitting: Sequence[int]) -> list[str]:
    """Attributes that nobody would say of such a thing."""
    wrong = []
    for key, value in description.attributes.items():
        if fitting and not any(sayable(scene.object(i)).get(key) == value for i in fitting):
            wrong.append(f"nobody says {key} '{value}' of a {description.category}")
    return wrong


def _words(text: str, said: str, description: GoalDescription, count: int) -> list[str]:
    problems: list[str] = []
    if canonical(said).lower() != noun(description.category).lower():
        problems.append(f"asks for a '{said}', means a {noun(description.category)}")
    told, meant = tags_of(text), tags_from(description)
    for feature in sorted({*told, *meant} - {"attributes"}):
        if told.get(feature) != meant.get(feature):
            problems.append(
                f"{feature}: says {told.get(feature) or 'nothing'}, "
                f"means {meant.get(feature) or 'nothing'}"
            )
    for word, following in re.findall(r"\b([Aa]n?) (\S+)", text):
        if word.lower() != article(following):
            problems.append(f"says '{word} {following}'")
    if re.search(r"\b(\w+) \1\b|  | [,.?]", text) or not re.fullmatch(r"[A-Z].*[.?]", text):
        problems.append("is not a well-formed sentence")
    first = re.search(r"\b(the|an?|any)\b", text)
    if first is None or (first[1] == "the") != (count == 1):
        problems.append(f"says '{first[1] if first else ''}' of {count} objects")
    return problems
