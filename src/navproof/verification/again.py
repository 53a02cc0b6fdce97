"""The actions of a trace, simulated again by the judge alone."""

from __future__ import annotations

from navproof.agents.validate import as_decision
from navproof.core.types import Decision
from navproof.corruptions.condition import parse_condition
from navproof.corruptions.robot import INSTRUCTION
from navproof.log.actions import action_of
from navproof.log.trace import Trace
from navproof.play.env import Env
from navproof.play.seen import heard_words
from navproof.play.session import Session
from navproof.sim.protocol import Simulator
from navproof.tasks import make_task

__all__ = ["session_of", "simulated_again"]


def session_of(trace: Trace, sim: Simulator, *, words_as_heard: bool) -> Session:
    """A session for a trace's episode under its condition. No sensor is mounted: what an agent saw
    shaped nothing but its actions, which are known. ``words_as_heard``: a language model made the
    words, so that they can only be taken from the trace."""
    env = Env(
        sim,
        make_task(trace.spec.task, trace.spec),
        (),
        condition=parse_condition(trace.key.condition),
        corruptors={INSTRUCTION: heard_words(trace)} if words_as_heard else None,
        seed=trace.key.seed,
    )
    return Session(env, trace.key, timed=False, delays=trace.delays.took_s)


def simulated_again(session: Session, trace: Trace) -> Trace:
    """What the judge makes of the trace's actions, as far as its episode goes: the status is the
    trace's own. What the agent said it was about is taken from the trace. A ``Fault`` where the
    simulator fails, an ``AgentError`` or ``ValueError`` where an action is none."""
    intents = {event.step: event.data for event in trace.events if event.kind == "intent"}
    session.begin(trace.episode)
    for step, words in enumerate(trace.actions):
        if session.done:
            break
        decision = Decision(action_of(words), None, intents.get(step))
        session.step(as_decision(decision, session.brief))
    return session.trace(trace.status, trace.reason)
