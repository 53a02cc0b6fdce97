"""``navproof score``: every metric again, from the traces alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navproof.cli._output import JsonFlag, console, print_json

__all__ = ["score"]


def score(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    json: JsonFlag = False,
) -> None:
    """Compute every metric from the traces again; needs neither simulator nor agent."""
    from navproof.cli._scores import print_scores, scores_json
    from navproof.errors import RunError
    from navproof.log import RunFolder
    from navproof.metrics import result_rows

    folder = RunFolder(run)
    info = folder.info
    rows = result_rows(folder.traces())
    if not rows:
        raise RunError(f"{run} has no traces yet; run it first")
    folder.write_results(rows)
    planned = len(info.planned())
    if json:
        print_json(
            {
                "run": str(run),
                "spec_hash": info.spec_hash,
                "episodes": len(rows),
                "planned": planned,
                "scores": scores_json(rows),
            }
        )
        return
    print_scores(rows)
    if len(rows) < planned:
        console.print(f"the run is not finished: {len(rows)} of {planned} episodes", style="yellow")
    console.print(f"results: {run / 'results.parquet'}", soft_wrap=True, highlight=False)
