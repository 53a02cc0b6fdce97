"""What an agent is asked for, as the phrases that its eyes are asked."""

from __future__ import annotations

from dataclasses import dataclass

from navproof.core.errors import AgentError, EpisodeError
from navproof.language.reading.goal import parse_goal

__all__ = ["SearchGoal", "wanted"]


_IT = "it"


@dataclass(frozen=True, slots=True)
class SearchGoal:
    """``whole`` is the thing with all that is said of it ("red mug on the desk"), ``target`` the
    thing itself ("red mug"), ``noun`` its name alone, ``support`` what it stands on ("desk"),
    ``negated`` what it is not, ``anchors`` what it is near to; ``by_it``: it is by (or on) the
    thing of the goal before. ``room`` is where such a thing is to be expected, where a method asks
    somebody for it."""

    whole: str
    target: str
    noun: str
    support: str | None = None
    negated: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    by_it: bool = False
    room: str | None = None


def wanted(words: str) -> SearchGoal:
    """The phrases of a goal's words."""
    try:
        goal = parse_goal(words)
    except EpisodeError as error:
        raise AgentError(str(error)) from None
    support = None if goal.support == _IT else goal.support
    anchors = tuple(anchor for anchor in goal.anchors if anchor != _IT)
    whole = goal.target
    if support is not None:
        whole = f"{whole} on the {support}"
    if goal.relation is not None and anchors:
        whole = f"{whole} {goal.relation} the {' and the '.join(anchors)}"
    for attribute in goal.negated:
        whole = f"{whole} that is not {attribute}"
    by_it = _IT in (goal.support, *goal.anchors)
    return SearchGoal(whole, goal.target, goal.noun, support, goal.negated, anchors, by_it)
