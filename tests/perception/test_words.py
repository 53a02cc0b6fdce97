"""The word table: any text gives rows, and near words mean near things."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.language.lexicon.nouns import noun
from navproof.language.lexicon.terms import ATTRIBUTE_WORDS, HYPERNYMS, ROOM_NAMES, SYNONYMS
from navproof.perception.words import PADDING, UNKNOWN, WordTable

TABLE = WordTable.load()
WORD_OF = {row: word for word, row in TABLE.rows.items()}


def read(text: str) -> list[str]:
    return [WORD_OF.get(row, "?") for row in TABLE.ids(text)]


def cosine(one: str, other: str) -> float:
    a, b = (TABLE.vectors[TABLE.ids(text)].sum(axis=0) for text in (one, other))
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def test_known_rows_are_unit_vectors_and_the_two_special_rows_are_zero() -> None:
    lengths = np.linalg.norm(TABLE.vectors, axis=1)
    assert TABLE.vectors.shape == (len(TABLE.rows) + 2, TABLE.dim)
    assert TABLE.vectors.dtype == np.float32
    assert not lengths[[PADDING, UNKNOWN]].any()
    np.testing.assert_allclose(lengths[2:], 1.0, atol=0.02)
    assert len(TABLE.rows) > 30_000
    assert sorted(TABLE.rows.values()) == list(range(2, len(TABLE.rows) + 2))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The RED chair!", ["the", "red", "chair"]),
        ("L-shaped polka-dot", ["l", "shaped", "polka", "dot"]),
        ("nightlamp", ["night", "lamp"]),
        ("credenzas", ["credenza"]),
        ("child's café", ["child", "cafe"]),
        ("3 drawers, 14 doors", ["3", "drawers", "14", "doors"]),
        ("xqzzt", ["?"]),
        ("a xqzzt b", ["a", "?", "b"]),
        ("", []),
        ("😀 … ✓", []),
        ("x" * 10_000, ["?"]),
        ("9" * 10_000, ["?"]),
    ],
)
def test_how_texts_are_read(text: str, words: list[str]) -> None:
    assert read(text) == words


@pytest.mark.parametrize(
    ("british", "american"),
    [("colour", "color"), ("grey", "gray"), ("panelled", "paneled"), ("centre", "center")],
)
def test_both_spellings_are_known_and_mean_the_same(british: str, american: str) -> None:
    assert UNKNOWN not in TABLE.ids(f"{british} {american}")
    assert cosine(british, american) > 0.5


def test_long_texts_are_cut() -> None:
    assert TABLE.ids("red " * 5000) == [TABLE.rows["red"]] * 16
    assert TABLE.ids("red green blue", limit=2) == TABLE.ids("red green")
    assert TABLE.ids("nightlamp", limit=1) == TABLE.ids("night")
    assert TABLE.ids("red", limit=0) == []


def test_a_batch_is_its_texts_filled_up() -> None:
    rows = TABLE.batch(["red chair", "", "a b c d e"], limit=4)
    assert rows.dtype == np.int32
    assert rows.tolist() == [
        [*TABLE.ids("red chair"), PADDING, PADDING],
        [PADDING] * 4,
        TABLE.ids("a b c d"),
    ]
    assert TABLE.batch([], limit=4).shape == (0, 4)


@given(st.text())
def test_any_text_gives_rows_of_the_table(text: str) -> None:
    rows = TABLE.ids(text)
    assert len(rows) <= 16
    assert all(PADDING < row < len(TABLE.vectors) for row in rows)
    assert TABLE.ids(text) == rows


def test_every_word_of_the_lexicon_is_known() -> None:
    said = [*HYPERNYMS, *(noun(c) for c in SYNONYMS)]
    said += [n for names in (*SYNONYMS.values(), *ROOM_NAMES.values()) for n in names]
    said += [w for vs in ATTRIBUTE_WORDS.values() for s in vs.values() for w in s.before + s.after]
    assert [text for text in said if UNKNOWN in TABLE.ids(text) or not TABLE.ids(text)] == []


@pytest.mark.parametrize(
    ("one", "near", "far"),
    [
        ("couch", "sofa", "stock"),
        ("carpet", "rug", "toaster"),
        ("television", "tv", "bathtub"),
        ("crimson", "red", "green"),
        ("huge", "large", "small"),
    ],
)
def test_near_words_mean_near_things(one: str, near: str, far: str) -> None:
    assert cosine(one, near) > cosine(one, far) + 0.1


def test_the_table_is_read_once_and_cannot_be_written() -> None:
    assert WordTable.load() is TABLE
    with pytest.raises(ValueError, match="read-only"):
        TABLE.vectors[0, 0] = 1.0
