"""``write_index``: a folder of runs in, out a page that lists them, with links to their reports."""

from __future__ import annotations

import math
import os
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from navproof import __version__
from navproof.core.errors import NavproofError, RunError
from navproof.log import RunFolder
from navproof.log.trace import NOT_PLAYED
from navproof.reports.gather import OUTCOMES
from navproof.reports.html import templates, write_page
from navproof.reports.page_data import page_data
from navproof.reports.tables import task_title

__all__ = ["runs_below", "write_index"]

_RUN = "run.json"
_DEEPEST, _MOST = 3, 2000


@dataclass(frozen=True, slots=True)
class _Row:
    """One agent in one task of one run, over its clean episodes (all, where none is clean)."""

    run: str
    agent: str
    task: str
    suite: str
    conditions: int
    episodes: int
    success: float | None
    state: str
    report: str
    command: str
    path: str


def runs_below(folder: Path) -> list[Path]:
    """The run folders in a folder that is none itself, at most three levels down; empty where it
    is a run, or holds none."""
    if (folder / _RUN).is_file():
        return []
    found: list[Path] = []
    level = [folder]
    for _ in range(_DEEPEST):
        below = [p for one in level for p in _folders(one)]
        found += [p for p in below if (p / _RUN).is_file()]
        level = [p for p in below if not (p / _RUN).is_file()]
    return sorted(found)[:_MOST]


def _folders(path: Path) -> list[Path]:
    try:
        return sorted(p for p in path.iterdir() if p.is_dir() and not p.name.startswith("."))
    except OSError:
        return []


def write_index(folder: Path, runs: Sequence[Path], out: Path) -> Path:
    """Write the page about ``runs``, which lie in ``folder``, and return its path. Their numbers
    come from their tables of results; a run that cannot be read has a row that says why."""
    rows = [row for path in runs for row in _rows(path, folder, out)]
    if not rows:
        raise RunError(f"{folder} holds no run")
    words = ("Run", "Agent", "Task", "Suite", "State")
    values = [list(dict.fromkeys(getattr(r, name.lower()) for r in rows)) for name in words]
    columns: list[dict[str, Any]] = [{"name": "Run"}]
    columns += [{"name": n, "values": v} for n, v in zip(words[1:], values[1:], strict=True)]
    columns += [
        {"name": "Conditions", "number": 0},
        {"name": "Episodes", "number": 0},
        {"name": "SR", "number": 3},
    ]
    told = {
        "label": "All runs",
        "columns": columns,
        "shown": [i for i, c in enumerate(columns) if len(c.get("values", "xx")) > 1 or i == 1],
        "rows": [
            [
                r.run,
                *(
                    v.index(getattr(r, n.lower()))
                    for n, v in zip(words[1:], values[1:], strict=True)
                ),
                r.conditions,
                r.episodes,
                None if r.success is None else round(r.success, 4),
            ]
            for r in rows
        ],
        "details": [{"report": r.report, "command": r.command, "path": r.path} for r in rows],
    }
    page = (
        templates()
        .get_template("index.html.j2")
        .render(
            title=f"{len(runs)} runs in {folder.resolve().name or folder}",
            data=page_data(told),
            version=__version__,
            runs=len(runs),
            agents=len(values[1]),
            outcomes=list(OUTCOMES.items()),
            failure_styles=[],
        )
    )
    return write_page(page, out)


def _rows(path: Path, folder: Path, out: Path) -> list[_Row]:
    name = os.path.relpath(path, folder).replace(os.sep, "/")
    page = path / "report.html"
    link = _link(page, out) if page.is_file() else ""
    command = f"navproof report {_quoted(str(path))}"
    run = RunFolder(path)
    try:
        info = run.info
        planned = len(info.planned())
        suite = str(info.spec.get("suite") or "")
        results = run.results()
    except NavproofError as error:
        told = f"cannot be read: {error}"
        return [_Row(name, "", "", "", 0, 0, None, told, link, command, str(path))]
    state = "finished" if len(results) >= planned else "not finished"
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in results:
        if row["status"] != NOT_PLAYED:
            groups[str(row["agent"]), str(row["task"])].append(row)
    if not groups:
        return [_Row(name, "", "", suite, 0, 0, None, "nothing played", link, command, str(path))]
    found = []
    for (agent, task), mine in sorted(groups.items()):
        clean = [r for r in mine if r["condition"] == "clean"] or mine
        rate = math.fsum(float(r["success"]) for r in clean) / len(clean)
        conditions = len({r["condition"] for r in mine})
        found.append(
            _Row(
                *(name, agent, task_title(task), suite, conditions, len(clean), rate, state),
                *(link, command, str(path)),
            )
        )
    return found


def _link(page: Path, out: Path) -> str:
    from urllib.parse import quote

    return quote(os.path.relpath(page, out.parent).replace(os.sep, "/"))


def _quoted(word: str) -> str:
    import shlex

    return word if re.fullmatch(r"[\w@%+=:,./-]+", word) else shlex.quote(word)
