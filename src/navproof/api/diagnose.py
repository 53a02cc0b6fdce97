"""``nv.diagnose``: which capability lost each failed episode of a run, and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from navproof.api.plain import plain_names, whole_number
from navproof.api.result import Result
from navproof.api.run_folder import Run, RunLike, path_of
from navproof.api.text.diagnosis import print_diagnosis
from navproof.api.text.diagnosis_progress import ShownProgress
from navproof.api.text.progress import shown
from navproof.core.errors import RunError
from navproof.diagnosis.attribution.attribute import Settings
from navproof.diagnosis.files import read_diagnosis
from navproof.diagnosis.fuzz.store import is_campaign
from navproof.diagnosis.oracles.protocol import MemoryLikeness, SemanticDistance
from navproof.diagnosis.run import DiagnosisProgress, diagnose_run
from navproof.diagnosis.summary import Summary, as_document
from navproof.diagnosis.types import Diagnosis
from navproof.log.folder import RunFolder

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["RunDiagnosis", "diagnose"]


@dataclass(frozen=True, eq=False)
class RunDiagnosis(Result):
    """What caused the failures of a run. ``rows`` has one row for each episode: its verdict, and
    where one capability is the cause, that capability, the step and the type of the error."""

    path: Path
    summary: Summary

    def __repr__(self) -> str:
        failed = sum(row.verdict != "passed" for row in self.summary.rows)
        return f"RunDiagnosis({str(self.path)!r}, {failed} of {len(self.summary.rows)} failed)"

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "agent": row.key.agent,
                "task": row.task,
                "episode_id": row.key.episode_id,
                "condition": row.key.condition,
                "seed": row.key.seed,
                "verdict": row.verdict,
                "capability": None if row.capability is None else str(row.capability),
                "step": row.step,
                "error": row.error,
                "kind": None if row.kind is None else str(row.kind),
                "dose": row.dose,
                "said": row.said,
                "asked": row.asked or None,
            }
            for row in self.summary.rows
        ]

    def details(self) -> list[Diagnosis]:
        """All that is known of each failure: errors by step, evidence, counterfactuals, repair."""
        folder = RunFolder(self.path)
        failed = [row.key for row in self.summary.rows if row.verdict != "passed"]
        return [read_diagnosis(folder, key) for key in failed]

    def show(self, console: Console) -> None:
        print_diagnosis(self.summary, console)

    def document(self) -> dict[str, Any]:
        """Everything as plain data."""
        return as_document(self.summary)


def diagnose(
    run: RunLike,
    *,
    agents: str | Iterable[str] | None = None,
    conditions: str | Iterable[str] | None = None,
    limit: int | None = None,
    workers: int = 1,
    trials: int = 12,
    probes: bool = True,
    distance: SemanticDistance | None = None,
    likeness: MemoryLikeness | None = None,
    fresh: bool = False,
    progress: bool | DiagnosisProgress = True,
) -> RunDiagnosis:
    """Say of every failure in a run which capability caused it, when, and that correcting it would
    have saved the run.

    ``agents`` and ``conditions``: only these; ``limit``: only the first so many episodes of each
    agent under each condition. ``trials`` bounds the counterfactuals for one failure; ``probes``
    asks agents that tell nothing of what led to their actions from outside. ``distance`` and
    ``likeness`` compare labels and memories in place of the lexicon and counting (a language model,
    ``navproof.diagnosis.oracles.judge``). Answers are kept beside the traces, so the same call goes
    on where it was interrupted; ``fresh`` removes them first.
    """
    path = path_of(run)
    if is_campaign(path):
        raise RunError(
            f"{path} is a search for failures, which are diagnosed as they are found "
            f"(navproof fuzz --diagnose): 'navproof report {path}' shows them"
        )
    folder = Run(path).folder
    wanted = None if agents is None else plain_names("agents", agents)
    under = None if conditions is None else plain_names("conditions", conditions)
    for what, number in (("limit", limit), ("workers", workers), ("trials", trials)):
        whole_number(what, number)
    with shown(progress, ShownProgress) as heard:
        summary = diagnose_run(
            folder,
            agents=wanted,
            conditions=under,
            limit=limit,
            workers=workers,
            settings=Settings(trials=trials, probes=probes),
            distance=distance,
            likeness=likeness,
            fresh=fresh,
            progress=heard,
        )
    return RunDiagnosis(path, _asked_for(summary, folder, wanted, under))


def _asked_for(
    summary: Summary,
    folder: RunFolder,
    agents: tuple[str, ...] | None,
    conditions: tuple[str, ...] | None,
) -> Summary:
    """What was explained before of other agents and conditions is not told again."""
    known = list(dict.fromkeys(row.key.agent for row in summary.rows))
    names = known if agents is None else [folder.agent_named(name, known) for name in agents]
    rows = tuple(
        row
        for row in summary.rows
        if row.key.agent in names and (conditions is None or row.key.condition in conditions)
    )
    limits = {name: found for name, found in summary.thresholds.items() if name in names}
    return replace(summary, rows=rows, thresholds=limits)
