"""``navproof score``: every metric again, from the traces alone.

Goals in sequence are shown of the clean episodes, where there are any; of the other conditions,
what is retained.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navproof.cli.terminal.goal_scores import Cut
from navproof.cli.terminal.output import JsonFlag, console, print_json

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
    json: JsonFlag = False,
) -> None:
    """Compute every metric from the traces again; needs neither simulator nor agent.

    Of a run under several conditions, also what each agent retains of its clean score."""
    from navproof.cli.terminal.goal_scores import goals_json, print_goals
    from navproof.cli.terminal.scores import print_scores, scores_json
    from navproof.cli.terminal.trust_scores import print_trust, trust_json
    from navproof.core.errors import RunError
    from navproof.log import RunFolder
    from navproof.metrics import GoalResult, goal_results, result_row

    folder = RunFolder(run)
    info = folder.info
    rows, goals = [], dict[tuple[str, str], list[tuple[GoalResult, ...]]]()
    for trace in folder.traces():
        rows.append(result_row(trace))
        agent, condition = trace.key.agent, trace.key.condition
        if condition != "clean":
            if "clean" in info.conditions:
                continue
            agent = f"{agent} under {condition}"
        if found := goal_results(trace):
            goals.setdefault((trace.episode.task, agent), []).append(found)
    if not rows:
        raise RunError(f"{run} has no traces yet; run it first")
    if by and not goals:
        raise RunError(f"--by {by[0]} is for tasks with several goals, and {run} has none")
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
                "goals": goals_json(goals),
                "trust": trust_json(rows, info.skipped),
            }
        )
        return
    print_scores(rows)
    print_goals(goals, by or (Cut.TAG, Cut.FAILURE), spl)
    print_trust(rows, info.skipped)
    if len(rows) < planned:
        console.print(f"the run is not finished: {len(rows)} of {planned} episodes", style="yellow")
    console.print(f"results: {run / 'results.parquet'}", soft_wrap=True, highlight=False)
