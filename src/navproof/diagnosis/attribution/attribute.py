"""Which capability lost a run, and when: the earliest error whose correction saves it.

    C(τ) = {(C, t) | R(τ) = failure, R(τ^(C, t)) = success}                CanTest, equations 12, 13
    (C*, t*) = the one of least t

Errors come in bouts (``thresholds.bouts``), and a bout is corrected as a whole. The search is that
of design 0016: bouts are tried alone, earliest first, of capabilities that would have saved the run
if they had been right from their first bout on. What no bout explains is asked of eyes that never
err, of an expert who leads the search, and of both.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from navproof.core.errors import NavproofError, SpecError
from navproof.core.types import Decision
from navproof.diagnosis.attribution.clean import is_spoiled
from navproof.diagnosis.attribution.corrected import CorrectedRun, RunState
from navproof.diagnosis.attribution.outside import ask_from_outside
from navproof.diagnosis.attribution.search import BoutRepair, Search
from navproof.diagnosis.attribution.suggest import arriving, searching, suggestion
from navproof.diagnosis.attribution.thresholds import bouts
from navproof.diagnosis.capabilities import PIPELINE, Capability
from navproof.diagnosis.checkpoints import Checkpoints
from navproof.diagnosis.oracles.planning import plan_error
from navproof.diagnosis.oracles.protocol import JudgeError, Situation
from navproof.diagnosis.types import (
    Attribution,
    Bout,
    Cost,
    Diagnosis,
    Dose,
    Evidence,
    Finding,
    Repair,
    StepErrors,
    Thresholds,
    Verdict,
)
from navproof.log.trace import Trace
from navproof.metrics.navigation.success import success

__all__ = ["Settings", "attribute", "observe"]

_INSIDE = (Capability.PERCEPTION, Capability.MEMORY)


@dataclass(frozen=True, slots=True)
class Settings:
    """``trials``: the most counterfactuals of one episode. ``every``, ``most``: states that are
    kept (``Checkpoints``). ``probes``: whether agents that cannot be corrected inside are asked
    from outside."""

    trials: int = 12
    every: int = 8
    most: int = 24
    probes: bool = True

    def __post_init__(self) -> None:
        for name, least in (("trials", 1), ("every", 1), ("most", 2)):
            value = getattr(self, name)
            if value < least:
                raise SpecError(f"{name} must be at least {least}, got {value}")


def observe(run: CorrectedRun, states: Checkpoints[RunState]) -> tuple[StepErrors, ...]:
    """Play a run that has begun to its end, keeping states: the errors of every step."""
    return _watch(run, states)[0]


def attribute(
    run: CorrectedRun,
    thresholds: Thresholds,
    *,
    expected: Trace | None = None,
    settings: Settings = Settings(),
) -> Diagnosis:
    """Play a run that has begun and, if it fails, say why. ``expected`` is the trace that it is
    to reproduce. The run is left at the end of the run as it was, counterfactuals undone. What
    a judge could not say is raised (``JudgeError``)."""
    began = time.perf_counter()
    states: Checkpoints[RunState] = Checkpoints(settings.every, settings.most)
    try:
        errors, spoiled = _watch(run, states)
    except JudgeError:
        raise
    except NavproofError as error:
        return Diagnosis(run.key, "not_run", said=f"The agent failed: {error}")
    trace = run.trace()
    if expected is not None and trace.actions != expected.actions:
        at = _first_difference(trace.actions, expected.actions)
        said = f"Played again, the agent acts differently from step {at} on."
        return Diagnosis(run.key, "not_reproduced", errors=errors, said=said)
    found = bouts(errors, thresholds)
    told = Diagnosis(
        run.key, "passed", errors=errors, bouts=found, thresholds=thresholds, said="It succeeded."
    )
    played = len(trace.actions)
    if success(trace) > 0.0:
        return replace(told, cost=Cost(time.perf_counter() - began, played))
    last = run.snapshot()
    told, more = _explain(run, states, told, spoiled, trace, settings)
    run.restore(last)
    cost = Cost(time.perf_counter() - began, played + more, len(told.trials))
    return replace(told, cost=cost)


# --------------------------------------------------------------------------------------- playing
def _watch(
    run: CorrectedRun, states: Checkpoints[RunState]
) -> tuple[tuple[StepErrors, ...], int | None]:
    """The errors of every step, and the first step at which a picture was spoiled."""
    errors: list[StepErrors] = []
    spoiled: list[int] = []

    def look(situation: Situation, decision: Decision) -> None:
        errors.append(run.oracle.judge(situation, decision))
        if not spoiled and is_spoiled(situation.env, situation.observation):
            spoiled.append(situation.observation.step)

    while not run.done:
        states.offer(len(run.records), run.snapshot)
        run.step(look=look)
    return tuple(errors), spoiled[0] if spoiled else None


def _first_difference(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    pairs = zip(a, b, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))


# -------------------------------------------------------------------------------------- explaining
def _explain(
    run: CorrectedRun,
    states: Checkpoints[RunState],
    told: Diagnosis,
    spoiled: int | None,
    failed: Trace,
    settings: Settings,
) -> tuple[Diagnosis, int]:
    """The diagnosis of a failure, and how many steps it took."""
    is_open = any(record.beliefs is not None for record in run.records)
    if not is_open:
        findings, played = _probe(run, states, failed, settings)
        said = f"A black box, of which no capability can be named. {_outcome(findings)}".strip()
        return replace(told, verdict="from_outside", findings=findings, said=said), played
    search = Search(run, states, tuple(run.records), told.errors, settings.trials)
    inside = run.is_correctable
    open_to = tuple(c for c in PIPELINE if inside or c not in _INSIDE)
    tried = tuple(b for b in told.bouts if b.capability in open_to)
    found = search.source(tried, spoiled if inside else None) or search.beyond(open_to)
    told = replace(told, trials=tuple(search.trials))
    if found is not None:
        source = _attribution(run, states, told, found)
        verdict: Verdict = "attributed" if source.also is None else "joint"
        return (
            replace(told, verdict=verdict, attribution=source, said=_said(source)),
            search.played + found.bout.first - states.before(found.bout.first)[0] + 1,
        )
    told = replace(told, verdict="unattributed", said=_unexplained(told, inside=inside))
    if inside:
        return told, search.played
    findings, played = _probe(run, states, failed, settings)
    said = f"{told.said} {_outcome(findings)}".strip()
    return replace(told, findings=findings, said=said), search.played + played


def _probe(
    run: CorrectedRun, states: Checkpoints[RunState], failed: Trace, settings: Settings
) -> tuple[tuple[Finding, ...], int]:
    return ask_from_outside(run, states, failed) if settings.probes else ((), 0)


def _attribution(
    run: CorrectedRun, states: Checkpoints[RunState], told: Diagnosis, found: BoutRepair
) -> Attribution:
    bout, step = found.bout, found.bout.first
    values, kind = told.errors[step].values, bout.kind
    how, trace = found.saved.intervention, found.saved.trace
    led = how.led and bout.capability is Capability.PLANNING
    evidence = _evidence(run, states, bout, led=led)
    repair = Repair(bout.capability, step, how.dose, trace.poses, trace.actions)
    error = values.get(bout.capability, bout.peak)
    if led:
        error = round(plan_error(evidence.believed_plan, evidence.expected_plan), 6)
    helps = suggestion(kind, evidence)
    if led:
        helps = searching() if evidence.expected_actions else arriving()
    return Attribution(
        bout.capability, step, error, kind, how.dose, evidence, repair, helps, how.also
    )


def _evidence(
    run: CorrectedRun, states: Checkpoints[RunState], bout: Bout, *, led: bool
) -> Evidence:
    """Go to the step of the failed run where it began, and look."""
    _, state = states.before(bout.first)
    run.restore(state)
    while len(run.records) < bout.first:
        run.step()
    seen: list[Evidence] = []

    def look(situation: Situation, decision: Decision) -> None:
        seen.append(run.oracle.evidence(situation, decision, bout.capability, led=led))

    run.step(look=look)
    return seen[0]


_HOW: Mapping[Dose, str] = {
    "alone": "corrected there",
    "onward": "corrected from there on",
    "throughout": "with it right in every step",
    "led": "led to where the goal is",
}


def _said(found: Attribution) -> str:
    what = found.evidence.said.rstrip(".")
    how = _HOW[found.dose]
    if found.also is not None:
        how = f"only with {found.capability} right in every step and {_HOW['led']} as well"
    return (
        f"{found.capability.capitalize()} at step {found.step} ({found.kind.said}"
        f"{f': {what}' if what else ''}); {how}, the run succeeds."
    )


def _outcome(findings: tuple[Finding, ...]) -> str:
    """What the probes that saved the run say, the shortest take-over instead of a longer one."""
    saved = {finding.probe: finding.said for finding in findings if finding.success}
    if findings and not saved:
        return "Nothing that was tried from outside saves the run."
    return " ".join(saved.values())


def _unexplained(told: Diagnosis, *, inside: bool) -> str:
    tried = list(dict.fromkeys(trial.capability for trial in told.trials))
    pairs = (f", nor do {t.capability} and {t.also} together" for t in told.trials if t.also)
    erred = list(dict.fromkeys(bout.capability for bout in told.bouts))
    closed = [c for c in erred if c in _INSIDE and not inside]
    said = "No capability erred measurably."
    if tried:
        said = f"Correcting {' or '.join(tried)} does not save the run{next(pairs, '')}."
    if closed:
        them = " and ".join(closed)
        said = f"{said if tried else ''} Its {them} erred but cannot be corrected in this agent."
    return said.strip()
