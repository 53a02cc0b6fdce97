"""Queries: what is said is true of the object, means what it wants, and keeps held-out words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from navproof.core.seeding import rng
from navproof.core.types import Scalar
from navproof.language.lexicon.terms import (
    ATTRIBUTE_WORDS,
    HELD_OUT,
    NUMBER_WORDS,
    ROOM_NAMES,
    covers,
)
from navproof.perception.words import UNKNOWN, WordTable
from navproof.train.people import PEOPLE
from navproof.train.queries import (
    COUNTS,
    HELD_OUT_PAIRS,
    Query,
    draw_person_query,
    draw_query,
    draw_room_query,
    fits,
)
from navproof.world.catalog import CATEGORIES, build
from navproof.world.people.people import APPEARANCES

Facts = dict[str, Scalar]


def things(each: int = 3) -> Iterator[Facts]:
    """Objects of every category as the catalogue builds them, some on a support."""
    for name, category in CATEGORIES.items():
        for i in range(each):
            facts: Facts = {"category": name}
            facts |= build(name, rng(0, name, "test.queries", i)).attributes
            facts.pop("colour2", None)
            if category.position_kind == "on" and i:
                facts["on"] = ("desk", "dining table", "nightstand")[i % 3]
            yield facts


THINGS = list(things())
DRAWN = [
    (facts, draw_query(facts, rng(1, str(i), "test.queries", n)))
    for i, facts in enumerate(THINGS)
    for n in range(17)
]


def test_what_is_said_of_an_object_fits_it() -> None:
    assert len(DRAWN) > 5000
    assert [(f, q) for f, q in DRAWN if not fits(q, f)] == []


def test_held_out_words_are_never_said() -> None:
    held = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(HELD_OUT)))})\b")
    assert [q.text for _, q in DRAWN if held.search(q.text.lower())] == []


def test_every_word_said_is_known_to_the_word_table() -> None:
    table = WordTable.load()
    assert [q.text for _, q in DRAWN if UNKNOWN in table.ids(q.text, limit=40)] == []


def test_fits_is_category_and_every_wanted_value() -> None:
    """Against the definition, spelt out over every pair of some objects and queries."""
    agree = Counter[bool]()
    for _, query in DRAWN[::23]:
        for facts in THINGS[::3]:
            missing = [k for k in query.wanted if k not in facts]
            wrong = [k for k in query.wanted if facts.get(k) != query.wanted[k]]
            expected = facts["category"] in query.categories and not missing and not wrong
            assert fits(query, facts) is expected
            agree[expected] += 1
    assert min(agree[True], agree[False]) > 100


def test_absent_and_none_values_never_fit() -> None:
    query = Query("red chair", frozenset({"chair"}), {"colour": "red"})
    assert fits(query, {"category": "chair", "colour": "red"})
    assert not fits(query, {"category": "chair"})
    assert not fits(query, {"category": "stool", "colour": "red"})
    assert not fits(query, {"colour": "red"})
    assert not fits(Query("x", frozenset({"chair"}), {"colour": None}), {"category": "chair"})


def test_sure_and_unsure_categories_are_apart() -> None:
    for facts, query in DRAWN:
        assert facts["category"] in query.categories
        assert not query.categories & query.unsure
        assert query.categories | query.unsure <= {*CATEGORIES, *PEOPLE}
        assert "category" not in query.wanted


def test_the_words_tell_each_wanted_value() -> None:
    """Each wanted attribute shows in the text by one of its words, its number or its support."""
    own = r"lit|glowing|lid (up|down)|door (open|closed|ajar)"
    for _, query in DRAWN:
        text = query.text.lower()
        for key, value in query.wanted.items():
            if key in COUNTS:
                ways = (str(value), NUMBER_WORDS[int(str(value))], "single")[
                    : 3 if value == 1 else 2
                ]
                assert re.search(rf"\b({'|'.join(ways)})[ -]", text)
            elif key == "on":
                assert " on " in text
            else:
                said = ATTRIBUTE_WORDS[key][value]
                words = [w.lower() for w in said.before + said.after]
                told = any(word in text for word in words)
                assert told or (key == "state" and re.search(own, text)), (query, key)


def test_levels_of_detail_and_of_naming() -> None:
    """A sofa has many facts, so the shares are those that are asked for."""
    sofa: Facts = {
        "category": "sofa",
        "colour": "red",
        "material": "leather",
        "pattern": "striped",
        "modifier": "L-shaped",
        "seats": 3,
        "cushions": 2,
    }
    queries = [draw_query(sofa, rng(2, "sofa", "test.queries", n)) for n in range(4000)]
    share = Counter(min(len(q.wanted), 3) for q in queries)
    for detail, expected in enumerate((0.30, 0.40, 0.20, 0.10)):
        assert share[detail] / 4000 == pytest.approx(expected, abs=0.05)
    broad = sum(1 < len(q.categories) < 50 for q in queries) / 4000
    nameless = sum(len(q.categories) > 50 for q in queries) / 4000
    assert 0.05 < broad < 0.25
    assert 0.01 < nameless < 0.10
    assert len({q.text for q in queries}) > 1500


def test_words_of_two_meanings_are_not_said_where_both_are_possible() -> None:
    """ "Lit" is a lamp's "on" and a candle's "lit": it may not stand alone or beside both."""
    for _, query in DRAWN:
        if re.search(r"\b(un)?lit\b", query.text.lower()) and "state" in query.wanted:
            values = {v for c in query.categories for v in CATEGORIES[c].attributes["state"]}
            assert values <= {"on", "off"} or values <= {"lit", "unlit"}


def test_the_same_generator_says_the_same() -> None:
    for i, facts in enumerate(THINGS[:50]):
        one, other = (draw_query(facts, rng(3, str(i), "test.queries")) for _ in range(2))
        assert one == other


def test_little_and_odd_facts_still_give_a_query() -> None:
    odd: Facts = {
        "category": "mug",
        "colour": "infrared",
        "drawers": 99,
        "on": "the moon",
        "size": None,
        "weight": 3,
        "state": True,
    }
    for n in range(200):
        for facts in ({"category": "mug"}, odd):
            query = draw_query(facts, rng(4, "odd", "test.queries", n))
            assert query.wanted == {}
            assert query.text


def test_rooms() -> None:
    for room in (*ROOM_NAMES, "wine_cellar"):
        queries = [draw_room_query(room, rng(5, room, "test.queries", n)) for n in range(40)]
        assert all(q.wanted == {"room": room} for q in queries)
        assert all(fits(q, {"category": "bed", "room": room}) for q in queries)
        assert not any(fits(q, {"category": "bed", "room": "attic"}) for q in queries)
        names = ROOM_NAMES.get(room, ("wine cellar",))
        assert all(any(name in q.text.lower() for name in names) for q in queries)
        assert not any(re.search(r"\ba [aeio]", q.text.lower()) for q in queries)


def test_held_out_pairs_are_a_tenth_of_those_that_can_be_built() -> None:
    colours = {c: CATEGORIES[c].attributes.get("colour", ()) for c in CATEGORIES}
    assert all(colour in colours[category] for category, colour in HELD_OUT_PAIRS)
    total = sum(len(values) for values in colours.values())
    assert 0.05 * total < len(HELD_OUT_PAIRS) < 0.15 * total
    for category, values in colours.items():
        held = [v for v in values if (category, v) in HELD_OUT_PAIRS]
        assert len(held) <= len(values) / 2


def test_usual_names_are_said_most() -> None:
    queries = [draw_query({"category": "chair"}, rng(6, "chair", "q", n)) for n in range(500)]
    plain = sum(q.categories == covers("chair") for q in queries)
    assert plain > 250


def test_words_for_somebody_fit_everybody_whom_they_describe() -> None:
    """No detail fits many, enough of it one; the person meant is always among them."""
    draw = np.random.default_rng(0)
    sizes = set()
    for name in APPEARANCES:
        for _ in range(60):
            query = draw_person_query(name, draw)
            assert f"person/{name}" in query.categories <= set(PEOPLE)
            assert not query.wanted
            sizes.add(len(query.categories))
    assert {1, len(PEOPLE)} <= sizes
