"""The world goes on while an agent makes up its mind: closed forms, and what is recorded of it."""

from __future__ import annotations

import gzip
import math
import re
from dataclasses import replace

import numpy as np
import pytest

from clock_samples import KEY, PASSER, Script, played, session
from mission_samples import FOLLOW, LOOKS, POINT, RETURN, SPEC, mission, point
from navproof.agents.validate import as_decision
from navproof.agents.wire import decision_from, decision_to, pack, unpack
from navproof.core.errors import AgentError, SpecError
from navproof.core.types import Answer, Decision, Move, Velocity, Walk, Waypoints
from navproof.corruptions.condition import parse_condition
from navproof.log.actions import action_of, rounded_words
from navproof.log.moments import PASSED, step_collisions, unfolded
from navproof.log.storage import decode_trace, encode_trace
from navproof.log.trace import Trace
from navproof.metrics.catalogue import score
from navproof.play.clock import delay_s
from navproof.play.env import Env
from navproof.play.play import play
from navproof.play.seen import seen
from navproof.play.session import Session
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.robots import load_robot
from navproof.tasks import make_task
from navproof.tasks.mission.rules import Mission
from navproof.testing import tiny_scene
from navproof.verification.again import session_of, simulated_again
from navproof.verification.compare import difference

GO, STAND = Velocity(0.5, 0.0), Velocity(0.0, 0.0)
WAYS = Waypoints(((1.0, 0.0), (1.0, 0.6)))


def again(trace: Trace) -> Trace:
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), trace.spec.robot)
    kept = decode_trace(encode_trace(trace), "a trace")
    repeated = session_of(kept, sim, words_as_heard=False)
    simulated = decode_trace(encode_trace(simulated_again(repeated, kept)), "the same, simulated")
    found = difference(kept, simulated, over=repeated.done)
    assert found is None, found
    return simulated


# ------------------------------------------------------------------------------- what goes on
def test_a_robot_at_v_moves_v_times_the_delay_until_it_is_stopped() -> None:
    trace = played((GO, None), (STAND, 0.73), (STAND, 2.0), (STAND, None))
    x = [pose.x for pose in trace.poses]
    assert x[1] - x[0] == pytest.approx(0.05, abs=1e-6)
    assert x[2] - x[1] == pytest.approx(0.5 * 0.73, abs=1e-5)
    assert x[3] == x[2]  # it was told to stand: it did, for two seconds
    assert trace.delays.took_s == (0.0, 0.73, 2.0, 0.0, 0.0)
    assert trace.delays.slices == (0, 8, 20, 0, 0)
    inside = [pose.x for pose in trace.delays.poses[:8]]
    steps = np.diff([x[1], *inside])
    assert steps == pytest.approx([0.05] * 7 + [0.015], abs=2e-6)
    times = trace.channels["time_s"]
    assert times == pytest.approx((0.0, 0.1, 0.93, 3.03, 3.13, 3.13), abs=1e-9)


def test_a_robot_under_discrete_moves_stands() -> None:
    trace = played((Move.FORWARD, 1.0), (Move.LEFT, 0.55), (Move.STOP, 3.0))
    assert trace.delays.slices == (10, 6, 30)
    assert len({(p.x, p.y, p.yaw) for p in (trace.poses[0], *trace.delays.poses[:10])}) == 1
    assert len({(p.x, p.y) for p in (trace.poses[1], *trace.delays.poses[10:])}) == 1


def test_waypoints_are_followed_while_the_agent_thinks() -> None:
    trace = played((WAYS, None), (Answer("red"), 1.0), (STAND, 5.0), (STAND, None))
    end = (trace.poses[0].x + 1.0, trace.poses[0].y + 0.6)
    assert math.dist((trace.poses[-1].x, trace.poses[-1].y), end) < 0.06
    assert trace.poses[2].x - trace.poses[1].x > 0.8  # an answer stops nobody


