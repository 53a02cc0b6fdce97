"""The environment loop: what it computes, when readings arrive, and that snapshots are exact."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import EpisodeError, SimulationError, SpecError
from navproof.core.seeding import rng
from navproof.core.types import Answer, Camera, Frame, Move, Observation, Pose, SensorSpec, TaskSpec
from navproof.corruptions import Moment
from navproof.play.env import Env
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for, with_camera

F, L, R, STOP = Move.FORWARD, Move.LEFT, Move.RIGHT, Move.STOP
WALK = [F, F, L, F, F, R, F, F, F, L, F]


class CountingSimulator(EmbeddedSimulator):
    """Counts its renders."""

    def __init__(self) -> None:
        super().__init__()
        self.renders: list[Camera] = []

    def render(self, camera: Camera, *, colour: bool = True) -> Frame:
        self.renders.append(camera)
        return super().render(camera, colour=colour)


def small(task: str) -> TaskSpec:
    return with_camera(spec_for(task), 32, 24)


def make(task: str = "pointnav-v1", **options: Any) -> Env:
    spec = options.pop("spec", None) or small(task)
    sensors = options.pop("sensors", None)
    return Env(tiny_simulator(task), make_task(task, spec), sensors, **options)


def start(env: Env, budget: int = 60) -> Observation:
    sim = env.sim
    assert isinstance(sim, EmbeddedSimulator)
    return env.reset(tiny_episode(env.task.spec.task, sim, budget))[1]


def same(a: Observation, b: Observation) -> bool:
    return (
        (a.step, a.instruction, a.collided) == (b.step, b.instruction, b.collided)
        and list(a.readings) == list(b.readings)
        and all(np.array_equal(a.readings[n], b.readings[n]) for n in a.readings)
    )


def test_only_what_is_asked_for_is_rendered_and_equal_cameras_share_one_render() -> None:
    sim = CountingSimulator()
    reference = tiny_simulator("pointnav-v1")
    sim.load(reference.scene, reference.robot)
    task = make_task("pointnav-v1", small("pointnav-v1"))
    env = Env(sim, task, ("pose", "pointgoal"))
    start(env)
    env.step(F)
    assert sim.renders == []
    env = Env(sim, task, ("rgb", "depth", "semantic"))
    start(env)
    assert len(sim.renders) == 1
    env.step(F)
    assert len(sim.renders) == 2


def test_different_cameras_render_apart() -> None:
    sim = CountingSimulator()
    reference = tiny_simulator("vln-v1")
    sim.load(reference.scene, reference.robot)
    env = Env(sim, make_task("vln-v1"), ("rgb", "depth"))
    start(env)
    assert [c.width for c in sim.renders] == [224, 256]


def test_standard_sensors_leave_out_ground_truth() -> None:
    assert set(start(make("pointnav-v1")).readings) == {"rgb", "depth", "pose", "pointgoal"}
    assert set(start(make("objectnav-v1")).readings) == {"rgb", "depth", "pose"}


def test_labels_are_told_only_with_the_semantic_sensor() -> None:
    env = make("objectnav-v1", sensors=("semantic",))
    brief, obs = env.reset(tiny_episode("objectnav-v1", env.sim))  # type: ignore[arg-type]
    assert brief.labels is not None
    assert set(np.unique(obs.readings["semantic"])) <= {0, *brief.labels}
    env = make("objectnav-v1", sensors=("depth",))
    brief, _ = env.reset(tiny_episode("objectnav-v1", env.sim))  # type: ignore[arg-type]
    assert brief.labels is None
    assert [s.name for s in brief.sensors] == ["depth"]


def test_an_agent_without_sensors_gets_none() -> None:
    env = make(sensors=())
    brief, obs = env.reset(tiny_episode("pointnav-v1", env.sim))  # type: ignore[arg-type]
    assert brief.sensors == ()
    assert obs.readings == {}


def test_arrays_are_fresh_and_writing_into_them_changes_nothing() -> None:
    env = make(sensors=("rgb", "depth", "semantic", "pose", "pointgoal", "expert"))
    first = start(env)
    kept = {n: a.copy() for n, a in first.readings.items()}
    for array in first.readings.values():
        array.fill(3)
    again = env.observe()
    assert all(np.array_equal(again.readings[n], kept[n]) for n in kept)
    after = env.step(L).observation
    for name in kept:
        assert not np.shares_memory(after.readings[name], first.readings[name])


def test_stop_and_answer_do_not_move_the_robot() -> None:
    env = make()
    start(env)
    before = env.sim.pose
    assert env.step(Answer("blue")).motion is None
    assert env.sim.pose == before
    assert not env.done
    last = env.step(STOP)
    assert last.motion is None
    assert last.done
    assert [e.kind for e in last.events] == ["stop"]
    assert last.events[0].step == 1
    assert env.step_count == 2
    with pytest.raises(SimulationError, match="is over"):
        env.step(F)


def test_budget_ends_the_episode_and_collisions_are_felt() -> None:
    env = make("objectnav-v1")
    start(env, budget=30)
    for _ in range(6):
        env.step(R)  # turn round, to the wall behind
    felt = []
    while not env.done:
        felt.append(env.step(F).observation.collided)
    assert env.step_count == 30
    assert not felt[0]
    assert felt[-1]


def test_distance_is_geodesic() -> None:
    env = make()
    start(env)
    straight = np.hypot(3.0 + 3.0, 1.2 - 1.0)
    assert env.distance_to_goal() == pytest.approx(env.episode.geodesic_m, abs=1e-3)
    assert env.distance_to_goal() > straight
    here = env.sim.pose
    env.step(F)
    assert env.sim.pose.x == pytest.approx(here.x + 0.25)
    assert env.distance_to_goal() < env.episode.geodesic_m


def with_timing(task: str, name: str, every: int, delay: int) -> TaskSpec:
    spec = small(task)
    sensors = tuple(
        replace(s, every=every, delay_steps=delay) if s.name == name else s for s in spec.sensors
    )
    return replace(spec, sensors=sensors)


@pytest.mark.parametrize(("every", "delay"), [(1, 0), (1, 3), (3, 0), (3, 2), (2, 5)])
def test_rate_and_delay(every: int, delay: int) -> None:
    env = make(spec=with_timing("pointnav-v1", "pose", every, delay), sensors=("pose", "pointgoal"))
    start(env)
    true = make(sensors=("pose",))
    now = start(true)
    poses = [now.readings["pose"]]
    for t, move in enumerate(WALK, start=1):
        seen = env.step(move).observation.readings["pose"]
        poses.append(true.step(move).observation.readings["pose"])
        due = max(0, t - delay) // every * every
        assert np.array_equal(seen, poses[due]), (t, due)


def test_a_slow_camera_is_not_rendered_in_between() -> None:
    sim = CountingSimulator()
    reference = tiny_simulator("pointnav-v1")
    sim.load(reference.scene, reference.robot)
    env = Env(sim, make_task("pointnav-v1", with_timing("pointnav-v1", "rgb", 4, 0)), ("rgb",))
    start(env)
    for move in WALK[:8]:
        env.step(move)
    assert len(sim.renders) == 3


def noise(x: Any, moment: Moment) -> Any:
    return x + moment.fresh("noise").normal(size=x.shape)


def test_corruptors_get_their_own_stream_and_change_only_their_sensor() -> None:
    env = make(sensors=("pose", "pointgoal"), corruptors={"pose": noise}, seed=5)
    clean = make(sensors=("pose", "pointgoal"))
    start(env)
    start(clean)
    for t, move in enumerate(WALK, start=1):
        a, b = env.step(move).observation, clean.step(move).observation
        assert np.array_equal(a.readings["pointgoal"], b.readings["pointgoal"])
        stream = rng(5, env.episode.episode_id, "corrupt.pose.noise", t)
        expected = b.readings["pose"] + stream.normal(size=4)
        assert np.array_equal(a.readings["pose"], expected)


def test_instruction_corruptor_changes_brief_and_observation_alike() -> None:
    def shout(x: Any, moment: Moment) -> Any:
        return f"{x.upper()} {moment.fresh('shout').integers(1000)}"

    env = make("vln-v1", corruptors={"instruction": shout}, sensors=("pose",))
    brief, obs = env.reset(tiny_episode("vln-v1", env.sim))  # type: ignore[arg-type]
    assert brief.instruction.startswith("WALK PAST THE RED TABLE")
    assert obs.instruction == brief.instruction
    assert env.step(F).observation.instruction == brief.instruction


def test_unknown_slots_and_sensors_are_refused_with_a_suggestion() -> None:
    with pytest.raises(SpecError, match="did you mean 'depth'"):
        make(sensors=("dept",))
    with pytest.raises(SpecError, match="did you mean 'rgb'"):
        make(corruptors={"rbg": noise})
    bad = replace(small("pointnav-v1"), sensors=(SensorSpec("pose", "pose", every=0),))
    with pytest.raises(SpecError, match="every"):
        make(spec=bad)


def test_pointgoal_is_left_out_where_the_task_has_none() -> None:
    assert set(start(make("vln-v1", sensors=("pose", "pointgoal"))).readings) == {"pose"}


@pytest.mark.parametrize("task", ["pointnav-v1", "objectnav-v1", "vln-v1"])
def test_restore_and_continue_equals_the_undisturbed_run(task: str) -> None:
    spec = with_timing(task, "depth", 2, 3)
    sensors = ("rgb", "depth", "pose", "expert")
    env = make(task, spec=spec, sensors=sensors, corruptors={"pose": noise})
    start(env)
    for move in WALK[:5]:
        env.step(move)
    held = env.snapshot()
    undisturbed = [env.step(move) for move in WALK[5:]]
    env.restore(held)
    assert env.step_count == 5
    again = [env.step(move) for move in WALK[5:]]
    other = make(task, spec=spec, sensors=sensors, corruptors={"pose": noise})
    other.restore(held)
    elsewhere = [other.step(move) for move in WALK[5:]]
    for a, b, c in zip(undisturbed, again, elsewhere, strict=True):
        assert same(a.observation, b.observation)
        assert same(a.observation, c.observation)
        assert a.motion == b.motion == c.motion
        assert a.events == b.events == c.events


def test_a_restored_end_is_still_the_end() -> None:
    env = make()
    start(env)
    before = env.snapshot()
    env.step(STOP)
    after = env.snapshot()
    env.restore(before)
    assert not env.done
    env.restore(after)
    assert env.done


def test_a_start_inside_a_wall_names_the_episode() -> None:
    env = make()
    episode = tiny_episode("pointnav-v1", env.sim)  # type: ignore[arg-type]
    with pytest.raises(EpisodeError, match="tiny-pointnav-v1"):
        env.reset(replace(episode, start=Pose(-4.0, 0.0)))


def test_before_reset_there_is_no_episode() -> None:
    env = make()
    assert not env.done
    with pytest.raises(SimulationError, match="reset"):
        _ = env.episode
