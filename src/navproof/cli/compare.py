"""``navproof compare``: two agents or two runs, episode by episode."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, console, print_json

__all__ = ["GoalCut", "compare"]


class GoalCut(StrEnum):
    """Ways to group goals."""

    TAG = "tag"
    ATTRIBUTES = "attributes"
    ORDER = "order"


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A run folder, or RUN:agent.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another one, or another agent of it.")],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            help="Only this metric (repeatable): its name or label, or my_metrics.py:NAME.",
        ),
    ] = None,
    by_task: Annotated[bool, typer.Option("--by-task", help="Each task by itself.")] = False,
    by: Annotated[
        GoalCut | None,
        typer.Option("--by", help="Success of goals in groups, for tasks with several goals."),
    ] = None,
    condition: Annotated[
        str | None,
        typer.Option(
            help="The episodes under this condition (default: the clean ones, where there are any)",
            show_default=False,
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Pair the episodes of A and B; differences (A − B) with intervals and a paired test.

    Conditions are not mixed: what an agent retains under each is for 'navproof score'."""
    from navproof.api.compare import compare as compare_runs

    found = compare_runs(
        a,
        b,
        metrics=metric or (),
        by_task=by_task,
        by=None if by is None else by.value,
        condition=condition,
    )
    if json:
        print_json(found.document())
    else:
        found.show(console)
