"""The conformance checks of sensors: readings as declared, repeatable, and nobody else's."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from navproof.check.elsewhere import same_elsewhere
from navproof.check.result import Check, NotChecked, Wrong, checked, other_global_seed
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import NavproofError
from navproof.core.names import parse_name
from navproof.core.types import Camera, Episode, Mount, Move, SensorSpec
from navproof.play.env import Env
from navproof.sensors import (
    SENSORS,
    Reading,
    ReadingSpec,
    Sensor,
    View,
    build,
    coloured,
    with_sensors,
)
from navproof.sensors.config import load_sensors
from navproof.tasks import TASKS, make_task, spec_for
from navproof.tasks.protocol import HasSubTasks

__all__ = ["check_sensor"]

_WALK = (
    *(Move.FORWARD, Move.LEFT, Move.FORWARD, Move.FORWARD, Move.RIGHT),
    *(Move.RIGHT, Move.FORWARD, Move.LEFT, Move.FORWARD, Move.FORWARD),
)
_STEPS = 40
_MOUNT = Mount(height_m=0.5)
_SLOW_S = 0.5


def check_sensor(name: str, *, elsewhere: bool | None = None) -> tuple[Check, ...]:
    """All checks of a kind of sensor by its name or reference, with options if it takes any, or of
    every sensor of a file. ``elsewhere``: whether to ask other processes, too (by default for
    those from outside)."""
    is_file = name.endswith(".toml")
    try:
        specs = load_sensors(name) if is_file else (_usual_spec(name),)
        players = [_Player(spec) for spec in specs]
    except NavproofError as error:
        mend = "a sensor is a class made of a SensorSpec, with reading (a ReadingSpec), read(view)"
        return (Check("loads", False, str(error), mend),)
    checks: list[Check] = []
    for player in players:
        mine = player.checks()
        outside = SENSORS.origin(player.spec.kind) is not None
        fine = all(check.ok is not False for check in mine)
        if not is_file and (outside if elsewhere is None else elsewhere) and fine:
            mine.append(same_elsewhere(_digest, name))
        label = f"{player.spec.name}: " if is_file else ""
        checks += [replace(check, name=label + check.name) for check in mine]
    return tuple(checks)


def _usual_spec(name: str) -> SensorSpec:
    """A sensor of a kind with usual settings, and the options in its name."""
    written = parse_name(name, "sensor kind")
    kind = SENSORS.get(written.ref)
    for task in map(TASKS.get, TASKS.built_in()):
        given = [s for s in task.spec.sensors if s.kind == written.ref]
        if given:  # with its name, as only that task knows it
            camera = given[0].camera and replace(given[0].camera, width=64, height=48)
            return replace(given[0], camera=camera)
    if kind.rehearsal is not None and kind.rehearsal.camera is None:
        return replace(kind.rehearsal, mount=kind.rehearsal.mount or _MOUNT)
    cameras = {"pinhole": Camera(64, 48), "around": Camera(64, 32, 360.0)}
    camera = cameras.get(kind.camera)
    mount = None if camera else _MOUNT
    return SensorSpec("checked", written.ref, camera, mount=mount, options=written.options)


class _Player:
    """One sensor on the robot of a task that it is made for, in the two-room flat."""

    def __init__(self, spec: SensorSpec) -> None:
        self.spec = spec
        tasks = [t for t in map(TASKS.get, TASKS.built_in()) if spec.kind in _kinds(t.spec.sensors)]
        self.task = tasks[0].id if tasks else "pointnav-v1"
        self.sensor: Sensor = build(spec)
        self.form: ReadingSpec = self.sensor.reading
        self.sim = tiny_simulator(self.task)
        self.episode: Episode = tiny_episode(self.task, self.sim, budget_steps=_STEPS)

    def env(self, seed: int = 0, episode: str = "") -> Env:
        """An environment with this sensor alone, at the start of the episode."""
        settings = with_sensors(spec_for(self.task), (self.spec,))
        env = Env(self.sim, make_task(self.task, settings), (self.spec.name,), seed=seed)
        env.reset(replace(self.episode, episode_id=episode or self.episode.episode_id))
        return env

    def view(self, env: Env) -> View:
        """The world now, as the environment shows it to sensors."""
        lead = env.task.lead() if isinstance(env.task, HasSubTasks) else None
        return View(
            env.sim,
            env.task.goals(),
            env.episode.start,
            coloured((self.sensor,)),
            episode=env.episode.episode_id,
            step=env.step_count,
            lead=lead,
        )

    def walk(self, env: Env, moves: tuple[Move, ...] = _WALK) -> list[Reading]:
        found = [env.observe().readings[self.spec.name]]
        found += [env.step(move).observation.readings[self.spec.name] for move in moves]
        return found

    # ------------------------------------------------------------------------------- checks
    def checks(self) -> list[Check]:
        form = self.form
        what = f"{form.dtype} {form.shape}, {_bounds(form)}"
        tests: tuple[tuple[str, str, Callable[[], str]], ...] = (
            (
                "readings as declared",
                "let `reading` say the shape, dtype and bounds of what read(view) returns",
                self.as_declared,
            ),
            (
                "readings are its own",
                "return a fresh array each time, a copy of what view.frame gave",
                self.unshared,
            ),
            (
                "same moment, same reading",
                "keep nothing from one read to the next; draw noise from view.fresh(name, stream) "
                "and view.lasting(name, stream) alone",
                self.stateless,
            ),
            (
                "same episode, same readings",
                "draw noise from view.fresh and view.lasting alone",
                self.deterministic,
            ),
            (
                "goes on after a restore",
                "keep nothing in the sensor: what an episode needs is in the view (past, step)",
                self.restores,
            ),
            ("tells something", "", self.varies),
            ("noise", "", self.noise),
            ("cost", "render smaller or fewer cameras", self.cost),
        )
        found = [Check("loads", True, what)]
        for name, mend, test in tests:
            found.append(checked(name, mend, test))
            if name == "readings as declared" and not found[-1].ok:
                break  # all others would say the same
        return found

    def as_declared(self) -> str:
        readings = self.walk(self.env())
        for step, value in enumerate(readings):
            why = _unlike(self.form, value)
            if why:
                raise Wrong(f"at step {step} {why}")
        return f"{len(readings)} readings"

    def unshared(self) -> str:
        env = self.env()
        view = self.view(env)
        first = self.sensor.read(view)
        kept, again = first.copy(), self.sensor.read(view)
        if np.shares_memory(first, again):
            raise Wrong("two readings share memory")
        if not first.flags.writeable:
            raise Wrong("a reading cannot be written to: the agent may change what it is given")
        first.fill(0)
        if not np.array_equal(self.sensor.read(view), kept, equal_nan=_is_float(kept)):
            raise Wrong("what is done to a reading changes the next one")
        return "each is a fresh array"

    def stateless(self) -> str:
        env = self.env()
        first = self.sensor.read(self.view(env))
        aside = self.env()
        self.walk(aside, _WALK[:3])
        self.sensor.read(self.view(aside))
        again = self.sensor.read(self.view(self.env()))
        _assert_same([first], [again], "read again after a walk, the first reading")
        return "read again after a walk, the first reading is the same"

    def deterministic(self) -> str:
        first = self.walk(self.env())
        with other_global_seed():
            again = self.walk(self.env())
        _assert_same(first, again, "in the same episode again, the reading")
        return f"{len(first)} readings twice alike"

    def restores(self) -> str:
        env = self.env()
        half = len(_WALK) // 2
        self.walk(env, _WALK[:half])
        state = env.snapshot()
        first = self.walk(env, _WALK[half:])
        for _ in range(2):
            env.restore(state)
            again = self.walk(env, _WALK[half:])
            _assert_same(first, again, "after going back, the reading")
        return "readings after going back are the same, twice"

    def varies(self) -> str:
        readings = self.walk(self.env())
        if all(_same(readings[0], one) for one in readings):
            raise NotChecked("its reading never changed over a walk of ten steps")
        return "readings change over a walk"

    def noise(self) -> str:
        one, other = self.walk(self.env(seed=0)), self.walk(self.env(seed=1))
        if all(_same(a, b) for a, b in zip(one, other, strict=True)):
            return "none: another seed gives the same readings"
        return "another seed gives other readings"

    def cost(self) -> str:
        env = self.env()
        seconds = []
        for _ in range(4):
            view = self.view(env)
            began = time.perf_counter()
            self.sensor.read(view)
            seconds.append(time.perf_counter() - began)
        said = f"{1e3 * min(seconds):.1f} ms a reading in a small flat"
        if min(seconds) > _SLOW_S:
            raise Wrong(f"{said}; over {_SLOW_S:g} s for every step")
        return said


def _unlike(form: ReadingSpec, value: Reading) -> str:
    """Why ``value`` is not what ``form`` says; "" where it is."""
    if value.dtype != np.dtype(form.dtype) or not form.fits(value.shape):
        return f"it read {value.dtype} {value.shape}, but says {form.dtype} {form.shape}"
    if value.size == 0:
        return ""
    numbers = value.astype(np.float64)
    if not np.isfinite(numbers).all():
        return "it read numbers that are not finite"
    low, high = np.array(form.low), np.array(form.high)
    if (numbers < low).any() or (numbers > high).any():
        return f"it read {numbers.min():g} to {numbers.max():g}, but says {_bounds(form)}"
    return ""


def _bounds(form: ReadingSpec) -> str:
    return f"from {_short(form.low)} to {_short(form.high)}"


def _short(bound: float | tuple[float, ...]) -> str:
    if isinstance(bound, tuple):
        return f"({', '.join(f'{one:g}' for one in bound)})"
    return f"{bound:g}"


def _kinds(sensors: tuple[SensorSpec, ...]) -> set[str]:
    return {sensor.kind for sensor in sensors}


def _is_float(value: Reading) -> bool:
    return bool(np.issubdtype(value.dtype, np.floating))


def _same(one: Reading, other: Reading) -> bool:
    return one.dtype == other.dtype and np.array_equal(one, other)


def _assert_same(first: list[Reading], again: list[Reading], what: str) -> None:
    for step, (one, other) in enumerate(zip(first, again, strict=True)):
        if not _same(one, other):
            raise Wrong(f"{what} differs at step {step}")


def _digest(name: str) -> str:
    player = _Player(_usual_spec(name))
    digest = hashlib.sha256()
    for reading in player.walk(player.env()):
        digest.update(np.ascontiguousarray(reading).tobytes())
    return digest.hexdigest()
