"""The navigational content of a text, and whether a rewriting of it has kept it.

Reading is by exclusion: a word is content unless it is known to carry none (grammar, verbs of
moving, courtesies), so that things nobody foresaw ("unicycle", a typo) count as well. Synonyms
are one concept ("fridge", "refrigerator"). A text is a row of *steps* (sentences, and their parts
that begin with a verb); from step to step order counts, and within one step the order of its
landmarks among themselves and of its directions among themselves: "turn left at the desk" may
become "at the desk, turn left", but what is on the left must not change places with what is on
the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from navproof.language.styles.reading import Item, Kind, steps_of

__all__ = ["Content", "Item", "content_of", "differences", "kept"]

_SAME_ORDER: dict[Kind, str] = {"landmark": "thing", "room": "thing", "number": "thing"}


@dataclass(frozen=True, slots=True)
class Content:
    """What a text says of a route, step by step. ``landmarks`` include qualities ("red")."""

    steps: tuple[tuple[Item, ...], ...]

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(item for step in self.steps for item in step)

    def _of(self, *kinds: Kind) -> tuple[str, ...]:
        return tuple(item.concept for item in self.items if item.kind in kinds)

    @property
    def landmarks(self) -> tuple[str, ...]:
        return self._of("landmark")

    @property
    def rooms(self) -> tuple[str, ...]:
        return self._of("room")

    @property
    def directions(self) -> tuple[str, ...]:
        """Left, right, through, past …, and how sharply."""
        return self._of("direction", "manner")

    @property
    def numbers(self) -> tuple[str, ...]:
        """Counts ("2") and ordinals ("2th", however it was spelt)."""
        return self._of("number")

    @property
    def stops(self) -> bool:
        """Whether it says to stop somewhere."""
        return bool(self._of("stop"))


@lru_cache(maxsize=64)
def content_of(text: str) -> Content:
    """The content of any English text, in order."""
    return Content(steps_of(text))


def kept(before: str, after: str) -> list[str]:
    """What ``after`` has lost, changed, added or put elsewhere of ``before``, a line for each;
    empty when all is kept. Saying again what has just been said is no change."""
    return [line for _, line in differences(before, after)]


def differences(before: str, after: str) -> list[tuple[int, str]]:
    """As ``kept``, each with the step of ``before`` where it was noticed."""
    wanted = content_of(before).steps
    given = content_of(after).items
    found: list[tuple[int, str]] = []
    at = 0
    last: tuple[Item, ...] = ()
    for number, step in enumerate(wanted):
        missing = list(step)
        while at < len(given) and missing:
            item = given[at]
            if item in missing:
                earlier = missing[: missing.index(item)]
                early = any(_ordered_together(item, other) for other in earlier)
                if early and item in last and len(missing) == len(step):
                    at += 1
                    continue
                if early:
                    found.append((number, f"{item} comes too early"))
                missing.remove(item)
            elif item not in step and item not in last:
                if item in _rest(wanted, number + 1):
                    break
                found.append((number, f"{item} was not there before"))
            at += 1
        found += [(number, f"{item} is lost") for item in missing]
        last = step
    for item in given[at:]:
        if item not in last:
            found.append((len(wanted) - 1, f"{item} was not there before"))
    return found


def _rest(wanted: Sequence[tuple[Item, ...]], start: int) -> set[Item]:
    return {item for step in wanted[start : start + 3] for item in step}


def _ordered_together(one: Item, other: Item) -> bool:
    return _SAME_ORDER.get(one.kind, one.kind) == _SAME_ORDER.get(other.kind, other.kind)
