"""``play``: one agent, one session, one trace. Whatever the agent does wrong is in the trace."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from navproof.agents.limits import Limits
from navproof.agents.protocol import Agent
from navproof.agents.validate import as_decision
from navproof.core.blame import blame
from navproof.core.errors import NavproofError
from navproof.core.types import Decision, Episode, Observation
from navproof.log.trace import Trace
from navproof.play.session import Fault, Session

__all__ = ["ask", "play", "reset", "seed_globals"]

T = TypeVar("T")


def play(session: Session, agent: Agent, episode: Episode, limits: Limits | None = None) -> Trace:
    """Play an episode from its beginning to its end and return the trace, whatever happens.

    An exception, an action that is none, or a call beyond ``limits`` ends the episode with a
    status and a one-line reason. (A call that never returns is the pool's to end.) The agent's
    seed, and the global generators of ``random``, NumPy and PyTorch, depend on the run's seed and
    the episode alone, so that an episode and its clean twin differ in the condition only. Words
    that a condition changed are kept as events "heard" and "prompt" (``text``).
    """
    limits = limits or Limits()
    try:
        session.begin(episode)
        began = time.perf_counter()
        session.recorder.reset_took(reset(session, agent, limits))
        while not session.done:
            decision, took = ask(session, agent, limits)
            session.step(decision, act_s=took)
            if not session.done and time.perf_counter() - began > limits.episode_s:
                limit = limits.episode_s
                raise Fault("agent_timeout", f"the episode took longer than {limit:g} s")
    except Fault as fault:
        return session.trace(fault.status, fault.reason)
    return session.trace()


def reset(session: Session, agent: Agent, limits: Limits) -> float:
    """Tell the agent of the episode; the seconds that it took."""
    seed_globals(session.brief.seed)
    if session.watcher:
        session.watcher.phase("reset")
    began = time.perf_counter()
    in_agent(lambda: agent.reset(session.brief), "reset")
    took = time.perf_counter() - began
    if took > limits.setup_s:
        raise Fault("agent_timeout", f"reset took longer than {limits.setup_s:g} s")
    if session.watcher:
        session.watcher.phase("acting")
    return took


def ask(
    session: Session, agent: Agent, limits: Limits, observation: Observation | None = None
) -> tuple[Decision, float]:
    """What the agent decides now, and the seconds that it took. ``observation`` takes the place of
    the session's own."""
    shown = session.observation if observation is None else observation
    when = f"step {session.steps}"
    began = time.perf_counter()
    value = in_agent(lambda: agent.act(shown), when)
    took = time.perf_counter() - began
    if took > limits.step_s:
        raise Fault("agent_timeout", f"{when} took longer than {limits.step_s:g} s")
    return in_agent(lambda: as_decision(value, session.brief), when), took


def in_agent(call: Callable[[], T], when: str) -> T:
    """Call the agent; anything that it raises costs the episode."""
    try:
        return call()
    except Fault:
        raise
    except MemoryError as error:
        raise Fault("memory_limit", f"{when}: {blame(error)}") from None
    except NavproofError as error:
        raise Fault("agent_error", f"{when}: {error}") from None
    except BaseException as error:  # SystemExit and KeyboardInterrupt are the agent's own here
        raise Fault("agent_error", f"{when}: {blame(error)}") from None


def seed_globals(seed: int) -> None:
    """Even an agent that draws from global generators is the same whatever ran before it."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(seed)
