"""What a diagnosis tells of itself in a log."""

from __future__ import annotations

import pytest

from navproof.api.text.diagnosis_progress import ShownProgress
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.types import Attribution, Diagnosis, Evidence, Repair
from navproof.log import TraceKey


def test_a_line_for_each_failure_names_both_where_two_are_to_blame(
    capsys: pytest.CaptureFixture[str],
) -> None:
    eyes, repair = Capability.PERCEPTION, Repair(Capability.PERCEPTION, 4, "led", (), ())
    source = Attribution(
        eyes, 4, 0.9, ErrorType.MISSED, "led", Evidence(4, ""), repair, "", Capability.PLANNING
    )
    key = TraceKey("mlfm", "flat-0")
    with ShownProgress() as progress:
        progress.begin("mlfm", 2, 0)
        progress.finished(Diagnosis(key, "joint", source))
        progress.finished(Diagnosis(key, "not_reproduced"))
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("mlfm: failure 1 of 2: perception with planning at step 4 (")
    assert second.startswith("mlfm: failure 2 of 2: not reproduced (")
