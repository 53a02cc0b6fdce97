"""Missions as they are made: their mix, and that everything in them can be done."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from navproof.core.types import Camera, Pose, Robot, Walk
from navproof.language.missions.missions import check_mission
from navproof.tasks.generate import open_site
from navproof.tasks.mission.chain import CATEGORY, draw_chain
from navproof.tasks.mission.check import mission_faults
from navproof.tasks.mission.completion import PERSONAL_M, bearing_error_rad, follows
from navproof.tasks.mission.expert import Expert
from navproof.tasks.mission.make import Mission, make_mission
from navproof.tasks.mission.targets import called_room
from navproof.testing import tiny_scene
from navproof.world.people.people import stops_at_s, unique_words, where

ROBOT = Robot("carter", 0.26, 0.66, 0.25, 20.0, True, 0.8, 1.2)
CAMERA = Camera(256, 256, 90.0, 0.56)


# ------------------------------------------------------------------------------------- the mix
def test_the_mix_is_the_papers() -> None:
    draw = np.random.default_rng(1)
    chains = [draw_chain(draw) for _ in range(6000)]
    lengths = Counter(min(4, chain.length) for chain in chains)
    for length, share in {2: 0.39, 3: 0.32, 4: 0.29}.items():
        assert lengths[length] / len(chains) == pytest.approx(share, abs=0.025)
    kinds = Counter(kind for chain in chains for kind in chain.kinds)
    count = Counter(CATEGORY[kind] for kind in kinds.elements())
    count["social"] = sum(chain.social for chain in chains)
    count["question"] = sum(chain.asks for chain in chains)
    total = sum(count.values())
    shares = {"vln": 0.42, "objectnav": 0.22, "social": 0.12, "follow": 0.10, "pointnav": 0.08}
    for name, share in {**shares, "question": 0.06}.items():
        assert count[name] / total == pytest.approx(share, abs=0.015), name
    assert kinds["return_to"] / count["vln"] == pytest.approx(0.286, abs=0.02)


def test_every_chain_asks_for_two_skills_and_ends_well() -> None:
    draw = np.random.default_rng(2)
    for _ in range(2000):
        kinds = draw_chain(draw).kinds
        assert len({CATEGORY[k] for k in kinds}) >= 2
        assert "return_to" not in kinds[:-1]
        assert kinds.count("follow_human") <= 1


# ---------------------------------------------------------------------------------- the expert
def flat() -> Expert:
    site = open_site(tiny_scene())
    site.sim.load(site.scene, ROBOT)
    return Expert(site.sim, ROBOT, Pose(-2.0, 2.0, 0.0, 0.0))


def test_the_expert_goes_straight_at_three_quarters_of_its_speed() -> None:
    expert = flat()
    assert expert.go(((-0.8, 2.0, 0.0),))
    assert expert.time_s == pytest.approx(1.2 / (0.75 * 0.8), abs=0.11)
    assert (expert.pose.x, expert.pose.y) == pytest.approx((-0.8, 2.0))


def test_the_expert_lets_somebody_pass() -> None:
    """She crosses its way; it waits, and never comes within 1.2 m."""
    crossing = Walk("p1", "a", ((-0.4, 0.6, 0.0), (-0.4, 3.6, 0.0), (-0.4, 0.6, 0.0)))
    alone, careful = flat(), flat()
    goal = ((1.5, 2.0, 0.0),)
    assert alone.go(goal)
    assert careful.go(goal, (crossing,))
    assert careful.time_s > alone.time_s
    for x, y, _, t in careful.trail:
        her = where(crossing, t).pose
        assert math.dist((x, y), (her.x, her.y)) >= PERSONAL_M


def test_the_expert_follows_to_the_end() -> None:
    walk = Walk("p1", "a", ((-0.2, 2.0, 0.0), (1.5, 2.0, 2.0), (3.2, 2.0, 0.0)), begins_s=1.0)
    expert = flat()
    assert expert.follow(walk)
    assert expert.time_s >= stops_at_s(walk)
    away = math.dist((expert.pose.x, expert.pose.y), (3.2, 2.0))
    assert follows(away, bearing_error_rad(expert.pose, 3.2, 2.0))


# ------------------------------------------------------------------------------------- missions
@cache
def missions() -> tuple[Mission, ...]:
    site = open_site("home/train/3")
    found = []
    for index in range(8):
        tries = (make_mission(site, ROBOT, CAMERA, 1, index, a) for a in range(60))
        found.append(next(m for m in tries if m is not None))
    return tuple(found)


def test_missions_are_worded_in_four_styles_with_the_same_content() -> None:
    rooms = {r.id: r.name for r in open_site("home/train/3").scene.rooms}
    for mission in missions():
        e = mission.episode
        assert e.instruction is not None
        assert set(e.wordings) == {"concise", "verbose", "first_person"}
        looks = [w.appearance for w in e.people]
        for text in (e.instruction.text, *e.wordings.values()):
            assert 9 <= len(text.split()) <= 130
            assert "the where" not in text
        called = {w.person: unique_words(w.appearance, looks) for w in e.people}
        assert all(called.values())
        assert rooms
        for part in e.subtasks:
            assert part.text.lower() in e.instruction.text.lower()


def test_missions_can_be_done_in_time() -> None:
    for mission in missions():
        e, shown = mission.episode, mission.demonstration
        assert shown.source == "algorithmic"
        assert shown.episode_id == e.episode_id
        assert e.tags["budget_s"] == pytest.approx(2 * shown.seconds, abs=0.11)
        assert e.budget_steps * 0.1 >= float(e.tags["budget_s"] or 0)
        assert len(e.subtasks) >= 2
        assert len(e.goals) == len(e.subtasks)


def test_demonstrations_keep_away_and_mark_where_sub_tasks_end() -> None:
    for mission in missions():
        e, shown = mission.episode, mission.demonstration
        followed = {s.person for s in e.subtasks}
        for x, y, _, t in shown.waypoints:
            for walk in e.people:
                her = where(walk, t).pose
                away = math.dist((x, y), (her.x, her.y))
                assert walk.person in followed or away >= PERSONAL_M
        assert len(shown.ends) == len(e.subtasks)
        assert shown.ends[-1] == len(shown.waypoints) - 1
        for part, end in zip(e.subtasks, shown.ends, strict=True):
            x, y, *_ = shown.waypoints[end]
            assert min(math.dist((x, y), p[:2]) for p in part.goal.positions) <= 3.0


def test_instructions_are_about_as_long_as_the_papers() -> None:
    """42 words on average there; so few missions tell it roughly."""
    counts = [len(m.episode.instruction.text.split()) for m in missions() if m.episode.instruction]
    assert 30 <= float(np.mean(counts)) <= 56
    by_style = {
        style: np.mean([len(m.episode.wordings[style].split()) for m in missions()])
        for style in ("concise", "verbose")
    }
    assert by_style["concise"] < float(np.mean(counts)) < by_style["verbose"]


def test_who_is_to_return_must_have_left() -> None:
    """However little of the other sub-tasks one does."""
    site = open_site("home/train/3")
    site.sim.load(site.scene, ROBOT)
    for e in (m.episode for m in missions() if m.episode.subtasks[-1].kind == "return_to"):
        needed = [
            site.sim.geodesic(e.start.point, part.goal.positions) - part.within_m
            for part in e.subtasks[:-1]
        ]
        assert max(needed) > 2.0


def test_one_of_several_rooms_is_told_as_any_of_them() -> None:
    scene = open_site("home/train/3").scene
    kinds = Counter(room.type for room in scene.rooms)
    for kind, count in kinds.items():
        said = called_room(scene, kind)
        assert said.startswith("the " if count == 1 else ("a ", "an "))
    for part in (s for m in missions() for s in m.episode.subtasks if s.kind == "goto_room"):
        assert len(part.rooms) == kinds[part.goal.category or ""]


def test_the_same_arguments_make_the_same_mission() -> None:
    site = open_site("home/train/3")
    again = next(
        m for a in range(60) if (m := make_mission(site, ROBOT, CAMERA, 1, 1, a)) is not None
    )
    assert again == missions()[1]


def test_the_words_of_a_mission_are_checked() -> None:
    """The checker that missions passed finds a place that is not said."""
    mission = next(
        m for m in missions() if any(s.goal.kind == "object" for s in m.episode.subtasks)
    )
    e = mission.episode
    looks = [w.appearance for w in e.people]
    called = {w.person: unique_words(w.appearance, looks) for w in e.people}
    assert check_mission(
        "Go somewhere and stay there for a good long while.", e.subtasks, None, False, called, {}
    )


def test_missions_are_true_of_their_scene() -> None:
    site = open_site("home/train/3")
    site.sim.load(site.scene, ROBOT)
    for mission in missions():
        assert list(mission_faults(site.sim, mission.episode)) == []


def test_what_is_not_true_is_found() -> None:
    site = open_site("home/train/3")
    site.sim.load(site.scene, ROBOT)
    e = missions()[0].episode
    first = e.subtasks[0]
    lost = replace(first, goal=replace(first.goal, positions=((99.0, 99.0, 0.0),)))
    through = Walk("p9", "red_jacket", ((-50.0, -50.0, 0.0), (50.0, 50.0, 0.0)))
    bad = replace(
        e,
        subtasks=(lost, *e.subtasks[1:]),
        people=(*e.people, through),
        wordings={**e.wordings, "concise": "Find a mug."},
    )
    fields = {field for field, _ in mission_faults(site.sim, bad)}
    assert {"subtasks.0.goal.positions", "wordings.concise"} <= fields
    assert f"people.{len(e.people)}.path" in fields
