"""The conformance checks of agents: what ``navproof check agent`` runs, usable from tests too.

Every check runs the agent on short episodes in the two-room flat of ``navproof.testing``. A check
that fails says what was seen and how to mend it.
"""

from __future__ import annotations

import copy
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from navproof.agents.address import is_address
from navproof.agents.calls import Fault
from navproof.agents.limits import Limits
from navproof.agents.load import AgentFactory, load_agent
from navproof.agents.protocol import Agent, SnapshotAgent
from navproof.agents.validate import as_decision
from navproof.check.result import Check, other_global_seed
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import AgentError, NavproofError, SpecError, one_line
from navproof.core.types import Action, TaskBrief
from navproof.corruptions.condition import CLEAN
from navproof.log.trace import TraceKey
from navproof.play.deadline import deadline
from navproof.play.env import Env
from navproof.play.hosted import HostedAgent, StateLostError
from navproof.play.session import Session, causes_of_faults
from navproof.sensors import privileged
from navproof.tasks import TASKS, make_task, spec_for

__all__ = ["check_agent"]

SLOW_S = 1.0


@dataclass(frozen=True, slots=True)
class _Play:
    """One episode played: the actions, the seconds each took, and whether the brief changed."""

    actions: tuple[Action, ...]
    seconds: tuple[float, ...]
    brief_changed: bool


def check_agent(
    name: str, tasks: Sequence[str] | None = None, steps: int = 24, step_limit_s: float = 30.0
) -> tuple[Check, ...]:
    """All checks of the agent called ``name`` (as in ``load_agent``), in order.

    ``tasks`` are the tasks to play (by default those of the agent, or all), ``steps`` the length
    of an episode.
    """
    checks: list[Check] = []
    try:
        factory = _factory(name, step_limit_s)
        with deadline(10 * step_limit_s, "the constructor"):
            factory()
    except NavproofError as error:
        mend = "an agent is a class with reset(brief) and act(obs); only options are arguments"
        if is_address(name):
            mend = "navproof agent client writes navproof_client.py, which serves an agent there"
        return (Check("loads", False, str(error), mend),)
    wanted = "the task's standard ones" if factory.sensors is None else ", ".join(factory.sensors)
    shown = ", ".join(f"{k}={v}" if v else k for k, v in factory.options.items())
    about = f"sensors: {wanted or 'none'}" + (f"; options: {shown}" if shown else "")
    checks.append(Check("loads", True, about))
    played: dict[str, _Play] = {}
    for task in tasks or factory.tasks or list(TASKS):
        check, play = _plays(factory, task, steps, step_limit_s)
        checks.append(check)
        if play is not None:
            played[task] = play
    if not played:
        return tuple(checks)
    first = next(iter(played))
    player = _Player(factory, first, steps, step_limit_s)
    checks += [
        _guarded("same seed, same actions", lambda: _is_deterministic(player, played[first])),
        _guarded("reset clears everything", lambda: _forgets(player, played[first])),
        _leaves_brief(played),
        _guarded("can be copied", lambda: _copies(player, played[first])),
        _is_quick(played),
        _ground_truth(factory, first),
    ]
    return tuple(checks)


def _factory(name: str, step_limit_s: float) -> AgentFactory:
    """What makes the agent: in this process, or a connection to its server."""
    if not is_address(name):
        return load_agent(name)
    limits = Limits(step_s=step_limit_s, setup_s=10 * step_limit_s)
    return AgentFactory(
        name, lambda: HostedAgent(name, limits), HostedAgent(name, limits).declaration
    )


class _Player:
    """Plays one agent on one task's tiny episode."""

    def __init__(self, factory: AgentFactory, task: str, steps: int, limit_s: float) -> None:
        self.factory = factory
        self.task = task
        self.limit_s = limit_s
        sim = tiny_simulator(task)
        self._episode = tiny_episode(task, sim, budget_steps=steps)
        key = TraceKey("checked", self._episode.episode_id, CLEAN.name, 0)
        self._session = Session(Env(sim, make_task(task), factory.sensors), key, timed=False)

    def start(self, agent: Agent) -> TaskBrief:
        with causes_of_faults():
            self._session.begin(self._episode)
        brief = self._session.brief
        with deadline(10 * self.limit_s, "reset"):
            _call(lambda: agent.reset(brief), "reset")
        return brief

    def go_on(
        self, agent: Agent, brief: TaskBrief, steps: int | None = None
    ) -> tuple[tuple[Action, ...], tuple[float, ...]]:
        """(actions, seconds of each) until the end, or for so many steps."""
        actions: list[Action] = []
        seconds: list[float] = []
        while not self._session.done and (steps is None or len(actions) < steps):
            begin = time.perf_counter()
            obs = seen = self._session.observation
            with deadline(self.limit_s, f"act at step {obs.step}"):
                value = _call(lambda seen=seen: agent.act(seen), f"act at step {obs.step}")  # type: ignore[misc]
            seconds.append(time.perf_counter() - begin)
            try:
                decision = as_decision(value, brief)
            except AgentError as error:
                raise AgentError(f"at step {obs.step} {error}") from None
            actions.append(decision.action)
            with causes_of_faults():
                self._session.step(decision)
        return tuple(actions), tuple(seconds)

    def play(self, agent: Agent) -> _Play:
        brief = self.start(agent)
        actions, seconds = self.go_on(agent, brief)
        with causes_of_faults():
            self._session.begin(self._episode)
        return _Play(actions, seconds, brief != self._session.brief)

    def fork(self, agent: Agent, half: int) -> tuple[Action, ...]:
        """Play ``half`` steps, keep the state, spoil the agent by playing on, put it back."""
        brief = self.start(agent)
        actions, _ = self.go_on(agent, brief, half)
        state = self._session.snapshot()
        kept = agent.snapshot() if isinstance(agent, SnapshotAgent) else copy.deepcopy(agent)
        self.go_on(agent, brief)
        self._session.restore(state)
        if isinstance(agent, SnapshotAgent):
            agent.restore(kept)
        else:
            assert isinstance(kept, type(agent))
            agent = kept
        rest, _ = self.go_on(agent, brief)
        return actions + rest


