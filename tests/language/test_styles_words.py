"""Styles as functions: the same twice, nothing at 0, any text, clear errors, clean English."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.core.errors import SpecError
from navproof.language.styles.content import content_of, kept
from navproof.language.styles.phrases import CLOSERS, JOINTS, MOODS, OPENERS, ORDERS
from navproof.language.styles.segments import segments
from navproof.language.styles.styles import STYLES, restyle

ROUTE = (
    "Leave the bathroom and go down the hallway. Turn left at the couch, then walk past the fridge "
    "on your right and up the stairs. When you reach a doorway, stop."
)
ODD = [
    *("", " ", "\n", "stop", "Desk.", "the kitchen", "...", "and then", "naïve café façade"),
    *("左に曲がる。", "🚪 turn left 🛋️", "“Turn left,” he said.", "Go to and stop at the door"),
    *("TURN LEFT AND STOP BY THE SOFA", "turn left walk straight enter the second door wait"),
]


def styled(text: str, style: str, seed: int = 0, strength: float = 1.0) -> str:
    return restyle(text, style, np.random.default_rng(seed), (), strength)


@pytest.mark.parametrize("style", STYLES)
def test_same_generator_same_text_and_varied_over_generators(style: str) -> None:
    assert styled(ROUTE, style, 3) == styled(ROUTE, style, 3)
    assert len({styled(ROUTE, style, seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("style", STYLES)
def test_the_generator_is_used_the_same_whatever_the_strength(style: str) -> None:
    after = set()
    for strength in (0.0, 0.5, 1.0):
        rng = np.random.default_rng(1)
        restyle(ROUTE, style, rng, (), strength)
        after.add(rng.random())
    assert len(after) == 1


@given(st.text(max_size=300), st.sampled_from(STYLES), st.floats(0.0, 1.0))
def test_any_text_keeps_its_content_and_zero_is_the_identity(
    text: str, style: str, strength: float
) -> None:
    assert styled(text, style, 0, 0.0) == text
    assert kept(text, styled(text, style, 0, strength)) == []


ROUTE_WORDS = (
    "turn left right go walk into the a kitchen stairs past stop and then , . when you reach couch "
    "second two out of door up down until through by TV is"
)
WORDS = st.sampled_from(ROUTE_WORDS.split())


@given(st.lists(WORDS, max_size=40).map(" ".join), st.sampled_from(STYLES))
def test_any_jumble_of_route_words_keeps_its_content(text: str, style: str) -> None:
    assert kept(text, styled(text, style)) == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("text", ODD)
def test_odd_texts(text: str, style: str) -> None:
    for seed in range(5):
        result = styled(text, style, seed)
        assert kept(text, result) == []
        assert bool(result.strip()) == bool(text.strip())


@given(st.text(alphabet="ab ,.!\n", max_size=60) | st.lists(WORDS, max_size=30).map(" ".join))
def test_cutting_loses_nothing(text: str) -> None:
    parts, tail = segments(text)
    assert "".join(part.joint + part.body for part in parts) + tail == text


def test_ten_thousand_words() -> None:
    text = " ".join([ROUTE] * 330)
    start = time.process_time()
    result = styled(text, "professional")
    assert time.process_time() - start < 20.0
    assert len(text.split()) > 10_000
    assert kept(text, result) == []
    assert "Leave the bathroom" not in result


def test_bad_arguments_are_named() -> None:
    with pytest.raises(SpecError, match="poetic"):
        styled(ROUTE, "poetic")
    with pytest.raises(SpecError, match="strength"):
        styled(ROUTE, "formal", 0, 1.5)


def test_each_style_has_its_tone() -> None:
    several: dict[str, str] = {
        s: " ".join(styled(ROUTE, s, seed) for seed in range(30)).lower() for s in STYLES
    }
    marks = {
        "friendly": ("you've got this", "gonna", "head", "hey"),
        "novice": ("i think", "turn your body", "um,", "you need to"),
        "professional": ("rotate to the", "proceed", "-hand side", "restroom"),
        "formal": ("kindly", "upon reaching", "entranceway", "lavatory", "refrigeration unit"),
    }
    for style, phrases in marks.items():
        for phrase in phrases:
            assert phrase in several[style], (style, phrase)
    assert "kindly" not in several["friendly"] + several["novice"]
    assert "gonna" not in several["formal"] + several["professional"]


@pytest.mark.parametrize("style", STYLES)
def test_english_is_clean(style: str) -> None:
    for seed in range(60):
        text = styled(ROUTE, style, seed)
        assert not re.search(r"\ba [aeio]|\ban [^aeiou\W]", text), text
        assert not re.search(r"\b([a-z]+) \1\b", text, re.IGNORECASE), text
        assert not re.search(r"\s[,.;!?]|[,;]\s*[.,;!?]|\s{2}|[.!?]\s+[a-z]|[{}|]", text), text
        assert text[0].isupper()
        assert text[-1] in ".!?"


def test_phrases_of_the_styles_say_nothing_of_the_route() -> None:
    for table in (OPENERS, CLOSERS, MOODS, JOINTS):
        for choices in table.values():
            for phrase in choices.split("|"):
                said = phrase.replace("{vp}", "go").replace("{mood}", "go")
                assert content_of(said).items == (), phrase


def test_every_style_gives_every_order() -> None:
    assert len({frozenset(orders) for orders in ORDERS.values()}) == 1
    for orders in ORDERS.values():
        for key, choices in orders.items():
            for choice in choices.split("|"):
                if key.startswith("turn") and key != "turning":
                    assert "{side}" in choice, choice
