"""Goals one by one: success, SPL and its released variants, and why a goal was lost."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from langnav_samples import GOALS, START, Leg, langnav_trace, with_tag
from navproof.core.types import Event
from navproof.log.trace import Trace
from navproof.metrics import FAILURES, METRICS, goal_results, goal_table, score

HOME = (-2.0, 2.5)  # viewpoints of the three goals
CHAIR = (2.0, 2.6)
BOX = (2.6, 0.6)
ALL_WON = (Leg(HOME, won=True), Leg(CHAIR, won=True), Leg(BOX, won=True))


def lost(intents: tuple[tuple[int, dict[str, object]], ...] = (), **how: object) -> str:
    """The failure of a first goal that ended as ``how`` says."""
    leg = Leg(**{"to": (-3.5, 1.0), "intents": intents, **how})  # type: ignore[arg-type]
    return goal_results(langnav_trace("a", [leg, *ALL_WON[1:]]))[0].failure


def test_single_goal_tasks_have_no_goals_in_sequence(make_trace) -> None:  # type: ignore[no-untyped-def]
    trace = make_trace()
    assert goal_results(trace) == ()
    assert (METRICS["goal_sr"](trace), METRICS["goal_spl"](trace)) == (None, None)


def test_straight_walks_are_optimal() -> None:
    goals = goal_results(langnav_trace("a", ALL_WON))
    assert [g.success for g in goals] == [True] * 3
    assert [g.failure for g in goals] == [""] * 3
    for goal in goals:
        assert goal.spl == pytest.approx(1.0)
    first = math.hypot(1.0, 1.5)
    second = math.hypot(2.0, 0.5) + math.hypot(2.0, 0.6)
    assert goals[0].path_length_m == pytest.approx(first)
    assert goals[0].steps == math.ceil(first / 0.25) + 1  # the claim is a step
    assert (goals[1].path_length_m, goals[1].shortest_m) == pytest.approx((second, second))
    assert goals[1].begin == goals[0].end


def test_spl_starts_where_the_robot_was_and_the_released_one_where_it_should_have_been() -> None:
    """The first goal is missed far away, so the way to the second is longer than planned."""
    away = (-3.5, 1.0)
    leg_1 = math.dist(HOME, (0.0, 2.0)) + math.dist((0.0, 2.0), CHAIR)
    legs = [Leg(away), Leg(CHAIR, won=True), Leg(BOX, won=True)]
    goals = goal_results(langnav_trace("a", legs, tags={"leg_1_m": leg_1, "leg_2_m": 1.0}))
    taken = math.dist(away, (0.0, 2.0)) + math.dist((0.0, 2.0), CHAIR)
    assert (goals[0].success, goals[0].spl, goals[0].spl_released) == (False, 0.0, 0.0)
    assert goals[1].spl == pytest.approx(1.0)
    assert goals[1].spl_released == pytest.approx(leg_1 / taken)
    assert goals[2].spl_released == pytest.approx(1.0 / math.dist(CHAIR, BOX))
    assert [g.spl_released for g in goal_results(langnav_trace("a", legs))] == [0.0, None, None]


def test_released_success_asks_for_the_viewpoint_alone() -> None:
    far = Leg(HOME, won=False, distance_m=1.9, viewpoint_m=0.9)
    walled = Leg(CHAIR, won=False, distance_m=0.5, viewpoint_m=3.0)
    goals = goal_results(langnav_trace("a", [far, walled, ALL_WON[2]]))
    assert [g.success for g in goals] == [False, False, True]
    assert [g.success_released for g in goals] == [True, False, True]


def test_a_timeout_at_the_goal_is_no_success_of_either_kind() -> None:
    goals = goal_results(langnav_trace("a", [Leg(HOME, timeout=True), *ALL_WON[1:]]))
    assert not goals[0].success
    assert not goals[0].success_released
    assert goals[0].left_m == 0.0


def test_words_and_tags_are_carried() -> None:
    first, second, _ = goal_results(langnav_trace("a", ALL_WON))
    assert (first.category, first.instances, first.attributes) == ("table", 1, 2)
    assert dict(first.tags) == {"colour": "red", "material": "wooden"}
    assert (dict(second.tags), second.attributes) == ({}, 0)
    assert first.text == "Find the red wooden table."


# ------------------------------------------------------------------------------------- failures
CLAIM = {"is": "claim", "x": 0.0, "y": 0.0}


@pytest.mark.parametrize(
    ("intent", "expected"),
    [
        ({**CLAIM, "by": "detector"}, "wrong detection"),
        ({**CLAIM, "by": "both"}, "wrong detection"),
        ({**CLAIM, "by": "map"}, "wrong goal on map"),
        ({"is": "approach", "by": "map", "x": 0.0, "y": 0.0}, "wrong goal on map"),
        ({"is": "exhausted"}, "all explored"),
        ({"is": "explore"}, "wrong claim"),
        (None, "wrong claim"),
    ],
)
def test_wrong_claims_by_what_was_trusted(intent: dict[str, object] | None, expected: str) -> None:
    told = () if intent is None else ((0, {"is": "explore"}), (1, intent))
    assert lost(told) == expected
    assert expected in FAILURES


def test_a_claim_near_the_goal_was_right_and_stopped_short() -> None:
    told = ((0, {**CLAIM, "by": "detector"}),)
    assert lost(told, distance_m=1.2, viewpoint_m=2.0) == "found but not reached"
    assert lost(told, distance_m=1.7, viewpoint_m=0.8) == "found but not reached"
    assert lost(told, distance_m=1.6, viewpoint_m=1.1) == "wrong detection"


def test_timeouts_by_where_the_robot_was_going() -> None:
    """The start looks along +y: the viewpoint at (−2.0, 2.5) is 1.5 m ahead and 1.0 m right."""
    assert START.yaw == pytest.approx(math.pi / 2)
    to_goal = {"is": "approach", "by": "map", "x": 1.5, "y": -1.0}
    astray = {"is": "approach", "by": "map", "x": -1.0, "y": 1.5}
    assert lost(((1, to_goal),), timeout=True) == "found but not reached"
    assert lost(((1, astray),), timeout=True) == "out of time"
    assert lost(((0, to_goal), (1, {"is": "explore"})), timeout=True) == "out of time"
    assert lost((), timeout=True) == "out of time"
    assert lost(((0, {"is": "exhausted"}),), timeout=True) == "all explored"
    assert lost(((1, {"is": "approach", "by": "map"}),), timeout=True) == "out of time"


def test_stuck_is_sixty_steps_without_a_tenth_of_a_metre() -> None:
    assert lost((), timeout=True, wait=60) == "stuck"
    assert lost((), timeout=True, wait=59) == "out of time"
    to_goal = {"is": "approach", "by": "map", "x": 1.5, "y": -1.0}
    assert lost(((0, to_goal),), timeout=True, wait=80) == "stuck"


def test_standing_still_before_the_reveal_is_not_being_stuck() -> None:
    legs = [Leg((-3.5, 1.0), timeout=True, wait=70), Leg((-3.5, 1.0), timeout=True), ALL_WON[2]]
    goals = goal_results(langnav_trace("a", legs))
    assert [g.failure for g in goals[:2]] == ["stuck", "out of time"]


def test_an_intent_that_did_not_change_still_holds_for_the_next_goal() -> None:
    """Intents are recorded when they change; exploring on into the next goal gives no event."""
    told = ((0, {"is": "explore"}),)
    legs = [Leg((-3.5, 1.0), timeout=True, intents=told), Leg(CHAIR), ALL_WON[2]]
    assert goal_results(langnav_trace("a", legs))[1].failure == "wrong claim"
    by_map = ((0, {**CLAIM, "by": "map"}),)
    legs = [Leg(HOME, won=True, intents=by_map), Leg((1.0, 1.0)), ALL_WON[2]]
    assert goal_results(langnav_trace("a", legs))[1].failure == "wrong goal on map"


def test_goals_before_an_agent_failed_keep_their_result() -> None:
    legs = [ALL_WON[0], Leg(CHAIR)]
    trace = langnav_trace("a", legs, reason="act raised ValueError")
    goals = goal_results(trace)
    assert [g.success for g in goals] == [True, False, False]
    assert [g.failure for g in goals] == ["", "agent failure", "agent failure"]
    assert [g.revealed for g in goals] == [True, True, False]
    assert (goals[2].steps, goals[2].path_length_m) == (0, 0.0)
    assert goals[1].steps > 0
    ours = goal_results(replace(trace, status="env_error"))
    assert [g.failure for g in ours[1:]] == ["environment failure"] * 2
    never = replace(trace, poses=(START,), actions=(), collisions=(), events=())
    assert [g.failure for g in goal_results(never)] == ["agent failure"] * 3


def test_an_episode_with_one_such_goal_is_scored_by_its_events() -> None:
    trace = langnav_trace("a", ALL_WON[:1], goals=GOALS[:1])
    assert [g.success for g in goal_results(trace)] == [True]
    assert METRICS["success"](trace) == METRICS["goal_sr"](trace) == 1.0


# ------------------------------------------------------------------------- metrics of the episode
def partly() -> Trace:
    return langnav_trace("a", [ALL_WON[0], Leg((1.0, 1.0)), ALL_WON[2]])


def test_episode_metrics_of_several_goals() -> None:
    won, half = score(langnav_trace("a", ALL_WON)), score(partly())
    assert (won["success"], won["goal_sr"], won["oracle_success"]) == (1.0, 1.0, 1.0)
    assert (half["success"], half["spl"]) == (0.0, 0.0)
    assert half["goal_sr"] == pytest.approx(2 / 3)
    assert won["spl"] == pytest.approx(1.0)
    assert won["goal_spl"] == pytest.approx(1.0)
    for name in ("soft_spl", "ndtw", "sdtw", "cls", "dtw_m"):
        assert won[name] is None
    left = math.dist((1.0, 1.0), CHAIR)
    assert half["navigation_error_m"] == pytest.approx(left / 3)
    assert won["navigation_error_m"] == 0.0


def test_spl_of_the_episode_is_the_sum_of_the_ways() -> None:
    """A detour on the second leg only: l and p of all three legs count together."""
    trace = langnav_trace("a", ALL_WON)
    goals = goal_results(trace)
    there = goals[1].begin
    off = replace(trace.poses[there], y=trace.poses[there].y - 1.0)
    poses = (*trace.poses[: there + 1], off, *trace.poses[there:])
    events = tuple(e if e.step < there else replace(e, step=e.step + 2) for e in trace.events)
    longer = replace(
        trace,
        poses=poses,
        actions=("left", "left", *trace.actions),
        collisions=(False, False, *trace.collisions),
        distances_m=(*trace.distances_m, 0.0, 0.0),
        events=events,
    )
    total = sum(g.shortest_m or 0.0 for g in goals)
    assert METRICS["spl"](longer) == pytest.approx(total / (total + 2.0))
    ways = [g.shortest_m or 0.0 for g in goals]
    expected = (1.0 + ways[1] / (ways[1] + 2.0) + 1.0) / 3
    assert METRICS["goal_spl"](longer) == pytest.approx(expected)


def test_oracle_success_asks_for_each_goal_while_it_was_in_force() -> None:
    """Passing the chair on the way to the box does not count once the chair's turn is over."""
    passed = Leg((1.0, 1.0))
    assert METRICS["oracle_success"](partly()) == 0.0
    near = langnav_trace("a", [ALL_WON[0], Leg((2.0, 1.8)), ALL_WON[2]])
    assert METRICS["oracle_success"](near) == 1.0
    late = langnav_trace("a", [ALL_WON[0], passed, Leg(CHAIR)])
    assert METRICS["oracle_success"](late) == 0.0


