"""What a task measures becomes channels of the trace, T+1 values each, however it ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import runner_fakes as fakes
from navproof.check.tiny import tiny_episode
from navproof.core.types import Episode, Pose
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.play import play as play_session
from navproof.play.record import Recorder, StepRecord
from navproof.play.session import Session
from navproof.runner import RunSpec
from navproof.runner.run import run
from navproof.sim.protocol import Simulator
from navproof.tasks import make_task, spec_for
from navproof.tasks.stop_at_goal import StopAtGoal


class Clocked(StopAtGoal):
    """PointNav that measures where the robot is; after ``forgets`` steps it no longer does."""

    forgets = math.inf

    def _words(self, episode: Episode) -> str:
        return ""

    def _category(self, episode: Episode) -> str | None:
        return None

    def measure(self, sim: Simulator) -> Mapping[str, float]:
        if self._taken > self.forgets:
            return {"y": sim.pose.y}
        return {"y": sim.pose.y, "taken": self._taken}


def play(agent: object, episode: Episode, forgets: float = math.inf) -> Trace:
    task = Clocked(spec_for("pointnav-v1"))
    task.forgets = forgets
    env = Env(fakes.TinySimulator(), task, ("pose", "pointgoal"))
    return play_session(Session(env, TraceKey("x", episode.episode_id)), agent, episode)  # type: ignore[arg-type]


def test_every_moment_is_measured(episodes: tuple[Episode, ...]) -> None:
    trace = play(fakes.Walker(), episodes[0])
    assert trace.status == "ok"
    assert list(trace.channels) == ["taken", "y"]
    assert trace.channels["taken"] == tuple(map(float, range(len(trace.poses))))
    assert trace.channels["y"] == tuple(pose.y for pose in trace.poses)


def test_an_episode_that_breaks_off_keeps_what_was_measured(
    episodes: tuple[Episode, ...],
) -> None:
    trace = play(fakes.Raises(), episodes[0])
    assert (trace.status, trace.channels["taken"]) == ("agent_error", (0.0, 1.0, 2.0))


def test_a_task_that_measures_other_things_than_before_is_at_fault(
    episodes: tuple[Episode, ...],
) -> None:
    trace = play(fakes.Walker(), episodes[0], forgets=1)
    assert trace.status == "env_error"
    assert trace.reason == "step 1: the task measured other things than before"
    assert trace.channels["taken"] == (0.0, 1.0)


def test_tasks_that_measure_nothing_have_no_channels(episodes: tuple[Episode, ...]) -> None:
    env = Env(fakes.TinySimulator(), make_task("pointnav-v1"), ("pose", "pointgoal"))
    trace = play_session(Session(env, TraceKey("x", "e")), fakes.Walker(), episodes[0])
    assert (trace.status, trace.channels) == ("ok", {})


def test_a_recorder_that_never_began_has_no_channels(episodes: tuple[Episode, ...]) -> None:
    recorder = Recorder(TraceKey("a", "e"), episodes[0], spec_for("pointnav-v1"))
    assert recorder.finish("worker_died").channels == {}
    recorder.begin(Pose(0.0, 0.0), 1.0, {}, (), {"time_s": 0.0})
    step = StepRecord("left", Pose(0.0, 0.0), False, 1.0, (), None, 0.1, 0.1, 0.0, {"time_s": 0.4})
    recorder.add(step)
    assert recorder.finish("worker_died").channels == {"time_s": pytest.approx((0.0, 0.4))}


def test_an_agent_that_dies_leaves_the_channels_of_a_mission(tmp_path: Path) -> None:
    sim = fakes.TinySimulator()
    mission = replace(tiny_episode("mission-v1", sim), scene="tiny")
    spec = RunSpec(("runner_fakes:HardExit",), "tiny", simulator=fakes.SIMULATOR)
    folder = run(spec, tmp_path / "r", episodes=(mission,))
    trace = folder.trace(TraceKey("runner_fakes:HardExit", mission.episode_id))
    assert (trace.status, trace.actions) == ("agent_died", ("left",))
    assert {len(values) for values in trace.channels.values()} == {2}
    assert trace.channels["time_s"][0] == 0.0
    assert trace.channels["time_s"][1] > 0.0
    assert trace.channels["person.p1.x"] == (3.4, 3.4)
