"""The manifest: what a run did not write is refused, and a crash costs nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from test_run_folder import info, trace

from navproof.core.errors import RunError
from navproof.log import RunFolder, TraceKey, encode_trace
from navproof.log.manifest import MANIFEST, Manifest

KEY, OTHER = TraceKey("a", "e"), TraceKey("b", "e")


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path)
    folder.create(info())
    folder.write(trace(KEY))
    return folder


def again(folder: RunFolder) -> RunFolder:
    """As another process opens it."""
    return RunFolder(folder.path)


def test_what_the_run_wrote_is_read(folder: RunFolder) -> None:
    assert again(folder).trace(KEY) == trace(KEY)
    again(folder).check_traces()


def test_an_edited_trace_is_refused(folder: RunFolder) -> None:
    edited = replace(trace(KEY), reason="better")
    folder.trace_path(KEY).write_bytes(encode_trace(edited))
    for call in (lambda f: f.trace(KEY), RunFolder.check_traces, lambda f: list(f.traces())):
        with pytest.raises(RunError, match="was changed after the run"):
            call(again(folder))


def test_a_trace_under_another_name_is_refused(folder: RunFolder) -> None:
    stolen = folder.trace_path(OTHER)
    stolen.parent.mkdir()
    stolen.write_bytes(folder.trace_path(KEY).read_bytes())
    with pytest.raises(RunError, match="was not written by the run"):
        again(folder).trace(OTHER)
    again(folder).manifest.add("traces/b/" + stolen.name, stolen.read_bytes())
    with pytest.raises(RunError, match="holds the trace of another episode"):
        again(folder).trace(OTHER)


def test_a_manifest_that_is_gone_is_not_forgiven(folder: RunFolder) -> None:
    (folder.path / MANIFEST).unlink()
    with pytest.raises(RunError, match="was not written by the run"):
        again(folder).trace(KEY)


def test_who_wrote_a_trace_trusts_itself_and_not_the_file(folder: RunFolder) -> None:
    """An agent that edits both a trace and the manifest while the run goes on gains nothing."""
    edited = encode_trace(replace(trace(KEY), reason="better"))
    Manifest(folder.path).add(folder.trace_path(KEY).relative_to(folder.path).as_posix(), edited)
    folder.trace_path(KEY).write_bytes(edited)
    again(folder).check_traces()
    with pytest.raises(RunError, match="was changed after"):
        folder.check_traces()


def test_runs_from_before_have_none_and_are_read(folder: RunFolder) -> None:
    plain = json.loads((folder.path / "run.json").read_bytes()) | {"run_version": 2}
    (folder.path / "run.json").write_text(json.dumps(plain))
    (folder.path / MANIFEST).unlink()
    old = again(folder)
    assert not old.has_manifest
    assert old.trace(KEY) == trace(KEY)
    old.write(trace(OTHER))
    assert not old.has_manifest
    old.check_traces()


def test_half_a_line_at_the_end_counts_for_nothing(folder: RunFolder) -> None:
    path = folder.path / MANIFEST
    whole = path.read_bytes()
    for cut in range(1, 60, 7):
        path.write_bytes(whole + whole[:cut])
        assert dict(again(folder).manifest.digests()) == dict(folder.manifest.digests())
        more = again(folder)
        more.write(trace(OTHER))
        assert again(folder).trace(OTHER) == trace(OTHER)
        assert again(folder).trace(KEY) == trace(KEY)


def test_the_last_line_for_a_file_counts(folder: RunFolder) -> None:
    before = folder.manifest.digest()
    folder.write(replace(trace(KEY), reason="again"))
    assert again(folder).trace(KEY).reason == "again"
    assert again(folder).manifest.digest() == folder.manifest.digest() != before


def test_edited_results_are_refused(folder: RunFolder) -> None:
    folder.write_results([])
    (folder.path / "results.parquet").write_bytes(b"PAR1")
    with pytest.raises(RunError, match=r"was changed after the run.*navproof score"):
        again(folder).results()


def test_results_of_other_traces_are_refused(folder: RunFolder) -> None:
    """Though they are as they were written: a run that went on was ended before it wrote them."""
    folder.write_results([])
    assert again(folder).results() == []
    folder.write(replace(trace(KEY), reason="again"))
    for late in (folder, again(folder)):
        with pytest.raises(RunError, match=r"before traces of the run changed.*navproof score"):
            late.results()
    folder.write_results([])
    assert again(folder).results() == []


def test_what_was_made_of_traces_is_remembered_when_a_run_is_settled(folder: RunFolder) -> None:
    folder.write_results([])
    folder.hold()
    stranger = Manifest(folder.path)
    stranger.add("traces/b/forged@clean@0.json.gz", b"forged")
    folder.settle(folder.info)
    assert again(folder).results() == []
    folder.write(trace(OTHER))
    with pytest.raises(RunError, match="before traces of the run changed"):
        again(folder).results()


@pytest.mark.parametrize("held", [False, True])
def test_one_digest_is_that_among_all(folder: RunFolder, held: bool) -> None:
    """Asking for one takes as long in a long manifest as in a short one."""
    writer = again(folder)
    if held:
        writer.hold()
    writer.write(trace(OTHER))
    writer.manifest.add("results.parquet", b"rows")
    path = folder.trace_path(KEY).relative_to(folder.path).as_posix()
    again(folder).manifest.add(path, b"somebody else")  # stands where nothing is held
    for _ in range(2):
        known = writer.manifest.digests()
        assert {file: writer.manifest.digest_of(file) for file in known} == dict(known)
        assert writer.manifest.digest_of("traces/a/none.json.gz") is None
        writer.manifest.forget(path)
    assert (path in writer.manifest.digests()) is not held


def test_reading_a_trace_looks_up_one_digest(
    folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_of_them(_: Manifest) -> None:
        raise AssertionError("a digest of every file was asked for")

    folder.hold()
    monkeypatch.setattr(Manifest, "digests", all_of_them)
    assert folder.trace(KEY) == trace(KEY)
    folder.check_traces()
