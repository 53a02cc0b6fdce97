"""``navproof replay``: one episode as a video, an animation or a contact strip."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, OfAgent, OfCondition, OfSeed, console, print_json

__all__ = ["replay"]


def replay(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    episode: Annotated[
        str, typer.Argument(metavar="EPISODE", help="An episode id, or the beginning of one.")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            help="The file to write: .mp4, .gif, .png (a strip), or .md (what was asked of a "
            "language model).",
        ),
    ] = Path("replay.mp4"),
    agent: OfAgent = None,
    condition: OfCondition = None,
    seed: OfSeed = None,
    fps: Annotated[float, typer.Option(help="Steps per second.")] = 10.0,
    json: JsonFlag = False,
) -> None:
    """Show what an agent was given and where it went, rendered again from the recorded poses."""
    from navproof.api.outputs import REPLAY, check_output
    from navproof.log import RunFolder
    from navproof.reports.replay import find_key, render_replay

    check_output(out, REPLAY, option="--out", makes_folder=True)
    folder = RunFolder(run)
    key = find_key(folder, episode, agent, condition, seed)
    path = render_replay(folder.trace(key), out, fps)
    if json:
        size = path.stat().st_size
        print_json(
            {
                "replay": str(path),
                "bytes": size,
                "agent": key.agent,
                "episode_id": key.episode_id,
                "condition": key.condition,
            }
        )
    else:
        under = "" if key.condition == "clean" else f" under {key.condition}"
        told = f"replay of {key.agent} in {key.episode_id}{under}: {path}"
        console.print(told, soft_wrap=True, markup=False, highlight=False)
