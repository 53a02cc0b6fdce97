"""A campaign on disk: everything to go on with it, to count its failures and to play them again.

::

    DIR/campaign.json      what was asked, and the thresholds that errors are held against
    DIR/campaign.jsonl     one line per case in the order played (``line_of``)
    DIR/traces/            one gzipped trace per case, without beliefs
    DIR/diagnosis/         one gzipped ``Diagnosis`` per diagnosed failure

A line is written when the files of its case are there, so what was played is never lost and never
half there. Nothing depends on the clock or the machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from navproof.core.codec import from_plain
from navproof.core.errors import RunError
from navproof.core.files import write_atomically
from navproof.core.input.reading import parse_json, short
from navproof.core.lock import LOCK_NAME
from navproof.core.plain import as_plain
from navproof.core.types import Scalar
from navproof.diagnosis.files import decode_diagnosis, encode_diagnosis
from navproof.diagnosis.fuzz.types import Case, CaseResult
from navproof.diagnosis.types import Diagnosis, Thresholds
from navproof.log.storage import read_bytes, read_trace, write_trace
from navproof.log.trace import Trace

__all__ = ["LINES_NAME", "Header", "Store", "is_campaign", "line_of"]

_CAMPAIGN_NAME = "campaign.json"
LINES_NAME = "campaign.jsonl"
_VERSION = 1


def is_campaign(folder: Path) -> bool:
    """Whether a folder is one that ``navproof fuzz`` wrote."""
    return (folder / _CAMPAIGN_NAME).is_file()


@dataclass(frozen=True, slots=True)
class Header:
    """The content of ``campaign.json``. ``about`` names the space that is searched: task, scenes,
    axes. The budget is not in it: with a larger one the same campaign goes on. ``judge``: the model
    that compares labels and memories, None where the lexicon and counting do."""

    agent: str
    tester: str
    seed: int
    initial: int
    diagnosed: bool
    about: Mapping[str, Any]
    thresholds: Thresholds | None = None
    version: int = _VERSION
    judge: str | None = field(default=None, metadata={"later": True})


_HEADER: TypeAdapter[Header] = TypeAdapter(Header)


@dataclass(frozen=True, slots=True)
class _Line:
    """What is read of a line; the rest is for people."""

    number: int
    case: str
    parent: str
    changed: Mapping[str, Scalar] | None
    success: bool
    verdict: str | None


_TOLD = tuple(f.name for f in fields(_Line))


def line_of(number: int, result: CaseResult, score: float | None) -> dict[str, Any]:
    """What is told of a case in one line. ``score`` is that of its seed, None where it became
    none. Of passes, ``verdict`` and what follows are None."""
    case, trace, told = result.case, result.trace, result.diagnosis
    source = None if told is None else told.attribution
    return {
        "number": number,
        "case": case.case_id,
        "scene": case.episode.scene,
        "condition": case.condition,
        "seed": case.seed,
        "parent": case.parent,
        "changed": dict(case.changed or {}),
        "success": result.success,
        "status": trace.status,
        "reason": trace.reason,
        "steps": len(trace.actions),
        "score": None if score is None else round(score, 6),
        "verdict": None if told is None else told.verdict,
        "capability": None if source is None else source.capability.value,
        "kind": None if source is None else source.kind.value,
        "step": None if source is None else source.step,
        "error": None if source is None else round(source.error, 6),
        "dose": None if source is None else source.dose,
        "said": None if told is None else told.said,
    }


class Store:
    """The folder of one campaign; made where there is none yet."""

    def __init__(self, path: Path) -> None:
        self.path = path

    # -------------------------------------------------------------------------------- the header
    def begin(self, header: Header) -> Thresholds | None:
        """Take up a campaign: the thresholds of the one in the folder, which must be this one. One
        that was not diagnosed can be, afterwards: its cases are then told anew, from their traces.
        Nothing is written yet."""
        there = self.header()
        if there is None:
            if self.path.is_dir() and any(p.name != LOCK_NAME for p in self.path.iterdir()):
                raise RunError(f"{self.path} holds something else than a campaign; name another")
            return None
        asked, wants = _asked(there), _asked(header)
        if header.diagnosed and not there.diagnosed:
            for name in ("diagnosed", "judge"):
                asked[name] = wants[name]
        for name in dict.fromkeys((*asked, *wants)):
            held, wanted = asked.get(name), wants.get(name)
            if held != wanted:
                raise RunError(
                    f"{self.path} holds another campaign ({name} {_short(held)}, not "
                    f"{_short(wanted)}); name another folder, or start afresh with --fresh"
                )
        return there.thresholds

    def header(self) -> Header | None:
        path = self.path / _CAMPAIGN_NAME
        if not path.is_file():
            return None
        try:
            header = _HEADER.validate_python(parse_json(read_bytes(path)))
            _check_about(header.about)
            return header
        except ValueError as error:
            raise RunError(
                f"{path}: not a campaign ({_why(error)}); start it afresh with --fresh"
            ) from None

    def write_header(self, header: Header) -> None:
        text = json.dumps(as_plain(header), sort_keys=True, indent=1, allow_nan=False)
        write_atomically(self.path / _CAMPAIGN_NAME, f"{text}\n".encode())

    # --------------------------------------------------------------------------------- the cases
    def trace(self, case: Case) -> Trace | None:
        """The trace of a case, where it has been played and can be read."""
        try:
            return read_trace(self._trace_path(case.case_id))
        except RunError:
            return None

    def diagnosis(self, case: Case) -> Diagnosis:
        """The diagnosis of a case that has one."""
        path = self._diagnosis_path(case.case_id)
        return decode_diagnosis(read_bytes(path), str(path))

    def keep(self, case: Case, trace: Trace, diagnosis: Diagnosis | None) -> None:
        """Write the files of a case; its line comes after them."""
        write_trace(trace, self._trace_path(case.case_id))
        if diagnosis is not None:
            write_atomically(self._diagnosis_path(case.case_id), encode_diagnosis(diagnosis))

    def mend(self) -> None:
        """Remove a last line that was cut short: before a campaign goes on."""
        path = self.path / LINES_NAME
        held = path.read_bytes() if path.is_file() else b""
        if held != _whole_lines(held):
            write_atomically(path, _whole_lines(held))

    def tell_anew(self) -> int:
        """Remove all lines, and say how many there were. The traces stay, so that nothing has to be
        played again."""
        path = self.path / LINES_NAME
        held = path.read_bytes() if path.is_file() else b""
        path.unlink(missing_ok=True)
        return held.count(b"\n")

    def append(self, number: int, result: CaseResult, score: float | None) -> None:
        text = json.dumps(line_of(number, result, score), sort_keys=True, allow_nan=False)
        with (self.path / LINES_NAME).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")

    def results(self) -> tuple[CaseResult, ...]:
        """The cases played so far, in order. A last line that was cut short is left out."""
        path = self.path / LINES_NAME
        if not path.is_file():
            return ()
        lines = _whole_lines(read_bytes(path)).decode(errors="replace").split("\n")[:-1]
        return tuple(self._result(n, line) for n, line in enumerate(lines, start=1))

    def _result(self, number: int, text: str) -> CaseResult:
        def damaged(what: str) -> RunError:
            return RunError(
                f"{self.path / LINES_NAME}, line {number}: {what}; keep only the lines before it "
                "and give the same command again, or start afresh with --fresh"
            )

        try:
            line = parse_json(text)
            told: _Line = from_plain(_Line, {name: line[name] for name in _TOLD})
        except (ValueError, KeyError, TypeError):
            raise damaged("not a line of a campaign") from None
        if told.number != number - 1:
            raise damaged(f"it is of case number {told.number}, so that lines are missing")
        called = short(told.case)
        try:
            trace = read_trace(self._trace_path(told.case))
        except (RunError, ValueError):  # ValueError: that is no name of a file
            raise damaged(f"the trace of case '{called}' is missing or damaged") from None
        key = trace.key
        case = Case(trace.episode, key.condition, key.seed, told.parent, told.changed)
        if case.case_id != told.case:
            raise damaged(f"the trace of case '{called}' is that of another")
        try:
            diagnosis = None if told.verdict is None else self.diagnosis(case)
        except RunError:
            raise damaged(f"the diagnosis of case '{called}' is missing or damaged") from None
        return CaseResult(case, trace, told.success, diagnosis)

    def _trace_path(self, name: str) -> Path:
        return self.path / "traces" / f"{name}.json.gz"

    def _diagnosis_path(self, name: str) -> Path:
        return self.path / "diagnosis" / f"{name}.json.gz"


def _whole_lines(held: bytes) -> bytes:
    return held[: held.rfind(b"\n") + 1]


def _asked(header: Header) -> dict[str, Any]:
    """What makes a campaign another one, by name."""
    names = ("version", "agent", "tester", "seed", "initial", "diagnosed", "judge")
    return {**{name: getattr(header, name) for name in names}, **as_plain(header.about)}


def _check_about(about: Mapping[str, Any]) -> None:
    """``ValueError`` where the space that is searched is named by something else than words."""
    for name, held in about.items():
        words = held if isinstance(held, list) else [held]
        if not all(isinstance(word, str) for word in words):
            raise ValueError(f"about.{short(name, 40)} must be words, and is {short(held)}")
    for name in ("scenes", "axes"):
        if not isinstance(about.get(name, []), list):
            raise ValueError(f"about.{name} must be a list")


def _why(error: ValueError) -> str:
    """The first thing that is wrong with a header, on one line."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else first["msg"]


def _short(value: Any) -> str:
    if value is None:
        return "none"
    text = json.dumps(value, sort_keys=True) if not isinstance(value, str) else f"'{value}'"
    return text if len(text) <= 80 else f"{text[:77]}…"
