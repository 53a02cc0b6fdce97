"""What changed in an instruction, word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

__all__ = ["Change", "word_diff"]

Kind = Literal["same", "gone", "new"]
_WORD = re.compile(r"\S+")
_LONGEST = 400  # words of a side; beyond, the sides are given as a whole


@dataclass(frozen=True, slots=True)
class Change:
    """A run of words that stayed, went or came."""

    kind: Kind
    words: str


def word_diff(before: str, after: str) -> tuple[Change, ...]:
    """The words of ``after`` with those of ``before`` that are gone at their places.

    A change of case is a change. Without the new ones the words are those of ``before``, without
    the gone ones those of ``after``; blanks count once.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > _LONGEST:
        return tuple(Change(*pair) for pair in (("gone", before), ("new", after)) if pair[1])
    found: list[Change] = []
    for tag, i0, i1, j0, j1 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            found += _change("same", old[i0:i1])
        else:
            found += [*_change("gone", old[i0:i1]), *_change("new", new[j0:j1])]
    return tuple(found)


def _change(kind: Kind, words: Sequence[str]) -> list[Change]:
    return [Change(kind, " ".join(words))] if words else []
