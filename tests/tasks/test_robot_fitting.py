"""Episodes for another robot: whose they are, what is computed again, what does not fit."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import NavproofError
from navproof.core.problem import problem_digest
from navproof.core.types import Episode, Instruction, Pose
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.robots import load_robot
from navproof.tasks.robots import (
    GOAL,
    PERSON,
    START,
    WAY,
    Candidate,
    Misfit,
    fit,
    fitting,
    for_robots,
)
from navproof.testing import tiny_scene
from navproof.world.io import save_scene

SCENE = tiny_scene()
POINT = tiny_episode("pointnav-v1", tiny_simulator("pointnav-v1"))
THING = tiny_episode("objectnav-v1", tiny_simulator("objectnav-v1"))
MISSION = tiny_episode("mission-v1", tiny_simulator("mission-v1"))


def mission(name: str, robot: str = "") -> Episode:
    return replace(MISSION, episode_id=name, robot=robot)


MISSIONS = (mission("a", "carter"), mission("b", "carter"), mission("c", "h1"))


def told(candidates: tuple[Candidate, ...]) -> list[tuple[str, str, str]]:
    return [(c.episode.episode_id, c.episode.robot, c.made_for) for c in candidates]


def test_missions_of_a_robot_are_its_own_and_others_get_all() -> None:
    assert [c.episode for c in for_robots(MISSIONS, ())] == list(MISSIONS)
    assert [c.episode for c in for_robots(MISSIONS, ("h1",))] == [MISSIONS[2]]
    assert [c.episode for c in for_robots(MISSIONS, ("h1", "carter"))] == list(MISSIONS)
    assert told(for_robots(MISSIONS, ("aliengo",))) == [
        ("a", "aliengo", "carter"),
        ("b", "aliengo", "carter"),
        ("c", "aliengo", "h1"),
    ]
    assert told(for_robots(MISSIONS, ("h1", "aliengo"))) == [
        ("a-aliengo", "aliengo", "carter"),
        ("b-aliengo", "aliengo", "carter"),
        ("c", "h1", "h1"),
        ("c-aliengo", "aliengo", "h1"),
    ]


def test_episodes_that_name_no_robot_are_for_each() -> None:
    assert told(for_robots((POINT,), ("carter",))) == [(POINT.episode_id, "carter", "")]
    both = for_robots((POINT, mission("m")), ("aliengo", "h1"))
    assert told(both) == [
        (f"{POINT.episode_id}-aliengo", "aliengo", ""),
        (f"{POINT.episode_id}-h1", "h1", ""),
        ("m-aliengo", "aliengo", ""),
        ("m-h1", "h1", ""),
    ]


def test_robots_of_one_name_and_of_none_are_refused(tmp_path: Path) -> None:
    mine, yours = tmp_path / "mine.toml", tmp_path / "yours.toml"
    for path, radius in ((mine, 0.2), (yours, 0.3)):
        path.write_text(f'name = "twin"\nradius_m = {radius}\nheight_m = 1.0\n')
    with pytest.raises(NavproofError, match="both call themselves 'twin'; rename one"):
        for_robots((POINT,), (str(mine), str(yours)))
    mine.write_text('name = "carter"\nradius_m = 0.2\nheight_m = 1.0\n')
    with pytest.raises(NavproofError, match="calls itself 'carter', as one of navproof's does"):
        for_robots((POINT,), ("carter", str(mine)))
    with pytest.raises(NavproofError, match="no robot 'cartr'; did you mean 'carter'"):
        for_robots((POINT,), ("cartr",))


def fitted(episode: Episode, robot: str) -> Episode | Misfit:
    (candidate,) = for_robots((episode,), (robot,))
    return fit(EmbeddedSimulator(), SCENE, candidate)


def own(folder: Path, **values: float) -> str:
    """A robot file."""
    held = {"radius_m": 0.3, "height_m": 0.6, **values}
    lines = ['name = "own"', *(f"{name} = {value}" for name, value in held.items())]
    (folder / "own.toml").write_text("\n".join(lines))
    return str(folder / "own.toml")


def test_the_shortest_way_is_that_of_the_body(tmp_path: Path) -> None:
    """Past the door's frame (0, 1.5 … 2.5), which a wider robot must pass further in."""
    episode = replace(POINT, start=Pose(-3.0, 0.8))
    lengths = []
    for radius in (0.18, 0.4):
        name = own(tmp_path, radius_m=radius, height_m=1.5)
        found = fitted(episode, name)
        assert isinstance(found, Episode)
        sim = EmbeddedSimulator()
        sim.load(SCENE, load_robot(name))
        if radius != 0.18:
            direct = sim.geodesic(episode.start.point, episode.goals[0].positions)
            assert found.geodesic_m == round(direct, 4)
            assert all(sim.is_navigable(place) for place in found.reference_path)
            assert (found.goals, found.start) == (episode.goals, episode.start)
        lengths.append(sim.geodesic(episode.start.point, episode.goals[0].positions))
    assert lengths[1] > lengths[0] + 0.1
    assert fitted(episode, own(tmp_path, radius_m=0.18, height_m=1.5)) == replace(
        episode, robot=str(tmp_path / "own.toml")
    ), "the same body changes nothing"


