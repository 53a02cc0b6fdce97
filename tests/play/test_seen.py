"""What an agent was given comes back from its trace, bit for bit."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

import runner_fakes as fakes
from mission_samples import LOOKS, POINT, mission
from navproof.core.errors import RunError
from navproof.core.types import (
    Camera,
    Command,
    Decision,
    Episode,
    Frame,
    Motion,
    Move,
    Observation,
    Velocity,
    Walk,
    Waypoints,
)
from navproof.corruptions.condition import parse_condition
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.play import play as play_session
from navproof.play.seen import pictured, seen
from navproof.play.session import Session
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.protocol import Wheels
from navproof.tasks import make_task, spec_for, with_camera
from navproof.testing import tiny_scene

SENSORS = ("rgb", "depth", "pose", "pointgoal")


class Diarist(fakes.Walker):
    """Keeps everything that it was given, as it was."""

    sensors = SENSORS

    def __init__(self) -> None:
        self.diary: list[Observation] = []

    def act(self, obs: Observation) -> Move | Decision:
        self.diary.append(obs)
        return Move.STOP if obs.step > 20 else super().act(obs)

    def reset(self, brief: object) -> None:
        super().reset(brief)  # type: ignore[arg-type]
        self.left = 25


def live(condition: str, episode: Episode, seed: int = 3) -> tuple[Trace, list[Observation]]:
    spec = with_camera(spec_for("pointnav-v1"), 32, 24)
    env = Env(
        fakes.TinySimulator(),
        make_task("pointnav-v1", spec),
        SENSORS,
        condition=parse_condition(condition),
        seed=seed,
    )
    agent = Diarist()
    key = TraceKey("diarist", episode.episode_id, env.condition.name, seed)
    trace = play_session(Session(env, key), agent, episode)
    assert trace.status == "ok", trace.reason
    return trace, agent.diary


def assert_same(a: Observation, b: Observation) -> None:
    assert (a.step, a.instruction, a.collided) == (b.step, b.instruction, b.collided)
    assert list(a.readings) == list(b.readings)
    for name, reading in a.readings.items():
        assert reading.dtype == b.readings[name].dtype
        assert np.array_equal(reading, b.readings[name]), (a.step, name)


@pytest.mark.parametrize(
    "condition",
    [
        "clean",
        "spatter+depth_missing",
        "motion_blur@1+depth_gaussian",
        "latency@0.8+low_light_noise",
        "frame_drop@0.8+depth_gaussian",
        "odometry_drift@0.9",
        "wheel_slip+camera_tilt+wrong_intrinsics",
        "friendly",
    ],
)
def test_every_observation_comes_back(condition: str, episodes: tuple[Episode, ...]) -> None:
    trace, diary = live(condition, episodes[1])
    scene = tiny_scene()
    again = seen(trace, range(len(diary)), scene)
    for a, b in zip(diary, again, strict=True):
        assert_same(a, b)
    few = [17, 4, 4, 11]
    for step, b in zip(few, seen(trace, few, scene), strict=True):
        assert_same(diary[step], b)


def test_only_what_is_shown_is_rendered(
    episodes: tuple[Episode, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    trace, _ = live("clean", episodes[0])
    count = 0
    render = EmbeddedSimulator.render

    def counting(self: EmbeddedSimulator, camera: Camera, *, colour: bool = True) -> Frame:
        nonlocal count
        count += 1
        return render(self, camera, colour=colour)

    monkeypatch.setattr(EmbeddedSimulator, "render", counting)
    seen(trace, [3, 9], tiny_scene())
    assert count == 2


def test_velocities_are_retraced_by_where_they_led(episodes: tuple[Episode, ...]) -> None:
    class Drives(Diarist):
        def act(self, obs: Observation) -> Decision:
            self.diary.append(obs)
            return Decision(Move.STOP if obs.step == 8 else Velocity(0.4123456789, 0.3))

    spec = replace(with_camera(spec_for("pointnav-v1"), 32, 24), control="velocity")
    env = Env(fakes.TinySimulator(), make_task("pointnav-v1", spec), SENSORS)
    agent = Drives()
    trace = play_session(
        Session(env, TraceKey("drives", episodes[0].episode_id)), agent, episodes[0]
    )
    assert trace.status == "ok", trace.reason
    for a, b in zip(agent.diary, seen(trace, range(9), tiny_scene()), strict=True):
        assert_same(a, b)


CLOCK_S = 0.37


class Sluggish(fakes.TinySimulator):
    """Takes another time for its moves than the embedded simulator."""

    def apply(self, command: Command, dt_s: float = 0.1, wheels: Wheels | None = None) -> Motion:
        before = self._time_s
        motion = super().apply(command, dt_s, wheels)
        self._time_s = round(before + CLOCK_S, 9)
        return motion


class Watches(Diarist):
    """Stands and turns, and looks."""

    sensors = ("rgb", "depth", "pose")

    def act(self, obs: Observation) -> Move | Decision:
        self.diary.append(obs)
        if obs.step == 6:
            return Move.STOP
        return Decision(Velocity(0.0, 0.05) if obs.step % 2 else Waypoints(((0.2, 0.0),)))


@pytest.mark.parametrize("control", ["any", "discrete"])
@pytest.mark.parametrize("condition", ["clean", "depth_gaussian@0.6"])
def test_a_mission_comes_back_with_its_people_at_the_times_of_the_trace(
    condition: str, control: Literal["any", "discrete"]
) -> None:
    walk = Walk("p1", LOOKS[0], ((-1.5, 1.0, 0.0), (-1.5, 3.0, 0.0)))
    spec = replace(with_camera(spec_for("mission-v1"), 48, 32), control=control)
    episode = mission(POINT, people=(walk,))
    env = Env(
        Sluggish(),
        make_task("mission-v1", spec),
        Watches.sensors,
        condition=parse_condition(condition),
    )
    agent = Watches() if control == "any" else Diarist()
    trace = play_session(Session(env, TraceKey("watches", "m", condition)), agent, episode)
    assert trace.status == "ok", trace.reason
    assert trace.channels["time_s"][2] == pytest.approx(2 * CLOCK_S)
    steps = range(len(agent.diary))
    again = seen(trace, steps, tiny_scene())
    for a, b in zip(agent.diary, again, strict=True):
        assert_same(a, b)
    if condition == "clean":
        camera = next(s.camera for s in spec.sensors if s.camera)
        frames = pictured(trace, steps, camera, tiny_scene())
        for a, frame in zip(agent.diary, frames, strict=True):
            assert np.array_equal(a.readings["rgb"], frame.rgb)
        empty = replace(trace, episode=replace(episode, people=()))
        alone = pictured(empty, steps, camera, tiny_scene())
        readings = [obs.readings["rgb"] for obs in agent.diary]
        assert not all(map(np.array_equal, readings, (frame.rgb for frame in alone)))


def test_a_step_that_never_was(episodes: tuple[Episode, ...]) -> None:
    trace, _ = live("clean", episodes[0])
    with pytest.raises(RunError, match="has steps 0 to"):
        seen(trace, [999], tiny_scene())
    assert seen(trace, []) == []
