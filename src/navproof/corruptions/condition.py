"""Conditions: corruptions with their intensities, written as text.

``motion_blur`` (at its default intensity), ``spatter@0.75``, ``spatter@0.75:frame`` (drawn anew
for every frame), ``low_light_noise+depth_gaussian@0.4`` (one after the other), ``my.py:fog@0.5``
(a corruption of one's own), ``verbose+depth_gaussian`` (a mission in another style), ``clean``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from navproof.core.errors import SpecError, UnknownNameError
from navproof.core.names import parse_name, split_parts
from navproof.core.registry import suggest
from navproof.core.types import Instruction
from navproof.corruptions.protocol import Corruption, Family, Moment, Target
from navproof.corruptions.registry import CORRUPTIONS
from navproof.language.missions.wordings import ORIGINAL, OTHER_STYLES

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

    @property
    def full_text(self) -> str:
        """As ``text``, with all that is usually left out."""
        mode = ":episode" if self.lasting else ":frame"
        told = mode if self.corruption.target in _WITH_MODE else ""
        return f"{self.corruption.name}@{_short(self.intensity)}{told}"

    def corrupt(self, x: Any, moment: Moment, *, max_range_m: float = 10.0) -> Any:
        """``x`` (an image, depth in metres, words, a system prompt) as this part leaves it; a
        ``SpecError`` where it is of another shape or type then."""
        corruption = self.corruption
        fresh = moment.fresh(corruption.name)
        if corruption.target in ("words", "prompt"):
            result = corruption.apply(x, self.intensity, fresh)
        else:
            still = moment.lasting(corruption.name) if self.lasting else None
            if corruption.target == "rgb":
                result = corruption.apply(x, self.intensity, fresh, still)
            elif corruption.target == "depth":
                result = corruption.apply(x, self.intensity, fresh, still, max_range_m)
            else:
                raise SpecError(
                    f"{corruption.name} acts on a robot ({corruption.target}), not on an image or "
                    "words: it needs navproof's own environment"
                )
        if _form(result) != _form(x):
            raise SpecError(
                f"corruption '{corruption.name}' made {_form(result)} of {_form(x)}: it must keep "
                "shape and type"
            )
        return result


@dataclass(frozen=True, slots=True)
class Condition:
    """What an episode is run under; ``parts`` apply in order. Without parts and in the original
    ``style`` it is clean. Results of two styles have two names, so they are compared with the same
    episode in its original words and never averaged with it."""

    parts: tuple[Applied, ...] = ()
    style: str = ORIGINAL

    @property
    def name(self) -> str:
        """The shortest way to write it: one name per condition, as traces are filed."""
        return self._written([part.text for part in self.parts])

    @property
    def full_name(self) -> str:
        """A way to write it that means the same where usual intensities are others."""
        return self._written([part.full_text for part in self.parts])

    def _written(self, parts: Sequence[str]) -> str:
        styled = () if self.style == ORIGINAL else (self.style,)
        return "+".join((*styled, *parts)) or "clean"

    @property
    def is_clean(self) -> bool:
        return not self.parts and self.style == ORIGINAL

    @property
    def corrupted(self) -> Condition:
        """The same corruptions in the original words."""
        return Condition(self.parts)

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
    whole = text.strip()
    if not whole:
        raise SpecError("a condition is empty; write 'clean' for none")
    if whole in ("clean", ORIGINAL):
        return CLEAN
    texts = split_parts(whole)
    styles = [part for part in texts if part in OTHER_STYLES]
    if len(styles) > 1:
        raise SpecError(f"condition '{whole}' has two styles, {styles[0]} and {styles[1]}")
    parts = tuple(_parse_part(part, whole) for part in texts if part not in OTHER_STYLES)
    names = [part.corruption.name for part in parts]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(f"condition '{whole}' has {name} twice")
    return Condition(parts, styles[0] if styles else ORIGINAL)


def _parse_part(part: str, whole: str) -> Applied:
    if not part.partition("@")[0].partition(":")[0].strip():
        raise SpecError(f"condition '{whole}': a corruption's name is missing")
    written = parse_name(part, "condition")
    ref, mode = written.ref, written.mode
    known, colon, rest = ref.partition(":")
    if colon and known.partition("@")[0] in CORRUPTIONS.built_in():  # "spatter@0.5:always"
        raise SpecError(f"condition '{whole}': the mode is frame or episode, not '{rest}'")
    if ":" in ref and not _is_file(ref):  # "spatter:always"
        mode = ref.partition(":")[2]
        raise SpecError(f"condition '{whole}': the mode is frame or episode, not '{mode}'")
    if "@" in ref and not _is_file(ref):  # "spatter@0.5@0.6"
        _intensity(f"{ref.partition('@')[2]}@{written.value}", whole)
    if written.options:
        option = written.options[0][0]
        raise SpecError(f"condition '{whole}': corruptions take no option ('{option}')")
    corruption = _named(ref, whole)
    intensity = _intensity(written.value, whole) if written.value else corruption.default
    lasting = corruption.lasting
    if mode:
        if corruption.target not in _WITH_MODE:
            raise SpecError(f"condition '{whole}': {ref} has no mode (':{mode}'); leave it away")
        lasting = _MODES[mode]
    return Applied(corruption, intensity, lasting)


def _form(x: Any) -> str:
    """What kind of thing it is: "uint8 (48, 64, 3)", "str"."""
    if isinstance(x, Instruction):  # it goes in with its structure, and comes out as text
        return "str"
    shape = getattr(x, "shape", None)
    return type(x).__name__ if shape is None else f"{x.dtype} {tuple(shape)}"


def _is_file(ref: str) -> bool:
    """Whether it reads as a reference, ``file.py:name`` or ``package.module:name``."""
    where = ref.rpartition(":")[0]
    return where.endswith(".py") or "/" in where or "\\" in where or "." in where


def _named(name: str, whole: str) -> Corruption:
    if name == "clean":
        raise SpecError(f"condition '{whole}': clean stands alone, without '@', ':' or '+'")
    if ":" in name:
        return CORRUPTIONS.get(name)
    family, dot, rest = name.partition(".")
    if dot:  # "depth.gaussian", "rgb.spatter"
        meant = (n for n in (f"{family}_{rest}", rest) if n in CORRUPTIONS)
        name = next((n for n in meant if CORRUPTIONS.get(n).family == family), name)
    if name.endswith(".py"):
        raise UnknownNameError(f"'{name}' is a file: write {name}:NAME for a corruption in it")
    if name not in CORRUPTIONS:
        where = f" in the condition '{whole}'" if name != whole else ""
        hint = suggest(name, ["clean", *CORRUPTIONS, *OTHER_STYLES])
        raise UnknownNameError(f"there is no corruption '{name}'{where}{hint}")
    return CORRUPTIONS.get(name)


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
