"""One agent, one episode, in this process."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

import runner_fakes as fakes
from navproof.agents.limits import Limits
from navproof.core.types import Episode, Move, Pose
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.play import play as play_session
from navproof.play.record import Recorder, StepRecord
from navproof.play.session import Session, agent_seed
from navproof.tasks import make_task, spec_for


@pytest.fixture(scope="module")
def env() -> Env:
    return Env(fakes.TinySimulator(), make_task("pointnav-v1"), ("pose", "pointgoal"))


def play(
    env: Env,
    agent: object,
    episode: Episode,
    seed: int = 0,
    limits: Limits | None = None,
    beliefs: bool = False,
) -> Trace:
    session = Session(env, TraceKey("x", episode.episode_id, seed=seed), beliefs=beliefs)
    return play_session(session, agent, episode, limits)  # type: ignore[arg-type]


def test_a_trace_holds_the_whole_episode(env: Env, episodes: tuple[Episode, ...]) -> None:
    trace = play(env, fakes.Walker(), episodes[0])
    assert trace.status == "ok"
    assert trace.actions[-1] == "stop"
    assert len(trace.poses) == len(trace.distances_m) == len(trace.actions) + 1
    assert trace.poses[0] == episodes[0].start
    assert trace.distances_m[0] == pytest.approx(episodes[0].geodesic_m, rel=0.02)
    assert trace.events[-1].kind == "stop"
    assert trace.events[-1].data["distance_m"] == trace.distances_m[-1]
    assert trace.facts["sensors"] == "pose,pointgoal"
    assert trace.facts["privileged"] == ""
    assert len(trace.timing["act_s"]) == len(trace.actions)
    moved = [
        math.dist(a.point, b.point) for a, b in zip(trace.poses, trace.poses[1:], strict=False)
    ]
    assert all(m == 0 for m, a in zip(moved, trace.actions, strict=True) if a != "forward")


def test_the_budget_ends_an_episode(env: Env, episodes: tuple[Episode, ...]) -> None:
    class Forever(fakes.Walker):
        def act(self, obs: object) -> Move:
            return Move.LEFT

    trace = play(env, Forever(), episodes[0])
    assert (trace.status, len(trace.actions), trace.events[-1].kind) == ("ok", 30, "timeout")


def test_seeds_and_global_generators_depend_on_the_run_only(
    env: Env, episodes: tuple[Episode, ...]
) -> None:
    random.seed(1)
    first = play(env, fakes.GlobalDice(), episodes[0])
    random.seed(2)
    np.random.seed(3)  # noqa: NPY002
    play(env, fakes.GlobalDice(), episodes[1])
    assert play(env, fakes.GlobalDice(), episodes[0]).actions == first.actions
    assert agent_seed(0) != agent_seed(1)
    walks = {play(env, fakes.Walker(), episodes[0], seed).actions for seed in range(5)}
    assert len(walks) > 1


def test_beliefs_are_kept_only_when_asked_for(env: Env, episodes: tuple[Episode, ...]) -> None:
    assert play(env, fakes.Believer(), episodes[0]).beliefs == ()
    kept = play(env, fakes.Believer(), episodes[0], beliefs=True)
    assert len(kept.beliefs) == len(kept.actions)
    assert kept.beliefs[0] is not None
    assert kept.beliefs[0].perceived[0].label == "chair"


@pytest.mark.parametrize(
    ("agent", "status", "reason", "steps"),
    [
        (
            fakes.Raises,
            "agent_error",
            r"step 2: ValueError: no idea where I am \(runner_fakes\.py:\d+\)",
            2,
        ),
        (fakes.RaisesInReset, "agent_error", r"reset: KeyError: 'brief' \(runner_fakes", 0),
        (fakes.Exits, "agent_error", r"step 0: SystemExit: 3 \(runner_fakes", 0),
        (fakes.Interrupts, "agent_error", r"step 0: KeyboardInterrupt \(runner_fakes", 0),
        (fakes.ReturnsNone, "agent_error", "step 0: the agent returned None; allowed are", 0),
        (fakes.ReturnsNan, "agent_error", "step 0: the agent returned nan of type float", 0),
        (fakes.ReturnsArray, "agent_error", "step 0: the agent returned array", 0),
        (fakes.AsksForEverything, "memory_limit", "step 0: (.*MemoryError|MemoryError)", 0),
    ],
)
def test_what_an_agent_does_wrong_is_written_down(
    env: Env,
    episodes: tuple[Episode, ...],
    agent: type,
    status: str,
    reason: str,
    steps: int,
) -> None:
    trace = play(env, agent(), episodes[0])
    assert trace.status == status
    assert len(trace.actions) == steps
    assert "\n" not in trace.reason
    import re

    assert re.match(reason, trace.reason), trace.reason


def test_slow_calls_are_caught_when_they_return(env: Env, episodes: tuple[Episode, ...]) -> None:
    limits = Limits(step_s=1.0, episode_s=60)
    trace = play(env, fakes.SlowButReturns(), episodes[0], limits=limits)
    assert (trace.status, trace.reason) == ("agent_timeout", "step 1 took longer than 1 s")
    limits = Limits(step_s=1.0, episode_s=0.5)
    trace = play(env, fakes.Dawdles(), episodes[0], limits=limits)
    assert trace.status == "agent_timeout"
    assert trace.reason == "the episode took longer than 0.5 s"


def test_an_impossible_start_is_the_episodes_fault(env: Env, episodes: tuple[Episode, ...]) -> None:
    from dataclasses import replace

    inside_the_table = replace(episodes[0], start=Pose(-2.0, 3.4))
    trace = play(env, fakes.Walker(), inside_the_table)
    assert trace.status == "env_error"
    assert "does not fit" in trace.reason


def test_a_recorder_can_stop_anywhere(episodes: tuple[Episode, ...]) -> None:
    recorder = Recorder(TraceKey("a", "e"), episodes[0], spec_for("pointnav-v1"))
    nothing = recorder.finish("worker_died", "line one\nline two")
    assert nothing.poses == (episodes[0].start,)
    assert nothing.distances_m == (episodes[0].geodesic_m,)
    assert nothing.reason == "line one line two"
    recorder.begin(Pose(1.0, 1.0), 5.0, {"privileged": "expert"})
    recorder.add(StepRecord("left", Pose(1.0, 1.0, 0.0, 0.5), False, 5.0, (), None, 0.1, 0.2))
    one = recorder.finish("ok")
    assert (len(one.poses), one.actions, one.facts["privileged"]) == (2, ("left",), "expert")
