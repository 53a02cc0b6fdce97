"""LangNav: several goals in words, revealed one at a time.

Raychaudhuri et al. 2025, "LangNavBench", sections 3.2, 3.3 and 5.1: each goal has 500 steps;
``found`` or the last of them ends it, right or wrong, and the episode goes on with the next goal
from where the robot stands.

The paper calls a goal found within 1.5 m of it; its released code asks for a geodesic distance of
at most 1.0 m to a viewpoint. Success here is both: the first alone could be met through a wall.
The event carries either distance, so the released rule alone can be scored too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from navproof.core.errors import EpisodeError
from navproof.core.types import (
    Action,
    Episode,
    Event,
    Goal,
    Motion,
    Move,
    Scalar,
    TaskBrief,
    TaskSpec,
)
from navproof.sim.protocol import GoalSet, Simulator, points
from navproof.tasks.objectnav.viewpoints import box_distance_m
from navproof.tasks.stop_at_goal import chosen_sensors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from navproof.world.scene import Scene

__all__ = ["VIEWPOINT_M", "LangNav"]

VIEWPOINT_M = 1.0
"""Success asks for a viewpoint at most this far away along the floor."""
_MOVES = (Move.FORWARD, Move.LEFT, Move.RIGHT, Move.FOUND)
_ROUNDING_M = 1e-9


@dataclass(frozen=True, slots=True)
class _State:
    """Where an episode stands: the goal in force and the steps spent on it."""

    episode: Episode
    goal: int = 0
    spent: int = 0
    done: bool = False


@final
class LangNav:
    """Go to each thing described and say ``FOUND``.

    Events: "found" (``goal``, ``success``, ``distance_m``, ``viewpoint_m``), "goal_timeout" (the
    same without ``success``), and "reveal" (``goal``, ``geodesic_m``) for each goal after the
    first, at the step that ended the one before. "fall" ends the episode. ``distance_m`` is the
    straight distance along the floor to the nearest goal object's box; ``viewpoint_m`` and
    ``geodesic_m`` are geodesic, to the nearest viewpoint, and None where no path leads there.

    The budget of a goal is the episode's divided by its number of goals, at most the spec's.
    """

    def __init__(self, spec: TaskSpec) -> None:
        self.spec = spec
        self._state: _State | None = None

    def brief(self, episode: Episode, sensors: Sequence[str]) -> TaskBrief:
        return TaskBrief(
            task=self.spec.task,
            instruction=episode.goals[0].text,
            robot=self.spec.robot,
            sensors=chosen_sensors(self.spec, sensors),
            control=self.spec.control,
            actions=_MOVES if self.spec.control == "discrete" else (Move.FOUND,),
            budget_steps=self._budget(episode),
            seed=episode.seed,
            goal_count=len(episode.goals),
        )

    def start(self, sim: Simulator, episode: Episode) -> None:
        if episode.task != self.spec.task:
            raise EpisodeError(
                f"episode {episode.episode_id} is of task {episode.task}, not {self.spec.task}"
            )
        if not episode.goals:
            raise EpisodeError(f"episode {episode.episode_id}: {self.spec.task} needs a goal")
        for index, goal in enumerate(episode.goals):
            if why := _lacking(goal, sim.scene):
                raise EpisodeError(f"episode {episode.episode_id}: goal {index} {why}")
        self._state = _State(episode)

    def after_step(
        self, sim: Simulator, action: Action, motion: Motion | None, step: int
    ) -> list[Event]:
        state = self._current
        episode = state.episode
        if state.done:
            raise EpisodeError(f"episode {episode.episode_id} is over; start another one")
        if action == Move.STOP:
            raise EpisodeError(f"{self.spec.task} has no 'stop': say 'found' at each goal")
        spent_steps = state.spent + 1
        if motion is not None and motion.fell:
            self._state = _State(episode, state.goal, spent_steps, done=True)
            return [Event(step, "fall")]
        # A claim in the last step of the budget is judged as a claim and not as a timeout.
        if action != Move.FOUND and spent_steps < self._budget(episode):
            self._state = _State(episode, state.goal, spent_steps)
            return []
        events = [self._judge(sim, state.goal, action == Move.FOUND, step)]
        following = state.goal + 1
        if following == len(episode.goals):
            self._state = _State(episode, state.goal, spent_steps, done=True)
            return events
        self._state = _State(episode, following)
        ahead = sim.geodesic(sim.pose.point, self.goals())
        events.append(Event(step, "reveal", {"goal": following, "geodesic_m": _finite(ahead)}))
        return events

    def in_delay(self, sim: Simulator, motion: Motion, step: int) -> list[Event]:
        """Only a fall counts: nobody claims a goal while making up its mind."""
        if not motion.fell:
            return []
        self._state = replace(self._current, done=True)
        return [Event(step, "fall")]

    def done(self) -> bool:
        return self._state is not None and self._state.done

    def goals(self) -> GoalSet:
        return points(self._goal.positions)

    def instruction(self) -> str:
        return self._goal.text

    def snapshot(self) -> _State | None:
        return self._state

    def restore(self, snapshot: _State | None) -> None:
        self._state = snapshot

    @property
    def _current(self) -> _State:
        if self._state is None:
            raise EpisodeError("no episode has been started")
        return self._state

    @property
    def _goal(self) -> Goal:
        return self._current.episode.goals[self._current.goal]

    def _budget(self, episode: Episode) -> int:
        return min(max(1, episode.budget_steps // len(episode.goals)), self.spec.budget_steps)

    def _judge(self, sim: Simulator, index: int, is_claim: bool, step: int) -> Event:
        x, y, _ = sim.pose.point
        boxes = [sim.scene.object(i).box for i in self._goal.object_ids]
        straight = min(box_distance_m(box, x, y) for box in boxes)
        along = sim.geodesic(sim.pose.point, self.goals())
        data: dict[str, Scalar] = {"goal": index}
        if is_claim:
            # Both are asked for: straight through a wall, the next room may be near.
            near = straight <= self.spec.success_m + _ROUNDING_M
            data["success"] = near and along <= VIEWPOINT_M + _ROUNDING_M
        data |= {"distance_m": straight, "viewpoint_m": _finite(along)}
        return Event(step, "found" if is_claim else "goal_timeout", data)


def _lacking(goal: Goal, scene: Scene) -> str:
    """What keeps a goal from being one of LangNav, or nothing."""
    if not goal.text.strip():
        return "has no words"
    if not goal.positions:
        return "has no viewpoints"
    if not goal.object_ids:
        return "names no objects"
    missing = [i for i in goal.object_ids if i not in scene.by_id]
    return f"names object {missing[0]}, which scene {scene.id} does not have" if missing else ""


def _finite(metres: float) -> float | None:
    return metres if math.isfinite(metres) else None
