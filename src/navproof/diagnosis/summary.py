"""What a diagnosed run comes to: the content of ``RUN/diagnosis.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter

from navproof.core.errors import RunError
from navproof.core.files import write_atomically
from navproof.core.input.reading import parse_json, short
from navproof.core.plain import as_plain
from navproof.core.types import Exchange
from navproof.diagnosis.attribution.attribute import Settings
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.files import DIAGNOSIS_VERSION, SUMMARY_NAME
from navproof.diagnosis.types import Diagnosis, Dose, Thresholds, Verdict
from navproof.log.folder import RunFolder
from navproof.log.storage import read_bytes
from navproof.log.trace import TraceKey

__all__ = [
    "COUNTED",
    "Summary",
    "SummaryRow",
    "as_document",
    "read_summary",
    "row_of",
    "write_summary",
]

_SHOWN = 240
COUNTED = "counted"
"""How memories are compared where no model is asked."""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One episode. ``capability`` to ``dose`` are those of its attribution, None where it has none.
    ``tried``: for each capability corrected by itself from its first error on, throughout or led,
    whether that saved the run. What only two together saved is told by ``said`` alone. ``unrated``:
    the steps in which a judge gave no number for the memory. ``asked``: what the agent had asked a
    language model last and what that answered, in a line."""

    key: TraceKey
    task: str
    verdict: Verdict
    capability: Capability | None = None
    step: int | None = None
    error: float | None = None
    kind: ErrorType | None = None
    dose: Dose | None = None
    said: str = ""
    tried: Mapping[Capability, bool] = field(default_factory=dict)
    unrated: int = field(default=0, metadata={"later": True})
    asked: str = field(default="", metadata={"later": True})


@dataclass(frozen=True, slots=True)
class Summary:
    """``run`` is the hash of what was run, ``distance`` how labels were compared, ``likeness`` how
    memories were; ``rows`` are in planned order, those of passed episodes among them."""

    run: str
    settings: Settings
    distance: str
    thresholds: Mapping[str, Thresholds] = field(default_factory=dict)
    rows: tuple[SummaryRow, ...] = ()
    likeness: str = COUNTED

    @property
    def is_judged(self) -> bool:
        """Whether a model was asked about memories."""
        return self.likeness != COUNTED


_ADAPTER: TypeAdapter[Summary] = TypeAdapter(Summary)


def row_of(diagnosis: Diagnosis, task: str) -> SummaryRow:
    """The row of a diagnosis."""
    outcomes: dict[Capability, bool] = {}
    for trial in diagnosis.trials:
        if trial.dose != "alone" and trial.also is None:
            outcomes[trial.capability] = outcomes.get(trial.capability, False) or trial.success
    attribution = diagnosis.attribution
    row = SummaryRow(
        diagnosis.key,
        task,
        diagnosis.verdict,
        said=diagnosis.said,
        tried=outcomes,
        unrated=diagnosis.unrated,
        asked=_in_a_line(diagnosis.asked),
    )
    if attribution is None or diagnosis.verdict != "attributed":
        return row
    return replace(
        row,
        capability=attribution.capability,
        step=attribution.step,
        error=attribution.error,
        kind=attribution.kind,
        dose=attribution.dose,
    )


def _in_a_line(asked: Exchange | None) -> str:
    if asked is None:
        return ""
    answer = " ".join(asked.answer.split())
    short = answer if len(answer) <= _SHOWN else f"{answer[: _SHOWN - 1]}…"
    return f"asked at step {asked.step} ({asked.purpose}), {asked.model} answered: {short}"


def as_document(summary: Summary) -> dict[str, Any]:
    """It as plain data; where a model was asked, with the number of steps (``unrated_steps``) of
    which it said nothing that could be used."""
    document: dict[str, Any] = as_plain(summary)
    if summary.is_judged:
        document["unrated_steps"] = sum(row.unrated for row in summary.rows)
    return document


def write_summary(folder: RunFolder, summary: Summary) -> None:
    """Write it; the same summary gives the same bytes."""
    document = {"diagnosis_version": DIAGNOSIS_VERSION, **as_document(summary)}
    text = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    write_atomically(folder.path / SUMMARY_NAME, text.encode() + b"\n")


def read_summary(folder: RunFolder | str) -> Summary:
    """The summary of a run; a ``RunError`` where there is none or it cannot be read."""
    run = RunFolder(folder) if isinstance(folder, str) else folder
    path = run.path / SUMMARY_NAME
    if not path.is_file():
        raise RunError(f"{run.path} has no diagnosis; run 'navproof diagnose {run.path}' first")
    try:
        document = parse_json(read_bytes(path))
        version = document.pop("diagnosis_version", None)
        if version != DIAGNOSIS_VERSION:
            told = f"diagnosis version {short(version)}, this reads {DIAGNOSIS_VERSION}"
            raise RunError(f"{path}: {told}")
        return _ADAPTER.validate_python(document)
    except (ValueError, AttributeError, TypeError) as error:
        why = " ".join(str(error).split())[:120]
        raise RunError(
            f"{path}: not a valid summary of a diagnosis ({why}); "
            f"'navproof diagnose {run.path} --fresh' makes it anew"
        ) from None
