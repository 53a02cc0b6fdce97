"""Whether an answer is right.

Two rules, by name in ``RULES``:

- ``"substring"`` is the plain rule of OmniNavBench (Table III: "numeric-normalised substring
  match"): the right answer occurs in the predicted one, as characters, after lower-casing and
  turning number words into numerals. It accepts "12" for "2", "I don't know" for "no", "not red"
  for "red", and a list of every colour for any colour.
- ``"words"`` (``matches``, the default) compares words instead of characters, and asks that the
  answer be given and no other:

  * whole words: "12" and "2.5" are not "2", "know" is not "no";
  * the longest known name counts: a "desk lamp" is no desk, a "home office" no office. A shade is
    still its colour ("dark blue" is blue; "blue" is not "dark blue");
  * not denied: "not red", "isn't open", "no idea";
  * no rival beside it: "yes and no", "two or three", "red or blue". Words of the question itself
    are no rivals ("The mug on the brown desk is white."), unless it offers them as a choice; nor
    is what only says where ("the desk next to the lamp") or comes after "than".

An answer that the question accepts besides (``Question.accepted``) counts as the right one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from navproof.core.types import Question
from navproof.language.questions.answer_words import (
    aside,
    denied,
    knows_nothing,
    normalised,
    phrases,
    rivals_of,
    tokens,
)

__all__ = ["RULES", "matches", "matches_substring"]

_LONGEST = 2_000


def matches(predicted: str, question: Question) -> bool:
    """Whether ``predicted`` answers the question, by words."""
    said = tokens(predicted[:_LONGEST])
    right = {tuple(tokens(answer)) for answer in (question.answer, *question.accepted)} - {()}
    if not said or not right or knows_nothing(said):
        return False
    if question.kind == "comparison" and "than" in said:
        said = said[: said.index("than")]
    asked = tokens(question.text)
    rivals = rivals_of(question, right)
    given = False
    for start, phrase in phrases(said, right, rivals):
        if denied(said, start) or (phrase not in right and aside(said, start)):
            continue
        if phrase in right:
            given = True
        elif not _repeats(phrase, asked, question):
            return False
    return given


def _repeats(phrase: tuple[str, ...], asked: list[str], question: Question) -> bool:
    """Whether these are words of the question, and not one of the answers that it offers."""
    text = f" {' '.join(asked)} "
    offered = re.search(r"\bor\b", question.text) is not None
    return f" {' '.join(phrase)} " in text and not offered


def matches_substring(predicted: str, question: Question) -> bool:
    """The paper's plain rule: the answer, or one accepted, is a part of what was predicted."""
    said = normalised(predicted)
    answers = (normalised(answer) for answer in (question.answer, *question.accepted))
    return any(answer and answer in said for answer in answers)


RULES: Mapping[str, Callable[[str, Question], bool]] = MappingProxyType(
    {"words": matches, "substring": matches_substring}
)
"""The ways to judge an answer, by name."""
