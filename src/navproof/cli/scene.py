"""``navproof scene``: make worlds, and look at them."""

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
)

if TYPE_CHECKING:
    from navproof.world.scene import Scene

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Make scenes and look at them.")


@app.command()
def make(
    output: Annotated[Path, typer.Option("-o", "--output", help="The scene file to write.")],
    kind: Annotated[str, typer.Option(help="home, office, cafe, shop or clinic.")] = "home",
    seed: Annotated[int, typer.Option(help="Same seed, same scene.")] = 0,
    rooms: Annotated[int | None, typer.Option(help="How many rooms it should have.")] = None,
    exclude: Annotated[str, typer.Option(help="Categories to leave out: chair,sofa,…")] = "",
    json: JsonFlag = False,
) -> None:
    """Generate a furnished, lit scene and write it to a file."""
    import time

    from navproof.api.outputs import SCENE
    from navproof.core.errors import SpecError
    from navproof.core.registry import suggest
    from navproof.world.generate import KINDS, generate
    from navproof.world.io import save_scene

    if kind not in KINDS:
        raise SpecError(f"there is no kind of scene '{kind}'{suggest(kind, list(KINDS))}")
    if seed < 0:
        raise SpecError(f"--seed must not be negative, and is {seed}")
    check_output(output, SCENE)
    start = time.perf_counter()
    left_out = tuple(part.strip() for part in exclude.split(",") if part.strip())
    scene = generate(kind, seed, scene_id=output.stem, exclude=left_out, rooms=rooms)
    save_scene(scene, output)
    facts = _facts(scene) | {
        "file": str(output),
        "size_mb": round(output.stat().st_size / 1e6, 2),
        "time_s": round(time.perf_counter() - start, 2),
    }
    if json:
        print_json(facts)
        return
    print_table(
        f"{kind} {seed}",
        [{"": name.replace("_", " "), "value": str(value)} for name, value in facts.items()],
    )


@app.command()
def show(
    scene: Annotated[str, typer.Argument(help="A scene file, or an id such as home/val/3.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The PNG file to write.")],
    brightness: Annotated[float, typer.Option(help="Multiplies all light.")] = 1.0,
    lamps: Annotated[str, typer.Option(help="on or off.")] = "on",
    daylight: Annotated[float, typer.Option(help="Multiplies the light of windows.")] = 1.0,
    json: JsonFlag = False,
) -> None:
    """Draw a labelled plan and four views of a scene."""
    import cv2

    from navproof.core.errors import SceneError, SpecError
    from navproof.sim.render.sheet import draw_sheet
    from navproof.world.library import load_scene
    from navproof.world.light.lighting import Lighting, relight

    if lamps not in ("on", "off"):
        raise SpecError(f"--lamps must be on or off, not '{lamps}'")
    check_output(output, PICTURES, [scene])
    world = load_scene(scene)
    lighting = Lighting(brightness, daylight, lamps=1.0 if lamps == "on" else 0.0)
    if lighting != Lighting():
        world = relight(world, lighting)
    image = draw_sheet(world)
    if not cv2.imwrite(str(output), image[..., ::-1]):
        raise SceneError(f"cannot write the picture {output}")
    facts = _facts(world) | {"file": str(output)}
    if json:
        print_json(facts)
    else:
        console.print(
            f"{facts['scene']}: {facts['rooms']} rooms, {facts['objects']} objects → {output}"
        )


def _facts(scene: Scene) -> dict[str, Any]:
    geometry = scene.geometry
    return {
        "scene": scene.id,
        "kind": scene.kind,
        "seed": scene.seed,
        "rooms": len(scene.rooms),
        "room_names": ", ".join(room.name for room in scene.rooms),
        "area_m2": round(_area(scene), 1),
        "objects": len(scene.objects),
        "categories": len({o.category for o in scene.objects}),
        "lights": len(scene.lights),
        "triangles": len(geometry.faces),
    }


def _area(scene: Scene) -> float:
    from navproof.world.polygon import signed_area

    return sum(abs(signed_area(room.polygon)) for room in scene.rooms)
