"""Randomness comes from generators that are passed in, and from nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from navproof.core.errors import SpecError
from navproof.corruptions.registry import CORRUPTIONS

GIVEN: dict[str, Any] = {
    "rgb": np.full((8, 8, 3), 90, np.uint8),
    "depth": np.full((8, 8), 2.0, np.float32),
    "words": "Walk past the sofa.",
    "prompt": "Be careful.",
}
EVERY = [known for known in CORRUPTIONS.values() if known.target in GIVEN]
every = pytest.mark.parametrize("known", EVERY, ids=[known.name for known in EVERY])


@every
@pytest.mark.parametrize("source", [None, 0, np.random], ids=["none", "a seed", "global state"])
def test_what_is_no_generator_is_one_line(known: Any, source: Any) -> None:
    with pytest.raises(SpecError, match="rng must be a NumPy generator") as caught:
        known.apply(GIVEN[known.target], 0.6, source)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("known", [k for k in EVERY if k.target in ("rgb", "depth")])
def test_what_stays_put_needs_a_generator_too(known: Any) -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(SpecError, match="still must be a NumPy generator"):
        known.apply(GIVEN[known.target], 0.6, rng, still=7)