def test_people_walk_on_for_exactly_the_delay() -> None:
    trace = played((STAND, 0.61), (STAND, 0.1), episode=mission(POINT, people=(PASSER,)))
    x = trace.channels["person.p1.x"]
    assert x[0] - x[1] == pytest.approx(0.8 * 0.71, abs=1e-9)
    assert x[1] - x[2] == pytest.approx(0.8 * 0.2, abs=1e-9)
    told = trace.delays.channels["person.p1.x"]
    assert x[0] - np.array(told[:7]) == pytest.approx(0.8 * np.array([*range(1, 7), 6.1]) / 10)


def test_a_person_runs_into_a_robot_that_thinks_and_the_agent_is_told() -> None:
    at = Walk("p1", LOOKS[0], ((-1.5, 1.0, 0.0), (-3.5, 1.0, 0.0)))
    script = Script((STAND, None), (STAND, 3.0), (STAND, None))
    trace = play(session(), script, mission(POINT, people=(at,)))
    assert trace.collisions == (False, False, False, False)
    assert any(trace.delays.collisions)
    assert step_collisions(trace) == (False, True, False, False)
    assert [obs.collided for obs in script.seen] == [False, False, True, False]
    scores = score(trace)
    assert (scores["collisions"], scores["collision_rate"]) == (1.0, 0.25)


def test_time_is_told_to_the_agent_and_so_is_the_clock() -> None:
    script = Script((GO, 0.25), (Move.FORWARD, None), (STAND, 0.5))
    play(session(), script, mission(POINT))
    assert [obs.time_s for obs in script.seen] == pytest.approx([0.0, 0.35, 0.6, 1.2], abs=1e-9)
    assert script.brief.clock == "declared"


# ---------------------------------------------------------------------------- what is judged
def test_a_goal_is_reached_in_passing() -> None:
    trace = played((GO, None), (STAND, 4.0), episode=mission(SUB))
    (event,) = (e for e in trace.events if e.kind == "subtask_done")
    assert event.step == 1
    # 1.0 m ahead, near enough within 0.36 m, passed at 0.5 m/s: 0.64 m after 1.28 s, 0.1 s of
    # them in the first action.
    assert event.in_delay == math.ceil((0.64 / 0.5 - 0.1) * 10) - 1
    assert score(trace)["csr"] == 1.0
    assert score(trace)["sgc"] == 1.0
    assert score(trace)["oracle_success"] == 1.0


SUB = replace(POINT, goal=point(-2.5, 1.0))


def test_the_budget_of_time_runs_out_while_the_agent_thinks_and_it_stops_too_late() -> None:
    short = mission(RETURN, tags={"budget_s": 2.0})
    trace = played((STAND, None), (Move.STOP, 5.0), episode=short)
    assert trace.status == "ok"
    assert trace.actions == ("velocity 0.0 0.0", "late stop")
    assert trace.delays.took_s == (0.0, 5.0)
    assert trace.channels["time_s"][-1] == pytest.approx(2.0)
    event = trace.events[-1]
    assert (event.kind, event.step, event.in_delay, event.data["of"]) == ("timeout", 1, 18, "time")
    near = mission(SUB, tags={"budget_s": 2.0})
    there = played((Move.STOP, 1.9), episode=near)
    late = played((Move.STOP, 2.1), episode=near)
    assert (score(there)["success"], score(late)["success"]) == (1.0, 0.0)
    assert score(late)["stuck"] == 1.0  # at the goal, and never stopped in time
    assert action_of("late velocity 0.5 0.25") == Velocity(0.5, 0.25)
    assert rounded_words("late velocity 0.123456789 0.0") == "late velocity 0.123457 0"


def test_steps_count_actions_only() -> None:
    trace = played(*(((STAND, 1.0),) * 9), episode=mission(POINT, budget_steps=5))
    assert len(trace.actions) == 5
    assert trace.events[-1].data["of"] == "steps"
    assert trace.channels["time_s"][-1] == pytest.approx(5.5)


