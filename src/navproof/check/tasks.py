"""The conformance checks of tasks: settings, rules that end and repeat, and a maker of episodes."""

from __future__ import annotations

import itertools
import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from navproof.check.playing import env_for, played_by, small, steps_of
from navproof.check.result import Check, Wrong, checked, other_global_seed
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import NavproofError, type_of
from navproof.core.types import Action, Episode, Event, Move, Pose
from navproof.play.env import Env, Step
from navproof.sensors import build
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import TASKS, spec_for, spec_hash, task_id
from navproof.tasks.episodes import episode_from_json, episode_to_json
from navproof.tasks.generate import make_episodes, open_site
from navproof.tasks.kind import TaskKind
from navproof.tasks.protocol import Measures
from navproof.tasks.validate import validate_episode

__all__ = ["check_task"]

F, L, R = Move.FORWARD, Move.LEFT, Move.RIGHT
_WALK: tuple[Action, ...] = (F, L, F, F, R, R, F, L, F, F)
_STEPS = 400
_SCENE = "home/val/0"


def check_task(name: str, *, scene: str | None = _SCENE, count: int = 2) -> tuple[Check, ...]:
    """All checks of a task by its name or reference. Its maker is asked for ``count`` episodes in
    ``scene`` (None: it is not asked)."""
    try:
        kind = TASKS.get(task_id(name))
    except NavproofError as error:
        mend = "a task is a TaskKind: PATROL = TaskKind('patrol', …, spec=SPEC, rules=Patrol)"
        return (Check("loads", False, str(error), mend),)
    checks = [
        Check("loads", True, f"{kind.title}: {kind.about}"),
        checked("settings", "correct the TaskSpec of its TaskKind", lambda: _settings(kind)),
    ]
    player = _Player(kind)
    mend = "give its TaskKind tiny=…, a function (sim, budget_steps) -> Episode in the flat"
    checks.append(checked("tiny episode", mend, player.begin))
    if checks[-1].ok:
        checks += player.checks()
    if scene is not None and checks[1].ok:
        checks += _maker(kind, scene, count)
    return tuple(checks)


def _settings(kind: TaskKind) -> str:
    spec = kind.spec
    if spec.task != kind.id:
        raise Wrong(f"spec.task is '{spec.task}', the task is '{kind.id}'")
    if spec.budget_steps < 1 or not spec.success_m > 0.0:
        raise Wrong(f"budget_steps {spec.budget_steps}, success_m {spec.success_m}")
    names = [sensor.name for sensor in spec.sensors]
    if len(set(names)) != len(names):
        raise Wrong(f"two sensors have one name: {', '.join(names)}")
    for sensor in spec.sensors:
        build(sensor)
    return f"hash {spec_hash(spec)}; sensors {', '.join(names) or 'none'}"


