"""Words for clauses: phrases chosen so that none repeats, joined into sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from navproof.core.types import Instruction, Scalar
from navproof.language.routes.phrases import (
    HALLS,
    Naming,
    Phrase,
    described,
    imperatives,
    openers,
    room_words,
)
from navproof.language.routes.plan import Clause
from navproof.world.scene import Scene

__all__ = ["MAX_WORDS", "MIN_WORDS", "realise"]

MIN_WORDS, MAX_WORDS = 10, 45
_ORDERING = ("then ", "next, ", "after that, ")
_STARTERS = ("then", "next,", "from there,", "after that,", "now", "then")


@dataclass
class _Writer:
    """Choices so far, so that verbs and patterns are not repeated."""

    scene: Scene
    rng: np.random.Generator
    verbs: Counter[str]
    starters: Counter[str]

    def pick(self, phrases: Sequence[Phrase]) -> Phrase:
        """One with a verb used least, at random."""
        least = min(self.verbs[p.verb] for p in phrases)
        fresh = [p for p in phrases if self.verbs[p.verb] == least]
        chosen = fresh[int(self.rng.integers(len(fresh)))]
        self.verbs[chosen.verb] += 1
        return chosen

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)


def realise(
    clauses: Sequence[Clause], scene: Scene, rng: np.random.Generator
) -> Instruction | None:
    """The instruction of a plan, 10–45 words; what may be left out goes first when it is too
    long. None where it cannot be kept within these bounds."""
    kept = list(clauses)
    while True:
        text, words = _write(kept, scene, rng)
        count = len(text.split())
        if count < MIN_WORDS:
            return None
        if count <= MAX_WORDS:
            break
        optional = [c for c in kept if c.weight is not None]
        if not optional:
            return None
        kept.remove(min(optional, key=lambda c: (c.weight or 0.0, c.at_m)))
    stored: list[dict[str, Scalar]] = [
        {"kind": c.kind, "at_m": round(c.at_m, 2), **c.facts, "words": w}
        for c, w in zip(kept, words, strict=True)
    ]
    return Instruction(text, tuple(stored))


def _write(
    clauses: Sequence[Clause], scene: Scene, rng: np.random.Generator
) -> tuple[str, list[str]]:
    writer = _Writer(scene, rng, Counter({"continue": 1}), Counter())
    namings = _namings(clauses, writer)
    sentences: list[str] = []
    words: list[str] = []
    for group in _groups(clauses, writer):
        part = [(clauses[i], namings[i]) for i in group]
        before = (clauses[group[0] - 1], namings[group[0] - 1]) if group[0] else None
        sentence, said = _sentence(part, writer, before)
        sentences.append(sentence[0].upper() + sentence[1:] + ".")
        words += said
    return " ".join(sentences), words


def _namings(clauses: Sequence[Clause], writer: _Writer) -> list[Naming]:
    """Which room names each transit says: enough to find the way, none twice in a row."""
    names: list[Naming] = []
    fresh = True  # the room that the walker is in has not been named
    came: Scalar = None  # the door that he came through
    for index, clause in enumerate(clauses):
        if clause.kind == "cross":
            room = clause.facts["room"]
            told = index > 0 and clauses[index - 1].kind == "transit" and not fresh
            name = "" if told else _room(writer, room, False)
            names.append(Naming(leaves=name, hall=_is_hall(writer.scene, room)))
            fresh = False
        elif clause.kind == "transit":
            leaves, enters = clause.facts["leaves"], clause.facts["enters"]
            must = _has_other_exit(writer.scene, leaves, clause.facts["door"], came)
            say_from = fresh and writer.chance(0.45 if must else 0.75)
            say_to = must or not say_from or writer.chance(0.3)
            to = ""
            if say_to:
                to = _room(writer, enters, _ambiguous(writer.scene, leaves, enters))
            out = _room(writer, leaves, False) if say_from else ""
            names.append(Naming(out, to, _is_hall(writer.scene, enters)))
            fresh = not say_to
            came = clause.facts["door"]
        else:
            names.append(Naming())
    return names


def _is_hall(scene: Scene, room: Scalar) -> bool:
    return any(r.id == room and r.type in HALLS for r in scene.rooms)


def _has_other_exit(scene: Scene, room: Scalar, door: Scalar, came: Scalar) -> bool:
    """Whether "leave the room" would leave a choice."""
    return any(room in d.rooms and d.passable and d.id not in (door, came) for d in scene.doors)


def _room(writer: _Writer, room: Scalar, told_apart: bool) -> str:
    words = room_words(writer.scene, int(str(room)), told_apart)
    return words[int(writer.rng.integers(len(words)))]


def _ambiguous(scene: Scene, leaves: Scalar, enters: Scalar) -> bool:
    """Another room of the same type opens off the room that is left."""
    kind = {r.id: r.type for r in scene.rooms}
    beyond = {
        b if a == leaves else a for a, b in (d.rooms for d in scene.doors) if leaves in (a, b)
    }
    return any(r != enters and kind.get(r) == kind[int(str(enters))] for r in beyond)


def _groups(clauses: Sequence[Clause], writer: _Writer) -> list[list[int]]:
    """Consecutive clauses that share a sentence."""
    count = len(clauses)
    groups: list[list[int]] = []
    i = 0
    while i < count:
        left = count - i
        size = 1 + int(writer.rng.choice(3, p=(0.2, 0.5, 0.3)))
        if left - size == 1 and writer.chance(0.35):
            size += 1
        alone = clauses[i].kind in ("orient", "turn", "straight")
        if alone or (groups and len(groups[-1]) == 1):
            size = max(size, 2)
        size = min(size, left, 3)
        groups.append(list(range(i, i + size)))
        i += size
    return groups


def _sentence(
    part: Sequence[tuple[Clause, Naming]], writer: _Writer, before: tuple[Clause, Naming] | None
) -> tuple[str, list[str]]:
    """The sentence (no capital, no full stop) and the words of each clause in it."""
    foretell = len(part) == 1 and part[0][0].kind == "pass" and not writer.starters["you will"]
    if foretell and writer.chance(0.2):
        writer.starters["you will"] += 1
        facts = part[0][0].facts
        foretold = f"you will pass the {described(facts)} on your {facts['side']}"
        return foretold, [foretold]
    bits: list[str] = []  # pieces that are joined
    said: list[str] = []  # words of each clause
    lead = ""
    i = 0
    twice = len(part) > 1 and part[0][0].kind == part[1][0].kind
    if len(part) > 1 and not twice and writer.chance(0.3):
        front = openers(*part[0])
        if front:
            phrase = writer.pick(front)
            lead = f"{phrase.text}, "
            said.append(phrase.text)
            i = 1
    while i < len(part):
        clause, naming = part[i]
        merged = _merge(part[i:], writer)
        if merged is not None:
            bits.append(merged[0])
            said += merged[1]
            i += len(merged[1])
            continue
        choices = imperatives(clause, writer.scene, naming)
        if bits or lead:
            choices = [p for p in choices if not p.fronted] or choices
        phrase = writer.pick(choices)
        bits.append(phrase.text)
        said.append(phrase.text)
        i += 1
    body = _joined(bits, writer)
    starter = "" if before is None or lead else _starter(part[0][0], before, writer)
    if body.startswith(("at ", "when ")) or (starter in _ORDERING and "then " in body):
        starter = ""
    return f"{starter}{lead}{body}", said


def _starter(clause: Clause, before: tuple[Clause, Naming], writer: _Writer) -> str:
    """A word or two that ties a sentence to the one before it, now and then."""
    last, naming = before
    arrived = last.kind == "transit" and naming.enters and clause.kind not in ("transit", "cross")
    if arrived and writer.chance(0.35):
        return "once there, " if naming.hall else "once inside, "
    if clause.kind == "stop":
        return "finally, " if writer.chance(0.06) else ""
    if not writer.chance(0.3):
        return ""
    choice = _STARTERS[int(writer.rng.integers(len(_STARTERS)))]
    if writer.starters[choice]:
        return ""
    writer.starters[choice] += 1
    return f"{choice} "


def _merge(part: Sequence[tuple[Clause, Naming]], writer: _Writer) -> tuple[str, list[str]] | None:
    """Two clauses in one phrase, where people run them together."""
    if len(part) < 2:
        return None
    (a, name_a), (b, name_b) = part[0], part[1]
    if a.kind == "pass" and b.kind == "pass" and writer.chance(0.6):
        verb = writer.pick([Phrase("pass", "pass"), Phrase("walk past", "walk")]).text
        side = "" if a.facts["side"] == b.facts["side"] else f" on your {a.facts['side']}"
        one = f"the {described(a.facts)}{side}"
        two = f"the {described(b.facts)} on your {b.facts['side']}"
        return f"{verb} {one} and {two}", [f"{verb} {one}", two]
    if (
        a.kind == "cross"
        and b.kind == "transit"
        and b.facts.get("side") is None
        and name_b.enters
        and not name_b.leaves
        and writer.chance(0.7)
    ):
        phrase = writer.pick(imperatives(a, writer.scene, name_a)).text
        into = f"into the {name_b.enters}"
        link = " and " if writer.chance(0.4) else " "
        return f"{phrase}{link}{into}", [phrase, into]
    if a.kind == "straight" and b.kind == "pass" and writer.chance(0.6):
        what = f"past the {described(b.facts)} on your {b.facts['side']}"
        verb = writer.pick([Phrase("go straight", "go"), Phrase("walk straight", "walk")]).text
        return f"{verb} {what}", [verb, what]
    return None


def _joined(bits: Sequence[str], writer: _Writer) -> str:
    if len(bits) == 1:
        return bits[0]
    has_and = any(" and " in b for b in bits)
    if len(bits) == 2:
        links = (
            [", then ", ", and then "] if has_and else [" and ", " and ", ", then ", " and then "]
        )
        return links[int(writer.rng.integers(len(links)))].join(bits)
    a, b, c = bits
    if has_and:
        return f"{a}, {b}, then {c}" if " and " not in c else f"{a}, then {b}, and {c}"
    forms = [f"{a} and {b}, then {c}", f"{a}, {b}, and {c}", f"{a}, then {b} and {c}"]
    return forms[int(writer.rng.integers(len(forms)))]