def test_an_agent_error_is_no_success_of_the_episode() -> None:
    """Even when every goal had ended: the rule of all metrics that build on success."""
    trace = replace(langnav_trace("a", ALL_WON), status="agent_error", reason="late")
    assert METRICS["success"](trace) == 0.0
    assert METRICS["goal_sr"](trace) == 1.0


# -------------------------------------------------------------------------------------- the table
def test_the_table_counts_a_goal_under_each_of_its_tags() -> None:
    """Nine episodes: the table (colour, material) is found in 6, the chair (bare) in 3, the box
    (size, support) in none."""
    episodes = []
    for k in range(9):
        legs = [
            Leg(HOME, won=k < 6),
            Leg(CHAIR, won=k < 3),
            Leg((0.5, 3.0), intents=((0, {**CLAIM, "by": "map"}),)),
        ]
        episodes.append(goal_results(langnav_trace("a", legs)))
    (row,) = goal_table({"mlfm@layers=1": episodes})
    assert (row.agent, row.episodes, row.goals, row.failed) == ("mlfm@layers=1", 9, 27, 18)
    assert row.sr.mean == pytest.approx(9 / 27)
    tags = row.cuts["tag"]
    assert list(tags) == [
        *("no", "colour", "size", "texture", "number", "material", "state", "modifier", "support")
    ]
    assert {name: i.mean for name, i in tags.items() if i.n} == pytest.approx(
        {"no": 3 / 9, "colour": 6 / 9, "size": 0.0, "material": 6 / 9, "support": 0.0}
    )
    assert {i.n for i in tags.values()} == {0, 9}
    assert {k: i.mean for k, i in row.cuts["attributes"].items()} == pytest.approx(
        {"0": 3 / 9, "2": 6 / 18}
    )
    assert [i.mean for i in row.cuts["order"].values()] == pytest.approx([6 / 9, 3 / 9, 0.0])
    assert row.failures == {"wrong goal on map": 9, "wrong claim": 9}
    assert row.spl_cuts["tag"]["colour"].mean == pytest.approx(6 / 9)  # straight to it: SPL is 1
    assert row.spl_cuts["order"]["3rd"].mean == 0.0
    assert row.sr.low < row.sr.mean < row.sr.high


def test_extended_and_unknown_tags_come_last_where_they_occur() -> None:
    goals = (with_tag(GOALS[0], coreference="it", smell="sweet", attributes=2), *GOALS[1:])
    found = goal_results(langnav_trace("a", ALL_WON, goals=goals))
    (row,) = goal_table({"a": [found]})
    assert list(row.cuts["tag"])[-2:] == ["coreference", "smell"]


def test_events_of_other_tasks_do_not_look_like_goals(make_trace) -> None:  # type: ignore[no-untyped-def]
    trace = replace(make_trace(), events=(Event(0, "stop", {"distance_m": 0.0}),))
    assert goal_results(trace) == ()
    assert goal_table({"a": [goal_results(trace)]})[0].goals == 0
