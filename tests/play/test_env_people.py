"""People in the loop: loaded with an episode, labelled, gone with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from navproof.core.errors import EpisodeError
from navproof.core.types import FIRST_PERSON_ID, Episode, Goal, Move, Pose, Walk
from navproof.play.env import Env
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task
from navproof.testing import tiny_scene

WALK = Walk("p1", "green_cardigan", ((1.0, 2.0, 0), (3.0, 2.0, 0)))
EPISODE = Episode(
    "tiny/0", "pointnav-v1", "tiny", Pose(0.5, 2.0), (Goal("point", ((3.0, 1.0, 0.0),)),),
    2.7, ((0.5, 2.0, 0.0), (3.0, 1.0, 0.0)), 50, 0,
)  # fmt: skip
PEOPLED = replace(EPISODE, people=(WALK,))


@pytest.fixture
def env() -> Env:
    sim = EmbeddedSimulator()
    task = make_task("pointnav-v1")
    sim.load(tiny_scene(), task.spec.robot)
    return Env(sim, task, ["depth", "semantic"])


def test_people_come_and_go_with_their_episode(env: Env) -> None:
    brief, seen = env.reset(PEOPLED)
    assert seen.semantic is not None
    assert (seen.semantic == FIRST_PERSON_ID).any()
    assert brief.labels is not None
    assert brief.facts is not None
    assert brief.labels[FIRST_PERSON_ID] == "person"
    facts = brief.facts[FIRST_PERSON_ID]
    assert facts["category"] == "person"
    assert facts["attr.upper"] == "green cardigan"
    assert facts["attr.height_m"] == 1.65
    brief, seen = env.reset(EPISODE)
    assert seen.semantic is not None
    assert not (seen.semantic >= FIRST_PERSON_ID).any()
    assert brief.labels is not None
    assert FIRST_PERSON_ID not in brief.labels


def test_an_episode_goes_on_from_a_snapshot_with_its_people(env: Env) -> None:
    env.reset(PEOPLED)
    for _ in range(3):
        env.step(Move.LEFT)
    kept = env.snapshot()
    first = env.step(Move.RIGHT).observation
    env.reset(EPISODE)
    env.restore(kept)
    again = env.step(Move.RIGHT).observation
    assert all(np.array_equal(first.readings[k], again.readings[k]) for k in first.readings)
    assert env.sim.people()[0].pose.x > 1.0


def test_people_without_looks_are_an_error_of_the_episode(env: Env) -> None:
    bad = replace(EPISODE, people=(replace(WALK, appearance="invisible"),))
    with pytest.raises(EpisodeError, match="episode tiny/0: person p1: no appearance 'invisible'"):
        env.reset(bad)
