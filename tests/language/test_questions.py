"""Questions about scenes: one right answer each, found again by a reader that shares no code.

The reader takes a question's words apart, looks the things up in the scene by hand, and answers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache

import pytest

from navproof.core.seeding import rng
from navproof.core.types import Question
from navproof.language.questions.answers import matches
from navproof.language.questions.questions import QUESTION_KINDS, questions_for
from navproof.world.catalog import CATEGORIES
from navproof.world.library import load_scene
from navproof.world.scene import Scene, SceneObject

REFS = ("home/val/0", "home/val/3", "office/val/1")
NAMES = {"picture": "painting", "tv": "TV", "tv stand": "TV stand"}
NOUNS = {NAMES.get(c, c): c for c in CATEGORIES}
PLURALS = {"shelf": "shelves", "bookshelf": "bookshelves", "box": "boxes", "bench": "benches"}
VALUES = {"wooden": "wood", "polka-dot": "dotted", "zigzag-patterned": "zigzag"}
COUNTED = ("doors", "drawers", "seats", "shelves", "panels", "panes", "blades")
SHOWN = {
    "cat": "cat",
    "city": "city",
    "landscape": "landscape",
    "sea": "seascape",
    "person": "portrait",
    "flowers": "floral",
}


@cache
def asked_of(ref: str) -> list[tuple[Question, tuple[int, ...]]]:
    return questions_for(load_scene(ref), rng(0, ref, "questions"))


# --------------------------------------------------------------------------------- the other reader
def many(noun: str) -> str:
    head, _, last = noun.rpartition(" ")
    if last in PLURALS:
        return f"{head} {PLURALS[last]}".strip()
    return noun + ("es" if noun.endswith(("s", "sh", "ch", "x")) else "s")


def room_of(scene: Scene, name: str) -> int:
    """The only room that the name fits."""
    fitting = [
        r.id
        for r in scene.rooms
        if name in (r.name, r.type, f"{r.type} area") or r.type.endswith(f" {name}")
    ]
    assert len(fitting) == 1, f"{name}: {fitting}"
    return fitting[0]


def in_room(scene: Scene, room: str) -> list[SceneObject]:
    return [o for o in scene.objects if o.room == room_of(scene, room)]


def has(thing: SceneObject, word: str) -> bool:
    if word.endswith("-framed"):
        return thing.attributes.get("colour") == word.removesuffix("-framed")
    value = VALUES.get(word, word)
    return value in [v for k, v in thing.attributes.items() if k != "colour2"]


def find(scene: Scene, phrase: str, among: list[SceneObject]) -> list[SceneObject]:
    """What "red mug on a desk" could mean."""
    head, _, below = phrase.partition(" on ")
    noun = max((n for n in NOUNS if head.endswith(n)), key=len)
    words = head.removesuffix(noun).split()
    found = [
        o for o in among if NAMES.get(o.category, o.category).endswith(noun) and
        all(has(o, w) for w in words)
    ]  # fmt: skip
    if below:
        category = NOUNS[re.sub(r"^(?:the|an?) ", "", below)]
        found = [o for o in found if o.support and scene.object(o.support).category == category]
    return found


def the(scene: Scene, phrase: str) -> SceneObject:
    """The one thing that "the red mug in the kitchen" means."""
    words, _, room = phrase.rpartition(" in the ")
    words = words.removeprefix("the ")
    found = find(scene, words, in_room(scene, room))
    assert len(found) == 1, f"{phrase}: {[o.id for o in found]}"
    return found[0]


def count(scene: Scene, plural: str, room: str) -> int:
    here = in_room(scene, room)
    noun = max((n for n in NOUNS if plural.endswith(many(n))), key=len)
    words = plural.removesuffix(many(noun)).split()
    similar = [o for o in here if NAMES.get(o.category, o.category).endswith(noun)]
    assert all(NAMES.get(o.category, o.category) == noun for o in similar), plural
    return sum(all(has(o, word) for word in words) for o in similar)


def answer(scene: Scene, text: str) -> str:
    """What the scene's facts say."""
    rules = (
        (r"What colour is the frame of (.+)\?", lambda m: the(scene, m[1]).attributes["colour"]),
        (r"What colour is (.+)\?", lambda m: the(scene, m[1]).attributes["colour"]),
        (r"What is (.+) made of\?", lambda m: the(scene, m[1]).attributes["material"]),
        (r"What pattern does (.+) have\?", lambda m: the(scene, m[1]).attributes["pattern"]),
        (r"What shape is (.+)\?", lambda m: the(scene, m[1]).attributes["modifier"]),
        (r"What does (.+) show\?", lambda m: the(scene, m[1]).attributes["modifier"]),
        (r"Which room is the (.+) in\?", lambda m: where(scene, m[1])),
        (
            r"What is (.+? in the [\w ]+?)(?: standing| sitting| lying| hanging)? on\?",
            lambda m: below(scene, m[1]),
        ),
        (r"Is there any (\w+) (?:in|on) (.+)\?", lambda m: polar(holds(scene, m[2], m[1]))),
        (r"Are there any (flowers) in (.+)\?", lambda m: polar(holds(scene, m[2], m[1]))),
        (r"Is anything (written on) (.+)\?", lambda m: polar(state(scene, m[2]) == m[1])),
        (r"Is (.+ in the [\w ]+?) ([\w-]+) or ([\w-]+)\?", lambda m: state(scene, m[1])),
        (r"How many ([\w ]+) does (the .+ in the .+) have\?", lambda m: parts(scene, m[2], m[1])),
        (r"How many (.+) does the (.+) have\?", lambda m: str(count(scene, m[1], m[2]))),
        (r"How many (.+) are there in the (.+)\?", lambda m: str(count(scene, m[1], m[2]))),
        (
            r"Is there an? (.+) in the (.+)\?",
            lambda m: polar(bool(find(scene, m[1], in_room(scene, m[2])))),
        ),
        (
            r"Are there more (.+) in the (.+) than in the (.+)\?",
            lambda m: polar(count(scene, m[1], m[2]) > count(scene, m[1], m[3])),
        ),
        (
            r"Are there more (.+) than (.+) in the (.+)\?",
            lambda m: polar(count(scene, m[1], m[3]) > count(scene, m[2], m[3])),
        ),
        (
            r"Which are there more of in the (.+), (.+) or (.+)\?",
            lambda m: max(m[2], m[3], key=lambda n: count(scene, n, m[1])),
        ),
        (
            r"Which has more (.+), the (.+) or the (.+)\?",
            lambda m: max(m[2], m[3], key=lambda r: count(scene, m[1], r)),
        ),
        (
            r"Which is taller in the (.+), the (.+) or the (.+)\?",
            lambda m: max(m[2], m[3], key=lambda n: the(scene, f"{n} in the {m[1]}").box.size[2]),
        ),
        (
            r"Are the (.+) and the (.+) in the (.+) the same colour\?",
            lambda m: polar(
                len({the(scene, f"{n} in the {m[3]}").attributes["colour"] for n in m.groups()[:2]})
                == 1
            ),
        ),
        (r"Is (.+ in the [\w ]+?) ([\w-]+)\?", lambda m: polar(state(scene, m[1]) == m[2])),
    )
    for pattern, rule in rules:
        found = re.fullmatch(pattern, text)
        if found is not None:
            return str(rule(found))
    raise AssertionError(f"cannot read {text!r}")


