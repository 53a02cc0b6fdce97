"""The result of a diagnosis as an object, read from a folder that was diagnosed before."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import navproof as nv

sys.path.insert(0, str(Path(__file__).parents[1] / "reports"))
from diagnosis_samples import CAUSES, diagnosed_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> nv.Run:
    return nv.Run(diagnosed_run(tmp_path_factory.mktemp("diagnosed") / "run"))


def test_rows_name_the_cause_of_each_failure(run: nv.Run) -> None:
    found = run.diagnosis()
    assert len(found) == len(run)
    for agent, conditions in CAUSES.items():
        for condition, kinds in conditions.items():
            mine = [r for r in found if r["agent"] == agent and r["condition"] == condition]
            named = sorted(r["kind"] for r in mine if r["verdict"] == "attributed")
            if named:
                assert named == sorted(str(kind) for kind in kinds if kind is not None)
    assert {r["capability"] for r in found if r["kind"] == "PE-1"} <= {"perception"}
    frame = found.to_arrow()
    assert frame.num_rows == len(run)
    assert {"agent", "episode_id", "verdict", "capability", "step"} <= set(frame.column_names)


def test_text_document_and_details(run: nv.Run) -> None:
    found = run.diagnosis()
    failed = sum(row["verdict"] != "passed" for row in found)
    assert repr(found) == f"RunDiagnosis({str(run.path)!r}, {failed} of {len(found)} failed)"
    assert "fix first:" in found.table()
    assert "fix first:" in found._repr_html_()
    assert len(found.document()["rows"]) == len(found)
    details = found.details()
    assert [d.verdict for d in details] == [r["verdict"] for r in found if r["verdict"] != "passed"]
    assert all(isinstance(d, nv.Diagnosis) for d in details)


def test_a_run_that_was_not_diagnosed_says_so() -> None:
    old = Path(__file__).parents[1] / "data" / "run-0.1"
    with pytest.raises(nv.NavproofError, match="has no diagnosis; run 'navproof diagnose"):
        nv.Run(old).diagnosis()


def test_what_is_no_run_is_one_line(tmp_path: Path) -> None:
    for verb in (nv.Run, nv.score, nv.report, nv.diagnose):
        with pytest.raises(nv.NavproofError, match="not a run folder"):
            verb(tmp_path)
    with pytest.raises(nv.NavproofError, match="at least one run"):
        nv.report([])
