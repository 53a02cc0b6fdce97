"""Episodes for another robot than the one that they were made for.

The problem stays what it is: scene, start, goals, words, people. What follows from the body is
computed again in the scene: the shortest way, its length and those of later legs, and, where a
robot must stand at a viewpoint, at which of them it can. An episode that
leaves the robot no room is none for it, and is told apart here, before anybody plays it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from navproof.core.errors import SimulationError, SpecError
from navproof.core.problem import PROBLEM_TAG, problem_digest
from navproof.core.types import Episode, Goal, Point, Robot, Scalar, SubTask, TaskSpec
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.geodesic.taut import SNAP_M
from navproof.sim.protocol import Simulator, points
from navproof.sim.registry import EMBEDDED, PHYSICS, make_simulator
from navproof.tasks.registry import TASKS
from navproof.tasks.settings import STANDARD, Settings
from navproof.world.scene import Scene

__all__ = [
    "GOAL",
    "PERSON",
    "START",
    "WAY",
    "Candidate",
    "Misfit",
    "SceneJob",
    "fit",
    "fit_in_scene",
    "fitting",
    "for_robots",
]

START = "no room at the start"
GOAL = "a goal out of reach"
WAY = "another way than the words tell"
PERSON = "slower than a person to be followed"
_ASIDE_M = 1.0
"""A way that words tell is the same one as long as it keeps within this of what it was."""
_EVERY_M = 0.25


@dataclass(frozen=True, slots=True)
class Candidate:
    """An episode as one robot would do it. ``made_for`` is the robot that it was made for, ""
    where that is the task's own; by ``settings`` the episode is played."""

    episode: Episode
    made_for: str
    settings: Settings = STANDARD

    @property
    def is_adapted(self) -> bool:
        """Whether its lengths must be found again: its robot has another body than the one that
        it was made for, or, where time counts, is another robot at all."""
        episode = self.episode
        if episode.robot == self.made_for:
            return False
        before = self.settings.spec(episode.task, self.made_for).robot
        now = self.settings.robot(episode.robot)
        if episode.subtasks:
            return before != now
        return (before.radius_m, before.height_m) != (now.radius_m, now.height_m)


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why an episode is none for a robot: ``START``, ``GOAL``, ``WAY`` or ``PERSON``."""

    why: str


@dataclass(frozen=True, slots=True)
class SceneJob:
    """The candidates in one scene, to be fitted with this simulator (by name)."""

    scene: str
    candidates: tuple[Candidate, ...]
    simulator: str = EMBEDDED


def for_robots(
    episodes: Sequence[Episode], robots: Sequence[str], settings: Settings = STANDARD
) -> tuple[Candidate, ...]:
    """The episodes as these robots do them (names or references, see ``load_robot``), each as it is
    where none is named.

    Of episodes that name a robot, one of these gets its own where there are any, and all others
    where there are none; of those that name none it gets all. Where robots are several, an episode
    that was not made for its robot has the robot's name behind its id.
    """
    if not robots:
        return tuple(Candidate(episode, episode.robot, settings) for episode in episodes)
    bodies = {name: settings.robot(name) for name in robots}
    for a, b in itertools.combinations(bodies, 2):
        if bodies[a].name == bodies[b].name:
            raise SpecError(
                f"robots '{a}' and '{b}' both call themselves '{bodies[a].name}'; rename one"
            )
    own = {episode.robot for episode in episodes}
    found: list[Candidate] = []
    for episode in episodes:
        for name, body in bodies.items():
            if episode.robot == name:
                found.append(Candidate(episode, name, settings))
            elif not episode.robot or name not in own:
                named = f"{episode.episode_id}-{body.name}" if len(bodies) > 1 else ""
                other = replace(episode, robot=name, episode_id=named or episode.episode_id)
                found.append(Candidate(other, episode.robot, settings))
    return tuple(found)


def fit_in_scene(job: SceneJob) -> tuple[Episode | Misfit, ...]:
    """Each candidate fitted, or why it cannot be."""
    of_its_own = job.simulator not in (EMBEDDED, PHYSICS)
    sim = make_simulator(job.simulator) if of_its_own else EmbeddedSimulator()
    scene = _scene(sim, job.scene)
    return tuple(fit(sim, scene, candidate) for candidate in job.candidates)


def fitting(
    episodes: Sequence[Episode], robot: str, settings: Settings = STANDARD
) -> tuple[Episode, ...]:
    """The episodes for one robot, those that leave it no room left out."""
    candidates = for_robots(episodes, (robot,), settings)
    found = {c.episode.episode_id: c.episode for c in candidates if not c.is_adapted}
    for scene in dict.fromkeys(c.episode.scene for c in candidates if c.is_adapted):
        held = tuple(c for c in candidates if c.is_adapted and c.episode.scene == scene)
        fitted = fit_in_scene(SceneJob(scene, held))
        found |= {one.episode_id: one for one in fitted if isinstance(one, Episode)}
    names = (c.episode.episode_id for c in candidates)
    return tuple(found[name] for name in names if name in found)


def fit(sim: Simulator, scene: Scene, candidate: Candidate) -> Episode | Misfit:
    """The episode with the lengths and the reference path that hold for its robot."""
    episode = candidate.episode
    if not candidate.is_adapted:
        return episode
    spec = candidate.settings.spec(episode.task, episode.robot)
    sim.load(scene, spec.robot)
    if not sim.is_navigable(episode.start.point):
        return Misfit(START)
    if episode.subtasks:
        before = candidate.settings.spec(episode.task, candidate.made_for).robot
        return _mission(sim, episode, before, spec.robot)
    return _goals(sim, episode, spec)


def _goals(sim: Simulator, episode: Episode, spec: TaskSpec) -> Episode | Misfit:
    """From goal to goal, each on the shortest way to the nearest of its positions."""
    tour: list[Point] = [episode.start.point]
    lengths: list[float] = []
    goals: list[Goal] = []
    for goal in episode.goals:
        positions = _ends(sim, goal.positions, spec.success_m)
        leg = _leg(sim, tour[-1], positions)
        if leg is None:
            return Misfit(GOAL)
        goals.append(goal if positions == goal.positions else replace(goal, positions=positions))
        lengths.append(leg[0])
        tour += leg[1]
    is_told = TASKS.get(episode.task).is_route
    if is_told and not _keeps_near(tour, episode.reference_path):
        return Misfit(WAY)
    tags = dict(episode.tags)
    for index, length in enumerate(lengths):
        if f"leg_{index}_m" in tags:
            tags[f"leg_{index}_m"] = length
    if tuple(goals) != episode.goals:
        tags.setdefault(PROBLEM_TAG, problem_digest(episode))
    return replace(
        episode,
        goals=tuple(goals),
        geodesic_m=lengths[0],
        reference_path=tuple(tour),
        tags=tags,
    )


def _mission(sim: Simulator, episode: Episode, before: Robot, now: Robot) -> Episode | Misfit:
    """From sub-task to sub-task. A slower robot has as much more time as it is slower."""
    walks = {walk.person: walk for walk in episode.people}
    tour: list[Point] = [episode.start.point]
    length_m = 0.0
    for subtask in episode.subtasks:
        if subtask.kind == "follow_human":
            walk = walks[subtask.person or ""]
            if now.max_speed_m_s < walk.speed_m_s:
                return Misfit(PERSON)
            way = tuple((x, y, episode.start.z) for x, y, _ in walk.path)
            if not all(math.isfinite(sim.geodesic(tour[-1], (place,))) for place in way):
                return Misfit(GOAL)
            length_m += _length_m(way)
            tour += way
            continue
        ends = _ends(sim, _positions(sim, subtask), subtask.within_m)
        leg = _leg(sim, tour[-1], ends)
        if leg is None:
            return Misfit(GOAL)
        length_m += leg[0]
        tour += leg[1]
    slower = max(
        1.0, before.max_speed_m_s / now.max_speed_m_s, before.max_turn_rad_s / now.max_turn_rad_s
    )
    tags: dict[str, Scalar] = dict(episode.tags)
    budget_s = tags.get("budget_s")
    if isinstance(budget_s, int | float):
        tags["budget_s"] = round(slower * budget_s, 1)
    return replace(
        episode,
        geodesic_m=round(length_m, 4),
        reference_path=tuple(tour),
        budget_steps=math.ceil(slower * episode.budget_steps),
        tags=tags,
    )


def _positions(sim: Simulator, subtask: SubTask) -> tuple[Point, ...]:
    """Those of a sub-task's goal that are in its rooms, all where none is."""
    rooms = ((point, sim.scene.room_at(*point)) for point in subtask.goal.positions)
    inside = tuple(point for point, room in rooms if room and room.id in subtask.rooms)
    return inside or subtask.goal.positions


