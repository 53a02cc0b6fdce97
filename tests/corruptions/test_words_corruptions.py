"""Instruction corruptions: what they change, what they leave, on any text."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from navproof.core.errors import SpecError, UnknownNameError
from navproof.core.seeding import keyed
from navproof.core.types import Instruction
from navproof.corruptions import instruction as words
from navproof.corruptions.prompts import BEHAVIOURS, BLACK_BOX, WHITE_BOX

REAL = Path(__file__).parents[3] / "shared" / "data" / "r2r" / "R2R_val_seen.json"
ROUTE = (
    "Walk past the large brown table and the two chairs. Then turn left into the narrow hall, go "
    "through the second door on your right and stop between the bed and the window."
)
SPATIAL = ("past", "left", "into", "through", "second", "on", "right", "between")

Change = Callable[..., str]
WITHIN: dict[str, Change] = {
    "capitalise": words.capitalise,
    "mask_half": words.mask_half,
    "mask_all": words.mask_all,
    "mask_any": words.mask_any,
}
BESIDE: dict[str, Change] = {"black_box": words.black_box, "white_box": words.white_box}
STYLES: dict[str, Change] = {
    "friendly": words.friendly,
    "novice": words.novice,
    "professional": words.professional,
    "formal": words.formal,
}
ALL = {**WITHIN, **BESIDE, **STYLES}
LEVELS = (0.0, 0.1, 0.25, 0.34, 0.5, 0.75, 0.9, 1.0)
ODD_TEXTS = (
    "",
    " \n\t",
    "...?!",
    "🚪➡️🛋️",
    "Gehe links, 然后直走, затем стоп.",
    "e\u0301te\u0301 \u200fשלום\u200e \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "[MASK] [MASK] door",
    "ß ŉ ǰ ﬁ door",
    "{landmark} {0} %s \\1 $x door",
    "\ud800 lone surrogate",
    "a" * 5000,
)


def overlap(before: str, after: str) -> float:
    """The share of words of ``before`` that ``after`` still has, as a multiset."""
    wanted, given_ = Counter(before.split()), Counter(after.split())
    return (wanted & given_).total() / max(1, wanted.total())


def damage(before: str, after: str) -> float:
    """Multiset distance over words: lost and added ones."""
    wanted, given_ = Counter(before.split()), Counter(after.split())
    return (wanted - given_).total() + (given_ - wanted).total()


def real_instructions(step: int) -> list[str]:
    if not REAL.exists():
        pytest.skip("real R2R instructions are not here")
    return [text for path in json.loads(REAL.read_text()) for text in path["instructions"]][::step]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("text", [ROUTE, *ODD_TEXTS], ids=range(1 + len(ODD_TEXTS)))
def test_zero_is_the_identity(name: str, text: str) -> None:
    assert ALL[name](text, 0.0, keyed(1)) == text


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("text", ODD_TEXTS, ids=range(len(ODD_TEXTS)))
def test_odd_texts_do_not_crash(name: str, text: str) -> None:
    for level in (0.3, 1.0):
        assert isinstance(ALL[name](text, level, keyed(2)), str)


@pytest.mark.parametrize("name", [n for n in ALL if n != "white_box"])
@pytest.mark.parametrize("text", ["", " \n", "?!", "🚪"], ids=range(4))
def test_a_text_without_words_stays(name: str, text: str) -> None:
    assert ALL[name](text, 1.0, keyed(3)) == text


@pytest.mark.parametrize("name", ALL)
def test_the_generator_decides(name: str) -> None:
    change = ALL[name]
    assert change(ROUTE, 0.5, keyed(5)) == change(ROUTE, 0.5, keyed(5))
    assert len({change(ROUTE, 0.5, keyed(seed)) for seed in range(8)}) > 1
    np.random.seed(0)  # noqa: NPY002
    first = change(ROUTE, 0.5, keyed(5))
    np.random.seed(1)  # noqa: NPY002
    assert change(ROUTE, 0.5, keyed(5)) == first


@pytest.mark.parametrize("name", ALL)
def test_an_instruction_is_read_by_its_text(name: str) -> None:
    told = Instruction(ROUTE)
    assert ALL[name](told, 1.0, keyed(6)) == ALL[name](ROUTE, 1.0, keyed(6))
    assert told == Instruction(ROUTE)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("bad", [-0.1, 1.5, float("nan"), "much"])
def test_a_bad_intensity_is_said(name: str, bad: object) -> None:
    with pytest.raises(SpecError, match="intensity"):
        ALL[name](ROUTE, bad, keyed(0))


@pytest.mark.parametrize("name", ALL)
def test_something_else_than_words_is_said(name: str) -> None:
    with pytest.raises(SpecError, match="words must be"):
        ALL[name](17, 1.0, keyed(0))


@pytest.mark.parametrize("name", [*WITHIN, *BESIDE])
@given(text=st.text(max_size=120), seed=st.integers(0, 2**32))
@example(text=ROUTE, seed=0)
@settings(max_examples=60, deadline=None)
def test_damage_grows_with_intensity(name: str, text: str, seed: int) -> None:
    found = [ALL[name](text, level, keyed(seed)) for level in LEVELS]
    assert found[0] == text
    damages = [damage(text, after) for after in found]
    assert damages == sorted(damages)


@pytest.mark.parametrize("name", ALL)
@given(text=st.text(max_size=120), seed=st.integers(0, 2**32), level=st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_any_text_gives_the_same_text_twice(name: str, text: str, seed: int, level: float) -> None:
    after = ALL[name](text, level, keyed(seed))
    assert isinstance(after, str)
    assert ALL[name](text, level, keyed(seed)) == after
    assert ALL[name](text, 0.0, keyed(seed)) == text


@given(text=st.text(max_size=120), seed=st.integers(0, 2**32), level=st.floats(0, 1))
@settings(max_examples=100, deadline=None)
def test_capitals_change_nothing_but_case(text: str, seed: int, level: float) -> None:
    after = words.capitalise(text, level, keyed(seed))
    assert after.upper() == text.upper()


@given(text=st.text(max_size=120), seed=st.integers(0, 2**32), level=st.floats(0, 1))
@settings(max_examples=100, deadline=None)
def test_masks_leave_the_rest_alone(text: str, seed: int, level: float) -> None:
    after = words.mask_any(text, level, keyed(seed))
    pieces = after.split(words.MASK)
    pattern = ".+?".join(re.escape(piece) for piece in pieces)
    assert re.fullmatch(pattern, text, re.DOTALL)


def test_what_is_capitalised() -> None:
    said = words.capitalise("Turn left at the sofa with me.", 1.0, keyed(0))
    assert said == "TURN left AT the SOFA with me."
    some = words.capitalise(ROUTE, 0.5, keyed(0))
    full = words.capitalise(ROUTE, 1.0, keyed(0))
    upper = [w for w in some.split() if w.isupper()]
    assert len(upper) == pytest.approx(0.5 * sum(w.isupper() for w in full.split()), abs=1)
    assert all(b.isupper() for a, b in zip(some.split(), full.split(), strict=True) if a.isupper())


def test_what_is_masked() -> None:
    said = words.mask_all("Walk past the large brown table.", 1.0, keyed(0))
    assert said == "Walk past [MASK] [MASK] [MASK] table."
    said = words.mask_all(ROUTE, 1.0, keyed(0))
    for word in (*SPATIAL, "Walk", "turn", "stop", "table", "two", "chairs", "hall", "bed"):
        assert re.search(rf"\b{word}\b", said), word
    for word in ("the", "large", "brown", "and", "narrow", "your"):
        assert not re.search(rf"\b{word}\b", said), word


def test_misspelt_directions_and_negations_stay() -> None:
    said = words.mask_all("Go foward acrros the hall, do not stop.", 1.0, keyed(0))
    assert said == "Go foward acrros [MASK] hall, [MASK] not stop."


def test_half_of_the_masks_are_among_all() -> None:
    half = words.mask_half(ROUTE, 1.0, keyed(4)).split()
    full = words.mask_all(ROUTE, 1.0, keyed(4)).split()
    assert half == words.mask_all(ROUTE, 0.5, keyed(4)).split()
    assert abs(2 * half.count(words.MASK) - full.count(words.MASK)) <= 1
    assert all(b == words.MASK for a, b in zip(half, full, strict=True) if a == words.MASK)


def test_masking_any_word_leaves_none() -> None:
    said = words.mask_any(ROUTE, 1.0, keyed(0))
    assert set(re.findall(r"\w+", said)) == {"MASK"}
    assert words.mask_any(said, 1.0, keyed(0)) == said


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_each_behaviour_has_enough_to_say(behaviour: str) -> None:
    assert len(set(WHITE_BOX[behaviour])) >= 6
    assert len(set(BLACK_BOX[behaviour])) >= 6
    assert sum("{landmark}" not in s for s in BLACK_BOX[behaviour]) >= 4
    assert sum("{landmark}" in s for s in BLACK_BOX[behaviour]) >= 2
    for sentence in (*WHITE_BOX[behaviour], *BLACK_BOX[behaviour]):
        assert sentence[0].isupper()
        assert sentence.endswith(".")


def test_no_sentence_is_said_twice() -> None:
    for table in (BLACK_BOX, WHITE_BOX):
        every = [sentence for sentences in table.values() for sentence in sentences]
        assert len(set(every)) == len(every)
    assert set(BLACK_BOX) == set(WHITE_BOX) == set(BEHAVIOURS)
    assert len(BEHAVIOURS) == 9


@pytest.mark.parametrize(("level", "count"), [(0.1, 1), (1 / 3, 1), (0.5, 2), (0.75, 3), (1.0, 3)])
def test_prefixes_grow_by_sentences(level: float, count: int) -> None:
    said = words.black_box(ROUTE, level, keyed(8), behaviour="freeze")
    assert said.endswith(f" {ROUTE}")
    prefix = said.removesuffix(ROUTE)
    assert len(re.findall(r"\. ", prefix)) == count
    assert words.black_box(ROUTE, 1.0, keyed(8), behaviour="freeze").startswith(prefix.rstrip())


def test_prefixes_speak_of_the_instructions_landmarks() -> None:
    named = {"table", "chairs", "hall", "door", "bed", "window"}
    texts = [words.black_box(ROUTE, 1.0, keyed(seed)).removesuffix(ROUTE) for seed in range(60)]
    assert not any("{" in text for text in texts)
    assert sum(any(f"the {name}" in text for name in named) for text in texts) > 20
    assert len({text.split(".")[0] for text in texts}) > 20
    bare = [words.black_box("Turn left.", 1.0, keyed(seed)) for seed in range(60)]
    assert not any("{" in text for text in bare)


def test_every_behaviour_is_drawn() -> None:
    first = {s: b for b, sentences in WHITE_BOX.items() for s in sentences}
    drawn = {first[words.white_box("", 0.2, keyed(seed))] for seed in range(200)}
    assert drawn == set(BEHAVIOURS)


def test_rules_follow_the_system_prompt() -> None:
    prompt = "You steer a robot.\nAnswer with one action."
    said = words.white_box(prompt, 1.0, keyed(9), behaviour="spin").splitlines()
    assert said[:2] == prompt.splitlines()
    assert len(said) == 5
    assert set(said[2:]) <= set(WHITE_BOX["spin"])


@pytest.mark.parametrize("attack", BESIDE.values())
def test_an_unknown_behaviour_is_said(attack: Change) -> None:
    with pytest.raises(UnknownNameError, match=r"'spinn'.*spin"):
        attack(ROUTE, 1.0, keyed(0), behaviour="spinn")


@pytest.mark.parametrize("name", WITHIN)
def test_ten_thousand_words(name: str) -> None:
    text = "Walk past the red door and turn left. " * 1250
    after = WITHIN[name](text, 1.0, keyed(0))
    assert damage(text, after) > 2000


@pytest.mark.parametrize("name", WITHIN)
def test_real_instructions_are_damaged_more_and_more(name: str) -> None:
    texts = real_instructions(20)
    means = [
        np.mean([overlap(t, WITHIN[name](t, level, keyed(k))) for k, t in enumerate(texts)])
        for level in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    assert means[0] == 1.0
    assert all(low > high for low, high in pairwise(means))


def test_real_instructions_keep_directions_when_masked() -> None:
    turns = re.compile(r"\b(left|right|up|down|straight|through|past|into|first|second)\b", re.I)
    for k, text in enumerate(real_instructions(5)):
        masked = words.mask_all(text, 1.0, keyed(k))
        assert turns.findall(masked) == turns.findall(text)
        share = masked.split().count(words.MASK) / len(text.split())
        assert share < 0.6


@pytest.mark.parametrize("negation", ["Don't", "Don’t", "Do not", "Never"])
def test_a_mask_forbids_what_was_forbidden(negation: str) -> None:
    heard = words.mask_all(f"{negation} go into the big bathroom.", 1.0, keyed(0))
    kept = negation if negation != "Do not" else "[MASK] not"
    assert heard == f"{kept} go into [MASK] [MASK] bathroom."
