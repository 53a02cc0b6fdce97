"""Where judging processes look for modules."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

import navproof
from navproof.core import launch
from navproof.core.search_path import aside, clean
from navproof.runner.identity import whole_code


def test_the_current_folder_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    other.mkdir()
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr(sys, "path", ["", str(other), str(here), str(Path(os.__file__).parent)])
    assert aside() == (str(here), str(here))
    found = clean()
    assert str(here) not in found
    assert found.index(str(Path(os.__file__).parent)) < found.index(str(other))


def test_the_folder_of_navproof_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(navproof.__file__).resolve().parents[1]
    monkeypatch.chdir(source)
    monkeypatch.setattr(sys, "path", ["", str(source)])
    assert (aside(), str(source) in clean()) == ((), True)


def test_byte_code_of_navproof_is_not_read(tmp_path: Path) -> None:
    """Whoever plays may write it; a package of another name shows that it would be found."""
    for package in ("navproof", "other"):
        (tmp_path / package).mkdir()
        source = tmp_path / package / "__init__.py"
        source.write_text("word = 'forged'")
        about = source.stat()
        py_compile.compile(str(source), importlib.util.cache_from_source(str(source)))
        source.write_text("word = 'honest'")
        os.utime(source, ns=(about.st_atime_ns, about.st_mtime_ns))
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; {launch._FROM_SOURCES}; "
        "import navproof, other; print(navproof.word, other.word)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["honest", "forged"]


def test_all_that_could_be_imported_of_navproof_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "metrics").mkdir()
    monkeypatch.setattr(navproof, "__file__", str(tmp_path / "__init__.py"))
    digests = [whole_code()]
    for name in ("metrics/one.py", "metrics/one.cpython-311-x86_64-linux-gnu.so"):
        (tmp_path / name).write_text("pass")
        digests.append(whole_code())
    assert len(set(digests)) == 3
