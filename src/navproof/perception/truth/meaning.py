"""Whether words mean a thing: what a listener who knows the truth would say."""

from __future__ import annotations

from collections.abc import Mapping

from navproof.core.types import Scalar
from navproof.perception.truth.people import PERSON, is_called
from navproof.perception.truth.words import Trait, WordMeaning, fits, read

__all__ = ["Trait", "WordMeaning", "could_be", "read"]

Facts = Mapping[str, Scalar]


def could_be(words: str, facts: Facts, things: Mapping[int, Facts]) -> bool:
    """Whether a thing or person with these facts is what the words may mean: the name fits, and all
    that is said of its looks and of what it stands on (one of ``things``) is true."""
    if facts.get("category") == PERSON:
        return is_called(words, facts)
    return fits(read(words), facts, things)
