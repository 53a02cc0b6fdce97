"""Diagnoses on disk: the same after reading, one clear line where they cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from navproof.core.errors import RunError
from navproof.core.types import Detection, Pose, Remembered
from navproof.diagnosis.capabilities import PIPELINE, Capability, ErrorType
from navproof.diagnosis.files import diagnosis_path, read_diagnosis, write_diagnosis
from navproof.diagnosis.types import (
    Attribution,
    Bout,
    Cost,
    Diagnosis,
    Evidence,
    Repair,
    StepErrors,
    Thresholds,
    Trial,
)
from navproof.log.folder import RunFolder
from navproof.log.trace import TraceKey

KEY = TraceKey("mlfm@layers=1", "home/val/1#3", "spatter@0.75", 2)


def _diagnosis() -> Diagnosis:
    seen = (Detection("chair", 0.5, (1.0, 2.0, 3.0, 4.0), (0.5, 0.25, 1.0)),)
    evidence = Evidence(
        7, "the chair was not seen", seen, (), (Remembered("chair", (1.0, 2.0, 0.0), 3),)
    )
    repair = Repair(Capability.PERCEPTION, 7, "alone", (Pose(0.1, 0.2), Pose(0.3, 0.2)), ("stop",))
    return Diagnosis(
        KEY,
        "attributed",
        Attribution(
            Capability.PERCEPTION, 7, 1.0, ErrorType.MISSED, "alone", evidence, repair, "Look twice"
        ),
        (StepErrors(0, {Capability.DECISION: 1.0}, {Capability.DECISION: ErrorType.OFF_PLAN}),),
        (Bout(Capability.PERCEPTION, 7, 9, 1.0, ErrorType.MISSED),),
        (Trial(Capability.PERCEPTION, 7, "onward", True, 30, "hopeless"),),
        thresholds=Thresholds(dict.fromkeys(PIPELINE, 0.5), True, 0.95, 12, 900),
        said="It did not see the chair.",
        cost=Cost(3.0, 300, 4),
    )


def test_what_was_written_is_read(tmp_path: Path) -> None:
    folder, diagnosis = RunFolder(tmp_path), _diagnosis()
    write_diagnosis(folder, diagnosis)
    back = read_diagnosis(folder, KEY)
    assert back.attribution == diagnosis.attribution
    assert back.errors == diagnosis.errors
    assert back.thresholds == diagnosis.thresholds
    assert back.cost == Cost()  # the clock is not kept
    first = diagnosis_path(folder, KEY).read_bytes()
    write_diagnosis(folder, back)
    assert diagnosis_path(folder, KEY).read_bytes() == first


def test_bad_files_are_one_line(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    with pytest.raises(RunError, match="navproof diagnose"):
        read_diagnosis(folder, KEY)
    write_diagnosis(folder, _diagnosis())
    diagnosis_path(folder, KEY).write_bytes(b"nonsense")
    with pytest.raises(RunError, match="not a valid diagnosis") as caught:
        read_diagnosis(folder, KEY)
    assert "\n" not in str(caught.value)


def test_types_belong_to_their_capability() -> None:
    by = {c: [t.value for t in ErrorType if t.capability is c] for c in Capability}
    assert by == {
        Capability.PERCEPTION: ["PE-1", "PE-2"],
        Capability.MEMORY: ["ME-1", "ME-2"],
        Capability.PLANNING: ["PL-1", "PL-2", "PL-3"],
        Capability.DECISION: ["DE-1"],
    }
    assert [c.rank for c in PIPELINE] == [0, 1, 2, 3]
    assert all(t.said for t in ErrorType)
