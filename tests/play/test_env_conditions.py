"""Conditions in the environment: each part at its place, and the same episode wherever it runs."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Move, Observation, Pose, SensorSpec, TaskBrief, Velocity
from navproof.corruptions import CLEAN, Condition, Moment, parse_condition
from navproof.corruptions.condition import Applied
from navproof.corruptions.protocol import Corruption, Target
from navproof.play.env import Env, Step
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for, with_camera

F, L, R = Move.FORWARD, Move.LEFT, Move.RIGHT
WALK = [F, F, L, F, F, R, F, F, F, L, F]
SENSORS = ("rgb", "depth", "pose")
EVERYTHING = (
    "spatter+low_light_noise+depth_missing+depth_gaussian+latency@0.4+frame_drop+camera_tilt"
    "+odometry_drift+wheel_slip+mask_100"
)


def make(condition: str | Condition = "clean", task: str = "vln-v1", **options: Any) -> Env:
    chosen = parse_condition(condition) if isinstance(condition, str) else condition
    sensors = options.pop("sensors", SENSORS)
    spec = with_camera(spec_for(task), 32, 24)
    return Env(tiny_simulator(task), make_task(task, spec), sensors, condition=chosen, **options)


def start(env: Env, name: str | None = None) -> tuple[TaskBrief, Observation]:
    assert isinstance(env.sim, EmbeddedSimulator)
    episode = tiny_episode(env.task.spec.task, env.sim, 60)
    return env.reset(episode if name is None else replace(episode, episode_id=name))


def play(env: Env, name: str | None = None) -> list[Observation]:
    return [start(env, name)[1], *(env.step(move).observation for move in WALK)]


def equal(a: Observation, b: Observation) -> bool:
    return (
        (a.step, a.instruction, a.collided) == (b.step, b.instruction, b.collided)
        and list(a.readings) == list(b.readings)
        and all(
            a.readings[n].dtype == b.readings[n].dtype
            and np.array_equal(a.readings[n], b.readings[n])
            for n in a.readings
        )
    )


def digest(walk: list[Observation]) -> str:
    found = hashlib.sha256()
    for obs in walk:
        found.update(f"{obs.step} {obs.instruction} {obs.collided}".encode())
        for name, reading in obs.readings.items():
            found.update(name.encode() + reading.tobytes())
    return found.hexdigest()


def part(target: Target, apply: Any, intensity: float = 1.0, lasting: bool = True) -> Condition:
    """A condition of one corruption of the test's own."""
    made = Corruption("mine", "body", target, apply, "", "", 0.5)
    return Condition((Applied(made, intensity, lasting),))


# ------------------------------------------------------------------------------------- identity
def test_a_clean_condition_changes_nothing_and_costs_nothing() -> None:
    plain = Env(
        tiny_simulator("vln-v1"),
        make_task("vln-v1", with_camera(spec_for("vln-v1"), 32, 24)),
        SENSORS,
        seed=4,
    )
    clean = make(CLEAN, seed=9)
    assert all(equal(a, b) for a, b in zip(play(plain), play(clean), strict=True))
    assert clean.step(F).corrupt_s == 0.0
    assert start(clean)[0].system == ""


@pytest.mark.parametrize("name", EVERYTHING.split("+"))
def test_intensity_0_is_the_clean_episode(name: str) -> None:
    none = make(f"{name.partition('@')[0]}@0", seed=3)
    assert all(equal(a, b) for a, b in zip(play(none), play(make()), strict=True))


@pytest.mark.parametrize("name", EVERYTHING.split("+"))
def test_every_part_is_felt(name: str) -> None:
    spoiled, clean = play(make(name, seed=3)), play(make())
    assert any(not equal(a, b) for a, b in zip(spoiled, clean, strict=True))


