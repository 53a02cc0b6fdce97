"""The Gymnasium environments: Gymnasium's own checker, vectorising, reproducible resets."""

from __future__ import annotations

import importlib
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import navproof
import navproof.gym as navgym
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import (
    AgentError,
    EpisodeError,
    MissingExtraError,
    SpecError,
    UnknownNameError,
)
from navproof.core.types import Episode, Pose
from navproof.metrics import score
from navproof.world import library

FORWARD, LEFT, RIGHT, STOP = range(4)


@pytest.fixture(autouse=True)
def _tiny_in_library(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = tiny_simulator("pointnav-v1").scene
    monkeypatch.setattr(library, "load_scene", lambda ref: scene)


def episodes(task: str, count: int = 4) -> list[Episode]:
    base = tiny_episode(task, tiny_simulator(task))
    return [
        replace(base, episode_id=f"e{i}", start=Pose(-3.0 + 0.1 * i, 1.0, 0.0, 0.3 * i))
        for i in range(count)
    ]


def make(env_id: str = "navproof/PointNav-v1", **options: Any) -> gymnasium.Env[Any, Any]:
    options.setdefault("image_size", (24, 16))
    options.setdefault("episodes", episodes(navgym.env_ids()[env_id]))
    return gymnasium.make(env_id, **options)


@pytest.mark.parametrize("env_id", sorted(navgym.env_ids()))
def test_passes_the_checker_of_gymnasium(env_id: str) -> None:
    env = make(env_id)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(infinity|image|different).*")
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("env_id", sorted(navgym.env_ids()))
def test_every_observation_is_in_its_space(env_id: str) -> None:
    env = make(env_id)
    obs, _ = env.reset(seed=1)
    assert obs in env.observation_space
    assert ("instruction" in obs) == (env_id != "navproof/PointNav-v1")
    ends = 2 if env_id == "navproof/LangNav-v1" else 1  # one for each goal
    for action in (FORWARD, LEFT, FORWARD, RIGHT, *(STOP,) * ends):
        obs, _, terminated, truncated, _ = env.step(action)
        assert obs in env.observation_space
    assert terminated
    assert not truncated


def test_what_was_played_is_a_trace_like_that_of_a_run() -> None:
    env = make()
    base: Any = env.unwrapped
    with pytest.raises(AgentError, match=r"call reset\(\) first"):
        base.trace()
    env.reset(options={"episode_id": "e1"})
    for action in (FORWARD, LEFT, STOP):
        env.step(action)
    trace = base.trace()
    assert trace.key.episode_id == "e1"
    assert trace.actions == ("forward", "left", "stop")
    assert len(trace.poses) == 4
    assert trace.events[-1].kind == "stop"
    assert score(trace)["success"] == 0.0


def test_langnav_goes_on_after_a_goal() -> None:
    """Found at the chair: the bonus, no progress counted towards the new goal, other words; then
    the budget of the table, 30 of 60 steps, runs out."""
    base = tiny_episode("langnav-v1", tiny_simulator("langnav-v1"))
    env = make("navproof/LangNav-v1", episodes=[replace(base, start=Pose(2.0, 2.6))])
    obs, info = env.reset()
    assert obs["instruction"] == "Find the blue chair."
    assert info["distance_to_goal_m"] < 0.1
    obs, reward, terminated, truncated, info = env.step(STOP)
    assert (reward, info["success"], terminated, truncated) == (2.5, True, False, False)
    assert obs["instruction"] == "Find the red table."
    assert info["distance_to_goal_m"] > 3.0
    for _ in range(29):
        _, reward, terminated, truncated, info = env.step(LEFT)
        assert (reward, terminated, truncated) == (0.0, False, False)
    _, _, terminated, truncated, info = env.step(LEFT)
    assert (terminated, truncated, info["success"]) == (False, True, False)


def test_missions_of_one_robot_in_the_words_of_a_style() -> None:
    base = tiny_episode("mission-v1", tiny_simulator("mission-v1"))
    told = replace(base, wordings={"concise": "Bedroom, chair, back."})
    both = [replace(told, episode_id=name, robot=name) for name in ("carter", "h1")]
    env = make("navproof/Mission-v1", episodes=both, robot="h1", condition="concise")
    obs, info = env.reset()
    assert (info["episode_id"], obs["instruction"]) == ("h1", "Bedroom, chair, back.")
    assert [
        e.episode_id for e in make("navproof/Mission-v1", episodes=both).unwrapped.episodes
    ] == ["carter"]
    with pytest.raises(EpisodeError, match="has no episode of mission-v1 for robot carter"):
        make("navproof/Mission-v1", episodes=both[1:])


def test_a_robot_takes_the_place_of_any_tasks_own() -> None:
    good = tiny_episode("pointnav-v1", tiny_simulator("pointnav-v1"))
    tight = replace(good, episode_id="tight", start=Pose(-3.77, 2.0))
    env = make(episodes=[good, tight], robot="h1")
    env.reset()
    assert [e.episode_id for e in env.unwrapped.episodes] == [good.episode_id]
    assert env.unwrapped._env.sim.robot.name == "h1"
    _, reward, *_ = env.step(FORWARD)
    assert reward > 0.4  # of a step of 0.5 m
    with pytest.raises(EpisodeError, match="has no episode of pointnav-v1 for robot carter"):
        make(episodes=[tight], robot="carter")


def test_no_progress_is_counted_where_a_sub_task_is_done() -> None:
    """Two moves into the bedroom: the distance jumps from that to the room to that to the chair."""
    base = tiny_episode("mission-v1", tiny_simulator("mission-v1"))
    env = make("navproof/Mission-v1", episodes=[replace(base, start=Pose(-0.3, 2.0))])
    env.reset()
    rewards = [float(env.step(FORWARD)[1]) for _ in range(4)]
    assert 0.0 in rewards
    assert all(abs(reward) <= 0.26 for reward in rewards)


@pytest.mark.parametrize("action", [-1, 4, 2.5, float("nan"), None, "stop", np.array([1, 2])])
def test_an_action_outside_the_space_is_refused(action: Any) -> None:
    env = make()
    env.reset(seed=1)
    with pytest.raises(AgentError, match="is not one of 0 … 3"):
        env.step(action)
    assert env.step(np.int64(STOP))[2]


def test_a_seed_chooses_the_same_episodes() -> None:
    def ids(seed: int) -> list[str]:
        env = make()
        first = env.reset(seed=seed)[1]["episode_id"]
        return [first, *(env.reset()[1]["episode_id"] for _ in range(6))]

    assert ids(3) == ids(3)
    assert len({tuple(ids(s)) for s in range(4)}) > 1


def test_an_episode_can_be_asked_for() -> None:
    env = make()
    assert env.reset(options={"episode_id": "e2"})[1]["episode_id"] == "e2"
    with pytest.raises(EpisodeError, match="there is no episode 'e9'"):
        env.reset(options={"episode_id": "e9"})


def test_reward_is_progress_plus_bonus() -> None:
    env = make(success_bonus=7.0)
    _, info = env.reset(options={"episode_id": "e0"})
    start = info["distance_to_goal_m"]
    total = 0.0
    for action in (FORWARD, LEFT, FORWARD, FORWARD):
        _, reward, _, _, info = env.step(action)
        total += float(reward)
    assert total == pytest.approx(start - info["distance_to_goal_m"])
    _, reward, terminated, _, info = env.step(STOP)
    assert terminated
    assert not info["success"]
    assert reward == 0.0
    near = replace(episodes("pointnav-v1")[0], start=Pose(2.9, 1.2))
    env = make(episodes=[near], success_bonus=7.0)
    env.reset()
    _, reward, _, _, info = env.step(STOP)
    assert info["success"]
    assert reward == 7.0


def test_the_budget_truncates() -> None:
    short = [replace(e, budget_steps=2) for e in episodes("objectnav-v1")]
    env = make("navproof/ObjectNav-v1", episodes=short)
    env.reset(seed=0)
    assert env.step(LEFT)[2:4] == (False, False)
    assert env.step(LEFT)[2:4] == (False, True)


def test_text_stays_in_its_alphabet() -> None:
    odd = [
        replace(e, instruction=replace(e.instruction, text="Geh zur Tür – dann ☕."))
        for e in episodes("vln-v1")
        if e.instruction is not None
    ]
    env = make("navproof/VLN-v1", episodes=odd)
    obs, _ = env.reset(seed=0)
    assert obs["instruction"] == "Geh zur T?r ? dann ?."
    assert obs in env.observation_space


def test_renders_the_view() -> None:
    env = make(render_mode="rgb_array")
    env.reset(seed=0)
    frame = env.render()
    assert isinstance(frame, np.ndarray)
    assert frame.shape == (16, 24, 3)
    assert frame.std() > 1


def _one(index: int) -> Any:
    def thunk() -> gymnasium.Env[Any, Any]:
        scene = tiny_simulator("vln-v1").scene
        library.load_scene = lambda ref: scene  # in the worker process
        return make("navproof/VLN-v1", episodes=episodes("vln-v1"))

    return thunk


def test_vectorises_in_step_and_in_processes() -> None:
    runs, texts = [], []
    for kind in (gymnasium.vector.SyncVectorEnv, gymnasium.vector.AsyncVectorEnv):
        envs = kind([_one(0), _one(1)])
        obs, _ = envs.reset(seed=[5, 6])
        depths = [obs["depth"].copy()]
        for action in (FORWARD, LEFT, FORWARD):
            obs = envs.step(np.array([action, RIGHT]))[0]
            depths.append(obs["depth"].copy())
        assert isinstance(obs["instruction"], tuple)
        texts.append(obs["instruction"])
        runs.append(np.stack(depths))
        envs.close()
    assert texts[0] == texts[1]
    assert all(text.startswith("Walk past the red table") for text in texts[0])
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0][:, 0], runs[0][:, 1])