def polar(truth: bool) -> str:
    return "yes" if truth else "no"


def state(scene: Scene, phrase: str) -> str:
    return str(the(scene, phrase.removeprefix("the lid of ")).attributes["state"])


def holds(scene: Scene, phrase: str, what: str) -> bool:
    return state(scene, phrase) == f"with {what}"


def parts(scene: Scene, phrase: str, key: str) -> str:
    assert key in COUNTED
    return str(the(scene, phrase).attributes[key])


def where(scene: Scene, words: str) -> str:
    found = find(scene, words, list(scene.objects))
    assert len(found) == 1, words
    kind = next(r.type for r in scene.rooms if r.id == found[0].room)
    assert sum(r.type == kind for r in scene.rooms) == 1
    return kind


def below(scene: Scene, phrase: str) -> str:
    support = the(scene, phrase).support
    assert support is not None
    category = scene.object(support).category
    return NAMES.get(category, category)


# --------------------------------------------------------------------------------------- the tests
@pytest.mark.parametrize("ref", REFS)
def test_every_answer_is_true(ref: str) -> None:
    scene = load_scene(ref)
    for question, _ in asked_of(ref):
        found = answer(scene, question.text)
        right = SHOWN.get(question.answer, question.answer) if "show?" in question.text else (
            question.answer.removesuffix(" area")
        )  # fmt: skip
        assert found.removesuffix(" area") == right, question


