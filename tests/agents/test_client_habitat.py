"""Agents shaped as Habitat's are given what Habitat would give them, and do what they would do."""

from __future__ import annotations

import gzip
import json
import math
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import runner_fakes as fakes
from agent_servers import served
from navproof.agents.client.habitat import (
    KINDS,
    Habitat,
    HabitatOptions,
    Vocabulary,
    categories_from,
)
from navproof.agents.client.records import ServeError, brief_from, observation_from
from navproof.agents.limits import Limits
from navproof.agents.wire import brief_to, observation_to, pack, unpack
from navproof.core.types import Episode, Goal, Instruction, Pose, TaskSpec
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.worker import Worker
from navproof.sensors import with_sensors
from navproof.sensors.config import load_sensors
from navproof.sim.robots import load_robot
from navproof.tasks import make_task, spec_for

EXAMPLES = Path(__file__).parents[2] / "examples" / "habitat"
LIMITS = Limits(step_s=20.0, setup_s=20.0)
POINTNAV, OBJECTNAV, VLNCE = (
    KINDS[f"habitat-{name}"] for name in ("pointnav", "objectnav", "vlnce")
)


class Policy:
    """Keeps what it is shown; does what ``acts`` say."""

    def __init__(self, acts: Any = 0) -> None:
        self.seen: list[dict[str, Any]] = []
        self.acts = acts

    def reset(self) -> None:
        self.seen.clear()

    def act(self, observations: dict[str, Any]) -> Any:
        self.seen.append(observations)
        return self.acts[len(self.seen) - 1] if isinstance(self.acts, list) else self.acts


def spec(task: str, sensors: str | None = None) -> TaskSpec:
    name = sensors or task.partition("-")[0].replace("vln", "vlnce")
    return with_sensors(spec_for(task), load_sensors(EXAMPLES / f"{name}.toml"))


def episode(task: str, start: Pose, goal: tuple[float, float, float], **fields: Any) -> Episode:
    return Episode(
        episode_id="tiny",
        task=task,
        scene="tiny",
        start=start,
        goals=(Goal("point", (goal,), fields.pop("category", None)),),
        geodesic_m=math.dist(start.point, goal),
        reference_path=(start.point, goal),
        budget_steps=fields.pop("budget", 100),
        seed=1,
        **fields,
    )


START = Pose(-2.0, 1.0)


def shown(
    task: str, now: Pose, start: Pose = START, options: Any = None, **fields: Any
) -> dict[str, Any]:
    """What a policy is shown at a pose, through the real sensors and the real messages."""
    env = Env(fakes.TinySimulator(), make_task(task, spec(task)), _sensors(task))
    brief, _ = env.reset(episode(task, start, (3.0, 2.0, 0.0), **fields))
    env.sim.place(now)
    env._capture()
    policy = Policy()
    kind = next(kind for kind in KINDS.values() if kind.task == task)
    agent = Habitat(policy, kind, options or HabitatOptions())
    agent.reset(brief_from(unpack(pack(brief_to(brief)))))
    assert agent.act(observation_from(unpack(pack(observation_to(env.observe()))))) == "stop"
    return policy.seen[0]


def _sensors(task: str) -> tuple[str, ...]:
    return next(kind.sensors for kind in KINDS.values() if kind.task == task)


# ----------------------------------------- Habitat's own definitions, in its own frame (y up)
def to_habitat(pose: Pose) -> tuple[NDArray[np.float64], float]:
    """Position and angle about +y: navproof's x ahead is Habitat's −z, its y to the left −x."""
    return np.array([-pose.y, pose.z, -pose.x]), pose.yaw


