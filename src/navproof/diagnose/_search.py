"""The search for the source of a failure: screen capabilities, then try bouts one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navproof.diagnose.capabilities import Capability, ErrorType
from navproof.diagnose.intervene import Counterfactual, Intervention, play_otherwise
from navproof.diagnose.snapshot import Checkpoints
from navproof.diagnose.stage import Stage, StageState
from navproof.diagnose.types import Bout, Trial
from navproof.runner.record import StepRecord

__all__ = ["Found", "Search"]


@dataclass(frozen=True, slots=True)
class Found:
    """A bout, and the run that its correction saved."""

    bout: Bout
    saved: Counterfactual


class Search:
    """Counterfactuals of one failed run, at most ``budget`` of them. ``trials`` are those played,
    ``played`` their steps."""

    def __init__(
        self,
        stage: Stage,
        states: Checkpoints[StageState],
        failed: Sequence[StepRecord],
        budget: int,
    ) -> None:
        self.trials: list[Trial] = []
        self.played = 0
        self._stage = stage
        self._states = states
        self._failed = failed
        self._budget = budget

    def source(self, bouts: Sequence[Bout], spoiled: int | None = None) -> Found | None:
        """The earliest bout whose correction alone saves the run. Where none does, the first of the
        capability that erred first among those whose correction from there on does. ``bouts`` are
        by time; ``spoiled`` is the first step with a spoiled picture, from which perception is
        corrected as well."""
        able = self._screen(bouts, spoiled)
        for bout in bouts:
            if bout.capability not in able:
                continue
            alone = self._play(Intervention(bout.capability, bout.first, bout.last))
            if alone is None:
                break
            if alone.success:
                return Found(bout, alone)
        return min(able.values(), key=_order, default=None)

    def _screen(self, bouts: Sequence[Bout], spoiled: int | None) -> dict[Capability, Found]:
        """Which capabilities, corrected from their first bout on, save the run."""
        firsts: dict[Capability, list[Bout]] = {}
        for bout in bouts:
            firsts.setdefault(bout.capability, [bout])
        if spoiled is not None:
            held = firsts.setdefault(Capability.PERCEPTION, [])
            if not held or spoiled < held[0].first:
                held.append(_spoiled_bout(held, spoiled, len(self._failed) - 1))
        able: dict[Capability, Found] = {}
        for capability, candidates in sorted(firsts.items(), key=lambda f: _when(f[1][0])):
            for bout in candidates:
                onward = self._play(Intervention(capability, bout.first))
                if onward is not None and onward.success:
                    able[capability] = Found(bout, onward)
                    break
        return able

    def _play(self, intervention: Intervention) -> Counterfactual | None:
        """How the run goes then; None when the budget is spent."""
        if len(self.trials) >= self._budget:
            return None
        result = play_otherwise(self._stage, self._states, intervention, self._failed)
        self.played += result.steps_played
        self.trials.append(
            Trial(
                intervention.capability,
                intervention.first,
                intervention.dose,
                result.success,
                result.steps_played,
                result.ended,
            )
        )
        return result


def _spoiled_bout(known: Sequence[Bout], first: int, last: int) -> Bout:
    """Spoiled pictures as a bout of perception, with the value of what they led to."""
    peak, kind = (known[0].peak, known[0].kind) if known else (0.0, ErrorType.MISSED)
    return Bout(Capability.PERCEPTION, first, last, peak, kind)


def _when(bout: Bout) -> tuple[int, int]:
    return bout.first, bout.capability.rank


def _order(found: Found) -> tuple[int, int]:
    return _when(found.bout)
