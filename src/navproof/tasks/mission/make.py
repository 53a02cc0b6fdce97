"""Missions: sub-tasks in a chain, people, a question, words in four styles, and an expert who has
done it all.

A mission is drawn until everything in it is true and can be done: every place can be reached, every
description fits one thing, the question can be answered by who goes the expert's way, and the
expert keeps away from the people who pass. What kinds of sub-tasks the ``index``-th mission of a
scene has does not depend on how often it was tried, so hard kinds are not thinned out; only what
cannot be done there in many tries gives way to other kinds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from navproof.core.errors import EpisodeError
from navproof.core.types import (
    FIRST_OBJECT_ID,
    Camera,
    Episode,
    Goal,
    Instruction,
    Point,
    Pose,
    Question,
    Robot,
    Scalar,
    SubTask,
    Walk,
)
from navproof.language.missions.missions import MISSION_STYLES, word_mission
from navproof.language.questions.questions import questions_for
from navproof.sim.protocol import Simulator, points
from navproof.tasks.draft import Site, episode_id, episode_seed, round_point, round_pose
from navproof.tasks.mission.chain import SubTaskChain, draw_chain
from navproof.tasks.mission.completion import WITHIN_M, has_left
from navproof.tasks.mission.demonstrations import Demonstration
from navproof.tasks.mission.expert import CONTROL_S, Expert
from navproof.tasks.mission.people import Passage, appearances, draw_guide, draw_passer
from navproof.tasks.mission.targets import Leg, called_room, draw_leg
from navproof.tasks.registry import TASKS
from navproof.tasks.specs import spec_for
from navproof.world.people.people import unique_words

__all__ = ["Mission", "draw_mission", "make_episode", "make_mission", "mission_for"]

_TASK = "mission-v1"
_TRIES_PER_LEG = 25
_PASSER_TRIES = 12
_CHAIN_TRIES = 30
_PASSERS = 4.0, 60.0  # are about for so many times the expert's time alone, and s
_GUIDE = "p1"
_WAITS = 1.5, 2.0  # somebody to be followed sets out after so many times the expert's time, and s
_STORED_S = 0.5  # between waypoints of a demonstration
_BUDGET = 2.0  # times the expert's
_SPARE_M = 0.3
_SPARE_STEPS = 20  # an answer takes a step, but no time
_SEEN_PX = 12  # of a 64 × 64 view
_LOOK_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class Mission:
    """An episode, and how an expert did it."""

    episode: Episode
    demonstration: Demonstration


def make_episode(site: Site, seed: int, index: int, attempt: int) -> Episode | None:
    """One try at the ``index``-th mission of a scene, for the robot whose turn it is."""
    mission = draw_mission(site, seed, index, attempt)
    return None if mission is None else mission.episode


def draw_mission(site: Site, seed: int, index: int, attempt: int) -> Mission | None:
    """As ``make_episode``, with the expert's demonstration."""
    robots = TASKS.get(_TASK).robots
    return mission_for(site, robots[index % len(robots)], seed, index, attempt)


def mission_for(site: Site, robot: str, seed: int, index: int, attempt: int) -> Mission | None:
    """One try at a mission for a robot of that name, with the cameras that missions give it."""
    spec = spec_for(_TASK, robot)
    camera = next(s.camera for s in spec.sensors if s.camera is not None)
    return make_mission(site, spec.robot, camera, seed, index, attempt)


