"""Scores of traces against what the task itself said while the missions were played."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from mission_traces import follow, home, point
from navproof.core.types import (
    Answer,
    Decision,
    Episode,
    Goal,
    Instruction,
    Move,
    Observation,
    Pose,
    Question,
    Robot,
    SensorSpec,
    SubTask,
    TaskBrief,
    TaskSpec,
    Velocity,
    Walk,
)
from navproof.log.trace import Trace, TraceKey
from navproof.metrics import METRICS, score
from navproof.play.env import Env
from navproof.play.play import play as play_session
from navproof.play.session import Session
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks.mission.rules import Mission
from navproof.testing import tiny_scene
from navproof.world.people.people import APPEARANCES

ROBOT = Robot("cart", 0.18, 0.66)
SPEC = TaskSpec("mission-v1", ROBOT, (SensorSpec("pose", "pose"),), 2.0, 400, control="any")
LOOKS = tuple(APPEARANCES)
GUIDE = Walk("p1", LOOKS[0], ((-2.0, 1.0, 1.0), (-1.0, 1.0, 2.0), (-1.0, 2.5, 0.0)), begins_s=1.0)
PASSER = Walk("p2", LOOKS[1], ((-3.4, 3.4, 0.0), (-2.8, 2.2, 3.0), (-3.4, 3.4, 0.0)))
STRANGER = Walk("p3", LOOKS[2], ((3.2, 3.2, 0.0),))
"""In the other room."""
THERE = Goal("object", ((-2.6, 1.2, 0.0),))
TASKS: dict[str, tuple[SubTask, ...]] = {
    "follow": (SubTask("goto_object", "", THERE, 1.0), follow(end=None)),
    "return": (point(-2.4, 1.0), home(-3.0, 1.0)),
    "first": (follow(end=None), SubTask("goto_landmark", "", THERE, 3.0, rooms=(0,))),
}


class Wanderer:
    """Turns towards where the guide is about to be, more or less; stops at some time."""

    def __init__(self, seed: int) -> None:
        self._draw = np.random.default_rng(seed)
        self._ends = int(self._draw.integers(20, 160))

    def reset(self, brief: TaskBrief) -> None:
        self._left = self._ends

    def act(self, observation: Observation) -> Decision:
        self._left -= 1
        if self._left == 10:
            return Decision(Answer(str(self._draw.choice(["red", "blue", "it is a dark red"]))))
        if self._left == 0:
            return Decision(Move.STOP)
        pose = observation.pose
        assert pose is not None
        angle = math.remainder(math.atan2(1.0 - pose[1], 1.6 - pose[0]) - pose[3], math.tau)
        turn = float(np.clip(2 * angle + self._draw.normal(0, 0.8), -1.5, 1.5))
        return Decision(Velocity(float(self._draw.uniform(-0.2, 0.7)), turn))


@cache
def played(name: str, seed: int) -> Trace:
    subtasks = TASKS[name]
    episode = Episode(
        episode_id=f"{name}.{seed}",
        task="mission-v1",
        scene="tiny",
        start=Pose(-3.0, 1.0),
        goals=tuple(s.goal for s in subtasks),
        geodesic_m=3.0,
        reference_path=(),
        budget_steps=300,
        seed=seed,
        instruction=Instruction("Do it all. What colour is the table?"),
        people=(GUIDE, STRANGER if name == "follow" else PASSER),
        subtasks=subtasks,
        question=Question("What colour is the table?", "colour", "red"),
        tags={"budget_s": 12.0},
    )
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), ROBOT)
    env = Env(sim, Mission(SPEC), ("pose",))
    return play_session(
        Session(env, TraceKey("wanderer", episode.episode_id)), Wanderer(seed), episode
    )


SEEDS = range(6)


@pytest.mark.parametrize("name", list(TASKS))
@pytest.mark.parametrize("seed", SEEDS)
def test_the_scores_agree_with_the_events(name: str, seed: int) -> None:
    trace = played(name, seed)
    assert trace.status == "ok", trace.reason
    values = score(trace)
    told = {event.kind: event for event in trace.events}
    done = {e.data["index"] for e in trace.events if e.kind == "subtask_done"}
    assert values["success"] == float("stop" in told and told["stop"].data["success"] is True)
    assert values["csr"] == len(done) / len(TASKS[name])
    assert values["eqa_acc"] == float("answer" in told and told["answer"].data["right"] is True)
    led = [i for i, task in enumerate(TASKS[name]) if task.kind == "follow_human"]
    assert values["hfs"] == (float(led[0] in done) if led else None)
    assert (values["sii"] == 0.0) == ("intrusion" not in told)


def test_all_of_that_was_seen_both_ways() -> None:
    """Else the test above would prove nothing."""
    traces = [played(name, seed) for name in TASKS for seed in SEEDS]
    for name in ("success", "csr", "eqa_acc", "hfs"):
        found = {METRICS[name](trace) for trace in traces} - {None}
        assert len(found) > 1, name
    assert {METRICS["sii"](trace) == 0.0 for trace in traces} == {True, False}
