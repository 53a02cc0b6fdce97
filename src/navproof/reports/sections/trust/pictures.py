"""What an agent was given, as pictures: colour as it is, depth in shades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Observation
from navproof.log import Trace
from navproof.reports.draw.frames import Image, encode
from navproof.reports.sections.trust.words import known

__all__ = ["Given", "View", "given", "kinds_shown", "views"]

View = tuple[str, Image]
"""The kind of sensor ("rgb", "depth") and its picture."""
_FARTHEST_M = 10.0


@dataclass(frozen=True, slots=True)
class Given:
    """One picture that the agent was given; ``alt`` says what it is."""

    uri: str
    alt: str
    width: int
    height: int


def kinds_shown(condition: str, trace: Trace) -> tuple[str, ...]:
    """The kinds of sensors worth showing: what is corrupted, else the colour camera."""
    found = known(condition)
    targets = {part.corruption.target for part in found.parts} if found else set()
    kinds = [kind for kind in ("rgb", "depth") if kind in targets] or ["rgb"]
    there = {sensor.kind for sensor in trace.spec.sensors}
    return tuple(kind for kind in kinds if kind in there) or ("depth",)


def views(observed: Observation, trace: Trace, kinds: Sequence[str]) -> list[View]:
    """The first sensor of each kind that was given; of any kind where none of those was."""
    found = [view for kind in kinds for view in _first(observed, trace, kind)]
    return found or [view for kind in ("rgb", "depth") for view in _first(observed, trace, kind)]


def _first(observed: Observation, trace: Trace, kind: str) -> list[View]:
    for sensor in trace.spec.sensors:
        reading = observed.readings.get(sensor.name)
        if sensor.kind == kind and reading is not None:
            picture = reading if kind == "rgb" else _shaded(reading, sensor.max_range_m)
            return [(kind, np.asarray(picture, dtype=np.uint8))]
    return []


def _shaded(depth: NDArray[np.generic], farthest_m: float) -> Image:
    """Depth as a picture, near dark and far light; holes are white."""
    metres = np.nan_to_num(np.asarray(depth, dtype=np.float64).reshape(depth.shape[:2]))
    share = np.clip(metres / (farthest_m or _FARTHEST_M), 0.0, 1.0)
    ramp = cv2.applyColorMap((share * 255).astype(np.uint8), cv2.COLORMAP_CIVIDIS)
    picture = np.ascontiguousarray(ramp[:, :, ::-1])
    picture[metres <= 0] = 255
    return np.asarray(picture, dtype=np.uint8)


def given(view: View, named: str, step: int, size: tuple[int, int]) -> Given:
    kind, picture = view
    what = "colour picture" if kind == "rgb" else "depth picture"
    height, width = picture.shape[:2]
    return Given(encode(picture, *size), f"{what} given at step {step}, {named}", width, height)
