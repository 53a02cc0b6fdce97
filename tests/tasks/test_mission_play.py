"""Missions in the tiny flat: every kind of sub-task through the environment, and what ends one."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from mission_samples import (
    BYSTANDER,
    FOLLOW,
    LANDMARK,
    OBJECT,
    POINT,
    QUESTION,
    RETURN,
    ROBOT,
    ROOM,
    SPEC,
    WALK,
    WHOLE,
    Driver,
    make_env,
    mission,
)
from navproof.core.errors import EpisodeError
from navproof.core.types import (
    Answer,
    Event,
    Goal,
    Motion,
    Move,
    Pose,
    SubTask,
    Velocity,
    Walk,
    Waypoints,
)
from navproof.play.env import Env
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks.mission.rules import Mission
from navproof.tasks.protocol import SubTaskProgress
from navproof.testing import tiny_scene


@pytest.fixture(scope="module")
def env() -> Env:
    return make_env()


def play_whole(env: Env) -> Driver:
    driver = Driver(env, WHOLE)
    driver.answer("It is red.")
    driver.to(-0.6, 2.0).to(0.8, 2.0).to(2.0, 2.0).to(3.0, 2.0).to(2.2, 1.9)
    driver.follow(0).to(1.5, 1.9).to(0.0, 2.0).to(-1.0, 2.0).to(-3.0, 1.2)
    driver.stop()
    return driver


def test_every_kind_of_sub_task_is_done_in_order(env: Env) -> None:
    driver = play_whole(env)
    assert driver.done_indices() == [0, 1, 2, 3, 4, 5]
    kinds = [e.data["kind"] for e in driver.events if e.kind == "subtask_done"]
    assert kinds == [s.kind for s in WHOLE.subtasks]
    assert driver.kinds()[0] == "answer"
    assert driver.events[0] == Event(0, "answer", {"text": "It is red.", "right": True})
    assert driver.events[-1].kind == "stop"
    assert driver.events[-1].data["success"] is True
    steps = [e.step for e in driver.events]
    assert steps == sorted(steps)


def test_a_mission_is_the_same_when_played_again(env: Env) -> None:
    assert play_whole(env).events == play_whole(make_env()).events


@pytest.mark.parametrize(
    ("subtask", "stand", "short"),
    [
        (ROOM, (0.6, 2.0), (-0.6, 2.0)),
        (LANDMARK, (-3.0, 1.0), None),
        (OBJECT, (2.0, 2.0), (2.0, 1.7)),
        (POINT, (2.7, 2.0), (2.5, 2.0)),
    ],
)
def test_each_kind_alone(
    env: Env,
    subtask: SubTask,
    stand: tuple[float, float],
    short: tuple[float, float] | None,
) -> None:
    driver = Driver(env, mission(subtask))
    if short is not None:
        driver.to(0.0, 2.0) if short[0] > 0 else driver
        driver.to(*short)
        assert driver.done_indices() == []
    driver.to(*stand)
    assert driver.done_indices() == [0]


def test_a_room_must_be_entered_and_not_only_be_near(env: Env) -> None:
    driver = Driver(env, mission(ROOM))
    driver.to(-0.3, 2.0)
    distance = env.measure()["subtask.0.distance_m"]
    assert distance < 2.4
    assert driver.done_indices() == []
    driver.to(0.3, 2.0)
    assert driver.done_indices() == [0]


def test_a_later_sub_task_counts_only_after_the_earlier(env: Env) -> None:
    driver = Driver(env, mission(OBJECT, LANDMARK))  # begins at the landmark
    driver.to(-2.0, 1.0)
    assert driver.done_indices() == []
    driver.to(0.0, 2.0).to(2.0, 2.3)
    assert driver.done_indices() == [0]
    driver.to(0.0, 2.0).to(-1.0, 2.0)
    assert driver.done_indices() == [0, 1]


def test_one_step_may_complete_several(env: Env) -> None:
    driver = Driver(env, mission(LANDMARK, replace(LANDMARK, rooms=()), ROOM))
    first = driver.do(Move.LEFT)
    assert [e.data.get("index") for e in first.events] == [0, 1]


def test_return_needs_to_have_left(env: Env) -> None:
    driver = Driver(env, mission(RETURN))
    driver.to(-1.7, 1.0)
    assert env.measure()["subtask.0.distance_m"] < 2.0
    driver.to(-3.0, 1.0)
    assert driver.done_indices() == []
    assert driver.stop().events[-1].data["success"] is False
    driver = Driver(env, mission(RETURN)).to(-1.3, 1.0).to(-1.6, 1.0)
    assert driver.done_indices() == [0]
    assert driver.stop().events[-1].data["success"] is True


def test_leaving_counts_from_the_beginning_and_not_from_when_it_is_asked(env: Env) -> None:
    driver = Driver(env, mission(ROOM, RETURN)).to(0.0, 2.0).to(0.5, 2.0).to(0.0, 2.0)
    driver.to(-2.0, 1.2)
    assert driver.done_indices() == [0, 1]


# ------------------------------------------------------------------------------------- following
NEAR = mission(FOLLOW, people=(Walk("p1", WALK.appearance, ((-2.8, 1.0, 1.0), (-1.0, 1.0, 0.0))),))
ENDS_S = 1.0 + 1.8


@pytest.mark.parametrize(
    ("x", "yaw_deg", "expected"),
    [
        (-3.0, 0.0, "subtask_done"),
        (-3.0, 59.0, "subtask_done"),
        (-3.0, -61.0, "subtask_failed"),
        (-3.8, 0.0, "subtask_done"),  # 2.8 m
        (-2.1, 0.0, "subtask_done"),  # 1.1 m
        (-1.9, 0.0, "subtask_failed"),  # 0.9 m
    ],
)
def test_following_is_decided_when_she_stops_for_good(
    env: Env, x: float, yaw_deg: float, expected: str
) -> None:
    start = Pose(x, 2.5, 0.0, 0.0)  # beside her path; then moved to where it counts
    driver = Driver(env, replace(NEAR, start=start))
    driver.wait_until(ENDS_S - 0.5)
    assert driver.kinds() == []
    env.sim._pose = Pose(x, 1.0, 0.0, math.radians(yaw_deg))  # type: ignore[attr-defined]
    driver.wait_until(ENDS_S - 0.15)
    assert driver.kinds() == []
    env.sim._pose = Pose(x, 1.0, 0.0, math.radians(yaw_deg))  # type: ignore[attr-defined]
    driver.wait_until(ENDS_S + 1.0)
    assert driver.kinds() == [expected]
    event = driver.events[0]
    assert event.data == {"index": 0, "kind": "follow_human"}
    assert event.step == math.ceil(ENDS_S / 0.1 - 1e-6) - 1


def test_somebody_who_stopped_before_is_judged_when_it_is_her_turn(env: Env) -> None:
    late = replace(NEAR, subtasks=(POINT, FOLLOW), start=Pose(2.0, 2.0))
    driver = Driver(env, late).wait_until(5.0)
    assert driver.kinds() == []
    driver.to(2.9, 2.0)
    assert driver.kinds() == ["subtask_done", "subtask_failed"]
    assert driver.events[0].step == driver.events[1].step


def test_whoever_was_not_followed_cannot_be_any_more(env: Env) -> None:
    driver = Driver(env, replace(NEAR, subtasks=(FOLLOW, LANDMARK), start=Pose(-3.5, 3.5)))
    driver.face(-3.5, 9.9).wait_until(5.0)
    assert driver.kinds() == ["subtask_failed"]
    driver.face(-1.0, 1.0).wait_until(8.0)
    assert driver.kinds() == ["subtask_failed"]  # the landmark is near, and does not count
    assert env.task.goals() == ((-2.0, 2.7, 0.0),)


def test_somebody_who_rests_has_not_stopped_for_good(env: Env) -> None:
    walk = Walk("p1", WALK.appearance, ((-2.5, 1.0, 0.0), (-1.5, 1.0, 3.0), (-1.0, 1.0, 0.0)))
    driver = Driver(env, replace(NEAR, people=(walk,)))
    driver.wait_until(4.4)
    assert not env.sim.people()[0].moving or env.sim.time_s > 4.0
    assert driver.kinds() == []
    driver.wait_until(4.6)
    assert driver.kinds() == ["subtask_done"]


def test_the_way_to_somebody_leads_behind_her(env: Env) -> None:
    driver = Driver(env, replace(WHOLE, subtasks=(FOLLOW,), start=Pose(0.4, 2.0)))
    while not env.sim.people()[0].arrived:
        person = env.sim.people()[0]
        (x, y, _) = env.task.goals()[0]
        apart = math.hypot(person.pose.x - x, person.pose.y - y)
        assert 1.2 < apart < 2.7
        assert env.sim.is_navigable((x, y, 0.0))
        driver.do(Velocity(0.0, 0.0))
    assert env.task.goals()[0] == pytest.approx((1.4, 0.8, 0.0), abs=0.26)


def test_the_lead_tells_oracles_how_far_it_has_come(env: Env) -> None:
    driver = Driver(env, replace(NEAR, subtasks=(FOLLOW, ROOM)))
    assert env.task.lead() == SubTaskProgress(0, 2, "p1")  # type: ignore[attr-defined]
    driver.wait_until(ENDS_S + 0.1)
    assert driver.done_indices() == [0]
    assert env.task.lead() == SubTaskProgress(1, 2)  # type: ignore[attr-defined]
    driver.to(-1.0, 2.0).to(0.5, 2.0)
    assert env.task.lead() == SubTaskProgress(2, 2)  # type: ignore[attr-defined]


def test_the_way_to_a_thing_leads_into_its_room(env: Env) -> None:
    both = Goal("object", ((-0.5, 1.0, 0.0), (0.5, 1.0, 0.0)))
    env.reset(mission(replace(OBJECT, goal=both, rooms=(1,))))
    assert env.task.goals() == ((0.5, 1.0, 0.0),)
    env.reset(mission(replace(OBJECT, goal=both)))
    assert env.task.goals() == both.positions


# ---------------------------------------------------------------------------------------- people
def test_each_spell_too_near_to_somebody_is_an_intrusion(env: Env) -> None:
    driver = Driver(env, mission(ROOM, people=(BYSTANDER,)))
    driver.to(-3.2, 2.1)
    assert driver.kinds() == []
    driver.to(-3.2, 2.4).to(-3.2, 2.6)
    (event,) = driver.events
    assert (event.kind, event.data["person"]) == ("intrusion", "p2")
    assert 1.0 < event.data["distance_m"] < 1.2  # type: ignore[operator]
    driver.to(-3.2, 2.0).to(-3.2, 2.4)
    assert driver.kinds() == ["intrusion", "intrusion"]


def test_whom_one_follows_one_may_come_near(env: Env) -> None:
    driver = Driver(env, replace(NEAR, start=Pose(-3.6, 1.0)))
    assert env.measure()["subtask.0.distance_m"] == pytest.approx(0.8)
    driver.do(Velocity(0.0, 0.0))
    assert driver.kinds() == []


# ---------------------------------------------------------------------------------------- ending
def test_time_ends_a_mission(env: Env) -> None:
    driver = Driver(env, mission(ROOM, tags={"budget_s": 1.0}))
    driver.wait_until(0.95)
    assert len(driver.steps) == 10
    assert env.done
    assert (driver.kinds(), driver.events[-1].data["of"]) == (["timeout"], "time")
    with pytest.raises(EpisodeError, match="is over"):
        env.task.after_step(env.sim, Move.LEFT, None, 11)


def test_a_discrete_move_takes_its_time(env: Env) -> None:
    driver = Driver(env, mission(ROOM, tags={"budget_s": 1.0}))
    while not env.done:
        driver.do(Move.FORWARD)
    assert len(driver.steps) < 10


def test_steps_end_a_mission_that_takes_no_time(env: Env) -> None:
    driver = Driver(env, mission(ROOM, budget_steps=7, tags={"budget_s": 1.0}))
    while not env.done:
        assert driver.answer("red").motion is None
    assert driver.kinds() == ["answer"] * 7 + ["timeout"]
    assert driver.events[-1].data["of"] == "steps"
    assert env.sim.time_s == 0.0
    assert env.sim.pose == Pose(-3.5, 1.0)


def test_a_fall_ends_a_mission_and_completes_nothing() -> None:
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), ROBOT)
    sim.place(Pose(-3.5, 1.0))
    task = Mission(SPEC)
    task.start(sim, mission(LANDMARK))
    fell = Motion(sim.pose, True, 0.1, fell=True)
    (event,) = task.after_step(sim, Move.FORWARD, fell, 0)
    assert (event.kind, task.done()) == ("fall", True)


@pytest.mark.parametrize(("x", "success"), [(1.0, True), (0.98, False)])
def test_success_is_to_stop_near_the_last_goal_whatever_came_of_the_rest(
    env: Env, x: float, success: bool
) -> None:
    episode = mission(OBJECT, POINT, start=Pose(x, 2.0))
    driver = Driver(env, episode)
    (event,) = driver.stop().events
    assert event.data["success"] is success
    assert event.data["distance_m"] == pytest.approx(3.0 - x)


def test_answers_are_judged_and_the_robot_stays(env: Env) -> None:
    driver = Driver(env, mission(ROOM, question=QUESTION))
    driver.answer("blue")
    driver.answer("RED")
    assert [e.data["right"] for e in driver.events] == [False, True]
    nothing_asked = Driver(env, mission(ROOM))
    assert nothing_asked.answer("red").events == (Event(0, "answer", {"text": "red"}),)


# ----------------------------------------------------------------------- what is told and measured
def test_the_brief_tells_the_whole_mission_and_nothing_more(env: Env) -> None:
    brief, obs = env.reset(WHOLE)
    assert brief.instruction == obs.instruction == "Do it all. What colour is the table?"
    assert (brief.task, brief.control, brief.budget_steps) == ("mission-v1", "any", 2_000)
    assert brief.actions == (Move.FORWARD, Move.LEFT, Move.RIGHT, Move.STOP)
    assert brief.goal_category is None
    driver = Driver(env, WHOLE).to(-0.6, 2.0).to(0.8, 2.0)
    assert driver.done_indices() == [0]
    assert driver.steps[-1].observation.instruction == brief.instruction


def test_distances_are_along_the_floor_or_straight_as_the_rule_says(env: Env) -> None:
    start = Pose(-1.0, 3.5)
    goals = [replace(s, goal=replace(s.goal, positions=((1.0, 3.5, 0.0),))) for s in (ROOM, POINT)]
    env.reset(mission(*goals, FOLLOW, people=(WALK,), start=start))
    found = env.measure()
    assert found["subtask.1.distance_m"] == pytest.approx(2.0)
    assert found["subtask.0.distance_m"] > 3.0  # through the doorway
    assert found["subtask.2.distance_m"] == pytest.approx(math.dist((-1.0, 3.5), (1.0, 3.0)))
    assert (found["person.p1.x"], found["person.p1.y"]) == (1.0, 3.0)
    assert (found["time_s"], found["person.p1.moving"]) == (0.0, 0.0)
    assert sorted(found) == list(found)


def test_whether_the_robot_is_in_the_region_is_measured(env: Env) -> None:
    """With it and the distance the rule of a room can be checked on a trace alone."""
    driver = Driver(env, mission(ROOM, POINT, people=(WALK,)))
    assert env.measure()["subtask.0.inside"] == 0.0
    assert "subtask.1.inside" not in env.measure()
    driver.to(-0.6, 2.0).to(0.8, 2.0)
    assert env.measure()["subtask.0.inside"] == 1.0
    assert driver.done_indices() == [0]


def test_channels_follow_the_clock(env: Env) -> None:
    driver = Driver(env, replace(WHOLE, subtasks=(ROOM,)))
    driver.wait_until(15.0)
    found = env.measure()
    assert found["time_s"] == pytest.approx(15.0)
    assert found["person.p1.moving"] == 1.0
    assert found["person.p1.y"] == pytest.approx(2.0, abs=0.01)


def test_a_snapshot_is_exact(env: Env) -> None:
    driver = Driver(env, WHOLE).to(-0.6, 2.0).to(0.8, 2.0).to(2.0, 2.0).to(3.0, 2.0).to(2.2, 1.9)
    driver.wait_until(15.0)
    kept = env.snapshot()

    def finish() -> tuple[list[Event], dict[str, float], object]:
        env.restore(kept)
        driver.events.clear()
        driver.follow(0).to(1.5, 1.9)
        return list(driver.events), env.measure(), env.task.goals()

    first = finish()
    Driver(env, mission(ROOM)).to(-0.6, 2.0)  # another episode in between
    assert finish() == first
    assert [e.kind for e in first[0]] == ["subtask_done"]


# -------------------------------------------------------------------------------------- bad input
@pytest.mark.parametrize(
    ("episode", "why"),
    [
        (mission(ROOM, task="vln-v1"), "is of task vln-v1, not mission-v1"),
        (replace(mission(ROOM), subtasks=()), "needs sub-tasks"),
        (mission(FOLLOW), "sub-task 0 follows 'p1', who is not in the episode"),
        (mission(ROOM, replace(ROOM, rooms=(7,))), "sub-task 1 names room 7, which scene tiny"),
        (mission(replace(POINT, goal=FOLLOW.goal)), "sub-task 0 has no goal positions"),
        (mission(ROOM, instruction=None), "has no instruction"),
    ],
)
def test_what_is_no_mission_is_refused_in_one_line(env: Env, episode: object, why: str) -> None:
    with pytest.raises(EpisodeError, match=why) as caught:
        env.reset(episode)  # type: ignore[arg-type]
    assert str(caught.value).startswith("episode m")


def test_a_task_that_has_not_begun_knows_nothing() -> None:
    task = Mission(SPEC)
    assert not task.done()
    assert task.snapshot() is None
    task.restore(None)
    with pytest.raises(EpisodeError, match="no episode has been started"):
        task.goals()


def test_all_three_kinds_of_command_move_the_robot(env: Env) -> None:
    driver = Driver(env, mission(ROOM))
    for action in (Move.FORWARD, Velocity(0.5, 0.0), Waypoints(((1.0, 0.0),))):
        motion = driver.do(action).motion
        assert motion is not None
        assert motion.moved_m > 0.0
    assert driver.do(Answer("no idea")).motion is None
