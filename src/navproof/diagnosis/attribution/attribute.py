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
from navproof.core.types import Decision, Exchange
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
from navproof.log.actions import are_exact, rounded_words
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
        errors, altered_from = _watch(run, states)
    except JudgeError:
        raise
    except NavproofError as error:
        return Diagnosis(run.key, "not_run", said=f"The agent failed: {error}")
    trace = run.trace()
    if expected is not None and (actions := _as_kept(trace, expected)) != expected.actions:
        at = _first_difference(actions, expected.actions)
        sentence = f"Played again, the agent acts differently from step {at} on."
        return Diagnosis(run.key, "not_reproduced", errors=errors, said=sentence)
    bout_list = bouts(errors, thresholds)
    diagnosis = Diagnosis(
        run.key,
        "passed",
        errors=errors,
        bouts=bout_list,
        thresholds=thresholds,
        said="It succeeded.",
    )
    steps_played = len(trace.actions)
    if success(trace) > 0.0:
        return replace(diagnosis, cost=Cost(time.perf_counter() - began, steps_played))
    last = run.snapshot()
    diagnosis, more = _explain(run, states, diagnosis, altered_from, trace, settings)
    diagnosis = replace(diagnosis, asked=_asked_last(trace, diagnosis.attribution))
    run.restore(last)
    cost = Cost(time.perf_counter() - began, steps_played + more, len(diagnosis.trials))
    return replace(diagnosis, cost=cost)


def _asked_last(failed: Trace, source: Attribution | None) -> Exchange | None:
    """What was asked of a model last, where it went wrong or before."""
    until = len(failed.actions) if source is None else source.step
    return next((e for e in reversed(failed.exchanges) if e.step <= until), None)


# --------------------------------------------------------------------------------------- playing
def _watch(
    run: CorrectedRun, states: Checkpoints[RunState]
) -> tuple[tuple[StepErrors, ...], int | None]:
    """The errors of every step, and the first step at which a picture was spoiled."""
    errors: list[StepErrors] = []
    altered_steps: list[int] = []

    def look(situation: Situation, decision: Decision) -> None:
        errors.append(run.oracle.judge(situation, decision))
        if not altered_steps and is_spoiled(situation.env, situation.observation):
            altered_steps.append(situation.observation.step)

    while not run.done:
        states.offer(len(run.records), run.snapshot)
        run.step(look=look)
    return tuple(errors), altered_steps[0] if altered_steps else None


def _as_kept(trace: Trace, expected: Trace) -> tuple[str, ...]:
    """The actions of a trace with as many digits as those that are expected have."""
    exact = are_exact(expected.actions, expected.trace_version)
    return trace.actions if exact else tuple(map(rounded_words, trace.actions))


def _first_difference(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    pairs = zip(a, b, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))


# -------------------------------------------------------------------------------------- explaining
def _explain(
    run: CorrectedRun,
    states: Checkpoints[RunState],
    diagnosis: Diagnosis,
    altered_from: int | None,
    failed: Trace,
    settings: Settings,
) -> tuple[Diagnosis, int]:
    """The diagnosis of a failure, and how many steps it took."""
    is_open = any(record.beliefs is not None for record in run.records)
    if not is_open:
        findings, steps = _probe(run, states, failed, settings)
        sentence = f"A black box, of which no capability can be named. {_outcome(findings)}".strip()
        return replace(diagnosis, verdict="from_outside", findings=findings, said=sentence), steps
    search = Search(run, states, tuple(run.records), diagnosis.errors, settings.trials)
    inside = run.is_correctable
    open_to = tuple(c for c in PIPELINE if inside or c not in _INSIDE)
    candidates = tuple(b for b in diagnosis.bouts if b.capability in open_to)
    repair = search.source(candidates, altered_from if inside else None) or search.beyond(open_to)
    diagnosis = replace(diagnosis, trials=tuple(search.trials))
    if repair is not None:
        source = _attribution(run, states, diagnosis, repair)
        verdict: Verdict = "attributed" if source.also is None else "joint"
        return (
            replace(diagnosis, verdict=verdict, attribution=source, said=_said(source)),
            search.played + repair.bout.first - states.before(repair.bout.first)[0] + 1,
        )
    diagnosis = replace(
        diagnosis, verdict="unattributed", said=_unexplained(diagnosis, inside=inside)
    )
    if inside:
        return diagnosis, search.played
    findings, steps = _probe(run, states, failed, settings)
    sentence = f"{diagnosis.said} {_outcome(findings)}".strip()
    return replace(diagnosis, findings=findings, said=sentence), search.played + steps


