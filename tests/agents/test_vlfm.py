"""VLFM: whole images draw it to frontiers, and its map alone says where the goal is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from search_plays import play

from navproof.agents.search.eyes import Eyes
from navproof.agents.search.goal import SearchGoal
from navproof.agents.search.memory import ValueMemory
from navproof.core.types import Camera, Observation, Pose, Robot, TaskBrief


def test_images_are_painted_again_for_a_new_goal() -> None:
    """What was seen while one thing was wanted counts for the next, as if it had been wanted."""
    eyes, memories = Eyes("truth", None), []
    camera = Camera(64, 64, 90.0, 1.5)
    rgb, depth = np.zeros((64, 64, 3), np.uint8), np.full((64, 64), 2.0, np.float32)
    facts = {10: {"category": "chair"}, 11: {"category": "table"}}
    brief = TaskBrief("t", "", Robot("r", 0.2, 1.0), (), "discrete", (), 1, 0, facts=facts)
    for first in ("chair", "table"):
        memory = ValueMemory(eyes, 0.1, 5.0)
        memory.ask(SearchGoal(first, first, first))
        for step, yaw in enumerate((0.0, math.pi)):
            seen = np.full((64, 64), 10 + step, np.int32)
            eyes.open(Observation(step, {"rgb": rgb, "semantic": seen}), brief)
            memory.see(rgb, depth, camera, Pose(0.0, 0.0, 0.0, yaw))
        memory.ask(SearchGoal("table", "table", "table"))
        memories.append(memory)
    assert np.array_equal(memories[0].scores(), memories[1].scores())
    assert memories[0].promise(-1.0, 0.0, 0.3) > memories[0].promise(1.0, 0.0, 0.3) + 0.2


@pytest.mark.parametrize("name", ["vlfm@encoder=truth", "vlfm-v2@encoder=truth@detector=truth"])
def test_it_plays_within_the_rules(name: str) -> None:
    played = play(name, steps=120)
    assert len([e for e in played.events if e.kind in ("found", "goal_timeout")]) == 2


def test_the_first_phase_of_two_ends_in_consensus() -> None:
    played = play("vlfm-v2@encoder=truth@detector=truth")
    assert played.found[0]
    assert played.claims[0] == "both"
