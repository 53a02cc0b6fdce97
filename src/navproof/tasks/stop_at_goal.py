"""The rules that PointNav, ObjectNav and VLN share: go somewhere, stop there, within a budget."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from navproof.core.errors import EpisodeError, SpecError
from navproof.core.types import (
    Action,
    Episode,
    Event,
    Motion,
    Move,
    SensorSpec,
    TaskBrief,
    TaskSpec,
)
from navproof.sensors import kind_of, standard_sensors
from navproof.sim.protocol import GoalSet, Simulator, points

__all__ = ["MOVES", "StopAtGoal", "chosen_sensors"]

_ROUNDING_M = 1e-9  # a stop at exactly the success distance succeeds on every machine
MOVES = (Move.FORWARD, Move.LEFT, Move.RIGHT, Move.STOP)


class StopAtGoal(ABC):
    """One goal. ``STOP`` ends the episode with an event "stop" (``distance_m``, ``success``);
    the last step of the budget ends it with "timeout" (``distance_m``), a fall with "fall".
    ``distance_m`` is None where the goal cannot be reached.

    Success is a stop at a geodesic distance of at most ``spec.success_m`` from any position of
    the goal. The budget is the smaller of the episode's and the spec's.
    """

    def __init__(self, spec: TaskSpec) -> None:
        self.spec = spec
        self._episode: Episode | None = None
        self._goals: GoalSet = ()
        self._labels: Mapping[int, str] = {}
        self._taken = 0
        self._done = False

    @abstractmethod
    def _words(self, episode: Episode) -> str:
        """What the agent is asked, in words."""

    @abstractmethod
    def _category(self, episode: Episode) -> str | None:
        """The category that the agent is told beside the words."""

    def brief(self, episode: Episode, sensors: Sequence[str]) -> TaskBrief:
        """What the agent is told. ``labels`` are those of the scene given to ``start``."""
        sensor_specs = chosen_sensors(self.spec, sensors)
        semantic = any(kind_of(s).labels for s in sensor_specs)
        return TaskBrief(
            task=self.spec.task,
            instruction=self._words(episode),
            robot=self.spec.robot,
            sensors=sensor_specs,
            control=self.spec.control,
            actions=MOVES if self.spec.control == "discrete" else (Move.STOP,),
            budget_steps=self._budget(episode),
            seed=episode.seed,
            goal_category=self._category(episode),
            labels=dict(self._labels) if semantic else None,
        )

    def start(self, sim: Simulator, episode: Episode) -> None:
        if episode.task != self.spec.task:
            raise EpisodeError(
                f"episode {episode.episode_id} is of task {episode.task}, not {self.spec.task}"
            )
        if len(episode.goals) != 1 or not episode.goals[0].positions:
            raise EpisodeError(
                f"episode {episode.episode_id}: {self.spec.task} needs one goal with positions"
            )
        self._episode = episode
        self._goals = points(episode.goals[0].positions)
        self._labels = sim.scene.labels
        self._taken = 0
        self._done = False

    def after_step(
        self, sim: Simulator, action: Action, motion: Motion | None, step: int
    ) -> list[Event]:
        episode = self._current()
        if self._done:
            raise EpisodeError(f"episode {episode.episode_id} is over; start another one")
        self._taken += 1
        if motion is not None and motion.fell:
            self._done = True
            return [Event(step, "fall")]
        stopped = action == Move.STOP
        if not stopped and self._taken < self._budget(episode):
            return []
        self._done = True
        # Along the floor, as Anderson et al. 2018 recommend: near through a wall is not near.
        distance = sim.geodesic(sim.pose.point, self._goals)
        finite = distance if math.isfinite(distance) else None
        if stopped:
            success = distance <= self.spec.success_m + _ROUNDING_M
            return [Event(step, "stop", {"distance_m": finite, "success": success})]
        return [Event(step, "timeout", {"distance_m": finite})]

    def in_delay(self, sim: Simulator, motion: Motion, step: int) -> list[Event]:
        """Only a fall counts: nobody stops while making up its mind."""
        self._done = motion.fell
        return [Event(step, "fall")] if motion.fell else []

    def done(self) -> bool:
        return self._done

    def goals(self) -> GoalSet:
        return self._goals

    def instruction(self) -> str:
        return self._words(self._current())

    def snapshot(self) -> tuple[Episode | None, GoalSet, Mapping[int, str], int, bool]:
        return (self._episode, self._goals, self._labels, self._taken, self._done)

    def restore(
        self, snapshot: tuple[Episode | None, GoalSet, Mapping[int, str], int, bool]
    ) -> None:
        self._episode, self._goals, self._labels, self._taken, self._done = snapshot

    def _current(self) -> Episode:
        if self._episode is None:
            raise EpisodeError("no episode has been started")
        return self._episode

    def _budget(self, episode: Episode) -> int:
        return min(episode.budget_steps, self.spec.budget_steps)


def chosen_sensors(spec: TaskSpec, names: Sequence[str]) -> tuple[SensorSpec, ...]:
    """The sensors asked for, in the spec's order; the standard ones when none is."""
    requested = list(names) or list(standard_sensors(spec))
    available = [s.name for s in spec.sensors]
    for name in requested:
        if name not in available:
            raise SpecError(f"{spec.task} has no sensor '{name}'; it has {', '.join(available)}")
    return tuple(s for s in spec.sensors if s.name in requested)
