"""``navproof merge``: one run from the folders of its shards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, console, print_json

__all__ = ["merge"]


def merge(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="The folders of all shards.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The run folder to write, a new one.")],
    json: JsonFlag = False,
) -> None:
    """Make one run of the folders that 'navproof run --shard' wrote, in any order.

    The result has the traces and results of a run by one machine. Traces that their folder's
    manifest does not know, episodes that are missing, and folders of different runs are refused.

    docs/guides/clusters.md has recipes for Slurm and for machines without it.
    """
    from navproof.api.merge import merge as merge_runs

    run = merge_runs(runs, out)
    episodes, digest = len(run.info.planned()), run.folder.manifest.digest()
    if json:
        told = {"run": str(run.path), "spec_hash": run.info.spec_hash, "digest": digest}
        print_json({**told, "episodes": episodes, "folders": [str(path) for path in runs]})
        return

    def tell(text: str) -> None:
        console.print(text, soft_wrap=True, markup=False, highlight=False)

    tell(f"run: {run.path} ({episodes} episodes from {len(runs)} folder{'s' * (len(runs) > 1)})")
    tell(f"all traces have the digest {digest}")
