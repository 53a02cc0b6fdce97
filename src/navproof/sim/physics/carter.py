"""NVIDIA Carter V1 for the physics tier: two driven wheels, a caster, a chassis.

Size, wheels, speeds and accelerations are the robot's own (``sim/bodies/carter.toml``). Masses,
friction and motors are not published with it: those below are of a machine of this size, and are
all there is to tune.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from navproof.core.errors import SpecError
from navproof.core.types import Robot
from navproof.sim.geodesic.navgrid import STEP_M
from navproof.sim.physics.body import BASE, HITS_FLOOR, HITS_OBSTACLES, Limits
from navproof.sim.physics.engine import mujoco

__all__ = ["Carter"]

WHEEL_WIDTH_M = 0.06
WHEEL_KG = 3.0
CHASSIS_KG = 43.0
CHASSIS_M = (0.44, 0.36, 0.34)
"""Length, width, height of the box that carries the weight."""
CHASSIS_AT_M = (-0.05, 0.0, 0.28)
"""Its middle: behind the axle, so that the caster carries a part of the weight."""
CASTER_KG = 1.0
CASTER_RADIUS_M = 0.06
CASTER_AT_M = -0.2
TYRE_FRICTION = 0.9  # rubber on a hard floor
HULL_FRICTION = 0.1
"""Against walls and furniture: smooth enough that one wheel pulls the robot off an edge which it
leans against with the other one in the air (350 N; a wheel pulls with 62 N)."""
MOTOR_TORQUE_N_M = 15.0  # of one wheel: both push with 125 N at most
SERVO_N_M_S = 120.0  # torque for each rad/s that a wheel is too slow
BEARING_N_M_S = 0.05
_SLACK_RAD_S = MOTOR_TORQUE_N_M / SERVO_N_M_S  # at this much too slow, a motor gives all it has
_WHEELS = ("left", "right")
_NEEDED = ("wheel_radius_m", "wheel_base_m", "acceleration_m_s2", "turn_acceleration_rad_s2")
FALLEN_RAD = math.radians(35.0)
"""The pitch at which VLN-PE takes a robot for fallen; here for roll, too."""


@dataclass(frozen=True, slots=True)
class Carter:
    """A differential drive inside the cylinder that the navigation grid knows.

    What runs into things is that cylinder, from step height upwards; wheels and caster touch the
    floor alone. So a place where the grid says that the robot fits is one where it fits.
    """

    robot: Robot

    def __post_init__(self) -> None:
        for name in _NEEDED:
            if getattr(self.robot, name) <= 0.0:
                raise SpecError(f"robot '{self.robot.name}': the physics tier needs its {name}")

    @property
    def limits(self) -> Limits:
        return Limits(self.robot.acceleration_m_s2, self.robot.turn_acceleration_rad_s2)

    def build(self, spec: Any) -> None:
        shape = mujoco().mjtGeom
        base = spec.worldbody.add_body(name=BASE)
        base.add_freejoint(name=BASE)
        base.add_geom(
            type=shape.mjGEOM_BOX,
            size=[s / 2 for s in CHASSIS_M],
            pos=CHASSIS_AT_M,
            mass=CHASSIS_KG,
            contype=0,
            conaffinity=0,
        )
        height = self.robot.height_m - STEP_M
        base.add_geom(
            type=shape.mjGEOM_CYLINDER,
            size=[self.robot.radius_m, height / 2, 0.0],
            pos=[0.0, 0.0, STEP_M + height / 2],
            mass=0.0,
            condim=3,
            friction=[HULL_FRICTION, 0.0, 0.0],
            contype=0,
            conaffinity=HITS_FLOOR | HITS_OBSTACLES,
        )
        base.add_geom(
            type=shape.mjGEOM_SPHERE,
            size=[CASTER_RADIUS_M, 0.0, 0.0],
            pos=[CASTER_AT_M, 0.0, CASTER_RADIUS_M],
            mass=CASTER_KG,
            condim=1,  # it swivels and rolls: no friction
            contype=0,
            conaffinity=HITS_FLOOR,
        )
        for side, name in zip((1.0, -1.0), _WHEELS, strict=True):
            wheel = base.add_body(
                name=name, pos=[0.0, side * self.robot.wheel_base_m / 2, self.robot.wheel_radius_m]
            )
            wheel.add_joint(
                name=name,
                type=mujoco().mjtJoint.mjJNT_HINGE,
                axis=[0.0, 1.0, 0.0],
                damping=BEARING_N_M_S,
            )
            wheel.add_geom(  # rounded, so that it touches the floor in one point: the base is exact
                type=shape.mjGEOM_ELLIPSOID,
                size=[self.robot.wheel_radius_m, WHEEL_WIDTH_M / 2, self.robot.wheel_radius_m],
                mass=WHEEL_KG,
                condim=3,
                friction=[TYRE_FRICTION, 0.0, 0.0],
                contype=0,
                conaffinity=HITS_FLOOR,
            )
            motor = spec.add_actuator(name=name, target=name, trntype=mujoco().mjtTrn.mjTRN_JOINT)
            motor.set_to_velocity(kv=SERVO_N_M_S)
            motor.forcerange = [-MOTOR_TORQUE_N_M, MOTOR_TORQUE_N_M]
            motor.forcelimited = mujoco().mjtLimited.mjLIMITED_TRUE

    def actuate(self, data: Any, v_m_s: float, w_rad_s: float, most: Limits, dt_s: float) -> None:
        """Wheel speeds (v ∓ w·base/2)/radius, ramped from those that were last asked for, or that
        wheels do which cannot follow (one that is blocked must not save up speed). Both give way
        alike, as far as they can, so that turning comes before going: two blocked wheels that
        pushed with all they have would never turn a robot from the wall that it stands against."""
        radius, base = self.robot.wheel_radius_m, self.robot.wheel_base_m
        does = [float(data.joint(name).qvel[0]) for name in _WHEELS]
        asked = [float(speed) for speed in data.ctrl]
        beyond = [a - _near(a, now, _SLACK_RAD_S) for a, now in zip(asked, does, strict=True)]
        both = max(0.0, *beyond) + min(0.0, *beyond)
        left, right = (
            radius * _near(a - both, now, _SLACK_RAD_S) for a, now in zip(asked, does, strict=True)
        )
        v = _near(v_m_s, 0.5 * (left + right), most.acceleration_m_s2 * dt_s)
        w = _near(w_rad_s, (right - left) / base, most.turn_acceleration_rad_s2 * dt_s)
        data.ctrl[0] = (v - 0.5 * w * base) / radius
        data.ctrl[1] = (v + 0.5 * w * base) / radius

    def fallen(self, pitch_rad: float, roll_rad: float) -> bool:
        return max(abs(pitch_rad), abs(roll_rad)) > FALLEN_RAD


def _near(target: float, now: float, most: float) -> float:
    """What is wanted, but no further than ``most`` from ``now``."""
    return now + max(-most, min(most, target - now))
