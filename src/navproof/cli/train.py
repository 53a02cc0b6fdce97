"""``navproof train``: make the weights that come with navproof, or others."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Train perception (needs the extra 'train').")


@app.callback()
def _group() -> None:
    """Keeps ``perception`` a command of its own while it is the only one."""


@app.command()
def perception(
    part: Annotated[
        str, typer.Argument(help="all, encoder, detector; words: the encoder's text side anew.")
    ] = "all",
    data: Annotated[
        Path, typer.Option(help="Rendered frames; made here if it is not there.")
    ] = Path("perception-data"),
    out: Annotated[Path, typer.Option("-o", "--out", help="Where the ONNX files go.")] = Path(
        "weights"
    ),
    scenes: Annotated[int, typer.Option(min=1, help="Scenes of the train split.")] = 1000,
    views: Annotated[int, typer.Option(min=1, help="Frames per scene.")] = 100,
    encoder_steps: Annotated[int, typer.Option(min=1)] = 10000,
    detector_steps: Annotated[int, typer.Option(min=1)] = 10000,
    words_steps: Annotated[int, typer.Option(min=1)] = 2000,
    batch: Annotated[int, typer.Option(min=2)] = 256,
    people: Annotated[float, typer.Option(min=0.0, max=1.0, help="Share with people.")] = 0.3,
    seed: int = 1,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that render.")] = None,
) -> None:
    """Render train-split worlds, train the image-text encoder and the detector, export to ONNX.

    Made for a GPU (it takes a quarter of an hour on a fast one); it runs, slowly, on a CPU.
    """
    from navproof.api.outputs import check_output_folder
    from navproof.train.perception import PARTS, PerceptionRecipe, train_perception

    check_output_folder(out)
    check_output_folder(data, option="--data")
    recipe = PerceptionRecipe(
        scenes=scenes,
        views=views,
        encoder_steps=encoder_steps,
        detector_steps=detector_steps,
        words_steps=words_steps,
        batch=batch,
        people=people,
        seed=seed,
    )
    parts = PARTS if part == "all" else (part,)
    train_perception(recipe, data, out, parts, workers=workers or os.cpu_count() or 1)
