"""The search for the source of a failure: bouts one by one, of capabilities that pass a screen;
then what no bout tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from navproof.diagnosis.attribution.corrected import CorrectedRun, RunState
from navproof.diagnosis.attribution.intervene import (
    Counterfactual,
    Intervention,
    play_otherwise,
    play_shorter,
)
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.checkpoints import Checkpoints
from navproof.diagnosis.types import Bout, StepErrors, Trial
from navproof.play.record import StepRecord

__all__ = ["BoutRepair", "Search"]

_MOST_ALONE = 4
"""Bouts that are tried alone; a defect that outlasts so many of them is a lasting one."""
_AS_EARLY_STEPS = 8
"""What begins so few steps apart is not tried twice: runs that fail are long."""


@dataclass(frozen=True, slots=True)
class BoutRepair:
    """A bout, and the run that succeeded once the bout was corrected."""

    bout: Bout
    saved: Counterfactual


class Search:
    """Counterfactuals of one failed run, at most ``budget`` of them. ``trials`` are those played,
    ``played`` their steps."""

    def __init__(
        self,
        run: CorrectedRun,
        states: Checkpoints[RunState],
        failed: Sequence[StepRecord],
        errors: Sequence[StepErrors],
        budget: int,
    ) -> None:
        self.trials: list[Trial] = []
        self.played = 0
        self._run = run
        self._states = states
        self._failed = failed
        self._errors = errors
        self._budget = budget

    def source(self, bouts: Sequence[Bout], altered_from: int | None = None) -> BoutRepair | None:
        """The earliest bout whose correction alone saves the run. Where none does, the first of the
        capability that erred first among those whose correction from there on does. ``bouts`` are
        by time; ``altered_from`` is the first step with a spoiled picture, from which perception is
        corrected as well. A capability is tried from its first bout on when its turn comes: if that
        does not save the run, less of it will not."""
        able: dict[Capability, BoutRepair | None] = {}
        firsts = _firsts(bouts, altered_from, len(self._failed) - 1)
        for bout in (*bouts, None):
            for capability, candidates in firsts.items():
                is_due = bout is None or _when(candidates[0]) <= _when(bout)
                if capability not in able and is_due:
                    able[capability] = self._screened(candidates)
            if bout is None or able[bout.capability] is None:
                continue
            if sum(trial.dose == "alone" for trial in self.trials) == _MOST_ALONE:
                break
            alone = self._alone(bout, able[bout.capability])
            if alone is not None and alone.success:
                return BoutRepair(bout, alone)
        return min((f for f in able.values() if f is not None), key=_order, default=None)

    def beyond(self, capabilities: Sequence[Capability]) -> BoutRepair | None:
        """What saves a run that no bout explains: perception right in every step, told or not; an
        expert who leads an agent that looks for the goal; then both. ``capabilities`` are those
        that can be corrected."""
        eyes = Intervention(Capability.PERCEPTION, throughout=True)
        lead = Intervention(Capability.PLANNING, throughout=True, led=True)
        both = replace(eyes, led=True, also=Capability.PLANNING)
        has_plans = any(record.beliefs and record.beliefs.plan for record in self._failed)
        for intervention in (eyes, lead, both):
            if not {intervention.capability, intervention.also} - {None} <= set(capabilities):
                continue
            if intervention.led and not has_plans:
                continue
            if intervention.capability is Capability.PERCEPTION and self._was_all_tried(
                intervention
            ):
                continue
            run = self._play(intervention)
            if run is not None and run.success:
                return BoutRepair(self._shown(run), run)
        return None

    def _alone(self, bout: Bout, onward: BoutRepair | None) -> Counterfactual | None:
        """The run with this bout corrected, which begins as the one that was corrected from it on,
        if it was."""
        if onward is None or onward.bout is not bout:
            return self._play(Intervention(bout.capability, bout.first, bout.last))
        return self._tried(lambda: play_shorter(self._run, onward.saved, bout.last, self._failed))

    def _screened(self, candidates: Sequence[Bout]) -> BoutRepair | None:
        """The first of these from which on correcting the capability saves the run."""
        for bout in candidates:
            onward = self._play(Intervention(bout.capability, bout.first), parts_after=bout.last)
            if onward is not None and onward.success:
                return BoutRepair(bout, onward)
        return None

    def _was_all_tried(self, intervention: Intervention) -> bool:
        """Whether this capability has been corrected from the first steps on already."""
        return intervention.also is None and any(
            t.capability is intervention.capability
            and t.step <= _AS_EARLY_STEPS
            and t.dose == "onward"
            for t in self.trials
        )

    def _shown(self, run: Counterfactual) -> Bout:
        """A correction of every step as a bout from where it first made a difference."""
        capability, at = run.intervention.capability, run.differs_at
        errors = [step for step in self._errors[at:] if step.values.get(capability, 0.0) > 0.0]
        usual = ErrorType.MISSED if capability is Capability.PERCEPTION else ErrorType.DETOUR
        if run.intervention.led and capability is Capability.PLANNING:
            return Bout(capability, at, len(self._failed) - 1, 1.0, usual)
        kind = errors[0].types.get(capability, usual) if errors else usual
        peak = errors[0].values[capability] if errors else 0.0
        return Bout(capability, at, len(self._failed) - 1, peak, kind)

    def _play(
        self, intervention: Intervention, parts_after: int | None = None
    ) -> Counterfactual | None:
        """How the run goes then; None when the budget is spent."""
        return self._tried(
            lambda: play_otherwise(self._run, self._states, intervention, self._failed, parts_after)
        )

    def _tried(self, play: Callable[[], Counterfactual]) -> Counterfactual | None:
        if len(self.trials) >= self._budget:
            return None
        result = play()
        intervention = result.intervention
        self.played += result.steps_played
        self.trials.append(
            Trial(
                intervention.capability,
                intervention.first,
                intervention.dose,
                result.success,
                result.steps_played,
                result.ended,
                intervention.also,
            )
        )
        return result


def _firsts(
    bouts: Sequence[Bout], altered_from: int | None, last: int
) -> dict[Capability, list[Bout]]:
    """From where each capability is corrected onward, in the order in which they are tried."""
    firsts: dict[Capability, list[Bout]] = {}
    for bout in bouts:
        firsts.setdefault(bout.capability, [bout])
    if altered_from is not None:
        perception_bouts = firsts.setdefault(Capability.PERCEPTION, [])
        if not perception_bouts or altered_from < perception_bouts[0].first:
            whole = _spoiled_bout(perception_bouts, altered_from, last)
            if perception_bouts and perception_bouts[0].first - altered_from <= _AS_EARLY_STEPS:
                perception_bouts.clear()
            perception_bouts.append(whole)
    return dict(sorted(firsts.items(), key=lambda f: _when(f[1][0])))


def _spoiled_bout(bouts: Sequence[Bout], first: int, last: int) -> Bout:
    """Spoiled pictures as a bout of perception, with the value of what they led to."""
    peak, kind = (bouts[0].peak, bouts[0].kind) if bouts else (0.0, ErrorType.MISSED)
    return Bout(Capability.PERCEPTION, first, last, peak, kind)


def _when(bout: Bout) -> tuple[int, int]:
    return bout.first, bout.capability.rank


def _order(repair: BoutRepair) -> tuple[int, int]:
    return _when(repair.bout)
