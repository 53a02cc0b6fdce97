"""Episodes made from a secret: nobody can look them up, and all the same they can be repeated."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import packed_samples
from navproof.api.score import score
from navproof.api.suite import make_suite, pack_suite
from navproof.api.verify import verify
from navproof.core import salt as salt_module
from navproof.core.cache import cache_dir
from navproof.core.errors import SpecError
from navproof.core.salt import Salt
from navproof.diagnosis import run as diagnosis
from navproof.diagnosis.attribution.attribute import Settings
from navproof.log.folder import RunFolder
from navproof.runner.run import run
from navproof.runner.spec import RunSpec
from navproof.runner.withheld import withheld_with
from navproof.tasks.suites import find_suite, load_suite, salted, suite_path
from runner_fakes import tiny_episodes

AGENT = "attackers:LooksItUp"
SUITE = """
from navproof import Suite, SuitePart
ONE = Suite("one", parts=(SuitePart(("vln-v1",), ("home/val/0",), per_scene=1),))
def returned():
    return []
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps files from agents")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a suite, a salt, and a cache of its own for what is made with it."""
    monkeypatch.setattr(salt_module, "_salts", {})
    packed_samples.own_cache(monkeypatch, tmp_path)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    (here / "own.py").write_text(SUITE)
    (here / "secret.salt").write_bytes(bytes(range(40)))
    monkeypatch.setenv("NAVPROOF_TEST_SUITE", "own.py:ONE")
    monkeypatch.setenv("NAVPROOF_TEST_SECRET", str(here / "secret.salt"))
    monkeypatch.setenv("NAVPROOF_TEST_RUN", str(here / "out"))
    return here


def played(out: str = "out", **changes: object) -> RunFolder:
    return run(replace(RunSpec((AGENT,), "own.py:ONE"), **changes), out)  # type: ignore[arg-type]


def gains(folder: RunFolder) -> str:
    (trace,) = folder.traces()
    assert (trace.status, trace.actions) == ("ok", ("left", "left", "stop"))
    (gained,) = (e.data["gained"] for e in trace.events if e.kind == "intent")
    return str(gained)


@linux
def test_a_public_episode_can_be_looked_up_and_one_made_from_a_secret_cannot(place: Path) -> None:
    salt = Salt.read(Path("secret.salt"))
    public = played("public")
    assert "goal (" in gains(public)
    assert "secret.salt" in gains(public)  # an agent that has read it knows it for ever
    assert [note for note in score(public).notes if AGENT not in note] == []
    folder = played(salt=salt)
    assert gains(folder) == ""
    info = folder.info
    assert info.spec["salt"] == salt.fingerprint
    assert set(info.spec["scenes"]) == {f"home/val/0~{salt.fingerprint}"}
    assert info.spec["scenes"] != public.info.spec["scenes"]
    assert "files" in info.versions["confinement"]
    (note,) = (note for note in score(folder).notes if AGENT not in note)
    assert note.startswith(f"salted ({salt.fingerprint})")
    assert score(folder).document()["salt"] == salt.fingerprint

    again = played("again", salt=Salt.read(Path("secret.salt")))
    assert gains(again) == ""  # what it looks into is the folder of the run before
    for one, other in zip(folder.traces(), again.traces(), strict=True):
        assert (one.episode, one.poses) == (other.episode, other.poses)
    assert verify(folder, workers=1, progress=False).verdict == "verified"
    (trace,) = folder.traces()
    (public_trace,) = public.traces()
    assert trace.episode.instruction != public_trace.episode.instruction


@linux
def test_the_diagnosis_of_such_a_run_keeps_the_secret(place: Path) -> None:
    folder = played(salt=Salt.read(Path("secret.salt")))
    withheld = diagnosis._pool(folder, 1, Settings()).withheld
    assert {cache_dir("withheld"), folder.path} <= set(withheld)
    assert diagnosis._pool(played("public"), 1, Settings()).withheld == ()


@linux
def test_a_disk_that_could_be_read_is_withheld_like_the_files_on_it(place: Path) -> None:
    disks = [path for path in Path("/dev").iterdir() if path.is_block_device()]
    open_ = {path for path in disks if os.access(path, os.R_OK)}
    (place / "older").mkdir()
    (place / "older" / "run.json").touch()
    (place / "mine").mkdir()
    found = withheld_with(Path("out"), [place / "secret.salt"])
    assert open_ <= set(found)
    assert set(found) - set(disks) == {
        cache_dir("withheld"),
        Path("out"),
        place / "secret.salt",
        place / "older",
    }


