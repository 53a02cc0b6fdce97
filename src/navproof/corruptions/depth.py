"""Depth corruptions: what real depth cameras get wrong.

Every function takes float32 metres (h, w) or (h, w, 1), 0 for holes, and answers a new array of
the same form. Holes stay holes; everything else is in (0, ``max_range_m``], or a new hole.
``intensity`` 0 is the identity. ``still`` draws what stays put through an episode (None: drawn
anew from ``rng``). Where a model needs the angle of a ray, the camera is taken to have a
horizontal field of view of 90°.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.jit import jit
from navproof.corruptions.arguments import check_generators, check_intensity
from navproof.corruptions.kernels.depth_fields import enlarged, smooth_field
from navproof.corruptions.kernels.depth_missing import lose_returns
from navproof.corruptions.kernels.depth_multipath import bounce, echo_error, overestimate
from navproof.corruptions.registry import register_corruption

__all__ = ["gaussian", "missing", "multipath", "quantisation", "quantisation_step_m"]


Generator = np.random.Generator
Depth = NDArray[np.float32]
_EXPECTED = "depth must be a float32 array (h, w) or (h, w, 1) in metres with 0 for holes"

NOISE_GAIN = 10.0
NOISE_FLOOR_M = 0.0012
NOISE_GROWTH_PER_M = 0.0019
NOISE_FROM_M = 0.4
NEAREST_M = 0.001

LOST_SHARE = 0.4
REFERENCE_M = 3.0
REFLECTIVITY_NEPERS = 2.5
FLICKER_NEPERS = 0.5
MIRROR_SHARE = 0.25
BASELINE_M = 0.125
_FLICKER = np.exp(2.0 * FLICKER_NEPERS * (np.arange(256) / 255.0 - 0.5)).astype(np.float32)

ALBEDO_GAIN = 2.0
GLOSS_GAIN = 0.6
GLOSS_SHARE = 0.2
MIXING = 0.5
NODES = 32
LEAST_CELL_PX = 4.0

COARSEST_LEVELS = 16
FINEST_STEP = 2.0**-24
"""Steps below this share of the range are finer than float32 itself."""


@register_corruption(
    "depth_gaussian",
    target="depth",
    stands_for="A cheap depth camera jitters, the more the farther it looks.",
    source="Nguyen, Izadi & Lovell, Modeling Kinect Sensor Noise, 3DIMPVT 2012",
    lasting=False,
)
def gaussian(
    depth: Depth,
    intensity: float,
    rng: Generator,
    still: Generator | None = None,
    max_range_m: float = 10.0,
) -> Depth:
    """Axial noise that grows with the square of the distance, independent from pixel to pixel:
    ``z + N(0, σ²)`` with ``σ = 10 · intensity · (0.0012 + 0.0019 · max(z − 0.4, 0)²)`` metres.

    Stands for: the jitter of cheap, dim or far-looking depth cameras; walls become fog, and floor
    points rise to phantom obstacles.
    Source: Nguyen, Izadi & Lovell, "Modeling Kinect Sensor Noise for Improved 3D Reconstruction
    and Tracking", 3DIMPVT 2012 (the brackets: a Kinect's σ in front of a wall). 0.1 is thus a
    Kinect (6 mm at 2 m); 0.6 gives 3.6 cm at 2 m, near the 2 % RMS at 2 m that makers of active
    stereo cameras still allow themselves; above 0.7 (6 cm at 2 m, 26 cm at 4 m for 1.0) it is
    worse than any such camera in order. With ``still``, the pattern stays fixed to the pixels.
    """
    image, strength, high = _checked(depth, intensity, rng, still, max_range_m)
    if strength == 0.0:
        return depth.copy()
    source = rng if still is None else still
    noise = source.standard_normal(image.shape, dtype=np.float32)
    return _jitter(image, noise, NOISE_GAIN * strength, high).reshape(depth.shape)


@register_corruption(
    "depth_missing",
    target="depth",
    stands_for="Glass, mirrors, black cloth and grazing floors send too little light back.",
    source=(
        "Foix, Alenyà & Torras, IEEE Sensors J. 2011; Mallick, Das & Majumdar, IEEE Sensors J. 2014"
    ),
)
def missing(
    depth: Depth,
    intensity: float,
    rng: Generator,
    still: Generator | None = None,
    max_range_m: float = 10.0,
) -> Depth:
    """Returns that are too weak to measure, and the shadow of the projector.

    A pixel is lost where its signal ``ln ρ + ln(cos θ · (3 m / r)²)`` falls below a threshold:
    θ is the angle of incidence, r the distance, and ln ρ a smooth Gaussian field of σ = 2.5 (drawn
    from ``still``: dark, glossy and transparent materials) with a little fresh flicker. The
    threshold is the quantile of ln ρ at which 0.4 · intensity of a wall facing the camera at 3 m
    is lost. A quarter of the field is glass or mirror: there, a lost pixel reads ``max_range_m``
    (light that went elsewhere). Elsewhere it is a hole, and so is whatever a nearer surface hides
    from a projector 12.5 cm · intensity to the right of the camera (0.6: 7.5 cm, as in a Kinect).

    Stands for: windows, mirrors, screens, black sofas, polished floors at a grazing angle.
    Source: the radiometry of active range sensing (irradiance ∝ ρ cos θ / r²; Foix, Alenyà &
    Torras, "Lock-in Time-of-Flight (ToF) Cameras: A Survey", IEEE Sensors J. 2011) and the classes
    of Mallick, Das & Majumdar, "Characterizations of Noise in Kinect Depth Images: A Review",
    IEEE Sensors J. 2014 (shadow, specular and weak-return holes). Indoor frames of real cameras
    are holes to 10–20 %; from about 0.3 on, more is lost here.
    """
    image, strength, high = _checked(depth, intensity, rng, still, max_range_m)
    if strength == 0.0:
        return depth.copy()
    source = rng if still is None else still
    height, width = image.shape
    broad = smooth_field(source, height, width, 0.08)
    fine = smooth_field(source, height, width, 0.04)
    glass = smooth_field(source, height, width, 0.08) - _above_share(MIRROR_SHARE)
    flicker = np.frombuffer(rng.bytes(image.size), dtype=np.uint8).reshape(image.shape)
    quantile = np.float32(NormalDist().inv_cdf(max(LOST_SHARE * strength, 1e-300)))
    lacking = quantile - np.float32(0.8) * broad - np.float32(0.6) * fine
    needed = enlarged(np.float32(2.0 * REFLECTIVITY_NEPERS) * lacking, height, width)
    np.exp(needed, out=needed)
    mirror = enlarged(glass, height, width)
    shadow_px_m = 0.5 * width * BASELINE_M * strength
    out = lose_returns(image, needed, mirror, flicker, _FLICKER, shadow_px_m, REFERENCE_M, high)
    return out.reshape(depth.shape)


@register_corruption(
    "depth_multipath",
    target="depth",
    stands_for=(
        "Light that bounced in a corner or off a shiny floor seems to come from farther away."
    ),
    source="Jiménez et al., Image and Vision Computing 2014; Fuchs, ICPR 2010",
)
def multipath(
    depth: Depth,
    intensity: float,
    rng: Generator,
    still: Generator | None = None,
    max_range_m: float = 10.0,
) -> Depth:
    """Light that reached a surface by way of another one, and so seems to come from farther.

    A continuous-wave time-of-flight pixel measures the phase of ``1 + Σ a·exp(2πi·δ/R)``, the
    direct light and echoes of amplitude a whose way is δ longer; R = ``max_range_m`` is taken as
    the unambiguous range. Echoes: (1) one diffuse bounce between all surfaces in view (Lambertian,
    on a 32-node grid), which is strongest in concave corners, at 2 · intensity times the strength
    of white walls; (2) glossy patches (drawn from ``still``, a fifth of the view) with
    a ≤ 0.6 · intensity and δ of 0.2–1.2 m; (3) at a jump in depth, half the light from behind it
    mixes in (times intensity). Every error is an overestimate.

    Stands for: rounded-off corners, walls seen too far away over shiny floors, obstacles that
    smear into the room behind them.
    Source: Jiménez, Pizarro, Mazo & Palazuelos, "Modeling and correction of multipath interference
    in time of flight cameras", Image and Vision Computing 32(1), 2014 (the radiometric model);
    Fuchs, "Multipath interference compensation in time-of-flight camera images", ICPR 2010. A
    corner of white walls at 2 m errs by 7–11 cm at 0.5; above that, walls would have to send on
    more light than they get.
    """
    image, strength, high = _checked(depth, intensity, rng, still, max_range_m)
    if strength == 0.0:
        return depth.copy()
    source = rng if still is None else still
    height, width = image.shape
    cell_px = max(height / NODES, width / NODES, LEAST_CELL_PX)
    rows, columns = max(1, round(height / cell_px)), max(1, round(width / cell_px))
    shine = smooth_field(source, height, width, 0.06) - _above_share(GLOSS_SHARE)
    gloss = np.clip(2.0 * enlarged(shine, rows, columns), 0.0, 1.0)
    longer = enlarged(smooth_field(source, height, width, 0.08), rows, columns)
    lag = np.clip(0.7 + 0.25 * longer, 0.2, 1.2)
    echo = bounce(image, rows, columns, 4)
    error = echo_error(echo, gloss, lag, ALBEDO_GAIN * strength, GLOSS_GAIN * strength, high)
    return overestimate(image, error, MIXING * strength, high).reshape(depth.shape)


@register_corruption(
    "depth_quantisation",
    target="depth",
    stands_for=(
        "Depth is sent or stored in few bits: walls become terraces, small obstacles vanish."
    ),
    source="Ideses et al., 3DTV-CON 2007; Wei, Huang & Chien, ICASSP 2013",
)
def quantisation(
    depth: Depth,
    intensity: float,
    rng: Generator,
    still: Generator | None = None,
    max_range_m: float = 10.0,
) -> Depth:
    """Every depth rounded to the nearest multiple of ``quantisation_step_m``, never to 0.

    Stands for: depth sent or stored in few bits; small obstacles merge with what is behind them
    and walls become terraces. Nothing is random.
    Source: Ideses, Yaroslavsky, Amit & Fishbain, "Depth map quantization – how much is
    sufficient?", 3DTV-CON 2007; Wei, Huang & Chien, "Quantization error reduction in depth maps",
    ICASSP 2013. The mean square error over many depths is step²/12; a single flat wall may lie on
    a level by chance.
    """
    image, strength, high = _checked(depth, intensity, rng, still, max_range_m)
    if strength == 0.0:
        return depth.copy()
    step = quantisation_step_m(strength, max_range_m)
    if step < FINEST_STEP * high:
        return depth.copy()
    top = math.floor(float(max_range_m) / step + 1e-9)
    return _round(image, step, max(top, 1), high).reshape(depth.shape)


def quantisation_step_m(intensity: float, max_range_m: float = 10.0) -> float:
    """The step between levels: ``max_range_m · intensity² / 16``.

    That is 4 bits over the range at intensity 1, 6 bits at 0.5, 8 bits at 0.25: half the
    intensity, two bits more.
    """
    strength = check_intensity(intensity)
    return float(max_range_m) * strength * strength / COARSEST_LEVELS


def _checked(
    depth: Depth, intensity: float, rng: Generator, still: Generator | None, max_range_m: float
) -> tuple[Depth, float, float]:
    """The image as (h, w), the intensity, and the farthest that may be answered."""
    check_generators(rng, still)
    strength = check_intensity(intensity)
    image, high = check_depth(depth, max_range_m)
    return image, strength, high


def _above_share(share: float) -> np.float32:
    """What a standard normal variable exceeds with probability ``share``."""
    return np.float32(NormalDist().inv_cdf(1.0 - share))


@jit
def _jitter(depth: Depth, noise: NDArray[np.float32], gain: float, high: float) -> Depth:
    out = np.empty_like(depth)
    for r in range(depth.shape[0]):
        for c in range(depth.shape[1]):
            z = depth[r, c]
            far = max(z - NOISE_FROM_M, 0.0)
            sigma = gain * (NOISE_FLOOR_M + NOISE_GROWTH_PER_M * far * far)
            moved = min(max(z + sigma * noise[r, c], min(z, NEAREST_M)), high)
            out[r, c] = moved if z > 0.0 else 0.0
    return out


@jit
def _round(depth: Depth, step: float, top: int, high: float) -> Depth:
    out = np.empty_like(depth)
    for r in range(depth.shape[0]):
        for c in range(depth.shape[1]):
            z = depth[r, c]
            level = min(max(np.floor(z / step + 0.5), 1.0), top)
            out[r, c] = min(level * step, high) if z > 0.0 else 0.0
    return out


@jit
def _survey(depth: Depth) -> tuple[bool, bool, np.float32]:
    """(something is NaN or infinite, something is negative, the farthest)."""
    strange = False
    negative = False
    farthest = np.float32(0.0)
    for r in range(depth.shape[0]):
        for c in range(depth.shape[1]):
            z = depth[r, c]
            strange |= not np.isfinite(z)
            negative |= z < 0.0
            farthest = max(farthest, z)
    return strange, negative, farthest


def check_depth(depth: Any, max_range_m: Any) -> tuple[Depth, float]:
    """The image as (h, w), contiguous, with the farthest that may be answered, or a ``SpecError``.

    The farthest is the largest float32 that does not exceed ``max_range_m``.
    """
    try:
        reach = float(max_range_m)
    except (TypeError, ValueError):
        reach = math.nan
    if not (reach > 0.0 and math.isfinite(reach)):
        raise SpecError(f"max_range_m must be a number greater than 0, got {max_range_m!r}")
    if not isinstance(depth, np.ndarray):
        raise SpecError(f"{_EXPECTED}, got {type(depth).__name__}")
    flat = depth.ndim == 2 or (depth.ndim == 3 and depth.shape[2] == 1)
    if depth.dtype != np.float32 or not flat or depth.size == 0:
        shape = " x ".join(map(str, depth.shape)) or "a single number"
        raise SpecError(f"{_EXPECTED}, got {depth.dtype} {shape}{_remedy(depth)}")
    image: Depth = np.ascontiguousarray(depth.reshape(depth.shape[:2]))
    strange, negative, farthest = _survey(image)
    if strange or negative:
        what = "NaN or infinite" if strange else "negative"
        raise SpecError(
            f"{_EXPECTED}, but some of it is {what}: write 0 where nothing was measured"
        )
    if farthest > np.float32(reach):
        raise SpecError(
            f"depth reaches {farthest:.6g} m, beyond max_range_m = {reach:g}:"
            " give the sensor's real range, or make what is out of range a hole (0)"
        )
    high = np.float32(reach)
    if float(high) > reach:
        high = np.nextafter(high, np.float32(0.0))
    return image, float(high)


def _remedy(depth: NDArray[Any]) -> str:
    if depth.dtype == np.float64:
        return ": convert with astype(np.float32)"
    if np.issubdtype(depth.dtype, np.integer):
        return ": divide by the units in a metre (1000 for millimetres) and convert to float32"
    return ""
