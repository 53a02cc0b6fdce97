"""The core of the search agents: sightings, standing places, exploring, rules of acceptance."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from search_plays import Play, play

from navproof.agents.load import load_agent
from navproof.agents.mapping.navigate import Navigator
from navproof.agents.mapping.occupancy import LIMIT, OccupancyMap
from navproof.agents.search.explore import Explorer, Frontier
from navproof.agents.search.goal import wanted
from navproof.agents.search.mlfm import MLFM, MLFMOptions
from navproof.agents.search.sides import ViewDirections
from navproof.agents.search.sightings import Sighting, Sightings, place
from navproof.agents.search.stand import EyeLevel, stand_by
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import AgentError, NavproofError
from navproof.core.seeding import rng
from navproof.core.types import Camera, Move, Observation, Pose, Robot, TaskBrief
from navproof.perception.protocol import Detections
from navproof.tasks import spec_for

CAMERA = Camera(width=64, height=48, hfov_deg=90.0, height_m=1.5)
ROBOT = Robot("disc", 0.18, 1.5, turn_deg=30.0)
LANGNAV = spec_for("langnav-v1")
BRIEF = TaskBrief(
    "langnav-v1",
    "Find the red table.",
    LANGNAV.robot,
    LANGNAV.sensors[:3],
    "discrete",
    (Move.FORWARD, Move.LEFT, Move.RIGHT, Move.FOUND),
    500,
    4,
)


# ---------------------------------------------------------------------------------------- sightings
def one_box(u0: int, v0: int, u1: int, v1: int, score: float = 0.8) -> Detections:
    mask = np.zeros((1, CAMERA.height, CAMERA.width), dtype=np.bool_)
    mask[0, v0:v1, u0:u1] = True
    return Detections(
        np.array([[u0, v0, u1, v1]], dtype=np.float32),
        np.array([score], dtype=np.float32),
        np.array([0]),
        mask,
    )


@pytest.mark.parametrize("yaw", [0.0, 1.0, -2.5])
def test_a_detection_is_put_where_its_pixels_are(yaw: float) -> None:
    """Pixels around (u, v) at depth z lie z ahead, z·(cx − u)/f to the left, and as much lower."""
    depth = np.full((48, 64), 9.0, dtype=np.float32)
    depth[30:34, 40:44] = 2.0
    seen, sightings = place(
        one_box(40, 30, 44, 34), ["mug"], depth, CAMERA, Pose(1.0, -2.0, 0.0, yaw), 5
    )
    focal = 32.0
    ahead, left, z = 2.0, 2.0 * (32 - 42) / focal, 1.5 - 2.0 * (32 - 24) / focal
    x = 1.0 + ahead * math.cos(yaw) - left * math.sin(yaw)
    y = -2.0 + ahead * math.sin(yaw) + left * math.cos(yaw)
    assert sightings[0].position == pytest.approx((x, y, z), abs=0.05)
    assert sightings[0].seen_m == pytest.approx(math.hypot(ahead, left), abs=0.05)
    assert seen[0].box == (40.0, 30.0, 44.0, 34.0)
    assert seen[0].position == sightings[0].position


def test_the_rim_of_a_mask_does_not_carry_a_thing_to_the_wall_behind() -> None:
    depth = np.full((48, 64), 8.0, dtype=np.float32)
    depth[20:30, 20:30] = 2.0
    _, sightings = place(one_box(18, 18, 32, 32), ["mug"], depth, CAMERA, Pose(0.0, 0.0), 0)
    assert sightings[0].position[0] == pytest.approx(2.0, abs=0.01)
    assert np.abs(sightings[0].spots[:, 0] - 2.0).max() < 0.01


def test_a_mask_without_depth_is_a_belief_but_no_sighting() -> None:
    depth = np.zeros((48, 64), dtype=np.float32)
    seen, sightings = place(one_box(4, 4, 9, 9), ["mug"], depth, CAMERA, Pose(0.0, 0.0), 0)
    assert sightings == []
    assert seen[0].position is None


def sighting(x: float, y: float, score: float, seen_m: float, step: int = 0) -> Sighting:
    return Sighting("mug", (score,), (x, y, 0.8), np.array([[x, y]]), step, seen_m)


def test_sightings_of_one_thing_are_merged() -> None:
    known = Sightings()
    known.add(sighting(0.0, 0.0, 0.9, 4.0, step=1))
    known.add(sighting(0.3, 0.0, 0.5, 1.0, step=2))
    known.add(sighting(3.0, 0.0, 0.6, 1.0, step=3))
    first, second = known.of("mug")
    assert (first.position[0], first.score) == (0.3, 0.9)
    assert first.steady == pytest.approx((0.9 + 0.5) / 3)
    assert second.position[0] == 3.0
    known.add(sighting(0.1, 0.0, 0.6, 3.0, step=4))
    known.add(sighting(0.1, 0.0, 0.6, 3.0, step=4))  # a second box of the same frame
    assert known.of("mug")[0].steady == pytest.approx((0.9 + 0.6 + 0.5) / 3)
    assert known.of("vase") == []
    assert [r.step for r in known.remembered()] == [4, 3]


# ----------------------------------------------------------------------------------- where to stand
def walled_room() -> tuple[Navigator, EyeLevel]:
    """8 m × 4 m of free floor with a wall at x = 0 from y = −2 to 1."""
    world, eyes = OccupancyMap(0.08, 1.5), EyeLevel(1.5)
    for grid in (world, eyes):
        (r0, c0), (r1, c1) = grid.index(-4.0, -2.0), grid.index(4.0, 2.0)
        grid.evidence[r0:r1, c0:c1] = -LIMIT
        grid.evidence[[r0 - 1, r1], c0:c1] = LIMIT
        grid.evidence[r0:r1, [c0 - 1, c1]] = LIMIT
        (w0, v0), (w1, v1) = grid.index(-0.07, -2.0), grid.index(0.07, 1.0)
        grid.evidence[w0:w1, v0:v1] = LIMIT
    return Navigator(ROBOT, world), eyes


def test_a_place_beyond_a_wall_is_not_near() -> None:
    """A picture on the east face of the wall is 0.3 m from the robot through it."""
    nav, eyes = walled_room()
    found = stand_by(nav, eyes, Pose(-0.4, 0.0), np.array([[0.1, 0.0]]), (0.9, 1.3))
    assert found is not None
    (x, y), away = found
    assert x > 0.1
    assert away <= 0.9
    assert away == pytest.approx(math.dist((x, y), (0.1, 0.0)), abs=1e-6)


def test_the_nearest_place_in_reach_is_taken() -> None:
    nav, eyes = walled_room()
    found = stand_by(nav, eyes, Pose(3.0, 0.0), np.array([[1.5, 0.0]]), (0.9,))
    assert found is not None
    assert found[0] == pytest.approx((2.4, 0.0), abs=0.08)


def test_what_no_place_is_near_to_cannot_be_reached() -> None:
    nav, eyes = walled_room()
    assert stand_by(nav, eyes, Pose(3.0, 0.0), np.array([[9.0, 9.0]]), (0.9, 1.3)) is None


# ---------------------------------------------------------------------------------------- exploring
def half_known() -> Navigator:
    """A free strip 8 m × 2 m along x, open at both ends, the robot nearer to the east end."""
    world = OccupancyMap(0.08, 1.5)
    (r0, c0), (r1, c1) = world.index(-4.0, -1.0), world.index(4.0, 1.0)
    world.evidence[r0:r1, c0:c1] = -LIMIT
    world.evidence[[r0 - 1, r1], c0:c1] = LIMIT
    return Navigator(ROBOT, world)


@pytest.mark.parametrize(
    ("choice", "west_is_worth", "goes_west"),
    [("nearest", 1.0, False), ("value", 1.0, True), ("value", 0.0, False)],
)
def test_value_outweighs_distance_for_those_who_heed_it(
    choice: str, west_is_worth: float, goes_west: bool
) -> None:
    nav = half_known()
    explorer = Explorer(nav, choice, rng(0, "e", "explore"))  # type: ignore[arg-type]
    move = explorer.move(Pose(1.0, 0.0), lambda at: west_is_worth * float(at[0] < 0.0))
    assert move is not None
    assert (nav.path[-1][0] < 0.0) is goes_west


def test_nothing_is_left_to_explore_in_a_closed_room() -> None:
    nav = half_known()
    (r0, c0), (r1, c1) = nav.map.index(-4.0, -1.0), nav.map.index(4.0, 1.0)
    nav.map.evidence[r0:r1, [c0 - 1, c1]] = LIMIT
    explorer = Explorer(nav, "nearest", rng(0, "e", "explore"))
    assert explorer.move(Pose(1.0, 0.0), lambda at: 0.0) is None


def test_uniform_places_are_drawn_alike_from_one_seed() -> None:
    paths = []
    for seed in (1, 1, 2):
        nav = half_known()
        Explorer(nav, "uniform", rng(seed, "e", "explore")).move(Pose(1.0, 0.0), lambda at: 0.0)
        paths.append(nav.path)
    assert paths[0] == paths[1] != paths[2]


class _Chooser:
    """Chooses the frontier of one index, and counts how often it is asked."""

    hold_steps = 5

    def __init__(self, index: int) -> None:
        self.index = index
        self.times = 0

    def choose(self, nav: Navigator, pose: Pose, frontiers: Sequence[Frontier]) -> int:
        self.times += 1
        return self.index


@pytest.mark.parametrize(("index", "goes_west"), [(0, False), (1, True)])
def test_a_chooser_has_the_say_until_its_choice_is_too_old(index: int, goes_west: bool) -> None:
    nav, chooser = half_known(), _Chooser(index)
    explorer = Explorer(nav, "nearest", rng(0, "e", "explore"), chooser=chooser)
    x, step_m = 1.0, -0.1 if goes_west else 0.1
    for _ in range(11):
        assert explorer.move(Pose(x, 0.0), lambda at: 0.0) is not None
        assert (nav.path[-1][0] < 0.0) is goes_west
        x += step_m
    assert chooser.times == 2


def test_where_it_does_not_get_on_the_way_is_taken_to_be_blocked() -> None:
    """A robot that does not move from its place for 20 steps sees a thing ahead that is not there,
    until it is forgiven."""
    nav = half_known()
    explorer = Explorer(nav, "nearest", rng(0, "e", "explore"), chooser=_Chooser(-1))
    pose, ahead = Pose(0.0, 0.0, 0.0, math.pi), []
    for _ in range(25):
        explorer.move(pose, lambda at: 0.0)
        ahead.append(nav.has_room_at(-0.3, 0.0))
    assert ahead == [True] * 20 + [False] * 5
    assert nav.forgive()
    assert nav.has_room_at(-0.3, 0.0)


# -------------------------------------------------------------------------------------------- words
@pytest.mark.parametrize(
    ("words", "whole", "target", "support"),
    [
        ("Find the red candle on the desk.", "red candle on the desk", "red candle", "desk"),
        ("Could you go to a potted plant?", "potted plant", "potted plant", None),
        ("Find a chair that is not black.", "chair that is not black", "chair", None),
    ],
)
def test_words_are_taken_apart(words: str, whole: str, target: str, support: str | None) -> None:
    found = wanted(words)
    assert (found.whole, found.target, found.support) == (whole, target, support)


# ------------------------------------------------------------------------------ rules of acceptance
class Blind:
    """A detector that never finds anything."""

    name = "blind"

    def detect(self, rgb: NDArray[np.uint8], queries: Sequence[str]) -> Detections:
        shape = (0, *rgb.shape[:2])
        none = np.zeros(0, dtype=np.float32)
        return Detections(none.reshape(0, 4), none, np.zeros(0, np.int64), np.zeros(shape, bool))


def mlfm_with_blind_detector(**options: object) -> MLFM:
    agent = MLFM(MLFMOptions(encoder="truth", detector="truth", **options))  # type: ignore[arg-type]
    agent._searcher.eyes = copy.copy(agent._searcher.eyes)
    agent._searcher.eyes._detector = Blind()
    return agent


@pytest.fixture(scope="module")
def seeing() -> Play:
    """MLFM with perfect eyes: to the chair, and back to the table."""
    return play("mlfm@encoder=truth@detector=truth")


def test_map_and_detector_must_agree_first_and_later_the_map_is_enough(seeing: Play) -> None:
    """200 steps a goal: nothing may be claimed before step 80 while the detector is silent."""
    blind = play("mlfm@encoder=truth@detector=truth", agent=mlfm_with_blind_detector())
    assert seeing.claims == ["both", "both"]
    assert seeing.actions.index("found") < 80
    assert blind.claims == ["map", "map"]
    assert blind.actions.index("found") >= 80
    assert seeing.found == blind.found == [True, True]


def test_spots_that_the_detector_will_not_confirm_are_looked_at_and_left() -> None:
    """With consensus throughout, a silent detector lets the map win only when all is explored."""
    agent = mlfm_with_blind_detector(eae=1.0)
    played = play("mlfm@encoder=truth@detector=truth", agent=agent)
    told = [i for i in played.intents if i is not None]
    first = next(k for k, i in enumerate(told) if i["is"] == "approach")
    assert told[first]["by"] == "map"
    assert any(i["is"] == "explore" for i in told[first:])
    claimed = next(k for k, i in enumerate(told) if i["is"] == "claim")
    assert claimed - first > 20


def test_what_was_seen_before_is_gone_to_at_once() -> None:
    """To the chair, to the table, and to the chair again: it is not looked for any more."""
    chair, table = tiny_episode("langnav-v1", tiny_simulator("langnav-v1")).goals
    goals = (chair, table, chair)
    played = play("mlfm@encoder=truth@detector=truth", steps=600, goals=goals)
    assert played.found == [True, True, True]
    ends = [i for i, action in enumerate(played.actions) if action == "found"]
    told = [i["is"] for i in played.intents[ends[1] + 1 : ends[2]] if i is not None]
    assert set(told) == {"approach"}


def test_beliefs_say_what_was_seen_remembered_and_planned(seeing: Play) -> None:
    held = [b for b in seeing.beliefs if b is not None]
    assert len(held) == len(seeing.actions)
    chairs = [d for b in held for d in b.perceived if d.label == "blue chair"]
    assert chairs
    # The flat's chair is at (2, 3.5), the start at (−3, 1) facing +x.
    assert chairs[-1].position is not None
    assert math.dist(chairs[-1].position[:2], (5.0, 2.5)) < 0.4
    assert any(r.label == "blue chair" for r in held[-1].remembered)
    assert any(len(b.plan) > 3 for b in held)


# ---------------------------------------------------------------------------------------- bad input
@pytest.mark.parametrize("missing", ["rgb", "depth", "pose"])
def test_a_missing_sensor_is_named(missing: str) -> None:
    agent = load_agent("mlfm@encoder=truth@detector=truth")()
    agent.reset(BRIEF)
    readings = {
        "rgb": np.zeros((256, 256, 3), np.uint8),
        "depth": np.ones((256, 256), np.float32),
        "pose": np.zeros(4),
    }
    del readings[missing]
    with pytest.raises(AgentError, match=f"mlfm needs the sensor '{missing}'"):
        agent.act(Observation(0, readings, BRIEF.instruction))


def test_words_that_say_nothing_are_refused() -> None:
    agent = load_agent("mlfm@encoder=truth@detector=truth")()
    agent.reset(BRIEF)
    with pytest.raises(AgentError, match="the goal has no words"):
        agent.act(Observation(0, {}, " .. "))


class Short:
    """An encoder that promises 8 numbers and gives 4."""

    name, feature_dim, scale, bias = "short", 8, 10.0, -5.0

    def encode_patches(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        return np.ones((4, 4, 4), np.float32)

    def encode_image(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        return np.ones(4, np.float32)

    def encode_text(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ones((len(texts), 8), np.float32)


@pytest.mark.parametrize("name", ["vlmaps@encoder=truth", "vlfm@encoder=truth"])
def test_an_encoder_of_another_size_is_refused_in_one_line(name: str) -> None:
    agent = load_agent(name)()
    agent._searcher.eyes._encoder = Short()  # type: ignore[attr-defined]
    with pytest.raises(NavproofError, match="4 numbers a vector, but says feature_dim = 8"):
        play(name, agent=agent, steps=4)


# ------------------------------------------------------------------------------------------- sides
def test_a_wall_was_seen_from_before_it() -> None:
    sides = ViewDirections()
    flat = np.full((48, 64), 3.0, dtype=np.float32)
    for x, y in ((0.0, 0.0), (0.5, 0.4), (-0.5, -0.6)):
        sides.add(flat + np.float32(x), CAMERA, Pose(-x, y))
    wall = np.array([[3.0, y] for y in np.arange(-0.3, 0.3, 0.05)])
    assert sides.of(wall) == pytest.approx((-1.0, 0.0), abs=0.25)
    assert sides.of(-wall) is None
    assert sides.of(100.0 * wall) is None


def test_what_was_seen_from_all_around_has_no_side() -> None:
    sides = ViewDirections()
    ahead = np.zeros((48, 64), dtype=np.float32)
    ahead[:, 28:36] = 2.0
    for k in range(8):
        yaw = k * math.pi / 4
        sides.add(ahead, CAMERA, Pose(-2.0 * math.cos(yaw), -2.0 * math.sin(yaw), 0.0, yaw))
    assert sides.of(np.array([[x, y] for x in (-0.1, 0.0, 0.1) for y in (-0.1, 0.0, 0.1)])) is None


def test_the_side_decides_where_to_stand() -> None:
    """In the open, a thing seen from the west is gone to from the west, though east is nearer."""
    nav, eyes = walled_room()
    spots = np.array([[2.0, 0.0]])
    east = stand_by(nav, eyes, Pose(3.5, 0.0), spots, (0.9,))
    west = stand_by(nav, eyes, Pose(3.5, 0.0), spots, (0.9,), side=(-1.0, 0.0))
    assert east is not None
    assert west is not None
    assert west[0][0] < 2.0 < east[0][0]