def _probe(
    run: CorrectedRun, states: Checkpoints[RunState], failed: Trace, settings: Settings
) -> tuple[tuple[Finding, ...], int]:
    return ask_from_outside(run, states, failed) if settings.probes else ((), 0)


def _attribution(
    run: CorrectedRun, states: Checkpoints[RunState], diagnosis: Diagnosis, source: BoutRepair
) -> Attribution:
    bout, step = source.bout, source.bout.first
    values, kind = diagnosis.errors[step].values, bout.kind
    how, trace = source.saved.intervention, source.saved.trace
    with_lead = how.led and bout.capability is Capability.PLANNING
    evidence = _evidence(run, states, bout, with_lead=with_lead)
    repair = Repair(bout.capability, step, how.dose, trace.poses, trace.actions)
    error = values.get(bout.capability, bout.peak)
    if with_lead:
        error = round(plan_error(evidence.believed_plan, evidence.expected_plan), 6)
    helps = suggestion(kind, evidence)
    if with_lead:
        helps = searching() if evidence.expected_actions else arriving()
    return Attribution(
        bout.capability, step, error, kind, how.dose, evidence, repair, helps, how.also
    )


def _evidence(
    run: CorrectedRun, states: Checkpoints[RunState], bout: Bout, *, with_lead: bool
) -> Evidence:
    """Go to the step of the failed run where it began, and look."""
    _, state = states.before(bout.first)
    run.restore(state)
    while len(run.records) < bout.first:
        run.step()
    evidence: list[Evidence] = []

    def look(situation: Situation, decision: Decision) -> None:
        evidence.append(run.oracle.evidence(situation, decision, bout.capability, led=with_lead))

    run.step(look=look)
    return evidence[0]


_HOW: Mapping[Dose, str] = {
    "alone": "corrected there",
    "onward": "corrected from there on",
    "throughout": "with it right in every step",
    "led": "led to where the goal is",
}


def _said(attribution: Attribution) -> str:
    what = attribution.evidence.said.rstrip(".")
    how = _HOW[attribution.dose]
    if attribution.also is not None:
        how = f"only with {attribution.capability} right in every step and {_HOW['led']} as well"
    return (
        f"{attribution.capability.capitalize()} at step {attribution.step} ({attribution.kind.said}"
        f"{f': {what}' if what else ''}); {how}, the run succeeds."
    )


def _outcome(findings: tuple[Finding, ...]) -> str:
    """What the probes that saved the run say, the shortest take-over instead of a longer one."""
    sentences = {finding.probe: finding.said for finding in findings if finding.success}
    if findings and not sentences:
        return "Nothing that was tried from outside saves the run."
    return " ".join(sentences.values())


def _unexplained(diagnosis: Diagnosis, *, inside: bool) -> str:
    capabilities = list(dict.fromkeys(trial.capability for trial in diagnosis.trials))
    pairs = (f", nor do {t.capability} and {t.also} together" for t in diagnosis.trials if t.also)
    erred = list(dict.fromkeys(bout.capability for bout in diagnosis.bouts))
    closed = [c for c in erred if c in _INSIDE and not inside]
    sentence = "No capability erred measurably."
    if capabilities:
        sentence = f"Correcting {' or '.join(capabilities)} does not save the run{next(pairs, '')}."
    if closed:
        them = " and ".join(closed)
        sentence = (
            f"{sentence if capabilities else ''} "
            f"Its {them} erred but cannot be corrected in this agent."
        )
    return sentence.strip()
