"""People in words: true, and of exactly one of those present."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from navproof.core.errors import EpisodeError
from navproof.world.people.people import APPEARANCES, describe, unique_words, who
from navproof.world.textures.palette import COLOURS

NAMES = tuple(APPEARANCES)


def test_six_people_who_differ() -> None:
    looks = APPEARANCES.values()
    assert len(looks) == 6
    assert len({look.upper.colour for look in looks}) == 6
    assert {look.noun for look in looks} == {"woman", "man"}
    assert len({look.skin for look in looks}) >= 4
    assert max(look.height_m for look in looks) - min(look.height_m for look in looks) > 0.3
    assert all(look.upper.colour in COLOURS for look in looks)


@pytest.mark.parametrize("name", NAMES)
def test_descriptions_are_true_of_whom_they_describe(name: str) -> None:
    rng = np.random.default_rng(7)
    for detail in range(6):
        for _ in range(20):
            words = describe(name, detail, rng)
            assert words.startswith("the ")
            assert name in who(words), words


def test_every_group_has_words_that_single_each_one_out() -> None:
    rng = np.random.default_rng(1)
    for size in range(1, 7):
        for group in combinations(NAMES, size):
            for name in group:
                for words in (unique_words(name, group), unique_words(name, group, rng)):
                    assert who(words, group) == (name,), words


def test_the_same_words_every_time_without_a_generator() -> None:
    assert unique_words("red_jacket", NAMES) == "the woman in the red jacket"
    assert describe("red_jacket", 0, np.random.default_rng(0)) == "the woman"


def test_two_who_look_the_same_cannot_be_told_apart() -> None:
    with pytest.raises(EpisodeError, match="2 of the people present look like 'red_jacket'"):
        unique_words("red_jacket", ["red_jacket", "red_jacket"])
    with pytest.raises(EpisodeError, match="no appearance 'green_hat'"):
        unique_words("green_hat", NAMES)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("the lady in the red coat", ("red_jacket",)),
        ("the tall man with blonde hair", ("blue_jumper",)),
        ("the guy in the blue sweater", ("blue_jumper",)),
        ("a man", ("blue_jumper", "white_shirt", "orange_vest")),
        ("the woman with black hair", ("red_jacket", "yellow_dress")),
        ("the woman with long black hair", ("yellow_dress",)),
        ("the elderly woman", ("green_cardigan",)),
        ("the bald man with a beard", ("orange_vest",)),
        ("the woman in red", ("red_jacket",)),
        ("the man in the red jacket", ()),
        ("the short woman", ("yellow_dress",)),
        ("somebody with short black hair", ("white_shirt",)),
        ("the man in grey trousers", ("white_shirt",)),
    ],
)
def test_other_peoples_words_are_understood(words: str, expected: tuple[str, ...]) -> None:
    assert who(words) == expected
