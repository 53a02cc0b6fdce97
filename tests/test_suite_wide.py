"""Every task × sensor set × agent, in the manner of dm_control: observations conform to their
specs, runs repeat to the bit, arrays are not shared, what should vary varies, and a restored run
goes on as the undisturbed one."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from navproof.agents.load import example_of, load_agent, needs_endpoint
from navproof.agents.registry import AGENTS
from navproof.agents.validate import as_decision
from navproof.check.tiny import tiny_episode
from navproof.core.types import (
    Action,
    Episode,
    Goal,
    Instruction,
    Move,
    Observation,
    Pose,
    SubTask,
    TaskSpec,
    Walk,
)
from navproof.play.env import Env, Step
from navproof.sensors import build, choose
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import TASKS, make_task, spec_for, with_camera
from navproof.testing import tiny_scene
from navproof.world.library import load_scene
from navproof.world.people.people import APPEARANCES
from navproof.world.scene import Scene

HOME = "home/train/0"
SCENES = ("tiny", HOME)
SENSOR_SETS: dict[str, tuple[str, ...] | None] = {
    "standard": None,
    "rgb": ("rgb",),
    "depth and pose": ("depth", "pose"),
    "everything": ("rgb", "depth", "semantic", "pose", "pointgoal", "expert"),
    "none": (),
}
F, L, R, STOP = Move.FORWARD, Move.LEFT, Move.RIGHT, Move.STOP
WALK = (F, L, F, F, R, R, F, L, F, F)
STEPS = 20


@cache
def scene(ref: str) -> Scene:
    return tiny_scene() if ref == "tiny" else load_scene(ref)


@cache
def simulator(ref: str) -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(scene(ref), spec_for("pointnav-v1").robot)
    return sim


def spec(task: str) -> TaskSpec:
    return with_camera(spec_for(task), 64, 48)


@cache
def episode(task: str, ref: str) -> Episode:
    """A short episode in either scene; in the home from one random point to another."""
    sim = simulator(ref)
    sim.load(scene(ref), spec_for(task).robot)
    if ref == "tiny":
        return tiny_episode(task, sim, budget_steps=STEPS)
    generator = np.random.Generator(np.random.Philox(key=3))
    while True:
        start, goal = sim.random_point(generator), sim.random_point(generator)
        metres = sim.geodesic(start, (goal,))
        if 3.0 < metres < 20.0:
            break
    goals = (Goal("point", (goal,)),)
    thing = scene(ref).objects[0]
    if task == "objectnav-v1":
        goals = (Goal("object", (goal,), category=thing.category),)
    if task == "langnav-v1":
        texts = (f"Find the {thing.category}.", f"Now the other {thing.category}.")
        goals = tuple(Goal("object", (goal,), thing.category, (thing.id,), t) for t in texts)
    told = task in ("vln-v1", "mission-v1")
    words = Instruction("Walk past the table and stop.") if told else None
    found = Episode(
        f"{task}-{ref}", task, ref, Pose(*start, 1.0), goals, metres, (), STEPS, 11, words
    )
    if task == "mission-v1":
        subtasks = (SubTask("goto_point", "go there", goals[0], 0.36),)
        walk = Walk("p1", next(iter(APPEARANCES)), ((goal[0], goal[1], 0.0),))
        found = replace(found, subtasks=subtasks, people=(walk,))
    return found


def make(task: str, ref: str, sensors: tuple[str, ...] | None) -> Env:
    sim = simulator(ref)
    sim.load(scene(ref), spec_for(task).robot)
    return Env(sim, make_task(task, spec(task)), sensors)


def walk(env: Env, start: Episode, moves: tuple[Action, ...] = WALK) -> list[Observation]:
    _, first = env.reset(start)
    return [first, *(env.step(move).observation for move in moves)]


def assert_same(a: Observation, b: Observation) -> None:
    assert (a.step, a.instruction, a.collided) == (b.step, b.instruction, b.collided)
    assert list(a.readings) == list(b.readings)
    for name in a.readings:
        assert a.readings[name].dtype == b.readings[name].dtype
        assert np.array_equal(a.readings[name], b.readings[name]), name


@pytest.mark.parametrize("ref", SCENES)
@pytest.mark.parametrize("sensors", SENSOR_SETS.values(), ids=SENSOR_SETS)
@pytest.mark.parametrize("task", sorted(TASKS))
def test_observations(task: str, sensors: tuple[str, ...] | None, ref: str) -> None:
    """Conform to spec; not shared between steps; vary where they should; repeat to the bit."""
    start = episode(task, ref)
    seen = walk(make(task, ref, sensors), start)
    kept = copy.deepcopy(seen)
    forms = {s.name: build(s).reading for s in choose(spec(task), sensors)}
    for obs in seen:
        assert set(obs.readings) == set(forms)
        for name, form in forms.items():
            value = obs.readings[name]
            assert value.dtype == np.dtype(form.dtype)
            assert len(value.shape) == len(form.shape)
            assert all(n is None or m == n for m, n in zip(value.shape, form.shape, strict=True))
            assert value.flags.owndata
            assert value.flags.writeable
            numbers = value.astype(np.float64)
            assert np.isfinite(numbers).all()
            assert np.all(numbers >= np.array(form.low))
            assert np.all(numbers <= np.array(form.high))
    for one, other in pairwise(seen):
        for name in forms:
            assert not np.shares_memory(one.readings[name], other.readings[name])
            one.readings[name].fill(0)  # must not reach what is seen later
    for name in forms:
        first = kept[0].readings[name]
        assert any(
            obs.readings[name].shape != first.shape or not np.array_equal(obs.readings[name], first)
            for obs in kept[1:]
        ), f"{name} never changes"
        if name in ("rgb", "depth", "semantic"):
            assert all(len(np.unique(obs.readings[name])) > 1 for obs in kept), f"{name} is flat"
    again = walk(make(task, ref, sensors), start)
    for one, other in zip(kept, again, strict=True):
        assert_same(one, other)


def run(name: str, task: str, ref: str) -> tuple[list[Action], list[Step], list[Observation]]:
    factory = load_agent(name)
    env, agent = make(task, ref, factory.sensors), factory()
    brief, obs = env.reset(episode(task, ref))
    agent.reset(brief)
    actions, steps, seen = [], [], [obs]
    while not env.done:
        action = as_decision(agent.act(obs), brief).action
        taken = env.step(action)
        obs = taken.observation
        actions.append(action)
        steps.append(taken)
        seen.append(obs)
    return actions, steps, seen


@pytest.mark.parametrize("ref", SCENES)
@pytest.mark.parametrize("name", sorted(example_of(n) for n in AGENTS if not needs_endpoint(n)))
@pytest.mark.parametrize("task", sorted(TASKS))
def test_agents(task: str, name: str, ref: str) -> None:
    """Play every task within its rules; the same to the bit a second time; and again when agent
    and environment are put back in mid-episode."""
    actions, steps, seen = run(name, task, ref)
    assert 1 <= len(actions) <= STEPS
    assert steps[-1].done
    assert not any(step.done for step in steps[:-1])
    last = [e.kind for e in steps[-1].events if e.kind != "intent"]
    assert last in (
        [["found"], ["goal_timeout"]] if task == "langnav-v1" else [["stop"], ["timeout"]]
    )
    actions2, _, seen2 = run(name, task, ref)
    assert actions == actions2
    for one, other in zip(seen, seen2, strict=True):
        assert_same(one, other)

    factory = load_agent(name)
    env, agent = make(task, ref, factory.sensors), factory()
    brief, obs = env.reset(episode(task, ref))
    agent.reset(brief)
    half = len(actions) // 2
    for _ in range(half):
        obs = env.step(as_decision(agent.act(obs), brief).action).observation
    held, twin = env.snapshot(), copy.deepcopy(agent)
    while not env.done:  # go on, to spoil whatever is shared
        obs = env.step(as_decision(agent.act(obs), brief).action).observation
    env.restore(held)
    obs = env.observe()
    for index in range(half, len(actions)):
        assert_same(obs, seen[index])
        action = as_decision(twin.act(obs), brief).action
        assert action == actions[index]
        obs = env.step(action).observation
    assert_same(obs, seen[-1])
    assert env.done


@pytest.mark.parametrize("task", sorted(TASKS))
def test_the_oracle_succeeds(task: str) -> None:
    start = replace(episode(task, "tiny"), budget_steps=200)
    factory = load_agent("oracle")
    env, agent = make(task, "tiny", factory.sensors), factory()
    brief, obs = env.reset(start)
    agent.reset(brief)
    metres = 0.0
    taken = None
    while not env.done:
        taken = env.step(as_decision(agent.act(obs), brief).action)
        obs = taken.observation
        metres += taken.motion.moved_m if taken.motion else 0.0
    assert taken is not None
    assert taken.events[-1].data["success"] is True
    if len(start.goals) == 1:
        assert start.geodesic_m / max(metres, start.geodesic_m) >= 0.95