class _Player:
    """Plays the tiny episode of a task with small images."""

    def __init__(self, kind: TaskKind) -> None:
        self.kind = kind
        self.spec = small(kind.spec)
        self.sim = EmbeddedSimulator()
        self.episode: Episode

    def begin(self) -> str:
        self.sim = tiny_simulator(self.kind.id)
        self.episode = tiny_episode(self.kind.id, self.sim, budget_steps=_STEPS)
        if self.episode.task != self.kind.id:
            raise Wrong(f"it is of task '{self.episode.task}', not '{self.kind.id}'")
        if episode_from_json(episode_to_json(self.episode), "tiny episode") != self.episode:
            raise Wrong("it is another one when it is read back from a file")
        goals = len(self.episode.goals)
        return f"{goals} goal{'s' * (goals != 1)}, {self.episode.geodesic_m:.2f} m to the first"

    def env(self) -> Env:
        return env_for(self.sim, self.spec)

    def short(self, steps: int) -> Episode:
        """The same episode with a smaller budget."""
        return replace(self.episode, budget_steps=steps)

    def checks(self) -> list[Check]:
        tests: tuple[tuple[str, str, Callable[[], str]], ...] = (
            (
                "brief",
                "brief(episode, sensors) tells the task, its words, the actions and the budget",
                self.brief,
            ),
            (
                "the oracle succeeds",
                "goals() are the positions of the goal in force; the episode ends with "
                "'stop' or 'found' (success) when the last one is reached",
                self.oracle,
            ),
            (
                "a random walk ends",
                "after_step must make done() true at the last step of the budget",
                self.random,
            ),
            (
                "the budget ends it",
                "after_step must make done() true at the last step of the budget",
                self.budget,
            ),
            (
                "events",
                "give Event(step, kind, data) with the step that was passed, and data of texts, "
                "numbers, booleans or None",
                self.events,
            ),
            (
                "same actions, same episode",
                "let rules depend on simulator, episode and actions alone",
                self.deterministic,
            ),
            (
                "start forgets the last episode",
                "set everything that after_step changes anew in start(sim, episode)",
                self.forgets,
            ),
            (
                "goes on after a restore",
                "snapshot() must hold everything that after_step changes, and nothing that goes on "
                "changing: copy lists and dicts, or keep a frozen dataclass",
                self.restores,
            ),
            ("leaves the robot alone", "rules look at the simulator only", self.looks_only),
            ("measures", "measure(sim) gives the same names every time, and no NaN", self.measures),
        )
        return [checked(name, mend, test) for name, mend, test in tests]

    def brief(self) -> str:
        env = self.env()
        brief, _ = env.reset(self.episode)
        if brief.task != self.kind.id:
            raise Wrong(f"brief.task is '{brief.task}', not '{self.kind.id}'")
        if not brief.instruction.strip():
            raise Wrong("the instruction is empty")
        if not brief.actions:
            raise Wrong("there are no actions")
        if not 1 <= brief.budget_steps <= self.spec.budget_steps:
            raise Wrong(f"budget_steps is {brief.budget_steps} of {self.spec.budget_steps}")
        again, _ = self.env().reset(self.episode)
        if again != brief:
            raise Wrong("a second brief of the same episode differs from the first")
        actions = ", ".join(str(action) for action in brief.actions)
        return f"“{brief.instruction[:60]}”; {actions}"

    def oracle(self) -> str:
        trace = played_by("oracle", self.sim, self.spec, self.episode)
        if trace.status != "ok":
            raise Wrong(f"{trace.status}: {trace.reason}")
        ends = [event for event in trace.events if "success" in event.data]
        if not ends or any(event.data["success"] is not True for event in ends):
            told = [f"{event.kind} {dict(event.data)}" for event in trace.events[-2:]]
            raise Wrong(f"after {len(trace.actions)} steps: {'; '.join(told) or 'no event'}")
        return f"in {len(trace.actions)} steps"

    def random(self) -> str:
        trace = played_by("random", self.sim, self.spec, self.short(60))
        if trace.status != "ok":
            raise Wrong(f"{trace.status}: {trace.reason}")
        if not trace.actions:
            raise Wrong("it was over before it began")
        return f"after {len(trace.actions)} steps: {trace.events[-1].kind if trace.events else ''}"

    def budget(self) -> str:
        steps, goals = 12, max(1, len(self.episode.goals))
        env = self.env()
        found = steps_of(env, self.short(steps * goals), (L,) * (steps * goals + 5))
        if not env.done:
            raise Wrong(f"it goes on after {len(found)} steps of {steps * goals}")
        if len(found) > steps * goals:
            raise Wrong(f"it ended after {len(found)} steps, of {steps * goals}")
        return f"turning on the spot ends after {len(found)} of {steps * goals} steps"

    def events(self) -> str:
        trace = played_by("oracle", self.sim, self.spec, self.episode)
        last = len(trace.actions) - 1
        for event in trace.events:
            why = _odd_event(event, last)
            if why:
                raise Wrong(f"event {event.kind!r}: {why}")
        for number, step in enumerate(steps_of(self.env(), self.short(8), _WALK)):
            for event in step.events:
                if event.step != number:
                    raise Wrong(f"event '{event.kind}' of step {number} says step {event.step}")
        kinds = ", ".join(dict.fromkeys(event.kind for event in trace.events))
        return kinds or "none"

    def deterministic(self) -> str:
        first = _told(self.env(), self.short(8), _WALK)
        with other_global_seed():
            again = _told(self.env(), self.short(8), _WALK)
        _assert_same(first, again, "the same actions led to something else")
        return f"{len(first)} steps twice alike"

    def forgets(self) -> str:
        env = self.env()
        first = _told(env, self.short(8), _WALK)
        again = _told(env, self.short(8), _WALK)
        _assert_same(first, again, "the same episode, played a second time, differs")
        return "a second episode goes like the first"

    def restores(self) -> str:
        env = self.env()
        episode, half = self.short(8), 3
        whole = _told(env, episode, _WALK)
        _told(env, episode, _WALK[:half])
        state = env.snapshot()
        travelled = pickle.dumps(state.task)
        for _ in range(2):
            rest = _going_on(env, _WALK[half:])
            _assert_same(whole[half:], rest, "after going back, the episode differs")
            env.restore(state)
        if pickle.dumps(env.task.snapshot()) != travelled:
            raise Wrong("the task's snapshot changed while the episode went on")
        env.restore(replace(state, task=pickle.loads(travelled)))
        rest = _going_on(env, _WALK[half:])
        _assert_same(whole[half:], rest, "after a snapshot was kept in a file, the episode differs")
        return "three times the same end"

    def looks_only(self) -> str:
        env = self.env()
        env.reset(self.short(8))
        if env.sim.pose != (start := self.start()):
            raise Wrong(f"the robot stands at {env.sim.pose}, the episode begins at {start}")
        for number, action in enumerate(_WALK):
            if env.done:
                break
            motion = env.step(action).motion
            env.measure()
            if motion is not None and motion.pose != env.sim.pose:
                raise Wrong(f"the rules moved the robot at step {number}")
        return "it stands where its moves led it"

    def start(self) -> Pose:
        """Where the simulator puts the robot for the episode."""
        self.sim.place(self.episode.start)
        return self.sim.pose

    def measures(self) -> str:
        env = self.env()
        env.reset(self.short(8))
        if not isinstance(env.task, Measures):
            return "nothing"
        names = list(env.measure())
        for move in _WALK:
            if env.done:
                break
            env.step(move)
            now = env.measure()
            if list(now) != names:
                raise Wrong(f"it measured {', '.join(names)}, then {', '.join(now)}")
            if any(np.isnan(value) for value in now.values()):
                raise Wrong("it measured NaN")
        return ", ".join(names[:4]) + (", …" if len(names) > 4 else "")


