"""Instruction corruptions on missions: whom to follow, where to return, what to answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from navproof.corruptions.instruction import formal, friendly, novice, professional
from navproof.language.styles.content import kept

MISSIONS = (
    ("Follow the woman in the red jacket until she stops.", ("follow the woman",)),
    ("Go on, and stay behind the man in the blue jeans until he stops.", ("stay behind the man",)),
    ("First of all, find a clock, then return to the start.", ("find a clock", "return to")),
    ("Go to the bed. All the while, keep clear of other people.", ("while, keep clear of",)),
    ("Walk to the desk. Throughout all of this, stay out of the way.", ("stay out of the way",)),
    ("Keep this in mind: how many chairs are there? Go to the sofa.", ("chairs are there?",)),
)

Style = Callable[..., str]


@pytest.mark.parametrize("style", [friendly, novice, professional, formal])
@pytest.mark.parametrize(("text", "said"), MISSIONS)
def test_styles_keep_what_missions_ask_for(text: str, said: tuple[str, ...], style: Style) -> None:
    for seed in range(8):
        retold = style(text, 1.0, np.random.default_rng(seed))
        assert not kept(text, retold)
        assert all(words in retold.lower() for words in said), retold
        assert not any(words in retold for words in ("Of all", "along the woman", "Last of all."))


def test_a_professional_turn_has_no_angle_that_was_not_said() -> None:
    for seed in range(40):
        assert "90" not in professional("Turn left at the desk.", 1.0, np.random.default_rng(seed))
