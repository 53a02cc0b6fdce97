"""An instruction in another style: friendly, novice, professional or formal.

A text is cut into clauses; each is ordered anew in the manner of the style, its landmarks and
relations are called what the style calls them, and clauses are joined as it joins them. What is
said of the route stays: every clause is compared with its source (``content.kept``), and where
something would be lost a milder rewriting is taken, in the end the clause as it was. The four
styles are those of NavTrust's "diversity of instructions"; the words here are our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from navproof.core.errors import SpecError
from navproof.core.types import Scalar
from navproof.language.styles.content import differences
from navproof.language.styles.segments import segments
from navproof.language.styles.writer import Writer

__all__ = ["STYLES", "Style", "restyle"]

Style = Literal["friendly", "novice", "professional", "formal"]
STYLES: tuple[Style, ...] = get_args(Style)
_TRIES = 4


def restyle(
    text: str,
    style: str,
    rng: np.random.Generator,
    clauses: Sequence[Mapping[str, Scalar]] = (),
    strength: float = 1.0,
) -> str:
    """``text`` in another style; ``content.kept(text, result)`` is empty, always.

    ``clauses`` are those of a generated instruction (their ``words`` help to cut it). ``strength``
    in [0, 1] is the share of clauses that change, on average; with the same generator a greater
    one changes the same clauses and more, and 0 none. As many numbers are drawn whatever the
    strength.
    """
    if style not in STYLES:
        raise SpecError(f"style: {style!r} is not one of {', '.join(STYLES)}")
    if not 0.0 <= strength <= 1.0:
        raise SpecError(f"strength: {strength} is not in [0, 1]")
    parts, tail = segments(text, [str(clause.get("words", "")) for clause in clauses])
    luck = rng.random(len(parts))
    seeds = [int(seed) for seed in rng.integers(2**62, size=len(parts))]
    changed = {i for i in range(len(parts)) if luck[i] < strength}
    if not changed or not text.strip():
        return text
    return _settled(text, Writer(parts, tail, style, seeds), changed)


def _settled(text: str, writer: Writer, changed: set[int]) -> str:
    """The text with these clauses changed. Where clauses that are right by themselves are not so
    together, the ones at fault are given back."""
    for plain in (False, True):
        chosen = set(changed)
        for _ in range(_TRIES):
            result = writer.text(chosen, plain=plain)
            faults = {step for step, _ in differences(text, result)}
            if not faults:
                return result
            chosen -= {i for i in chosen if {writer.step[i] + d for d in (-1, 0, 1)} & faults}
    return text
