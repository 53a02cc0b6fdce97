"""``navproof score``: every metric again, from the traces alone.

Goals in sequence are shown of the clean episodes, where there are any; of the other conditions,
what is retained.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navproof.api.text.goals import Cut
from navproof.cli.terminal.output import JsonFlag, MoreMetrics, console, print_json

__all__ = ["score"]


def score(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    by: Annotated[
        list[Cut] | None,
        typer.Option(
            "--by",
            help="Of tasks with several goals: how to group them (repeatable)"
            " (default: tag and failure).",
            show_default=False,
        ),
    ] = None,
    spl: Annotated[
        bool, typer.Option("--spl", help="SPL instead of SR in the groups of goals.")
    ] = False,
    metric: MoreMetrics = None,
    json: JsonFlag = False,
) -> None:
    """Compute every metric from the traces again; needs neither simulator nor agent.

    Of a run under several conditions, also what each agent retains of its clean score."""
    from navproof.api.score import score as score_run
    from navproof.core.errors import RunError

    scores = score_run(run, metrics=metric or ())
    if by and not scores.goals:
        raise RunError(f"--by {by[0]} is for tasks with several goals, and {run} has none")
    if json:
        print_json(scores.document())
        return
    scores.show(console, by or (Cut.TAG, Cut.FAILURE), spl)
    done = len(scores.episodes)
    if done < scores.planned:
        text = f"the run is not finished: {done} of {scores.planned} episodes"
        console.print(text, style="yellow")
    console.print(f"results: {run / 'results.parquet'}", soft_wrap=True, highlight=False)
