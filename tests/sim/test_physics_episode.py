"""The physics tier as a run uses it: a generated home, an episode, and the name in the hash."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from navproof.agents.baselines.oracle import Oracle
from navproof.check.tiny import tiny_episode
from navproof.core.types import Robot
from navproof.play.env import Env
from navproof.runner.identity import describe, differences, hash_of
from navproof.runner.spec import RunSpec
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.physics import simulator
from navproof.sim.physics.body import body_for
from navproof.sim.physics.obstacles import Piece, obstacles
from navproof.sim.physics.rig import Rig
from navproof.sim.robots import load_robot
from navproof.tasks import make_task, spec_for
from navproof.testing import tiny_scene
from navproof.world.library import load_scene

PHYSICS = "physics"
CARTER = load_robot("carter")


@pytest.fixture(scope="module")
def home() -> tuple[NavGrid, tuple[Piece, ...]]:
    pytest.importorskip("mujoco", minversion="4.0")
    scene = load_scene("home/val/0")
    return NavGrid.build(scene, CARTER), obstacles(scene, CARTER.height_m)


def depths_m(robot: Robot, grid: NavGrid, pieces: tuple[Piece, ...]) -> np.ndarray[Any, Any]:
    """How deep a robot is in an obstacle, at places along walls and furniture (−1: not at all)."""
    import mujoco

    rig = Rig(body_for(robot), pieces, grid)
    model, data = rig._model, rig._data
    cells = np.argwhere(grid.navigable & (grid.clearance < CARTER.radius_m + 0.03))
    found = []
    for row, col in cells[:: max(1, len(cells) // 150)]:
        rig.place(*grid.centre(int(row), int(col)), 0.0)
        mujoco.mj_forward(model, data)
        touching = rig._hard[data.contact.geom].any(axis=1)
        found.append(max([-1.0, *(-data.contact.dist[touching])]))
    return np.array(found)


def test_obstacles_agree_with_the_navigation_grid(home: tuple[NavGrid, tuple[Piece, ...]]) -> None:
    assert depths_m(CARTER, *home).max() < 0.01  # nothing stands where the grid says there is room
    wider = replace(CARTER, radius_m=CARTER.radius_m + 0.05)
    assert depths_m(wider, *home).min() > 0.0  # and where it says there is none, something does


def test_the_oracle_reaches_its_goal() -> None:
    pytest.importorskip("mujoco", minversion="4.0")
    sim = simulator()
    sim.load(tiny_scene(), CARTER)
    task = make_task("pointnav-v1", replace(spec_for("pointnav-v1"), robot=CARTER))
    env, agent = Env(sim, task, Oracle.sensors), Oracle()
    brief, seen = env.reset(tiny_episode("pointnav-v1", sim))
    agent.reset(brief)
    while not env.done:
        seen = env.step(agent.act(seen).action).observation
    assert env.distance_to_goal() <= task.spec.success_m
    assert sim.time_s > 5.0 / CARTER.max_speed_m_s


def test_the_tier_is_part_of_a_runs_hash() -> None:
    kinematic = describe(RunSpec(("oracle",), "mini"), [], {}, {}, {})
    physics = describe(RunSpec(("oracle",), "mini", simulator=PHYSICS), [], {}, {}, {})
    assert hash_of(kinematic) != hash_of(physics)
    assert differences(kinematic, physics) == [f"simulator: embedded there, {PHYSICS} now"]