# ---------------------------------------------------------------------------------- determinism
def test_an_episode_is_the_same_whatever_ran_before_it() -> None:
    env = make(EVERYTHING, seed=3)
    first = play(env, "one")
    other = play(env, "two")
    again = play(env, "one")
    fresh = play(make(EVERYTHING, seed=3), "one")
    assert digest(first) == digest(again) == digest(fresh)
    assert digest(other) != digest(first)
    assert digest(play(make(EVERYTHING, seed=4), "one")) != digest(first)


def test_an_episode_is_the_same_in_another_process() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import test_env_conditions as t; "
        "print(t.digest(t.play(t.make(t.EVERYTHING, seed=3), 'one')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(__file__).rpartition("/")[0]],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == digest(play(make(EVERYTHING, seed=3), "one"))


@pytest.mark.parametrize("condition", [EVERYTHING, "odometry_drift", "latency@1+frame_drop@0.9"])
def test_restore_and_continue_equals_the_undisturbed_run(condition: str) -> None:
    env = make(condition, seed=2)
    start(env)
    for move in WALK[:5]:
        env.step(move)
    held = env.snapshot()
    rest: list[Step] = [env.step(move) for move in WALK[5:]]
    env.restore(held)
    again = [env.step(move) for move in WALK[5:]]
    other = make(condition, seed=2)
    start(other, "another")
    other.restore(held)
    elsewhere = [other.step(move) for move in WALK[5:]]
    for a, b, c in zip(rest, again, elsewhere, strict=True):
        assert equal(a.observation, b.observation)
        assert equal(a.observation, c.observation)
        assert a.motion == b.motion == c.motion


def test_observing_twice_gives_the_same_in_fresh_arrays() -> None:
    env = make(EVERYTHING)
    start(env)
    for move in WALK[:4]:
        env.step(move)
    one, two = env.observe(), env.observe()
    assert equal(one, two)
    assert not any(np.shares_memory(one.readings[n], two.readings[n]) for n in SENSORS)


# ---------------------------------------------------------------------------------- the sensors
def test_images_and_depth_get_their_own_parts_with_the_streams_of_their_capture() -> None:
    env, clean = make("depth_gaussian", seed=5), make()
    spoiled, plain = play(env), play(clean)
    condition = parse_condition("depth_gaussian")
    for t, (a, b) in enumerate(zip(spoiled, plain, strict=True)):
        moment = Moment(5, env.episode.episode_id, "depth", t)
        assert b.depth is not None
        expected = condition.corrupt("depth", b.depth, moment, max_range_m=10.0)
        assert np.array_equal(a.readings["depth"], expected)
        assert np.array_equal(a.readings["rgb"], b.readings["rgb"])


def test_the_mount_is_the_same_for_all_cameras_and_the_brief_does_not_know() -> None:
    env = make("camera_tilt@1", sensors=("rgb", "depth", "semantic"))
    brief, obs = start(env)
    assert brief.sensors == start(make(sensors=("rgb", "depth", "semantic")))[0].sensors
    tilted = {s.spec.camera.pitch_deg for s in env._mounted if s.spec.camera}
    assert len(tilted) == 1
    assert tilted != {0.0}
    truth = EmbeddedSimulator()
    truth.load(env.sim.scene, env.sim.robot)
    truth.place(env.sim.pose)
    camera = env._mounted[1].spec.camera
    assert camera is not None
    assert np.array_equal(obs.readings["semantic"], truth.render(camera).instances)


def test_a_lost_frame_is_the_last_one_again_and_the_first_never_is() -> None:
    lost = part("arrival", lambda intensity, rng: True)
    walk = play(make(lost))
    first, later = walk[0], walk[5]
    assert np.array_equal(first.readings["rgb"], later.readings["rgb"])
    assert np.array_equal(first.readings["depth"], later.readings["depth"])
    assert not np.array_equal(first.readings["pose"], later.readings["pose"])


def test_noise_of_a_frame_that_is_given_again_does_not_change() -> None:
    env = make("low_light_noise+frame_drop@1", seed=1)
    walk, taken = [start(env)[1]], [env.shown()["rgb"]]
    for move in WALK:
        walk.append(env.step(move).observation)
        taken.append(env.shown()["rgb"])
    assert len(set(taken)) < len(taken)
    for a, b, one, two in zip(walk, walk[1:], taken, taken[1:], strict=False):
        assert np.array_equal(a.readings["rgb"], b.readings["rgb"]) == (one == two)


