"""The one loop: an episode, seen through sensors, changed by actions, judged by a task."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from navproof.core.errors import EpisodeError, SimulationError, SpecError
from navproof.core.registry import suggest
from navproof.core.types import (
    FIRST_PERSON_ID,
    Action,
    Answer,
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
from navproof.corruptions.condition import CLEAN, Condition
from navproof.corruptions.protocol import Corruptor
from navproof.corruptions.robot import INSTRUCTION, Disturbance, Track
from navproof.sensors import Reading, Sensor, Tick, View, build, choose, coloured, kind_of, reads
from navproof.sensors.own import own_condition, remounted, spoiled
from navproof.sim.protocol import Simulator, Wheels
from navproof.sim.registry import going_on
from navproof.tasks.protocol import HasSubTasks, JudgesDelays, Measures, Task
from navproof.world.people.people import APPEARANCES
from navproof.world.scene import Scene

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["CONTROL_DT_S", "INSTRUCTION", "Env", "EnvSnapshot", "Slice", "Step", "object_facts"]

CONTROL_DT_S = 0.1
"""Time of one velocity or waypoint command (10 Hz), and of a slice of a delay."""
_INSTANT_S = 1e-9


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
class Slice:
    """A piece of the time that an agent takes: what the robot did meanwhile, and what happened."""

    motion: Motion
    events: tuple[Event, ...]


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
    past: tuple[Tick, ...]
    ahead_s: float = 0.0
    driven_step: int = -1


class Env:
    """One robot, one task, one episode at a time.

    ``sensors`` are names out of the task's spec (None: its standard ones); only they are
    computed, and sensors with the same camera share one render.

    ``condition`` is what the robot, its sensors and the words suffer (see
    ``navproof.corruptions``); the brief tells of sensors as they should be. ``corruptors`` maps a
    sensor's name, or ``"instruction"``, to one's own in that slot, after the condition's. What
    they draw depends on ``(seed, episode id, slot, step of capture)`` alone (for words: the
    number of the instruction), so a corrupted episode is the same whatever ran before it. A
    sensor's own condition (``SensorSpec.corrupt``) comes before both.

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
        if task.spec.clock != "wait":
            going_on(sim)
        self.sim = sim
        self.task = task
        self.seed = seed
        self.condition = condition
        self.sensors: tuple[Sensor, ...] = tuple(build(s) for s in choose(task.spec, sensors))
        self._disturbance = Disturbance(condition, seed, rewriter)
        self._own = {
            s.spec.name: own_condition(s.spec, seed) for s in self.sensors if s.spec.corrupt
        }
        self._mounted, self._coloured = self.sensors, coloured(self.sensors)
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
        self._past: tuple[Tick, ...] = ()
        self._corrupt_s = 0.0
        self._bumped = False  # in the time that the agent took for the action that comes
        self._ahead_s = 0.0  # by so much the simulator's clock has gone on too far
        self._driven_step = -1  # of the last command to the simulator

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

    @property
    def mounted(self) -> tuple[Sensor, ...]:
        """The sensors as this episode really has them: the brief tells how they should be."""
        return self._mounted

    def distance_to_goal(self) -> float:
        """Geodesic distance (m) to the goal in force; inf where no path leads to it."""
        return self.sim.geodesic(self.sim.pose.point, self.task.goals())

    def measure(self) -> dict[str, float]:
        """What the task measures now, in order of names; nothing where it measures nothing."""
        if not isinstance(self.task, Measures):
            return {}
        measured = self.task.measure(self.sim)
        return {name: float(measured[name]) for name in sorted(measured)}

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
        self._past = ((self.sim.time_s, self.sim.pose),)
        self._corrupt_s = 0.0
        self._bumped, self._ahead_s, self._driven_step = False, 0.0, -1
        self._mount()
        self._hear()
        self._capture()
        return self._brief(episode), self.observe()

    def step(self, action: Action) -> Step:
        """Execute one action. Events carry the index of the action that caused them (from 0). What
        the words and the first readings cost belongs to the first step."""
        if self._step_count:
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
            self._driven_step = self._step_count
            self._note_time()
        step = self._step_count
        events = tuple(self.task.after_step(self.sim, action, motion, step))
        self._end_step(motion)
        if self._hear() and self._words[1] != self._words[0]:
            data: dict[str, Scalar] = {"text": self._words[1], "number": self._heard - 1}
            events = (*events, Event(step, "heard", data))
        self._capture()
        return motion, events

    def delay(self, delay_s: float) -> Iterator[Slice]:
        """Let the world go on for so long before the next action, in slices of ``CONTROL_DT_S``
        and a rest, each judged by the task; no further than to the end of the episode. Each slice
        passes when it is asked for. No reading is taken: an agent that makes up its mind looks at
        what it was given.

        A simulator that counts time in ticks passes the delay to the nearest of them, and makes
        good for it in the next one.
        """
        sim = self.sim
        until_s = round(sim.time_s - self._ahead_s + delay_s, 9)
        number = 0
        while until_s - sim.time_s > _INSTANT_S and not self.task.done():
            began_s = sim.time_s
            dt_s = min(CONTROL_DT_S, round(until_s - began_s, 9))
            motion = going_on(sim).go_on(dt_s, self._last_wheels(dt_s))
            if not sim.time_s > began_s:
                raise SimulationError("the simulator's go_on let no time pass")
            self._bumped = self._bumped or motion.collided
            self._note_time()
            events: list[Event] = []
            if isinstance(self.task, JudgesDelays):
                told = self.task.in_delay(self.sim, motion, self._step_count)
                events = [replace(event, in_delay=number) for event in told]
            yield Slice(motion, tuple(events))
            number += 1
        self._ahead_s = max(0.0, round(sim.time_s - until_s, 9))

    def come_too_late(self) -> Step:
        """In place of ``step``, of an agent that took so long that the episode was over before
        its action: it is not carried out. Readings are taken, as after any action."""
        self._corrupt_s = 0.0
        self._end_step(None)
        self._capture()
        return Step(self.observe(), None, (), self.task.done(), self._corrupt_s)

    def observe(self, *, clean: bool = False) -> Observation:
        """The present observation, in fresh arrays; equal however often it is asked for. ``clean``:
        readings as they were taken, before the condition spoils them; the words stay."""
        readings: dict[str, Reading] = {}
        for sensor in self._mounted:
            step, raw = self._arrived(sensor)
            name = sensor.spec.name
            readings[name] = raw.copy() if clean else self._spoiled(sensor.spec, raw.copy(), step)
        time_s = self.sim.time_s
        return Observation(self._step_count, readings, self._words[1], self._collided, time_s)

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
            captures={name: tuple(captures) for name, captures in self._captures.items()},
            words=self._words,
            heard=self._heard,
            track=self._track,
            past=self._past,
            ahead_s=self._ahead_s,
            driven_step=self._driven_step,
        )

    def restore(self, snapshot: EnvSnapshot) -> None:
        """Go back to a snapshot of this environment, or of one made with the same arguments."""
        self._load_scene(snapshot.episode)
        self.sim.restore(snapshot.sim)
        self.task.restore(snapshot.task)
        self._episode = snapshot.episode
        self._step_count = snapshot.step_count
        self._collided = snapshot.collided
        self._captures = {name: list(captures) for name, captures in snapshot.captures.items()}
        self._words, self._heard = snapshot.words, snapshot.heard
        self._track, self._past = snapshot.track, snapshot.past
        self._bumped, self._ahead_s = False, snapshot.ahead_s
        self._driven_step = snapshot.driven_step
        self._mount()

    # ----------------------------------------------------------------------------------- inside
    def _load_scene(self, episode: Episode) -> None:
        robot = self.task.spec.robot
        try:
            here: Scene | None = self.sim.scene
        except SimulationError:
            here = None
        scene = self._loaded[1] if self._loaded and self._loaded[0] == episode.scene else None
        if here is not None and (here is scene or here.id == episode.scene):
            if episode.people or self.sim.robot != robot or self.sim.people():
                self._load(here, episode)
            return
        if scene is None:
            from navproof.world.library import load_scene

            scene = load_scene(episode.scene)
            self._loaded = (episode.scene, scene)
        self._load(scene, episode)

    def _load(self, scene: Scene, episode: Episode) -> None:
        spec = self.task.spec
        if not episode.people:
            self.sim.load(scene, spec.robot)
            return
        try:
            self.sim.load(scene, spec.robot, episode.people, reacting=spec.reacting_people)
        except EpisodeError as error:
            raise EpisodeError(f"episode {episode.episode_id}: {error}") from None

    def _brief(self, episode: Episode) -> TaskBrief:
        sensor_specs = tuple(sensor.spec for sensor in self.sensors)
        offered = {s.name for s in self.task.spec.sensors}
        brief = self.task.brief(episode, [s.name for s in sensor_specs if s.name in offered])
        semantic = any(kind_of(s).labels for s in sensor_specs)
        return replace(
            brief,
            instruction=self._words[1],
            sensors=sensor_specs,
            labels=dict(self.sim.scene.labels) | _people(episode) if semantic else None,
            facts=object_facts(self.sim.scene, episode) if semantic else None,
            system=self._disturbance.prompt(episode.episode_id),
            clock=self.task.spec.clock,
        )

    def _mount(self) -> None:
        """The sensors as this episode really has them."""
        if self.condition.parts_of("mount") or self._own:
            self._mounted = tuple(self._really(sensor) for sensor in self.sensors)
            self._coloured = coloured(self._mounted)

    def _really(self, sensor: Sensor) -> Sensor:
        nominal, here = sensor.spec, self.episode.episode_id
        own = self._own.get(nominal.name)
        spec = nominal if own is None else own.mounted(nominal, here)
        spec = remounted(self._disturbance, spec, here)
        return sensor if spec == nominal else build(spec)

    def _move(self, command: Command) -> Motion:
        wheels = self._disturbance.wheels(self.episode.episode_id, self._step_count)
        if wheels is None:
            return self.sim.apply(command, CONTROL_DT_S)
        return self.sim.apply(command, CONTROL_DT_S, wheels)

    def _last_wheels(self, dt_s: float) -> Wheels | None:
        """How the wheels that carry on with the last command do so; what they veer belongs to the
        time of a whole one."""
        if self._driven_step < 0:
            return None
        wheels = self._disturbance.wheels(self.episode.episode_id, self._driven_step)
        if wheels is None:
            return None
        return replace(wheels, veer_rad=wheels.veer_rad * dt_s / CONTROL_DT_S)

    def _note_time(self) -> None:
        if self.sim.time_s > self._past[-1][0]:
            self._past = (*self._past[-2:], (self.sim.time_s, self.sim.pose))

    def _end_step(self, motion: Motion | None) -> None:
        self._step_count += 1
        self._collided = self._bumped or (motion is not None and motion.collided)
        self._bumped = False

    def _hear(self) -> bool:
        """Take up the task's words; they are corrupted once, when they come into force. Whether
        they are new."""
        words = self.task.instruction()
        if self._step_count and words == self._words[0]:
            return False
        began = time.perf_counter()
        instruction = self.episode.instruction
        text = instruction if instruction is not None and instruction.text == words else words
        altered = self._disturbance.words(text, self.episode.episode_id, self._heard)
        corruptor = self._corruptors.get(INSTRUCTION)
        if corruptor is not None:
            moment = self._disturbance.moment(self.episode.episode_id, INSTRUCTION, self._heard)
            altered = str(corruptor(altered, moment))
        if altered is not words:
            self._corrupt_s += time.perf_counter() - began
        self._words = (words, altered)
        self._heard += 1
        return True

    def _capture(self) -> None:
        """Take the readings that are due now and forget those that nobody will see again."""
        disturbance, here = self._disturbance, self.episode.episode_id
        view = View(
            self.sim,
            self.task.goals(),
            self.episode.start,
            self._coloured,
            past=self._past,
            seed=self.seed,
            episode=here,
            step=self._step_count,
            lead=self.task.lead() if isinstance(self.task, HasSubTasks) else None,
        )
        dead_reckoned = bool(self.condition.parts_of("pose"))
        for sensor in self._mounted:
            spec = sensor.spec
            reading: Reading | None = None
            if dead_reckoned and reads(spec) == "pose":
                reading = self._dead_reckon(sensor.read(view))
            if self._step_count % spec.every:
                continue
            captures = self._captures[spec.name]
            if captures and disturbance.lost(spec, here, self._step_count):
                continue
            own = self._own.get(spec.name)
            if captures and own is not None and own.lost(spec, here, self._step_count):
                continue
            captures.append((self._step_count, sensor.read(view) if reading is None else reading))
            shown_step = self._step_count - spec.delay_steps
            while len(captures) > 1 and captures[1][0] <= shown_step:
                captures.pop(0)

    def _arrived(self, sensor: Sensor) -> tuple[int, Reading]:
        """The newest reading that has arrived, with the step at which it was taken."""
        captures = self._captures[sensor.spec.name]
        shown_step = self._step_count - sensor.spec.delay_steps
        newest = captures[0]
        for capture_step in captures:
            if capture_step[0] <= shown_step:
                newest = capture_step
        return newest

    def _dead_reckon(self, true: Reading) -> Reading:
        """Where the robot takes itself to be, one step on."""
        now = Pose(*(float(v) for v in true))
        if self._track:
            here = self.episode.episode_id
            self._track = self._disturbance.tracked(self._track, now, here, self._step_count)
        else:
            self._track = self._disturbance.begin_track(now)
        estimate = self._track[-1]
        return np.array((*estimate.point, estimate.yaw), dtype=np.float64)

    def _spoiled(self, spec: SensorSpec, reading: Reading, step: int) -> Reading:
        """A reading as the agent gets it; ``reading`` is its own already."""
        corruptor, own = self._corruptors.get(spec.name), self._own.get(spec.name)
        if not self.condition.parts and corruptor is None and own is None:
            return reading
        began, here = time.perf_counter(), self.episode.episode_id
        moment = self._disturbance.moment(here, spec.name, step)
        if own is not None:
            reading = own.spoiled(spec, reading, here, step)
        reading = spoiled(self.condition, spec, reading, moment)
        if corruptor is not None:
            reading = corruptor(reading, moment)
        self._corrupt_s += time.perf_counter() - began
        return reading


def _people(episode: Episode) -> dict[int, str]:
    """The labels of an episode's people."""
    return {FIRST_PERSON_ID + i: "person" for i in range(len(episode.people))}


def object_facts(scene: Scene, episode: Episode) -> dict[int, dict[str, Scalar]]:
    """The ground truth of every object and person, as ``TaskBrief.facts`` holds it."""
    rooms = {room.id: room.type for room in scene.rooms}
    facts: dict[int, dict[str, Scalar]] = {}
    for thing in scene.objects:
        facts[thing.id] = {f"attr.{k}": v for k, v in sorted(thing.attributes.items())}
        facts[thing.id] |= {"category": thing.category, "room": rooms.get(thing.room)}
        facts[thing.id]["support"] = thing.support
    for number, walk in enumerate(episode.people, start=FIRST_PERSON_ID):
        looks = APPEARANCES[walk.appearance].attributes
        facts[number] = {f"attr.{k}": v for k, v in sorted(looks.items())}
        facts[number] |= {"category": "person", "room": None, "support": None}
    return facts
