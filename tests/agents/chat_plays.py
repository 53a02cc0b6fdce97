"""Chat agents at play in the two-room flat, in this process."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chat_models import ChatServer

from navproof.agents.limits import Limits
from navproof.agents.load import load_agent
from navproof.agents.protocol import Agent
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Episode, Pose
from navproof.corruptions.condition import parse_condition
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.play import play
from navproof.play.session import Session
from navproof.tasks import make_task, spec_for, with_camera

__all__ = ["begun", "name_of", "played"]


def name_of(server: ChatServer | str, kind: str = "chat", **options: object) -> str:
    """The name of an agent that asks this server. Nothing is kept unless said."""
    url = server if isinstance(server, str) else server.url
    given = {"endpoint": url, "model": "m", "cache": "off", **options}
    return kind + "".join(f"@{name}={value}" for name, value in given.items())


def begun(
    name: str,
    task: str = "objectnav-v1",
    *,
    steps: int = 120,
    condition: str = "clean",
    seed: int = 3,
    small: bool = True,
    **changes: Any,
) -> tuple[Session, Agent, Episode]:
    """A session, the agent and the tiny episode of a task, perhaps changed."""
    factory = load_agent(name)
    sim = tiny_simulator(task)
    spec = spec_for(task)
    if small:
        spec = with_camera(spec, 256, 192 if task == "objectnav-v1" else 256)
    episode = replace(tiny_episode(task, sim, steps), **changes)
    wanted = parse_condition(condition)
    env = Env(sim, make_task(task, spec), factory.sensors, condition=wanted, seed=seed)
    key = TraceKey(name, episode.episode_id, condition, seed)
    return Session(env, key, beliefs=True), factory(), episode


def played(
    name: str, task: str = "objectnav-v1", *, step_s: float = 120.0, **settings: Any
) -> Trace:
    session, agent, episode = begun(name, task, **settings)
    return play(session, agent, episode, Limits(step_s=step_s))


AWAY = Pose(-3.4, 0.6, 0.0, 3.0)
"""A corner of the west room from which the chair is not in view."""
