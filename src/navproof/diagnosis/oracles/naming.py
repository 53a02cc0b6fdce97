"""Which words may mean which thing of an episode, asked once for each pair."""

from __future__ import annotations

from collections.abc import Mapping

from navproof.core.types import Scalar
from navproof.perception.truth.meaning import could_be

__all__ = ["ThingNames"]


class ThingNames:
    """Tells whether words are true of an episode's things, from their facts (``TaskBrief.facts``).
    Answers are kept, and copies share them because they never change."""

    def __init__(self, facts: Mapping[int, Mapping[str, Scalar]]) -> None:
        self.facts = facts
        self._kept: dict[tuple[str, int], bool] = {}
        self._kept_of_any: dict[tuple[str, frozenset[int]], bool] = {}

    def __deepcopy__(self, memo: object) -> ThingNames:
        return self

    def is_true(self, label: str, thing: int) -> bool:
        """Whether the label could mean the thing."""
        key = (label, thing)
        if key not in self._kept:
            facts = self.facts.get(thing)
            self._kept[key] = facts is not None and could_be(label, facts, self.facts)
        return self._kept[key]

    def is_true_of_any(self, label: str, things: frozenset[int]) -> bool:
        key = (label, things)
        if key not in self._kept_of_any:
            self._kept_of_any[key] = any(self.is_true(label, thing) for thing in things)
        return self._kept_of_any[key]
