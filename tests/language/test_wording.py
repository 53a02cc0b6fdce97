"""Words: articles and plurals, descriptions, how instructions are put together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from navproof.language.lexicon.describe import Description, describe, fits
from navproof.language.lexicon.nouns import (
    adjective,
    article,
    could_mean,
    noun,
    plural,
    with_article,
)
from navproof.language.routes.plan import Clause
from navproof.language.routes.realise import realise
from navproof.testing import tiny_scene

SCENE = tiny_scene()
TABLE, CHAIR, CRATE = SCENE.objects


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(seed))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("chair", "a"),
        ("armchair", "an"),
        ("orange box", "an"),
        ("L-shaped sofa", "an"),
        ("U-shaped desk", "a"),
        ("umbrella", "an"),
        ("utility cart", "a"),
        ("X-ray machine", "an"),
    ],
)
def test_articles_go_by_sound(words, expected):
    assert article(words) == expected


def test_nouns():
    assert (noun("potted_plant"), noun("tv stand")) == ("potted plant", "TV stand")
    assert with_article("armchair") == "an armchair"
    plurals = [plural(n) for n in ("chair", "bookshelf", "box", "baby", "bench", "toy", "tv")]
    assert plurals == ["chairs", "bookshelves", "boxes", "babies", "benches", "toys", "TVs"]
    assert adjective("table", "material", "wood") == "wooden"
    assert adjective("picture", "colour", "red") == "red-framed"


def test_a_general_word_could_mean_a_special_thing_but_not_the_reverse():
    assert could_mean("table", "coffee table")
    assert not could_mean("coffee table", "table")
    assert could_mean("chair", "armchair")
    assert could_mean("bookshelf", "shelf unit")
    assert not could_mean("sofa", "table")


def test_descriptions_fit_what_has_all_that_is_said():
    red = Description("table", {"colour": "red", "material": "wood"})
    assert red.text == "red wooden table"
    assert fits(red, TABLE, SCENE)
    assert not fits(red, replace(TABLE, attributes={"colour": "red"}), SCENE)
    on = Description("box", {}, on="table")
    assert on.text == "box on the table"
    assert fits(on, replace(CRATE, support=TABLE.id), SCENE)
    assert not fits(on, CRATE, SCENE)


def test_the_shortest_description_that_tells_apart_is_taken():
    twin = replace(TABLE, id=90, attributes={"colour": "red", "material": "metal"})
    for seed in range(20):
        said = describe(TABLE, [TABLE, twin, CHAIR], SCENE, rng(seed))
        assert said is not None
        assert said.attributes == {"material": "wood"}
        alone = describe(TABLE, [CHAIR], SCENE, rng(seed))
        assert alone is not None
        assert alone.attributes in ({}, {"colour": "red"})
    assert describe(TABLE, [replace(TABLE, id=91)], SCENE, rng()) is None


def test_support_tells_apart_what_attributes_do_not():
    cup = replace(CRATE, id=90, category="mug", support=TABLE.id, attributes={"colour": "red"})
    other = replace(cup, id=91, support=CHAIR.id)
    said = describe(cup, [other], SCENE, rng())
    assert said is not None
    assert said.text == "mug on the table"


CLAUSES = [
    Clause("orient", 0.0, {"direction": "left"}),
    Clause("pass", 1.0, {"object": 10, "category": "table", "attr.colour": "red", "side": "left"}),
    Clause("pass", 2.0, {"object": 11, "category": "chair", "side": "left"}, 0.4),
    Clause("transit", 3.0, {"door": 0, "leaves": 0, "enters": 1}),
    Clause("turn", 4.0, {"direction": "right", "sharpness": "full"}),
    Clause("straight", 5.0, {}, 0.1),
    Clause("stop", 7.0, {"object": 12, "category": "box", "relation": "near"}),
]


def test_every_clause_is_said_once_and_in_order():
    texts = set()
    for seed in range(200):
        told = realise(CLAUSES, SCENE, rng(seed))
        assert told is not None
        texts.add(told.text)
        at = 0
        for clause in told.clauses:
            place = told.text.lower().find(str(clause["words"]).lower(), at)
            assert place >= at, (told.text, clause)
            at = place + len(str(clause["words"]))
        assert 10 <= len(told.text.split()) <= 45
        assert told.text[0].isupper()
        assert told.text.endswith(".")
    assert len(texts) > 190  # hardly ever the same words for the same route


def test_the_same_draws_give_the_same_words():
    assert realise(CLAUSES, SCENE, rng(5)) == realise(CLAUSES, SCENE, rng(5))


def test_what_may_be_left_out_goes_when_it_gets_too_long():
    many = [replace(CLAUSES[2], at_m=1.1 + 0.1 * k, weight=0.1 * k) for k in range(12)]
    told = realise([CLAUSES[1], *many, *CLAUSES[3:]], SCENE, rng())
    assert told is not None
    assert len(told.text.split()) <= 45
    kept = [c["at_m"] for c in told.clauses if c["kind"] == "pass"]
    assert 2.2 in kept  # the weightiest stays
    assert 1.1 not in kept  # the lightest goes first
    assert realise([CLAUSES[-1]], SCENE, rng()) is None  # too short to be an instruction