def _ends(sim: Simulator, positions: tuple[Point, ...], within_m: float) -> tuple[Point, ...]:
    """The positions at which the robot can succeed. Where it must come nearer than the simulator
    looks for a free place, these are the ones where it fits."""
    return tuple(p for p in positions if within_m >= SNAP_M or sim.is_navigable(p))


def _leg(
    sim: Simulator, here: Point, positions: Sequence[Point]
) -> tuple[float, tuple[Point, ...]] | None:
    """Length and places of the shortest way to the nearest position, the place where it begins
    left out; None where there is no way."""
    ends = points(positions)
    length = sim.geodesic(here, ends) if ends else math.inf
    path = sim.shortest_path(here, ends) if math.isfinite(length) else ()
    return (round(length, 4), path[1:]) if path else None


def _keeps_near(way: Sequence[Point], old: Sequence[Point]) -> bool:
    """Whether a way is about where the old one was."""
    return all(
        min(_aside_m(place, a, b) for a, b in itertools.pairwise(old)) <= _ASIDE_M
        for place in _spaced(way)
    )


def _spaced(way: Sequence[Point]) -> list[tuple[float, float]]:
    found = []
    for a, b in itertools.pairwise(way):
        count = max(1, math.ceil(math.dist(a[:2], b[:2]) / _EVERY_M))
        for k in range(count + 1):
            t = k / count
            found.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
    return found


def _aside_m(place: tuple[float, float], a: Point, b: Point) -> float:
    """From a place to the straight way between two points."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    squared = dx * dx + dy * dy
    t = 0.0
    if squared:
        t = min(1.0, max(0.0, ((place[0] - a[0]) * dx + (place[1] - a[1]) * dy) / squared))
    return math.hypot(place[0] - a[0] - t * dx, place[1] - a[1] - t * dy)


def _length_m(way: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(way))


def _scene(sim: Simulator, ref: str) -> Scene:
    """The scene of that name, loaded where the simulator does not stand in it from the start."""
    try:
        if sim.scene.id == ref:
            return sim.scene
    except SimulationError:
        pass
    from navproof.world.library import load_scene

    return load_scene(ref)
