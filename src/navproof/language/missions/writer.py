"""A mission in sentences: orders chosen so that none repeats, one or two to a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from navproof.core.types import SubTaskKind
from navproof.language.missions.orders import (
    LAST_TAILS,
    ORDERS,
    TAILS,
    as_first_person,
    gerund,
    order_kind,
)
from navproof.language.missions.phrases import CARRIERS, OPENERS, PEOPLE, SOCIAL, after
from navproof.language.missions.wordings import MissionStyle
from navproof.language.missions.words import SubTaskWords, pronoun, said_offset

__all__ = ["Part", "Writer"]

_TAIL_CHANCE = {"original": 0.9, "concise": 0.0, "verbose": 0.6, "first_person": 0.4}
_LOOK_BACK_CHANCE = {"original": 0.5, "concise": 0.0, "verbose": 0.3, "first_person": 0.35}
_OPEN_CHANCE = {"original": 0.9, "concise": 0.25, "verbose": 1.0, "first_person": 1.0}
_PAIR_CHANCE = {"original": 0.35, "concise": 0.7, "verbose": 0.1, "first_person": 0.45}
_START = {"original": "where you started", "concise": "the start", "verbose": "where you started"}


@dataclass(frozen=True, slots=True)
class Part:
    """One sub-task: what kind it is and what it speaks of."""

    kind: SubTaskKind
    named: SubTaskWords


@dataclass
class Writer:
    """Writes one mission in one style. ``length`` −1 leaves out whatever may be left out (−2 uses
    the original's words in the verbose style), +1 says all that may be said."""

    style: MissionStyle
    rng: np.random.Generator
    length: int = 0
    used: Counter[str] = field(default_factory=Counter)
    arrived: bool = False  # the last order has said how it ends

    @property
    def _words(self) -> MissionStyle:
        return "original" if self.style == "verbose" and self.length < -1 else self.style

    # ---------------------------------------------------------------------------------- choices
    def pick(self, ways: Sequence[str]) -> str:
        """One of those whose first words were used least; of the shorter or longer half, if the
        length asks for it."""
        if self.length:
            by_size = sorted(ways, key=lambda way: self.length * -len(way.split()))
            ways = by_size[: (len(ways) + 1) // 2]
        keys = [" ".join(way.split()[:2]) for way in ways]
        least = min(self.used[key] for key in keys)
        fresh = [i for i, key in enumerate(keys) if self.used[key] == least]
        chosen = fresh[int(self.rng.integers(len(fresh)))]
        self.used[keys[chosen]] += 1
        return ways[chosen]

    def chance(self, share: float) -> bool:
        luck = bool(self.rng.random() < share)
        return luck if not self.length else self.length > 0

    # ------------------------------------------------------------------------------------ orders
    def _order(self, parts: Sequence[Part], index: int) -> str:
        part = parts[index]
        kind = order_kind(part.kind, index == 0, bool(part.named.target))
        ways = ORDERS[self._words][kind]
        offset = part.named.offset
        if offset is not None and kind == "goto_point" and not self._walks(offset):
            ways = tuple(way for way in ways if "{d}" not in way) or ways
        return self._filled(self.pick(ways), part)

    def _walks(self, offset: tuple[float, float]) -> bool:
        """Whether "go 2 metres …" sounds right: not towards what is behind."""
        return offset[0] >= 0 or self.style == "concise"

    def _filled(self, way: str, part: Part) -> str:
        """The words with what the part speaks of in place of the braces."""
        fixed = self._own(way)
        named = part.named
        she, her, s = pronoun(named.target) if part.kind == "follow_human" else ("", "", "")
        words = {
            "{t}": named.phrase,
            "{she}": she,
            "{her}": her,
            "{s}": s,
            "{es}": "es" if s else "",
            "{has}": "has" if s else "have",
        }
        if named.offset is not None:
            short = self.style == "concise"
            place = self._own(_START.get(self.style, "where you started"))
            for mark, seen_from in (("{d}", ""), ("{y}", "you"), ("{o}", place)):
                if mark in fixed:
                    told = said_offset(named.offset, self.rng, seen_from, short)
                    words[mark] = told if seen_from == place else self._own(told)
        for mark, said in words.items():
            fixed = fixed.replace(mark, said)
        return fixed

    def _own(self, words: str) -> str:
        return as_first_person(words) if self.style == "first_person" else words

    def _segment(self, parts: Sequence[Part], index: int) -> str:
        """An order, with what may follow it."""
        self.arrived = False
        order = self._order(parts, index)
        part = parts[index]
        ways = TAILS[self._words].get(part.kind, ())
        if index == len(parts) - 1 and self.style != "verbose":
            ways = LAST_TAILS.get(part.kind, ())
        if self.length > 0 and not ways:
            ways = LAST_TAILS.get(part.kind, ())
        if not ways or not self.chance(_TAIL_CHANCE[self.style]):
            return order
        if ", " in order or order.startswith("keep") or order.endswith(("ed", "start", "out")):
            return order
        self.arrived = True
        return f"{order} {self._own(self.pick(ways))}"

    # --------------------------------------------------------------------------------- sentences
    def write(
        self, parts: Sequence[Part], question: str | None, social: bool
    ) -> tuple[str, list[str]]:
        """The text, and the words of each part in it."""
        sentences: list[str] = []
        segments: list[str] = []
        index = 0
        while index < len(parts):
            size = 2 if self.rng.random() < _PAIR_CHANCE[self.style] else 1
            size = min(size, len(parts) - index)
            sentence, said = self._sentence(parts, index, size)
            sentences.append(f"{sentence}.")
            segments += said
            index += size
        at_start = self.rng.random(2) < 0.2
        if social:
            sentence = f"{self._social(parts)}."
            sentences.insert(0 if at_start[0] else len(sentences), sentence)
        if question is not None:
            early = at_start[1] and not (social and at_start[0]) and self.style != "concise"
            carrier = self.pick(CARRIERS[self._words]["start" if early else "end"])
            asked = question[:1].lower() + question[1:] if carrier else question
            sentences.insert(0 if early else len(sentences), f"{carrier}{asked}")
        return " ".join(s[:1].upper() + s[1:] for s in sentences), segments

    def _sentence(self, parts: Sequence[Part], index: int, size: int) -> tuple[str, list[str]]:
        opener = self._opener(parts, index, last=index + size == len(parts))
        first = self._segment(parts, index)
        if "{g}" in opener:
            order = self._order(parts, index)
            ing = gerund(order)
            if ing is None:
                opener = self._bare()
            else:
                opener, first, self.arrived = opener.replace("{g}", ""), ing, False
        if size == 1:
            return f"{opener}{first}", [first]
        second = self._segment(parts, index + 1)
        joined = self._joined(opener, first, second, parts, index)
        if joined is not None:
            return joined
        busy = " and " in first or ", " in first or "that " in first or "ing " in first[:12]
        links = (", then ",) if busy else (" and then ", ", then ", " and then ")
        if self.style == "concise":
            links = (", then ",)
        link = links[int(self.rng.integers(len(links)))]
        if opener.startswith("then "):
            opener = opener.replace("then ", "next, " if self.style == "first_person" else "")
        if self.style == "first_person" and "," in link and not opener.endswith("to "):
            link = f"{link}I "
        return f"{opener}{first}{link}{second}", [first, second]

    def _joined(
        self, opener: str, first: str, second: str, parts: Sequence[Part], index: int
    ) -> tuple[str, list[str]] | None:
        """ "After finding the mug, go …"; "find the mug before going …"."""
        if not self.chance(0.4) or self.style == "concise" or opener.endswith("by "):
            return None
        subject = "I " if self.style == "first_person" else ""
        if not opener or opener == "I ":
            order = self._order(parts, index)
            done = gerund(order)
            if done is not None and "look" not in order and "search" not in order:
                return f"after {done}, {subject}{second}", [done, second]
        coming = gerund(self._order(parts, index + 1))
        if coming is None or any(
            word in first for word in (" and ", " until ", "follow", " that ")
        ):
            return None
        self.arrived = False
        return f"{opener}{first} before {coming}", [first, coming]

    def _opener(self, parts: Sequence[Part], index: int, last: bool) -> str:
        kind = parts[index].kind
        if index == 0:
            alone = self.style == "concise" and not last and len(parts) > 1
            return "" if alone else self._chosen("first")
        if last and index == len(parts) - 1 and self.rng.random() < 0.3:
            return self._chosen("last")
        before = parts[index - 1]
        if self.chance(_LOOK_BACK_CHANCE[self.style]) and not self.arrived:
            told = self._filled(self.pick(after(before.kind, kind)), before)
            return f"{told}{self._bare()}"
        found = self._chosen("next")
        if found.startswith("from") and kind in ("goto_point", "return_to"):
            return f"then {self._bare()}"
        return found

    def _chosen(self, place: str) -> str:
        if self.style not in ("verbose", "first_person") and not self.chance(
            _OPEN_CHANCE[self.style]
        ):
            return ""
        return self.pick(OPENERS[self._words][place])

    def _bare(self) -> str:
        """The least that leads into an order."""
        return "I " if self.style == "first_person" else ""

    def _social(self, parts: Sequence[Part]) -> str:
        followed = any(part.kind == "follow_human" for part in parts)
        said = self.pick(SOCIAL[self._words])
        for mark, names in PEOPLE.items():
            said = said.replace(mark, self._own(self.pick(names[followed])))
        return said