def test_what_leaves_no_room_says_why(tmp_path: Path) -> None:
    wide = own(tmp_path, radius_m=0.6)
    assert fitted(POINT, wide) == Misfit(GOAL)  # the doorway is 1 m wide
    at_wall = replace(POINT, start=Pose(-3.75, 2.0))
    assert fitted(at_wall, own(tmp_path)) == Misfit(START)
    around = ((-3.0, 3.6, 0.0), (-0.5, 3.6, 0.0), (2.0, 2.6, 0.0))
    described = replace(
        tiny_episode("vln-v1", tiny_simulator("vln-v1")), instruction=Instruction("Go there.")
    )
    assert isinstance(fitted(described, own(tmp_path)), Episode)
    assert fitted(replace(described, reference_path=around), own(tmp_path)) == Misfit(WAY)


def test_viewpoints_where_the_robot_cannot_stand_are_none_and_the_problem_is_the_same(
    tmp_path: Path,
) -> None:
    found = fitted(THING, own(tmp_path, radius_m=0.35))
    assert isinstance(found, Episode)
    assert 0 < len(found.goals[0].positions) < len(THING.goals[0].positions)
    assert problem_digest(found) == problem_digest(THING)
    sim = EmbeddedSimulator()
    sim.load(SCENE, load_robot(str(tmp_path / "own.toml")))
    assert all(sim.is_navigable(place) for place in found.goals[0].positions)


def test_a_slower_robot_has_as_much_more_time_for_a_mission(tmp_path: Path) -> None:
    timed = replace(mission("m", "carter"), tags={"budget_s": 30.0})
    found = fitted(timed, own(tmp_path, max_speed_m_s=0.4, max_turn_rad_s=1.2))
    assert isinstance(found, Episode)
    assert found.tags["budget_s"] == 60.0
    assert found.budget_steps == 2 * timed.budget_steps
    assert math.isclose(found.geodesic_m, timed.geodesic_m, rel_tol=0.2)
    faster = fitted(timed, own(tmp_path, max_speed_m_s=3.0, max_turn_rad_s=3.0))
    assert isinstance(faster, Episode)
    assert faster.tags["budget_s"] == 30.0


def test_nobody_is_followed_by_who_is_slower(tmp_path: Path) -> None:
    walk = MISSION.people[0]
    part = replace(MISSION.subtasks[0], kind="follow_human", person=walk.person, rooms=())
    after = replace(mission("m", "carter"), subtasks=(part,))
    assert fitted(after, own(tmp_path, max_speed_m_s=0.9 * walk.speed_m_s)) == Misfit(PERSON)


def test_fitting_leaves_out_what_does_not_fit(tmp_path: Path) -> None:
    scene = tmp_path / "tiny.scene"
    save_scene(SCENE, scene)
    good = replace(POINT, scene=str(scene))
    tight = replace(good, episode_id="tight", start=Pose(-3.75, 2.0))
    (left,) = fitting((tight, good), own(tmp_path))
    assert left.episode_id == good.episode_id
