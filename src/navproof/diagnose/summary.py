"""What a diagnosed run comes to: the content of ``RUN/diagnosis.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import TypeAdapter, ValidationError

from navproof._files import write_atomically
from navproof.diagnose.attribute import Settings
from navproof.diagnose.capabilities import Capability, ErrorType
from navproof.diagnose.files import DIAGNOSIS_VERSION, SUMMARY_NAME
from navproof.diagnose.types import Diagnosis, Dose, Thresholds, Verdict
from navproof.errors import RunError
from navproof.log.folder import RunFolder
from navproof.log.trace import TraceKey
from navproof.plain import as_plain

__all__ = ["COUNTED", "Summary", "SummaryRow", "read_summary", "row_of", "write_summary"]

COUNTED = "counted"
"""How memories are compared where no model is asked."""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One episode. ``capability`` to ``dose`` are those of its attribution, None where it has none.
    ``tried``: for each capability corrected by itself from its first error on, throughout or led,
    whether that saved the run. What only two together saved is told by ``said`` alone."""

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


_ADAPTER: TypeAdapter[Summary] = TypeAdapter(Summary)


def row_of(diagnosis: Diagnosis, task: str) -> SummaryRow:
    """The row of a diagnosis."""
    tried: dict[Capability, bool] = {}
    for trial in diagnosis.trials:
        if trial.dose != "alone" and trial.also is None:
            tried[trial.capability] = tried.get(trial.capability, False) or trial.success
    found = diagnosis.attribution
    if found is None or diagnosis.verdict != "attributed":
        return SummaryRow(diagnosis.key, task, diagnosis.verdict, said=diagnosis.said, tried=tried)
    return SummaryRow(
        diagnosis.key,
        task,
        diagnosis.verdict,
        found.capability,
        found.step,
        found.error,
        found.kind,
        found.dose,
        diagnosis.said,
        tried,
    )


def write_summary(folder: RunFolder, summary: Summary) -> None:
    """Write it; the same summary gives the same bytes."""
    document = {"diagnosis_version": DIAGNOSIS_VERSION, **as_plain(summary)}
    text = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    write_atomically(folder.path / SUMMARY_NAME, text.encode() + b"\n")


def read_summary(folder: RunFolder | str) -> Summary:
    """The summary of a run; a ``RunError`` where there is none or it cannot be read."""
    held = RunFolder(folder) if isinstance(folder, str) else folder
    path = held.path / SUMMARY_NAME
    if not path.is_file():
        raise RunError(f"{held.path} has no diagnosis; run 'navproof diagnose {held.path}' first")
    try:
        document = json.loads(path.read_bytes())
        version = document.pop("diagnosis_version", None)
        if version != DIAGNOSIS_VERSION:
            raise RunError(f"{path}: diagnosis version {version}, this reads {DIAGNOSIS_VERSION}")
        return _ADAPTER.validate_python(document)
    except (OSError, ValueError, AttributeError, ValidationError) as error:
        why = " ".join(str(error).split())[:120]
        raise RunError(f"{path}: not a valid summary of a diagnosis ({why})") from None
