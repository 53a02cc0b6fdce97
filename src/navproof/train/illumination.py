"""The light in which training pictures are taken: days, evenings, dim rooms, warm lamps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from navproof.world.light.lighting import Lighting, relight
from navproof.world.scene import Scene

__all__ = ["Illumination", "draw_illumination", "lit_by"]

RGB = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Illumination:
    """Gains of the sources, and tints (linear RGB) of what comes from lamps and from the sky."""

    name: str
    lighting: Lighting
    indoors: RGB = (1.0, 1.0, 1.0)
    sky: RGB = (1.0, 1.0, 1.0)


def lit_by(scene: Scene, illumination: Illumination) -> Scene:
    """The scene in that light; a scene without baked light is returned as it is."""
    if scene.baked is None:
        return scene
    tints = {
        "ceiling": illumination.indoors,
        "lamp": illumination.indoors,
        "window": illumination.sky,
    }
    layers = []
    for layer in scene.baked.layers:
        r, g, b = tints.get(layer.kind, (1.0, 1.0, 1.0))
        colour = (layer.colour[0] * r, layer.colour[1] * g, layer.colour[2] * b)
        bounce = layer.bounce * np.array((r, g, b), dtype=np.float32)
        layers.append(replace(layer, colour=colour, bounce=bounce))
    tinted = replace(scene, baked=replace(scene.baked, layers=tuple(layers)))
    return relight(tinted, illumination.lighting)


def draw_illumination(rng: np.random.Generator, index: int) -> Illumination:
    """Number 0 of a scene is about the light as baked; the others are drawn from all kinds.

    Lamps are never put out: an object whose state is "on" must look it.
    """
    if index == 0:
        return _plain(rng)
    kind = _KINDS[int(rng.choice(len(_KINDS), p=_ODDS))]
    return kind(rng)


def _plain(rng: np.random.Generator) -> Illumination:
    return Illumination("as baked", Lighting(brightness=_between(rng, 0.88, 1.12)))


def _day(rng: np.random.Generator) -> Illumination:
    light = Lighting(
        brightness=_between(rng, 1.0, 1.25),
        daylight=_between(rng, 1.1, 1.5),
        ceiling=_between(rng, 0.4, 0.9),
    )
    return Illumination("bright day", light, sky=_tint(rng, 0.94, 1.04))


def _lamps(rng: np.random.Generator) -> Illumination:
    light = Lighting(
        brightness=_between(rng, 0.9, 1.1),
        daylight=_between(rng, 0.02, 0.15),
        ceiling=_between(rng, 0.45, 0.9),
        lamps=_between(rng, 1.0, 1.6),
    )
    return Illumination("lamps only", light, indoors=_tint(rng, 0.95, 1.06))


def _dim(rng: np.random.Generator) -> Illumination:
    light = Lighting(brightness=_between(rng, 0.48, 0.7), daylight=_between(rng, 0.4, 1.0))
    return Illumination("dim", light, indoors=_tint(rng, 0.97, 1.05))


def _warm(rng: np.random.Generator) -> Illumination:
    light = Lighting(brightness=_between(rng, 0.8, 1.05), daylight=_between(rng, 0.2, 0.7))
    return Illumination("warm", light, indoors=_tint(rng, 1.06, 1.16), sky=_tint(rng, 1.0, 1.08))


def _mixed(rng: np.random.Generator) -> Illumination:
    light = Lighting(
        brightness=_between(rng, 0.75, 1.15),
        daylight=_between(rng, 0.3, 1.3),
        ceiling=_between(rng, 0.5, 1.2),
        lamps=_between(rng, 0.6, 1.5),
    )
    return Illumination("mixed", light, indoors=_tint(rng, 0.95, 1.08), sky=_tint(rng, 0.94, 1.02))


_KINDS: tuple[Callable[[np.random.Generator], Illumination], ...] = (
    _plain, _day, _lamps, _dim, _warm, _mixed,
)  # fmt: skip
_ODDS = (0.15, 0.2, 0.2, 0.13, 0.12, 0.2)


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return round(float(rng.uniform(low, high)), 4)


def _tint(rng: np.random.Generator, low: float, high: float) -> RGB:
    """A white balance: red times w, blue by w; w > 1 is warm."""
    warmth = _between(rng, low, high)
    return warmth, 1.0, round(1.0 / warmth, 4)
