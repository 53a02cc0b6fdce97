"""What README and ``docs/`` tell to type works: the blocks of each page are run in order, in a
folder with the examples."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import doc_blocks
import pytest
from doc_blocks import LANGUAGES, PYTHON, ROOT, SHELL, blocks, pages, strange_comments, to_run

PAGES = [path for path in pages() if blocks(path)]
DOC_BLOCKS = doc_blocks.__file__
LIMIT_S = 1800


def _id(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", PAGES, ids=_id)
def test_the_blocks_of_a_page_run(
    path: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    every = request.config.getoption("--all-docs", default=False)
    if not any(b.mark != "hidden" for b in to_run(path, every)):
        pytest.skip("nothing of it is run here" if every else "nothing quick: make test-docs")
    done = subprocess.run(
        [sys.executable, DOC_BLOCKS, path, *(["--all-docs"] if every else [])],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-3000:]}"


@pytest.mark.parametrize("path", pages(), ids=_id)
def test_every_block_says_what_it_is(path: Path) -> None:
    assert strange_comments(path) == []
    for block in blocks(path):
        assert block.language in LANGUAGES, f"{block.where}: '{block.language}'"
        if block.language == PYTHON:
            compile(block.code, block.where, "exec")
        elif block.language == "toml":
            tomllib.loads(block.code)
        elif block.language == "json":
            for value in block.code.split("\n\n"):
                json.loads(value)


@pytest.mark.parametrize("path", PAGES, ids=_id)
def test_shown_files_are_the_examples(path: Path) -> None:
    for block in blocks(path):
        if block.title.startswith("examples/"):
            text = (ROOT / block.title).read_text(encoding="utf-8")
            assert f"\n{block.code}" in f"\n{text}", f"{block.where} is not {block.title}"


def test_reasons_are_given_and_most_commands_are_run() -> None:
    commands = [b for path in PAGES for b in blocks(path) if b.language == SHELL]
    skipped = [b for b in commands if not b.is_run]
    assert all(len(b.mark) > len("not run: hour") for b in skipped)
    assert len(skipped) < len(commands) / 2


def test_pages_made_from_the_code_are_of_today() -> None:
    command = [sys.executable, "scripts/reference_pages.py", "--check"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
