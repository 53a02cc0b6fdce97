"""Whether a trace that was read is one: all that metrics, reports and replays rely on.

Whoever reads a trace may take it that there is a pose before and after every action, that numbers
are numbers, and that what happened happened in one of its steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from navproof.core.codec import CodecError
from navproof.core.input.check_episode import (
    FARTHEST_M,
    episode_faults,
    is_place,
    scalar_fault,
)
from navproof.core.types import Beliefs, Pose, Robot, Scalar, SensorSpec, TaskSpec
from navproof.log.check_delays import check_delays
from navproof.log.trace import Trace

__all__ = ["check_poses", "check_trace"]

_LONGEST_SIDE = 16_384
_LONGEST_NAME = 1000
_MOST = 1e12


def check_trace(trace: Trace) -> None:
    """Raise ``CodecError`` for the first thing in it that makes no sense."""
    steps = len(trace.actions)
    _check_lengths(trace)
    for field, why in episode_faults(trace.episode):
        raise CodecError(f"episode.{field} {why}")
    for name in (trace.key.agent, trace.key.episode_id, trace.key.condition, trace.spec.task):
        if len(name) > _LONGEST_NAME:
            raise CodecError(f"a name has {len(name):,} characters")
    _check_spec(trace.spec)
    check_poses("poses", trace.poses)
    if not all(d >= 0.0 and (d <= FARTHEST_M or math.isinf(d)) for d in trace.distances_m):
        raise CodecError("distances_m holds what is no distance")
    for name, values in trace.channels.items():
        if not all(abs(v) <= _MOST or math.isinf(v) for v in values):
            raise CodecError(f"channels.{name[:40]} holds what is no number")
    check_delays(trace)
    _check_events(trace)
    for index, asked in enumerate(trace.exchanges):
        numbers = (asked.price, asked.seconds, asked.tokens_in or 0, asked.tokens_out or 0)
        if not (0 <= asked.step <= steps and all(0 <= value <= _MOST for value in numbers)):
            raise CodecError(f"exchanges[{index}] holds what is no step, or no number")
    _check_scalars("facts", trace.facts)
    for name, seconds in trace.timing.items():
        if not all(0.0 <= value <= _MOST for value in seconds):
            raise CodecError(f"timing.{name[:40]} holds what are no seconds")
    for index, told in enumerate(trace.beliefs):
        if told is not None and not _are_numbers(told):
            raise CodecError(f"beliefs[{index}] holds what is no number")


def check_poses(what: str, poses: Iterable[Pose]) -> None:
    """Raise ``CodecError`` where one is nowhere."""
    for index, pose in enumerate(poses):
        if not is_place(pose.x, pose.y, pose.z, pose.yaw):
            raise CodecError(f"{what}[{index}] is no place")


def _check_lengths(trace: Trace) -> None:
    steps = len(trace.actions)
    for name, sequence, expected in (
        ("poses", trace.poses, steps + 1),
        ("distances_m", trace.distances_m, steps + 1),
        ("collisions", trace.collisions, steps),
    ):
        if len(sequence) != expected:
            raise CodecError(f"{name} has {len(sequence)} entries, {steps} actions need {expected}")
    for name, values in trace.channels.items():
        if len(values) != steps + 1:
            raise CodecError(
                f"channels.{name[:40]} has {len(values)} entries, {steps} actions need {steps + 1}"
            )
        if any(math.isnan(value) for value in values):
            raise CodecError(f"channels.{name[:40]} holds NaN")
    if trace.beliefs and len(trace.beliefs) != steps:
        raise CodecError(f"beliefs has {len(trace.beliefs)} entries for {steps} actions")
    if any(math.isnan(d) for d in trace.distances_m):
        raise CodecError("distances_m holds NaN")


def _check_events(trace: Trace) -> None:
    slices = trace.delays.slices
    for index, event in enumerate(trace.events):
        if not 0 <= event.step <= len(trace.actions):
            raise CodecError(f"events[{index}] is at step {event.step}, which there is not")
        late = event.in_delay
        if late is not None and not 0 <= late < max(slices, default=0):
            raise CodecError(f"events[{index}] is in slice {late} of a delay, which there is not")
        _check_scalars(f"events[{index}].data", event.data)


def _check_scalars(where: str, values: Mapping[str, Scalar]) -> None:
    if (why := scalar_fault(values)) is not None:
        raise CodecError(f"{where}: {why}")


def _check_spec(spec: TaskSpec) -> None:
    if not 0.0 <= spec.success_m <= FARTHEST_M or not spec.budget_steps >= 1:
        raise CodecError("spec.success_m or spec.budget_steps makes no sense")
    _check_robot(spec.robot)
    for sensor in spec.sensors:
        _check_sensor(sensor)


def _check_robot(robot: Robot) -> None:
    parts = [robot, *(part for part in (robot.gait, robot.balance) if part is not None)]
    for part in parts:
        for name in part.__dataclass_fields__:
            value = getattr(part, name)
            if isinstance(value, float) and not 0.0 <= value <= FARTHEST_M:
                raise CodecError(f"spec.robot.{name} is {value:g}")
    if not (robot.radius_m > 0.0 and robot.height_m > 0.0):
        raise CodecError("spec.robot has no size")


def _check_sensor(sensor: SensorSpec) -> None:
    where = f"spec.sensors.{sensor.name[:40]}"
    camera = sensor.camera
    if camera is not None:
        sides = (camera.width, camera.height)
        mount = (camera.height_m, camera.forward_m, camera.left_m, camera.pitch_deg, camera.yaw_deg)
        if not all(1 <= side <= _LONGEST_SIDE for side in sides):
            raise CodecError(f"{where}.camera has {sides[0]} × {sides[1]} pixels")
        if not (0.0 < camera.hfov_deg <= 360.0 and 0.0 < camera.near_m <= FARTHEST_M):
            raise CodecError(f"{where}.camera sees nothing")
        if not is_place(*mount):
            raise CodecError(f"{where}.camera is mounted nowhere")
    if not 0.0 <= sensor.min_range_m <= sensor.max_range_m <= FARTHEST_M:
        raise CodecError(f"{where} has no range")
    if sensor.every < 1 or sensor.delay_steps < 0:
        raise CodecError(f"{where} never takes a reading")


def _are_numbers(told: Beliefs) -> bool:
    """Whether what was believed is somewhere."""
    return (
        all(
            abs(seen.score) <= _MOST
            and (seen.box is None or all(abs(v) <= _MOST for v in seen.box))
            and (seen.position is None or all(abs(v) <= _MOST for v in seen.position))
            for seen in told.perceived
        )
        and all(abs(v) <= _MOST for thing in told.remembered for v in thing.position)
        and all(abs(v) <= _MOST for point in told.plan for v in point)
    )