@pytest.mark.parametrize("ref", REFS)
def test_the_evidence_is_in_the_scene_and_is_what_is_asked_about(ref: str) -> None:
    scene = load_scene(ref)
    for question, evidence in asked_of(ref):
        assert evidence
        assert len(set(evidence)) == len(evidence)
        things = [scene.object(i) for i in evidence]
        if question.kind == "count" and "are there in" in question.text:
            assert len(things) >= int(question.answer)
            assert len({o.category for o in things}) == 1
        if question.kind in ("colour", "state", "attribute"):
            assert len(things) == 1
        if question.kind == "existence" and question.answer == "no":
            room = question.text.rpartition(" in the ")[2].rstrip("?")
            assert {o.room for o in things} == {room_of(scene, room)}


@pytest.mark.parametrize("ref", REFS)
def test_every_kind_is_asked_and_well_formed(ref: str) -> None:
    asked = asked_of(ref)
    assert {q.kind for q, _ in asked} == set(QUESTION_KINDS)
    assert len({q.text for q, _ in asked}) == len(asked)
    for question, _ in asked:
        assert re.fullmatch(r"[A-Z][\w ,'-]+\?", question.text), question.text
        assert not re.search(r"\b(\w+) \1\b|  |\byou", question.text), question.text
        assert question.answer not in question.accepted
        for good in (question.answer, *question.accepted):
            assert matches(good, question), (question, good)
        if question.answer in ("yes", "no"):
            other = "no" if question.answer == "yes" else "yes"
            assert not matches(other, question)


def test_answers_are_balanced() -> None:
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for ref in REFS:
        for question, _ in asked_of(ref):
            answers[question.kind][question.answer] += 1
    for counts in answers.values():
        assert counts["yes"] == counts["no"]
    ones = answers["count"]["1"] / answers["count"].total()
    assert 0 < ones <= 0.26
    assert len(answers["count"]) >= 5
    assert answers["colour"].most_common(1)[0][1] < 0.2 * answers["colour"].total()


def test_only_what_is_visible_or_in_the_rooms_is_asked_about() -> None:
    scene = load_scene(REFS[0])
    kitchen = next(r.id for r in scene.rooms if r.type == "kitchen")
    seen = {o.id for o in scene.objects if o.room == kitchen}
    for question, evidence in questions_for(scene, rng(0, "a", "b"), rooms=(kitchen,)):
        assert {scene.object(i).room for i in evidence} == {kitchen}, question
    some = sorted(seen)[::2]
    found = questions_for(scene, rng(0, "a", "b"), visible=some)
    assert found
    assert all(set(evidence) <= set(some) for _, evidence in found)
    assert questions_for(scene, rng(0, "a", "b"), visible=()) == []
    assert questions_for(scene, rng(0, "a", "b"), rooms=()) == []


def test_the_same_generator_asks_the_same() -> None:
    scene = load_scene(REFS[1])
    once, again = (questions_for(scene, rng(4, "a", "b")) for _ in range(2))
    assert once == again
    assert once != questions_for(scene, rng(5, "a", "b"))