def test_a_condition_is_seen_in_every_task_and_stays_in_its_space() -> None:
    for env_id in sorted(navgym.env_ids()):
        clean, spoiled = make(env_id), make(env_id, condition="depth_missing+mask_100")
        a, _ = clean.reset(options={"episode_id": "e1"})
        b, _ = spoiled.reset(options={"episode_id": "e1"})
        again, _ = spoiled.reset(options={"episode_id": "e1"})
        assert b in spoiled.observation_space
        assert not np.array_equal(a["depth"], b["depth"])
        assert np.array_equal(again["depth"], b["depth"])
        if env_id == "navproof/VLN-v1":
            assert "[MASK]" in b["instruction"]


def test_wrong_options_say_so() -> None:
    with pytest.raises(SpecError, match="expert"):
        make(sensors=("pose", "expert"))
    with pytest.raises(EpisodeError, match="no episode of vln-v1"):
        make("navproof/VLN-v1", episodes=episodes("pointnav-v1"))


def test_without_gymnasium_the_error_has_the_pip_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "navproof.gym")
    with pytest.raises(MissingExtraError, match=r"pip install 'navproof\[gym\]'"):
        importlib.import_module("navproof.gym")


def test_the_module_can_be_named_in_the_id() -> None:
    env = gymnasium.make(
        "navproof.gym:navproof/PointNav-v1", episodes=episodes("pointnav-v1"), image_size=(24, 16)
    )
    assert env.reset(seed=0)[0]["depth"].shape == (16, 24)


