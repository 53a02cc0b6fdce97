"""The route agent in the two-room flat, its doorways on constructed maps, and its bad days."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from navproof.agents.load import load_agent
from navproof.agents.protocol import Agent
from navproof.agents.route.doors import Walls, find_doorways
from navproof.agents.route.rooms import signs_of
from navproof.agents.route.sight import AgreeingEyes
from navproof.agents.search import eyes as search_eyes
from navproof.agents.validate import as_decision
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import AgentError
from navproof.core.types import Decision, Instruction, Move, Observation, Pose, TaskBrief
from navproof.perception.protocol import Detections
from navproof.play.env import Env
from navproof.tasks import make_task

TRUTH = "route@encoder=truth@detector=truth"


def follow(
    words: str, name: str = TRUTH, budget: int = 200, start: Pose | None = None
) -> tuple[list[Decision], Pose]:
    """The decisions of an episode in the flat, and where it ended."""
    sim = tiny_simulator("vln-v1")
    factory = load_agent(name)
    sensors = tuple(s for s in factory.sensors or () if s != "pointgoal")
    env, agent = Env(sim, make_task("vln-v1"), sensors), factory()
    episode = replace(tiny_episode("vln-v1", sim, budget), instruction=Instruction(words))
    brief, obs = env.reset(episode if start is None else replace(episode, start=start))
    agent.reset(brief)
    decisions = []
    while not env.done:
        decisions.append(as_decision(agent.act(obs), brief))
        obs = env.step(decisions[-1].action).observation
    return decisions, env.sim.pose


def moves(decisions: Sequence[Decision]) -> list[Move]:
    return [d.action for d in decisions if isinstance(d.action, Move)]


# ---------------------------------------------------------------------------------- the flat
def test_through_the_doorway_to_the_chair() -> None:
    decisions, pose = follow(
        "Walk past the red table, go through the doorway and stop at the blue chair."
    )
    assert moves(decisions)[-1] is Move.STOP
    assert len(decisions) < 120
    assert math.dist((pose.x, pose.y), (2.0, 3.25)) < 1.3  # the chair's near face
    last = decisions[-1]
    assert last.intent is not None
    assert last.intent["is"] == "claim"
    assert last.beliefs is not None
    assert {"red table", "blue chair"} <= {r.label for r in last.beliefs.remembered}
    told = [d.intent["is"] for d in decisions if d.intent is not None]
    assert "approach" in told
    assert any(d.beliefs is not None and d.beliefs.plan for d in decisions)


def test_the_colour_decides_where_to_stop() -> None:
    for colour, x in (("green box", 3.5), ("blue chair", 2.0)):
        _, pose = follow(f"Leave the room and wait beside the {colour}.")
        assert abs(pose.x - x) < 1.3
        assert pose.x > 0.0


@pytest.mark.parametrize(
    ("words", "turns"),
    [
        ("Turn left and stop.", [Move.LEFT] * 6),
        ("Take a right, then stop.", [Move.RIGHT] * 6),
        ("Turn around and wait there.", 12),
        ("Veer slightly right and stop.", [Move.RIGHT] * 3),
        ("Turn left, then turn left, and stop.", [Move.LEFT] * 12),
        ("Stop.", []),
    ],
)
def test_turns_are_made_on_the_spot(words: str, turns: list[Move] | int) -> None:
    made = moves(follow(words)[0])
    assert made[-1] is Move.STOP
    if isinstance(turns, int):
        assert len(made) - 1 == turns
        assert len(set(made[:-1])) == 1
    else:
        assert made[:-1] == turns


def test_words_that_nothing_fits_end_in_time_and_say_so() -> None:
    for words in ("Stop beside the purple piano.", "Zorp the quux.", "", "…"):
        decisions, _ = follow(words, budget=60)
        assert len(decisions) <= 60
        intent = decisions[-1].intent
        assert moves(decisions)[-1] is Move.STOP
        assert intent is not None
        assert intent["is"] == "exhausted"


def test_the_same_route_is_followed_the_same_way() -> None:
    words = "Go through the doorway and stop at the green box."
    assert moves(follow(words)[0]) == moves(follow(words)[0])


def _begin(agent: Agent, brief: TaskBrief, obs: Observation) -> None:
    agent.reset(brief)
    agent.act(obs)


def test_it_needs_its_sensors_and_discrete_moves() -> None:
    sim = tiny_simulator("vln-v1")
    for sensors, missing in ((("rgb", "pose"), "depth"), (("rgb", "depth"), "pose")):
        agent = load_agent(TRUTH)()
        env = Env(sim, make_task("vln-v1"), sensors)
        brief, obs = env.reset(tiny_episode("vln-v1", sim))
        with pytest.raises(AgentError, match=f"route needs the sensor '{missing}'"):
            _begin(agent, brief, obs)
    with pytest.raises(AgentError, match="route moves discretely"):
        agent.reset(replace(brief, control="velocity"))
    with pytest.raises(AgentError, match="detection must be from 0 to 1"):
        load_agent("route@detection=3")


# ---------------------------------------------------------------------------------- doorways
def rooms(
    yaw: float, gap_m: float, walls: Sequence[tuple[float, float, float, float]] = ()
) -> Walls:
    """Two rooms of 4×4 m, side by side, with a gap of the wall between them at the origin; turned
    by ``yaw`` about it. Further ``walls`` as (x0, y0, x1, y1)."""
    world = Walls()
    half = gap_m / 2.0
    lines = [(-4, -2, 4, -2), (-4, 2, 4, 2), (-4, -2, -4, 2), (4, -2, 4, 2)]
    lines += [(0, -2, 0, -half), (0, half, 0, 2)]
    c, s = math.cos(yaw), math.sin(yaw)
    for x, y in np.mgrid[-4:4:0.02, -2:2:0.02].reshape(2, -1).T:
        world.evidence[world.index(c * x - s * y, s * x + c * y)] = -10
    for x0, y0, x1, y1 in (*lines, *walls):
        for t in np.linspace(0.0, 1.0, 400):
            x, y = x0 + t * (x1 - x0), y0 + t * (y1 - y0)
            world.evidence[world.index(c * x - s * y, s * x + c * y)] = 10
    return world


@pytest.mark.parametrize("yaw", [0.0, 0.3, 0.8, 2.0])
@pytest.mark.parametrize("gap_m", [0.8, 1.0, 1.4])
def test_a_gap_in_a_wall_is_a_doorway(yaw: float, gap_m: float) -> None:
    (door,) = find_doorways(rooms(yaw, gap_m), 1.0, 0.5)
    assert math.hypot(door.x, door.y) < 0.2
    assert abs(math.remainder(door.yaw - yaw, math.pi)) < 0.2
    assert door.walled > 0.8
    x, y = door.beyond(yaw, 1.0)
    assert math.dist((x, y), (math.cos(yaw), math.sin(yaw))) < 0.3
    assert door.side_of(x, y) * door.side_of(-x, -y) < 0


def test_no_doorway_without_a_gap_or_in_a_corridor() -> None:
    assert find_doorways(rooms(0.0, 0.0), 1.0, 0.5) == []
    corridor = [(-4.0, -0.5, 4.0, -0.5), (-4.0, 0.5, 4.0, 0.5)]
    assert find_doorways(rooms(0.0, 1.0, corridor), 1.0, 0.0) == []


# --------------------------------------------------------------------------------- perception
class Reds:
    """An encoder of mean colours with a detector of two fixed boxes."""

    name, feature_dim, scale, bias = "reds", 3, 20.0, -10.0

    def encode_patches(self, rgb: np.ndarray) -> np.ndarray:
        means = rgb.reshape(2, rgb.shape[0] // 2, 2, rgb.shape[1] // 2, 3).mean(axis=(1, 3)) + 1e-3
        return (means / np.linalg.norm(means, axis=2, keepdims=True)).astype(np.float32)

    def encode_text(self, texts: Sequence[str]) -> np.ndarray:
        return np.tile(np.array([[1.0, 0.0, 0.0]], np.float32), (len(texts), 1))

    def detect(self, rgb: np.ndarray, queries: Sequence[str]) -> Detections:
        boxes = np.array([[1, 1, 7, 7], [9, 1, 15, 7]], np.float32)
        masks = np.zeros((2, 16, 16), dtype=bool)
        return Detections(boxes, np.array([0.8, 0.6], np.float32), np.array([0, 0]), masks)


def test_the_encoder_has_a_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_eyes, "load_encoder", lambda name: Reds())
    monkeypatch.setattr(search_eyes, "load_detector", lambda name: Reds())
    rgb = np.zeros((16, 16, 3), dtype=np.uint8)
    rgb[:, :8, 2] = 255  # the better box is blue
    rgb[:, 8:, 0] = 255
    found = AgreeingEyes("reds", "reds").detect(rgb, ["red thing"])
    assert found is not None
    np.testing.assert_allclose(found.scores, [0.6, 0.4], atol=0.01)
    assert found.boxes[0].tolist() == [9, 1, 15, 7]


def test_rooms_have_signs() -> None:
    assert "bed" in signs_of("second bedroom")
    assert "stove" in signs_of("kitchen")
    assert signs_of("hallway") == ()
    assert signs_of("") == ()
