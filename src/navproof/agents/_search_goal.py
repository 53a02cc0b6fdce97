"""What an agent is asked for, as the phrases that its eyes are asked."""

from __future__ import annotations

from dataclasses import dataclass

from navproof.agents.landmarks import named_in_order
from navproof.errors import AgentError, EpisodeError
from navproof.language.lexicon import SYNONYMS
from navproof.language.parse_goal import parse_goal
from navproof.types import TaskBrief

__all__ = ["Wanted", "wanted"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """``whole`` is the thing with all that is said of it ("red mug on the desk"), ``target`` the
    thing itself ("red mug"), ``noun`` its name alone, ``support`` what it stands on ("desk"),
    ``negated`` what it is not."""

    whole: str
    target: str
    noun: str
    support: str | None = None
    negated: tuple[str, ...] = ()


def wanted(words: str, brief: TaskBrief) -> Wanted:
    """The phrases of a goal's words. Of a route, only the last thing that it names counts."""
    if brief.task.startswith("vln"):
        names = [name for names in SYNONYMS.items() for name in (names[0], *names[1])]
        words = next(reversed(named_in_order(words, names)), words)
    try:
        goal = parse_goal(words)
    except EpisodeError as error:
        raise AgentError(str(error)) from None
    whole = goal.target
    if goal.support is not None and goal.support != "it":
        whole = f"{whole} on the {goal.support}"
    for denied in goal.negated:
        whole = f"{whole} that is not {denied}"
    support = None if goal.support == "it" else goal.support
    return Wanted(whole, goal.target, goal.noun, support, goal.negated)
