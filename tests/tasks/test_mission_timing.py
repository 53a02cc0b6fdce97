"""Going, waiting and going back in time for people: checked on small tables by hand."""

from __future__ import annotations

import numpy as np

from navproof.tasks.mission.timing import outlook, tenable, timed


def free(*rows: str) -> np.ndarray:
    """A row for each tick; "#" where somebody is met."""
    return np.array([[mark != "#" for mark in row] for row in rows])


def test_an_empty_way_is_gone_at_once() -> None:
    assert timed(free("....", "....", "....", "...."), 0) == [0, 1, 2, 3]


def test_it_waits_for_somebody_who_crosses() -> None:
    crossing = free("....", "..#.", "..#.", "....", "....", "....")
    assert timed(crossing, 0) in ([0, 0, 1, 2, 3], [0, 1, 1, 2, 3])


def test_it_goes_back_before_somebody_who_comes_along() -> None:
    coming = free("...##", "..##.", ".##..", ".##..", ".....", ".....", ".....", ".....")
    way = timed(coming, 1)
    assert way is not None
    assert way[0] == 1
    assert way[-1] == 4
    assert all(coming[tick, place] for tick, place in enumerate(way))
    assert 0 in way


def test_no_way_through_is_said() -> None:
    assert timed(free("...", ".#.", ".#.", ".#."), 0) is None
    assert timed(free("#..", "..."), 0) is None


def test_outlook_tells_how_far_and_when() -> None:
    assert outlook(free("...", "...", "...", "..."), 0) == (2, -2)
    assert outlook(free("...", ".#.", ".#.", ".#."), 0) == (0, -3)
    assert outlook(free("...", "###", "..."), 0) == (-1, 0)


def test_a_place_without_a_way_out_is_not_tenable() -> None:
    """Who goes to the dead end at tick 1 is met there at tick 2."""
    table = free("....", "....", "..##", "..##")
    kept = tenable(table)
    assert kept[1].tolist() == [True, True, True, False]
    assert not (kept & ~table).any()
