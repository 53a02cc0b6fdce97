"""L3MVN: the rule by which it chooses frontiers, and whole episodes in the flat."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from search_plays import play

from navproof.agents.search.goal import SearchGoal
from navproof.agents.search.l3mvn import TELLING, CommonSense, pick, utility
from navproof.agents.search.sightings import FRAMES, Sighting, Sightings
from navproof.core.types import Pose

NAV: Any = None  # the rule does not look at the map
POSE = Pose(0.0, 0.0)


class Knows:
    """Says what it was told to say of each set of things, and remembers what it was asked."""

    name = "knows"

    def __init__(self, **chances: float) -> None:
        self.chances = chances
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def near(self, thing: str, others: Sequence[str]) -> float | None:
        self.asked.append((thing, tuple(others)))
        return self.chances.get("_".join(others))

    def room(self, thing: str) -> str | None:
        return None

    def alike(self, thing: str) -> tuple[str, ...]:
        return ()


def guide(model: Knows | None, *things: tuple[str, float, float, float]) -> CommonSense:
    """With things (label, x, y, score) that were seen."""
    sightings = Sightings()
    for label, x, y, score in things:
        spots = np.array([[x, y]])
        sightings.add(Sighting(label, (score,) * FRAMES, (x, y, 0.5), spots, 0, 2.0))
    survey: Any = SimpleNamespace(sightings=sightings)
    made = CommonSense(survey, model, 0.3)
    made.ask(SearchGoal("red mug on the desk", "red mug", "mug"), "red mug on the desk")
    return made


def at(x: float, y: float, cells: int, way_m: float) -> tuple[tuple[float, float], int, float]:
    return ((x, y), cells, way_m)


def test_utility_is_size_and_a_bonus_for_what_is_near() -> None:
    assert utility(20, 2.9) == 28.0
    assert utility(20, 3.0) == 20.0


@pytest.mark.parametrize(
    ("scores", "index"),
    [
        ([0.2, 0.31, 0.9], 2),  # somebody is sure: the best
        ([0.05, 0.12, 0.3], 1),  # nobody is: the first that is fair, in the order of utility
        ([0.05, 0.1, 0.0], 0),  # none is fair: the first
    ],
)
def test_which_score_wins(scores: list[float], index: int) -> None:
    assert pick(scores) == index


def test_a_frontier_near_telling_things_is_preferred_to_a_larger_one() -> None:
    model = Knows(desk=0.6, toilet=0.02)
    things = (("desk", 9.0, 0.5, 0.8), ("toilet", 0.0, 9.0, 0.8))
    frontiers = [at(0.0, 9.0, 50, 4.0), at(9.0, 0.0, 10, 4.5), at(-9.0, 0.0, 30, 4.8)]
    assert guide(model, *things).choose(NAV, POSE, frontiers) == 1
    assert model.asked == [("mug", ("toilet",)), ("mug", ("desk",))]
    poor = Knows(desk=0.02, toilet=0.02)  # none scores over 0.3, the third 0.1 + 0.1·30/50
    assert guide(poor, *things).choose(NAV, POSE, frontiers) == 2


def test_only_what_is_in_the_square_around_it_and_was_seen_clearly_counts() -> None:
    model = Knows()
    made = guide(
        model,
        ("desk", 1.9, 1.9, 0.8),  # in the square's corner
        ("bed", 2.1, 0.0, 0.8),
        ("sofa", 0.0, 0.0, 0.2),
        ("red mug on the desk", 0.0, 0.0, 0.9),  # the goal is none of the telling things
    )
    assert made.objects_around((0.0, 0.0)) == ("desk",)


def test_without_a_language_model_utility_decides() -> None:
    made = guide(None, ("desk", 9.0, 0.0, 0.9))
    assert made.besides == ()
    frontiers = [at(0.0, 1.0, 10, 2.0), at(9.0, 0.0, 12, 4.0), at(0.0, 9.0, 40, 5.5)]
    assert made.choose(NAV, POSE, frontiers) == 0  # 18 against 12; 5.5 m are too far
    assert made.choose(NAV, POSE, [at(0.0, 9.0, 9, 6.0), at(9.0, 0.0, 40, 7.0)]) == 1
    assert guide(Knows()).besides == TELLING


def test_the_four_of_greatest_utility_are_asked_about() -> None:
    model = Knows(desk=0.2)
    things = tuple(("desk", 10.0 * i, 0.0, 0.9) for i in range(6))
    frontiers = [at(10.0 * i, 0.0, 10 + i, 4.0) for i in range(6)]
    assert guide(model, *things).choose(NAV, POSE, frontiers) == 5
    assert len(model.asked) == 4


@pytest.mark.parametrize("lm", ["stats", "none"])
def test_it_finds_what_it_is_told_to(lm: str) -> None:
    played = play(f"l3mvn@lm={lm}@detector=truth")
    assert played.found == [True, True]
    assert played.claims == ["detector", "detector"]
    labels = {d.label for b in played.beliefs if b is not None for d in b.perceived}
    assert labels & set(TELLING) if lm == "stats" else labels == {"red table", "blue chair"}


def test_it_plays_objectnav_too() -> None:
    assert play("l3mvn@lm=stats@detector=truth", "objectnav-v1", 200).found == [True]
