"""MLFM: layers, text as kernel, sources."""

from __future__ import annotations

import numpy as np
import pytest
from search_plays import play

from navproof.agents.search.eyes import Eyes
from navproof.agents.search.goal import SearchGoal
from navproof.agents.search.memory import FeatureMemory
from navproof.core.types import Camera, Observation, Pose, Robot, TaskBrief
from navproof.perception.feature_map import MapSettings


@pytest.mark.parametrize(
    ("options", "by"),
    [
        ("", "both"),
        ("@sources=map", "map"),
        ("@sources=detector", "detector"),
        ("@layers=1", "both"),
    ],
)
def test_it_finds_its_goals_by_the_sources_it_is_given(options: str, by: str) -> None:
    played = play(f"mlfm@encoder=truth@detector=truth{options}")
    assert played.found == [True, True]
    assert played.claims == [by, by]


def test_the_same_episode_goes_the_same_way() -> None:
    first, second = (play("mlfm@encoder=truth@detector=truth", steps=120) for _ in range(2))
    assert first.actions == second.actions
    assert first.intents == second.intents


@pytest.mark.parametrize("task", ["objectnav-v1", "pointnav-v1"])
def test_it_plays_other_tasks(task: str) -> None:
    """The chair is the category of ObjectNav; PointNav is played by its own reading."""
    played = play("mlfm@encoder=truth@detector=truth", task=task, steps=300)
    assert played.found == [True]


def two_mugs(
    wanted: SearchGoal, kernel: bool, it: tuple[float, float] | None = None
) -> list[float]:
    """How likely each of two mugs is the one wanted: a red one above a desk at (2, 1), and a blue
    one above a bed at (2, −1), both from 0.8 to 1.6 m high, which is layer 1."""
    eyes = Eyes("truth", None)
    memory = FeatureMemory(eyes, MapSettings(layers=3, cell_m=0.1), 5.0, kernel=kernel)
    facts = {
        10: {"category": "mug", "attr.colour": "red"},
        11: {"category": "mug", "attr.colour": "blue"},
        12: {"category": "desk"},
        13: {"category": "bed"},
    }
    brief = TaskBrief("t", "", Robot("r", 0.2, 1.0), (), "discrete", (), 1, 0, facts=facts)
    instances = np.zeros((64, 64), np.int32)
    instances[22:36, 12:20], instances[22:36, 44:52] = 10, 11
    instances[36:48, 8:24], instances[36:48, 40:56] = 12, 13
    rgb, depth = np.zeros((64, 64, 3), np.uint8), np.full((64, 64), 2.0, np.float32)
    eyes.open(Observation(0, {"rgb": rgb, "semantic": instances}), brief)
    memory.ask(wanted, it)
    memory.see(rgb, depth, Camera(64, 64, 90.0, 1.0), Pose(0.0, 0.0))
    flat = memory.scores().max(axis=0)
    return [float(flat[memory.grid.window(2.0, y, 0.2)].max()) for y in (1.0, -1.0)]


@pytest.mark.parametrize(
    "wanted",
    [
        SearchGoal("mug on the desk", "mug", "mug", "desk"),
        SearchGoal("mug next to the desk", "mug", "mug", anchors=("desk",)),
        SearchGoal("mug that is not blue", "mug", "mug", negated=("blue",)),
    ],
)
def test_text_as_kernel_tells_alike_things_apart(wanted: SearchGoal) -> None:
    """By what is below them, what is near them, and what they are not."""
    first, second = two_mugs(wanted, kernel=True)
    assert first > 0.5 > second


def test_without_the_kernel_the_support_tells_nothing() -> None:
    first, second = two_mugs(SearchGoal("mug on the desk", "mug", "mug", "desk"), kernel=False)
    assert first > 0.9
    assert second == pytest.approx(first, abs=0.05)


def test_what_is_by_it_is_near_the_goal_before() -> None:
    wanted = SearchGoal("mug", "mug", "mug", by_it=True)
    first, second = two_mugs(wanted, kernel=True, it=(2.0, 3.0))
    assert first > 0.9
    assert second == 0.0
