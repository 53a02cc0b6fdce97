"""Reading a goal at run time: from its words alone to what to look for, and where.

>>> parse_goal("Find the red candle on the night-stand.")
ParsedGoal(target='red candle', noun='candle', support='night-stand', relation=None, anchors=(), \
negated=())
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from navproof.core.errors import EpisodeError
from navproof.language.goals.lexicon import head_noun
from navproof.language.reading.dissect import PRONOUNS, both, core, dissect

__all__ = ["ParsedGoal", "parse_goal"]


@dataclass(frozen=True, slots=True)
class ParsedGoal:
    """What a goal's words say. Phrases have no article.

    ``target`` is the thing with its attributes ("red candle"), ``noun`` its name alone;
    ``support`` what it stands on; ``relation`` (``relations.RELATIONS``) to ``anchors``;
    ``negated`` what it is not ("black"). The goal before, where the words refer to it, is "it".
    """

    target: str
    noun: str
    support: str | None = None
    relation: str | None = None
    anchors: tuple[str, ...] = ()
    negated: tuple[str, ...] = ()


def parse_goal(text: str) -> ParsedGoal:
    """The parts of a goal in free text; where nothing is recognised, all of it is the target.

    Raises ``EpisodeError`` for a text without words.
    """
    if not re.search(r"\w", text):
        raise EpisodeError(f"the goal has no words: {text!r}")
    parts = dissect(text)
    support: str | None = None
    relation: str | None = None
    anchors: tuple[str, ...] = ()
    for where, phrase in parts.places:
        named = "it" if phrase.lower() in PRONOUNS else phrase
        if where == "on" and support is None:
            support = named
        elif where != "on" and relation is None:
            relation = where
            anchors = both(named) if where == "between" else (named,)
    noun = head_noun(core(parts.head)) or parts.head
    return ParsedGoal(parts.head, noun, support, relation, anchors, parts.negated)
