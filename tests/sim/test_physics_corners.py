"""Carter at walls and corners in the physics tier: it gets away from them, and keeps off them."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from mission_samples import POINT, RETURN, WHOLE, mission, point
from navproof.agents.baselines.oracle import Oracle
from navproof.core.errors import SimulationError
from navproof.core.types import Episode, Pose, Velocity, Waypoints
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.play import play as play_session
from navproof.play.session import Session
from navproof.runner.run import run
from navproof.runner.spec import RunSpec
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.physics import simulator
from navproof.sim.physics.clearway import KEEP_M, clear_way
from navproof.sim.robots import load_robot
from navproof.tasks import spec_for, with_camera
from navproof.tasks.mission.rules import Mission
from navproof.testing import tiny_scene
from navproof.world.library import load_scene

CARTER = load_robot("carter")
SPEC = with_camera(spec_for("mission-v1"), 32, 32)


@pytest.fixture(scope="module")
def sim():  # type: ignore[no-untyped-def]
    pytest.importorskip("mujoco", minversion="4.0")
    sim = simulator()
    sim.load(tiny_scene(), CARTER)
    return sim


@pytest.fixture(scope="module")
def home() -> NavGrid:
    return NavGrid.build(load_scene("home/val/0"), CARTER)


# ------------------------------------------------------------------------- against a wall
@pytest.mark.parametrize("speeds", [(0.4, 0.6), (0.8, 0.5), (0.4, -0.6)])
def test_a_robot_that_drives_a_curve_turns_from_a_wall(  # type: ignore[no-untyped-def]
    sim, speeds: tuple[float, float]
) -> None:
    sim.place(Pose(-0.8, 1.0, 0.0, -math.copysign(0.35, speeds[1])))
    motions = [sim.apply(Velocity(*speeds)) for _ in range(50)]
    assert any(m.collided for m in motions)
    assert not any(m.collided for m in motions[-5:])
    assert sim.pose.x < -0.33


def test_waypoints_along_a_wall_lead_away_from_it(sim) -> None:  # type: ignore[no-untyped-def]
    sim.place(Pose(-0.6, 1.0, 0.0, 0.0))
    for _ in range(10):
        pressed = sim.apply(Velocity(0.4, 0.0))
    assert pressed.collided
    sim.place(replace(sim.pose, yaw=math.radians(50.0)))
    for _ in range(50):
        dx, dy, yaw = -0.4 - sim.pose.x, 2.5 - sim.pose.y, sim.pose.yaw
        ahead = (math.cos(yaw) * dx + math.sin(yaw) * dy, math.cos(yaw) * dy - math.sin(yaw) * dx)
        sim.apply(Waypoints((ahead,)))
    assert math.dist(sim.pose.point[:2], (-0.4, 2.5)) < 0.06


def test_a_robot_against_a_wall_is_restored_to_the_bit(sim) -> None:  # type: ignore[no-untyped-def]
    sim.place(Pose(-0.6, 1.0, 0.0, -0.3))
    on = Waypoints(((0.3, 0.15),))
    while not sim.apply(on).collided:
        assert sim.time_s < 5.0
    kept = sim.snapshot()
    first = [sim.apply(on) for _ in range(5)]
    sim.place(Pose(2.0, 2.0))
    sim.restore(kept)
    assert [sim.apply(on) for _ in range(5)] == first
    assert first[0].collided


# ----------------------------------------------------------------------- paths that keep off
def test_bends_keep_off_corners(home: NavGrid) -> None:
    from navproof.sim.geodesic.geodesic import Geodesics

    ways, open_bends = Geodesics(home), 0
    free = [home.centre(int(r), int(c)) for r, c in zip(*home.navigable.nonzero(), strict=True)]
    for begin, end in zip(
        free[:: len(free) // 12], free[len(free) // 24 :: len(free) // 12], strict=False
    ):
        taut = ways.path(*begin, ((*end, 0.0),))
        clear = clear_way(taut, home)
        if len(taut) < 3:
            continue
        assert (clear[0], clear[-1]) == (taut[0], taut[-1])
        assert all(home.is_free(*a, *b) for a, b in list(pairwise(clear))[1:])
        far = [p for p in clear[1:-1] if math.dist(p, clear[-1]) > 0.5]
        open_bends += sum(home.room_for(*p) >= CARTER.radius_m + KEEP_M - 1e-6 for p in far)
        length, least = (sum(math.dist(a, b) for a, b in pairwise(w)) for w in (clear, taut))
        assert length < 1.1 * least + 0.3
    assert open_bends >= 10


def test_a_path_without_bends_stays(home: NavGrid) -> None:
    row, col = (int(index[0]) for index in (home.clearance == home.clearance.max()).nonzero())
    x, y = home.centre(row, col)
    assert clear_way([], home) == []
    assert clear_way([(x, y)], home) == [(x, y)]
    assert clear_way([(x, y), (x + 0.4, y)], home) == [(x, y), (x + 0.4, y)]


# --------------------------------------------------------------------------------- missions
def play(sim, episode: Episode) -> Trace:  # type: ignore[no-untyped-def]
    env = Env(sim, Mission(SPEC), Oracle.sensors)
    sim.load(tiny_scene(), SPEC.robot)
    return play_session(Session(env, TraceKey("oracle", episode.episode_id)), Oracle(), episode)


@pytest.mark.parametrize(
    ("start", "end"),
    [((-0.5, 0.5), (0.6, 0.5)), ((-0.4, 1.0), (0.5, 3.2)), ((-3.5, 3.4), (0.5, 0.5))],
)
def test_the_oracle_plays_missions_round_corners(  # type: ignore[no-untyped-def]
    sim, start: tuple[float, float], end: tuple[float, float]
) -> None:
    there, back = replace(POINT, goal=point(*end)), replace(RETURN, goal=point(*start))
    trace = play(sim, mission(there, back, start=Pose(*start), budget_steps=400))
    assert trace.status == "ok", trace.reason
    assert [e.kind for e in trace.events] == ["subtask_done"] * 2 + ["stop"]
    assert trace.events[-1].data["success"] is True
    assert sum(trace.collisions) < 0.05 * len(trace.collisions)


def test_a_run_with_a_robot_that_has_no_body_is_refused_before_it_begins(tmp_path: Path) -> None:
    spec = RunSpec(("oracle",), "mine", simulator="physics")
    episodes = (replace(WHOLE, robot="carter"), replace(WHOLE, episode_id="n", robot="h1"))
    with pytest.raises(
        SimulationError, match=r"^the physics tier has no body for robot 'h1'; known"
    ):
        run(spec, tmp_path / "run", episodes=episodes)
    assert not (tmp_path / "run").exists()
