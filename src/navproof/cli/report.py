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
            help="Run folders, agents stand side by side; or folders of 'navproof fuzz'.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The file to write (else report.html in RUN)."),
    ] = None,
    episodes: Annotated[
        int,
        typer.Option(
            help="How many episodes to show in full; of a run with conditions, how many pairs of a "
            "damaged episode and its clean twin (and a third as many single ones)."
        ),
    ] = 6,
    json: JsonFlag = False,
) -> None:
    """Write one self-contained HTML report: summary, comparisons, failures, chosen episodes."""
    from navproof.core.errors import RunError
    from navproof.diagnosis.fuzz.store import is_campaign
    from navproof.log.folder import RunFolder
    from navproof.reports.campaign.page import write_campaign_report
    from navproof.reports.html import write_report

    if out is not None and out.is_dir():
        out = out / "report.html"
    out = out or runs[0] / "report.html"
    found = [folder for folder in runs if is_campaign(folder)]
    if found and len(found) < len(runs):
        other = next(folder for folder in runs if folder not in found)
        _ = RunFolder(other).info  # raises where there is nothing at all
        raise RunError(
            f"{found[0]} is a search for failures and {other} is not: report them one at a time"
        )
    if found:
        path = write_campaign_report(found, out)
    else:
        path = write_report(runs, out, episodes=episodes)
    size = path.stat().st_size
    if json:
        print_json({"report": str(path), "bytes": size})
    else:
        console.print(f"report: {path} ({size / 1e6:.1f} MB)", soft_wrap=True)
