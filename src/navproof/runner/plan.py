"""Which episodes to run, and in which order: scene by scene, so that a worker loads few."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from navproof.core.errors import SpecError
from navproof.core.types import Episode, TaskSpec
from navproof.corruptions.condition import parse_condition
from navproof.language.missions.wordings import reworded
from navproof.log.folder import Skipped
from navproof.log.trace import TraceKey
from navproof.play.jobs import Job
from navproof.runner.spec import RunSpec
from navproof.sim.registry import PHYSICS
from navproof.tasks.settings import STANDARD, Changes, Settings

__all__ = [
    "check_bodies",
    "check_styles",
    "choose",
    "plan",
    "task_specs",
]


def choose(episodes: Sequence[Episode], limit: int | None, skip: int = 0) -> tuple[Episode, ...]:
    """At most ``limit`` episodes, evenly over the tasks and, in each, over the robots that its
    episodes name, in their order; ids must be unique. ``skip`` leaves out those that a limit of so
    many would take: with it come others, as evenly."""
    seen: set[str] = set()
    for episode in episodes:
        if episode.episode_id in seen:
            raise SpecError(f"episode id '{episode.episode_id}' occurs twice in the suite")
        seen.add(episode.episode_id)
    if not episodes:
        raise SpecError("the suite has no episodes")
    if skip >= len(episodes):
        raise SpecError(f"{skip} episodes cannot be left out: the suite has {len(episodes)}")
    if not skip and (limit is None or limit >= len(episodes)):
        return tuple(episodes)
    by_task: dict[str, dict[str, list[int]]] = {}
    for index, episode in enumerate(episodes):
        by_task.setdefault(episode.task, {}).setdefault(episode.robot, []).append(index)
    waiting = [_in_turn(robots.values()) for robots in by_task.values()]
    chosen = _in_turn(waiting)[skip : None if limit is None else skip + limit]
    return tuple(episodes[index] for index in sorted(chosen))


def _in_turn(groups: Iterable[Sequence[int]]) -> list[int]:
    """The first of every group, then the second of every group, …"""
    rounds = zip_longest(*groups)
    return [index for one in rounds for index in one if index is not None]


def check_styles(episodes: Iterable[Episode], conditions: Iterable[str]) -> None:
    """Raises where an episode lacks the words of a style that a condition names."""
    styles = dict.fromkeys(parse_condition(condition).style for condition in conditions)
    for episode in episodes:
        for style in styles:
            reworded(episode, style)


def task_specs(
    spec: RunSpec, episodes: Sequence[Episode], settings: Settings = STANDARD
) -> dict[str, TaskSpec]:
    """The protocol settings of every task that occurs, with the run's camera size, sensors, clock
    and, where its episodes have people, kind of people."""
    names = list(dict.fromkeys(episode.task for episode in episodes))
    peopled = frozenset(e.task for e in episodes if e.people and spec.reacting_people)
    if spec.reacting_people and not peopled:
        raise SpecError("--people reacting: there are no people in these episodes")
    changes = Changes(spec.camera, spec.sensors, peopled, spec.clock)
    return {name: changes.of(settings.spec(name)) for name in names}


def check_bodies(
    spec: RunSpec,
    episodes: Sequence[Episode],
    tasks: Mapping[str, TaskSpec],
    settings: Settings = STANDARD,
) -> None:
    """A ``SimulationError`` where the physics tier has no body for the robot of an episode: before
    the run, which would else count those episodes as lost."""
    if spec.simulator != PHYSICS:
        return
    from navproof.sim.physics.body import body_for

    for task, robot in dict.fromkeys((e.task, e.robot) for e in episodes):
        body_for(settings.played(tasks[task], robot, spec.sensors).robot)


def plan(
    spec: RunSpec,
    episodes: Sequence[Episode],
    tasks: Mapping[str, TaskSpec],
    skips: Sequence[Skipped] = (),
    settings: Settings = STANDARD,
) -> list[Job]:
    """Every job but those to be skipped, grouped by scene; within a scene the jobs of an episode
    follow each other."""
    specs = {
        key: settings.played(tasks[key[0]], key[1], spec.sensors)
        for key in dict.fromkeys((e.task, e.robot) for e in episodes)
    }
    left_out = {(skip.agent, skip.task, skip.condition) for skip in skips}
    scenes = {scene: i for i, scene in enumerate(dict.fromkeys(e.scene for e in episodes))}
    ordered = sorted(episodes, key=lambda e: scenes[e.scene])  # stable
    return [
        Job(
            TraceKey(agent, episode.episode_id, condition, seed),
            reworded(episode, parse_condition(condition).style),
            specs[episode.task, episode.robot],
        )
        for episode in ordered
        for condition in spec.conditions
        for seed in spec.seeds
        for agent in spec.agents
        if (agent, episode.task, condition) not in left_out
    ]
