"""States along a run: few, evenly spread, and never far away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.diagnosis.checkpoints import Checkpoints


@given(st.integers(1, 9), st.integers(2, 12), st.integers(1, 400))
def test_few_are_kept_and_each_step_is_near_one(every: int, most: int, steps: int) -> None:
    kept: Checkpoints[int] = Checkpoints(every, most)
    for step in range(steps):
        kept.offer(step, lambda step=step: step)  # type: ignore[misc]
    assert 1 <= len(kept) <= most
    for step in range(steps):
        at, state = kept.before(step)
        assert at == state <= step < at + kept.every


def test_before_the_first_there_is_none() -> None:
    with pytest.raises(KeyError):
        Checkpoints[int]().before(0)
    with pytest.raises(ValueError, match="make no sense"):
        Checkpoints(every=0)