@pytest.mark.parametrize("line", ["import gymnasium, navproof", "import navproof.gym, gymnasium"])
def test_gymnasium_knows_the_tasks_after_a_plain_import(line: str) -> None:
    code = f"{line}; print(gymnasium.spec('navproof/ObjectNav-v1').entry_point)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "navproof.gym:NavEnv"


def test_the_front_door_makes_the_same_environment() -> None:
    env = navproof.make_env("pointnav", episodes=episodes("pointnav-v1"), image_size=(24, 16))
    assert isinstance(env, navgym.NavEnv)
    assert env.observation_space == make().observation_space
    with pytest.raises(UnknownNameError, match="did you mean 'pointnav"):
        navproof.make_env("pointnaw")
    with pytest.raises(SpecError, match="image_size must read WIDTHxHEIGHT"):
        navproof.make_env("pointnav", image_size=(64, 4.5))  # type: ignore[arg-type]


def test_a_task_of_ones_own_asks_for_episodes() -> None:
    task = f"{Path(__file__).parents[1] / 'examples' / 'my_task.py'}:PATROL"
    with pytest.raises(EpisodeError) as told:
        navproof.make_env(task)
    why = f"suite 'mini' has no episode of {task}; give episodes= or suite="
    assert str(told.value) == why
    with pytest.raises(EpisodeError, match="episodes= gives has no episode of objectnav-v1"):
        navproof.make_env("objectnav", episodes=episodes("pointnav-v1"))