def _plays(
    factory: AgentFactory, task: str, steps: int, limit_s: float
) -> tuple[Check, _Play | None]:
    name = f"plays {task}"
    try:
        play = _Player(factory, task, steps, limit_s).play(factory())
    except SpecError as error:
        return Check(
            name, False, str(error), "ask for other sensors in the class's `sensors`"
        ), None
    except NavproofError as error:
        mend = "act must return one of brief.actions, at every step, in time, and not raise"
        return Check(name, False, str(error), mend), None
    counts = {str(a): play.actions.count(a) for a in dict.fromkeys(play.actions)}
    told = ", ".join(f"{n} {word}" for word, n in counts.items())
    return Check(name, True, f"{len(play.actions)} steps: {told}"), play


def _is_deterministic(player: _Player, first: _Play) -> Check:
    with other_global_seed():
        again = player.play(player.factory())
    step = _first_difference(first.actions, again.actions)
    if step is None:
        return Check("same seed, same actions", True, f"{len(first.actions)} steps twice alike")
    return Check(
        "same seed, same actions",
        False,
        f"two agents in the same episode differ from step {step} on",
        "draw random numbers only from a generator seeded in reset with brief.seed",
    )


def _forgets(player: _Player, first: _Play) -> Check:
    agent = player.factory()
    player.play(agent)
    again = player.play(agent)
    step = _first_difference(first.actions, again.actions)
    if step is None:
        return Check("reset clears everything", True, "a second episode goes like the first")
    return Check(
        "reset clears everything",
        False,
        f"the same episode played a second time differs from step {step} on",
        "set every attribute that act changes anew in reset",
    )


def _leaves_brief(played: dict[str, _Play]) -> Check:
    changed = [task for task, play in played.items() if play.brief_changed]
    if not changed:
        return Check("leaves the brief alone", True, "unchanged after the episode")
    return Check(
        "leaves the brief alone",
        False,
        f"the brief of {', '.join(changed)} was changed",
        "copy brief.labels before changing it: labels = dict(brief.labels)",
    )


def _copies(player: _Player, first: _Play) -> Check:
    mend = "let copy.deepcopy(agent) work, or give the agent snapshot() and restore(snapshot)"
    try:
        actions = player.fork(player.factory(), len(first.actions) // 2)
    except NavproofError:
        raise
    except StateLostError as error:
        what = f"{error}: diagnosis plays it again from its first step"
        return Check("can be copied", None, what)
    except (Exception, SystemExit) as error:
        return Check("can be copied", False, f"copying failed: {one_line(error)}", mend)
    step = _first_difference(first.actions, actions)
    if step is None:
        return Check("can be copied", True, "put back in mid-episode, it goes on alike")
    said = f"put back in mid-episode, it differs from step {step} on"
    return Check("can be copied", False, said, mend)


def _is_quick(played: dict[str, _Play]) -> Check:
    seconds = np.array([s for play in played.values() for s in play.seconds[1:] or play.seconds])
    median, worst = float(np.median(seconds)), float(seconds.max())
    said = f"{1e3 * median:.1f} ms a step (worst {1e3 * worst:.1f})"
    if median <= SLOW_S:
        return Check("time per step", True, said)
    mend = f"over {SLOW_S:g} s a step: a 500-step episode takes {500 * median / 60:.0f} minutes"
    return Check("time per step", False, said, mend)


def _ground_truth(factory: AgentFactory, task: str) -> Check:
    names = privileged(factory.sensors, spec_for(task))
    if not names:
        return Check("ground truth", True, "none asked for")
    return Check("ground truth", True, f"asks for {', '.join(names)}: results will say so")


def _guarded(name: str, check: Callable[[], Check]) -> Check:
    """A check in which the agent may still raise."""
    try:
        return check()
    except NavproofError as error:
        return Check(name, False, str(error), "act must not raise in any episode")


def _first_difference(a: Sequence[Action], b: Sequence[Action]) -> int | None:
    for step, (one, other) in enumerate(zip(a, b, strict=False)):
        if one != other:
            return step
    return None if len(a) == len(b) else min(len(a), len(b))


def _call(function: Callable[[], Any], where: str) -> Any:
    """Call the agent; what it raises becomes an ``AgentError`` with the place in its code."""
    try:
        return function()
    except NavproofError:
        raise
    except StateLostError:
        raise
    except Fault as fault:  # on its server
        raise AgentError(fault.reason) from None
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        last = frames[-1]
        place = f"{last.filename.rpartition('/')[2]}:{last.lineno}"
        raise AgentError(f"{where} raised {one_line(error)} ({place})") from error
