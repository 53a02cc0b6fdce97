"""Which episodes to run, and in which order: scene by scene, so that a worker loads few."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from navproof.errors import SpecError
from navproof.log.folder import Skipped
from navproof.log.trace import TraceKey
from navproof.runner.spec import RunSpec
from navproof.sensors import with_sensors
from navproof.types import Episode, TaskSpec

__all__ = ["Dispatcher", "Job", "choose", "plan", "task_specs"]


@dataclass(frozen=True, slots=True)
class Job:
    """One episode for one agent."""

    key: TraceKey
    episode: Episode
    spec: TaskSpec


def choose(episodes: Sequence[Episode], limit: int | None) -> tuple[Episode, ...]:
    """At most ``limit`` episodes, evenly over the tasks, in their order; ids must be unique."""
    seen: set[str] = set()
    for episode in episodes:
        if episode.episode_id in seen:
            raise SpecError(f"episode id '{episode.episode_id}' occurs twice in the suite")
        seen.add(episode.episode_id)
    if not episodes:
        raise SpecError("the suite has no episodes")
    if limit is None or limit >= len(episodes):
        return tuple(episodes)
    by_task: dict[str, deque[int]] = {}
    for index, episode in enumerate(episodes):
        by_task.setdefault(episode.task, deque()).append(index)
    chosen: list[int] = []
    while len(chosen) < limit:
        for waiting in by_task.values():
            if waiting and len(chosen) < limit:
                chosen.append(waiting.popleft())
    return tuple(episodes[index] for index in sorted(chosen))


def task_specs(spec: RunSpec, episodes: Iterable[Episode]) -> dict[str, TaskSpec]:
    """The protocol settings of every task that occurs, with the run's camera size and sensors."""
    from navproof.tasks.specs import spec_for, with_camera

    names = list(dict.fromkeys(episode.task for episode in episodes))
    specs = {name: spec_for(name) for name in names}
    if spec.camera is not None:
        specs = {name: with_camera(task, *spec.camera) for name, task in specs.items()}
    if spec.sensors:
        specs = {name: with_sensors(task, spec.sensors) for name, task in specs.items()}
    return specs


def plan(
    spec: RunSpec,
    episodes: Sequence[Episode],
    tasks: Mapping[str, TaskSpec],
    skips: Sequence[Skipped] = (),
) -> list[Job]:
    """Every job but those to be skipped, grouped by scene; within a scene the jobs of an episode
    follow each other."""
    left_out = {(skip.agent, skip.task, skip.condition) for skip in skips}
    scenes = {scene: i for i, scene in enumerate(dict.fromkeys(e.scene for e in episodes))}
    ordered = sorted(episodes, key=lambda e: scenes[e.scene])  # stable
    return [
        Job(
            TraceKey(agent, episode.episode_id, condition, seed),
            episode,
            _with_own_robot(tasks[episode.task], episode.robot),
        )
        for episode in ordered
        for condition in spec.conditions
        for seed in spec.seeds
        for agent in spec.agents
        if (agent, episode.task, condition) not in left_out
    ]


@cache
def _with_own_robot(task: TaskSpec, robot: str) -> TaskSpec:
    """The settings of a task with the robot of an episode, where that names another one."""
    from navproof.sim.robots import load_robot
    from navproof.tasks.specs import with_robot

    return with_robot(task, load_robot(robot)) if robot not in ("", task.robot.name) else task


class Dispatcher:
    """Hands out jobs: a worker stays in its scene, then takes a free one, then helps another."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        groups: dict[str, deque[Job]] = {}
        for job in jobs:
            groups.setdefault(job.episode.scene, deque()).append(job)
        self._free = deque(groups.values())
        self._held: dict[int, deque[Job]] = {}
        self.left = sum(len(group) for group in self._free)

    def next(self, worker: int) -> Job | None:
        """The next job of a worker, or None when nothing is left."""
        held = self._held.get(worker)
        if not held:
            held = self._free.popleft() if self._free else self._half_of_the_longest()
            self._held[worker] = held
        if not held:
            return None
        self.left -= 1
        return held.popleft()

    def _half_of_the_longest(self) -> deque[Job]:
        longest = max(self._held.values(), key=len, default=deque[Job]())
        taken = deque[Job]()
        for _ in range((len(longest) + 1) // 2):
            taken.appendleft(longest.pop())
        return taken
