"""Following: how near, whom, and where she is looked for."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any, cast

import pytest

from navproof.agents.generalist.drive import Driver
from navproof.agents.generalist.follow import FollowSkill
from navproof.agents.generalist.people import Crowd, Track
from navproof.agents.generalist.skills import SkillTools
from navproof.agents.mapping.navigate import Navigator
from navproof.agents.mapping.occupancy import OccupancyMap
from navproof.core.types import Action, Move, Pose, TaskBrief, Velocity, Waypoints
from navproof.tasks import spec_for


def follow(
    *tracks: Track, robot: str = "carter", last: bool = True, yaw: float = 0.0
) -> FollowSkill:
    spec = spec_for("mission-v1", robot)
    brief = TaskBrief("mission-v1", "", spec.robot, spec.sensors, "any", (Move.STOP,), 500, 0)
    crowd = Crowd()
    crowd.tracks = list(tracks)
    nav = Navigator(spec.robot, OccupancyMap(0.08, 0.7), agile=True)
    nav.map.evidence[:] = -5
    survey = SimpleNamespace(crowd=crowd, pose=Pose(0.0, 0.0, 0.0, yaw), nav=nav, path=())
    kit = SkillTools(
        cast("Any", survey), Driver(brief), cast("Any", None), lambda _: Move.LEFT, 0.5
    )
    return FollowSkill(kit, "woman in the red jacket", 30.0, last=last)


def her(at: tuple[float, float], v: tuple[float, float] = (0.0, 0.0), fit: float = 0.7) -> Track:
    return Track(at, 0.0, v, 5, fit, 0.8, [(0.0, *at)])


def end_m(action: Action | None) -> float:
    """How far ahead a way leads."""
    assert isinstance(action, Waypoints)
    return math.hypot(*action.points[-1])


def test_it_drives_to_a_gap_behind_where_she_will_be() -> None:
    assert end_m(follow(her((4.0, 0.0))).step(0.0)) == pytest.approx(4.0 - 1.63, abs=0.02)
    walking = follow(her((4.0, 0.0), (1.0, 0.0))).step(0.0)
    assert end_m(walking) == pytest.approx(5.0 - 1.63, abs=0.02)


def test_who_brakes_slowly_keeps_a_larger_gap() -> None:
    near, far = (end_m(follow(her((4.0, 0.0)), robot=r).step(0.0)) for r in ("carter", "h1"))
    assert near - far == pytest.approx(0.6 * (1.0 - 0.64 / 3.0), abs=0.02)


def test_it_does_not_expect_her_behind_a_wall() -> None:
    following = follow(her((3.0, 0.0), (1.0, 0.0)))
    world = following._kit.survey.nav.map
    world.stamp(3.5, 0.0, 0.1, 20)
    assert end_m(following.step(0.0)) < 3.5 - 1.6


def test_near_her_it_turns_to_her_or_backs_off() -> None:
    turning = follow(her((1.3, 0.4))).step(0.0)
    assert isinstance(turning, Velocity)
    assert turning.v_m_s == 0.0
    assert turning.w_rad_s > 0.0
    back = follow(her((1.05, 0.0))).step(0.0)
    assert isinstance(back, Velocity)
    assert back.v_m_s < 0.0


def test_who_is_out_of_sight_is_known_again_by_her_looks() -> None:
    lost, seen, another = her((2.0, 0.0)), her((5.0, 0.0), fit=0.5), her((3.0, 0.0), fit=0.35)
    following = follow(lost)
    following.step(0.0)
    seen.seen_s = another.seen_s = 6.0
    following._kit.survey.crowd.tracks += [another]
    following.step(6.0)
    assert following.her is lost
    following._kit.survey.crowd.tracks += [seen]
    following.step(6.0)
    assert following.her is seen


def test_whom_the_words_hardly_fit_is_followed_while_nobody_fits_better() -> None:
    unlike, like = her((3.0, 0.0), fit=0.15), her((4.0, 1.0))
    passing = her((2.0, 2.0), (0.0, 1.0), fit=0.25)
    following = follow(unlike, passing)
    following.step(0.0)
    assert following.her is unlike
    following._kit.survey.crowd.tracks += [like]
    following.step(0.1)
    assert following.her is like
    unlike.score = 0.4
    nobody = follow(unlike)
    nobody.step(0.0)
    assert nobody.her is None


def test_it_gives_up_who_is_long_gone_at_her_place_if_nothing_comes_after() -> None:
    for last, x in ((False, 4.0), (True, 4.0), (True, 1.0)):
        gone = her((x, 0.0))
        gone.trail = [(0.0, x + 1.0, 0.0)] * 4
        following = follow(gone, last=last)
        following.step(0.0)
        assert (following.step(40.0) is None) is (not last or x == 1.0)


def test_a_first_look_goes_to_one_side_then_around_by_the_other() -> None:
    following = follow()
    sides = []
    for k in range(8):
        turn = following.step(0.1 * k)
        assert isinstance(turn, Velocity)
        sides.append(turn.w_rad_s > 0.0)
        survey = cast("Any", following._kit.survey)
        survey.pose = Pose(0.0, 0.0, 0.0, survey.pose.yaw + 0.1 * math.copysign(1, turn.w_rad_s))
    assert sides[0]
    assert not any(sides[4:])
