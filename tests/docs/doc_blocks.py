"""The code blocks of README and ``docs/``, as pages of steps that a test can take one by one.

A fenced block names its language. What stands in the line above it, as an HTML comment, says how
it is tested:

    (nothing)               it is run by ``make test-docs``
    <!-- quick -->          ... and by every ``make test``
    <!-- not run: reason -->    it is not run; Python is compiled all the same

``title="my_agent.py"`` behind the language makes the block a file of the page's folder, and one
that begins with ``examples/`` must be that file of the repository, or a part of it. A comment
``<!-- hidden`` with Python in its following lines is run, and not shown.

The blocks of a page are run in order by one process, in a folder with a copy of ``examples/``; its
Python blocks share their names, and tests that they define are called.

    python tests/docs/doc_blocks.py docs/guides/runs.md [--all-docs]    # runs a page here
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LANGUAGES = {"sh", "python", "toml", "json", "yaml", "text"}
SHELL, PYTHON = "sh", "python"
_STEP = re.compile(
    r"^<!-- hidden\n(?P<hidden>.*?)-->$"
    r"|(?:^<!-- (?P<mark>quick|not run: [^>]*?) -->\n)?"
    r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<code>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
_MARK = re.compile(r"^<!-- (?!prose|/prose|hidden|quick -->|not run: \S)", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A block of a page: ``line`` is where it begins, ``mark`` the comment above it."""

    page: str
    line: int
    language: str
    title: str
    mark: str
    code: str

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def is_run(self) -> bool:
        """Whether it is a command or Python that is to be run."""
        return (
            self.language in (SHELL, PYTHON) and not self.title and not self.mark.startswith("not")
        )

    @property
    def is_quick(self) -> bool:
        return self.mark in ("quick", "hidden")


def pages() -> list[Path]:
    """README and every page of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(path: Path) -> list[Block]:
    """The blocks of a page, in order."""
    text = path.read_text(encoding="utf-8")
    page = path.relative_to(ROOT).as_posix()
    found = []
    for step in _STEP.finditer(text):
        line = text.count("\n", 0, step.start()) + 1 + bool(step["mark"])
        if step["hidden"] is not None:
            found.append(Block(page, line, PYTHON, "", "hidden", step["hidden"]))
            continue
        language, _, options = step["info"].strip().partition(" ")
        title = re.search(r'title="([^"]+)"', options)
        code = re.sub(rf"^{step['indent']}", "", step["code"], flags=re.MULTILINE)
        found.append(
            Block(page, line, language, title[1] if title else "", step["mark"] or "", code)
        )
    return found


def strange_comments(path: Path) -> list[str]:
    """Comments that look like marks and are none."""
    text = path.read_text(encoding="utf-8")
    return [text[m.start() :].partition("\n")[0] for m in _MARK.finditer(text)]


def to_run(path: Path, every: bool) -> list[Block]:
    """What of a page is run: the quick blocks, or all that are not marked otherwise."""
    return [b for b in blocks(path) if b.is_run and (every or b.is_quick)]


def run_page(path: Path, every: bool) -> None:
    """Run a page in the folder of this process."""
    shutil.copytree(ROOT / "examples", "examples", dirs_exist_ok=True)
    wanted = to_run(path, every)
    names: dict[str, Any] = {"__name__": "documentation"}
    for block in blocks(path):
        if block.title and not block.title.startswith("examples/"):
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.code, encoding="utf-8")
        elif block in wanted:
            print(f"-- {block.where}", flush=True)
            _run(block, names)


def _run(block: Block, names: dict[str, Any]) -> None:
    """One block. Commands see the interpreter's own folder first, so ``navproof`` is this one."""
    if block.language == PYTHON:
        source = "\n" * block.line + block.code
        exec(compile(source, str(ROOT / block.page), "exec"), names)
        for name in [n for n in names if n.startswith("test_")]:
            names.pop(name)()
        return
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    command = ["bash", "-euo", "pipefail", "-c", block.code]
    done = subprocess.run(command, env=os.environ | {"PATH": path}, check=False)
    if done.returncode != 0:
        sys.exit(f"{block.where} ended with exit code {done.returncode}")


if __name__ == "__main__":
    run_page(Path(sys.argv[1]).resolve(), "--all-docs" in sys.argv[2:])