def _maker(kind: TaskKind, scene: str, count: int) -> list[Check]:
    """The checks of what makes its episodes."""
    if kind.make is None:
        what = "it makes no episodes: a file of them must be given"
        return [Check("makes episodes", None, what)]
    made: list[Episode] = []

    def makes() -> str:
        made.extend(make_episodes(open_site(scene), (kind.id,), count, 1))
        _check_made(kind, made)
        return f"{len(made)} in {scene}, sound"

    def repeats() -> str:
        with other_global_seed():
            again = make_episodes(open_site(scene), (kind.id,), count, 1)
        if list(again) != made:
            raise Wrong("the same scene and seed gave other episodes")
        other = make_episodes(open_site(scene), (kind.id,), 1, 2)
        if other[0].start == made[0].start and other[0].goals == made[0].goals:
            raise Wrong("another seed gave the same episode")
        return "twice the same; others for another seed"

    mend = "make(site, seed, index, attempt) gives an Episode that can be done, or None"
    checks = [checked("makes episodes", mend, makes)]
    if checks[0].ok:
        mend = "draw random numbers from site.stream(seed, name, attempt) alone"
        checks.append(checked("makes the same again", mend, repeats))
    return checks


def _check_made(kind: TaskKind, made: Sequence[Episode]) -> None:
    if len({episode.episode_id for episode in made}) != len(made):
        raise Wrong("two episodes have one id")
    site = open_site(made[0].scene)
    for episode in made:
        if episode.task != kind.id:
            raise Wrong(f"{episode.episode_id} is of task '{episode.task}', not '{kind.id}'")
        if episode_from_json(episode_to_json(episode), episode.episode_id) != episode:
            raise Wrong(f"{episode.episode_id} is another one when it is read back from a file")
        site.sim.load(site.scene, spec_for(episode.task, episode.robot or None).robot)
        faults = [
            *(kind.form(episode) if kind.form else ()),
            *validate_episode(site.sim, episode),
        ]
        if faults:
            field, what = faults[0]
            raise Wrong(f"{episode.episode_id}: field '{field}': {what}")


_Told = tuple[Pose, bool, tuple[Event, ...], str, float]


def _told(env: Env, episode: Episode, actions: Sequence[Action]) -> list[_Told]:
    env.reset(episode)
    return _going_on(env, actions)


def _going_on(env: Env, actions: Sequence[Action]) -> list[_Told]:
    """What each action leads to, as far as rules and agents can tell."""
    found: list[_Told] = []
    for action in actions:
        if env.done:
            break
        step: Step = env.step(action)
        words = step.observation.instruction
        told = (env.sim.pose, step.done, step.events, words, env.distance_to_goal())
        found.append(told)
    return found


def _assert_same(first: Sequence[_Told], again: Sequence[_Told], what: str) -> None:
    pairs = itertools.zip_longest(first, again)
    step = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
    if step is not None:
        raise Wrong(f"{what} at step {step}")


def _odd_event(event: Event, last: int) -> str:
    """What is wrong with an event of an episode whose last step has that number; "" if nothing."""
    if not isinstance(event, Event):
        return f"it is {type_of(event)}"
    if not isinstance(event.kind, str) or not event.kind:
        return "its kind is no name"
    if not 0 <= event.step <= max(last, 0):
        return f"it says step {event.step} of {last}"
    for key, value in event.data.items():
        if not isinstance(value, str | int | float | bool | None):
            return f"{key} is {type_of(value)}"
    try:
        json.dumps(dict(event.data), allow_nan=False)
    except ValueError:
        return f"data holds inf or NaN: {dict(event.data)}; write None"
    return ""
