"""Streams: the same everywhere, and no two alike."""

from __future__ import annotations

import itertools

from navproof.core.seeding import derive, keyed, rng


def test_a_stream_has_its_known_numbers() -> None:
    """Every recorded result hangs on these; they change for nobody."""
    assert derive(7, "e", "s", 0) == 170256993653650946810731912612258042980
    drawn = rng(7, "e", "s").integers(1 << 32, size=3)
    assert drawn.tolist() == [1846003499, 2995228929, 1624695638]


def test_every_part_of_the_name_changes_the_stream() -> None:
    names = itertools.product((0, 1), ("a", "ab", ""), ("a", "b", ""), (0, 1))
    firsts = [int(rng(*name).integers(1 << 62)) for name in names]
    assert len(set(firsts)) == len(firsts) == 36


def test_parts_are_neither_joined_nor_confused() -> None:
    assert derive("ab", "c") != derive("a", "bc")
    assert derive(1) != derive("1")


def test_a_drawn_key_gives_one_generator() -> None:
    assert keyed(5).random() == keyed(5).random() != keyed(6).random()
