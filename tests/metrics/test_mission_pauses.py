"""Pause windows. She walks to x = 6, rests there at moments 4 to 7, and walks on to x = 12."""

from __future__ import annotations

import pytest

from mission_traces import follow, mission_trace, point, walk
from navproof.log.trace import Trace
from navproof.metrics import METRICS
from navproof.metrics.missions.pauses import BEHAVIOURS, pause_windows

EPS = 1e-6
HER = (
    walk("p1", (2, 0), (6, 0, 3), (12, 0)),
    [(2.0 + t, 0.0, True) for t in range(4)]
    + [(6.0, 0.0, False)] * 4
    + [(7.0 + t, 0.0, True) for t in range(5)]
    + [(12.0, 0.0, False)] * 2,
)
BEFORE = [(float(t), 0.0) for t in range(4)]
AFTER = [(5.0 + t, 0.0) for t in range(6)] + [(10.0, 0.0)]


def paused(*spots: tuple[float, ...], **how: object) -> Trace:
    """The robot 2 m behind her, but for the four moments of her rest."""
    return mission_trace([*BEFORE, *spots, *AFTER], follow(), people=[HER], **how)  # type: ignore[arg-type]


def behaviour(*spots: tuple[float, ...]) -> str:
    (window,) = pause_windows(paused(*spots))
    assert (window.begin, window.end, window.person) == (4, 7, "p1")
    return window.behaviour


def test_the_window_and_its_columns() -> None:
    trace = paused(*[(4.0, 0.0)] * 4)
    (window,) = pause_windows(trace)
    assert window.rest_s == 3.0  # from moment 4 to 7
    told = {b: METRICS[f"pause_{b.split()[-1]}"](trace) for b in BEHAVIOURS}
    assert told == {"correct wait": 1.0, "abandon": 0.0, "intrusion": 0.0, "overshoot": 0.0}


@pytest.mark.parametrize(
    ("gap", "expected"),
    [
        (2.0, "correct wait"),
        (1.0 + EPS, "correct wait"),
        (1.0, "intrusion"),
        (1.0 - EPS, "intrusion"),
        (3.0, "correct wait"),
        (3.0 - EPS, "correct wait"),
        (3.0 + EPS, "abandon"),
    ],
)
def test_where_it_waits(gap: float, expected: str) -> None:
    assert behaviour(*[(6.0 - gap, 0.0)] * 4) == expected


@pytest.mark.parametrize(("yaw", "expected"), [(60.0, "correct wait"), (60.001, "abandon")])
def test_turning_away_is_abandoning(yaw: float, expected: str) -> None:
    assert behaviour(*[(4.0, 0.0, yaw)] * 4) == expected


def test_what_counts_is_where_it_stands_when_she_goes_on() -> None:
    near, far = (4.0, 0.0), (0.0, 0.0)
    assert behaviour(near, far, far, near) == "correct wait"
    assert behaviour(near, near, near, far) == "abandon"
    assert behaviour(near, near, near, (4.0, 0.0, 180.0)) == "abandon"


def test_an_intrusion_at_any_moment_counts() -> None:
    assert behaviour((4, 0), (5.5, 0), (4, 0), (4, 0)) == "intrusion"
    assert behaviour((4, 0), (5.5, 0), (0, 0), (0, 0)) == "intrusion"


def test_going_past_her_with_room_between() -> None:
    """1.5 m to her left and on: she came along +x, so ahead is x > 6."""
    past = (8.0, 1.5, 180.0)
    assert behaviour((4, 0), (6, 1.5), past, past) == "overshoot"
    assert behaviour((4, 0), (6, 1.5), past, (4, 0)) == "overshoot"  # coming back or not
    assert behaviour((4, 0), (6, 1.5), (9, 1.5), (20, 1.5)) == "overshoot"  # before abandoning


@pytest.mark.parametrize(
    ("ahead", "expected"),
    [(0.5, "correct wait"), (0.5 + EPS, "overshoot"), (0.5 - EPS, "correct wait")],
)
def test_past_begins_at_half_a_metre(ahead: float, expected: str) -> None:
    beside = (6 + ahead, 1.5, -100.0)
    assert behaviour((4, 0), (5, 1.5), beside, beside) == expected


def test_who_was_ahead_already_did_not_go_past() -> None:
    ahead = (8.0, 0.0, 180.0)
    assert behaviour(ahead, ahead, ahead, ahead) == "correct wait"


def test_stopping_in_her_rest_is_giving_up() -> None:
    spots = [*BEFORE, (4.0, 0.0), (4.0, 0.0)]
    her = HER[0], HER[1][:6]
    stopped = mission_trace(spots, follow(), people=[her])
    assert [w.behaviour for w in pause_windows(stopped)] == ["abandon"]
    out_of_time = mission_trace(spots, follow(), people=[her], stops=False)
    assert [w.behaviour for w in pause_windows(out_of_time)] == ["correct wait"]


def test_only_rests_within_the_following_count() -> None:
    wait = [(4.0, 0.0)] * 4
    spots = [*BEFORE, *wait, *AFTER]

    def windows(step: int) -> int:
        trace = mission_trace(spots, point(0, 0), follow(), people=[HER], done={0: step})
        return len(pause_windows(trace))

    assert [windows(step) for step in (0, 3, 4, 9)] == [1, 1, 0, 0]  # in force from step + 1
    never = mission_trace(spots, point(50, 50), follow(), people=[HER])
    assert pause_windows(never) == ()
    assert METRICS["pause_wait"](never) is None


def test_neither_the_wait_before_she_sets_out_nor_her_last_rest_is_a_pause() -> None:
    her = (
        walk("p1", (2, 0, 2), (6, 0)),
        [(2.0, 0.0, False)] * 3
        + [(3.0 + t, 0.0, True) for t in range(3)]
        + [(6.0, 0.0, False)] * 4,
    )
    trace = mission_trace([(0, 0)] * 10, follow(end=(6, 0)), people=[her])
    assert pause_windows(trace) == ()


def test_waiting_for_the_robot_is_no_pause() -> None:
    """Her walk has no rest at x = 4."""
    spots = [
        (2.0, 0.0, True),
        (3.0, 0.0, True),
        (4.0, 0.0, False),
        (4.0, 0.0, True),
        (5.0, 0.0, True),
    ]
    her = walk("p1", (2, 0), (4, 0), (12, 0)), spots
    assert pause_windows(mission_trace([(0, 0)] * 5, follow(), people=[her])) == ()
    planned = walk("p1", (2, 0), (4, 0, 1), (12, 0)), spots
    assert len(pause_windows(mission_trace([(0, 0)] * 5, follow(), people=[planned]))) == 1


def test_missions_without_following_have_no_windows() -> None:
    assert pause_windows(mission_trace([(0, 0), (1, 0)], point(1, 0))) == ()
