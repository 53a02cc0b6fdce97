"""What an agent is asked for, as the phrases that its eyes are asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from navproof.errors import AgentError
from navproof.types import TaskBrief

__all__ = ["Wanted", "wanted"]

_ASKING = re.compile(
    r"^\W*(?:please\s+|now\s+|then\s+|next,?\s+)*"
    r"(?:(?:find|locate|reach|(?:look|search) for|(?:go|navigate|walk|move|head|get) to)\s+)?"
    r"(?:the|a|an|some)\s+",
    re.IGNORECASE,
)
_ON = re.compile(
    r"\s+(?:standing |lying |sitting |resting |placed )?(?:on|on top of)\s+(?:the|a|an)\s+"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """``whole`` is the thing with all that is said of it ("red mug on the desk"), ``target`` the
    thing itself ("red mug"), ``support`` what it stands on ("desk")."""

    whole: str
    target: str
    support: str | None = None


def wanted(words: str, brief: TaskBrief) -> Wanted:
    """The phrases of a goal's words."""
    whole = _ASKING.sub("", words.strip()).strip(" .!?")
    if not whole:
        raise AgentError(f"the goal has no words to look for: {words!r}")
    target, *rest = _ON.split(whole, maxsplit=1)
    return Wanted(whole, target, rest[0] if rest else None)
