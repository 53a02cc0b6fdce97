"""Conditions as an axis of mutation: another strength, or another corruption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from navproof.corruptions.condition import Applied, Condition, parse_condition
from navproof.corruptions.registry import CORRUPTIONS
from navproof.diagnosis.fuzz.types import Axis, Strength

__all__ = ["INTENSITIES", "POOLS", "mutate_condition"]

INTENSITIES = (0.25, 0.5, 0.75, 1.0)
POOLS: Mapping[Axis, tuple[str, ...]] = {
    "condition": tuple(CORRUPTIONS),
    "lighting": ("low_light", "low_light_noise", "flare"),
    "camera": ("camera_tilt", "camera_height", "wrong_intrinsics"),
}
"""The corruptions of each axis that is one of conditions."""


def mutate_condition(
    text: str, axis: Axis, felt: Sequence[str], strength: Strength, draw: np.random.Generator
) -> str:
    """The condition after a mutation along an axis of ``POOLS``; only ``felt`` corruptions are
    drawn. Mild: what is there gets another intensity; else, and where nothing is there, another
    corruption of the axis takes its place. What belongs to other axes stays."""
    parts = list(parse_condition(text).parts)
    pool = [name for name in POOLS[axis] if name in felt]
    own = next((k for k, part in enumerate(parts) if _belongs(part, axis)), None)
    if own is not None and strength == "mild":
        there = parts[own]
        levels = [level for level in INTENSITIES if level != there.intensity]
        parts[own] = Applied(there.corruption, _pick(levels, draw), there.lasting)
        return Condition(tuple(parts)).name
    held = parts.pop(own).corruption.name if own is not None else ""
    taken = {held, *(part.corruption.name for part in parts)}
    options = [name for name in pool if name not in taken]
    if not options:
        return text
    known = CORRUPTIONS.get(options[int(draw.integers(len(options)))])
    parts.append(Applied(known, _pick(INTENSITIES, draw), known.lasting))
    return Condition(tuple(parts)).name


def _belongs(part: Applied, axis: Axis) -> bool:
    """Light and cameras belong to their own axes, all else to that of conditions."""
    name = part.corruption.name
    if axis != "condition":
        return name in POOLS[axis]
    return not any(name in POOLS[other] for other in POOLS if other != axis)


def _pick(levels: Sequence[float], draw: np.random.Generator) -> float:
    return float(levels[int(draw.integers(len(levels)))])
