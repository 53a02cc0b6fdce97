"""Whether words are about somebody: for perfect eyes, which know what people look like."""

from __future__ import annotations

import re
from collections.abc import Mapping

from navproof.core.types import Scalar
from navproof.world.people.people import APPEARANCES, who

__all__ = ["PERSON", "is_called"]

PERSON = "person"
_SOMEBODY = re.compile(
    r"\b(?:person|people|human|somebody|someone|pedestrian|man|men|woman|women|lady|guy|gentleman"
    r"|girl|boy)\b",
    re.IGNORECASE,
)


def is_called(words: str, facts: Mapping[str, Scalar]) -> bool:
    """Whether the person with these facts (``TaskBrief.facts``) is one whom the words may mean:
    they speak of a person, and all that they say of her looks is true."""
    if _SOMEBODY.search(words) is None:
        return False
    return any(
        all(facts.get(f"attr.{name}") == value for name, value in look.attributes.items())
        for look in (APPEARANCES[name] for name in who(words))
    )
