"""VLMaps: the map alone, from the first step on."""

from __future__ import annotations

from search_plays import play

from navproof.check.tiny import tiny_episode, tiny_simulator


def test_the_best_spot_of_the_map_is_the_goal() -> None:
    played = play("vlmaps@encoder=truth")
    assert played.found == [True, True]
    assert played.claims == ["map", "map"]


def test_it_explores_only_while_the_map_holds_nothing_that_fits() -> None:
    """The table is in view at the start, but for a map that asks for certainty."""
    chair, table = tiny_episode("langnav-v1", tiny_simulator("langnav-v1")).goals
    quick = play("vlmaps@encoder=truth", goals=(table,), steps=60)
    told = [i["is"] for i in quick.intents if i is not None]
    assert "approach" in told[:8]
    never = play("vlmaps@encoder=truth@match=1", goals=(chair,), steps=60)
    assert {i["is"] for i in never.intents[:24] if i is not None} == {"explore"}
