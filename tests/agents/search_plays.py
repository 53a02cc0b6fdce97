"""Search agents in the two-room flat, with small pictures and eyes of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from navproof.agents.load import load_agent
from navproof.agents.protocol import Agent
from navproof.agents.validate import as_decision
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Beliefs, Event, Goal, Scalar
from navproof.play.env import Env
from navproof.tasks import make_task, spec_for, with_camera

__all__ = ["Play", "play"]

_PIXELS = 96


@dataclass(frozen=True)
class Play:
    """How an episode went: what was claimed and why, in order."""

    actions: tuple[str, ...]
    events: tuple[Event, ...]
    intents: tuple[Mapping[str, Scalar] | None, ...]
    beliefs: tuple[Beliefs | None, ...]

    @property
    def found(self) -> list[bool]:
        """For each goal that was claimed, whether it was right."""
        kinds = ("found", "stop")
        return [bool(e.data["success"]) for e in self.events if e.kind in kinds]

    @property
    def claims(self) -> list[Scalar]:
        """On whose word each goal was claimed."""
        told = [i for i in self.intents if i is not None]
        return [i["by"] if i["is"] == "claim" else i["is"] for i in told if i["is"] in _ENDS]


_ENDS = ("claim", "exhausted")


def play(
    name: str,
    task: str = "langnav-v1",
    steps: int = 400,
    agent: Agent | None = None,
    goals: tuple[Goal, ...] | None = None,
) -> Play:
    """Play a task's episode in the flat; ``steps`` are for all its goals together."""
    sim = tiny_simulator(task)
    factory = load_agent(name)
    spec = with_camera(spec_for(task), _PIXELS, _PIXELS)
    env = Env(sim, make_task(task, spec), factory.sensors)
    episode = tiny_episode(task, sim, steps)
    brief, obs = env.reset(episode if goals is None else replace(episode, goals=goals))
    agent = agent or factory()
    agent.reset(brief)
    actions, events, intents, beliefs = [], [], [], []
    while not env.done:
        decision = as_decision(agent.act(obs), brief)
        taken = env.step(decision.action)
        obs = taken.observation
        actions.append(str(decision.action))
        events += taken.events
        intents.append(decision.intent)
        beliefs.append(decision.beliefs)
    return Play(tuple(actions), tuple(events), tuple(intents), tuple(beliefs))