def turned(vector: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """About +y, counter-clockwise seen from above."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = vector
    return np.array([c * x + s * z, y, c * z - s * x])


def habitat_pointgoal(now: Pose, goal: Pose) -> list[float]:
    """PointGoalSensor._compute_pointgoal, polar, two dimensions."""
    here, angle = to_habitat(now)
    direction = turned(to_habitat(goal)[0] - here, -angle)
    return [math.hypot(-direction[2], direction[0]), -math.atan2(direction[0], -direction[2])]


def habitat_gps(now: Pose, start: Pose) -> list[float]:
    """EpisodicGPSSensor."""
    origin, angle = to_habitat(start)
    moved = turned(to_habitat(now)[0] - origin, -angle)
    return [-moved[2], moved[0]]


def habitat_compass(now: Pose, start: Pose) -> float:
    """EpisodicCompassSensor: the heading of inverse(now) · start."""
    heading = turned(np.array([0.0, 0.0, -1.0]), to_habitat(start)[1] - to_habitat(now)[1])
    return math.atan2(heading[0], -heading[2])


POSES = [Pose(-1.0, 1.0, 0.0, 0.3), Pose(-3.0, 2.5, 0.0, 2.8), Pose(2.5, 1.5, 0.0, -1.9)]


@pytest.mark.parametrize("now", POSES)
def test_point_goals_are_habitats(now: Pose) -> None:
    seen = shown("pointnav-v1", now)
    goal = seen["pointgoal_with_gps_compass"]
    np.testing.assert_allclose(goal, habitat_pointgoal(now, Pose(3.0, 2.0)), atol=1e-5)
    assert goal.dtype == np.float32
    assert set(seen) == {"rgb", "depth", "pointgoal_with_gps_compass", "pointgoal"}


@pytest.mark.parametrize("now", POSES)
@pytest.mark.parametrize("start", [Pose(-2.0, 1.0, 0.0, 0.0), Pose(-3.0, 1.0, 0.0, 2.0)])
def test_gps_and_compass_are_habitats(now: Pose, start: Pose) -> None:
    seen = shown("objectnav-v1", now, start, category="chair")
    np.testing.assert_allclose(seen["gps"], habitat_gps(now, start), atol=1e-5)
    np.testing.assert_allclose(seen["compass"], [habitat_compass(now, start)], atol=1e-5)
    assert (seen["gps"].dtype, seen["compass"].dtype) == (np.float32, np.float32)
    assert seen["objectgoal"].tolist() == [0]
    assert seen["objectgoal"].dtype == np.int64
    assert set(seen) == {"rgb", "depth", "gps", "compass", "objectgoal"}


def test_depth_is_a_share_of_the_policys_range() -> None:
    """One metre in front of the wall of the tiny flat, which is 4 m wide."""
    seen = shown("pointnav-v1", Pose(-3.0, 1.0, 0.0, math.pi))
    assert (seen["rgb"].shape, seen["rgb"].dtype) == ((256, 256, 3), np.uint8)
    assert (seen["depth"].shape, seen["depth"].dtype) == ((256, 256, 1), np.float32)
    assert seen["depth"][128, 128, 0] == pytest.approx(0.1, abs=1e-4)  # of 0 to 10 m
    seen = shown("objectnav-v1", Pose(-3.0, 1.0, 0.0, math.pi), category="bed")
    assert seen["depth"].shape == (480, 640, 1)
    assert seen["depth"][240, 320, 0] == pytest.approx((1.0 - 0.5) / 4.5, abs=1e-4)
    near = shown("objectnav-v1", Pose(-3.7, 1.0, 0.0, math.pi), category="bed")
    assert near["depth"][240, 320, 0] == 0.0  # 0.3 m: nearer than the range is its begin
    far = shown("objectnav-v1", Pose(-3.5, 1.0, 0.0, 0.0), options=HabitatOptions((0.5, 2.0)),
                category="bed")  # fmt: skip
    assert far["depth"][240, 320, 0] == 1.0  # 3.5 m: farther is its end


def test_depth_that_is_not_told_is_refused_or_what_was_said() -> None:
    env = Env(fakes.TinySimulator(), make_task("objectnav-v1"), ("rgb", "depth", "pose"))
    brief, obs = env.reset(episode("objectnav-v1", Pose(-3.0, 1.0), (3.0, 2.0, 0.0),
                                   category="bed"))  # fmt: skip
    told = brief_from(unpack(pack(brief_to(brief))))
    with pytest.raises(ServeError, match=r"told from 0.5 to 5 m, so that 0 may be nearer or far"):
        Habitat(Policy(), OBJECTNAV, HabitatOptions()).reset(told)
    seen = observation_from(unpack(pack(observation_to(obs))))
    assert (seen.depth == 0).any()
    for holes, value in (("far", 1.0), ("near", 0.0)):
        agent = Habitat(Policy(), OBJECTNAV, HabitatOptions(holes=holes))
        agent.reset(told)
        depth = agent.observations(seen)["depth"][..., 0]
        assert (depth[seen.depth == 0] == value).all()


def test_other_robots_are_refused() -> None:
    env = Env(fakes.TinySimulator(), make_task("objectnav-v1", spec("objectnav-v1")),
              ("rgb", "depth", "pose"))  # fmt: skip
    brief, _ = env.reset(episode("objectnav-v1", Pose(-3.0, 1.0), (3.0, 2.0, 0.0), category="bed"))
    for robot, says in (
        (replace(brief.robot, turn_deg=15.0), "moves 0.25 m and 15 degrees at a time, Habitat's"),
        (replace(brief.robot, forward_m=0.5), "moves 0.5 m and 30 degrees at a time, Habitat's"),
    ):
        told = brief_from(unpack(pack(brief_to(replace(brief, robot=robot)))))
        with pytest.raises(ServeError, match=says):
            Habitat(Policy(), OBJECTNAV, HabitatOptions()).reset(told)


def test_the_example_robot_is_habitats() -> None:
    robot = load_robot(EXAMPLES / "locobot.toml")
    task = spec_for("objectnav-v1").robot
    assert replace(task, name=robot.name, sliding=False, camera_m=0.88) == robot


# ------------------------------------------------------------------------------------- actions
@pytest.mark.parametrize(
    ("action", "move"),
    [
        (0, "stop"),
        ({"action": 1}, "forward"),
        ({"action": np.int64(2)}, "left"),
        (np.array([3]), "right"),
        ({"action": [[1]]}, "forward"),
        ("move_forward", "forward"),
        ({"action": "TURN_LEFT"}, "left"),
        ("turn_right", "right"),
        ("STOP", "stop"),
    ],
)
def test_actions_are_habitats(action: Any, move: str) -> None:
    agent = agent_at_rest(Policy(action), HabitatOptions())
    assert agent.act(a_view()) == move


@pytest.mark.parametrize(
    "action", [6, -1, None, {"action": None}, "fly", {"act": 1}, 1.5, ("a", "b"), {"action": {}}]
)
def test_what_is_no_action_is_told(action: Any) -> None:
    with pytest.raises(ServeError, match="no Habitat action"):
        agent_at_rest(Policy(action), HabitatOptions()).act(a_view())


def test_looking_up_and_down_is_refused_or_asked_again() -> None:
    with pytest.raises(ServeError, match="looks up or down, which no camera here does"):
        agent_at_rest(Policy(4), HabitatOptions()).act(a_view())
    policy = Policy(["look_up", 5, 2])
    assert agent_at_rest(policy, HabitatOptions(looks="skip")).act(a_view()) == "left"
    assert len(policy.seen) == 3
    with pytest.raises(ServeError, match="10 times in a row"):
        agent_at_rest(Policy(5), HabitatOptions(looks="skip")).act(a_view())


def agent_at_rest(policy: Policy, options: HabitatOptions) -> Habitat:
    env = Env(fakes.TinySimulator(), make_task("objectnav-v1", spec("objectnav-v1")),
              ("rgb", "depth", "pose"))  # fmt: skip
    brief, obs = env.reset(episode("objectnav-v1", Pose(-3.0, 1.0), (3.0, 2.0, 0.0),
                                   category="bed"))  # fmt: skip
    global _VIEW
    _VIEW = observation_from(unpack(pack(observation_to(obs))))
    agent = Habitat(policy, OBJECTNAV, options)
    agent.reset(brief_from(unpack(pack(brief_to(brief)))))
    return agent


_VIEW: Any = None


def a_view() -> Any:
    return _VIEW


# --------------------------------------------------------------------------------------- goals
@pytest.mark.parametrize(
    ("category", "number"),
    [("chair", 0), ("bed", 1), ("plant", 2), ("potted plant", 2), ("toilet", 3),
     ("television", 4), ("sofa", 5)],
)  # fmt: skip
def test_goals_have_the_numbers_of_hm3d(category: str, number: int) -> None:
    seen = shown("objectnav-v1", Pose(-3.0, 1.0), category=category)
    assert seen["objectgoal"].tolist() == [number]


def test_other_goals_are_refused_or_mapped() -> None:
    with pytest.raises(ServeError, match="the policy has no goal 'refrigerator'"):
        shown("objectnav-v1", Pose(-3.0, 1.0), category="refrigerator")
    options = HabitatOptions(categories={"chest_of_drawers": 7, "refrigerator": 12})
    seen = shown("objectnav-v1", Pose(-3.0, 1.0), category="refrigerator", options=options)
    assert seen["objectgoal"].tolist() == [12]
    seen = shown("objectnav-v1", Pose(-3.0, 1.0), category="chest of drawers", options=options)
    assert seen["objectgoal"].tolist() == [7]


# --------------------------------------------------------------------------------------- words
WORDS = ["<pad>", "<unk>", ".", "walk", "past", "the", "table", "'", "s", "leg", "and", "stop"]


def vocabulary(folder: Path, form: str) -> Path:
    """The same words in each form that a file of them may have."""
    path = folder / f"words-{form}"
    if form == "dataset":
        told = {"episodes": [], "instruction_vocab": {"word_list": WORDS, "num_vocab": 12}}
        path.write_bytes(gzip.compress(json.dumps(told).encode()))
    elif form == "list":
        path.write_text(json.dumps(WORDS))
    elif form == "map":
        path.write_text(json.dumps({word: number for number, word in enumerate(WORDS)}))
    else:
        path.write_text("\n".join(WORDS))
    return path


def test_a_file_of_something_else_is_no_vocabulary(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text("import sys\nclass Agent:\n    pass\n")
    with pytest.raises(ServeError, match="has lines of more than one word"):
        Vocabulary(str(path))
    with pytest.raises(ServeError, match="it is no plain file"):
        Vocabulary("/dev/zero")
    with pytest.raises(ServeError, match="it is no plain file"):
        categories_from("/dev/zero")


@pytest.mark.parametrize("form", ["dataset", "list", "map", "text"])
def test_tokens_are_made_of_the_words_as_habitat_cuts_them(tmp_path: Path, form: str) -> None:
    words = Vocabulary(str(vocabulary(tmp_path, form)), 13)
    text = "Walk past the table's leg, and  stop?. STOP!"
    expected = [3, 4, 5, 6, 7, 8, 9, 10, 11, 2, 11, 1, 0]
    assert words.tokens(text) == expected
    assert Vocabulary(str(vocabulary(tmp_path, form)), 4).tokens(text) == expected[:4]
    assert Vocabulary(str(vocabulary(tmp_path, form)), 0).tokens(text) == expected[:12]


def data_set(name: str) -> Path:
    """A file of Habitat's own, where it is at hand."""
    chosen = os.environ.get("NAVPROOF_SHARED_DATA")
    folder = Path(chosen) if chosen else Path(__file__).resolve().parents[3] / "shared" / "data"
    if not (folder / "habitat" / name).is_file():
        pytest.skip(f"Habitat's {name} is not at hand")
    return folder / "habitat" / name


def test_tokens_are_those_of_vlnces_data_set() -> None:
    path = data_set("r2r_vlnce_v1-3/val_seen.json.gz")
    words = Vocabulary(str(path), 0)
    episodes = json.loads(gzip.decompress(path.read_bytes()))["episodes"]
    assert len(episodes) == 778
    for one in episodes:
        told = one["instruction"]
        assert words.tokens(told["instruction_text"]) == told["instruction_tokens"]


def test_numbers_of_goals_are_those_of_hm3ds_data_set() -> None:
    path = data_set("objectnav_hm3d_v2_val_mini/val_mini.json.gz")
    index = json.loads(gzip.decompress(path.read_bytes()))
    assert HabitatOptions().categories == index["category_to_task_category_id"]


def test_words_without_an_unknown_one_get_it_first(tmp_path: Path) -> None:
    (tmp_path / "w").write_text("walk\nstop\n")
    words = Vocabulary(str(tmp_path / "w"), 3)  # as VocabDict does
    assert words.tokens("stop here") == [2, 0, 0]
    for text in ("", "{}", '{"walk": "one"}'):
        (tmp_path / "w").write_text(text)
        with pytest.raises(ServeError, match="holds neither words nor numbers"):
            Vocabulary(str(tmp_path / "w"))
    with pytest.raises(ServeError, match="cannot be read"):
        Vocabulary(str(tmp_path / "none"))


class Reader:
    """A policy that says which tokens it was given, by where it turns."""

    told: list[dict[str, Any]] = []  # noqa: RUF012

    def reset(self) -> None: ...

    def act(self, observations: dict[str, Any]) -> dict[str, int]:
        Reader.told.append(observations["instruction"])
        return {"action": 0}


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(fakes.TinySimulator, LIMITS)
    yield made
    made.close()


def played(worker: Worker, name: str, what: Episode, condition: str = "clean") -> Trace:
    key = TraceKey(name, what.episode_id, condition)
    return worker.play(fakes.Job(key, what, spec(what.task)))


def test_spoiled_words_reach_the_policy_as_text_and_as_tokens(
    worker: Worker, tmp_path: Path
) -> None:
    text = "Walk past the table and stop."
    what = episode("vln-v1", Pose(-3.0, 1.0), (3.0, 2.0, 0.0), instruction=Instruction(text))
    words = Vocabulary(str(vocabulary(tmp_path, "list")), 8)
    options = HabitatOptions(vocabulary=words)
    Reader.told.clear()
    with served("test_client_habitat:Reader", habitat=(VLNCE, options)) as address:
        for condition in ("clean", "mask_50", "capitalise"):
            trace = played(worker, address, what, condition)
            assert (trace.reason, trace.actions) == ("", ("stop",))
    clean, masked, capitals = Reader.told
    assert clean == {"text": text, "trajectory_id": "0", "tokens": [3, 4, 5, 6, 10, 11, 2, 0]}
    assert masked["text"] != text
    assert masked["tokens"] != clean["tokens"]
    assert masked["tokens"] == words.tokens(masked["text"])
    assert capitals["text"] != text
    assert capitals["tokens"] == clean["tokens"]  # Habitat's words are in small letters
    with served("test_client_habitat:Reader", habitat=(VLNCE, HabitatOptions())) as address:
        played(worker, address, what)
    assert set(Reader.told[-1]) == {"text", "trajectory_id"}


# ---------------------------------------------------------------------------------- it gets there
class GoalFollower:
    """Drives by the polar goal alone: turns towards it, walks, stops within 0.2 m of it."""

    def reset(self) -> None: ...

    def act(self, observations: dict[str, Any]) -> dict[str, int]:
        distance, angle = observations["pointgoal_with_gps_compass"]
        if distance <= 0.2:
            return {"action": 0}
        if abs(angle) < math.radians(6.0):
            return {"action": 1}
        return {"action": 2 if angle > 0 else 3}


@pytest.mark.parametrize("yaw", [0.0, 1.2, -2.4, math.pi])
def test_a_policy_that_drives_by_its_goal_alone_gets_there(worker: Worker, yaw: float) -> None:
    what = episode("pointnav-v1", Pose(-3.4, 1.0, 0.0, yaw), (-1.0, 2.5, 0.0))
    with served("test_client_habitat:GoalFollower", habitat=(POINTNAV, HabitatOptions())) as a:
        trace = played(worker, a, what)
    assert trace.status == "ok"
    assert trace.actions[-1] == "stop"
    assert trace.distances_m[-1] <= 0.2
    turns = sum(action in ("left", "right") for action in trace.actions)
    bearing = math.atan2(1.5, 2.4) - yaw
    wrapped = abs(math.atan2(math.sin(bearing), math.cos(bearing)))
    assert turns <= math.degrees(wrapped) / 10.0 + 12  # it turns the short way round


class Square:
    """Walks to 0.5 m ahead of the start and 0.5 m to its right, by gps and compass alone."""

    def reset(self) -> None: ...

    def act(self, observations: dict[str, Any]) -> int:
        (ahead, right), heading = observations["gps"], float(observations["compass"][0])
        target = (0.5, 0.0) if ahead < 0.45 and right < 0.1 else (0.5, 0.5)
        along, aside = target[0] - ahead, target[1] - right
        if math.hypot(along, aside) < 0.1:
            return 0
        off = math.atan2(-aside, along) - heading  # to the left of where it looks
        off = math.atan2(math.sin(off), math.cos(off))
        return 1 if abs(off) < math.radians(15.1) else 2 if off > 0 else 3


def test_a_policy_that_drives_by_gps_and_compass_gets_there(worker: Worker) -> None:
    """The start faces the world's +y, so that half a metre to the right is along +x."""
    start = Pose(-3.0, 1.0, 0.0, math.pi / 2)
    what = episode("objectnav-v1", start, (3.0, 2.0, 0.0), category="sofa")
    with served("test_client_habitat:Square", habitat=(OBJECTNAV, HabitatOptions())) as address:
        trace = played(worker, address, what)
    assert trace.status == "ok"
    assert trace.actions[-1] == "stop"
    assert (trace.poses[-1].x, trace.poses[-1].y) == pytest.approx((-2.5, 1.5), abs=0.1)


def test_what_a_habitat_agent_declares() -> None:
    with served("test_client_habitat:Reader", habitat=(VLNCE, HabitatOptions())) as address:
        worker = Worker(fakes.TinySimulator, LIMITS)
        declared = worker.declaration(address)
        worker.close()
    assert declared.tasks == ("vln-v1",)
    assert declared.sensors == ("rgb", "depth", "pose")
    assert declared.feels == frozenset({"rgb", "depth", "words"})