def test_a_robot_that_falls_while_the_agent_thinks_lies() -> None:
    h1 = load_robot("h1")
    lines = ((Velocity(1.0, 0.0), None), (Velocity(1.0, 0.0), 2.0), (STAND, 4.0), (GO, None))
    trace = play(session(robot=h1), Script(*lines), mission(POINT))
    assert trace.events[-1].kind == "fall"  # it ran into something
    assert trace.events[-1].in_delay == trace.delays.slices[-1] - 1 < 39
    assert trace.actions == (*("velocity 1.0 0.0",) * 2, "late velocity 0.0 0.0")
    again(trace)
    spec = replace(make_task("pointnav-v1").spec, robot=h1, control="velocity", clock="declared")
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), h1)
    plain = make_task("pointnav-v1", spec)
    there = replace(mission(SUB), task="pointnav-v1", subtasks=())
    fallen = play(Session(Env(sim, plain, ("pose",)), KEY), Script(*lines), there)
    assert (fallen.events[-1].kind, fallen.actions[-1][:4]) == ("fall", "late")


# -------------------------------------------------------------------- what is measured over time
def test_nearness_is_measured_during_a_delay_and_not_only_at_its_end() -> None:
    """Somebody passes at 0.8 m, and is nearer than 1.2 m for 2·√(1.2² − 0.8²) m of her way."""
    walk = replace(PASSER, path=((0.0, 1.8, 0.0), (0.0, 1.8, 0.0)))
    walk = Walk("p1", LOOKS[0], ((-0.5, 2.2, 0.0), (-3.6, 2.2, 0.0)), speed_m_s=0.8)
    begin = replace(mission(POINT, people=(walk,)), start=replace(mission(POINT).start, x=-2.2))
    begin = replace(begin, start=replace(begin.start, y=1.4))
    trace = played((STAND, None), (Move.STOP, 3.8), episode=begin)
    near_s = 2.0 * math.sqrt(1.2**2 - 0.8**2) / 0.8
    assert score(trace)["sii"] == pytest.approx(near_s / 3.9, abs=0.1 / 3.9)
    (intrusion,) = (e for e in trace.events if e.kind == "intrusion")
    reaches_s = (1.7 - 1.2 * math.sqrt(1 - (0.8 / 1.2) ** 2)) / 0.8
    assert intrusion.in_delay == math.ceil((reaches_s - 0.1) * 10) - 1


def test_following_is_measured_during_a_delay() -> None:
    """She walks away at 0.5 m/s from 1.5 m ahead: until she is 3 m away, she is followed rightly
    by a robot that only thinks; then no longer."""
    walk = Walk("p1", LOOKS[0], ((-2.0, 1.0, 0.0), (-0.2, 1.0, 0.0)), speed_m_s=0.5)
    episode = mission(FOLLOW, people=(walk,))
    trace = played((STAND, None), (STAND, 5.0), episode=episode)
    decided = next(e for e in trace.events if e.kind == "subtask_failed")
    assert decided.in_delay == round(3.6 * 10) - 1 - 1  # after 1.8 m, 0.1 s of them in the action
    scores = score(trace)
    assert scores["hfs"] == 0.0
    assert scores["hfr"] == pytest.approx(3.0 / 3.6, abs=0.1 / 3.6)


def test_what_a_followed_person_pauses_for_is_seen_in_a_delay() -> None:
    walk = Walk("p1", LOOKS[0], ((-2.0, 1.0, 0.0), (-1.4, 1.0, 1.0), (-0.9, 1.0, 0.0)))
    trace = played((STAND, None), (STAND, 4.0), episode=mission(FOLLOW, people=(walk,)))
    assert score(trace)["pause_wait"] == 1.0
    assert score(trace)["hfs"] == 1.0


def test_the_way_of_a_delay_is_part_of_the_way() -> None:
    trace = played((WAYS, None), (STAND, 5.0), (STAND, None))
    assert score(trace)["path_length_m"] == pytest.approx(1.74, abs=0.01)  # as in one command
    whole = unfolded(trace)
    assert whole.actions.count(PASSED) == sum(trace.delays.slices) == 50
    assert len(whole.poses) == len(whole.actions) + 1
    assert all(len(v) == len(whole.poses) for v in whole.channels.values())
    assert unfolded(whole) is whole


