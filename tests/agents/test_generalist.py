"""The generalist: reads a mission, does its parts one after the other, and stops."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from navproof.agents.generalist.agent import Generalist, GeneralistOptions, SkillSet
from navproof.agents.load import load_agent
from navproof.core.errors import AgentError
from navproof.core.types import Control, Episode, Goal, Instruction, Pose, Question, SubTask, Walk
from navproof.log.trace import Trace, TraceKey
from navproof.metrics.missions.following import hfr, hfs
from navproof.play.env import Env
from navproof.play.play import play as play_session
from navproof.play.session import Session
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for, with_camera
from navproof.testing import tiny_scene

POINT = Goal("point", ((-0.9, 2.0, 0.0),), description={"ahead_m": 1.8, "left_m": 0.0})
START = Pose(-2.7, 2.0, 0.0, 0.0)
TRUTH = GeneralistOptions(encoder="truth", detector="truth")
THERE = SubTask("goto_point", "", POINT, 0.36)
BACK = SubTask("return_to", "", Goal("point", (START.point,)), 1.0)
THERE_AND_BACK = "Go 1.8 metres straight ahead, then come back to where you started."
FOLLOW = SubTask("follow_human", "", Goal("person", ()), 3.0, person="p1")
FOLLOW_HER = "Follow the woman in the red jacket until she stops."
GUIDE = Walk("p1", "red_jacket", ((-1.1, 2.0, 0.0), (0.6, 2.0, 2.5), (2.6, 1.2, 0.0)), begins_s=2.0)
"""Sets out, rests behind the door, goes on and stops for good."""


def play(
    words: str,
    parts: tuple[SubTask, ...],
    *,
    options: GeneralistOptions = TRUTH,
    people: tuple[Walk, ...] = (),
    question: Question | None = None,
    control: Control = "any",
    budget_s: float = 60.0,
) -> Trace:
    episode = Episode(
        "m",
        "mission-v1",
        "tiny",
        START,
        tuple(p.goal for p in parts),
        4.0,
        (),
        round(10 * budget_s) + 20,
        0,
        Instruction(words),
        {"budget_s": budget_s},
        subtasks=parts,
        question=question,
        people=people,
        robot="carter",
    )
    sim = EmbeddedSimulator()
    spec = with_camera(spec_for("mission-v1", "carter", control), 96, 96)
    sim.load(replace(tiny_scene(), id="tiny"), spec.robot, people)
    env = Env(sim, make_task("mission-v1", spec), options.sensors)
    trace = play_session(
        Session(env, TraceKey("generalist", "m"), beliefs=True), Generalist(options), episode
    )
    assert trace.status == "ok", trace.reason
    return trace


def done(trace: Trace) -> list[object]:
    return [e.data["index"] for e in trace.events if e.kind == "subtask_done"]


def intents(trace: Trace) -> list[object]:
    return [e.data["is"] for e in trace.events if e.kind == "intent"]


def apart_m(trace: Trace) -> list[float]:
    """From the robot to the one who is followed."""
    x, y = (trace.channels[f"person.p1.{name}"] for name in "xy")
    return [math.dist((p.x, p.y), at) for p, *at in zip(trace.poses, x, y, strict=True)]


@pytest.mark.parametrize("control", ["any", "discrete"])
def test_to_a_point_and_back_with_its_own_eyes(control: Control) -> None:
    trace = play(THERE_AND_BACK, (THERE, BACK), options=GeneralistOptions(), control=control)
    assert trace.actions[-1] == "stop"
    assert done(trace) == [0]  # it was never 2 m away, so that it cannot come back by the rule
    last = trace.poses[-1]
    assert math.dist((last.x, last.y), (START.x, START.y)) < 1.0
    assert intents(trace) == ["goto_point", "return_to", "exhausted"]
    assert trace.facts["privileged"] == ""


def test_a_mission_that_says_nothing_ends_at_once() -> None:
    assert play("Hm.", (THERE,)).actions == ("stop",)


def test_it_answers_once_from_what_it_saw_before_it_stops() -> None:
    asked = Question("What colour is the table?", "colour", "red")
    words = f"{THERE_AND_BACK} What colour is the table?"
    trace = play(words, (THERE, BACK), question=asked)
    answers = [e for e in trace.events if e.kind == "answer"]
    assert len(answers) == 1
    assert trace.events[-1].kind == "stop"
    assert answers[0].step == trace.events[-1].step - 1


def test_it_leaves_out_what_it_does_not_find_and_ends_in_time() -> None:
    hunt = SubTask("goto_object", "", Goal("object", ((2.0, 2.9, 0.0),)), 1.0)
    words = "Find a piano, then go to the spot 1.8 metres straight ahead of where you started."
    trace = play(words, (hunt, THERE), budget_s=25.0)
    assert trace.events[-1].kind == "stop"
    assert trace.events[-1].data["success"] is True
    assert trace.channels["time_s"][-1] < 25.0


# ------------------------------------------------------------------------------------- people
def test_it_follows_in_the_band_waits_when_she_rests_and_ends_when_she_has_stopped() -> None:
    trace = play(FOLLOW_HER, (FOLLOW,), people=(GUIDE,))
    assert done(trace) == [0]
    assert hfs(trace) == 1.0
    assert (hfr(trace) or 0.0) > 0.7
    times, moving = trace.channels["time_s"], trace.channels["person.p1.moving"]
    rests = [i for i, t in enumerate(times) if 4.0 < t < 6.0]
    assert any(moving[i] == 0.0 for i in rests)
    assert all(1.0 < apart_m(trace)[i] < 3.0 for i in rests)
    assert (trace.events[-1].kind, trace.events[-1].data["success"]) == ("stop", True)
    assert times[-1] > 8.0  # not at the rest
    labels = {seen.label for b in trace.beliefs if b for seen in b.perceived}
    assert {"person", "woman in the red jacket"} <= labels


def test_it_follows_the_one_who_was_described() -> None:
    other = Walk("p2", "blue_jumper", ((-1.3, 3.6, 0.0),))
    trace = play(FOLLOW_HER, (FOLLOW,), people=(GUIDE, other))
    assert done(trace) == [0]


def test_it_finds_somebody_again_who_was_too_fast() -> None:
    runner = replace(GUIDE, speed_m_s=2.0, path=((-1.1, 2.0, 0.0), (0.8, 2.0, 0.0), (1.2, 3.3, 0)))
    trace = play(FOLLOW_HER, (FOLLOW,), people=(runner,))
    assert max(apart_m(trace)) > 2.5
    assert apart_m(trace)[-1] < 2.0
    assert trace.events[-1].data["success"] is True


def test_people_leave_no_obstacles_behind() -> None:
    """She stood on the way that leads to the point; once she has gone it is free."""
    passer = Walk("p2", "blue_jumper", ((-1.5, 2.0, 0.0), (-1.5, 0.7, 0.0)), begins_s=3.0)
    trace = play(THERE_AND_BACK, (THERE, BACK), people=(passer,))
    assert done(trace) == [0]


# ---------------------------------------------------------------------------------- baselines
@pytest.mark.parametrize(
    ("skills", "does"),
    [
        ("vln", ["return_to", "exhausted"]),
        ("pointnav", ["goto_point", "exhausted"]),
        ("objectnav", ["exhausted"]),
        ("follow", ["exhausted"]),
    ],
)
def test_a_baseline_has_one_skill_and_no_other(skills: SkillSet, does: list[str]) -> None:
    options = replace(TRUTH, skills=skills)
    words = f"{THERE_AND_BACK} Is there a chair in the bedroom?"
    trace = play(words, (THERE, BACK), options=options)
    kinds = intents(trace)
    assert kinds == does or kinds == does[1:]  # at the start, returning is done at once
    assert not [e for e in trace.events if e.kind == "answer"]


def test_the_one_that_follows_follows() -> None:
    trace = play(
        f"Go 1.8 metres straight ahead. {FOLLOW_HER}",
        (FOLLOW,),
        people=(GUIDE,),
        options=replace(TRUTH, skills="follow"),
    )
    assert intents(trace) == ["follow_human", "exhausted"]
    assert done(trace) == [0]


def test_bad_options_are_one_line() -> None:
    with pytest.raises(AgentError, match="skills is one of all, vln"):
        load_agent("generalist@skills=flying")
    with pytest.raises(AgentError, match="keep_m must be from 0 to 5"):
        load_agent("generalist@keep_m=9")
