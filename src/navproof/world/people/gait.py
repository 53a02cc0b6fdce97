"""How a body walks: the bones of somebody at one moment of her stride.

A stride is two steps. Of each leg's cycle p in [0, 1) the foot is on the floor for the first
``STANCE``, and there it stays where it is: while it stands, its place relative to the hips runs
backwards exactly as fast as the hips go forward. It lands on its heel, rolls, and leaves on its
toes; hip and knee follow from the ankle by two-link inverse kinematics. Arms swing against legs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit

__all__ = [
    "ARM",
    "BONES",
    "FOOT",
    "FOREARM",
    "HEAD",
    "PELVIS",
    "SHIN",
    "THIGH",
    "TORSO",
    "pose_bones",
    "skeleton",
]

F64 = NDArray[np.float64]
PELVIS, TORSO, HEAD = 0, 1, 2
THIGH, SHIN, FOOT, ARM, FOREARM = 3, 5, 7, 9, 11
"""The left ones; the right ones follow."""
BONES = 13

STANCE = 0.6
_FLAT_FROM, _ROLL_FROM = 0.08, 0.33
_STRIKE = 0.30  # toes up when the heel lands, rad
_PUSH = -0.52  # heel up when the toes leave
_SET_BACK = 0.025  # feet land this much nearer than they leave, in lengths of skeleton()
_LIFT = 0.035
_CROUCH, _BOB = 0.008, 0.018
_ARM_SWING, _ELBOW, _FLEX, _TWIST = 0.36, 0.2, 0.1, 0.08


def skeleton(height_m: float, shoulder_m: float, stride_m: float) -> F64:
    """Joints of somebody of that height, standing: hip y and z, knee z, ankle z, shoulder y and z,
    elbow z, neck z, heel x, toe x, stride. ``shoulder_m`` (to the middle) and ``stride_m`` are
    those of an adult of 1.75 m."""
    adult = (0.09, 0.92, 0.50, 0.085, shoulder_m, 1.435, 1.15, 1.48, -0.06, 0.185, stride_m)
    return np.array(adult) * (height_m / 1.75)


@jit
def _foot(p: float, size: float, ankle: float, heel: float, toe: float, stride: float) -> F64:
    """(x, z, pitch) of the ankle, x before the hips; ``size`` scales lengths."""
    out = np.empty(3)
    on_floor = p < STANCE
    q = p if on_floor else STANCE
    flat_x = stride * (0.5 * STANCE - q) - _SET_BACK * size
    pitch, pivot = 0.0, 0.0
    if on_floor and q < _FLAT_FROM:
        pitch, pivot = _STRIKE * (1.0 - q / _FLAT_FROM), heel
    elif q > _ROLL_FROM:
        u = (q - _ROLL_FROM) / (STANCE - _ROLL_FROM)
        pitch, pivot = _PUSH * u * u, toe
    c, s = np.cos(pitch), np.sin(pitch)
    out[0] = flat_x + pivot - pivot * c - ankle * s
    out[1] = -pivot * s + ankle * c
    out[2] = pitch
    if on_floor:
        return out
    u = (p - STANCE) / (1.0 - STANCE)
    c, s = np.cos(_STRIKE), np.sin(_STRIKE)
    end_x = stride * 0.5 * STANCE - _SET_BACK * size + heel - heel * c - ankle * s
    end_z = -heel * s + ankle * c
    slope = -stride * (1.0 - STANCE)
    u2, u3 = u * u, u * u * u
    ease = 3.0 * u2 - 2.0 * u3
    begin_x = out[0]
    out[0] = begin_x + (end_x - begin_x) * ease
    out[0] += slope * (0.3 * (u3 - 2.0 * u2 + u) + (u3 - u2))
    out[1] += (end_z - out[1]) * ease + _LIFT * size * np.sin(np.pi * u)
    early = min(1.0, 1.6 * u)
    out[2] = _PUSH + (_STRIKE - _PUSH) * (3.0 * early**2 - 2.0 * early**3)
    return out


@jit
def _set(bones: F64, k: int, swing: float, roll: float, twist: float, joint: F64, at: F64) -> None:
    """Bone k carries a point q of the standing body to ``at`` + T·(q − ``joint``), T = Rz(twist)
    Ry(−swing) Rx(roll): a limb that hangs down swings forward by ``swing``."""
    c, s = np.cos(swing), np.sin(swing)
    cr, sr = np.cos(roll), np.sin(roll)
    ct, st = np.cos(twist), np.sin(twist)
    m = np.empty((3, 3))
    m[0, 0], m[0, 1], m[0, 2] = c, -s * sr, -s * cr
    m[1, 0], m[1, 1], m[1, 2] = 0.0, cr, -sr
    m[2, 0], m[2, 1], m[2, 2] = s, c * sr, c * cr
    for j in range(3):
        a, b = m[0, j], m[1, j]
        bones[k, 0, j] = ct * a - st * b
        bones[k, 1, j] = st * a + ct * b
        bones[k, 2, j] = m[2, j]
    for i in range(3):
        bones[k, i, 3] = at[i] - (
            bones[k, i, 0] * joint[0] + bones[k, i, 1] * joint[1] + bones[k, i, 2] * joint[2]
        )


@jit
def _carry(bones: F64, k: int, point: F64) -> F64:
    out = np.empty(3)
    for i in range(3):
        out[i] = bones[k, i, 3]
        for j in range(3):
            out[i] += bones[k, i, j] * point[j]
    return out


@jit
def _leg(bones: F64, side: int, dims: F64, foot: F64, full: float) -> None:
    """Thigh, shin and foot of one leg, so that its ankle is where ``foot`` says."""
    hip_y, hip_z, knee_z, ankle_z = dims[0], dims[1], dims[2], dims[3]
    sign = 1.0 - 2.0 * side
    upper, lower = hip_z - knee_z, knee_z - ankle_z
    hip = np.array([0.0, sign * hip_y, hip_z])
    at = _carry(bones, PELVIS, hip)
    dx, dz = full * foot[0] - at[0], at[2] - (ankle_z + full * (foot[1] - ankle_z))
    far = min(np.sqrt(dx * dx + dz * dz), 0.9998 * (upper + lower))
    bend = np.arccos((upper * upper + far * far - lower * lower) / (2.0 * upper * far))
    knee_in = np.arccos((upper * upper + lower * lower - far * far) / (2.0 * upper * lower))
    thigh = np.arctan2(dx, dz) + bend
    _set(bones, THIGH + side, thigh, 0.0, 0.0, hip, at)
    knee = np.array([0.0, sign * hip_y, knee_z])
    _set(bones, SHIN + side, thigh - (np.pi - knee_in), 0.0, 0.0, knee,
         _carry(bones, THIGH + side, knee))  # fmt: skip
    ankle = np.array([0.0, sign * hip_y, ankle_z])
    _set(bones, FOOT + side, full * foot[2], 0.0, 0.0, ankle, _carry(bones, SHIN + side, ankle))


@jit
def pose_bones(dims: F64, phase: float, full: float, bones: F64) -> None:
    """Fill ``bones`` (13, 3, 4): each maps a point of the standing body to the body at ``phase``
    of its stride (left heel lands at 0), in the person's own frame. ``full`` is 0 for standing, 1
    for full strides."""
    hip_z, shoulder_y, shoulder_z = dims[1], dims[4], dims[5]
    size = hip_z / 0.92
    wave = np.cos(2.0 * np.pi * phase)
    rise = _CROUCH * full + _BOB * full * (1.0 + np.cos(4.0 * np.pi * phase)) + 0.002
    low = np.array([0.0, 0.0, hip_z])
    at = np.array([0.0, 0.0, hip_z - rise * size])
    _set(bones, PELVIS, 0.0, 0.0, -_TWIST * full * wave, low, at)
    _set(bones, TORSO, -0.035 * full, 0.0, _TWIST * full * wave, low, at)
    neck = np.array([0.0, 0.0, dims[7]])
    _set(bones, HEAD, -0.01 * full, 0.0, 0.0, neck, _carry(bones, TORSO, neck))
    for side in range(2):
        cycle = phase + 0.5 * side
        cycle -= np.floor(cycle)
        foot = _foot(cycle, size, dims[3], dims[8], dims[9], dims[10])
        _leg(bones, side, dims, foot, full)
        sign = 1.0 - 2.0 * side
        swing = 0.03 - _ARM_SWING * full * np.cos(2.0 * np.pi * cycle)
        joint = np.array([0.0, sign * shoulder_y, shoulder_z])
        _set(bones, ARM + side, swing, 0.09 * sign, 0.0, joint, _carry(bones, TORSO, joint))
        elbow = np.array([0.0, sign * shoulder_y, dims[6]])
        flex = _ELBOW + full * _FLEX * (1.0 - np.cos(2.0 * np.pi * cycle))
        _set(bones, FOREARM + side, swing + flex, 0.04 * sign, 0.0, elbow,
             _carry(bones, ARM + side, elbow))  # fmt: skip
