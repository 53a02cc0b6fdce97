"""The rules of the tasks with one goal at their thresholds, on a flat where distances have closed
forms. (LangNav and missions have several: test_langnav_rules, test_mission_play.)"""

from __future__ import annotations

from dataclasses import replace

import pytest

from navproof.core.errors import EpisodeError, SpecError, UnknownNameError
from navproof.core.types import Answer, Episode, Goal, Instruction, Motion, Move, Pose
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import TASKS, make_task, spec_for
from navproof.testing import tiny_scene

GOAL = (-2.0, 1.0, 0.0)
ONE_GOAL = [task for task in TASKS if task not in ("langnav-v1", "mission-v1")]


@pytest.fixture(scope="module")
def sim() -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), spec_for("vln-v1").robot)
    return sim


def episode(task: str, budget: int = 500) -> Episode:
    kind = "object" if task == "objectnav-v1" else "point"
    category = "potted plant" if task == "objectnav-v1" else None
    return Episode(
        episode_id="e",
        task=task,
        scene="tiny",
        start=Pose(-3.5, 1.0),
        goals=(Goal(kind, (GOAL,), category),),
        geodesic_m=1.5,
        reference_path=((-3.5, 1.0, 0.0), GOAL),
        budget_steps=budget,
        seed=5,
        instruction=Instruction("Walk on and stop.") if task == "vln-v1" else None,
    )


@pytest.mark.parametrize("task_id", ONE_GOAL)
@pytest.mark.parametrize(("off_m", "success"), [(-1e-4, True), (0.0, True), (1e-3, False)])
def test_stop_succeeds_up_to_the_threshold(sim, task_id, off_m, success):
    task = make_task(task_id)
    threshold = task.spec.success_m
    far = threshold + off_m
    # VLN's three metres do not fit west of the wall along x, so its goal lies to the west
    goal = (-3.7, 1.0, 0.0) if task_id == "vln-v1" else GOAL
    one = replace(episode(task_id), goals=(replace(episode(task_id).goals[0], positions=(goal,)),))
    sim.place(Pose(goal[0] + far, 1.0))
    task.start(sim, one)
    (event,) = task.after_step(sim, Move.STOP, None, 0)
    tolerance = 0.02 if far > 0.5 else 1e-6
    assert event.kind == "stop"
    assert event.data["distance_m"] == pytest.approx(far, abs=tolerance)
    if far < 0.5:
        assert event.data["success"] is success
    assert task.done()


@pytest.mark.parametrize("task_id", ONE_GOAL)
def test_distance_is_along_the_floor_not_through_the_wall(sim, task_id):
    task = make_task(task_id)
    near = replace(episode(task_id).goals[0], positions=((0.3, 0.3, 0.0),))
    sim.place(Pose(-0.3, 0.3))
    task.start(sim, replace(episode(task_id), goals=(near,)))
    (event,) = task.after_step(sim, Move.STOP, None, 0)
    assert event.data["distance_m"] > 2.3  # 0.6 m through the wall


@pytest.mark.parametrize("task_id", ONE_GOAL)
def test_the_budget_ends_with_timeout_exactly(sim, task_id):
    task = make_task(task_id)
    sim.place(Pose(-3.5, 1.0))
    task.start(sim, episode(task_id, budget=3))
    assert task.after_step(sim, Move.LEFT, sim.apply(Move.LEFT), 0) == []
    assert task.after_step(sim, Answer("blue"), None, 1) == []
    assert not task.done()
    (event,) = task.after_step(sim, Move.LEFT, sim.apply(Move.LEFT), 2)
    assert (event.kind, event.step, task.done()) == ("timeout", 2, True)
    with pytest.raises(EpisodeError, match="over"):
        task.after_step(sim, Move.LEFT, None, 3)


def test_a_stop_on_the_last_step_is_a_stop(sim):
    task = make_task("pointnav-v1")
    sim.place(Pose(-2.0, 1.0))
    task.start(sim, episode("pointnav-v1", budget=1))
    (event,) = task.after_step(sim, Move.STOP, None, 0)
    assert event.kind == "stop"
    assert event.data["success"] is True


def test_the_smaller_budget_rules():
    spec = replace(spec_for("pointnav-v1"), budget_steps=7)
    assert make_task("pointnav-v1", spec).brief(episode("pointnav-v1"), ()).budget_steps == 7


def test_briefs_tell_what_each_agent_may_know(sim):
    sim.place(Pose(-3.5, 1.0))
    texts = {}
    for task_id in ONE_GOAL:
        task = make_task(task_id)
        task.start(sim, episode(task_id))
        brief = task.brief(episode(task_id), ())
        texts[task_id] = brief.instruction
        assert brief.labels is None
        assert {s.kind for s in brief.sensors}.isdisjoint({"semantic", "expert"})
        assert task.brief(episode(task_id), ("rgb", "semantic")).labels == dict(sim.scene.labels)
        assert brief.instruction == task.instruction()
    assert texts["objectnav-v1"] == "Find a potted plant."
    assert texts["vln-v1"] == "Walk on and stop."
    task = make_task("objectnav-v1")
    assert task.brief(episode("objectnav-v1"), ()).goal_category == "potted plant"


def test_snapshots_bring_back_steps_and_end(sim):
    task = make_task("pointnav-v1")
    sim.place(Pose(-3.5, 1.0))
    task.start(sim, episode("pointnav-v1", budget=2))
    before = task.snapshot()
    task.after_step(sim, Move.STOP, None, 0)
    assert task.done()
    task.restore(before)
    assert not task.done()
    assert task.after_step(sim, Move.LEFT, None, 0) == []
    (event,) = task.after_step(sim, Move.LEFT, None, 1)
    assert event.kind == "timeout"


def test_wrong_use_is_said_in_one_line(sim):
    task = make_task("pointnav-v1")
    with pytest.raises(EpisodeError, match="no episode"):
        task.instruction()
    with pytest.raises(EpisodeError, match="not pointnav-v1"):
        task.start(sim, episode("vln-v1"))
    with pytest.raises(SpecError, match="no sensor 'sonar'"):
        task.brief(episode("pointnav-v1"), ("sonar",))
    with pytest.raises(UnknownNameError, match="did you mean 'pointnav-v1'"):
        make_task("pointnav-v2")
    with pytest.raises(EpisodeError, match="instruction"):
        make_task("vln-v1").brief(replace(episode("vln-v1"), instruction=None), ())


@pytest.mark.parametrize("task_id", ONE_GOAL)
def test_a_fall_ends_the_episode(sim, task_id):
    task = make_task(task_id)
    sim.place(Pose(*GOAL))
    task.start(sim, episode(task_id))
    (event,) = task.after_step(sim, Move.FORWARD, Motion(sim.pose, True, 0.1, fell=True), 3)
    assert (event.step, event.kind, task.done()) == (3, "fall", True)
