"""What the agents do in the two-room flat."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import pytest

from navproof.agents.baselines.forward import ForwardAgent
from navproof.agents.baselines.frontier import FrontierAgent
from navproof.agents.baselines.random import RandomAgent
from navproof.agents.load import load_agent
from navproof.agents.validate import as_decision
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import AgentError
from navproof.core.types import (
    Beliefs,
    Detection,
    Move,
    Observation,
    Robot,
    TaskBrief,
)
from navproof.play.env import Env
from navproof.tasks import make_task

BRIEF = TaskBrief(
    "objectnav-v1",
    "Find a chair.",
    Robot("r", 0.18, 0.88, turn_deg=30.0),
    (),
    "discrete",
    (Move.FORWARD, Move.LEFT, Move.RIGHT, Move.STOP),
    500,
    4,
)


def play(name: str, task: str, budget: int = 300) -> tuple[bool, int, list[Beliefs | None]]:
    """(success, steps, beliefs of each step)."""
    sim = tiny_simulator(task)
    factory = load_agent(name)
    env, agent = Env(sim, make_task(task), factory.sensors), factory()
    brief, obs = env.reset(tiny_episode(task, sim, budget))
    agent.reset(brief)
    beliefs = []
    success = False
    while not env.done:
        decision = as_decision(agent.act(obs), brief)
        beliefs.append(decision.beliefs)
        taken = env.step(decision.action)
        obs = taken.observation
        success = any(bool(e.data.get("success")) for e in taken.events)
    return success, env.step_count, beliefs


@pytest.mark.parametrize("task", ["pointnav-v1", "objectnav-v1", "vln-v1"])
def test_frontier_finds_its_goal_and_says_what_it_believed(task: str) -> None:
    success, _, beliefs = play("frontier", task)
    assert success
    last = [b for b in beliefs if b is not None][-1]
    assert {"chair"} <= {thing.label for thing in last.remembered}
    assert any(b is not None and b.plan for b in beliefs)
    assert any(b is not None and b.perceived for b in beliefs)
    chair = next(thing for thing in last.remembered if thing.label == "chair")
    # the chair is at (2, 3.5), the start at (−3, 1) facing +x
    assert math.dist(chair.position[:2], (5.0, 2.5)) < 0.5


def test_frontier_sees_through_the_detector_it_is_given() -> None:
    class Blind:
        def detect(self, obs: Observation, brief: TaskBrief) -> tuple[Detection, ...]:
            return ()

    sim = tiny_simulator("objectnav-v1")
    env = Env(sim, make_task("objectnav-v1"), FrontierAgent.sensors)
    agent = FrontierAgent(Blind())
    brief, obs = env.reset(tiny_episode("objectnav-v1", sim, 120))
    agent.reset(brief)
    rooms = set()
    while not env.done:
        decision = agent.act(obs)
        assert decision.action is not Move.STOP
        assert decision.beliefs is not None
        assert decision.beliefs.perceived == decision.beliefs.remembered == ()
        obs = env.step(decision.action).observation
        rooms.add(sim.pose.x > 0)
    assert rooms == {False, True}  # it explored both rooms, looking


def test_oracle_says_its_plan() -> None:
    success, steps, beliefs = play("oracle", "pointnav-v1")
    assert success
    assert steps < 60
    assert all(b is not None and len(b.plan) >= 1 for b in beliefs)


@pytest.mark.parametrize("name", ["oracle", "frontier"])
def test_other_control_interfaces_are_refused(name: str) -> None:
    with pytest.raises(AgentError, match="discrete"):
        load_agent(name)().reset(replace(BRIEF, control="velocity"))


@pytest.mark.parametrize("name", ["oracle", "frontier"])
def test_missing_sensors_are_named(name: str) -> None:
    agent = load_agent(name)()
    agent.reset(BRIEF)
    with pytest.raises(AgentError, match="needs the sensor"):
        agent.act(Observation(0, {}))


def test_random_moves_uniformly_and_stops_rarely() -> None:
    agent = RandomAgent()
    agent.reset(BRIEF)
    counts = Counter(agent.act(Observation(i, {})) for i in range(6000))
    for move in (Move.FORWARD, Move.LEFT, Move.RIGHT):
        assert 0.30 < counts[move] / 6000 < 0.36
    assert 0.005 < counts[Move.STOP] / 6000 < 0.015


def test_random_depends_on_the_seed_alone() -> None:
    def moves(seed: int) -> list[Move]:
        agent = RandomAgent()
        agent.reset(replace(BRIEF, seed=seed))
        return [agent.act(Observation(i, {})) for i in range(30)]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


def test_forward_turns_only_after_a_bump() -> None:
    agent = ForwardAgent()
    agent.reset(BRIEF)
    acts = [agent.act(Observation(i, {})) for i in range(20)]
    assert set(acts) <= {Move.FORWARD, Move.STOP}
    turns = []
    act = agent.act(Observation(21, {}, collided=True))
    while act in (Move.LEFT, Move.RIGHT):
        turns.append(act)
        act = agent.act(Observation(22, {}))
    assert 2 <= len(turns) <= 6
    assert len(set(turns)) == 1
