"""Odometry that drifts: against its equations, and over whole episodes."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from navproof.core.errors import SpecError
from navproof.core.seeding import rng
from navproof.core.types import Pose
from navproof.corruptions.body import odometry_drift

STEP_M, TURN_RAD = 0.25, math.radians(30.0)


def walk(steps: int = 60) -> list[Pose]:
    """Straight ways and turns, with a step up in between."""
    track = [Pose(0.0, 0.0, 0.0, 0.0)]
    for step in range(steps):
        p = track[-1]
        if step % 7 == 6:
            yaw = math.remainder(p.yaw + TURN_RAD * (1 if step % 2 else -1), math.tau)
            track.append(Pose(p.x, p.y, p.z + 0.01, yaw))
        else:
            x, y = p.x + STEP_M * math.cos(p.yaw), p.y + STEP_M * math.sin(p.yaw)
            track.append(Pose(x, y, p.z, p.yaw))
    return track


def follow(track: list[Pose], intensity: float, episode: str = "e", lasts: bool = True) -> Pose:
    estimate = track[0]
    for step, (before, now) in enumerate(pairwise(track)):
        still = rng(2, episode, "pose.lasting") if lasts else None
        generator = rng(2, episode, "pose", step)
        estimate = odometry_drift(estimate, before, now, intensity, generator, still)
    return estimate


def off(estimate: Pose, truth: Pose) -> float:
    return math.hypot(estimate.x - truth.x, estimate.y - truth.y)


def test_at_zero_it_is_the_truth() -> None:
    track = walk()
    assert follow(track, 0.0) == track[-1]


def test_of_each_kind_the_same() -> None:
    before, now = Pose(1.0, 2.0, 0.0, 0.5), Pose(1.2, 2.1, 0.0, 0.6)
    estimate = Pose(0.9, 2.2, 0.0, 0.45)
    told = odometry_drift(estimate, before, now, 0.7, rng(0, "a", "b"), rng(0, "a", "c"))
    assert isinstance(told, Pose)
    rows = [np.array((p.x, p.y, p.z, p.yaw)) for p in (estimate, before, now)]
    copies = [row.copy() for row in rows]
    array = odometry_drift(*rows, 0.7, rng(0, "a", "b"), rng(0, "a", "c"))
    assert array.dtype == np.float64
    assert array.tolist() == [told.x, told.y, told.z, told.yaw]
    assert all(np.array_equal(a, b) for a, b in zip(rows, copies, strict=True))
    from_tuples = odometry_drift(
        *(tuple(row.tolist()) for row in rows), 0.7, rng(0, "a", "b"), rng(0, "a", "c")
    )
    assert np.array_equal(from_tuples, array)


@pytest.mark.parametrize(("distance", "turn"), [(0.25, 0.0), (0.0, 0.5), (0.4, -0.3)])
def test_one_motion_has_the_stated_spread(distance: float, turn: float) -> None:
    """Thrun et al. 5.4: variances are sums of squares of distance and turn, times alphas."""
    intensity = 0.6
    now = (distance, 0.0, 0.0, turn)
    told = np.array(
        [
            odometry_drift((0.0,) * 4, (0.0,) * 4, now, intensity, rng(1, "e", "pose", step))
            for step in range(4000)
        ]
    )
    ways = told[:, 0] * np.cos((told[:, 3] - turn) / 2) + told[:, 1] * np.sin(
        (told[:, 3] - turn) / 2
    )
    a1, a2, a3, a4 = (intensity**2 * a for a in (0.0225, 0.0064, 0.0225, 0.0009))
    assert ways.std() == pytest.approx(math.sqrt(a3 * distance**2 + a4 * turn**2), rel=0.05)
    assert told[:, 3].std() == pytest.approx(math.sqrt(a1 * turn**2 + a2 * distance**2), rel=0.05)
    assert ways.mean() == pytest.approx(distance, abs=5e-3)
    assert told[:, 3].mean() == pytest.approx(turn, abs=5e-3)


def test_a_resting_robot_does_not_drift() -> None:
    here, believed = Pose(1.0, 2.0, 0.5, 3.0), Pose(1.5, 2.5, 0.5, -3.0)
    told = odometry_drift(believed, here, here, 1.0, rng(0, "a", "b"), rng(0, "a", "c"))
    assert told == believed


def test_it_is_the_motion_that_counts_not_the_frame() -> None:
    track = walk(20)
    moved = [_turned(p, 2.0, 5.0, -3.0) for p in track]
    told, told_there = follow(track, 0.8), follow(moved, 0.8)
    expected = _turned(told, 2.0, 5.0, -3.0)
    assert off(told_there, expected) < 1e-9
    assert math.remainder(told_there.yaw - expected.yaw, math.tau) == pytest.approx(0.0, abs=1e-9)


def _turned(p: Pose, yaw: float, x: float, y: float) -> Pose:
    c, s = math.cos(yaw), math.sin(yaw)
    return Pose(x + c * p.x - s * p.y, y + s * p.x + c * p.y, p.z, p.yaw + yaw)


def test_drift_grows_with_intensity_and_with_the_way() -> None:
    track = walk()
    errors = np.array(
        [
            [off(follow(track, s, f"e{e}"), track[-1]) for e in range(24)]
            for s in (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
        ]
    )
    mean = errors.mean(axis=1)
    assert (np.diff(mean) > 0).all()
    assert mean[0] == 0.0
    assert 0.05 < mean[2] < mean[-1] < 6.0
    early = np.mean([off(follow(track[:15], 0.5, f"e{e}"), track[14]) for e in range(24)])
    assert early < 0.6 * mean[3]


def test_the_systematic_error_lasts_and_differs_between_episodes() -> None:
    track = [Pose(STEP_M * k, 0.0) for k in range(60)]
    yaws = [follow(track, 0.5, f"e{e}").yaw for e in range(60)]
    loose = [follow(track, 0.5, f"e{e}", lasts=False).yaw for e in range(60)]
    assert np.std(yaws) > 1.5 * np.std(loose)
    assert min(yaws) < -0.05
    assert max(yaws) > 0.05


def test_height_and_wrapping() -> None:
    track = walk(80)
    told = follow(track, 1.0)
    assert told.z == pytest.approx(track[-1].z)
    spun = [Pose(0.0, 0.0, 0.0, math.remainder(k * TURN_RAD, math.tau)) for k in range(40)]
    assert -math.pi < follow(spun, 1.0).yaw <= math.pi


@pytest.mark.parametrize("bad", [(0.0, 0.0, 0.0), (0.0, 0.0, 0.0, float("nan")), "here", None])
def test_what_is_no_pose_is_refused(bad: object) -> None:
    good = (0.0, 0.0, 0.0, 0.0)
    with pytest.raises(SpecError, match="pose must be four"):
        odometry_drift(good, good, bad, 0.5, rng(0, "a", "b"))  # type: ignore[call-overload]
    with pytest.raises(SpecError, match="intensity"):
        odometry_drift(good, good, good, 2.0, rng(0, "a", "b"))
