"""The ground-truth detector against brute force, and landmarks in instructions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from navproof.agents.detector import GroundTruthDetector
from navproof.agents.landmarks import named_in_order
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Move, Observation, Pose, TaskBrief
from navproof.play.env import Env
from navproof.sim.camera import unproject
from navproof.tasks import make_task


def look(sensors: tuple[str, ...] = ("depth", "semantic", "pose")) -> tuple[TaskBrief, Observation]:
    """From the doorway into the east room, having turned once."""
    sim = tiny_simulator("objectnav-v1")
    env = Env(sim, make_task("objectnav-v1"), sensors)
    episode = replace(tiny_episode("objectnav-v1", sim), start=Pose(0.2, 2.0, 0.0, 0.0))
    brief, _ = env.reset(episode)
    return brief, env.step(Move.LEFT).observation


def test_labels_boxes_and_positions_equal_brute_force() -> None:
    brief, obs = look()
    found = {d.label: d for d in GroundTruthDetector().detect(obs, brief)}
    assert set(found) == {"chair"}
    semantic, depth, pose = obs.semantic, obs.depth, obs.pose
    assert semantic is not None
    assert depth is not None
    assert pose is not None
    rows, cols = np.nonzero(semantic == 11)
    box = (cols.min(), rows.min(), cols.max() + 1, rows.max() + 1)
    assert found["chair"].box == tuple(float(v) for v in box)
    camera = next(s.camera for s in brief.sensors if s.kind == "semantic")
    assert camera is not None
    points = unproject(camera, Pose(*(float(v) for v in pose)), depth)[semantic == 11]
    mean = np.nanmean(points, axis=0)
    assert found["chair"].position == pytest.approx(mean, abs=1e-3)
    # the chair stands at (2, 3.5) in the world: (1.8, 1.5) from the start, seen on its near side
    assert mean[:2] == pytest.approx([1.8, 1.5], abs=0.35)


def test_small_things_are_not_seen() -> None:
    brief, obs = look()
    assert GroundTruthDetector(min_share=0.9).detect(obs, brief) == ()


def test_without_depth_there_is_no_position_and_without_labels_nothing() -> None:
    brief, obs = look(("semantic",))
    (chair,) = GroundTruthDetector().detect(obs, brief)
    assert chair.position is None
    assert chair.box is not None
    assert GroundTruthDetector().detect(obs, replace(brief, labels=None)) == ()


LABELS = ("table", "coffee table", "chair", "potted_plant", "bus", "tv")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Walk past the coffee table to the chair.", ("coffee table", "chair")),
        ("Pass the TV, then two chairs, then a Table.", ("tv", "chair", "table")),
        ("Stop by the potted plant.", ("potted_plant",)),
        ("Between the chairs and the chair.", ("chair",)),
        ("Past the buses.", ("bus",)),
        ("A stable chairman is no furniture.", ()),
        ("", ()),
    ],
)
def test_landmarks_in_order(text: str, expected: tuple[str, ...]) -> None:
    assert named_in_order(text, LABELS) == expected


def test_no_labels_no_landmarks() -> None:
    assert named_in_order("Walk past the table.", ()) == ()
