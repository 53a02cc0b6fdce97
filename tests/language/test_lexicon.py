"""The lexicon: every category and value has words, and what a word covers is what it says."""

from __future__ import annotations

import re

import pytest

from navproof.language.lexicon.nouns import could_mean, noun
from navproof.language.lexicon.terms import (
    ATTRIBUTE_WORDS,
    HELD_OUT,
    HYPERNYMS,
    ROOM_NAMES,
    SYNONYMS,
    covers,
    unsure,
)
from navproof.world.catalog import CATEGORIES
from navproof.world.furnish.commercial import COMMERCIAL_RECIPES
from navproof.world.furnish.home import HOME_RECIPES

UNSAID = {
    ("pattern", "plain"),
    *(("modifier", value) for value in ("easy", "flat", "standing", "straight")),
}


def test_every_category_has_other_names() -> None:
    assert list(SYNONYMS) == list(CATEGORIES)
    assert [c for c, names in SYNONYMS.items() if not names] == []
    assert [c for c, names in SYNONYMS.items() if len(set(names)) < len(names)] == []


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_category_is_covered_by_all_its_names(category: str) -> None:
    for name in (category, noun(category), *SYNONYMS[category]):
        assert category in covers(name)
        assert category in covers(name.upper())


def test_what_a_name_covers_agrees_with_what_a_listener_could_mean() -> None:
    for said in CATEGORIES:
        for category in CATEGORIES:
            meant = category in covers(noun(said)) | unsure(noun(said))
            assert meant or not could_mean(said, category), (said, category)


def test_broader_words_cover_known_categories_and_names_that_end_so() -> None:
    for word, found in HYPERNYMS.items():
        assert found <= CATEGORIES.keys()
        assert found <= covers(word)
        assert unsure(word) <= CATEGORIES.keys()
        assert not covers(word) & unsure(word)
        assert {c for c in CATEGORIES if could_mean(word, c)} <= covers(word) | unsure(word)


def test_examples() -> None:
    assert covers("couch") == {"sofa"}
    assert covers("fridge") == {"refrigerator", "display fridge"}
    assert covers("table") == {"coffee table", "conference table", "dining table", "side table"}
    assert "dresser" in unsure("cabinet")
    assert covers("unicorn") == frozenset()
    assert unsure("unicorn") == frozenset()


def test_every_value_of_the_catalogue_is_said_or_known_to_be_unsaid() -> None:
    values = {
        (key, value)
        for category in CATEGORIES.values()
        for key, options in category.attributes.items()
        if key in ATTRIBUTE_WORDS
        for value in options
    }
    said = {(key, value) for key, values in ATTRIBUTE_WORDS.items() for value in values}
    assert values - said == UNSAID
    assert said <= values
    for key, value in said:
        words = ATTRIBUTE_WORDS[key][value]
        assert set(words.before + words.after) - HELD_OUT, "all words are held out"


def test_every_type_of_room_has_a_name() -> None:
    assert {*HOME_RECIPES, *COMMERCIAL_RECIPES} <= ROOM_NAMES.keys()


def test_enough_is_held_out_and_never_the_words_of_goals() -> None:
    names = {n.lower() for names in SYNONYMS.values() for n in names}
    assert len(HELD_OUT & names) >= 35
    assert len(HELD_OUT - names) >= 10
    assert all(word == word.lower() for word in HELD_OUT)
    assert not HELD_OUT & {noun(c).lower() for c in CATEGORIES}


def test_no_word_for_training_holds_a_held_out_one() -> None:
    said = [*HYPERNYMS, *(noun(c) for c in CATEGORIES)]
    said += [n for names in (*SYNONYMS.values(), *ROOM_NAMES.values()) for n in names]
    said += [w for vs in ATTRIBUTE_WORDS.values() for s in vs.values() for w in s.before + s.after]
    held = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(HELD_OUT)))})\b")
    assert [w for w in said if w.lower() not in HELD_OUT and held.search(w.lower())] == []
