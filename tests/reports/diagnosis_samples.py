"""A run with its diagnosis, written by hand: who failed of what is a table."""

from __future__ import annotations

from pathlib import Path

from trust_samples import trust_run

from navproof.core.types import Detection
from navproof.diagnosis.attribution.attribute import Settings
from navproof.diagnosis.capabilities import PIPELINE, Capability, ErrorType
from navproof.diagnosis.files import write_diagnosis
from navproof.diagnosis.summary import Summary, SummaryRow, row_of, write_summary
from navproof.diagnosis.types import (
    Attribution,
    Bout,
    Diagnosis,
    Evidence,
    Finding,
    Repair,
    StepErrors,
    Thresholds,
    Trial,
)
from navproof.log import RunFolder, Trace, TraceKey

__all__ = ["CAUSES", "EVIL", "THRESHOLDS", "diagnosed_run", "diagnosis_of"]

EVIL = "<b>not a chair</b>"
TASK = "objectnav-v1"
COUNT = 10
CAUSES: dict[str, dict[str, tuple[ErrorType | None, ...]]] = {
    "eager": {
        "clean": (ErrorType.MISSED, ErrorType.MISSED, ErrorType.FORGOTTEN, None),
        "spatter": (*(ErrorType.MISSED,) * 4, ErrorType.CONFUSED, ErrorType.DETOUR),
    },
    "closed": {"clean": (None, None), "spatter": (None, None, None)},
}
"""Agent to condition to the type of each of its first failures; ``closed`` is a black box."""
THRESHOLDS = Thresholds(dict.fromkeys(PIPELINE, 0.4), True, 0.95, 8, 320)
_BOX = (20.0, 30.0, 90.0, 120.0)


def diagnosed_run(folder: Path) -> Path:
    losses = {a: {c: len(kinds) for c, kinds in causes.items()} for a, causes in CAUSES.items()}
    run = RunFolder(trust_run(folder, losses, tasks=(TASK,), count=COUNT))
    rows: list[SummaryRow] = []
    planned = run.keys()
    episodes = sorted({key.episode_id for key in planned})
    for agent, causes in CAUSES.items():
        for condition, kinds in causes.items():
            for index, episode in enumerate(episodes):
                key = TraceKey(agent, episode, condition, 0)
                if index >= len(kinds):
                    rows.append(SummaryRow(key, TASK, "passed"))
                    continue
                told = diagnosis_of(run.trace(key), kinds[index], black_box=agent == "closed")
                write_diagnosis(run, told)
                rows.append(row_of(told, TASK))
    thresholds = {"eager": THRESHOLDS}
    write_summary(run, Summary("abc", Settings(), "lexicon", thresholds, tuple(rows)))
    return folder


def diagnosis_of(trace: Trace, kind: ErrorType | None, *, black_box: bool) -> Diagnosis:
    if black_box:
        saved = trace.key.condition != "clean"
        finding = Finding("clean_input", 0, len(trace.actions), saved, "Clean input was enough.")
        return Diagnosis(trace.key, "from_outside", findings=(finding,), said="Asked from outside.")
    count = len(trace.actions)
    if kind is None:
        tried = (Trial(Capability.PLANNING, 2, "onward", False, count),)
        return Diagnosis(trace.key, "unattributed", errors=_errors(None, count), trials=tried)
    capability = kind.capability
    evidence = Evidence(
        3,
        "the chair was not seen",
        expected_seen=(Detection("chair", 1.0, _BOX),),
        believed_seen=(Detection(EVIL, 0.8, _BOX), Detection("lamp", 0.8, (0.0, 0.0, 9.0, 9.0))),
    )
    repair = Repair(capability, 3, "alone", trace.poses[:6], trace.actions[:5])
    return Diagnosis(
        trace.key,
        "attributed",
        Attribution(capability, 3, 0.9, kind, "alone", evidence, repair, f"Help for {kind}."),
        _errors(capability, count),
        (Bout(capability, 3, 5, 0.9, kind),),
        (
            Trial(capability, 3, "onward", True, count),
            Trial(capability, 3, "alone", True, count),
            Trial(Capability.DECISION, 4, "onward", False, count),
        ),
        thresholds=THRESHOLDS,
        said=f"{capability.capitalize()} at step 3.",
    )


def _errors(capability: Capability | None, count: int) -> tuple[StepErrors, ...]:
    return tuple(
        StepErrors(
            step,
            {
                c: 0.9 if c is capability and 3 <= step <= 5 else 0.05
                for c in PIPELINE
                if c is not Capability.MEMORY or step > 6
            },
        )
        for step in range(count)
    )
