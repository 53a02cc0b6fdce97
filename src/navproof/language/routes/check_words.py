"""Do the words say the clauses, all of them, in order, and nothing else? (See ``check``.)"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from navproof.core.types import Instruction, Scalar
from navproof.language.lexicon.nouns import adjective, article, noun, room_noun
from navproof.world.scene import Room, Scene

__all__ = ["check_words"]

Facts = Mapping[str, Scalar]
_MIN_WORDS, _MAX_WORDS = 10, 45
_ORDER = ("size", "colour", "pattern", "material", "modifier")
_OUT = r"(?:leave|leaving|exit|out of|from)"
_IN = r"(?:into|enter|entering|once you are in|once inside|when you get to)"
_ORDINALS = ("first", "second", "third")
_OPENING = r"\b(?:door|doorway|archway|opening)\b"


def check_words(scene: Scene, instruction: Instruction) -> Iterator[tuple[int | None, str]]:
    """(clause index or None, what is wrong) for each fault in the words."""
    text = instruction.text
    count = len(text.split())
    if not _MIN_WORDS <= count <= _MAX_WORDS:
        yield None, f"has {count} words, not {_MIN_WORDS} to {_MAX_WORDS}"
    if not re.fullmatch(r"(?:[A-Z][^.]*\.)(?: [A-Z][^.]*\.)*", text):
        yield None, "is not a row of sentences"
    if re.search(r"\b(\w+) \1\b|  | ,", text):
        yield None, "repeats a word or has stray spaces"
    for said, word in re.findall(r"\b([Aa]n?) (\S+)", text):
        if said.lower() != article(word):
            yield None, f"says '{said} {word}'"
    at = 0
    rest = ""
    for index, facts in enumerate(instruction.clauses):
        words = str(facts.get("words", ""))
        place = text.lower().find(words.lower(), at) if words else -1
        if place < 0:
            yield index, f"is not said after the one before it: {words!r}"
            continue
        rest += text[at:place] + " "
        at = place + len(words)
        for what in _clause_words(scene, facts, words):
            yield index, what
        if facts.get("kind") == "cross":
            before = instruction.clauses[index - 1] if index else {}
            if not _names_crossed(scene, facts, words, before):
                yield index, "does not name the room that is crossed"
    rest = (rest + text[at:]).lower()
    for claim in ("left", "right", "around", "straight", "past", *_names(scene)):
        if re.search(rf"\b{re.escape(claim)}\b", rest):
            yield None, f"speaks of '{claim}' without a clause for it"


def _names(scene: Scene) -> list[str]:
    rooms = {room_noun(r.type).lower() for r in scene.rooms}
    return sorted(rooms | {noun(o.category).lower() for o in scene.objects})


def _clause_words(scene: Scene, facts: Facts, words: str) -> Iterator[str]:
    kind = facts.get("kind")
    side = facts.get("direction", facts.get("side"))
    for claim, other in (("left", "right"), ("right", "left")):
        if side == claim and re.search(rf"\b{other}\b", words):
            yield f"says {other}, means {claim}"
    if kind in ("turn", "orient") and not re.search(rf"\b{side}\b", words):
        yield f"does not say {side}"
    if side is None and re.search(r"\b(?:left|right(?! in front))\b", words):
        yield "says a side that is no part of it"
    if facts.get("sharpness") == "slight" and not re.search(r"slight|bear|veer", words):
        yield "does not say that the turn is slight"
    if "object" in facts and not re.search(rf"\b(?:the|an?) {re.escape(_phrase(facts))}\b", words):
        yield f"does not say '{_phrase(facts)}'"
    if "in front of" in words and facts.get("relation") != "front":
        yield "says in front of, means near"
    if kind == "transit":
        yield from _transit_words(scene, facts, words)


def _names_crossed(scene: Scene, facts: Facts, words: str, before: Facts) -> bool:
    """By its name, or as "it" right after the words that name it."""
    room = _room(scene, facts.get("room"))
    if room is None:
        return False
    kind = room_noun(room.type)
    if kind in words:
        return True
    named = before.get("enters") == room.id and kind in str(before.get("words"))
    return named and re.search(r"\bit\b", words) is not None


def _phrase(facts: Facts) -> str:
    """The description as it must stand in the words, all adjectives and no others."""
    category = str(facts.get("category"))
    keys = [k for k in _ORDER if f"attr.{k}" in facts]
    said = [adjective(category, k, str(facts[f"attr.{k}"])) for k in keys]
    phrase = " ".join([*said, noun(category)])
    on = facts.get("attr.on")
    return phrase if on is None else f"{phrase} on the {noun(str(on))}"


def _room(scene: Scene, room_id: Scalar) -> Room | None:
    return next((r for r in scene.rooms if r.id == room_id), None)


def _transit_words(scene: Scene, facts: Facts, words: str) -> Iterator[str]:
    leaves, enters = _room(scene, facts.get("leaves")), _room(scene, facts.get("enters"))
    door = next((d for d in scene.doors if d.id == facts.get("door")), None)
    if leaves is None or enters is None or door is None:
        return  # the clause itself is false, which is found elsewhere
    out, into = _named(scene, words, _OUT), _named(scene, words, _IN)
    if not (out or into or re.search(_OPENING, words)):
        yield "says neither a room nor a doorway"
    if any(name not in _calls(leaves) for name in out):
        yield f"says to leave {out}, it is the {leaves.name}"
    if any(name not in _calls(enters) for name in into):
        yield f"says to enter {into}, it is the {enters.name}"
    kind = room_noun(enters.type)
    if into and all(name == kind for name in into):
        beyond = {r for d in scene.doors if leaves.id in d.rooms for r in d.rooms}
        twins = [r.id for r in scene.rooms if r.type == enters.type and r.id in beyond]
        if len([r for r in twins if r != leaves.id]) > 1:
            yield f"does not say which {kind}"
    numbers = [n for n in _ORDINALS if re.search(rf"\b{n}\b", words)]
    ordinal = facts.get("ordinal")
    if numbers != [n for k, n in enumerate(_ORDINALS, start=1) if k == ordinal]:
        yield f"says {numbers or 'no number'}, means doorway number {ordinal}"
    if re.search(r"\bdoor\b", words) and door.object_id is None:
        yield "says door where there is none"
    if re.search(r"\barchway\b", words) and (door.object_id is not None or door.width_m < 1.1):
        yield "says archway where there is none"


def _calls(room: Room) -> set[str]:
    said = room_noun(room.type)
    colour = room.name.removesuffix(room.type).strip()
    if not colour or colour == room.name:
        return {said}
    return {said, f"{colour} {said}", f"{said} with the {colour} walls"}


def _named(scene: Scene, words: str, verb: str) -> list[str]:
    """Rooms that the words name after such a verb, by the longest name that matches."""
    calls = sorted({c for r in scene.rooms for c in _calls(r)}, key=lambda c: (-len(c), c))
    pattern = rf"\b{verb} the ({'|'.join(re.escape(c) for c in calls)})\b"
    return re.findall(pattern, words)
