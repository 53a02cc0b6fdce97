"""Shorter words are fewer, still true of the route, and leave all else as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from navproof.core.seeding import rng
from navproof.core.types import Episode
from navproof.diagnosis.fuzz.shorten import shorter
from navproof.diagnosis.fuzz.types import Case
from navproof.tasks.generate import make_episodes, open_site
from navproof.tasks.retarget import Site, goal_object, retarget, single_goal
from navproof.tasks.validate import validate_episode


@pytest.fixture(scope="module")
def site() -> Site:
    return open_site("home/val/0")


def _words(episode: Episode) -> int:
    assert episode.instruction is not None
    return len(episode.instruction.text.split())


def test_routes_lose_clauses_and_stay_true(site: Site) -> None:
    episodes = make_episodes(site, ("vln-v1",), 3, 5)
    found = 0
    for episode in episodes:
        lengths = []
        for case in shorter(Case(episode, "spatter"), site):
            found += 1
            assert case.episode.instruction is not None
            assert episode.instruction is not None
            assert len(case.episode.instruction.clauses) < len(episode.instruction.clauses)
            assert _words(case.episode) < _words(episode)
            assert replace(case.episode, instruction=episode.instruction) == episode
            assert case.condition == "spatter"
            assert list(validate_episode(site.body("vln-v1"), case.episode)) == []
            lengths.append(_words(case.episode))
        assert lengths == sorted(lengths)
    assert found > 0


def test_a_described_thing_is_asked_for_by_its_kind(site: Site) -> None:
    (three,) = make_episodes(site, ("langnav-v1",), 1, 5)
    one = single_goal(site, three)
    thing = goal_object(site.scene, one)
    assert thing is not None
    plain = retarget(site, one, thing.id, rng(0, "test", "shorten"), plain=True)
    assert plain is not None
    assert list(shorter(Case(plain), site)) == []  # nothing is left to take away


def test_objectnav_has_no_words_to_spare(site: Site) -> None:
    (episode,) = make_episodes(site, ("objectnav-v1",), 1, 5)
    assert list(shorter(Case(episode), site)) == []
