"""``navproof diagnose``: which capability lost each failed run of a run folder, and when."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navproof.cli.terminal.judging import JudgeModelOption, JudgeOption, judges_at
from navproof.cli.terminal.output import JsonFlag, console, print_json
from navproof.cli.terminal.stopping import terminable

__all__ = ["diagnose"]


def diagnose(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    agent: Annotated[
        list[str] | None, typer.Option("--agent", "-a", help="Only this agent (repeatable).")
    ] = None,
    condition: Annotated[
        list[str] | None,
        typer.Option("--condition", "-c", help="Only under this condition (repeatable)."),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(help="Only the first so many episodes of each agent under each condition."),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", "-j", help="Processes.")] = 1,
    trials: Annotated[int, typer.Option(help="The most counterfactuals for one failure.")] = 12,
    probes: Annotated[
        bool,
        typer.Option(
            help="Ask agents from outside (clean input, oracle actions, plain words) that tell "
            "nothing of what led to their actions."
        ),
    ] = True,
    judge: JudgeOption = None,
    judge_model: JudgeModelOption = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Remove all earlier diagnoses of the run first.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Say of every failure in a run which capability caused it, when, and that correcting it would
    have saved the run. The same command goes on where it was interrupted."""
    from navproof.api.diagnose import diagnose as diagnose_run

    labels, memories = judges_at(judge, judge_model) or (None, None)
    try:
        with terminable():
            found = diagnose_run(
                run,
                agents=agent,
                conditions=condition,
                limit=episodes,
                workers=workers,
                trials=trials,
                probes=probes,
                distance=labels,
                likeness=memories,
                fresh=fresh,
            )
    except KeyboardInterrupt:
        typer.echo("stopped: what was explained is kept; the same command goes on", err=True)
        raise typer.Exit(130) from None
    if json:
        print_json(found.document())
        return
    found.show(console)
    console.print(
        f"details: {run}/diagnosis.json; navproof report {run} shows them",
        style="dim",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
