"""``navproof report``: one self-contained HTML file about one or more runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, console, print_json

__all__ = ["report"]


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...",
            help="Run folders, agents stand side by side; or folders of 'navproof fuzz'; or one "
            "folder that holds runs, for a list of them.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="The file to write (else report.html in RUN, or index.html beside runs).",
        ),
    ] = None,
    episodes: Annotated[
        int,
        typer.Option(
            help="How many episodes to show in full; of a run with conditions, how many pairs of a "
            "damaged episode and its clean twin (and a third as many single ones)."
        ),
    ] = 6,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", help="Also show my_metrics.py:NAME, a function of a trace."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Write one self-contained HTML report: summary, comparisons, failures, chosen episodes."""
    from navproof.api.report import report as write_report

    written = write_report(runs, out=out, episodes=episodes, metrics=metric or ())
    if json:
        print_json({"report": str(written.path), "bytes": written.bytes})
    else:
        console.print(f"report: {written.path} ({written.bytes / 1e6:.1f} MB)", soft_wrap=True)
