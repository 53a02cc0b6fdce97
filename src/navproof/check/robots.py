"""The conformance checks of robots: a body that fits, moves as it says, and can do a task."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from navproof.check.playing import played_by, small
from navproof.check.result import Check, NotChecked, Wrong, checked
from navproof.check.tiny import tiny_episode
from navproof.core.errors import NavproofError
from navproof.core.types import Move, Pose, Robot, Velocity
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.motion.state import wrap_angle
from navproof.sim.robots import load_robot
from navproof.tasks import spec_for
from navproof.tasks.tiny import TINY_START
from navproof.testing import tiny_scene

__all__ = ["check_robot"]

_MIDDLE = Pose(-3.0, 2.0, 0.0, 0.0)
_NEAR_M, _NEAR_DEG = 1e-4, 1e-3
_TICK_S = 0.1
_TASK = "pointnav-v1"


def check_robot(name: str) -> tuple[Check, ...]:
    """All checks of a robot by its name, TOML file or reference."""
    try:
        robot = load_robot(name)
    except NavproofError as error:
        mend = "a robot is a TOML file, a Robot in a file, or a function that returns one"
        return (Check("loads", False, str(error), mend),)
    what = f"{robot.name}: {2 * robot.radius_m:g} m wide, {robot.height_m:g} m high"
    player = _Player(robot)
    tests: tuple[tuple[str, str, Callable[[], str]], ...] = (
        ("fits through a door", "make radius_m smaller", player.fits),
        ("a step is a step", "set forward_m to what one forward really does", player.steps),
        ("a turn is a turn", "set turn_deg to what one turn really does", player.turns),
        (
            "keeps to its speeds",
            "max_speed_m_s and max_turn_rad_s bound what it does in a tick of 0.1 s",
            player.speeds,
        ),
        ("stops at walls", "radius_m is what keeps it away from walls", player.stops),
        (
            "cameras are on its body",
            "set camera_m (and camera_standing_m) to at most height_m",
            player.cameras,
        ),
        (
            "reaches a goal",
            "a smaller forward_m or turn_deg comes nearer to a point",
            player.reaches,
        ),
    )
    checks = [Check("loads", True, what)]
    for title, mend, test in tests:
        checks.append(checked(title, mend, test))
        if title == "fits through a door" and not checks[-1].ok:
            break  # it can do nothing in the flat
    return tuple(checks)


class _Player:
    """One robot in the two-room flat."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.sim = EmbeddedSimulator()
        self.sim.load(tiny_scene(), robot)

    def fits(self) -> str:
        self.sim.place(TINY_START)
        metres = self.sim.geodesic(TINY_START.point, ((3.0, 1.2, 0.0),))
        if not math.isfinite(metres):
            raise Wrong(f"{2 * self.robot.radius_m:g} m wide, it cannot pass a door of 1 m")
        return f"{metres:.2f} m from room to room"

    def steps(self) -> str:
        self.sim.place(_MIDDLE)
        motion = self.sim.apply(Move.FORWARD)
        ahead_m = motion.pose.x - _MIDDLE.x
        if motion.fell:
            raise Wrong("it falls when it makes a step")
        if abs(ahead_m - self.robot.forward_m) > _NEAR_M or abs(motion.pose.y - 2.0) > _NEAR_M:
            raise Wrong(f"forward leads {ahead_m:.4f} m ahead, forward_m is {self.robot.forward_m}")
        return f"{ahead_m:g} m in {self.sim.time_s:.2f} s"

    def turns(self) -> str:
        for move, sign in ((Move.LEFT, 1.0), (Move.RIGHT, -1.0)):
            self.sim.place(_MIDDLE)
            motion = self.sim.apply(move)
            turned = math.degrees(motion.pose.yaw)
            wanted = math.degrees(wrap_angle(math.radians(sign * self.robot.turn_deg)))
            if motion.fell:
                raise Wrong("it falls when it turns")
            if abs(turned - wanted) > _NEAR_DEG:
                raise Wrong(f"{move} turns by {turned:.3f}°, turn_deg is {self.robot.turn_deg:g}")
        around = 360.0 / self.robot.turn_deg
        return (
            f"{self.robot.turn_deg:g}° in {self.sim.time_s:.2f} s; {around:.3g} turns are a circle"
        )

    def speeds(self) -> str:
        fastest, quickest = 0.0, 0.0
        limit_m, limit_rad = (
            self.robot.max_speed_m_s * _TICK_S,
            self.robot.max_turn_rad_s * _TICK_S,
        )
        for command in (Velocity(100.0, 0.0), Velocity(0.0, 100.0)):
            self.sim.place(_MIDDLE)
            before = self.sim.pose
            for _ in range(5):
                motion = self.sim.apply(command, _TICK_S)
                fastest = max(fastest, motion.moved_m)
                quickest = max(quickest, abs(wrap_angle(motion.pose.yaw - before.yaw)))
                before = motion.pose
        if fastest > limit_m + _NEAR_M or quickest > min(limit_rad, math.pi) + _NEAR_M:
            raise Wrong(f"{fastest:.3f} m and {quickest:.3f} rad in {_TICK_S:g} s")
        if min(fastest, quickest) <= 0.0:
            raise Wrong("it does not follow velocities")
        return f"up to {fastest / _TICK_S:.2f} m/s and {quickest / _TICK_S:.2f} rad/s within 0.5 s"

    def stops(self) -> str:
        self.sim.place(Pose(-2.0, 1.0, 0.0, -math.pi / 2))
        met = False
        for _ in range(math.ceil(2.0 / self.robot.forward_m)):
            met |= self.sim.apply(Move.FORWARD).collided
        pose = self.sim.pose
        if not met or not self.sim.is_navigable(pose.point):
            raise Wrong(f"driven at the wall y = 0, it is at y = {pose.y:.2f} m")
        return f"{pose.y:.2f} m before the wall"

    def cameras(self) -> str:
        robot = self.robot
        if not robot.camera_m:
            lows = [s.camera.height_m for s in spec_for(_TASK).sensors if s.camera is not None]
            if max(lows) > robot.height_m:
                raise NotChecked(
                    f"tasks put cameras at {max(lows):g} m, above its {robot.height_m:g} m: "
                    "set camera_m"
                )
            return f"as high as the task's: {max(lows):g} m"
        highest = max(robot.camera_m, robot.camera_standing_m)
        if highest > robot.height_m:
            raise Wrong(f"a camera at {highest:g} m on a body of {robot.height_m:g} m")
        return f"{robot.camera_m:g} m, of {robot.height_m:g} m"

    def reaches(self) -> str:
        spec = small(spec_for(_TASK, self.robot))
        spec = replace(spec, success_m=max(spec.success_m, self.robot.forward_m))
        episode = tiny_episode(_TASK, self.sim, budget_steps=spec.budget_steps)
        trace = played_by("oracle", self.sim, spec, episode)
        last = trace.events[-1] if trace.events else None
        if trace.status != "ok" or last is None or last.data.get("success") is not True:
            left = trace.distances_m[-1]
            why = trace.reason or (last.kind if last else "no event")
            raise Wrong(f"the oracle ends {left:.2f} m from the goal ({why})")
        return (
            f"the oracle stops {trace.distances_m[-1]:.2f} m from it in {len(trace.actions)} steps"
        )
