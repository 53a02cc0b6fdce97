"""``nv.merge``: one run from the folders of its shards."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from navproof.api.plain import file_name
from navproof.api.run_folder import Run, RunLike, path_of
from navproof.api.text.progress import MergeProgress, shown
from navproof.runner.merging import Progress, merge_runs

__all__ = ["merge"]


def merge(runs: Iterable[RunLike], out: Path | str, *, progress: bool | Progress = True) -> Run:
    """Make one run of the folders in which its shards were played (``nv.run(…, shard="2/8")``),
    in any order, in the new folder ``out``: its traces and results are those that a single machine
    would have written. Every trace must be as its folder's manifest has it. ``RunError`` where
    folders are of different runs, episodes are missing, or two traces of one episode differ.
    ``progress`` shows a bar on the error stream."""
    parts = [path_of(runs)] if isinstance(runs, RunLike) else [path_of(run) for run in runs]
    with shown(progress, MergeProgress) as heard:
        folder = merge_runs(parts, Path(file_name("out", out)), heard)
    return Run(folder)
