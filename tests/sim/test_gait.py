"""The sway of walking cameras: amplitude and phase by formula, and what is rendered."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from navproof.core.types import Camera, Command, Gait, Move, Pose, Robot, Velocity
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.motion.gait import LEVEL, STANDING, Sway, Walking, mounted, sway_of, walked_on
from navproof.sim.robots import load_robot
from navproof.testing import tiny_scene

SCENE = tiny_scene()
CARTER, ALIENGO, H1 = (load_robot(name) for name in ("carter", "aliengo", "h1"))
WALKER = replace(H1, gait=Gait(stride_m=0.8, bob_m=0.02, sway_m=0.03, pitch_deg=1.0))
CAMERA = Camera(width=64, height=64, height_m=1.36)


def standing(robot: Robot) -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(SCENE, robot)
    sim.place(Pose(-3.5, 2.0))
    return sim


@pytest.mark.parametrize("eighth", range(9))
def test_amplitude_and_phase(eighth: int) -> None:
    sway = sway_of(WALKER, Walking(2.4 + 0.1 * eighth, 0.5))
    phase = eighth * math.tau / 8
    assert sway.up_m == pytest.approx(0.5 * 0.02 * math.sin(2 * phase), abs=1e-6)
    assert sway.left_m == pytest.approx(0.5 * 0.03 * math.sin(phase), abs=1e-6)
    assert sway.pitch_deg == pytest.approx(0.5 * 1.0 * math.cos(2 * phase), abs=1e-6)


def test_amplitudes_grow_with_speed_up_to_the_greatest() -> None:
    peak = [sway_of(WALKER, Walking(0.2, v)).left_m for v in (0.0, 0.25, 1.0, 3.0)]
    assert peak == pytest.approx([0.0, 0.0075, 0.03, 0.03])


def test_over_a_stride_it_is_nowhere_on_average() -> None:
    swings = [sway_of(WALKER, Walking(0.8 * i / 200, 1.0)) for i in range(200)]
    for part in ("up_m", "left_m", "pitch_deg"):
        values = [getattr(s, part) for s in swings]
        assert np.mean(values) == pytest.approx(0.0, abs=1e-6)
        most = {"up_m": 0.02, "left_m": 0.03, "pitch_deg": 1.0}[part]
        assert (max(values), min(values)) == pytest.approx((most, -most), rel=1e-3)


def test_standing_and_rolling_are_level() -> None:
    assert sway_of(WALKER, Walking(0.3, 0.0)) == LEVEL
    assert sway_of(CARTER, Walking(0.3, 0.8)) == LEVEL
    assert mounted(CAMERA, LEVEL) is CAMERA
    assert walked_on(CARTER, STANDING, Pose(0, 0), Pose(1, 0), 1.0, False) == STANDING


def test_way_and_speed_come_from_the_poses() -> None:
    begin, end = Pose(0.0, 0.0, 0.0, 3.1), Pose(0.06, 0.08, 0.0, -3.1)
    turned = math.tau - 6.2
    walked = walked_on(WALKER, Walking(1.0, 0.0), begin, end, 0.1, False)
    assert walked.way_m == pytest.approx(1.1 + turned * WALKER.radius_m, abs=1e-6)
    assert walked.speed_m_s == pytest.approx(1.0 + 10 * turned * WALKER.radius_m, abs=1e-5)
    assert walked_on(WALKER, STANDING, begin, end, 0.1, True).speed_m_s == 0.0


def test_the_camera_goes_with_the_body() -> None:
    sway = Sway(0.02, -0.01, 0.8)
    ahead = mounted(CAMERA, sway)
    assert (ahead.height_m, ahead.left_m, ahead.pitch_deg) == pytest.approx((1.38, -0.01, 0.8))
    back = mounted(replace(CAMERA, yaw_deg=180.0), sway)
    assert (back.left_m, back.pitch_deg) == pytest.approx((-0.01, -0.8))
    assert mounted(replace(CAMERA, yaw_deg=90.0), sway).pitch_deg == pytest.approx(0.0)


# --------------------------------------------------------------------------- in the simulator
def test_walking_is_seen_and_standing_is_not() -> None:
    still = replace(H1, gait=None)
    swaying, level = standing(H1), standing(still)
    seen = []
    for command in [Velocity(0.5, 0.0)] * 10 + [Velocity(0.0, 0.0)] * 10:
        assert swaying.apply(command) == level.apply(command)  # bodies move alike
        a, b = swaying.render(CAMERA), level.render(CAMERA)
        seen.append(bool((a.depth != b.depth).any()))
    assert all(seen[:10])
    assert not seen[-1]


def test_what_is_rendered_is_the_view_of_the_carried_camera() -> None:
    walking, level = standing(H1), standing(replace(H1, gait=None))
    for _ in range(7):
        walking.apply(Velocity(0.6, 0.2))
        level.apply(Velocity(0.6, 0.2))
    sway = walking.sway
    assert sway != LEVEL
    expected = level.render(mounted(CAMERA, sway))
    frame = walking.render(CAMERA)
    assert np.array_equal(frame.rgb, expected.rgb)
    assert np.array_equal(frame.depth, expected.depth)


@pytest.mark.parametrize("robot", [CARTER, ALIENGO, H1], ids=lambda r: r.name)
def test_after_a_discrete_move_the_robot_stands(robot: Robot) -> None:
    sim = standing(robot)
    for move in (Move.FORWARD, Move.LEFT, Move.FORWARD):
        sim.apply(move)
        assert sim.sway == LEVEL


@pytest.mark.parametrize("robot", [CARTER, ALIENGO, H1], ids=lambda r: r.name)
def test_a_recorded_walk_is_rendered_again_bit_for_bit(robot: Robot) -> None:
    commands: list[Command] = [Velocity(0.5, 0.3)] * 6 + [Velocity(0.0, 0.0)] * 8
    commands += [Move.FORWARD, Move.RIGHT, Move.FORWARD]
    first, again = standing(robot), standing(robot)
    for command in commands:
        motion = first.apply(command)
        again.follow(command, motion.pose)
        assert again.time_s == first.time_s
        assert again.sway == first.sway
        assert np.array_equal(first.render(CAMERA).rgb, again.render(CAMERA).rgb)
