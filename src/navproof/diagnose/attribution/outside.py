"""Questions from outside, for agents that tell nothing or cannot be corrected inside.

Three things are changed, one at a time: the readings (clean from the start), the actions (those of
the oracle agent for a while), the words (the goal said plainly, with its room). What then succeeds
tells what the failure hung on. None of it names a capability: that is the weaker claim of a probe.
"""

from __future__ import annotations

from collections.abc import Iterator

from navproof.core.errors import NavproofError
from navproof.core.types import Episode
from navproof.corruptions.conditions import CLEAN
from navproof.diagnose.attribution.intervene import is_hopeless
from navproof.diagnose.attribution.plain_words import said_plainly
from navproof.diagnose.capabilities import Capability
from navproof.diagnose.oracles.guide import Guide, Nobody
from navproof.diagnose.oracles.protocol import JudgeError
from navproof.diagnose.snapshot import Checkpoints
from navproof.diagnose.stage import Stage, StageState
from navproof.diagnose.types import Finding
from navproof.log.trace import Trace
from navproof.metrics.navigation.success import success
from navproof.play.env import Env
from navproof.tasks import make_task

__all__ = ["ask_from_outside"]

_PARTS = 8  # of the run, at the beginning of each of which the oracle takes over
_LONG, _SHORT = 20, 5  # steps for which it does


def ask_from_outside(
    stage: Stage, states: Checkpoints[StageState], failed: Trace
) -> tuple[tuple[Finding, ...], int]:
    """What probes of a failed run give, and how many steps they took; at most 11 runs. ``stage``
    has played the run; where it stands afterwards is no state of it."""
    found: list[Finding] = []
    played = 0
    for finding, steps in _probes(stage, states, failed):
        found.append(finding)
        played += steps
    return tuple(found), played


def _probes(
    stage: Stage, states: Checkpoints[StageState], failed: Trace
) -> Iterator[tuple[Finding, int]]:
    yield from _led(stage, states, len(failed.actions))
    if stage.env.condition.parts:
        yield _clean(stage)
    episode = said_plainly(stage.env.episode, stage.env.sim.scene)
    if episode is not None:
        yield _hinted(stage, episode)


# --------------------------------------------------------------------------------- the readings
def _clean(stage: Stage) -> tuple[Finding, int]:
    env = stage.env
    names = tuple(sensor.spec.name for sensor in env.sensors)
    task = make_task(env.episode.task, env.task.spec)
    twin = Stage(Env(env.sim, task, names, condition=CLEAN, seed=env.seed), stage.agent, Nobody)
    twin.begin(env.episode, stage.key)
    saved, steps = _plays_out(twin)
    said = (
        "Without the corruption the run succeeds: the corruption did it."
        if saved
        else "Without the corruption the run fails as well."
    )
    return Finding("clean_input", 0, steps, saved, said), steps


# ---------------------------------------------------------------------------------- the actions
def _led(
    stage: Stage, states: Checkpoints[StageState], length: int
) -> Iterator[tuple[Finding, int]]:
    """The oracle takes over for a while, at later moments first; where that saves the run, for a
    shorter while too."""
    starts = sorted({length * part // _PARTS for part in range(_PARTS)}, reverse=True)
    for start in starts:
        finding, steps = _take_over(stage, states, start, _LONG)
        yield finding, steps
        if finding.success:
            yield _take_over(stage, states, start, _SHORT)
            return


def _take_over(
    stage: Stage, states: Checkpoints[StageState], start: int, count: int
) -> tuple[Finding, int]:
    at, state = states.before(start)
    stage.put_back(state)
    while len(stage.records) < start:
        stage.step()
    stage.oracle = Guide(stage.brief, stage.observation.instruction)
    saved, _ = _plays_out(stage, start + count)
    said = (
        f"{count} actions of the oracle from step {start} on save the run: what the agent did"
        " around there lost it."
        if saved
        else f"{count} actions of the oracle from step {start} on do not save the run."
    )
    return Finding("oracle_action", start, count, saved, said), len(stage.records) - at


# ------------------------------------------------------------------------------------ the words
def _hinted(stage: Stage, episode: Episode) -> tuple[Finding, int]:
    stage.begin(episode, stage.key)
    saved, steps = _plays_out(stage)
    said = (
        "With the goal said plainly the run succeeds: the words did it."
        if saved
        else "With the goal said plainly the run fails as well."
    )
    return Finding("hint", 0, steps, saved, said), steps


# ------------------------------------------------------------------------------------ playing on
def _plays_out(stage: Stage, led_until: int = 0) -> tuple[bool, int]:
    """Whether the run succeeds from here, the oracle leading until a step; and its length."""
    while not stage.done:
        index = len(stage.records)
        try:
            stage.step(*((Capability.PLANNING,) if index < led_until else ()))
        except JudgeError:
            raise
        except NavproofError:
            return False, len(stage.records)
        if index >= led_until and not stage.done and is_hopeless(stage):
            return False, len(stage.records)
    return success(stage.trace()) > 0.0, len(stage.records)
