"""Failures that test generation found, from the folders of campaigns (``navproof fuzz``).

Campaigns count for a report if they lie in a run's folder or beside it and are of one of its
agents.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from navproof.diagnose.fuzz.store import LINES_NAME, Header, Store
from navproof.errors import RunError

__all__ = ["Discovered", "discovered"]

Discovered = tuple[str, tuple[tuple[float, ...], ...]]
"""The name of a tester, and for each of its campaigns the failures found after 1, 2, … cases."""


def discovered(runs: Sequence[Path], agents: Iterable[str]) -> list[Discovered]:
    """What each tester found. Testers of several agents are told apart by the agent's name."""
    known = set(agents)
    found: dict[tuple[str, str], list[tuple[int, tuple[float, ...]]]] = defaultdict(list)
    for folder in _folders(runs):
        header = _header(folder)
        if header is not None and header.agent in known:
            found[header.tester, header.agent].append((header.seed, _counts(folder)))
    several = len({agent for _, agent in found}) > 1
    return [
        (f"{tester} · {agent}" if several else tester, tuple(counts for _, counts in sorted(held)))
        for (tester, agent), held in sorted(found.items())
        if any(counts for _, counts in held)
    ]


def _folders(runs: Sequence[Path]) -> Iterator[Path]:
    """Folders with a campaign, each once."""
    seen: set[Path] = set()
    for run in runs:
        within, around = run.glob(f"**/{LINES_NAME}"), run.resolve().parent
        beside = (*around.glob(f"*/{LINES_NAME}"), *around.glob(f"*/*/{LINES_NAME}"))
        for path in sorted((*within, *beside)):
            folder = path.parent.resolve()
            if folder not in seen:
                seen.add(folder)
                yield folder


def _header(folder: Path) -> Header | None:
    try:
        return Store(folder).header()
    except RunError:
        return None


def _counts(folder: Path) -> tuple[float, ...]:
    total, counts = 0.0, []
    for text in (folder / LINES_NAME).read_text(encoding="utf-8").splitlines():
        try:
            total += not json.loads(text)["success"]
        except (ValueError, KeyError, TypeError):
            break  # a line that was cut short
        counts.append(total)
    return tuple(counts)
