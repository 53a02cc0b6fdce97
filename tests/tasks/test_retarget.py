"""Episodes with another goal or start are as valid as generated ones, in a real scene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from navproof.core.errors import SpecError
from navproof.core.seeding import rng
from navproof.core.types import Episode
from navproof.tasks.generate import make_episodes, open_site
from navproof.tasks.retarget import (
    Site,
    draw_pose,
    goal_object,
    goal_room,
    possible_goals,
    retarget,
    single_goal,
)
from navproof.tasks.specs import spec_for
from navproof.tasks.validate import validate_episode

HOME = "home/val/0"


@pytest.fixture(scope="module")
def site() -> Site:
    return open_site(HOME)


def _draw() -> np.random.Generator:
    return rng(0, "test", "retarget")


def _episode(site: Site, task: str) -> Episode:
    (made,) = make_episodes(site, (task,), 1, 5)
    return single_goal(site, made)


def _faults(site: Site, episode: Episode) -> list[tuple[str, str]]:
    site.sim.load(site.scene, spec_for(episode.task).robot)
    return list(validate_episode(site.sim, episode))


def _others(site: Site, episode: Episode, *, same_room: bool) -> list[int]:
    room, thing = goal_room(site.scene, episode), goal_object(site.scene, episode)
    assert thing is not None
    return [
        other.id
        for other in possible_goals(site, episode.task)
        if (other.room == room) is same_room and other.category != thing.category
    ]


@pytest.mark.parametrize("task", ["objectnav-v1", "vln-v1", "langnav-v1"])
@pytest.mark.parametrize("same_room", [True, False])
def test_another_goal_from_the_same_place(site: Site, task: str, same_room: bool) -> None:
    episode, draw = _episode(site, task), _draw()
    tried = (retarget(site, episode, i, draw) for i in _others(site, episode, same_room=same_room))
    made = next(m for m in tried if m is not None)
    assert _faults(site, made) == []
    assert made.start.point == episode.start.point
    assert made.goals[0].category != episode.goals[0].category
    assert made.reference_path[0] == pytest.approx(made.start.point, abs=0.05)


@pytest.mark.parametrize("task", ["objectnav-v1", "langnav-v1"])
def test_the_same_goal_from_another_place(site: Site, task: str) -> None:
    episode, draw = _episode(site, task), _draw()
    thing = goal_object(site.scene, episode)
    assert thing is not None
    tried = (retarget(site, episode, thing.id, draw, draw_pose(site, task, draw)) for _ in range(9))
    made = next(m for m in tried if m is not None)
    assert _faults(site, made) == []
    assert made.goals == episode.goals  # words and all
    assert made.start != episode.start


def test_a_langnav_episode_is_cut_to_its_first_goal(site: Site) -> None:
    (three,) = make_episodes(site, ("langnav-v1",), 1, 5)
    one = single_goal(site, three)
    assert one.goals == three.goals[:1]
    assert one.budget_steps == spec_for("langnav-v1").budget_steps
    assert one.instruction is not None
    assert one.instruction.text == three.goals[0].text
    assert _faults(site, one) == []
    assert single_goal(site, one) is one


def test_plain_words_name_the_kind_alone(site: Site) -> None:
    episode = _episode(site, "langnav-v1")
    thing = goal_object(site.scene, episode)
    assert thing is not None
    made = retarget(site, episode, thing.id, _draw(), plain=True)
    assert made is not None
    assert dict(made.goals[0].description) == {"category": thing.category}


def test_a_mission_has_no_single_goal_to_replace(site: Site) -> None:
    (made,) = make_episodes(site, ("objectnav-v1",), 1, 5)
    with pytest.raises(SpecError, match="mission-v1"):
        retarget(site, replace(made, task="mission-v1"), made.goals[0].object_ids[0], _draw())
