"""The one loop: an episode, seen through sensors, changed by actions, judged by a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from navproof.errors import EpisodeError, SimulationError, SpecError
from navproof.registry import suggest
from navproof.seeding import rng
from navproof.sensors import Corruptor, Reading, Sensor, View, build, choose
from navproof.sim.protocol import Simulator
from navproof.tasks.protocol import Task
from navproof.types import (
    Action,
    Answer,
    Episode,
    Event,
    Motion,
    Move,
    Observation,
    Scalar,
    TaskBrief,
)
from navproof.world.scene import Scene

__all__ = ["CONTROL_DT_S", "INSTRUCTION", "Env", "EnvSnapshot", "Step"]

CONTROL_DT_S = 0.1
"""Time of one velocity or waypoint command (10 Hz)."""
INSTRUCTION = "instruction"
"""The corruptor slot of the words."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What one action led to. ``motion`` is None when the action did not move the robot."""

    observation: Observation
    motion: Motion | None
    events: tuple[Event, ...]
    done: bool


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


class Env:
    """One robot, one task, one episode at a time.

    ``sensors`` are names out of the task's spec (None: its standard ones); only they are
    computed, and sensors with the same camera share one render. ``corruptors`` maps a sensor's
    name, or ``"instruction"``, to what stands in its slot; the generator it gets depends on
    ``(seed, episode id, slot, step of capture)`` alone, so a corrupted episode is the same
    whatever ran before it.

    A sensor with ``every`` = n takes a reading at steps 0, n, 2n, …; it arrives ``delay_steps``
    later. Until the first one has arrived, the reading of step 0 is given.
    """

    def __init__(
        self,
        sim: Simulator,
        task: Task,
        sensors: Sequence[str] | None = None,
        *,
        corruptors: Mapping[str, Corruptor] | None = None,
        seed: int = 0,
    ) -> None:
        self.sim = sim
        self.task = task
        self.seed = seed
        self.sensors: tuple[Sensor, ...] = tuple(build(s) for s in choose(task.spec, sensors))
        self._coloured = frozenset(
            s.spec.camera for s in self.sensors if s.spec.kind == "rgb" and s.spec.camera
        )
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
        self._words = ("", "")
        self._hear()
        self._capture()
        return self._brief(episode), self.observe()

    def step(self, action: Action) -> Step:
        """Execute one action. Events carry the index of the action that caused them (from 0)."""
        if self.task.done():
            raise SimulationError(
                f"episode {self.episode.episode_id} is over: call reset before another step"
            )
        motion: Motion | None = None
        if not (isinstance(action, Answer) or action in (Move.STOP, Move.FOUND)):
            motion = self.sim.apply(action, CONTROL_DT_S)
        events = tuple(self.task.after_step(self.sim, action, motion, self._step_count))
        self._step_count += 1
        self._collided = motion is not None and motion.collided
        self._hear()
        self._capture()
        return Step(self.observe(), motion, events, self.task.done())

    def observe(self) -> Observation:
        """The present observation, in fresh arrays; equal however often it is asked for."""
        readings: dict[str, Reading] = {}
        for sensor in self.sensors:
            name = sensor.spec.name
            taken, raw = self._arrived(sensor)
            corruptor = self._corruptors.get(name)
            if corruptor is None:
                readings[name] = raw.copy()
            else:
                readings[name] = corruptor(raw.copy(), self._rng(name, taken))
        return Observation(self._step_count, readings, self._words[1], self._collided)

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
        self._words = snapshot.words

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
        )

    def _hear(self) -> None:
        """Take up the task's words; they are corrupted once, when they come into force."""
        words = self.task.instruction()
        if self._step_count and words == self._words[0]:
            return
        corruptor = self._corruptors.get(INSTRUCTION)
        heard = words
        if corruptor is not None:
            heard = str(corruptor(words, self._rng(INSTRUCTION, self._step_count)))
        self._words = (words, heard)

    def _capture(self) -> None:
        """Take the readings that are due now and forget those that nobody will see again."""
        view = View(self.sim, self.task.goals(), self.episode.start, self._coloured)
        for sensor in self.sensors:
            spec = sensor.spec
            if self._step_count % spec.every:
                continue
            held = self._captures[spec.name]
            held.append((self._step_count, sensor.read(view)))
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

    def _rng(self, slot: str, step: int) -> Any:
        return rng(self.seed, self.episode.episode_id, f"corrupt.{slot}", step)


def _facts(scene: Scene) -> dict[int, dict[str, Scalar]]:
    """The ground truth of every object, as ``TaskBrief.facts`` holds it."""
    rooms = {room.id: room.type for room in scene.rooms}
    facts: dict[int, dict[str, Scalar]] = {}
    for thing in scene.objects:
        facts[thing.id] = {f"attr.{k}": v for k, v in sorted(thing.attributes.items())}
        facts[thing.id] |= {"category": thing.category, "room": rooms.get(thing.room)}
        facts[thing.id]["support"] = thing.support
    return facts