def test_odometry_is_integrated_at_every_step() -> None:
    """An error of 1 cm a step adds up, also where the sensor reads every third step only."""

    def drift(estimate: Pose, before: Pose, now: Pose, *_: Any) -> Pose:
        return replace(
            estimate, x=estimate.x + now.x - before.x + 0.01, y=estimate.y + now.y - before.y
        )

    env, clean = make(part("pose", drift)), make()
    for t, (a, b) in enumerate(zip(play(env), play(clean), strict=True)):
        assert a.readings["pose"][0] == pytest.approx(b.readings["pose"][0] + 0.01 * t)
        assert a.readings["pose"][1] == pytest.approx(b.readings["pose"][1])
    spec = with_camera(spec_for("vln-v1"), 32, 24)
    slow = tuple(replace(s, every=3) if s.name == "pose" else s for s in spec.sensors)
    task = make_task("vln-v1", replace(spec, sensors=slow))
    rare = Env(tiny_simulator("vln-v1"), task, ("pose",), condition=part("pose", drift))
    for t, (a, b) in enumerate(zip(play(rare), play(env), strict=True)):
        if t % 3 == 0:
            assert np.array_equal(a.readings["pose"], b.readings["pose"])


# --------------------------------------------------------------------------------- drive, words
@pytest.mark.parametrize("control", [F, Velocity(0.8, 0.0)])
def test_a_weak_battery_goes_less_far(control: Move | Velocity) -> None:
    moved = []
    for condition in ("clean", "low_battery@0.5"):
        env = make(condition)
        start(env)
        motion = env.step(control).motion
        assert motion is not None
        moved.append(motion.moved_m)
    assert moved[1] == pytest.approx(moved[0] * 0.65)


def test_words_are_spoiled_once_and_the_agent_is_told_them_alike() -> None:
    env = make("mask_100")
    brief, obs = start(env)
    said = env.task.instruction()
    assert "[MASK]" in brief.instruction
    assert brief.instruction != said
    assert obs.instruction == brief.instruction == env.step(F).observation.instruction


def test_words_that_come_later_are_an_event() -> None:
    env = make("mask_100", task="langnav-v1", sensors=("pose",))
    brief, _ = start(env)
    step = env.step(Move.FOUND)
    (heard,) = (e for e in step.events if e.kind == "heard")
    assert heard.data == {"text": step.observation.instruction, "number": 1}
    assert heard.step == 0
    assert step.observation.instruction != env.task.instruction() != brief.instruction
    plain = make(task="langnav-v1", sensors=("pose",))
    start(plain)
    assert all(e.kind != "heard" for e in plain.step(Move.FOUND).events)


def test_a_system_prompt_is_told_in_the_brief_and_nowhere_else() -> None:
    brief, obs = start(make("white_box"))
    assert brief.system
    assert brief.instruction == obs.instruction == start(make())[0].instruction


def test_ones_own_corruptor_comes_after_the_condition() -> None:
    def negative(x: Any, moment: Moment) -> Any:
        return 255 - x

    env = make("spatter", corruptors={"rgb": negative}, seed=6)
    spoiled = play(make("spatter", seed=6))
    for a, b in zip(play(env), spoiled, strict=True):
        assert np.array_equal(a.readings["rgb"], 255 - b.readings["rgb"])


def test_the_time_of_corruption_is_told() -> None:
    env = make("spatter")
    start(env)
    assert 0.0 < env.step(F).corrupt_s < 5.0


def test_sensors_without_a_camera_are_not_mounted() -> None:
    asked: list[SensorSpec] = []

    def note(spec: SensorSpec, intensity: float, still: Any) -> SensorSpec:
        asked.append(spec)
        return spec

    start(make(part("mount", note)))
    assert [s.name for s in asked] == ["rgb", "depth"]
