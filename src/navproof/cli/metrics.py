"""``navproof metrics``: what episodes are scored by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, print_json, print_table, usable

if TYPE_CHECKING:
    from navproof.metrics import Metric

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="List what episodes are scored by.")


@app.command("list")
def list_all(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[METRIC]...",
            help="Only these, by name or label, or my_metrics.py:NAME to see whether it loads.",
            show_default=False,
        ),
    ] = None,
    sources: Annotated[
        bool, typer.Option("--sources", help="Where each comes from, in place of what it is.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Every metric: its name (the column in results), label, unit, and what it says.

    An arrow tells whether higher or lower is better. --json has everything.
    """
    from navproof.metrics import METRICS, built_in, metric_set

    if names:
        chosen = metric_set(names)
        metrics = [chosen.metrics[name] for name in chosen.named]
    else:
        others = (metric for name, metric in usable(METRICS) if name not in built_in())
        metrics = [*built_in().values(), *others]
    if json:
        print_json([_described(metric) for metric in metrics])
        return
    rows = [
        {
            "name": metric.name,
            "label": metric.label + (" ↑" if metric.better == "higher" else " ↓"),
            "unit": metric.unit,
            "source" if sources else "definition": metric.source if sources else metric.definition,
        }
        for metric in metrics
    ]
    print_table("metrics", rows)


def _described(metric: Metric) -> dict[str, object]:
    names = ("name", "label", "unit", "better", "family", "bounded", "binary")
    return {name: getattr(metric, name) for name in (*names, "definition", "source")}