# ----------------------------------------------------------------------------- what is recorded
def test_a_world_that_waits_is_what_it_was_to_the_byte() -> None:
    lines = ((GO, 0.3), (Move.FORWARD, 1.0), (WAYS, 0.5))
    silent = tuple((action, None) for action, _ in lines)
    episode = mission(POINT, people=(PASSER,))
    waits = replace(played(*lines, episode=episode, clock="wait"), timing={})
    says_nothing = replace(played(*silent, episode=episode, clock="wait"), timing={})
    assert encode_trace(waits) == encode_trace(says_nothing)
    assert waits.trace_version == 2
    told = gzip.decompress(encode_trace(waits))
    assert not any(word in told for word in (b'"delays"', b'"in_delay"', b'"clock"'))
    assert unfolded(waits) is waits
    goes_on = played(*silent, episode=episode)
    assert (goes_on.poses, goes_on.channels) == (waits.poses, waits.channels)
    assert goes_on.trace_version == 3


@pytest.mark.parametrize("robot", ["carter", "h1", None])
def test_a_trace_gives_the_same_again_and_an_edited_one_does_not(robot: str | None) -> None:
    body = SPEC.robot if robot is None else load_robot(robot)
    lines = ((WAYS, 0.2), (WAYS, 0.333333), (Move.LEFT, 0.7), (GO, 0.1), (GO, 1.25), (STAND, 0.4))
    trace = play(session(robot=body), Script(*lines), mission(POINT, people=(PASSER,)))
    again(trace)
    for edited, told in (
        (
            replace(trace.delays, took_s=(0.2, 0.333334, *trace.delays.took_s[2:])),
            "step 2: '.*' in the delay before the action is .* in the trace, .* simulated",
        ),
        (
            replace(trace.delays, collisions=(True, *trace.delays.collisions[1:])),
            "step 1: colliding in the delay before the action is True in the trace, False sim",
        ),
        (
            replace(trace.delays, took_s=(0.4, *trace.delays.took_s[1:])),
            "step 1: the number of slices so far in the delay before the action is 2 in",
        ),
    ):
        sim = EmbeddedSimulator()
        sim.load(tiny_scene(), body)
        wrong = replace(trace, delays=edited)
        one = session_of(wrong, sim, words_as_heard=False)
        found = difference(wrong, simulated_again(one, wrong), over=one.done)
        assert found is not None
        assert re.search(told, found.what)


def test_a_condition_goes_on_too() -> None:
    name = "camera_tilt+frame_drop+odometry_drift+wheel_slip"
    lines = ((WAYS, 0.2), (GO, 0.55), (Velocity(0.4, 0.5), 0.3), (Move.LEFT, 0.7), (GO, 1.25))
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), SPEC.robot)
    task = Mission(replace(SPEC, clock="declared"))
    env = Env(sim, task, ("rgb", "pose"), condition=parse_condition(name), seed=3)
    script, key = Script(*lines), replace(KEY, condition=name, seed=3)
    trace = play(Session(env, key, timed=False), script, mission(POINT, people=(PASSER,)))
    straight = played(*lines, episode=mission(POINT, people=(PASSER,)))
    assert trace.delays.poses != straight.delays.poses
    again(trace)
    given = seen(trace, range(len(trace.actions)), tiny_scene())
    for then, now in zip(script.seen, given, strict=True):
        assert all(np.array_equal(then.readings[n], now.readings[n]) for n in then.readings)


def test_a_state_goes_on_the_same() -> None:
    lines = ((WAYS, 0.15), (WAYS, 0.4), (Answer("red"), 0.9), (GO, 0.33), (STAND, 0.8))
    one = session()
    one.begin(mission(POINT, people=(PASSER,)))
    kept = None
    for index, (action, took_s) in enumerate(lines):
        if index == 2:
            kept = one.snapshot()
        one.step(Decision(action, took_s=took_s))
    first = encode_trace(one.trace())
    assert kept is not None
    one.restore(kept)
    for action, took_s in lines[2:]:
        one.step(Decision(action, took_s=took_s))
    assert encode_trace(one.trace()) == first


