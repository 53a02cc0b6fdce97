"""OneMap: map and detector must agree; its second version trusts the map alone later."""

from __future__ import annotations

import pytest
from search_plays import play

from navproof.check.tiny import tiny_episode, tiny_simulator


@pytest.mark.parametrize("name", ["onemap", "onemap-v2"])
def test_both_agree_on_the_goal(name: str) -> None:
    played = play(f"{name}@encoder=truth@detector=truth")
    assert played.found == [True, True]
    assert played.claims == ["both", "both"]


def test_only_the_second_version_may_do_without_the_detector() -> None:
    """A detector that misses everything: after 40 % of 200 steps the map is enough for v2; the
    first version must have explored everything before."""
    blind = "@encoder=truth@detector=truth:miss=1"
    chair, _ = tiny_episode("langnav-v1", tiny_simulator("langnav-v1")).goals
    second = play(f"onemap-v2{blind}", goals=(chair,), steps=200)
    assert second.claims == ["map"]
    assert 80 <= second.actions.index("found") < 130
    first = play(f"onemap{blind}", goals=(chair,), steps=81)
    assert first.claims == []
