"""What an agent was given: observations of a trace, made again bit for bit.

A trace keeps poses and actions, not frames. Sensors, conditions and the embedded simulator are
deterministic, so the frames come back from the recorded poses, corruption included: what was late,
lost or drifting then is so again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from navproof.core.errors import RunError
from navproof.core.types import (
    Action,
    Answer,
    Camera,
    Command,
    Frame,
    Motion,
    Move,
    Observation,
    Velocity,
)
from navproof.corruptions.condition import Condition, parse_condition
from navproof.corruptions.protocol import Corruptor
from navproof.corruptions.robot import INSTRUCTION
from navproof.log.actions import is_late
from navproof.log.trace import Trace
from navproof.play.env import Env
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.protocol import Wheels
from navproof.tasks import make_task
from navproof.world.people.people import PersonState
from navproof.world.scene import Scene

__all__ = ["Moment", "heard_words", "moments", "pictured", "seen", "seen_in_turn"]

_STANDS = Velocity(0.0, 0.0)
"""In place of any velocity or waypoints: where they led is in the trace."""


def seen(trace: Trace, steps: Sequence[int], scene: Scene | None = None) -> list[Observation]:
    """The observations that were given at ``steps``, in that order (0: before the first action).

    ``scene`` is the episode's where it is at hand; else it is loaded. Only the frames that are
    shown are rendered. A ``RunError`` where a step is not in the trace. A run in another simulator
    is shown as the embedded one renders it, at the times that the trace has.
    """
    by_step = {obs.step: obs for obs in seen_in_turn(trace, steps, scene)}
    return [by_step[step] for step in steps]


def seen_in_turn(
    trace: Trace, steps: Iterable[int], scene: Scene | None = None
) -> Iterator[Observation]:
    """As ``seen``, one at a time: each step once, the first step first."""
    requested, last = set(steps), len(trace.actions)
    for step in requested:
        if not 0 <= step <= last:
            raise RunError(f"episode {trace.key.episode_id} has steps 0 to {last}, not {step}")
    sim = _Retracing(trace)
    if scene is not None:
        sim.load(scene, trace.spec.robot)
    parts = parse_condition(trace.key.condition).parts
    names = str(trace.facts.get("sensors") or "")
    env = Env(
        sim,
        make_task(trace.spec.task, trace.spec),
        tuple(name for name in names.split(",") if name),
        condition=Condition(tuple(p for p in parts if p.corruption.target != "words")),
        corruptors={INSTRUCTION: heard_words(trace)},
        seed=trace.key.seed,
    )
    capture_steps = {
        at for _ in _walk(env, sim, trace, requested, ()) for at in env.shown().values()
    }
    for _ in _walk(env, sim, trace, requested, capture_steps):
        yield env.observe()


def pictured(
    trace: Trace, steps: Iterable[int], camera: Camera, scene: Scene | None = None
) -> Iterator[Frame]:
    """What a camera would have shown, undisturbed, at each of the steps, the first one first: with
    the people where they were then, and the robot's sway."""
    requested = set(steps)
    sim = _Retracing(trace)
    if scene is not None:
        sim.load(scene, trace.spec.robot)
    env = Env(sim, make_task(trace.spec.task, trace.spec), ())
    for _ in _walk(env, sim, trace, requested, requested):
        yield sim.render(camera)


@dataclass(frozen=True, slots=True)
class Moment:
    """What was so at a step, beside what the trace tells: seconds since the episode began, and
    where the people were."""

    step: int
    time_s: float
    people: tuple[PersonState, ...]


def moments(trace: Trace, steps: Iterable[int], scene: Scene | None = None) -> Iterator[Moment]:
    """Each of the steps, the first one first; nothing is rendered."""
    requested = set(steps)
    sim = _Retracing(trace)
    if scene is not None:
        sim.load(scene, trace.spec.robot)
    env = Env(sim, make_task(trace.spec.task, trace.spec), ())
    for step in _walk(env, sim, trace, requested, ()):
        yield Moment(step, sim.time_s, tuple(sim.people()))


def heard_words(trace: Trace) -> Corruptor:
    """The words as they were heard, out of the trace; others stay as they are."""
    texts = {e.data.get("number"): str(e.data["text"]) for e in trace.events if e.kind == "heard"}
    return lambda x, moment: texts.get(moment.step, x)


def _walk(
    env: Env, sim: _Retracing, trace: Trace, requested: Collection[int], rendered: Collection[int]
) -> Iterator[int]:
    """Go through the trace, rendering at the steps ``rendered`` only; stop at each wanted one."""
    sim.begin_again(rendered)
    for step in range(max(requested, default=-1) + 1):
        if step == 0:
            env.reset(trace.episode)
        else:
            sim.begin(step)
            for _ in env.delay(trace.delays.took_s[step - 1] if trace.delays.took_s else 0.0):
                pass
            if is_late(trace.actions[step - 1]):
                env.come_too_late()
            else:
                env.advance(_action(trace.actions[step - 1]))
        if step in requested:
            yield step


def _action(words: str) -> Action:
    if words in tuple(Move):
        return Move(words)
    return Answer("") if words.startswith("answer") else _STANDS


class _Retracing(EmbeddedSimulator):
    """Goes where a trace went, whatever it is told, and renders only at ``rendered`` steps."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace
        self._first_slices = list(accumulate(trace.delays.slices, initial=0))
        self._slice = 0
        self._rests = True
        self.step = 0
        self.rendered: Collection[int] = ()

    def begin_again(self, rendered: Collection[int]) -> None:
        self.rendered, self.step, self._slice, self._rests = rendered, 0, 0, True

    def begin(self, step: int) -> None:
        """What comes next is the action before ``step``, and the delay before that."""
        self.step = step
        self._slice = self._first_slices[step - 1] if self._trace.delays.slices else 0

    def apply(self, command: Command, dt_s: float = 0.1, wheels: Wheels | None = None) -> Motion:
        times = self._trace.channels.get("time_s")
        at_s = None if times is None else times[self.step]
        self.follow(command, self._trace.poses[self.step], dt_s, at_s)
        self._rests = isinstance(command, Move)
        return Motion(self.pose, self._trace.collisions[self.step - 1], 0.0)

    def go_on(self, dt_s: float, wheels: Wheels | None = None) -> Motion:
        delays, now = self._trace.delays, self._slice
        self._slice += 1
        then_s = round(self.time_s + dt_s, 9)
        if now >= self._first_slices[self.step]:  # the episode was over: the robot had fallen, say
            self.follow(_STANDS, self.pose, dt_s, then_s)
            return Motion(self.pose, False, 0.0)
        times = delays.channels.get("time_s")
        command = Move.FORWARD if self._rests else _STANDS
        self.follow(command, delays.poses[now], dt_s, then_s if times is None else times[now])
        return Motion(self.pose, delays.collisions[now], 0.0)

    def render(self, camera: Camera, *, colour: bool = True) -> Frame:
        if self.step in self.rendered:
            return super().render(camera, colour=colour)
        size = (camera.height, camera.width)
        return Frame(
            np.zeros((*size, 3), np.uint8), np.zeros(size, np.float32), np.zeros(size, np.int32)
        )