def test_what_an_agent_was_given_comes_back_bit_for_bit() -> None:
    lines = ((GO, 0.25), (WAYS, 0.9), (Move.LEFT, 0.0), (Move.FORWARD, 1.1), (Answer("red"), 0.4))
    script = Script(*lines)
    episode = mission(POINT, people=(PASSER,))
    trace = play(session(sensors=("rgb", "pose")), script, episode)
    given = seen(trace, range(len(trace.actions)), tiny_scene())
    for then, now in zip(script.seen, given, strict=True):
        assert (then.step, then.collided, then.time_s) == (now.step, now.collided, now.time_s)
        for name, reading in then.readings.items():
            assert np.array_equal(reading, now.readings[name]), (then.step, name)


def test_an_episode_that_ends_in_a_delay_can_be_seen_to_its_end() -> None:
    script = Script((GO, 0.25), (Move.STOP, 5.0))
    episode = mission(POINT, people=(PASSER,), tags={"budget_s": 1.0})
    trace = play(session(sensors=("rgb", "pose")), script, episode)
    (last,) = seen(trace, [2], tiny_scene())
    assert last.pose is not None
    assert last.pose[0] == pytest.approx(trace.poses[-1].x - trace.poses[0].x)


# ------------------------------------------------------------------------------------- clocks
def test_what_the_judge_waited_for_is_recorded_to_the_microsecond_and_given_again() -> None:
    one = session("measured")
    one.begin(mission(POINT, people=(PASSER,)))
    for act_s in (0.123456789, 0.05, 0.2):
        one.step(Decision(GO, took_s=9.0), act_s=act_s)
    one.step(Decision(Move.STOP), act_s=0.01)
    trace = one.trace()
    assert trace.delays.took_s == (0.123457, 0.05, 0.2, 0.01)
    assert again(trace).delays == trace.delays


@pytest.mark.parametrize(
    ("clock", "step", "expected"),
    [("wait", 0, 0.0), ("declared", 0, 0.4), ("measured", 0, 0.7)],
)
def test_each_clock_has_its_own_delay(clock: str, step: int, expected: float) -> None:
    assert delay_s(clock, Decision(GO, took_s=0.4), 0.7, step) == expected  # type: ignore[arg-type]


def test_recorded_delays_stand_and_beyond_them_their_median_does() -> None:
    told = [delay_s("measured", Decision(GO), 9.0, s, (0.1, 0.5, 0.2)) for s in range(5)]
    assert told == [0.1, 0.5, 0.2, 0.2, 0.2]
    assert delay_s("measured", Decision(GO), 9.0, 0, ()) == 0.0
    assert delay_s("declared", Decision(GO), 9.0, 0) == 0.0


# --------------------------------------------------------------------------------- declarations
@pytest.mark.parametrize(
    "took_s", [math.nan, math.inf, -0.001, 601.0, "0.3", True, (0.3,), np.array([0.1, 0.2])]
)
def test_a_time_that_is_none_is_refused_in_a_line(took_s: object) -> None:
    brief = Mission(SPEC).brief(mission(POINT), ("pose",))
    with pytest.raises(AgentError, match=r"took_s is .*; it must be None or seconds from 0 to 600"):
        as_decision(Decision(GO, took_s=took_s), brief)  # type: ignore[arg-type]


@pytest.mark.parametrize("took_s", [None, 0, 0.25, np.float32(0.5), 600])
def test_a_time_travels(took_s: float | None) -> None:
    brief = Mission(SPEC).brief(mission(POINT), ("pose",))
    decision = as_decision(Decision(GO, took_s=took_s), brief)
    plain = unpack(pack(decision_to(decision)))
    assert ("took_s" in plain) == (took_s is not None)
    assert decision_from(plain) == decision


def test_a_simulator_without_it_is_refused_before_anything_happens() -> None:
    class Still:
        pass

    spec = replace(SPEC, clock="declared")
    with pytest.raises(SpecError, match="no go_on"):
        Env(Still(), Mission(spec), ())  # type: ignore[arg-type]