def test_a_run_is_verified_elsewhere_with_its_salt_alone(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played(salt=Salt.read(Path("secret.salt")))
    monkeypatch.setenv("NAVPROOF_CACHE", str(place / "another"))
    monkeypatch.setattr(salt_module, "_salts", {})
    blind = verify(folder, workers=1, progress=False)
    assert blind.verdict == "unverifiable"
    assert "is made with a salt, and is not on this machine yet" in blind.rows[0]["why"]
    (place / "other.salt").write_bytes(bytes(range(50)))
    with pytest.raises(SpecError, match="was made with salt"):
        verify(folder, salt="other.salt", progress=False)
    assert verify(folder, salt="secret.salt", workers=1, progress=False).verdict == "verified"


def test_salted_suites_are_kept_apart(place: Path) -> None:
    salt, suite = Salt(bytes(range(40))), find_suite("own.py:ONE")
    assert suite is not None
    other = salted(suite, salt)
    assert other.seed != suite.seed
    assert suite_path(other).is_relative_to(cache_dir("withheld"))
    assert not suite_path(suite).is_relative_to(cache_dir("withheld"))
    (episode,) = load_suite("own.py:ONE", salt=salt)
    assert episode.scene == f"home/val/0~{salt.fingerprint}"
    assert str(episode.seed) not in (str(suite.seed), str(salt.key))


def test_what_cannot_be_made_anew_is_refused(place: Path) -> None:
    salt = Salt(bytes(range(40)))
    with pytest.raises(SpecError, match="is a suite that a function returns: it cannot be made"):
        load_suite("own.py:returned", salt=salt)
    Path("e.jsonl").write_text("")
    with pytest.raises(SpecError, match=r"e\.jsonl is an episode file: it cannot be made anew"):
        load_suite("e.jsonl", salt=salt)
    with pytest.raises(SpecError, match="that are given cannot be made anew"):
        run(RunSpec((AGENT,), "own.py:ONE", salt=salt), "out", episodes=tiny_episodes(1))
    with pytest.raises(SpecError, match="--salt and --in-process"):
        RunSpec((AGENT,), "own.py:ONE", salt=salt, in_process=True)


@linux
def test_a_pack_of_what_was_made_from_a_secret_is_withheld_as_the_secret_is(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_suite("own.py:ONE")  # the public one is there for whoever looks
    made = pack_suite("own.py:ONE", "own.suite", salt="secret.salt", progress=False)
    fingerprint = Salt.read(Path("secret.salt")).fingerprint
    assert made.salt == fingerprint
    (place / "secret.salt").unlink()
    monkeypatch.setattr(salt_module, "_salts", {})
    monkeypatch.setenv("NAVPROOF_TEST_SECRET", str(place / "own.suite"))
    folder = run(RunSpec((AGENT,), "own.suite"), "out")
    assert gains(folder) == ""
    info = folder.info
    assert info.spec["pack"] == {"name": "one", "digest": made.digest, "salt": fingerprint}
    (scene,) = info.spec["scenes"]
    assert scene.startswith(f"home/val/0~{fingerprint}#")
    (note,) = (note for note in score(folder).notes if AGENT not in note)
    assert note.startswith(f"salted ({fingerprint}) and packed: ")
    found = verify(folder, suite="own.suite", workers=1, progress=False)
    assert found.verdict == "verified"
    assert any("secret only from those who did not have the packed" in n for n in found.found.notes)
    assert list(cache_dir("withheld", "packed").iterdir())
    assert not list(cache_dir("scenes", "packed").iterdir())

    with pytest.raises(SpecError, match=r"own\.suite was made with a salt, and with --in-process"):
        run(RunSpec((AGENT,), "own.suite", in_process=True), "other")
    for call in (
        lambda salt: run(RunSpec((AGENT,), "own.suite", salt=salt), "other"),
        lambda salt: make_suite("own.suite", salt=salt, progress=False),
    ):
        with pytest.raises(
            SpecError, match=r"own\.suite is .*packed.*: it cannot be made anew with"
        ):
            call(Salt(bytes(range(40))))
    assert not Path("other").exists() or not list(Path("other").glob("run.json"))
