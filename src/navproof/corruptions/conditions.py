"""Conditions: corruptions with their intensities, written as text.

``motion_blur`` (at its default intensity), ``spatter@0.75``, ``spatter@0.75:frame`` (drawn anew
for every frame), ``low_light_noise+depth_gaussian@0.4`` (one after the other), ``clean``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from navproof.core.errors import SpecError, UnknownNameError
from navproof.core.registry import suggest
from navproof.corruptions.catalogue import CORRUPTIONS, get
from navproof.corruptions.protocol import Corruption, Family, Moment, Target

__all__ = ["CLEAN", "Applied", "Condition", "parse_condition"]

_MODES = {"frame": False, "episode": True}
_WITH_MODE: tuple[Target, ...] = ("rgb", "depth", "pose", "drive")
"""What can be drawn anew or stay put; words and mounts are drawn once in any case."""
Reading = Literal["rgb", "depth", "words", "prompt"]
"""The targets that are a value in and a value out."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A corruption at an intensity; ``lasting`` keeps through an episode what can stay put."""

    corruption: Corruption
    intensity: float
    lasting: bool

    @property
    def text(self) -> str:
        known = self.corruption
        strength = "" if self.intensity == known.default else f"@{_short(self.intensity)}"
        mode = "" if self.lasting == known.lasting else ":episode" if self.lasting else ":frame"
        return f"{known.name}{strength}{mode}"

    def corrupt(self, x: Any, moment: Moment, *, max_range_m: float = 10.0) -> Any:
        """``x`` (an image, depth in metres, words, a system prompt) as this part leaves it."""
        corruption = self.corruption
        fresh = moment.fresh(corruption.name)
        if corruption.target in ("words", "prompt"):
            return corruption.apply(x, self.intensity, fresh)
        still = moment.lasting(corruption.name) if self.lasting else None
        if corruption.target == "rgb":
            return corruption.apply(x, self.intensity, fresh, still)
        if corruption.target == "depth":
            return corruption.apply(x, self.intensity, fresh, still, max_range_m)
        raise SpecError(
            f"{corruption.name} acts on a robot ({corruption.target}), not on an image or words: "
            "it needs navproof's own environment"
        )


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

    def parts_of(self, target: Target) -> tuple[Applied, ...]:
        """The parts that act there, in order."""
        return tuple(part for part in self.parts if part.corruption.target == target)

    def corrupt(self, target: Reading, x: Any, moment: Moment, *, max_range_m: float = 10.0) -> Any:
        """``x`` after every part of that target, in order; ``x`` itself where there is none.

        Depends on ``moment`` and ``x`` alone, so it is the same in any order and process.
        """
        for part in self.parts_of(target):
            x = part.corrupt(x, moment, max_range_m=max_range_m)
        return x


CLEAN = Condition()


def parse_condition(text: str) -> Condition:
    """A condition from its text; equal conditions have equal names."""
    if not isinstance(text, str):
        raise SpecError(f"a condition is a text such as 'spatter@0.75', got {text!r}")
    if not text.strip():
        raise SpecError("a condition is empty; write 'clean' for none")
    if text.strip() == "clean":
        return CLEAN
    parts = tuple(_parse_part(part.strip(), text.strip()) for part in text.split("+"))
    names = [part.corruption.name for part in parts]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(f"condition '{text.strip()}' has {name} twice")
    return Condition(parts)


def _parse_part(part: str, whole: str) -> Applied:
    body, colon, mode = part.partition(":")
    name, at, strength = (piece.strip() for piece in body.partition("@"))
    corruption = _named(name, whole)
    intensity = _intensity(strength, whole) if at else corruption.default
    lasting = corruption.lasting
    if colon:
        if corruption.target not in _WITH_MODE:
            raise SpecError(f"condition '{whole}': {name} has no mode (':{mode}'); leave it away")
        if mode not in _MODES:
            raise SpecError(f"condition '{whole}': the mode is frame or episode, not '{mode}'")
        lasting = _MODES[mode]
    return Applied(corruption, intensity, lasting)


def _named(name: str, whole: str) -> Corruption:
    if not name:
        raise SpecError(f"condition '{whole}': a corruption's name is missing")
    if name == "clean":
        raise SpecError(f"condition '{whole}': clean stands alone, without '@', ':' or '+'")
    family, dot, rest = name.partition(".")
    if dot:  # "depth.gaussian", "rgb.spatter"
        meant = (n for n in (f"{family}_{rest}", rest) if n in CORRUPTIONS)
        name = next((n for n in meant if get(n).family == family), name)
    if name not in CORRUPTIONS:
        where = f" in the condition '{whole}'" if name != whole else ""
        hint = suggest(name, ["clean", *CORRUPTIONS])
        raise UnknownNameError(f"there is no corruption '{name}'{where}{hint}")
    return get(name)


def _intensity(strength: str, whole: str) -> float:
    try:
        intensity = float(strength)
    except ValueError:
        intensity = math.nan
    if not 0.0 <= intensity <= 1.0:
        raise SpecError(f"condition '{whole}': intensity must be in [0, 1], got '{strength}'")
    return abs(intensity)


def _short(intensity: float) -> str:
    brief = f"{intensity:g}"
    return brief if float(brief) == intensity else repr(intensity)
