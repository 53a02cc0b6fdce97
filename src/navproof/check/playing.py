"""Episodes played for a check: by an agent, or by a list of actions."""

from __future__ import annotations

from collections.abc import Sequence

from navproof.agents.load import load_agent
from navproof.core.types import Action, Episode, TaskSpec
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env, Step
from navproof.play.play import play
from navproof.play.session import Session
from navproof.sim.protocol import Simulator
from navproof.tasks import make_task, with_camera

__all__ = ["env_for", "played_by", "small", "steps_of"]


def small(spec: TaskSpec) -> TaskSpec:
    """The same settings with small images."""
    return with_camera(spec, 64, 48)


def env_for(sim: Simulator, spec: TaskSpec, sensors: Sequence[str] | None = ()) -> Env:
    """An environment of a task's settings, without sensors unless some are named."""
    return Env(sim, make_task(spec.task, spec), sensors)


def played_by(agent: str, sim: Simulator, spec: TaskSpec, episode: Episode) -> Trace:
    """The trace of an episode as an agent plays it, without seconds."""
    factory = load_agent(agent)
    env = env_for(sim, spec, factory.sensors)
    session = Session(env, TraceKey(agent, episode.episode_id), timed=False)
    return play(session, factory(), episode)


def steps_of(env: Env, episode: Episode, actions: Sequence[Action]) -> list[Step]:
    """What actions lead to, from the beginning of an episode to its end or theirs."""
    env.reset(episode)
    found: list[Step] = []
    for action in actions:
        if env.done:
            break
        found.append(env.step(action))
    return found
