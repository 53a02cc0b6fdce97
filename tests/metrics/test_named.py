"""Metrics that somebody names for a run: found, guarded, remembered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from navproof.core.errors import NavproofError
from navproof.log import RunFolder, RunInfo
from navproof.log.trace import Trace
from navproof.metrics import built_in, metric_set, result_row

MakeTrace = Callable[..., Trace]
SOURCE = '''
import numpy as np
import navproof.metrics as nv
def jerk(trace):
    """Half the number of actions."""
    return len(trace.actions) / 2
def sr(trace): return 1
def raises(trace): return 1 / 0
def leaves(trace): raise SystemExit(3)
def words(trace): return "high"
def nan(trace): return float("nan")
def numpy(trace): return np.float32(0.5)
def truth(trace): return np.bool_(True)
def nothing(trace): return None
@nv.register_metric(bounded=True)
def share(trace): return 7
@nv.register_metric(applies=lambda trace: trace.episode.task == "vln-v1")
def of_vln(trace): return 1
'''


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(SOURCE)
    return file


def folder_at(path: Path) -> RunFolder:
    folder = RunFolder(path)
    folder.create(RunInfo({}, "abc", ("a",), ("e0",)))
    return folder


def test_named_metrics_follow_the_built_in_ones(mine: Path, make_trace: MakeTrace) -> None:
    chosen = metric_set([f"{mine}:jerk", "SPL", f"{mine}:jerk"])
    assert list(chosen.metrics) == [*built_in(), "jerk"]
    assert chosen.named == ("jerk", "spl")
    assert chosen.others == ("jerk",)
    row = result_row(make_trace(), chosen.metrics)
    assert row["jerk"] == 0.5
    assert {k: v for k, v in row.items() if k != "jerk"} == result_row(make_trace())


def test_a_faulty_metric_costs_its_own_number_alone(mine: Path, make_trace: MakeTrace) -> None:
    names = ["raises", "leaves", "words", "nan", "numpy", "truth", "nothing", "share", "jerk"]
    chosen = metric_set([f"{mine}:{name}" for name in names])
    rows = [result_row(make_trace(episode_id=e), chosen.metrics) for e in ("e0", "e1")]
    for row in rows:
        values = [row[name] for name in names]
        assert values == [None] * 4 + [0.5, 1.0] + [None] * 2 + [0.5]
        assert row["success"] == 1.0
    told = chosen.complaints()
    assert len(told) == 5
    assert all(f"{mine}:" in line and "\n" not in line for line in told)
    assert "gave no number for 2 of 2 episodes; first agent in e0: ZeroDivisionError" in told[0]
    assert "SystemExit: 3" in told[1]
    assert "it returned a str, not a number or None" in told[2]
    assert "it returned nan" in told[3]
    assert "declared to be from 0 to 1 and returned 7" in told[4]


def test_a_metric_may_be_one_of_some_tasks(mine: Path, make_trace: MakeTrace) -> None:
    chosen = metric_set([f"{mine}:of_vln"])
    assert "of_vln" not in result_row(make_trace(), chosen.metrics)
    assert result_row(make_trace(task="vln-v1"), chosen.metrics)["of_vln"] == 1.0


def test_names_that_are_taken_are_refused(mine: Path, tmp_path: Path) -> None:
    with pytest.raises(NavproofError, match=r"called like the built-in metric 'success' \(SR\)"):
        metric_set([f"{mine}:sr"])
    other = tmp_path / "other.py"
    other.write_text("def jerk(trace): return 0\n")
    with pytest.raises(NavproofError, match="are both called 'jerk'"):
        metric_set([f"{mine}:jerk", f"{other}:jerk"])


def test_a_run_remembers_its_metrics(mine: Path, tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "runs" / "one")
    plain = (folder.path / "run.json").read_bytes()
    assert b"metrics" not in plain
    folder.remember_metrics(metric_set([f"{mine}:jerk"], [folder]).recorded)
    (one,) = folder.info.metrics
    assert (one.name, one.ref, one.file) == ("jerk", f"{mine}:jerk", "../../mine.py")
    assert len(one.digest) == 12
    assert metric_set((), [folder]).others == ("jerk",)
    assert metric_set(["jerk"], [folder]).named == ("jerk",)
    assert metric_set((), [folder], forget=True).others == ()
    folder.remember_metrics(())
    assert (folder.path / "run.json").read_bytes() == plain


def test_a_metric_whose_file_is_gone_is_told_of(mine: Path, tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "runs" / "one")
    folder.remember_metrics(metric_set([f"{mine}:jerk"], [folder]).recorded)
    mine.unlink()
    chosen = metric_set((), [folder])
    assert chosen.others == ()
    (note,) = chosen.notes
    assert "a metric 'jerk' that is left out: its file" in note
    assert "is no longer there" in note
    assert chosen.recorded == folder.info.metrics  # the file may come back


def test_an_edited_file_counts_as_it_is_now(
    mine: Path, tmp_path: Path, make_trace: MakeTrace
) -> None:
    folder = folder_at(tmp_path / "one")
    folder.remember_metrics(metric_set([f"{mine}:jerk"], [folder]).recorded)
    mine.write_text("def jerk(trace): return 99\n")
    chosen = metric_set((), [folder])
    assert result_row(make_trace(), chosen.metrics)["jerk"] == 99
    assert chosen.recorded[0].digest != folder.info.metrics[0].digest


def test_another_metric_of_the_same_name_takes_the_place(mine: Path, tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "one")
    folder.remember_metrics(metric_set([f"{mine}:jerk"], [folder]).recorded)
    other = tmp_path / "other.py"
    other.write_text("def jerk(trace): return 0\n")
    chosen = metric_set([f"{other}:jerk"], [folder])
    assert [one.ref for one in chosen.recorded] == [f"{other}:jerk"]
    assert chosen.notes == ()
