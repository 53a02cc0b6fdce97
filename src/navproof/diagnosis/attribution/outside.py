"""Questions from outside, for agents that tell nothing or cannot be corrected inside.

Three things are changed, one at a time: the readings (clean from the start), the actions (those of
the oracle agent for a while), the words (the goal said plainly, with its room). What then succeeds
tells what the failure hung on. None of it names a capability: that is the weaker claim of a probe.
"""

from __future__ import annotations

from collections.abc import Iterator

from navproof.core.errors import NavproofError
from navproof.core.types import Episode
from navproof.corruptions.condition import CLEAN
from navproof.diagnosis.attribution.corrected import CorrectedRun, RunState
from navproof.diagnosis.attribution.intervene import is_hopeless
from navproof.diagnosis.attribution.plain_words import said_plainly
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.checkpoints import Checkpoints
from navproof.diagnosis.oracles.guide import ExpertActions, NoOracle
from navproof.diagnosis.oracles.protocol import JudgeError
from navproof.diagnosis.types import Finding
from navproof.log.trace import Trace
from navproof.metrics.navigation.success import success
from navproof.play.env import Env
from navproof.play.session import Session
from navproof.tasks import make_task

__all__ = ["ask_from_outside"]

_PARTS = 8  # of the run, at the beginning of each of which the oracle takes over
_LONG, _SHORT = 20, 5  # steps for which it does


def ask_from_outside(
    run: CorrectedRun, states: Checkpoints[RunState], failed: Trace
) -> tuple[tuple[Finding, ...], int]:
    """What probes of a failed run give, and how many steps they took; at most 11 runs. ``run``
    has played the run; where it stands afterwards is no state of it."""
    findings: list[Finding] = []
    steps_played = 0
    for finding, steps in _probes(run, states, failed):
        findings.append(finding)
        steps_played += steps
    return tuple(findings), steps_played


def _probes(
    run: CorrectedRun, states: Checkpoints[RunState], failed: Trace
) -> Iterator[tuple[Finding, int]]:
    yield from _led(run, states, len(failed.actions))
    if run.env.condition.parts:
        yield _clean(run)
    episode = said_plainly(run.env.episode, run.env.sim.scene)
    if episode is not None:
        yield _hinted(run, episode)


# --------------------------------------------------------------------------------- the readings
def _clean(run: CorrectedRun) -> tuple[Finding, int]:
    env = run.env
    names = tuple(sensor.spec.name for sensor in env.sensors)
    task = make_task(env.episode.task, env.task.spec)
    clean = Env(env.sim, task, names, condition=CLEAN, seed=env.seed)
    session = Session(clean, run.key, beliefs=True, timed=False, delays=run.session.delays)
    twin = CorrectedRun(session, run.agent, NoOracle, run.limits, run.watcher)
    twin.begin(env.episode)
    is_success, steps = _plays_out(twin)
    sentence = (
        "Without the corruption the run succeeds: the corruption did it."
        if is_success
        else "Without the corruption the run fails as well."
    )
    return Finding("clean_input", 0, steps, is_success, sentence), steps


# ---------------------------------------------------------------------------------- the actions
def _led(
    run: CorrectedRun, states: Checkpoints[RunState], length: int
) -> Iterator[tuple[Finding, int]]:
    """The oracle takes over for a while, at later moments first; where that saves the run, for a
    shorter while too."""
    starts = sorted({length * part // _PARTS for part in range(_PARTS)}, reverse=True)
    for start in starts:
        finding, steps = _take_over(run, states, start, _LONG)
        yield finding, steps
        if finding.success:
            yield _take_over(run, states, start, _SHORT)
            return


def _take_over(
    run: CorrectedRun, states: Checkpoints[RunState], start: int, count: int
) -> tuple[Finding, int]:
    at, state = states.before(start)
    run.restore(state)
    while len(run.records) < start:
        run.step()
    run.oracle = ExpertActions(run.brief, run.observation.instruction)
    is_success, _ = _plays_out(run, start + count)
    sentence = (
        f"{count} actions of the oracle from step {start} on save the run: what the agent did"
        " around there lost it."
        if is_success
        else f"{count} actions of the oracle from step {start} on do not save the run."
    )
    return Finding("oracle_action", start, count, is_success, sentence), len(run.records) - at


# ------------------------------------------------------------------------------------ the words
def _hinted(run: CorrectedRun, episode: Episode) -> tuple[Finding, int]:
    run.begin(episode)
    is_success, steps = _plays_out(run)
    sentence = (
        "With the goal said plainly the run succeeds: the words did it."
        if is_success
        else "With the goal said plainly the run fails as well."
    )
    return Finding("hint", 0, steps, is_success, sentence), steps


# ------------------------------------------------------------------------------------ playing on
def _plays_out(run: CorrectedRun, led_until: int = 0) -> tuple[bool, int]:
    """Whether the run succeeds from here, the oracle leading until a step; and its length."""
    while not run.done:
        index = len(run.records)
        try:
            run.step(*((Capability.PLANNING,) if index < led_until else ()))
        except JudgeError:
            raise
        except NavproofError:
            return False, len(run.records)
        if index >= led_until and not run.done and is_hopeless(run):
            return False, len(run.records)
    return success(run.trace()) > 0.0, len(run.records)
