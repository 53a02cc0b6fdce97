"""HFS and HFR: the band, the phase, and the released variants; she walks 10 m in 10 s along +x."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from mission_traces import behind, follow, mission_trace, person, point, walk
from navproof.core.errors import RunError
from navproof.core.types import Event
from navproof.log.trace import Trace
from navproof.metrics import METRICS
from navproof.metrics.missions.following import follow_ratios

EPS = 1e-6
HER = person("p1", 13)  # stops at moment 10


def four(trace: Trace) -> list[float | None]:
    return [METRICS[name](trace) for name in ("hfs", "hfr", "hfs_released", "hfr_released")]


def test_two_metres_behind_all_the_way() -> None:
    assert four(mission_trace(behind(2.0, HER), follow(), people=[HER])) == [1.0] * 4


@pytest.mark.parametrize(
    ("gap", "right", "released"),
    [
        (1.0, 0.0, 1.0),
        (1.0 + EPS, 1.0, 1.0),
        (1.0 - EPS, 0.0, 1.0),
        (3.0, 1.0, 1.0),
        (3.0 + EPS, 0.0, 0.0),
        (3.0 - EPS, 1.0, 1.0),
        (0.1, 0.0, 0.0),
        (0.1 + EPS, 0.0, 1.0),
    ],
)
def test_the_band_at_its_edges(gap: float, right: float, released: float) -> None:
    trace = mission_trace(behind(gap, HER), follow(), people=[HER])
    assert four(trace) == [right, right, released, released]


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(
    ("angle", "right"), [(60.0, 1.0), (60.0 - EPS, 1.0), (60.0 + 1e-4, 0.0), (180.0, 0.0)]
)
def test_she_must_be_in_front(side: int, angle: float, right: float) -> None:
    """The released code takes the way that the robot moves for its heading."""
    spots = [(x, y, side * angle) for x, y, _ in behind(2.0, HER)]
    assert four(mission_trace(spots, follow(), people=[HER])) == [right, right, 1.0, 1.0]


def test_the_heading_wraps_around() -> None:
    """Everything turned by 179°: she is 2° across the seam of the angles."""
    turn = math.radians(179)
    c, s = math.cos(turn), math.sin(turn)
    spots = [(c * x, s * x, moving) for x, _, moving in HER[1]]
    her = walk("p1", (2 * c, 2 * s), (12 * c, 12 * s)), spots
    robot = [(c * (x - 2), s * (x - 2), -179.0) for x, _, _ in HER[1]]
    assert four(mission_trace(robot, follow(), people=[her])) == [1.0] * 4


def lagging(count: int = 13) -> list[tuple[float, float, float]]:
    """Two metres behind until it stands still at x = 6: right up to moment 7 (3.0 m)."""
    return [(min(float(t), 6.0), 0.0, 0.0) for t in range(count)]


def test_the_ratio_is_over_the_phase_and_ends_when_she_stops() -> None:
    trace = mission_trace(lagging(), follow(), people=[HER])
    hfs, hfr, hfs_released, hfr_released = four(trace)
    assert (hfs, hfs_released) == (0.0, 0.0)
    assert hfr == pytest.approx(7 / 10)  # moments 1 to 7 of 1 to 10
    assert hfr_released == pytest.approx(8 / 11)  # moments 0 to 7 of 0 to 10


def test_the_phase_begins_when_the_sub_task_comes_into_force() -> None:
    """Done at step 3, that is at moment 4: moments 5, 6, 7 of 5 to 10."""
    trace = mission_trace(lagging(), point(4, 0), follow(), people=[HER], done={0: 3})
    assert METRICS["hfr"](trace) == pytest.approx(3 / 6)
    assert METRICS["hfr_released"](trace) == pytest.approx(8 / 11)
    assert METRICS["sgc"](trace) == pytest.approx((1 + 3 / 6) / 2)  # progress of following


def test_following_that_never_came_into_force_is_none() -> None:
    trace = mission_trace(behind(2.0, HER), point(50, 0), follow(), people=[HER])
    assert four(trace) == [0.0, 0.0, 1.0, 1.0]


def test_whoever_gives_up_early_has_followed_only_so_far() -> None:
    """Four of ten seconds; the released code asks no further than the episode goes."""
    her = HER[0], HER[1][:5]
    trace = mission_trace(behind(2.0, her), follow(), people=[her])
    hfs, hfr, hfs_released, hfr_released = four(trace)
    assert (hfs, hfs_released, hfr_released) == (0.0, 1.0, 1.0)
    assert hfr == pytest.approx(4 / 10)


def test_an_immediate_stop_is_no_following() -> None:
    her = HER[0], HER[1][:2]
    spots = [(0.0, 0.0), (0.0, 0.0)]
    trace = mission_trace(spots, follow(), people=[her], times=[0.0, 0.0])
    assert four(trace)[:2] == [0.0, 0.0]


def test_a_rest_on_the_way_is_not_the_end() -> None:
    """2 s of rest at x = 6: the episode ends in it, so she has not stopped for good, but for the
    released code. Her walk takes 12 s: 6 of them were followed."""
    spots = [(2.0 + min(t, 4), 0.0, t < 4) for t in range(7)]
    her = walk("p1", (2, 0), (6, 0, 2), (12, 0)), spots
    hfs, hfr, hfs_released, hfr_released = four(
        mission_trace(behind(2.0, her), follow(), people=[her])
    )
    assert (hfs, hfs_released, hfr_released) == (0.0, 1.0, 1.0)
    assert hfr == pytest.approx(6 / 12)


@pytest.mark.parametrize(("gap", "right"), [(2.0, 1.0), (4.0, 0.0)])
def test_she_may_have_stopped_before_it_was_her_turn(gap: float, right: float) -> None:
    """Then what counts is the moment at which it becomes her turn, 12, and not 10."""
    spots = [(x - (gap if t >= 12 else 6.0 - gap), 0.0) for t, (x, _, _) in enumerate(HER[1])]
    trace = mission_trace(spots, point(9, 0), follow(), people=[HER], done={0: 11})
    assert four(trace)[:2] == [right, right]


def test_nothing_is_judged_before_the_first_action() -> None:
    her = walk("p1", (2, 0)), [(2.0, 0.0, False)] * 3
    trace = mission_trace([(0, 0), (-9, 0), (0, 0)], follow(), people=[her])
    assert METRICS["hfs"](trace) == 0.0


def test_somebody_who_only_stands() -> None:
    her = walk("p1", (2, 0)), [(2.0, 0.0, False)] * 3
    trace = mission_trace([(0, 0)] * 3, follow(), people=[her])
    assert four(trace) == [1.0] * 4


def test_somebody_who_has_not_set_out_yet_has_not_stopped() -> None:
    """A round walk ends where it begins."""
    her = walk("p1", (2, 0), (6, 0), (2, 0), begins_s=5.0), [(2.0, 0.0, False)] * 4
    trace = mission_trace([(0, 0)] * 4, follow(end=(2, 0)), people=[her])
    assert METRICS["hfs"](trace) == 0.0
    assert METRICS["hfr"](trace) == pytest.approx(3 / 13)  # right for 3 s of 5 + 8


def test_a_rest_where_the_walk_will_end_is_not_the_end() -> None:
    her = walk("p1", (2, 0), (4, 0, 9), (9, 0), (4, 0)), [(2, 0, True), (3, 0, True), (4, 0, False)]
    trace = mission_trace(behind(2.0, her), follow(end=(4, 0)), people=[her])
    assert METRICS["hfs"](trace) == 0.0
    assert METRICS["hfr"](trace) == pytest.approx(2 / (2 + 9 + 10))


def test_the_task_knows_best_when_she_has_stopped() -> None:
    """Somebody who reacts to the robot has arrived a little beside her path, at moment 8."""
    spots = [(min(2.0 + t, 9.6), 0.3, t < 8) for t in range(11)]
    her = walk("p1", (2, 0), (10, 0)), spots
    told = [Event(7, "subtask_failed", {"index": 0, "kind": "follow_human"})]
    trace = mission_trace(lagging(11), follow(end=(10, 0)), people=[her], events=told)
    assert METRICS["hfs"](trace) == 0.0  # 3.6 m
    assert METRICS["hfr"](trace) == pytest.approx(6 / 8)  # up to moment 6 (2.02 m), 7 is 3.01 m
    untold = mission_trace(lagging(11), follow(end=(10, 0)), people=[her])
    assert METRICS["hfr"](untold) == pytest.approx(6 / 10)


def test_the_far_limit_is_the_sub_task_s_own() -> None:
    near = replace(follow(), within_m=1.9)
    assert four(mission_trace(behind(2.0, HER), near, people=[HER]))[:2] == [0.0, 0.0]


def test_steps_count_for_as_long_as_they_last() -> None:
    """Right in the last of three steps, which takes half of the time."""
    her = walk("p1", (2, 0), (6, 0)), [(2, 0, True), (3, 0, True), (4, 0, True), (6, 0, False)]
    robot = [(-9, 0), (-9, 0), (-9, 0), (4, 0)]
    trace = mission_trace(robot, follow(), people=[her], times=[0.0, 1.0, 2.0, 4.0])
    assert METRICS["hfr"](trace) == pytest.approx(0.5)
    assert METRICS["hfr_released"](trace) == pytest.approx(0.25)


def test_two_people_one_after_the_other_give_the_mean() -> None:
    late = walk("p2", (30, 0), (40, 0)), [(30.0 + min(t, 10), 0.0, t < 10) for t in range(13)]
    trace = mission_trace(
        behind(2.0, HER), follow("p1"), follow("p2", (40, 0)), people=[HER, late], done={0: 9}
    )
    assert four(trace)[:2] == [0.5, 0.5]
    assert follow_ratios(trace) == {0: 1.0, 1: 0.0}


def test_what_is_missing_is_named() -> None:
    blind = mission_trace(behind(2.0, HER), follow(), people=[(HER[0], HER[1])])
    less = {k: v for k, v in blind.channels.items() if k != "person.p1.moving"}
    with pytest.raises(RunError, match=r"no channel 'person\.p1\.moving'"):
        METRICS["hfs"](replace(blind, channels=less))
    with pytest.raises(RunError, match="nobody called 'p9'"):
        METRICS["hfr"](mission_trace([(0, 0), (1, 0)], follow("p9"), people=[]))
