"""Counterfactuals: the same run with a capability corrected in a window of steps.

    τ^(C, t) = M_(C, t)(oracle, τ)                                          CanTest, equation 11

The steps before t stay as they were; from t on the agent acts on what was corrected, and the rest
of the episode follows from that. Two things end a counterfactual early, and neither changes what it
says: the goal cannot be reached any more in the steps that are left, or, after the window, the
state is that of the failed run again. What two of them share is played once: a correction in a
window begins as the one from there on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from navproof.core.errors import NavproofError
from navproof.diagnosis.attribution.corrected import CorrectedRun, RunState
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.checkpoints import Checkpoints
from navproof.diagnosis.oracles.protocol import JudgeError
from navproof.diagnosis.types import Dose
from navproof.log.trace import Trace
from navproof.metrics.navigation.success import success
from navproof.play.env import CONTROL_DT_S
from navproof.play.record import StepRecord

__all__ = ["Counterfactual", "Intervention", "play_otherwise", "play_shorter"]

Ended = Literal["end", "hopeless", "rejoined"]
_REJOINED_STEPS = 12
"""So many steps after the window with the same poses, actions and beliefs as the failed run count
as the same state: an agent keeps more than it tells, but not for that long without its showing."""
_FROM_HISTORY = frozenset({Capability.MEMORY, Capability.PLANNING})
"""Those of which the oracle's answer depends on the steps before."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """A capability is corrected from step ``first`` to ``last`` (inclusive; None: to the end), and
    ``also`` another one with it. ``throughout``: it is not a bout that is corrected, but all there
    is. ``led``: planning knows where the goal is."""

    capability: Capability
    first: int = 0
    last: int | None = None
    throughout: bool = False
    led: bool = False
    also: Capability | None = None

    @property
    def dose(self) -> Dose:
        if self.led:
            return "led"
        if self.throughout:
            return "throughout"
        return "onward" if self.last is None else "alone"

    def at(self, step: int) -> tuple[Capability, ...]:
        """What is corrected at a step."""
        if not (self.first <= step and (self.last is None or step <= self.last)):
            return ()
        return (self.capability,) if self.also is None else (self.capability, self.also)

    def needs_history(self, step: int) -> bool:
        """Whether what is corrected after a step depends on what happened up to it."""
        is_over = self.last is not None and step >= self.last
        return not is_over and not {self.capability, self.also}.isdisjoint(_FROM_HISTORY)


@dataclass(frozen=True, slots=True, eq=False)
class BranchPoint:
    """A run under correction after some step, from where it can be played on without; ``same``: for
    how many steps it has been as the failed run was."""

    state: RunState
    same: int


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """How it went. ``trace`` holds the whole run, prefix included; it is cut short where the end
    was known early. ``steps_played`` counts what had to be played for it, replay included;
    ``differs_at`` is the first step that was not as in the failed run; ``parting`` is where a
    shorter correction would part from this one, None where the run was over by then."""

    intervention: Intervention
    success: bool
    trace: Trace
    steps_played: int
    ended: Ended
    differs_at: int
    reason: str = ""  # of an agent that failed while it was corrected
    parting: BranchPoint | None = None


def play_otherwise(
    run: CorrectedRun,
    states: Checkpoints[RunState],
    intervention: Intervention,
    failed: Sequence[StepRecord],
    parts_after: int | None = None,
) -> Counterfactual:
    """Go back to the last state kept before the window, replay up to it, correct, play on.

    ``failed`` are the records of the run as it was. An agent that raises has failed. The state
    after step ``parts_after`` is kept, for ``play_shorter``.
    """
    run.restore(states.before(intervention.first)[1])
    return _play_on(run, intervention, failed, parts_after=parts_after)


def play_shorter(
    run: CorrectedRun, longer: Counterfactual, last: int, failed: Sequence[StepRecord]
) -> Counterfactual:
    """The run with a correction that ends after step ``last``. Up to there it is that of a
    ``longer`` one, which was played with ``parts_after`` that step, and is not played again."""
    intervention = replace(longer.intervention, last=last)
    if longer.parting is None:
        return replace(longer, intervention=intervention, steps_played=0)
    run.restore(longer.parting.state)
    return _play_on(run, intervention, failed, same=longer.parting.same)


def _play_on(
    run: CorrectedRun,
    intervention: Intervention,
    failed: Sequence[StepRecord],
    *,
    same: int = 0,
    parts_after: int | None = None,
) -> Counterfactual:
    """Play to the end, or to where that is known. ``same``: for how many steps the run so far is
    as it was."""
    at = len(run.records)
    ended: Ended = "end"
    reason, parting = "", None
    while not run.done:
        index = len(run.records)
        if parts_after is not None and index == parts_after + 1:
            parting = BranchPoint(run.snapshot(), same)
        watched = intervention.needs_history(index)
        try:
            run.step(*intervention.at(index), led=intervention.led, watched=watched)
        except JudgeError:
            raise
        except NavproofError as error:
            reason = str(error)
            break
        same = same + 1 if _is_same(run.records, failed) else 0
        past = intervention.last is not None and index > intervention.last
        if past and same > _REJOINED_STEPS:
            ended = "rejoined"
            break
        if index >= intervention.first and not run.done and is_hopeless(run):
            ended = "hopeless"
            break
    trace = run.trace()
    is_success = ended == "end" and not reason and success(trace) > 0.0
    steps = len(run.records) - at
    differs_at = _first_difference(run.records, failed)
    return Counterfactual(
        intervention, is_success, trace, steps, ended, differs_at, reason, parting
    )


def is_hopeless(run: CorrectedRun) -> bool:
    """Whether the goal in force is farther, along the shortest way, than the robot can go in the
    steps left. Never so of tasks that end otherwise than by steps (missions)."""
    env = run.env
    episode, spec = env.episode, env.task.spec
    if episode.subtasks or len(episode.goals) != 1:
        return False
    robot = spec.robot
    reach_m = max(robot.forward_m, robot.max_speed_m_s * CONTROL_DT_S)
    left_m = (episode.budget_steps - env.step_count) * reach_m + spec.success_m
    away_m = run.records[-1].distance_m if run.records else env.distance_to_goal()
    return math.isfinite(away_m) and away_m > left_m


def _is_same(records: Sequence[StepRecord], failed: Sequence[StepRecord]) -> bool:
    """Whether the last step was the one that the failed run had then."""
    index = len(records) - 1
    return index < len(failed) and _is_alike(records[index], failed[index])


def _is_alike(now: StepRecord, then: StepRecord) -> bool:
    return now.pose == then.pose and now.action == then.action and now.beliefs == then.beliefs


def _first_difference(records: Sequence[StepRecord], failed: Sequence[StepRecord]) -> int:
    alike = (_is_alike(now, then) for now, then in zip(records, failed, strict=False))
    return next((i for i, same in enumerate(alike) if not same), len(failed) - 1)
