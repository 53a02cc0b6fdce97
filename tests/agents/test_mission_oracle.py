"""The oracle in missions: does every kind of sub-task, follows, answers, passes people, stops."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mission_samples import BYSTANDER, FOLLOW, POINT, RETURN, ROOM, SPEC, WHOLE, mission
from navproof.agents.baselines.oracle import Oracle
from navproof.core.errors import AgentError, SpecError
from navproof.core.types import Episode, Observation, SensorSpec, TaskSpec, Walk
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.play import play as play_session
from navproof.play.session import Session
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for, with_camera
from navproof.tasks.mission.rules import Mission
from navproof.testing import tiny_scene

CARTER = with_camera(spec_for("mission-v1"), 32, 32)


def play(episode: Episode, spec: TaskSpec = CARTER) -> Trace:
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), spec.robot)
    env = Env(sim, Mission(spec), Oracle.sensors)
    return play_session(Session(env, TraceKey("oracle", episode.episode_id)), Oracle(), episode)


def kinds(trace: Trace) -> list[str]:
    return [event.kind for event in trace.events]


@pytest.mark.parametrize("robot", ["carter", "aliengo", "h1"])
def test_it_does_a_whole_mission_with_any_robot(robot: str) -> None:
    spec = with_camera(spec_for("mission-v1", robot=robot), 32, 32)
    late = replace(WHOLE, people=(replace(WHOLE.people[0], begins_s=25.0), BYSTANDER))
    trace = play(late, spec)
    assert trace.status == "ok", trace.reason
    done = [e.data["index"] for e in trace.events if e.kind == "subtask_done"]
    assert done == [0, 1, 2, 3, 4, 5]
    assert kinds(trace)[0] == "answer"
    assert trace.events[0].data["right"] is True
    assert (trace.events[-1].kind, trace.events[-1].data["success"]) == ("stop", True)
    assert trace.facts["privileged"] == "expert,mission"
    assert {"time_s", "subtask.5.distance_m", "person.p1.x", "person.p2.moving"} <= set(
        trace.channels
    )
    assert all(len(values) == len(trace.poses) for values in trace.channels.values())


def test_it_waits_behind_somebody_and_stops_when_she_has_stopped() -> None:
    trace = play(mission(FOLLOW, people=(replace(WHOLE.people[0], begins_s=8.0),)))
    assert kinds(trace) == ["subtask_done", "stop"]
    assert trace.events[-1].data["success"] is True


def test_it_goes_round_somebody_who_stands_in_the_way() -> None:
    in_the_way = Walk("p2", BYSTANDER.appearance, ((1.5, 2.0, 0.0),))
    trace = play(mission(POINT, RETURN, people=(in_the_way,)))
    assert [k for k in kinds(trace) if k != "intrusion"] == ["subtask_done"] * 2 + ["stop"]


def test_the_answer_is_told_to_nobody_else() -> None:
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), CARTER.robot)
    asked, _ = Env(sim, make_task("mission-v1", CARTER), ("pose", "expert")).reset(WHOLE)
    told, seen = Env(sim, make_task("mission-v1", CARTER), Oracle.sensors).reset(WHOLE)
    assert (asked.answer, told.answer) == (None, "red")
    reading = seen.readings["mission"]
    assert reading[:, :3].tolist() == [[0.0, 6.0, 0.0], [4.5, 2.0, 0.0], [0.3, 2.4, 0.0]]


def test_the_mission_sensor_needs_a_mission() -> None:
    vln = replace(spec_for("vln-v1"), sensors=(SensorSpec("mission", "mission"),))
    env = Env(EmbeddedSimulator(), make_task("vln-v1", vln), ("mission",))
    env.sim.load(tiny_scene(), vln.robot)
    from navproof.check.tiny import tiny_episode

    with pytest.raises(SpecError, match="'mission' needs a task with sub-tasks"):
        env.reset(tiny_episode("vln-v1", env.sim))  # type: ignore[arg-type]


def test_it_says_which_sensors_it_lacks() -> None:
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), SPEC.robot)
    brief, _ = Env(sim, make_task("mission-v1", CARTER), Oracle.sensors).reset(mission(ROOM))
    agent = Oracle()
    agent.reset(brief)
    with pytest.raises(AgentError, match="'mission'"):
        agent.act(Observation(0, {}))
