"""The smallest case that still fails as it did: fewest people, lowest intensity, shortest words.

Reductions are tried one at a time, greedily, with the same seeds throughout (a case keeps its name,
from which all draws follow). One that still fails is taken and the next starts from there; one that
passes is dropped, and so is one that fails from another cause, where the cause is known. So the
result fails as the case did, and no single reduction left to try makes it smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from navproof.corruptions.condition import Applied, Condition, parse_condition
from navproof.diagnosis.fuzz.conditions import INTENSITIES
from navproof.diagnosis.fuzz.passers import is_passer
from navproof.diagnosis.fuzz.types import Case

__all__ = ["MOST_DIAGNOSED", "MOST_REPLAYS", "Checked", "MinimalCase", "Shorten", "minimise"]

MOST_REPLAYS = 20
MOST_DIAGNOSED = 10
"""Replays where each failure among them is diagnosed, which costs some more runs."""
Checked = Literal["failure", "cause"]
"""What every reduction that was taken still has: that the agent fails, or that it fails from the
same cause: the capability (or the two that must be corrected together) and the type of error."""
Shorten = Callable[[Case], Iterator[Case]]
"""Cases with fewer or plainer words, the shortest first; they depend on the case alone."""


@dataclass(frozen=True, slots=True)
class MinimalCase:
    """``case`` fails. ``removed`` tells what was taken away, in order; ``replays`` what it took;
    ``checked`` what is the same as in the case it was made from."""

    case: Case
    removed: tuple[str, ...]
    replays: int
    checked: Checked = "failure"


def minimise(
    case: Case,
    fails: Callable[[Case], bool],
    shorten: Shorten | None = None,
    most: int = MOST_REPLAYS,
    checked: Checked = "failure",
) -> MinimalCase:
    """Make a failing case smaller with at most ``most`` calls of ``fails``, which plays a case and
    says whether it can be done and the agent fails it, from the same cause if that is what is
    ``checked``. Equal cases are not played twice."""
    tried: set[str] = set()
    removed: list[str] = []
    replays, found = 0, True
    while found:
        found = False
        for what, smaller in _smaller(case, shorten):
            seen = repr(smaller)
            if seen in tried:
                continue
            if replays >= most:
                return MinimalCase(case, tuple(removed), replays, checked)
            tried.add(seen)
            replays += 1
            if fails(smaller):
                case, found = smaller, True
                removed.append(what)
                break
    return MinimalCase(case, tuple(removed), replays, checked)


def _smaller(case: Case, shorten: Shorten | None) -> Iterator[tuple[str, Case]]:
    """(what is taken away, the case without it), the largest steps first."""
    yield from _fewer_people(case)
    yield from _less_corrupted(case)
    if shorten is not None:
        for shorter in shorten(case):
            yield "words", shorter


def _fewer_people(case: Case) -> Iterator[tuple[str, Case]]:
    """Without all who were put there by a mutation, then without each."""
    episode = case.episode
    passers = [walk for walk in episode.people if is_passer(walk)]
    if len(passers) > 1:
        rest = tuple(walk for walk in episode.people if not is_passer(walk))
        yield "all passers", replace(case, episode=replace(episode, people=rest))
    for gone in passers:
        rest = tuple(walk for walk in episode.people if walk is not gone)
        yield gone.person, replace(case, episode=replace(episode, people=rest))


def _less_corrupted(case: Case) -> Iterator[tuple[str, Case]]:
    """Clean, then without each part, then each part at every lower intensity from below."""
    whole = parse_condition(case.condition)
    parts = whole.parts

    def under(left: tuple[Applied, ...]) -> Case:
        return replace(case, condition=Condition(left, whole.style).name)

    if len(parts) > 1:
        yield whole.corrupted.name, under(())
    for k, part in enumerate(parts):
        yield part.text, under(parts[:k] + parts[k + 1 :])
    for k, part in enumerate(parts):
        for level in INTENSITIES:
            if level < part.intensity:
                weaker = Applied(part.corruption, level, part.lasting)
                yield (
                    f"{part.text} above {level:g}",
                    under((*parts[:k], weaker, *parts[k + 1 :])),
                )
