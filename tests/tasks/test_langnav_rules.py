"""LangNav's rules step by step, on a flat where distances have closed forms.

The table's box covers x −2.5 … −1.5 and y 3.1 … 3.7, the chair's x 1.75 … 2.25 and y 3.25 … 3.75.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from navproof.agents.baselines.oracle import Oracle
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import EpisodeError
from navproof.core.types import Answer, Episode, Goal, Move, Pose
from navproof.log.trace import TraceKey
from navproof.play.env import Env
from navproof.play.play import play as play_session
from navproof.play.session import Session
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for
from navproof.tasks.langnav.rules import LangNav

TABLE, CHAIR, CRATE = 10, 11, 12
BELOW_TABLE = (-2.0, 2.4, 0.0)
BELOW_CHAIR = (2.0, 2.6, 0.0)
BY_CRATE = (2.7, 0.5, 0.0)


@pytest.fixture(scope="module")
def sim() -> EmbeddedSimulator:
    return tiny_simulator("langnav-v1")


def goal(text: str, category: str, thing: int, *views: tuple[float, float, float]) -> Goal:
    return Goal("object", views, category, (thing,), text)


def episode(budget: int = 1500) -> Episode:
    return Episode(
        episode_id="e",
        task="langnav-v1",
        scene="tiny",
        start=Pose(-3.0, 1.0),
        goals=(
            goal("Find the red table.", "table", TABLE, BELOW_TABLE),
            goal("Now the blue chair.", "chair", CHAIR, BELOW_CHAIR),
            goal("Go to the box.", "box", CRATE, BY_CRATE),
        ),
        geodesic_m=2.0,
        reference_path=(),
        budget_steps=budget,
        seed=5,
    )


def started(sim: EmbeddedSimulator, at: Pose, budget: int = 1500) -> LangNav:
    task = make_task("langnav-v1")
    assert isinstance(task, LangNav)
    sim.place(at)
    task.start(sim, episode(budget))
    return task


def test_the_brief_tells_the_first_goal_alone(sim):
    task = started(sim, Pose(-3.0, 1.0))
    brief = task.brief(episode(), ())
    assert brief.instruction == "Find the red table."
    assert brief.actions == (Move.FORWARD, Move.LEFT, Move.RIGHT, Move.FOUND)
    assert (brief.budget_steps, brief.goal_count, brief.goal_category) == (500, 3, None)
    assert [s.name for s in brief.sensors] == ["rgb", "depth", "pose"]


def test_three_goals_are_revealed_one_at_a_time(sim):
    task = started(sim, Pose(*BELOW_TABLE))
    assert (task.instruction(), task.goals()) == ("Find the red table.", (BELOW_TABLE,))
    assert task.after_step(sim, Move.LEFT, sim.apply(Move.LEFT), 0) == []
    found, reveal = task.after_step(sim, Move.FOUND, None, 1)
    assert (found.kind, found.step, found.data["goal"], found.data["success"]) == (
        *("found", 1, 0),
        True,
    )
    assert found.data["distance_m"] == pytest.approx(0.7)
    assert found.data["viewpoint_m"] == pytest.approx(0.0)
    assert (reveal.kind, reveal.step, reveal.data["goal"]) == ("reveal", 1, 1)
    assert reveal.data["geodesic_m"] == pytest.approx(4.0, abs=0.15)  # through the doorway
    assert (task.instruction(), task.goals()) == ("Now the blue chair.", (BELOW_CHAIR,))
    # a wrong claim ends the goal as well, and the episode goes on
    found, reveal = task.after_step(sim, Move.FOUND, None, 2)
    assert (found.data["goal"], found.data["success"]) == (1, False)
    assert found.data["distance_m"] == pytest.approx(math.hypot(3.75, 0.85))
    assert found.data["viewpoint_m"] == pytest.approx(4.0, abs=0.15)
    assert not task.done()
    sim.place(Pose(*BY_CRATE))
    (found,) = task.after_step(sim, Move.FOUND, None, 3)
    assert (found.data["goal"], found.data["success"], task.done()) == (2, True, True)
    assert task.instruction() == "Go to the box."
    with pytest.raises(EpisodeError, match="over"):
        task.after_step(sim, Move.LEFT, None, 4)


@pytest.mark.parametrize(("y", "success"), [(1.6, True), (1.599, False)])
def test_within_a_metre_and_a_half_of_the_object(sim, y, success):
    """A viewpoint is at hand, so the straight distance to the box decides: 3.1 − y."""
    task = started(sim, Pose(-2.0, y))
    near = replace(episode().goals[0], positions=((-2.0, 1.6, 0.0),))
    task.start(sim, replace(episode(), goals=(near,)))
    (found,) = task.after_step(sim, Move.FOUND, None, 0)
    assert found.data["distance_m"] == pytest.approx(3.1 - y)
    assert found.data["success"] is success


@pytest.mark.parametrize(("x", "success"), [(-3.0, True), (-3.01, False)])
def test_within_a_metre_of_a_viewpoint(sim, x, success):
    """The object is at hand, so the way to the viewpoint (−2, 2.4) decides."""
    task = started(sim, Pose(x, 2.4))
    found, _ = task.after_step(sim, Move.FOUND, None, 0)
    assert found.data["distance_m"] < 1.5
    assert found.data["viewpoint_m"] == pytest.approx(-2.0 - x, abs=1e-6)
    assert found.data["success"] is success


def test_nothing_is_found_through_a_wall(sim):
    """From behind the wall the table is 1.8 m away straight, but its viewpoint is round the
    corner; a generous radius does not help."""
    task = LangNav(replace(spec_for("langnav-v1"), success_m=3.0))
    sim.place(Pose(0.3, 3.4))
    task.start(sim, episode())
    found, _ = task.after_step(sim, Move.FOUND, None, 0)
    assert found.data["distance_m"] == pytest.approx(1.8)
    assert found.data["viewpoint_m"] > 2.0
    assert found.data["success"] is False


def test_the_budget_is_per_goal_and_ends_it(sim):
    task = started(sim, Pose(-3.0, 1.0), budget=6)
    assert task.brief(episode(6), ()).budget_steps == 2
    assert task.after_step(sim, Answer("blue"), None, 0) == []
    timeout, reveal = task.after_step(sim, Move.LEFT, None, 1)
    assert (timeout.kind, timeout.step, timeout.data["goal"]) == ("goal_timeout", 1, 0)
    assert "success" not in timeout.data
    assert timeout.data["distance_m"] == pytest.approx(math.hypot(0.5, 2.1))
    assert reveal.data["goal"] == 1
    assert task.after_step(sim, Move.LEFT, None, 2) == []
    found, _ = task.after_step(sim, Move.FOUND, None, 3)  # on the goal's last step
    assert (found.kind, found.data["goal"]) == ("found", 1)
    assert task.after_step(sim, Move.LEFT, None, 4) == []
    (timeout,) = task.after_step(sim, Move.LEFT, None, 5)
    assert (timeout.kind, timeout.data["goal"], task.done()) == ("goal_timeout", 2, True)


def test_snapshots_bring_back_goal_and_steps(sim):
    task = started(sim, Pose(-3.0, 1.0), budget=6)
    task.after_step(sim, Move.FOUND, None, 0)
    task.after_step(sim, Move.LEFT, None, 1)
    held = task.snapshot()
    first = [task.after_step(sim, Move.LEFT, None, 2), task.after_step(sim, Move.LEFT, None, 3)]
    assert task.instruction() == "Go to the box."
    task.restore(held)
    assert task.instruction() == "Now the blue chair."
    again = [task.after_step(sim, Move.LEFT, None, 2), task.after_step(sim, Move.LEFT, None, 3)]
    assert again == first


def test_the_nearest_of_all_goal_objects_counts(sim):
    task = started(sim, Pose(2.0, 2.6))
    both = replace(
        episode().goals[0], object_ids=(TABLE, CHAIR), positions=(BELOW_TABLE, BELOW_CHAIR)
    )
    task.start(sim, replace(episode(), goals=(both,)))
    (found,) = task.after_step(sim, Move.FOUND, None, 0)
    assert found.data["distance_m"] == pytest.approx(0.65)
    assert found.data["success"] is True


def test_the_agent_hears_and_the_expert_follows_the_goal_in_force(sim):
    env = Env(sim, make_task("langnav-v1"), ("pose", "expert"))
    brief, obs = env.reset(episode())
    assert (brief.goal_count, obs.instruction) == (3, "Find the red table.")
    east, north = obs.expert[-1]  # the start faces +x: the episode frame is the world's, moved
    assert (east - 3.0, north + 1.0) == pytest.approx(BELOW_TABLE[:2])
    taken = env.step(Move.FOUND)
    assert taken.observation.instruction == "Now the blue chair."
    east, north = taken.observation.expert[-1]
    assert (east - 3.0, north + 1.0) == pytest.approx(BELOW_CHAIR[:2])
    assert env.distance_to_goal() == pytest.approx(sim.geodesic((-3, 1, 0), (BELOW_CHAIR,)))


def test_the_oracle_finds_every_goal(sim):
    env = Env(sim, make_task("langnav-v1"), Oracle.sensors)
    trace = play_session(Session(env, TraceKey("oracle", "e")), Oracle(), episode())
    assert trace.status == "ok"
    claims = [e.data for e in trace.events if e.kind == "found"]
    assert [c["goal"] for c in claims] == [0, 1, 2]
    assert all(c["success"] for c in claims)
    assert trace.actions[-1] == "found"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"text": " "}, "goal 1 has no words"),
        ({"positions": ()}, "goal 1 has no viewpoints"),
        ({"object_ids": ()}, "goal 1 names no objects"),
        ({"object_ids": (CHAIR, 99)}, "goal 1 names object 99, which scene tiny does not have"),
    ],
)
def test_goals_that_are_none_are_refused(sim, change, why):
    first, second, third = episode().goals
    with pytest.raises(EpisodeError, match=why):
        make_task("langnav-v1").start(
            sim, replace(episode(), goals=(first, replace(second, **change), third))
        )


def test_wrong_use_is_said_in_one_line(sim):
    task = make_task("langnav-v1")
    with pytest.raises(EpisodeError, match="no episode"):
        task.instruction()
    with pytest.raises(EpisodeError, match="needs a goal"):
        task.start(sim, replace(episode(), goals=()))
    with pytest.raises(EpisodeError, match="not langnav-v1"):
        task.start(sim, tiny_episode("vln-v1", sim))
    sim.place(Pose(-3.0, 1.0))
    task.start(sim, episode())
    with pytest.raises(EpisodeError, match="say 'found'"):
        task.after_step(sim, Move.STOP, None, 0)
