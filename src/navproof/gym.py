"""The tasks as Gymnasium environments.

``import navproof`` after ``import gymnasium``, or ``import navproof.gym`` at any time, registers
``navproof/PointNav-v1``, ``navproof/ObjectNav-v1``, ``navproof/VLN-v1``, ``navproof/LangNav-v1``
and ``navproof/Mission-v1``.

Observations are a ``Dict`` with the task's sensors by name (``rgb``, ``depth``, ``pose``, and
``pointgoal`` in PointNav) and, except in PointNav, the ``instruction`` as text. Actions are
``Discrete(4)``: forward, left, right, stop (LangNav: found), in that order. A mission's questions
cannot be answered here, and everything is done in discrete moves.

Reward: the geodesic distance to the goal that the step gained (metres, negative when it lost
some; 0 at the step that reveals another goal or does a sub-task), plus ``success_bonus`` (2.5, as
is usual for PointNav training) for a successful stop, or each goal rightly found.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Sequence
from typing import Any, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import AgentError, EpisodeError, MissingExtraError, SpecError
from navproof.core.registry import suggest
from navproof.core.types import Camera, Decision, Episode, Move, Observation, TaskSpec
from navproof.corruptions.condition import parse_condition
from navproof.language.missions.wordings import reworded
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.session import Session, causes_of_faults
from navproof.sensors import Sensor, standard_sensors
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import TASKS, make_task, with_camera
from navproof.tasks.env_ids import env_ids, register_envs
from navproof.tasks.robots import fitting
from navproof.tasks.settings import STANDARD, Settings
from navproof.tasks.suites import SUITES, load_suite, settings_of
from navproof.tasks.suites.registry import Suite

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector.utils import read_from_shared_memory
except ImportError:
    raise MissingExtraError("gymnasium", "gym", "navproof.gym") from None

__all__ = ["MAX_WORDS", "MOVES", "Info", "NavEnv", "Words", "env_ids"]

MOVES: tuple[Move, ...] = (Move.FORWARD, Move.LEFT, Move.RIGHT, Move.STOP)
"""What actions 0 … 3 usually mean; in LangNav the last is ``Move.FOUND``."""
MAX_WORDS = 1024
"""Characters of an instruction; longer ones are cut, characters outside ASCII become "?"."""
_PLAYER = "gymnasium"
_CHARSET = string.ascii_letters + string.digits + string.punctuation + " "


class Words(spaces.Text):
    """Text as Gymnasium's, but right in an ``AsyncVectorEnv`` with shared memory, where a plain
    ``Text`` keeps for ever what it read before the first reset."""

    def __init__(self) -> None:
        super().__init__(MAX_WORDS, min_length=0, charset=_CHARSET)


class _SharedWords(Sequence[str]):
    """The texts of all environments, read from shared memory whenever they are looked at."""

    def __init__(self, read: Callable[[], tuple[str, ...]]) -> None:
        self._read = read

    def __len__(self) -> int:
        return len(self._read())

    def __getitem__(self, index: Any) -> Any:
        return self._read()[index]

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return self._read()


@read_from_shared_memory.register(Words)
def _read_words(space: Words, shared_memory: Any, n: int = 1) -> _SharedWords:
    plain = read_from_shared_memory.dispatch(spaces.Text)
    return _SharedWords(lambda: cast("tuple[str, ...]", plain(space, shared_memory, n)))


class Info(TypedDict):
    """What ``info`` holds after reset and after every step. ``success`` is the step's: a
    successful stop, or a goal rightly found."""

    episode_id: str
    step: int
    distance_to_goal_m: float
    collided: bool
    success: bool


class NavEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """One task over the episodes of a suite.

    ``suite`` is a suite, its name, an episode file or a packed suite ("mini" by default,
    "langnav-mini" for LangNav, "missions-mini" for missions); ``episodes`` gives them directly
    instead. ``robot`` (a name, a .toml file or ``file.py:NAME``) takes the place of the task's
    own, as ``navproof run --robot`` has it; missions are those of Carter by default.
    ``reset(seed=…)`` seeds the choice of episodes; ``reset(options={"episode_id": …})`` asks for
    one. ``sensors`` are sensor names of the task (not ``expert``, whose length varies);
    ``image_size`` = (width, height) overrides that of every camera. ``condition`` is what the robot
    suffers ("spatter@0.75+wheel_slip"; see ``navproof.corruptions``), drawn with
    ``condition_seed``, the same in every visit of an episode; it may name a style of the words of
    missions ("concise", see ``navproof.language.missions.wordings``).
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012

    def __init__(
        self,
        task: str,
        suite: str | Suite | None = None,
        episodes: Sequence[Episode] | None = None,
        sensors: Sequence[str] | None = None,
        image_size: tuple[int, int] | None = None,
        success_bonus: float = 2.5,
        render_mode: str | None = None,
        condition: str = "clean",
        condition_seed: int = 0,
        robot: str | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise SpecError(f"render_mode '{render_mode}' is not known; use 'rgb_array' or None")
        kind = TASKS.get(task)
        settings = STANDARD if suite is None or episodes is not None else settings_of(suite)
        spec = settings.spec(task, robot or "")
        if image_size is not None:
            spec = with_camera(spec, *image_size)
        names = tuple(standard_sensors(spec) if sensors is None else sensors)
        self.render_mode = render_mode
        self.success_bonus = success_bonus
        wanted = parse_condition(condition)
        found = _episodes(task, suite, episodes, spec, robot, settings)
        self.episodes = tuple(reworded(episode, wanted.style) for episode in found)
        self._env = Env(
            EmbeddedSimulator(),
            make_task(task, spec),
            names,
            condition=wanted,
            seed=condition_seed,
        )
        self._words = kind.words != "none"
        self._camera = next((s.camera for s in spec.sensors if s.camera is not None), Camera())
        entries: dict[str, spaces.Space[Any]] = {
            sensor.spec.name: _space(sensor) for sensor in self._env.sensors
        }
        if self._words:
            entries["instruction"] = Words()
        self.observation_space = spaces.Dict(entries)
        self._moves = self._env.task.brief(self.episodes[0], names).actions
        self.action_space = spaces.Discrete(len(self._moves))
        self._session: Session | None = None
        self._distance_m = math.inf

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        episode = self._choose(options)
        key = TraceKey(_PLAYER, episode.episode_id, self._env.condition.name, self._env.seed)
        session = Session(self._env, key, timed=False)
        with causes_of_faults():
            session.begin(episode)
        self._session, self._distance_m = session, self._env.distance_to_goal()
        return self._observation(session.observation), self._info(success=False, collided=False)

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if not self.action_space.contains(action):
            raise AgentError(f"action {action!r} is not one of 0 … {len(self._moves) - 1}")
        session = self._playing
        with causes_of_faults():
            session.step(Decision(self._moves[int(action)]))
        taken = session.records[-1]
        before, self._distance_m = self._distance_m, taken.distance_m
        kinds = {e.kind for e in taken.events}
        moved_on = kinds & {"reveal", "subtask_done", "subtask_failed"}
        gained = 0.0 if moved_on else before - self._distance_m
        success = any(bool(e.data.get("success", False)) for e in taken.events)
        truncated = session.done and bool(kinds & {"timeout", "goal_timeout"})
        reward = (gained if math.isfinite(gained) else 0.0) + self.success_bonus * success
        info = self._info(success, session.observation.collided)
        terminated = session.done and not truncated
        return self._observation(session.observation), reward, terminated, truncated, info

    def trace(self) -> Trace:
        """What was played of the episode so far, as ``navproof run`` records it."""
        return self._playing.trace()

    @property
    def _playing(self) -> Session:
        if self._session is None:
            raise AgentError("no episode has begun: call reset() first")
        return self._session

    def render(self) -> NDArray[np.uint8] | None:
        """The view of the task's camera, (h, w, 3), in render mode "rgb_array"."""
        if self.render_mode is None:
            return None
        return self._env.sim.render(self._camera).rgb.copy()

    def _choose(self, options: dict[str, Any] | None) -> Episode:
        wanted = (options or {}).get("episode_id")
        if wanted is None:
            return self.episodes[int(self.np_random.integers(len(self.episodes)))]
        for episode in self.episodes:
            if episode.episode_id == wanted:
                return episode
        known = [e.episode_id for e in self.episodes]
        raise EpisodeError(f"there is no episode '{wanted}'{suggest(str(wanted), known[:50])}")

    def _observation(self, obs: Observation) -> dict[str, Any]:
        values: dict[str, Any] = dict(obs.readings)
        if self._words:
            plain = (c if c in _CHARSET else "?" for c in obs.instruction[:MAX_WORDS])
            values["instruction"] = "".join(plain)
        return values

    def _info(self, success: bool, collided: bool) -> dict[str, Any]:
        info = Info(
            episode_id=self._env.episode.episode_id,
            step=self._env.step_count,
            distance_to_goal_m=self._distance_m,
            collided=collided,
            success=success,
        )
        return dict(info)


def _episodes(
    task: str,
    suite: str | Suite | None,
    episodes: Sequence[Episode] | None,
    spec: TaskSpec,
    robot: str | None,
    settings: Settings,
) -> tuple[Episode, ...]:
    """Those of the task for its own robot; with a ``robot`` all that leave it room."""
    given = "what episodes= gives has no episode"
    if episodes is None:
        usual = TASKS.get(task).usual_suite
        label = suite.name if isinstance(suite, Suite) else suite or usual
        given = f"suite '{label}' has no episode"
        tasks = SUITES[usual].tasks if not suite and usual in SUITES else ()
        if tasks and task not in tasks:  # before it is made, which takes a while
            raise EpisodeError(f"{given} of {task}; give episodes= or suite=")
        episodes = load_suite(suite or usual)
    chosen = tuple(e for e in episodes if e.task == task)
    if robot is not None:
        chosen = fitting(chosen, robot, settings)
    else:
        chosen = tuple(e for e in chosen if e.robot in ("", spec.robot.name))
    if not chosen:
        name = robot or spec.robot.name
        raise EpisodeError(f"{given} of {task} for robot {name}")
    return chosen


def _space(sensor: Sensor) -> spaces.Space[Any]:
    form = sensor.reading
    shape = tuple(int(n) for n in form.shape if n is not None)
    if len(shape) < len(form.shape):
        name = sensor.spec.name
        raise SpecError(f"the '{name}' sensor varies in length and has no Gymnasium space")
    kind = np.dtype(form.dtype).type
    if isinstance(form.low, tuple) or isinstance(form.high, tuple):
        low, high = (np.broadcast_to(np.array(b, kind), shape) for b in (form.low, form.high))
        return spaces.Box(low, high, dtype=kind)
    return spaces.Box(form.low, form.high, shape, kind)


register_envs(gymnasium)
