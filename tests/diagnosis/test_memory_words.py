"""Memories as lines: places by number, times by order."""

from __future__ import annotations

from navproof.core.types import Point, Remembered
from navproof.diagnosis.oracles.memory_words import Sighting, in_words

A: Point = (1.0, 0.0, 0.4)
B: Point = (4.0, 2.0, 0.4)
SEEN: tuple[Sighting, ...] = (("chair", (A,), 3), ("sofa", (B,), 7))


def test_a_right_memory_reads_as_what_was_seen() -> None:
    claims = (Remembered("chair", (1.4, 0.1, 0.4), 3), Remembered("sofa", (4.0, 2.3, 0.0), 6))
    told, seen = in_words(SEEN, claims, (), 9)
    assert told == seen == ("chair at place 1", "sofa at place 2")


def test_what_is_seen_together_is_one_line() -> None:
    both = (SEEN[0], ("sofa", (B,), 3))
    claims = tuple(Remembered(label, spots[0], 3) for label, spots, _ in both)
    told, seen = in_words(both, claims, (), 9)
    assert told == seen == ("chair at place 1, sofa at place 2",)


def test_lost_invented_and_exchanged_things_show() -> None:
    swapped = (Remembered("chair", B, 3), Remembered("sofa", A, 7))
    told, _ = in_words(SEEN, (None, None), swapped, 9)
    assert told == ("chair at place 2", "sofa at place 1")
    told, _ = in_words(SEEN, (Remembered("chair", A, 3), None), (), 9)
    assert told == ("chair at place 1",)
    told, _ = in_words(SEEN, (None, None), (Remembered("lamp", (9.0, 9.0, 0.0), 2),), 9)
    assert told == ("lamp at place 3",)
    late = (Remembered("chair", A, 8), Remembered("sofa", B, 7))
    assert in_words(SEEN, late, (), 9)[0] == ("sofa at place 2", "chair at place 1")


def test_what_is_in_view_again_keeps_its_place_in_the_order() -> None:
    claims = (Remembered("chair", A, 9), Remembered("sofa", B, 7))
    told, seen = in_words(SEEN, claims, (), 9)
    assert told == seen
