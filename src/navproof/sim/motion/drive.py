"""The kernels that move a robot with limits of acceleration, in steps of about 10 ms.

``ground`` is (clearance, origin, cell, radius, sliding); ``limits`` are speed, turning
speed, acceleration, turning acceleration; ``wheels`` are factors on the way and on the turn, and
the veer of one step; ``balance`` is ``stability.packed``; ``state`` (changed in place) is x, y,
yaw, v, ω, the capture point's offset ahead and to the left, and 1 once the robot has fallen.

A robot that is blocked (it makes less than a fifth of its way) stands; one that slides along an
obstacle keeps the speed of its wheels, as bodies without limits do.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.sim.motion.profile import covered, ramp
from navproof.sim.motion.slide import facing, slide
from navproof.sim.motion.stability import has_fallen, step_offset
from navproof.sim.motion.tracking import pursue

__all__ = ["Ground", "do_profile", "do_speeds", "do_waypoints"]

F64 = NDArray[np.float64]
Ground: TypeAlias = tuple[F64, F64, float, float, bool]
_BLOCKED = 0.2


@jit
def _step(
    ground: Ground, balance: F64, state: F64, way: float, turned: float, gained: float, dt: float
) -> tuple[float, bool, bool]:
    """Go ``way`` metres along an arc that turns by ``turned``, gaining ``gained`` m/s of speed:
    (metres travelled, collided, blocked)."""
    clearance, origin, cell, radius, sliding = ground
    half = 0.5 * turned
    chord = way * (math.sin(half) / half) if half != 0.0 else way
    c, s = math.cos(state[2] + half), math.sin(state[2] + half)
    x, y, travelled, collided = slide(
        clearance, origin, cell, radius, sliding, state[0], state[1], chord * c, chord * s
    )
    blocked, hit = False, 0.0
    if collided:
        made = (x - state[0]) * c + (y - state[1]) * s
        blocked = made * chord < _BLOCKED * chord * chord
        gx, gy = facing(clearance, origin, cell, x, y)
        across = 1.0 if gx == 0.0 and gy == 0.0 else -math.copysign(1.0, way) * (c * gx + s * gy)
        hit = abs(way) / dt * across
    state[0], state[1], state[2] = x, y, state[2] + turned
    if len(balance) > 0:
        ax = 0.0 if collided else gained / dt
        ay = 0.0 if collided else way * turned / (dt * dt)
        state[5], state[6] = step_offset(balance, state[5], state[6], ax, ay, turned, dt)
        if has_fallen(balance, state[5], state[6]) or 0.0 < balance[10] < hit:
            state[7] = 1.0
    return travelled, collided, blocked


@jit
def do_speeds(
    ground: Ground,
    balance: F64,
    limits: F64,
    wheels: F64,
    state: F64,
    v: float,
    w: float,
    steps: int,
    dt: float,
) -> tuple[float, bool]:
    """Take up the speeds v and ω, as fast as allowed: (metres travelled, collided)."""
    travelled, collided = 0.0, False
    for _ in range(steps):
        if state[7] != 0.0:
            break
        v0, w0 = state[3], state[4]
        v1, w1 = ramp(v0, v, limits[2] * dt), ramp(w0, w, limits[3] * dt)
        way = 0.5 * (v0 + v1) * dt * wheels[0]
        turned = 0.5 * (w0 + w1) * dt * wheels[1] + wheels[2]
        went, hit, blocked = _step(ground, balance, state, way, turned, v1 - v0, dt)
        state[3], state[4] = 0.0 if blocked else v1, w1
        travelled += went
        collided = collided or hit
    return travelled, collided


@jit
def do_waypoints(
    ground: Ground,
    balance: F64,
    limits: F64,
    wheels: F64,
    state: F64,
    path: F64,
    steps: int,
    dt: float,
) -> tuple[float, bool, int]:
    """Track a path (n ≥ 2 rows of x, y) from its beginning: (metres travelled, collided, the piece
    that the robot is on at last, from row i to row i + 1)."""
    travelled, collided, segment = 0.0, False, 0
    for _ in range(steps):
        if state[7] != 0.0:
            break
        v0, w0 = state[3], state[4]
        segment, v, curvature, w = pursue(path, segment, state[0], state[1], state[2], v0, limits)
        v1 = ramp(v0, v, limits[2] * dt)
        if w == 0.0:
            w = curvature * v1
        if v1 * abs(w) > limits[2]:
            w = math.copysign(limits[2] / v1, w)
        w1 = ramp(w0, w, limits[3] * dt)
        way = 0.5 * (v0 + v1) * dt * wheels[0]
        turned = 0.5 * (w0 + w1) * dt * wheels[1] + wheels[2]
        went, hit, blocked = _step(ground, balance, state, way, turned, v1 - v0, dt)
        state[3], state[4] = 0.0 if blocked else v1, w1
        travelled += went
        collided = collided or hit
    return travelled, collided, segment


@jit
def do_profile(
    ground: Ground,
    balance: F64,
    limits: F64,
    wheels: F64,
    state: F64,
    way: float,
    turn: float,
    steps: int,
    dt: float,
) -> tuple[float, bool]:
    """A move from rest to rest, either ``way`` ahead or ``turn`` on the spot: (metres travelled,
    collided). Once blocked, the robot stands for the rest of the move."""
    travelled, collided, stands = 0.0, False, False
    for i in range(steps):
        if state[7] != 0.0:
            break
        ahead, turned, gained = 0.0, wheels[2], 0.0
        if turn != 0.0:
            before, _ = covered(i * dt, abs(turn), limits[1], limits[3])
            after, w = covered((i + 1) * dt, abs(turn), limits[1], limits[3])
            turned += math.copysign(after - before, turn) * wheels[1]
            state[4] = math.copysign(w, turn)
        elif not stands:
            before, v0 = covered(i * dt, way, limits[0], limits[2])
            after, v1 = covered((i + 1) * dt, way, limits[0], limits[2])
            ahead, gained = (after - before) * wheels[0], v1 - v0
            state[3] = v1
        went, hit, blocked = _step(ground, balance, state, ahead, turned, gained, dt)
        if blocked:
            state[3], stands = 0.0, True
        travelled += went
        collided = collided or hit
    return travelled, collided
