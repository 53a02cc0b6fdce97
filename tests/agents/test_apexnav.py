"""ApexNav: when cues are strong, which frontiers they choose, and whole episodes in the flat."""

from __future__ import annotations

import copy
import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from search_plays import play

from navproof.agents.load import load_agent
from navproof.agents.mapping.navigate import Navigator
from navproof.agents.mapping.occupancy import LIMIT, OccupancyMap
from navproof.agents.search.apexnav import (
    Adaptive,
    ApexNavOptions,
    cues_are_strong,
    promising,
)
from navproof.agents.search.memory import ValueMemory
from navproof.agents.search.tour import first_of_tour, ways_between
from navproof.core.errors import AgentError
from navproof.core.types import Pose, Robot

HERE = Pose(0.0, 0.0)
FRONTIERS = [((1.0, 0.0), 9, 1.0), ((3.0, 0.0), 9, 3.0), ((-4.0, 0.0), 9, 4.0)]


class Values(ValueMemory):
    """A value map that was told what lies where."""

    def __init__(self, cosines: dict[tuple[float, float], float]) -> None:
        self.cosines = cosines

    def best_near(self, x: float, y: float, radius_m: float) -> float:
        return self.cosines[x, y]


def corridor() -> Navigator:
    """A free strip 12 m long, whose ends are not known."""
    world = OccupancyMap(0.08, 1.5)
    (r0, c0), (r1, c1) = world.index(-6.0, -0.5), world.index(6.0, 0.5)
    world.evidence[r0:r1, c0:c1] = -LIMIT
    world.evidence[[r0 - 1, r1], c0:c1] = LIMIT
    return Navigator(Robot("r", 0.18, 1.0), world)


def chosen(*cosines: float, **options: Any) -> int:
    places = [place for place, _, _ in FRONTIERS]
    memory = Values(dict(zip(places, cosines, strict=True)))
    survey: Any = SimpleNamespace(memory=memory, sightings=None)
    guide = Adaptive(survey, None, ApexNavOptions(lm="none", **options), 5.0)
    return guide.choose(corridor(), HERE, FRONTIERS)


def test_cues_are_strong_where_the_best_stands_out_and_values_differ() -> None:
    assert cues_are_strong([0.5, 0.5, 0.8], 0.1, 1.1)  # σ 0.14, 0.8/0.6 = 1.33
    assert not cues_are_strong([0.5, 0.5, 0.8], 0.15, 1.1)
    assert not cues_are_strong([0.5, 0.5, 0.8], 0.1, 1.4)
    assert not cues_are_strong([0.5], 0.0, 1.0)


def test_what_is_promising_is_far_above_the_mean_and_near_the_best() -> None:
    assert promising([0.5, 0.79, 0.71, 0.3, 0.8], 1.1) == [4, 1]  # 0.72 = 0.9·0.8 counts
    assert promising([0.5, 0.5, 0.55], 1.1) == []  # nothing is 1.1 times the mean
    assert promising([0.5] * 30 + [0.8] * 10, 1.1) == list(range(30, 38))


@pytest.mark.parametrize(
    ("mode", "strong", "weak"), [("adaptive", 2, 0), ("semantic", 2, 1), ("geometric", 0, 0)]
)
def test_each_mode_goes_elsewhere(mode: str, strong: int, weak: int) -> None:
    assert chosen(-0.1, 0.0, 0.6, mode=mode) == strong
    assert chosen(0.0, 0.01, 0.0, mode=mode) == weak


def test_thresholds_decide_when_meaning_leads() -> None:
    assert chosen(-0.1, 0.0, 0.3, ratio=1.1) == 2  # values 0.45, 0.5, 0.65
    assert chosen(-0.1, 0.0, 0.3, ratio=1.3) == 0
    assert chosen(-0.1, 0.0, 0.3, sigma=0.1) == 0


def test_the_first_of_the_shortest_tour_is_gone_to() -> None:
    """Two promising frontiers, 3 m to the east and 4 m to the west: the tour begins in the east,
    though the west has the better value."""
    assert chosen(-0.5, 0.58, 0.6) == 1
    assert chosen(-0.5, 0.58, 0.6, mode="semantic") == 2


def test_tours_are_shortest() -> None:
    draw = np.random.default_rng(5)
    for count in (1, 2, 3, 5, 6):
        from_here, between = draw.random(count) * 9, draw.random((count, count)) * 9
        best = min(
            itertools.permutations(range(count)),
            key=lambda order: (
                from_here[order[0]] + sum(between[a, b] for a, b in itertools.pairwise(order))
            ),
        )
        assert first_of_tour(list(from_here), between) == best[0]


def test_ways_lead_along_the_map() -> None:
    ways = ways_between(corridor(), HERE, [(1.0, 0.0), (3.0, 0.0)])
    assert ways[0, 1] == pytest.approx(2.0, abs=0.1)
    assert ways[1, 0] == pytest.approx(ways[0, 1], abs=1e-6)
    assert ways[0, 0] == 0.0


@pytest.mark.parametrize(
    "options", ["", "@mode=geometric", "@mode=semantic@fusion=max", "@fusion=last"]
)
def test_it_finds_what_it_is_told_to(options: str) -> None:
    played = play(f"apexnav@lm=stats@encoder=truth@detector=truth{options}")
    assert played.found == [True, True]
    assert played.claims == ["detector", "detector"]


def test_things_that_resemble_the_goal_are_looked_for_with_a_language_model_only() -> None:
    """The goals are a chair and a table; statistics name what they are taken for."""
    for lm, others in (("stats", True), ("none", False)):
        agent: Any = load_agent(f"apexnav@lm={lm}@encoder=truth@detector=truth")()
        play(f"apexnav@lm={lm}@encoder=truth@detector=truth", agent=agent, steps=60)
        assert bool(agent._searcher._guide.besides) is others


def test_a_copy_shares_nothing_that_changes() -> None:
    """Its objects ask its own map how well an image fits, not that of the agent it was made of."""
    agent: Any = load_agent("apexnav@lm=none@encoder=truth@detector=truth")()
    play("apexnav@lm=none@encoder=truth@detector=truth", agent=agent, steps=20)
    survey = copy.deepcopy(agent)._searcher._survey
    assert survey.sightings._likeness is survey.memory
    assert survey.memory is not agent._searcher._survey.memory


def test_what_is_mostly_not_seen_again_is_believed_by_the_ablation_alone() -> None:
    """Of five looks at the goal one finds it: fused confidence stays below the threshold."""
    poor = "@lm=none@encoder=truth@detector=truth:miss=0.8@confidence=0.6"
    assert "detector" not in play(f"apexnav{poor}", steps=240).claims
    rash = play(f"apexnav{poor}@fusion=max", steps=240)
    assert (rash.found, rash.claims) == ([True, True], ["detector", "detector"])


@pytest.mark.parametrize(
    ("option", "says"),
    [("confidence=0.1", "confidence must be above 0.1"), ("ratio=0.9", "ratio must be from 1")],
)
def test_settings_that_make_no_sense_are_one_line(option: str, says: str) -> None:
    with pytest.raises(AgentError, match=says):
        load_agent(f"apexnav@lm=none@{option}")
