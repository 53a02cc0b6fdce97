"""The one loop: an episode, seen through sensors, changed by actions, judged by a task."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from navproof.corruptions.conditions import CLEAN, Condition
from navproof.corruptions.protocol import Corruptor
from navproof.corruptions.robot import INSTRUCTION, Disturbance, Track
from navproof.errors import EpisodeError, SimulationError, SpecError
from navproof.registry import suggest
from navproof.sensors import Reading, Sensor, View, build, choose
from navproof.sim.protocol import Simulator
from navproof.tasks.protocol import Task
from navproof.types import (
    Action,
    Answer,
    Camera,
    Command,
    Episode,
    Event,
    Motion,
    Move,
    Observation,
    Pose,
    Scalar,
    SensorSpec,
    TaskBrief,
)
from navproof.world.scene import Scene

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["CONTROL_DT_S", "INSTRUCTION", "Env", "EnvSnapshot", "Step"]

CONTROL_DT_S = 0.1
"""Time of one velocity or waypoint command (10 Hz)."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What one action led to. ``motion`` is None when the action did not move the robot;
    ``corrupt_s`` are the seconds spent on spoiling what the agent is given."""

    observation: Observation
    motion: Motion | None
    events: tuple[Event, ...]
    done: bool
    corrupt_s: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class EnvSnapshot:
    """Everything that decides how an episode goes on. Opaque; restore it as often as wanted."""

    episode: Episode
    sim: Any
    task: Any
    step_count: int
    collided: bool
    captures: Mapping[str, tuple[tuple[int, Reading], ...]]
    words: tuple[str, str]
    heard: int
    track: Track


class Env:
    """One robot, one task, one episode at a time.

    ``sensors`` are names out of the task's spec (None: its standard ones); only they are
    computed, and sensors with the same camera share one render.

    ``condition`` is what the robot, its sensors and the words suffer (see
    ``navproof.corruptions``); the brief tells of sensors as they should be. ``corruptors`` maps a
    sensor's name, or ``"instruction"``, to one's own in that slot, after the condition's. What
    they draw depends on ``(seed, episode id, slot, step of capture)`` alone (for words: the
    number of the instruction), so a corrupted episode is the same whatever ran before it.

    A sensor with ``every`` = n takes a reading at steps 0, n, 2n, …; it arrives ``delay_steps``
    later. Until the first one has arrived, the reading of step 0 is given. Words that differ from
    the task's are told by an event "heard" (``text``, and the instruction's ``number``) when they
    come into force in mid-episode. ``rewriter`` takes the place of the built-in styles.
    """

    def __init__(
        self,
        sim: Simulator,
        task: Task,
        sensors: Sequence[str] | None = None,
        *,
        condition: Condition = CLEAN,
        corruptors: Mapping[str, Corruptor] | None = None,
        rewriter: Rewriter | None = None,
        seed: int = 0,
    ) -> None:
        self.sim = sim
        self.task = task
        self.seed = seed
        self.condition = condition
        self.sensors: tuple[Sensor, ...] = tuple(build(s) for s in choose(task.spec, sensors))
        self._disturbance = Disturbance(condition, seed, rewriter)
        self._mounted, self._coloured = self.sensors, _coloured(self.sensors)
        self._corruptors = dict(corruptors or {})
        slots = [s.name for s in task.spec.sensors] + [INSTRUCTION]
        for name in self._corruptors:
            if name not in slots:
                raise SpecError(f"no slot '{name}' to corrupt{suggest(name, slots)}")
        self._episode: Episode | None = None
        self._loaded: tuple[str, Scene] | None = None  # the reference and what it led to
        self._step_count = 0
        self._collided = False
        self._captures: dict[str, list[tuple[int, Reading]]] = {}
        self._words = ("", "")  # (as the task says it, as the agent reads it)
        self._heard = 0
        self._track: Track = ()
        self._corrupt_s = 0.0

    # ------------------------------------------------------------------------------ the episode
    @property
    def episode(self) -> Episode:
        if self._episode is None:
            raise SimulationError("the environment has no episode yet: call reset(episode)")
        return self._episode

    @property
    def step_count(self) -> int:
        """Actions taken so far in this episode."""
        return self._step_count

    @property
    def done(self) -> bool:
        return self._episode is not None and self.task.done()

    def distance_to_goal(self) -> float:
        """Geodesic distance (m) to the goal in force; inf where no path leads to it."""
        return self.sim.geodesic(self.sim.pose.point, self.task.goals())

    def reset(self, episode: Episode) -> tuple[TaskBrief, Observation]:
        """Begin an episode: load its scene unless it is there, place the robot, start the task."""
        self._load_scene(episode)
        try:
            self.sim.place(episode.start)
        except SimulationError as error:
            raise EpisodeError(f"episode {episode.episode_id}: {error}") from None
        self.task.start(self.sim, episode)
        self._episode = episode
        self._step_count = 0
        self._collided = False
        self._captures = {sensor.spec.name: [] for sensor in self.sensors}
        self._words, self._heard = ("", ""), 0
        self._track = ()
        self._corrupt_s = 0.0
        self._mount()
        self._hear()
        self._capture()
        return self._brief(episode), self.observe()

    def step(self, action: Action) -> Step:
        """Execute one action. Events carry the index of the action that caused them (from 0)."""
        self._corrupt_s = 0.0
        motion, events = self.advance(action)
        observation = self.observe()
        return Step(observation, motion, events, self.task.done(), self._corrupt_s)

    def advance(self, action: Action) -> tuple[Motion | None, tuple[Event, ...]]:
        """``step`` without looking: readings are taken, but none is given out."""
        if self.task.done():
            raise SimulationError(
                f"episode {self.episode.episode_id} is over: call reset before another step"
            )
        motion: Motion | None = None
        if not (isinstance(action, Answer) or action in (Move.STOP, Move.FOUND)):
            motion = self._move(action)
        step = self._step_count
        events = tuple(self.task.after_step(self.sim, action, motion, step))
        self._step_count += 1
        self._collided = motion is not None and motion.collided
        if self._hear() and self._words[1] != self._words[0]:
            told: dict[str, Scalar] = {"text": self._words[1], "number": self._heard - 1}
            events = (*events, Event(step, "heard", told))
        self._capture()
        return motion, events

    def observe(self) -> Observation:
        """The present observation, in fresh arrays; equal however often it is asked for."""
        readings: dict[str, Reading] = {}
        for sensor in self._mounted:
            taken, raw = self._arrived(sensor)
            readings[sensor.spec.name] = self._spoiled(sensor.spec, raw.copy(), taken)
        return Observation(self._step_count, readings, self._words[1], self._collided)

    def shown(self) -> dict[str, int]:
        """The step at which each sensor's present reading was taken."""
        return {sensor.spec.name: self._arrived(sensor)[0] for sensor in self._mounted}

    # -------------------------------------------------------------------------------- snapshots
    def snapshot(self) -> EnvSnapshot:
        """The exact state: restoring it and acting the same gives the same bytes."""
        return EnvSnapshot(
            episode=self.episode,
            sim=self.sim.snapshot(),
            task=self.task.snapshot(),
            step_count=self._step_count,
            collided=self._collided,
            captures={name: tuple(held) for name, held in self._captures.items()},
            words=self._words,
            heard=self._heard,
            track=self._track,
        )

    def restore(self, snapshot: EnvSnapshot) -> None:
        """Go back to a snapshot of this environment, or of one made with the same arguments."""
        self._load_scene(snapshot.episode)
        self.sim.restore(snapshot.sim)
        self.task.restore(snapshot.task)
        self._episode = snapshot.episode
        self._step_count = snapshot.step_count
        self._collided = snapshot.collided
        self._captures = {name: list(held) for name, held in snapshot.captures.items()}
        self._words, self._heard = snapshot.words, snapshot.heard
        self._track = snapshot.track
        self._mount()

    # ----------------------------------------------------------------------------------- inside
    def _load_scene(self, episode: Episode) -> None:
        robot = self.task.spec.robot
        try:
            here: Scene | None = self.sim.scene
        except SimulationError:
            here = None
        wanted = self._loaded[1] if self._loaded and self._loaded[0] == episode.scene else None
        if here is not None and (here is wanted or here.id == episode.scene):
            if self.sim.robot != robot:
                self.sim.load(here, robot)
            return
        if wanted is None:
            from navproof.world.library import load_scene

            wanted = load_scene(episode.scene)
            self._loaded = (episode.scene, wanted)
        self.sim.load(wanted, robot)

    def _brief(self, episode: Episode) -> TaskBrief:
        chosen = tuple(sensor.spec for sensor in self.sensors)
        offered = {s.name for s in self.task.spec.sensors}
        brief = self.task.brief(episode, [s.name for s in chosen if s.name in offered])
        semantic = any(s.kind == "semantic" for s in chosen)
        return replace(
            brief,
            instruction=self._words[1],
            sensors=chosen,
            labels=dict(self.sim.scene.labels) if semantic else None,
            facts=_facts(self.sim.scene) if semantic else None,
            system=self._disturbance.prompt(episode.episode_id),
        )

    def _mount(self) -> None:
        """The sensors as this episode really has them."""
        if self.condition.parts_of("mount"):
            here = self.episode.episode_id
            specs = [self._disturbance.mounted(s.spec, here) for s in self.sensors]
            self._mounted = tuple(build(spec) for spec in specs)
            self._coloured = _coloured(self._mounted)

    def _move(self, command: Command) -> Motion:
        wheels = self._disturbance.wheels(self.episode.episode_id, self._step_count)
        if wheels is None:
            return self.sim.apply(command, CONTROL_DT_S)
        return self.sim.apply(command, CONTROL_DT_S, wheels)

    def _hear(self) -> bool:
        """Take up the task's words; they are corrupted once, when they come into force. Whether
        they are new."""
        words = self.task.instruction()
        if self._step_count and words == self._words[0]:
            return False
        began = time.perf_counter()
        written = self.episode.instruction
        said = written if written is not None and written.text == words else words
        heard = self._disturbance.words(said, self.episode.episode_id, self._heard)
        corruptor = self._corruptors.get(INSTRUCTION)
        if corruptor is not None:
            moment = self._disturbance.moment(self.episode.episode_id, INSTRUCTION, self._heard)
            heard = str(corruptor(heard, moment))
        if heard is not words:
            self._corrupt_s += time.perf_counter() - began
        self._words = (words, heard)
        self._heard += 1
        return True

    def _capture(self) -> None:
        """Take the readings that are due now and forget those that nobody will see again."""
        view = View(self.sim, self.task.goals(), self.episode.start, self._coloured)
        disturbance, here = self._disturbance, self.episode.episode_id
        dead_reckoned = bool(self.condition.parts_of("pose"))
        for sensor in self._mounted:
            spec = sensor.spec
            reading: Reading | None = None
            if dead_reckoned and spec.kind == "pose":
                reading = self._dead_reckon(sensor.read(view))
            if self._step_count % spec.every:
                continue
            held = self._captures[spec.name]
            if held and disturbance.lost(spec, here, self._step_count):
                continue
            held.append((self._step_count, sensor.read(view) if reading is None else reading))
            shown = self._step_count - spec.delay_steps
            while len(held) > 1 and held[1][0] <= shown:
                held.pop(0)

    def _arrived(self, sensor: Sensor) -> tuple[int, Reading]:
        """The newest reading that has arrived, with the step at which it was taken."""
        held = self._captures[sensor.spec.name]
        shown = self._step_count - sensor.spec.delay_steps
        newest = held[0]
        for taken in held:
            if taken[0] <= shown:
                newest = taken
        return newest

    def _dead_reckon(self, true: Reading) -> Reading:
        """Where the robot takes itself to be, one step on."""
        now = Pose(*(float(v) for v in true))
        if self._track:
            here = self.episode.episode_id
            self._track = self._disturbance.tracked(self._track, now, here, self._step_count)
        else:
            self._track = self._disturbance.begin_track(now)
        told = self._track[-1]
        return np.array((*told.point, told.yaw), dtype=np.float64)

    def _spoiled(self, spec: SensorSpec, reading: Reading, taken: int) -> Reading:
        """A reading as the agent gets it; ``reading`` is its own already."""
        corruptor = self._corruptors.get(spec.name)
        if not self.condition.parts and corruptor is None:
            return reading
        began = time.perf_counter()
        moment = self._disturbance.moment(self.episode.episode_id, spec.name, taken)
        if spec.kind == "rgb" or spec.kind == "depth":
            reach = spec.max_range_m
            reading = self.condition.corrupt(spec.kind, reading, moment, max_range_m=reach)
        if corruptor is not None:
            reading = corruptor(reading, moment)
        self._corrupt_s += time.perf_counter() - began
        return reading


def _coloured(sensors: Sequence[Sensor]) -> frozenset[Camera]:
    return frozenset(s.spec.camera for s in sensors if s.spec.kind == "rgb" and s.spec.camera)


def _facts(scene: Scene) -> dict[int, dict[str, Scalar]]:
    """The ground truth of every object, as ``TaskBrief.facts`` holds it."""
    rooms = {room.id: room.type for room in scene.rooms}
    facts: dict[int, dict[str, Scalar]] = {}
    for thing in scene.objects:
        facts[thing.id] = {f"attr.{k}": v for k, v in sorted(thing.attributes.items())}
        facts[thing.id] |= {"category": thing.category, "room": rooms.get(thing.room)}
        facts[thing.id]["support"] = thing.support
    return facts
