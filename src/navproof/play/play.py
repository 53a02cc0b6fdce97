"""``play``: one agent, one session, one trace. Whatever the agent does wrong is in the trace."""

from __future__ import annotations

import time

from navproof.agents.calls import Fault, in_agent, seed_globals
from navproof.agents.limits import Limits
from navproof.agents.protocol import Agent
from navproof.agents.validate import as_decision
from navproof.core.types import Decision, Episode, Observation
from navproof.log.trace import Trace
from navproof.play.hosted import HostedAgent, LostError
from navproof.play.session import Session

__all__ = ["ask", "play", "reset"]


def play(
    session: Session,
    agent: Agent | HostedAgent,
    episode: Episode,
    limits: Limits | None = None,
) -> Trace:
    """Play an episode from its beginning to its end and return the trace, whatever happens.

    An exception, an action that is none, or a call beyond ``limits`` ends the episode with a
    status and a one-line reason. (Where the agent is in this process, a call that never returns is
    the pool's to end.) What may have been done to the agent's process from outside is raised
    (``LostError``). The agent's seed, and the global generators of ``random``, NumPy and PyTorch,
    depend on the run's seed alone. Words that a condition changed are kept as events "heard" and
    "prompt" (``text``).
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
    except LostError as lost:
        if lost.outside:
            raise
        return session.trace(lost.status, lost.reason)
    except Fault as fault:
        return session.trace(fault.status, fault.reason)
    return session.trace()


def reset(session: Session, agent: Agent | HostedAgent, limits: Limits) -> float:
    """Tell the agent of the episode; the seconds that it took."""
    if session.watcher:
        session.watcher.phase("reset")
    began = time.perf_counter()
    if isinstance(agent, HostedAgent):
        agent.beliefs = session.keeps_beliefs
        agent.reset(session.brief)
    else:
        seed_globals(session.brief.seed)
        in_agent(lambda: agent.reset(session.brief), "reset")
    took = time.perf_counter() - began
    if took > limits.setup_s:
        raise Fault("agent_timeout", f"reset took longer than {limits.setup_s:g} s")
    if session.watcher:
        session.watcher.phase("acting")
    return took


def ask(
    session: Session,
    agent: Agent | HostedAgent,
    limits: Limits,
    observation: Observation | None = None,
) -> tuple[Decision, float]:
    """What the agent decides now, and the seconds that it took. ``observation`` takes the place of
    the session's own."""
    shown = session.observation if observation is None else observation
    when = f"step {session.steps}"
    began = time.perf_counter()
    if isinstance(agent, HostedAgent):
        decision = agent.decide(shown, when, session.steps)
        took = time.perf_counter() - began
    else:
        value = in_agent(lambda: agent.act(shown), when)
        took = time.perf_counter() - began
        decision = in_agent(lambda: as_decision(value, session.brief), when)
    if took > limits.step_s:
        raise Fault("agent_timeout", f"{when} took longer than {limits.step_s:g} s")
    return decision, took
