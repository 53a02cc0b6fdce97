"""Disturbances of a robot's body, beyond the published protocol: what its sensors are mounted on,
what its frames travel through, what its wheels do and what they tell.

``intensity`` 0 is the identity everywhere; with the same generators, more of it is never less.
The robot is not told: its brief still names the nominal sensors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.types import Camera, Pose, SensorSpec
from navproof.corruptions.arguments import check_intensity
from navproof.corruptions.kernels.odometry import Numbers, drifted
from navproof.corruptions.registry import register_corruption

__all__ = [
    "Actuation",
    "camera_height",
    "camera_tilt",
    "frame_drop",
    "latency",
    "low_battery",
    "odometry_drift",
    "wheel_slip",
    "wrong_intrinsics",
]

Generator = np.random.Generator

MOST_DELAY_STEPS = 5
MOST_FRAMES_LOST = 0.9
MOST_PITCH_DEG = 20.0
MOST_YAW_DEG = 15.0
MOST_HEIGHT_LOST = 0.5
MOST_FOCAL_ERROR = 0.25
MOST_SLIP = 0.5
VEER_SIGMA_RAD = math.radians(5.0)
PULL_RAD = math.radians(3.0)
MOST_SPEED_LOST = 0.7


@dataclass(frozen=True, slots=True)
class Actuation:
    """How a command is carried out: factors of its forward distance (or speed) and of its turn,
    and a heading (rad, counter-clockwise) that is added to it over one discrete step."""

    forward: float = 1.0
    turn: float = 1.0
    veer_rad: float = 0.0


# ------------------------------------------------------------------------------------ the mount
@register_corruption(
    "latency",
    target="mount",
    stands_for="Images arrive late, over a slow link or from a busy computer.",
    source="Falanga, Kim & Scaramuzza, How Fast Is Too Fast?, RA-L 2019",
)
def latency(spec: SensorSpec, intensity: float, still: Generator) -> SensorSpec:
    """A camera's frames arrive up to 5 steps later (rounded half up). Other sensors are as before.

    Stands for: compression, a wireless link, a busy computer. Source: Falanga, Kim & Scaramuzza,
    "How Fast Is Too Fast? The Role of Perception Latency in High-Speed Sense and Avoid",
    RA-L 2019; at 1, a robot that turns 30° a step sees where it looked 150° ago.
    """
    steps = math.floor(MOST_DELAY_STEPS * check_intensity(intensity) + 0.5)
    if spec.camera is None or steps == 0:
        return spec
    return replace(spec, delay_steps=spec.delay_steps + steps)


@register_corruption(
    "camera_tilt",
    target="mount",
    stands_for="The mount was knocked: the camera looks elsewhere than the software believes.",
    source="Sun et al., View Invariant Learning for VLN-CE, arXiv 2507.08831",
)
def camera_tilt(spec: SensorSpec, intensity: float, still: Generator) -> SensorSpec:
    """The camera is pitched by ±20° · intensity and yawed by ±15° · intensity, either way.

    Stands for: a knocked or badly screwed mount that nobody calibrated again. Source: viewing
    angle as varied in V²-VLNCE (Sun et al., "View Invariant Learning for Vision-Language Navigation
    in Continuous Environments", arXiv 2507.08831); the sizes are ours: a bracket with a little play
    is at about 0.1, one that came loose at 1.
    """
    strength = check_intensity(intensity)
    pitch_sign, yaw_sign = _sign(still), _sign(still)

    def tilt(camera: Camera) -> Camera:
        return replace(
            camera,
            pitch_deg=camera.pitch_deg + pitch_sign * MOST_PITCH_DEG * strength,
            yaw_deg=camera.yaw_deg + yaw_sign * MOST_YAW_DEG * strength,
        )

    return _with_camera(spec, strength, tilt)


@register_corruption(
    "camera_height",
    target="mount",
    stands_for="The mast sank, or the policy moved to a smaller robot: the camera sits lower.",
    source="Sun et al., View Invariant Learning for VLN-CE, arXiv 2507.08831",
)
def camera_height(spec: SensorSpec, intensity: float, still: Generator) -> SensorSpec:
    """The camera sits lower, at (1 − 0.5 · intensity) of its height: never in a lintel or ceiling.

    Stands for: a mast that sank, or a policy moved to a smaller robot. Source: camera height as
    varied in V²-VLNCE (Sun et al., arXiv 2507.08831); the size is ours: from a wheeled robot's
    1.25 m, 1 leads to a quadruped's 0.6 m.
    """
    strength = check_intensity(intensity)

    def lower(camera: Camera) -> Camera:
        return replace(camera, height_m=camera.height_m * (1.0 - MOST_HEIGHT_LOST * strength))

    return _with_camera(spec, strength, lower)


@register_corruption(
    "wrong_intrinsics",
    target="mount",
    stands_for="The calibration belongs to another lens, video mode or resolution.",
    source="Chattopadhyay et al., RobustNav, ICCV 2021 (field of view); pinhole model",
)
def wrong_intrinsics(spec: SensorSpec, intensity: float, still: Generator) -> SensorSpec:
    """The real focal length is (1 ± 0.25 · intensity) of the one the robot was told.

    Stands for: another lens, a cropped video mode, a calibration of another resolution. Source:
    the pinhole model, tan(hfov / 2) ∝ 1 / f; field of view is a corruption of Chattopadhyay et
    al., "RobustNav", ICCV 2021. A good calibration is within 0.5 % (0.02 here); cropped modes are
    off by 10–25 %.
    """
    strength = check_intensity(intensity)
    factor = 1.0 + _sign(still) * MOST_FOCAL_ERROR * strength

    def zoom(camera: Camera) -> Camera:
        half = math.tan(math.radians(camera.hfov_deg) / 2.0) / factor
        return replace(camera, hfov_deg=math.degrees(2.0 * math.atan(half)))

    return _with_camera(spec, strength, zoom)


# ---------------------------------------------------------------------------------- the arrival
@register_corruption(
    "frame_drop",
    target="arrival",
    stands_for="Frames are lost on the way, and the last one is used again.",
    source="Elias, Coding for Two Noisy Channels, 1955 (erasure channel)",
    lasting=False,
)
def frame_drop(intensity: float, rng: Generator) -> bool:
    """Whether this frame is lost: independently with probability 0.9 · intensity.

    Stands for: a full bus, a weak radio link, a driver that restarts. Source: the memoryless
    erasure channel (Elias 1955); the frame before is seen again.
    """
    return bool(rng.random() < MOST_FRAMES_LOST * check_intensity(intensity))


# --------------------------------------------------------------------------------- the odometry
@overload
def odometry_drift(
    estimate: Pose,
    before: Pose,
    now: Pose,
    intensity: float,
    rng: Generator,
    still: Generator | None = None,
) -> Pose: ...
@overload
def odometry_drift(
    estimate: Sequence[float] | NDArray[np.float64],
    before: Sequence[float] | NDArray[np.float64],
    now: Sequence[float] | NDArray[np.float64],
    intensity: float,
    rng: Generator,
    still: Generator | None = None,
) -> NDArray[np.float64]: ...
@register_corruption(
    "odometry_drift",
    target="pose",
    stands_for="Wheel counts are integrated, and the robot's idea of where it is drifts away.",
    source=(
        "Thrun, Burgard & Fox, Probabilistic Robotics, 2005, section 5.4; Borenstein & "
        "Feng, IEEE Trans. Robotics and Automation 1996"
    ),
)
def odometry_drift(
    estimate: Pose | Sequence[float] | NDArray[np.float64],
    before: Pose | Sequence[float] | NDArray[np.float64],
    now: Pose | Sequence[float] | NDArray[np.float64],
    intensity: float,
    rng: Generator,
    still: Generator | None = None,
) -> Pose | NDArray[np.float64]:
    """Where the robot takes itself to be, after it really moved from ``before`` to ``now``.

    Poses are ``Pose`` or (x, y, z, yaw), all in one frame; the answer is of the estimate's kind.
    The true motion, in the robot's frame, is measured wrongly (``_body_odometry.drifted`` has the
    equations and constants) and added to ``estimate``. ``still`` draws the systematic error of the
    episode (None: there is none). At intensity 0 odometry is the truth: ``now``.

    Stands for: dead reckoning on wheels of unequal size that slip on carpets and thresholds.
    Source: the odometry motion model of Thrun, Burgard & Fox, "Probabilistic Robotics", 2005,
    section 5.4, and the systematic errors of Borenstein & Feng, "Measurement and Correction of
    Systematic Odometry Errors in Mobile Robots", IEEE Trans. Robotics and Automation 1996.
    """
    strength = check_intensity(intensity)
    believed, start, end = _numbers(estimate), _numbers(before), _numbers(now)
    moved = end if strength == 0.0 else drifted(believed, start, end, strength, rng, still)
    return Pose(*moved) if isinstance(estimate, Pose) else np.array(moved, dtype=np.float64)


# ------------------------------------------------------------------------------------ the wheels
@register_corruption(
    "wheel_slip",
    target="drive",
    stands_for="Wheels slip on carpets, sills and wet floors: motion is not what was commanded.",
    source=(
        "Wong, Theory of Ground Vehicles (slip ratio); Chattopadhyay et al., RobustNav, "
        "ICCV 2021 (drift)"
    ),
    lasting=False,
)
def wheel_slip(intensity: float, rng: Generator, still: Generator | None = None) -> Actuation:
    """Wheels that turn more than the robot moves: forward and turn each lose a share drawn
    uniformly from [0, 0.5 · intensity], and the heading veers by N(0, (5° · intensity)²), cut at
    three sigmas. ``still`` adds a pull of 3° · intensity to one side through the episode.

    Stands for: wet or loose floors, thresholds, a worn tyre. Source: the slip ratio
    s = 1 − v / (ω·r) (Wong, "Theory of Ground Vehicles"); the pull is the motion drift of
    Chattopadhyay et al., "RobustNav", ICCV 2021.
    """
    strength = check_intensity(intensity)
    forward_slip, turn_slip = rng.random(2).tolist()
    veer = VEER_SIGMA_RAD * min(max(float(rng.standard_normal()), -3.0), 3.0)
    pull = 0.0 if still is None else _sign(still) * PULL_RAD
    return Actuation(
        1.0 - MOST_SLIP * strength * forward_slip,
        1.0 - MOST_SLIP * strength * turn_slip,
        strength * (veer + pull),
    )


@register_corruption(
    "low_battery",
    target="drive",
    stands_for="A weak battery caps the speed of the motors.",
    source="DC motor: speed is proportional to voltage; discharge curve of lithium cells",
)
def low_battery(
    intensity: float, rng: Generator | None = None, still: Generator | None = None
) -> Actuation:
    """Speeds are capped at 1 − 0.7 · intensity of what is asked, through the whole episode.

    Stands for: a pack near its cut-off, or firmware that saves it. Source: a DC motor's speed is
    proportional to its voltage at constant load torque; lithium cells fall from 4.2 V to 3.0 V
    (0.4 here) before they are cut off, the rest is a limp mode. Nothing is random.
    """
    speed = 1.0 - MOST_SPEED_LOST * check_intensity(intensity)
    return Actuation(speed, speed, 0.0)


# ---------------------------------------------------------------------------------------- inside
def _sign(still: Generator) -> float:
    return 1.0 if still.random() < 0.5 else -1.0


def _with_camera(
    spec: SensorSpec, strength: float, change: Callable[[Camera], Camera]
) -> SensorSpec:
    if spec.camera is None or strength == 0.0:
        return spec
    return replace(spec, camera=change(spec.camera))


def _numbers(pose: Pose | Sequence[float] | NDArray[np.float64]) -> Numbers:
    given = (pose.x, pose.y, pose.z, pose.yaw) if isinstance(pose, Pose) else pose
    try:
        x, y, z, yaw = (float(number) for number in given)
        if all(math.isfinite(number) for number in (x, y, z, yaw)):
            return x, y, z, yaw
    except (TypeError, ValueError):
        pass
    raise SpecError(f"a pose must be four finite numbers (x, y, z, yaw), got {pose!r}")
