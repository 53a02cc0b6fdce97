"""Which files something of a user's is made of."""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from navproof.core.sources import digest_of_files, file_of, source_files, sources_of


def lay(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name.replace('__in__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "first.py"


def names(first: Path) -> list[str]:
    folder = first.parent.resolve()
    return [path.relative_to(folder).as_posix() for path in source_files(first)]


def test_what_a_file_imports_from_its_folder_belongs_to_it(tmp_path: Path) -> None:
    first = lay(
        tmp_path,
        first="import numpy, helper\nfrom parts.wheel import Wheel\nimport gone\n",
        helper="def late():\n    import deep\n",
        deep="import first\n",
        other="",
        parts__in____init__="",
        parts__in__wheel="from . import spoke\nfrom .hub import x\nfrom .. import other\n",
        parts__in__spoke="",
        parts__in__hub="syntax error here",
        parts__in__unused="",
    )
    assert names(first) == [
        "first.py", "deep.py", "helper.py", "other.py",
        "parts/__init__.py", "parts/hub.py", "parts/spoke.py", "parts/wheel.py",
    ]  # fmt: skip


def test_a_package_is_followed_but_not_its_neighbours(tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    lay(
        site,
        mine__in____init__="",
        mine__in__agent="import theirs\nfrom mine.net import Net\nimport navproof\n",
        mine__in__net="",
        theirs="",
        navproof="",
    )
    found = source_files(site / "mine" / "agent.py")
    assert [path.name for path in found] == ["agent.py", "__init__.py", "net.py"]


def test_the_digest_is_that_of_every_file(tmp_path: Path) -> None:
    first = lay(tmp_path, first="import helper", helper="x = 1")
    before = digest_of_files(source_files(first))
    assert len(before) == 12
    assert digest_of_files(source_files(first)) == before
    lay(tmp_path, helper="x = 2")
    assert digest_of_files(source_files(first)) != before


def test_references_lead_to_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    lay(tmp_path, first="1 / 0", bad__in____init__="1 / 0", bad__in__x="")
    assert file_of("first.py:Name") == file_of("first.py") == Path("first.py")
    assert file_of("first:Name") == tmp_path / "first.py"
    assert "first" not in sys.modules
    assert file_of("bad.x:y") == tmp_path / "bad" / "x.py"  # its package is not imported for it
    assert file_of("bad") == tmp_path / "bad" / "__init__.py"
    for nothing in ("", "gone.py:x", "gone:x", "bad.y:x", "bad.x.y:z", "..:x", "a b"):
        assert file_of(nothing) is None


def test_what_could_not_be_followed_is_told(tmp_path: Path) -> None:
    first = lay(
        tmp_path,
        first="""
import importlib, numpy, nowhere, helper
from pathlib import Path
net = importlib.import_module("net" + "work")
weights = (Path(__file__).parent / "weights.bin").read_bytes()
net.eval()
""",
        helper="exec('x = 1')\nnames = 'helper.py', 'notes.md', 'gone.bin'",
    )
    (tmp_path / "weights.bin").write_bytes(b"1")
    (tmp_path / "notes.md").write_text("1")
    found = sources_of(first)
    assert [path.name for path in found.files] == ["first.py", "helper.py"]
    assert found.installed == ("numpy",)
    assert found.unfollowed == (
        "first.py:2 imports nowhere, which is not installed",
        "first.py:4 calls import_module",
        "first.py:5 names weights.bin",
        "helper.py:1 calls exec",
    )


def test_compiled_modules_beside_it_belong_to_it(tmp_path: Path) -> None:
    first = lay(tmp_path, first="import fast")
    (tmp_path / f"fast{EXTENSION_SUFFIXES[0]}").write_bytes(b"\x7fELF")
    assert [path.name for path in source_files(first)][1:] == [f"fast{EXTENSION_SUFFIXES[0]}"]