def make_mission(
    site: Site, robot: Robot, camera: Camera, seed: int, index: int, attempt: int
) -> Mission | None:
    """One try at the ``index``-th mission of a scene for a robot and what it sees with."""
    chain = draw_chain(site.stream(seed, f"{_TASK}.chain.{index}", attempt // _CHAIN_TRIES))
    draw = site.stream(seed, f"{_TASK}.{index}", attempt)
    site.sim.load(site.scene, robot)
    sim = site.sim
    start = round_pose(round_point(sim.random_point(draw)), float(draw.uniform(-math.pi, math.pi)))
    looks = appearances(draw, 1 + (2 if float(draw.random()) < 0.4 else 1))
    drafted = _draft(site, sim, robot, chain, start, looks[0], draw)
    if drafted is None:
        return None
    legs, guide, expert = drafted
    people: tuple[Walk, ...] = () if guide is None else (guide,)
    if chain.social:
        passages = site.passages(robot, seed)
        crowded = _with_passers(sim, robot, start, legs, guide, looks[1:], passages, expert, draw)
        if crowded is None:
            return None
        people, expert = crowded
    question = None
    if chain.asks:
        question = _question(site, sim, expert, camera, draw)
        if question is None:
            return None
    return _mission(site, robot, seed, index, start, legs, people, question, chain, expert, draw)


# ---------------------------------------------------------------------------------- the expert
def _draft(
    site: Site,
    sim: Simulator,
    robot: Robot,
    chain: SubTaskChain,
    start: Pose,
    appearance: str,
    draw: np.random.Generator,
) -> tuple[list[Leg], Walk | None, Expert] | None:
    """The sub-tasks one after the other, done by an expert as they are drawn."""
    expert = Expert(sim, robot, start)
    legs: list[Leg] = []
    guide: Walk | None = None
    for kind in chain.kinds:
        subtasks = [leg.subtask for leg in legs]
        if kind == "follow_human":
            begins_s, grid = _begins_s(expert), site.people_grid
            guide = draw_guide(_GUIDE, appearance, sim, expert.pose, begins_s, grid, draw)
            leg = None if guide is None else _following(sim, guide)
        else:
            candidates = (
                draw_leg(kind, site, sim, start, expert.pose.point, subtasks, draw)
                for _ in range(_TRIES_PER_LEG)
            )
            leg = next((leg for leg in candidates if leg is not None), None)
        if kind == "return_to" and not any(_leads_away(sim, start, other) for other in legs):
            return None
        if leg is None or not _do(expert, leg, guide, ()):
            return None
        legs.append(leg)
    return legs, guide, expert


def _following(sim: Simulator, guide: Walk) -> Leg:
    path = tuple(round_point((x, y, 0.0)) for x, y, _ in guide.path)
    goal = Goal("person", (path[-1],), "person")
    subtask = SubTask("follow_human", "", goal, WITHIN_M["follow_human"], guide.person)
    return Leg(subtask, path, sum(math.dist(a, b) for a, b in pairwise(path)))


def _do(expert: Expert, leg: Leg, guide: Walk | None, passers: Sequence[Walk]) -> bool:
    """Whether the expert does a sub-task; marks its end."""
    if leg.subtask.kind == "follow_human":
        assert guide is not None
        went = expert.follow(guide, passers)
    else:
        went = expert.go((leg.path[-1],), passers)
        if leg.subtask.kind not in ("goto_point", "return_to"):
            went = went and expert.glance(passers)
    expert.ends_s.append(expert.time_s)
    return went


def _with_passers(
    sim: Simulator,
    robot: Robot,
    start: Pose,
    legs: Sequence[Leg],
    guide: Walk | None,
    looks: Sequence[str],
    passages: Sequence[Passage],
    alone: Expert,
    draw: np.random.Generator,
) -> tuple[tuple[Walk, ...], Expert] | None:
    """People on the expert's way, and an expert who keeps away from them."""
    way = [(x, y, 0.0) for x, y, _, _ in alone.trail[:: round(1.0 / CONTROL_S)]]
    times, more = _PASSERS
    until_s = times * alone.time_s + more
    for _ in range(_PASSER_TRIES):
        passers = [
            draw_passer(f"p{k + 2}", look, passages, way, until_s, draw)
            for k, look in enumerate(looks)
        ]
        there = tuple(p for p in passers if p is not None)
        if not there:
            continue
        expert, guide_walk = Expert(sim, robot, start), guide
        for leg in legs:
            if leg.subtask.kind == "follow_human" and guide is not None:
                guide_walk = replace(guide, begins_s=max(guide.begins_s, _begins_s(expert)))
            if not _do(expert, leg, guide_walk, there):
                break
        else:
            if _BUDGET * expert.time_s <= until_s:
                return ((guide_walk, *there) if guide_walk is not None else there), expert
    return None


def _begins_s(expert: Expert) -> float:
    """When somebody to be followed sets out, so that others than the expert are there in time."""
    times, more = _WAITS
    return round(times * expert.time_s + more, 2)


def _leads_away(sim: Simulator, start: Pose, leg: Leg) -> bool:
    """Whether nobody can do a sub-task without leaving the start, as who returns must have."""
    subtask = leg.subtask
    away_m = sim.geodesic(start.point, points(subtask.goal.positions)) - subtask.within_m
    return has_left(away_m - _SPARE_M)


# --------------------------------------------------------------------------------- the question
def _question(
    site: Site, sim: Simulator, expert: Expert, camera: Camera, draw: np.random.Generator
) -> Question | None:
    """Something that can be answered by who goes the expert's way."""
    small = replace(camera, width=64, height=64)
    counts: dict[int, int] = {}
    for x, y, yaw, _ in expert.trail[:: round(_LOOK_EVERY_S / CONTROL_S)]:
        if not sim.is_navigable((x, y, 0.0)):
            continue
        sim.place(Pose(x, y, 0.0, yaw))
        ids, pixels = np.unique(sim.render(small, colour=False).instances, return_counts=True)
        for thing, n in zip(ids.tolist(), pixels.tolist(), strict=True):
            counts[thing] = max(counts.get(thing, 0), n)
    visible_ids = [i for i, n in counts.items() if i >= FIRST_OBJECT_ID and n >= _SEEN_PX]
    by_kind: dict[str, list[Question]] = {}
    for question, _ in questions_for(site.scene, draw, visible=visible_ids):
        by_kind.setdefault(question.kind, []).append(question)
    if not by_kind:
        return None
    kind = sorted(by_kind)[int(draw.integers(len(by_kind)))]
    return by_kind[kind][0]


# --------------------------------------------------------------------------------- the episode
def _mission(
    site: Site,
    robot: Robot,
    seed: int,
    index: int,
    start: Pose,
    legs: Sequence[Leg],
    people: tuple[Walk, ...],
    question: Question | None,
    chain: SubTaskChain,
    expert: Expert,
    draw: np.random.Generator,
) -> Mission | None:
    present = [walk.appearance for walk in people]
    called = {w.person: unique_words(w.appearance, present, draw) for w in people}
    rooms = {room.id: called_room(site.scene, room.type) for room in site.scene.rooms}
    subtasks = [leg.subtask for leg in legs]
    wordings: dict[str, str] = {}
    segments: tuple[str, ...] = ()
    for style in MISSION_STYLES:
        try:
            wording = word_mission(
                subtasks,
                style,
                question=question,
                social=chain.social,
                rng=draw,
                people=called,
                rooms=rooms,
            )
        except EpisodeError:
            return None
        if style == "original":
            segments = wording.segments
        wordings[style] = wording.text
    name = episode_id(f"mission.{robot.name}-v1", site.ref, seed, index)
    every = round(_STORED_S / CONTROL_S)
    trail = [*expert.trail[:-1:every], expert.trail[-1]]
    ends = tuple(next(k for k, at in enumerate(trail) if at[3] >= t - 1e-6) for t in expert.ends_s)
    demonstration = Demonstration(name, robot.name, "algorithmic", tuple(trail), ends)
    budget_s = round(_BUDGET * expert.time_s, 1)
    tags: dict[str, Scalar] = {
        "budget_s": budget_s,
        "subtasks": chain.length,
        "social": chain.social,
        "expert_s": expert.time_s,
        "expert_m": round(demonstration.length_m, 2),
    }
    if question is not None:
        tags["asks"] = question.kind
    episode = Episode(
        episode_id=name,
        task=_TASK,
        scene=site.ref,
        start=start,
        goals=tuple(s.goal for s in subtasks),
        geodesic_m=round(sum(leg.length_m for leg in legs), 4),
        reference_path=_spaced(trail),
        budget_steps=math.ceil(budget_s / CONTROL_S) + _SPARE_STEPS,
        seed=episode_seed(seed, site.ref, name, index),
        instruction=Instruction(wordings["original"]),
        tags=tags,
        people=people,
        subtasks=tuple(replace(s, text=t) for s, t in zip(subtasks, segments, strict=True)),
        question=question,
        wordings={k: v for k, v in wordings.items() if k != "original"},
        robot=robot.name,
    )
    return Mission(episode, demonstration)


def _spaced(trail: Sequence[tuple[float, float, float, float]]) -> tuple[Point, ...]:
    """The places of a trail, without those where it only waits."""
    points: list[Point] = []
    for x, y, _, _ in trail:
        if not points or math.dist(points[-1][:2], (x, y)) >= 0.2:
            points.append((x, y, 0.0))
    return tuple(points)
