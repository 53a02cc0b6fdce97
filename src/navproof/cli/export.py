"""``navproof export``: episodes of a run as files for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, OfAgent, OfCondition, OfSeed, console, print_json

__all__ = ["export"]


def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="The file to write; without EPISODE, the folder."),
    ],
    to: Annotated[
        str,
        typer.Option(
            help="mp4 (a video that browsers play; needs the extra video) or rerun (a recording "
            "for the Rerun viewer; needs the extra rerun)."
        ),
    ],
    episode: Annotated[
        str | None,
        typer.Argument(
            metavar="EPISODE", help="An episode id, or the beginning of one (default: all)."
        ),
    ] = None,
    agent: OfAgent = None,
    condition: OfCondition = None,
    seed: OfSeed = None,
    fps: Annotated[float, typer.Option(help="Steps per second of a video.")] = 10.0,
    json: JsonFlag = False,
) -> None:
    """Write episodes as video, or as recordings for the Rerun viewer (frames, depth, plan, path,
    people and what the agent believed)."""
    from navproof.api.export import export as write

    files = write(
        run, episode, to=to, out=out, agent=agent, condition=condition, seed=seed, fps=fps
    )
    if json:
        print_json({"files": [{"path": str(f), "bytes": f.stat().st_size} for f in files]})
        return
    for file in files:
        told = f"{file} ({file.stat().st_size / 1e6:.1f} MB)"
        console.print(told, soft_wrap=True, markup=False, highlight=False)
