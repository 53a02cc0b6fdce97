"""Sensors of one's own in the loop: several at once, their rates, delays, conditions and noise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.codec import from_plain, to_plain
from navproof.core.types import (
    Camera,
    Mount,
    Move,
    Noise,
    Observation,
    Scan,
    SensorSpec,
    TaskBrief,
    TaskSpec,
    Velocity,
)
from navproof.corruptions.condition import parse_condition
from navproof.log.trace import TraceKey
from navproof.play.env import Env
from navproof.play.play import play as play_session
from navproof.play.seen import seen
from navproof.play.session import Session
from navproof.sensors import with_sensors
from navproof.sensors.config import load_sensors
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for, with_camera

F, L = Move.FORWARD, Move.LEFT
EXAMPLE = Path(__file__).parents[2] / "examples" / "sensors.toml"
SMALL = Camera(32, 24)
FRONT = SensorSpec("front", "rgb", SMALL)
BACK = SensorSpec("back", "rgb", replace(SMALL, yaw_deg=180.0))
AROUND = SensorSpec("around", "panorama", Camera(64, 32, 360.0))
RING = SensorSpec("ring", "panorama", Camera(16, 12, 90.0), views=4)
SCAN = SensorSpec("scan", "lidar", mount=Mount(0.3), scan=Scan(90))
IMU = SensorSpec("imu", "imu", gravity=False)


def spec(*sensors: SensorSpec) -> TaskSpec:
    return with_sensors(with_camera(spec_for("pointnav-v1"), 16, 16), sensors)


def make(*sensors: SensorSpec, condition: str = "clean", seed: int = 0) -> Env:
    names = tuple(s.name for s in sensors)
    task = make_task("pointnav-v1", spec(*sensors))
    sim = tiny_simulator("pointnav-v1")
    return Env(sim, task, names, condition=parse_condition(condition), seed=seed)


def start(env: Env) -> Observation:
    assert isinstance(env.sim, EmbeddedSimulator)
    return env.reset(tiny_episode("pointnav-v1", env.sim))[1]


def walk(env: Env, moves: str = "FFLFF") -> list[Observation]:
    return [start(env), *(env.step(F if m == "F" else L).observation for m in moves)]


def test_an_agent_is_told_of_all_and_reads_all() -> None:
    sensors = (*load_sensors(EXAMPLE), FRONT)
    task = make_task("pointnav-v1", spec(*sensors))
    sim = tiny_simulator("pointnav-v1")
    env = Env(sim, task)
    brief, obs = env.reset(tiny_episode("pointnav-v1", sim))
    names = [s.name for s in brief.sensors]
    assert names == ["rgb", "depth", "pose", "pointgoal", *(s.name for s in sensors)]
    assert list(obs.readings) == names
    for sensor in env.sensors:
        reading, form = obs.readings[sensor.spec.name], sensor.reading
        assert reading.dtype == np.dtype(form.dtype)
        assert reading.shape == form.shape
        assert np.all(reading >= np.array(form.low))
        assert np.all(reading <= np.array(form.high))


def test_two_cameras_see_two_ways() -> None:
    obs = walk(make(FRONT, BACK), "LL")[-1]
    assert not np.array_equal(obs.readings["front"], obs.readings["back"])


def test_rates_and_delays_are_each_sensors_own() -> None:
    fast, slow = walk(make(SCAN), "FFFFFFF"), replace(SCAN, name="slow", every=3)
    late = replace(SCAN, name="late", every=2, delay_steps=1)
    both = walk(make(slow, late), "FFFFFFF")
    true = [obs.readings["scan"] for obs in fast]
    for step, obs in enumerate(both):
        assert np.array_equal(obs.readings["slow"], true[step // 3 * 3])
        assert np.array_equal(obs.readings["late"], true[max(0, (step - 1) // 2 * 2)])


def test_an_imu_in_the_loop_feels_velocity_commands() -> None:
    task = make_task("pointnav-v1", replace(spec(IMU), control="velocity"))
    env = Env(tiny_simulator("pointnav-v1"), task, ("imu",))
    start(env)
    told = [env.step(Velocity(0.5, 0.0)).observation.readings["imu"] for _ in range(3)]
    assert told[0][:2] == pytest.approx([5.0, 0.0], abs=1e-3)
    assert told[2] == pytest.approx([0.0] * 6, abs=1e-3)
    turned = [env.step(Velocity(0.5, 0.4)).observation.readings["imu"] for _ in range(4)]
    assert turned[-1][5] == pytest.approx(0.4, abs=1e-4)
    assert turned[-1][:2] == pytest.approx([0.0, 0.2], abs=2e-3)


def test_snapshots_are_exact_with_noise_and_memory() -> None:
    noisy = replace(IMU, noise=Noise(gyro_walk=0.1, accel_density=0.1))
    lidar = replace(SCAN, noise=Noise(range_sigma_m=0.1), delay_steps=2)
    env = make(noisy, lidar, seed=4)
    walk(env, "FLF")
    kept = env.snapshot()
    first = [env.step(m).observation.readings for m in (F, L)]
    env.restore(kept)
    again = [env.step(m).observation.readings for m in (F, L)]
    for a, b in zip(first, again, strict=True):
        assert all(np.array_equal(a[name], b[name]) for name in a)


def test_a_condition_of_ones_own_spares_the_others() -> None:
    dirty = replace(FRONT, name="dirty", corrupt="low_light@0.8")
    for obs in walk(make(FRONT, dirty), "FL"):
        clean, dark = obs.readings["front"], obs.readings["dirty"]
        assert float(dark.mean()) < 0.8 * float(clean.mean())  # type: ignore[arg-type]
    alone = walk(make(FRONT), "FL")[-1]
    assert np.array_equal(alone.readings["front"], clean)


def test_the_runs_condition_acts_on_panoramas_view_by_view() -> None:
    clean, dirty = (
        walk(make(AROUND, RING, SCAN, condition=c), "F")[-1].readings
        for c in ("clean", "black_out@1.0")
    )
    assert not np.array_equal(clean["around"], dirty["around"])
    assert not np.array_equal(clean["ring"], dirty["ring"])
    assert np.array_equal(clean["scan"], dirty["scan"])
    spattered = walk(make(RING, condition="spatter@0.8"), "F")[-1].readings["ring"]
    assert spattered.shape == (4, 12, 16, 3)


def test_an_equirectangular_image_has_no_focal_length_to_be_wrong() -> None:
    clean, odd = (
        walk(make(AROUND, FRONT, condition=c), "F")[-1].readings
        for c in ("clean", "wrong_intrinsics@1.0")
    )
    assert np.array_equal(clean["around"], odd["around"])
    assert not np.array_equal(clean["front"], odd["front"])
    tilted = walk(make(AROUND, condition="camera_tilt@1.0"), "F")[-1].readings
    assert not np.array_equal(clean["around"], tilted["around"])


def test_own_mounts_and_losses() -> None:
    tilts = [replace(FRONT, name=n, corrupt="camera_tilt@1.0") for n in ("a", "b", "c", "d", "e")]
    obs = walk(make(*tilts, FRONT), "F")[-1]
    seen_by = {obs.readings[name].tobytes() for name in "abcde"}
    assert len(seen_by) > 1  # each has a bracket of its own
    assert obs.readings["front"].tobytes() not in seen_by
    losing = replace(FRONT, name="losing", corrupt="frame_drop@1.0")
    told = walk(make(losing, FRONT), "FFFFFFFF")
    stale = [not np.array_equal(o.readings["losing"], o.readings["front"]) for o in told]
    assert sum(stale[1:]) > 0
    assert not stale[0]


def test_depth_corruptions_act_on_a_lidar_that_asks_for_them() -> None:
    spoiled = replace(SCAN, name="spoiled", corrupt="depth_gaussian@0.6")
    obs = walk(make(SCAN, spoiled), "F")[-1]
    assert obs.readings["spoiled"].shape == (90,)
    assert obs.readings["spoiled"].dtype == np.float32
    assert not np.array_equal(obs.readings["scan"], obs.readings["spoiled"])


class _Walker:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.given: list[Observation] = []

    def reset(self, brief: TaskBrief) -> None:
        self.given = []

    def act(self, obs: Observation) -> Move:
        self.given.append(obs)
        return (F, L, F, F, Move.STOP)[len(self.given) - 1]


def test_what_was_read_comes_back_from_the_trace() -> None:
    sensors = load_sensors(EXAMPLE)
    env = make(*sensors, seed=5)
    assert isinstance(env.sim, EmbeddedSimulator)
    agent, episode = _Walker(), tiny_episode("pointnav-v1", env.sim)
    trace = play_session(
        Session(env, TraceKey("walker", episode.episode_id, "clean", 5)), agent, episode
    )
    assert trace.status == "ok"
    assert from_plain(TaskSpec, to_plain(trace.spec)) == trace.spec
    for old, new in zip(agent.given, seen(trace, range(5), env.sim.scene), strict=True):
        for name, reading in old.readings.items():
            assert np.array_equal(reading, new.readings[name]), name
