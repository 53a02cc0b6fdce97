"""Conditions: corruptions with their intensities, written as text.

``motion_blur`` (at its default intensity), ``spatter@0.75``, ``spatter@0.75:frame`` (drawn anew
for every frame), ``low_light_noise+depth_gaussian@0.4`` (one after the other), ``clean``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from navproof.corruptions.catalogue import get
from navproof.corruptions.protocol import Corruption, Family
from navproof.errors import SpecError

__all__ = ["CLEAN", "Applied", "Condition", "parse_condition"]


@dataclass(frozen=True, slots=True)
class Applied:
    """A corruption at an intensity; ``lasting`` keeps through an episode what can stay put."""

    corruption: Corruption
    intensity: float
    lasting: bool

    @property
    def text(self) -> str:
        known = self.corruption
        strength = "" if self.intensity == known.default else f"@{self.intensity:g}"
        mode = "" if self.lasting == known.lasting else ":episode" if self.lasting else ":frame"
        return f"{known.name}{strength}{mode}"


@dataclass(frozen=True, slots=True)
class Condition:
    """What an episode is run under; ``parts`` apply in order. Without parts it is clean."""

    parts: tuple[Applied, ...] = ()

    @property
    def name(self) -> str:
        """The shortest way to write it: one name per condition, as traces are filed."""
        return "+".join(part.text for part in self.parts) or "clean"

    @property
    def family(self) -> Family | Literal["mixed", "clean"]:
        families = {part.corruption.family for part in self.parts}
        if not families:
            return "clean"
        return families.pop() if len(self.parts) == 1 else "mixed"


CLEAN = Condition()


def parse_condition(text: str) -> Condition:
    """A condition from its text; equal conditions have equal names."""
    if text.strip() == "clean":
        return CLEAN
    parts = tuple(_parse_part(part.strip(), text) for part in text.split("+"))
    names = [part.corruption.name for part in parts]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(f"condition '{text}' has {name} twice")
    return Condition(parts)


def _parse_part(part: str, whole: str) -> Applied:
    body, _, mode = part.partition(":")
    name, at, strength = body.partition("@")
    corruption = get(name)
    if mode not in ("", "frame", "episode"):
        raise SpecError(f"condition '{whole}': the mode must be frame or episode, got '{mode}'")
    intensity = corruption.default
    if at:
        try:
            intensity = float(strength)
        except ValueError:
            intensity = math.nan
        if not 0.0 <= intensity <= 1.0:
            raise SpecError(f"condition '{whole}': intensity must be in [0, 1], got '{strength}'")
    lasting = corruption.lasting if not mode else mode == "episode"
    return Applied(corruption, intensity, lasting)
