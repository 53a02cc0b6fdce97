"""Distances between labels: the scale of the paper's Figure 9."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navproof.diagnosis.oracles.semantics import LexicalDistance
from navproof.world.catalog import CATEGORIES

FIGURE_9 = [
    ("sofa", "couch", 0.0),
    ("dining table", "table", 0.1),
    ("wooden chair", "chair", 0.1),
    ("desk", "table", 0.3),
    ("armchair", "chair", 0.3),
    ("cabinet", "refrigerator", 0.6),
    ("lamp", "ceiling light", 0.6),
    ("bed", "microwave", 0.9),
    ("door", "window", 1.0),
    ("", "chair", 0.8),
    ("unknown", "chair", 0.8),
    ("none", "", 0.0),
]
OURS = [
    ("fridge", "refrigerator", 0.0),
    ("picture", "painting", 0.0),
    ("mug", "cup", 0.0),
    ("Chairs.", "chair", 0.0),
    ("The  SOFA!", "a sofa", 0.0),
    ("bookshelves", "bookshelf", 0.0),
    ("telly", "tv", 0.0),
    ("red chair", "chair", 0.1),
    ("office chair", "chair", 0.1),
    ("clock", "wall clock", 0.1),
    ("small candle on the wall shelf", "small candle", 0.1),
    ("chair that is not black", "chair", 0.1),
    ("floor lamp", "table lamp", 0.3),
    ("coffee table", "dining table", 0.3),
    ("seat", "stool", 0.3),
    ("dresser", "cabinet", 0.3),
    ("trash can", "basket", 0.3),
    ("person", "man in the blue jeans", 0.3),
    ("thing", "chair", 0.3),
    ("vase on the desk", "vase on the shelf", 0.3),
    ("mug", "bowl", 0.6),
    ("sofa", "armchair", 0.6),
    ("washbasin", "toilet", 0.6),
    ("keyboard", "laptop", 0.6),
    ("stove", "microwave", 0.6),
    ("tv", "tv stand", 0.6),
    ("toilet", "sofa", 0.9),
    ("kettle", "sofa", 0.9),
    ("vase", "lamp", 0.9),
    ("qwxyz", "chair", 0.9),
    ("red chair", "blue chair", 1.0),
    ("chair that is not black", "black chair", 1.0),
    ("dresser with three drawers", "dresser with two drawers", 1.0),
    ("floor", "ceiling", 1.0),
    ("man", "woman in a red coat", 1.0),
]
distance = LexicalDistance()


@pytest.mark.parametrize(("a", "b", "expected"), FIGURE_9 + OURS)
def test_the_scale(a: str, b: str, expected: float) -> None:
    assert distance(a, b) == expected
    assert distance(b, a) == expected


def test_every_category_is_itself_and_nobody_else() -> None:
    names = sorted(CATEGORIES)
    for name in names:
        assert distance(name, name.upper()) == 0.0
    pairs = [(a, b) for a in names for b in names if a < b]
    same = [(a, b) for a, b in pairs if distance(a, b) == 0.0]
    assert set(same) <= {
        ("plant", "potted plant"),
        ("clock", "wall clock"),
        ("kitchen sink", "washbasin"),
    }


@given(st.text(max_size=20), st.text(max_size=20))
@settings(max_examples=60, deadline=None)
def test_any_text_will_do(a: str, b: str) -> None:
    found = distance(a, b)
    assert found in (0.0, 0.1, 0.3, 0.6, 0.8, 0.9, 1.0)
    assert found == distance(b, a)
    assert distance(a, a) == 0.0
