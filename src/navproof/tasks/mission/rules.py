"""Missions: several sub-tasks in one instruction, in order, among people who walk about.

After OmniNavBench (Sun et al. 2026), section III and Table II; the rules are in
``completion``. The whole text is told at the beginning, the question in it included; nothing
tells the agent that a sub-task is done. It ends the mission itself, with ``STOP``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from navproof.core.errors import EpisodeError
from navproof.core.types import (
    Action,
    Answer,
    Episode,
    Event,
    Motion,
    Move,
    Scalar,
    SubTask,
    TaskBrief,
    TaskSpec,
)
from navproof.sim.protocol import GoalSet, Simulator
from navproof.tasks.mission import completion as rules
from navproof.tasks.mission.places import People, Places, apart_m, people_of
from navproof.tasks.protocol import SubTaskProgress
from navproof.tasks.stop_at_goal import MOVES, chosen_sensors

__all__ = ["Mission"]

_ROUNDING_S = 1e-9


@dataclass(frozen=True, slots=True)
class _State:
    """Where a mission stands. ``subtask`` is the one in force, or their number when all are done;
    ``failed``: it can no longer be done. ``left`` are the places to return to that the robot has
    been away from, by sub-task; ``near`` the people whom it is too near to; ``aim`` is where to
    go now."""

    episode: Episode
    subtask: int = 0
    failed: bool = False
    left: frozenset[int] = frozenset()
    near: frozenset[str] = frozenset()
    aim: GoalSet = ()
    taken: int = 0
    done: bool = False


@dataclass(frozen=True, slots=True)
class _WorldState:
    """The world after a step: everybody, and the distance to the goal of each sub-task."""

    sim: Simulator
    people: People
    distances_m: tuple[float, ...]
    step: int = 0


@final
class Mission:
    """Do each sub-task, then stop.

    Events: "subtask_done" (``index``, ``kind``) at the first step after which the rule of the
    sub-task in force holds (several at once where one step fulfils several), "subtask_failed" (the
    same) for one that can no longer be done: somebody was not followed when she stopped for good,
    and no later sub-task counts. "intrusion" (``person``, ``distance_m``) when the robot comes too
    near to somebody whom no sub-task asks to follow. "answer" (``text``, and ``right`` where there
    is a question). "fall", "stop" (``distance_m``, ``success``) and "timeout" (``distance_m``,
    ``of``: "time" or "steps") end the mission.

    ``success`` is a stop at most ``spec.success_m`` from the goal of the last sub-task, whatever
    became of the others; where that is the place it started from, after having left it.
    ``distance_m`` is None where no way leads there. Time is the simulator's: the mission is over
    at ``tags["budget_s"]`` where the episode has it, and after its number of steps in any case. It
    runs on while an agent takes its time, where the world does not wait for it.
    """

    def __init__(self, spec: TaskSpec) -> None:
        self.spec = spec
        self._state: _State | None = None
        self._places: Places | None = None

    # --------------------------------------------------------------------------- what is asked
    def brief(self, episode: Episode, sensors: Sequence[str]) -> TaskBrief:
        control, sensor_specs = self.spec.control, chosen_sensors(self.spec, sensors)
        question = episode.question if any(s.kind == "mission" for s in sensor_specs) else None
        return TaskBrief(
            task=self.spec.task,
            instruction=_words(episode),
            robot=self.spec.robot,
            sensors=sensor_specs,
            control=control,
            actions=MOVES if control in ("discrete", "any") else (Move.STOP,),
            budget_steps=self._budget_steps(episode),
            seed=episode.seed,
            answer=None if question is None else question.answer,
        )

    def instruction(self) -> str:
        return _words(self._current.episode)

    def goals(self) -> GoalSet:
        """The positions of the sub-task in force that are in its rooms; for one to follow, a place
        behind the person. When all are done, or one has failed, those of the last sub-task."""
        return self._current.aim

    def lead(self) -> SubTaskProgress:
        state = self._current
        subtasks = state.episode.subtasks
        over = state.failed or state.subtask == len(subtasks)
        follows = not over and subtasks[state.subtask].kind == "follow_human"
        person = subtasks[state.subtask].person if follows else None
        return SubTaskProgress(state.subtask, len(subtasks), person, state.episode.people)

    # ----------------------------------------------------------------------------- the episode
    def start(self, sim: Simulator, episode: Episode) -> None:
        if episode.task != self.spec.task:
            raise EpisodeError(
                f"episode {episode.episode_id} is of task {episode.task}, not {self.spec.task}"
            )
        if not episode.subtasks:
            raise EpisodeError(f"episode {episode.episode_id}: {self.spec.task} needs sub-tasks")
        people = people_of(sim)
        for index, subtask in enumerate(episode.subtasks):
            if why := _lacking(subtask, people, sim):
                raise EpisodeError(f"episode {episode.episode_id}: sub-task {index} {why}")
        places = self._places = Places(episode)
        state = _away(_State(episode), places.distances_m(sim, people))
        self._state = replace(state, aim=places.aim(sim, _guiding(state), people))

    def after_step(
        self, sim: Simulator, action: Action, motion: Motion | None, step: int
    ) -> list[Event]:
        state = self._current
        if state.done:
            raise EpisodeError(f"episode {state.episode.episode_id} is over; start another one")
        self._state = replace(state, taken=state.taken + 1)
        return self._judged(sim, action, motion, step)

    def in_delay(self, sim: Simulator, motion: Motion, step: int) -> list[Event]:
        """Everything but stopping and answering comes true, or fails, by itself: places are
        reached in passing, whoever is followed stops for good, people are met, time runs out."""
        return self._judged(sim, None, motion, step)

    def _judged(
        self, sim: Simulator, action: Action | None, motion: Motion | None, step: int
    ) -> list[Event]:
        """What is true now, after an action or (None) after a piece of the time before it."""
        state, places = self._current, self._laid_out
        people = people_of(sim)
        now = _WorldState(sim, people, places.distances_m(sim, people), step)
        state = _away(state, now.distances_m)
        fell = motion is not None and motion.fell
        events = [_answered(state.episode, action, step)] if isinstance(action, Answer) else []
        # A robot that has fallen completes nothing in that step, however near it lies.
        if not fell:
            state, decided = _progress(state, now)
            events += decided
        state, intrusions = _intrusions(state, now)
        events += intrusions
        ending = Event(step, "fall") if fell else self._ending(state, now, action)
        if ending is not None:
            events.append(ending)
        aim = places.aim(sim, _guiding(state), people)
        self._state = replace(state, aim=aim, done=ending is not None)
        return events

    def done(self) -> bool:
        return self._state is not None and self._state.done

    def measure(self, sim: Simulator) -> Mapping[str, float]:
        """Names: "time_s"; "subtask.<i>.distance_m" (see ``Places.distances_m``) and, where it
        names rooms, "subtask.<i>.inside" (0 or 1); "person.<id>.x", ".y" and ".moving" (0 or 1)."""
        people = people_of(sim)
        numbers = {"time_s": sim.time_s}
        for index, distance in enumerate(self._laid_out.distances_m(sim, people)):
            numbers[f"subtask.{index}.distance_m"] = distance
            subtask = self._current.episode.subtasks[index]
            if subtask.rooms:
                numbers[f"subtask.{index}.inside"] = float(_is_inside(subtask, sim))
        for name, person in people.items():
            numbers[f"person.{name}.x"], numbers[f"person.{name}.y"] = person.pose.x, person.pose.y
            numbers[f"person.{name}.moving"] = float(person.moving)
        return numbers

    def snapshot(self) -> _State | None:
        return self._state

    def restore(self, snapshot: _State | None) -> None:
        before, self._state = self._state, snapshot
        if snapshot is not None and (before is None or before.episode is not snapshot.episode):
            self._places = Places(snapshot.episode)

    # ----------------------------------------------------------------------------------- inside
    @property
    def _current(self) -> _State:
        if self._state is None:
            raise EpisodeError("no episode has been started")
        return self._state

    @property
    def _laid_out(self) -> Places:
        if self._places is None:
            raise EpisodeError("no episode has been started")
        return self._places

    def _budget_steps(self, episode: Episode) -> int:
        return min(episode.budget_steps, self.spec.budget_steps)

    def _ending(self, state: _State, now: _WorldState, action: Action | None) -> Event | None:
        limit = "" if action == Move.STOP else self._spent(state, now)
        if action != Move.STOP and not limit:
            return None
        last_m = self._laid_out.last_m(now.sim, now.people)
        data: dict[str, Scalar] = {"distance_m": last_m if math.isfinite(last_m) else None}
        if limit:
            return Event(now.step, "timeout", {**data, "of": limit})
        subtasks = state.episode.subtasks
        # Who never went away from the start has not returned to it.
        stayed = subtasks[-1].kind == "return_to" and len(subtasks) - 1 not in state.left
        success = rules.is_within(last_m, self.spec.success_m) and not stayed
        return Event(now.step, "stop", {**data, "success": success})

    def _spent(self, state: _State, now: _WorldState) -> str:
        """The limit that is used up ("time" or "steps"), or nothing."""
        budget_s = state.episode.tags.get("budget_s")
        if isinstance(budget_s, int | float) and now.sim.time_s >= budget_s - _ROUNDING_S:
            return "time"
        return "steps" if state.taken >= self._budget_steps(state.episode) else ""


def _guiding(state: _State) -> int:
    """The sub-task that tells where to go."""
    last = len(state.episode.subtasks) - 1
    return last if state.failed else min(state.subtask, last)


def _away(state: _State, distances_m: Sequence[float]) -> _State:
    """The state with the places added from which the robot is away now."""
    subtasks = state.episode.subtasks
    left = {
        index
        for index, distance in enumerate(distances_m)
        if subtasks[index].kind == "return_to" and rules.has_left(distance)
    }
    return replace(state, left=state.left | left) if left - state.left else state


def _progress(state: _State, now: _WorldState) -> tuple[_State, list[Event]]:
    """Decide sub-task after sub-task, for as long as the one in force is decided in this step; the
    state after them and their events."""
    events: list[Event] = []
    subtasks = state.episode.subtasks
    while not state.failed and state.subtask < len(subtasks):
        is_done = _is_done(state, now)
        if is_done is None:
            break
        data: dict[str, Scalar] = {"index": state.subtask, "kind": subtasks[state.subtask].kind}
        events.append(Event(now.step, "subtask_done" if is_done else "subtask_failed", data))
        state = replace(state, subtask=state.subtask + is_done, failed=not is_done)
    return state, events


def _is_done(state: _State, now: _WorldState) -> bool | None:
    """Whether the sub-task in force is done now; None where it may still be."""
    subtask, distance_m = state.episode.subtasks[state.subtask], now.distances_m[state.subtask]
    pose = now.sim.pose
    if subtask.kind == "follow_human":
        person = now.people[subtask.person or ""]
        if not person.arrived:
            return None
        bearing = rules.bearing_error_rad(pose, person.pose.x, person.pose.y)
        # Judged once, when the person has stopped for good (t_e): the one kind that can fail for
        # ever.
        return rules.follows(distance_m, bearing, subtask.within_m)
    inside = not subtask.rooms or _is_inside(subtask, now.sim)
    if subtask.kind == "return_to":
        has_left = state.subtask in state.left
        return (inside and rules.has_returned(distance_m, subtask.within_m, has_left)) or None
    return rules.reaches(distance_m, subtask.within_m, inside) or None


def _is_inside(subtask: SubTask, sim: Simulator) -> bool:
    """Whether the robot is in one of the rooms that a sub-task names."""
    room = sim.scene.room_at(*sim.pose.point)
    return room is not None and room.id in subtask.rooms


def _intrusions(state: _State, now: _WorldState) -> tuple[_State, list[Event]]:
    followed = {s.person for s in state.episode.subtasks if s.kind == "follow_human"}
    apart = {n: apart_m(now.sim, person) for n, person in now.people.items() if n not in followed}
    near = frozenset(name for name, distance in apart.items() if rules.intrudes(distance))
    events = [
        Event(now.step, "intrusion", {"person": name, "distance_m": apart[name]})
        # Sorted, since sets have no order and events of equal runs must be equal.
        for name in sorted(near - state.near)
    ]
    return replace(state, near=near), events


def _answered(episode: Episode, action: Answer, step: int) -> Event:
    data: dict[str, Scalar] = {"text": action.text}
    if episode.question is not None:
        from navproof.language.questions.answers import matches

        data["right"] = matches(action.text, episode.question)
    return Event(step, "answer", data)


def _words(episode: Episode) -> str:
    if episode.instruction is None:
        raise EpisodeError(f"episode {episode.episode_id} has no instruction; a mission needs one")
    return episode.instruction.text


def _lacking(subtask: SubTask, people: People, sim: Simulator) -> str:
    """What keeps a sub-task from being one here, or nothing."""
    if subtask.kind == "follow_human":
        who = subtask.person
        return "" if who in people else f"follows '{who}', who is not in the episode"
    if not subtask.goal.positions:
        return "has no goal positions"
    room_ids = {room.id for room in sim.scene.rooms}
    missing = [room for room in subtask.rooms if room not in room_ids]
    return f"names room {missing[0]}, which scene {sim.scene.id} does not have" if missing else ""
