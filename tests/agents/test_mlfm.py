"""MLFM: layers, text as kernel, sources."""

from __future__ import annotations

import numpy as np
import pytest
from search_plays import play

from navproof.agents._search_eyes import Eyes
from navproof.agents._search_goal import Wanted
from navproof.agents._search_memory import FeatureMemory
from navproof.perception.feature_map import MapSettings
from navproof.types import Camera, Observation, Pose, Robot, TaskBrief


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


@pytest.mark.parametrize("task", ["objectnav-v1", "vln-v1", "pointnav-v1"])
def test_it_plays_other_tasks(task: str) -> None:
    """The chair is the category of ObjectNav and the last landmark of the route."""
    played = play("mlfm@encoder=truth@detector=truth", task=task, steps=300)
    assert played.found == [True]


def with_kernel(kernel: bool) -> FeatureMemory:
    """Two mugs 2 m apart at table height, the left one above a desk, the right one above a bed."""
    eyes = Eyes("truth", None)
    memory = FeatureMemory(eyes, MapSettings(layers=3, cell_m=0.1), 5.0, kernel=kernel)
    facts = {10: {"category": "mug"}, 11: {"category": "desk"}, 12: {"category": "bed"}}
    brief = TaskBrief("t", "", Robot("r", 0.2, 1.0), (), "discrete", (), 1, 0, facts=facts)
    camera = Camera(64, 64, 90.0, 1.0)
    instances = np.zeros((64, 64), np.int32)
    instances[22:36, 12:20] = instances[22:36, 44:52] = 10  # 0.8 to 1.6 m high: layer 1
    instances[36:48, 8:24], instances[36:48, 40:56] = 11, 12  # below: layer 0
    rgb, depth = np.zeros((64, 64, 3), np.uint8), np.full((64, 64), 2.0, np.float32)
    eyes.open(Observation(0, {"rgb": rgb, "semantic": instances}), brief)
    memory.ask(Wanted("mug on the desk", "mug", "mug", "desk"))
    memory.see(rgb, depth, camera, Pose(0.0, 0.0))
    return memory


def test_text_as_kernel_tells_what_stands_on_what() -> None:
    """Without the kernel both mugs fit alike; with it only the one above the desk."""
    for kernel in (False, True):
        memory = with_kernel(kernel)
        flat = memory.scores().max(axis=0)
        left, right = memory.grid.index(2.0, 1.0), memory.grid.index(2.0, -1.0)
        on_desk = flat[left[0] - 2 : left[0] + 3, left[1] - 2 : left[1] + 3].max()
        on_bed = flat[right[0] - 2 : right[0] + 3, right[1] - 2 : right[1] + 3].max()
        assert float(on_desk) > 0.5
        assert (float(on_bed) < 0.5) is kernel
