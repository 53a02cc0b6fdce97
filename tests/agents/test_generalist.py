"""The generalist: reads a mission, does its parts one after the other, and stops."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from navproof.agents._mission_answers import Witness
from navproof.agents._search_eyes import Eyes
from navproof.agents.generalist import Generalist, GeneralistOptions
from navproof.env import Env
from navproof.log.trace import Trace, TraceKey
from navproof.runner.rollout import rollout
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for
from navproof.testing import tiny_scene
from navproof.types import Episode, Goal, Instruction, Pose, Question, SubTask

POINT = Goal("point", ((-0.9, 2.0, 0.0),), description={"ahead_m": 1.8, "left_m": 0.0})
START = Pose(-2.7, 2.0, 0.0, 0.0)
TRUTH = GeneralistOptions(encoder="truth", detector="truth")


def play(words: str, parts: tuple[SubTask, ...], question: Question | None = None) -> Trace:
    episode = Episode(
        "m",
        "mission-v1",
        "tiny",
        START,
        tuple(p.goal for p in parts),
        4.0,
        (),
        900,
        0,
        Instruction(words),
        {"budget_s": 90.0},
        subtasks=parts,
        question=question,
        robot="carter",
    )
    sim = EmbeddedSimulator()
    spec = spec_for("mission-v1", "carter")
    sim.load(replace(tiny_scene(), id="tiny"), spec.robot)
    sensors = Generalist.sensors if question is None else TRUTH.sensors
    agent = Generalist() if question is None else Generalist(TRUTH)
    env = Env(sim, make_task("mission-v1", spec), sensors)
    return rollout(env, agent, episode, TraceKey("generalist", "m"))


def test_to_a_point_and_back() -> None:
    parts = (
        SubTask("goto_point", "", POINT, 0.36),
        SubTask("return_to", "", Goal("point", (START.point,)), 1.0),
    )
    trace = play("Go 1.8 metres straight ahead, then come back to where you started.", parts)
    assert trace.status == "ok", trace.reason
    assert trace.actions[-1] == "stop"
    done = [e.data["index"] for e in trace.events if e.kind == "subtask_done"]
    assert done[:1] == [0]
    last = trace.poses[-1]
    assert math.dist((last.x, last.y), (START.x, START.y)) < 1.0
    kinds = [e.data["is"] for e in trace.events if e.kind == "intent"]
    assert kinds == ["goto_point", "return_to", "exhausted"]


def test_a_mission_that_says_nothing_ends_at_once() -> None:
    trace = play("Hm.", (SubTask("goto_point", "", POINT, 0.36),))
    assert trace.actions == ("stop",)


@pytest.mark.parametrize(
    ("question", "about", "answer"),
    [
        ("What colour is the sofa in the den?", "sofa", "beige"),
        ("Is there a piano in the hall?", "piano", "no"),
        ("How many chairs are there in the kitchen?", "chairs", "0"),
        ("Is the fridge open or closed?", "fridge", "open"),
        ("Why?", "", "yes"),
    ],
)
def test_what_is_answered_when_nothing_was_seen(question: str, about: str, answer: str) -> None:
    """A guess that fits the question, once."""
    witness = Witness(question, Eyes("truth", "truth"))
    assert witness.queries() == ((about,) if about else ())
    assert witness.answer() == answer
    assert witness.answer() is None


def test_who_is_not_asked_does_not_answer() -> None:
    witness = Witness(None, Eyes("truth", "truth"))
    assert witness.answer() is None
    assert witness.image is None
