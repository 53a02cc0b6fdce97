"""Whether what a trace tells of the time that an agent took fits the rest of it."""

from __future__ import annotations

import math

from navproof.core.codec import CodecError
from navproof.core.input.check_episode import FARTHEST_M, is_place
from navproof.log.trace import Trace

__all__ = ["check_delays"]

_LONGEST_S = 1e9


def check_delays(trace: Trace) -> None:
    """Raise ``CodecError`` for the first thing in ``delays`` that makes no sense."""
    delays, steps = trace.delays, 0 if trace.spec.clock == "wait" else len(trace.actions)
    if len(delays.took_s) != steps or len(delays.slices) != steps:
        raise CodecError(f"delays are told of {len(delays.took_s)} actions, not of {steps}")
    if not all(0.0 <= seconds <= _LONGEST_S for seconds in delays.took_s):
        raise CodecError("delays.took_s holds what is no time")
    count = sum(delays.slices)
    counts = {
        "poses": len(delays.poses),
        "collisions": len(delays.collisions),
        "distances_m": len(delays.distances_m),
        **{f"channels.{name[:40]}": len(values) for name, values in delays.channels.items()},
    }
    for name, told in counts.items():
        if told != count or min(delays.slices, default=0) < 0:
            raise CodecError(f"delays.{name} has {told} entries for {count} slices")
    if delays.took_s and delays.channels.keys() != trace.channels.keys():
        raise CodecError("delays and actions have other channels")
    if not all(is_place(pose.x, pose.y, pose.z, pose.yaw) for pose in delays.poses):
        raise CodecError("delays.poses holds what is no place")
    if not all(d >= 0.0 and (d <= FARTHEST_M or math.isinf(d)) for d in delays.distances_m):
        raise CodecError("delays.distances_m holds what is no distance")
    if any(math.isnan(value) for values in delays.channels.values() for value in values):
        raise CodecError("delays.channels holds NaN")
