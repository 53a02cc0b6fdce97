"""``navproof corruptions``: what there is, what it looks like, how it reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navproof.cli.terminal.output import (
    PICTURES,
    JsonFlag,
    check_output,
    console,
    print_json,
    print_table,
    usable,
)

if TYPE_CHECKING:
    from navproof.corruptions.gallery import Picture

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="List corruptions and look at them.")


@app.command("list")
def list_all(
    family: Annotated[
        str | None, typer.Option(help="Only rgb, depth, instruction, body or mixed ones.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Every corruption: its usual intensity, what real failure it stands for, and its source.

    The mixed ones, pairs of these, are listed by --family mixed alone.
    """
    from navproof.core.errors import SpecError
    from navproof.core.registry import suggest
    from navproof.corruptions.navtrust import MIXED
    from navproof.corruptions.registry import CORRUPTIONS

    known = dict(usable(CORRUPTIONS))
    families = [*dict.fromkeys(corruption.family for corruption in known.values()), "mixed"]
    if family is not None and family not in families:
        raise SpecError(f"there is no family '{family}'{suggest(family, families)}")
    rows = [_described(name, json) for name in (MIXED if family == "mixed" else known)]
    rows = [row for row in rows if family in (None, row["family"])]
    if json:
        print_json([{key.replace(" ", "_"): value for key, value in row.items()} for row in rows])
    else:
        print_table("corruptions", rows)


def _described(name: str, json: bool) -> dict[str, Any]:
    """A row of the list; of a mixed condition it tells all parts, in their order."""
    from navproof.corruptions.condition import parse_condition

    condition = parse_condition(name)
    parts = [part.corruption for part in condition.parts]
    usual = [part.intensity for part in condition.parts]
    exact = usual if len(usual) > 1 else usual[0]
    return {
        "name": name if json else name.replace("+", " + "),  # so that it can be broken there
        "family": condition.family,
        "intensity": exact if json else " + ".join(f"{intensity:g}" for intensity in usual),
        "stands for": " ".join(corruption.stands_for for corruption in parts),
        "source": "; ".join(corruption.source for corruption in parts),
    }


@app.command()
def show(
    output: Annotated[Path, typer.Option("-o", "--output", help="The .png or .jpg to write.")],
    image: Annotated[
        Path | None, typer.Option(help="A picture of your own, beside the rendered one.")
    ] = None,
    depth: Annotated[
        Path | None, typer.Option(help="Its depth: a 16-bit PNG in millimetres.")
    ] = None,
    only: Annotated[str, typer.Option(help="Only these: motion_blur,spatter,…")] = "",
    scene: Annotated[
        str, typer.Option(help="What is rendered: a scene file or id.")
    ] = "home/val/2",
    seed: Annotated[int, typer.Option(help="Same seed, same corruptions.")] = 0,
    json: JsonFlag = False,
) -> None:
    """Draw every corruption of what a camera shows at 0.25, 0.5, 0.75 and 1 on one sheet.

    Depth needs a depth image, and another camera (tilt, height, intrinsics) the rendered scene: a
    picture of your own has no tiles there.
    """
    import cv2

    from navproof.core.errors import SpecError
    from navproof.core.registry import suggest
    from navproof.corruptions.gallery import IMAGE_CORRUPTIONS, draw_gallery, photograph
    from navproof.world.library import load_scene

    names = list(dict.fromkeys(part.strip() for part in only.split(",") if part.strip()))
    if only and not names:
        raise SpecError(f"--only {only} names no corruption")
    for name in names:
        if name not in IMAGE_CORRUPTIONS:
            hint = suggest(name, list(IMAGE_CORRUPTIONS))
            raise SpecError(f"--only: there is no image corruption '{name}'{hint}")
    check_output(output, PICTURES, [image, depth, scene])
    if depth is not None and image is None:
        raise SpecError("--depth belongs to a picture of your own: give --image too")
    own = [_read(image, depth)] if image is not None else []
    pictures = [photograph(load_scene(scene)), *own]
    sheet = draw_gallery(pictures, names or IMAGE_CORRUPTIONS, seed=seed)
    if not cv2.imwrite(str(output), sheet[..., ::-1]):
        raise SpecError(f"cannot write the picture {output}")
    facts: dict[str, Any] = {
        "file": str(output),
        "corruptions": names or list(IMAGE_CORRUPTIONS),
        "pictures": [picture.label for picture in pictures],
    }
    if json:
        print_json(facts)
    else:
        console.print(f"{len(facts['corruptions'])} corruptions → {output}")


@app.command()
def text(
    words: Annotated[str, typer.Argument(help="An instruction: 'Walk past the sofa …'")],
    seed: Annotated[int, typer.Option(help="Same seed, same words.")] = 0,
    intensity: Annotated[
        float | None, typer.Option(help="In [0, 1]; by default the usual one of each.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Every corruption of an instruction; white_box is what joins the system prompt."""
    from navproof.core.errors import SpecError
    from navproof.corruptions.condition import Applied
    from navproof.corruptions.protocol import Moment
    from navproof.corruptions.registry import CORRUPTIONS

    if intensity is not None and not 0.0 <= intensity <= 1.0:
        raise SpecError(f"--intensity must be in [0, 1], and is {intensity:g}")
    if not words.strip():
        raise SpecError("the instruction is empty")
    heard = {}
    for corruption in map(CORRUPTIONS.get, CORRUPTIONS.built_in()):
        if corruption.target in ("words", "prompt"):
            strength = corruption.default if intensity is None else intensity
            part = Applied(corruption, strength, corruption.lasting)
            said = words if corruption.target == "words" else ""
            heard[corruption.name] = part.corrupt(said, Moment(seed, "text", "instruction", 0))
    if json:
        print_json({"instruction": words, "seed": seed, "heard": heard})
    else:
        told = {"clean": words} | heard
        rows = [{"corruption": name, "what is heard": said} for name, said in told.items()]
        print_table("instruction", rows)


def _read(image: Path, depth: Path | None) -> Picture:
    """A user's picture, and its depth where there is one, at the size of a tile."""
    import numpy as np

    from navproof.cli.terminal.pictures import read_depth, read_picture
    from navproof.corruptions.gallery import Picture, fit

    pixels = read_picture(image, "--image")
    metres = None if depth is None else fit(read_depth(depth, "--depth"), smooth=False)
    return Picture(image.name, fit(pixels[..., ::-1].astype(np.uint8)), metres)
