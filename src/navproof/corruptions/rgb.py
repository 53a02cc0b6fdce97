"""Eight ways in which a robot's colour camera fails, each after a published model.

Every function takes a uint8 image (h, w, 3), an ``intensity`` in [0, 1] (0 is the identity), the
generator of what is fresh in this frame, and optionally ``still``, the generator of what stays put
through an episode (where dirt, a lamp or an object is); without it, that too is drawn from
``rng``. The image is never written into; the answer is a new array of the same shape.

>>> from navproof.corruptions import rgb
>>> blurred = rgb.motion_blur(image, 0.6, rng)  # doctest: +SKIP

"ImageNet-C" is Hendrycks and Dietterich, Benchmarking Neural Network Robustness to Common
Corruptions and Perturbations, ICLR 2019: its severities 1 to 5 are our intensities 0.2 to 1, in
between they are interpolated, and sizes grow with the image's short side (224 pixels there).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from navproof.corruptions.arguments import check_generators, check_intensity, check_rgb
from navproof.corruptions.kernels.blur import blur_along, image_scale
from navproof.corruptions.kernels.disc import blur_disc
from navproof.corruptions.kernels.flare import flared, stray_light
from navproof.corruptions.kernels.noise import Sensor, developed, raw_frame
from navproof.corruptions.kernels.spatter import splashed, stains
from navproof.corruptions.kernels.tone import ENCODE, FULL, LINEAR, dimmed, radial, toned
from navproof.corruptions.registry import register_corruption

__all__ = [
    "black_out",
    "defocus",
    "flare",
    "foreign_object",
    "low_light",
    "low_light_noise",
    "motion_blur",
    "spatter",
]

Image = npt.NDArray[np.uint8]
Rng = np.random.Generator

_SEVERITY = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_STOPS = 5.0
_CURVE = 0.5


@register_corruption(
    "motion_blur",
    target="rgb",
    stands_for="The robot turns quickly or hits a bump while the shutter is open.",
    source="Hendrycks & Dietterich, ImageNet-C, ICLR 2019",
    lasting=False,
)
def motion_blur(img: Image, intensity: float, rng: Rng, still: Rng | None = None) -> Image:
    """Smeared along a line, as by a quick turn or a bump while the shutter is open.

    ImageNet-C: weights exp(-t²/2σ²) over the distance t from 0 to 2r pixels, (r, σ) = (10, 3),
    (15, 5), (15, 8), (15, 12), (20, 15), in a direction within ±45° of the horizontal. The
    direction is what ``still`` decides.
    """
    image, amount = _checked(img, intensity, rng, still)
    if amount == 0.0:
        return image.copy()
    scale = image_scale(image)
    radius = scale * float(np.interp(amount, _SEVERITY, (0.0, 10.0, 15.0, 15.0, 15.0, 20.0)))
    sigma = scale * float(np.interp(amount, _SEVERITY, (0.0, 3.0, 5.0, 8.0, 12.0, 15.0)))
    angle_rad = math.radians((still or rng).uniform(-45.0, 45.0))
    return blur_along(image, 2.0 * radius, sigma, angle_rad)


@register_corruption(
    "defocus",
    target="rgb",
    stands_for="The lens was knocked out of place or focused at the wrong distance.",
    source="Hendrycks & Dietterich, ImageNet-C, ICLR 2019",
)
def defocus(img: Image, intensity: float, rng: Rng, still: Rng | None = None) -> Image:
    """Out of focus: a lens knocked out of place, or set to the wrong distance.

    ImageNet-C: convolution with a disc, the picture of a point through a round iris, of radius 3,
    4, 6, 8, 10 pixels, its rim rounded by a Gaussian of σ 0.1, 0.5, 0.5, 0.5, 0.5. Nothing in it is
    random.
    """
    image, amount = _checked(img, intensity, rng, still)
    if amount == 0.0:
        return image.copy()
    radius = float(np.interp(amount, _SEVERITY, (0.0, 3.0, 4.0, 6.0, 8.0, 10.0)))
    soften = float(np.interp(amount, _SEVERITY, (0.0, 0.1, 0.5, 0.5, 0.5, 0.5)))
    return blur_disc(image, image_scale(image) * radius, soften)


@register_corruption(
    "spatter",
    target="rgb",
    stands_for="Drops of water or splashes of mud sit on the lens.",
    source="Hendrycks & Dietterich, ImageNet-C, ICLR 2019",
)
def spatter(img: Image, intensity: float, rng: Rng, still: Rng | None = None) -> Image:
    """Drops of water on the lens, and from 0.6 on mud: a robot in rain, a kitchen, a workshop.

    ImageNet-C's six parameters by row: a smoothed field of normal noise is cut at a threshold;
    water adds pale light by a relief of the distance to each drop's rim, mud hides what is behind
    it. Where the stains are is what ``still`` decides.
    """
    image, amount = _checked(img, intensity, rng, still)
    if amount == 0.0:
        return image.copy()
    water, mud = stains(_key(still or rng), image.shape[0], image.shape[1], amount)
    return splashed(image, water, mud)


@register_corruption(
    "low_light",
    target="rgb",
    stands_for="One lamp is left on: it is bright near it and dark elsewhere.",
    source="NavTrust, section 3.1; Lv et al., MBLLEN, BMVC 2018 (tone curve)",
    default=1.0,
)
def low_light(img: Image, intensity: float, rng: Rng, still: Rng | None = None) -> Image:
    """A room where one lamp is left on: bright near it, dark elsewhere.

    The light falls off around the lamp's place by the cosine-fourth law of a small source,
    f = (1 + d²/s²)^-2; a pixel loses 5 · intensity · (1 - 0.85 f) photographic stops, in linear
    light, after a tone curve v^(1 + intensity/2) that sinks the shadows (the gamma of low-light
    synthesis in Lv et al., MBLLEN, BMVC 2018); the five stops and the 0.85 are ours, set by eye.
    Where the lamp is, and how wide it shines (s), is what ``still`` decides.
    """
    image, amount = _checked(img, intensity, rng, still)
    if amount == 0.0:
        return image.copy()
    return dimmed(image, toned(1.0 + _CURVE * amount), _dusk(image, amount, still or rng), ENCODE)


@register_corruption(
    "low_light_noise",
    target="rgb",
    stands_for="A small sensor turns its gain up in the dark: grain, bands, coarse shadows.",
    source=(
        "Wei et al., Physics-based Noise Modeling for Extreme Low-light Photography, TPAMI 2021"
    ),
)
def low_light_noise(img: Image, intensity: float, rng: Rng, still: Rng | None = None) -> Image:
    """The same dusk through a small sensor with its gain turned up: grain, bands, coarse shadows.

    The light of ``low_light`` at this intensity, exposed as in Wei et al., Physics-based Noise
    Modeling for Extreme Low-light Photography, TPAMI 2021: photon shot noise (Poisson, gain K),
    read noise (Tukey's lambda), row noise (normal, one number a row), rounding to the sensor's 10
    bits. K rises from ISO 100 to ISO 6400 with intensity. ``still`` decides what it decides in
    ``low_light``; the noise is fresh.
    """
    image, amount = _checked(img, intensity, rng, still)
    if amount == 0.0:
        return image.copy()
    mask = _dusk(image, amount, still or rng)
    raw = raw_frame(image, toned(1.0 + _CURVE * amount), mask, Sensor.at(amount), rng)
    return developed(raw)


@register_corruption(
    "flare",
    target="rgb",
    stands_for="A lamp or the sun shines into the lens: veil, halo, starburst and ghosts.",
    source=(
        "Wu et al., How to Train Neural Networks for Flare Removal, ICCV 2021; Spencer et"
        " al., SIGGRAPH 1995; Hullin et al., SIGGRAPH 2011"
    ),
    default=1.0,
)
def flare(img: Image, intensity: float, rng: Rng, still: Rng | None = None) -> Image:
    """A lamp or the sun shining into the lens: veil, halo, starburst and ghosts.

    Stray light is added in linear light, in proportion to intensity^1.5, as in Wu et al., How to
    Train Neural Networks for Flare Removal, ICCV 2021 (scattering and reflective flare); the halo
    falls off as in Spencer et al., Physically-based Glare Effects for Digital Images, SIGGRAPH
    1995, and ghosts lie as in Hullin et al., Physically-based Real-time Lens Flare Rendering,
    SIGGRAPH 2011; the amounts are ours, set by eye. Where the source is, and with it all the rest,
    is what ``still`` decides.
    """
    image, amount = _checked(img, intensity, rng, still)
    if amount == 0.0:
        return image.copy()
    stray = stray_light(_key(still or rng), image.shape[0], image.shape[1])
    return flared(image, stray, amount**1.5)


@register_corruption(
    "foreign_object",
    target="rgb",
    stands_for="A finger, tape or a leaf covers the middle of the lens.",
    source="NavTrust, section 3.1",
)
def foreign_object(img: Image, intensity: float, rng: Rng, still: Rng | None = None) -> Image:
    """Something stuck on the lens, a finger, tape or a leaf: black, and too near to be sharp.

    A disc near the centre, of radius intensity / 2 of the short side, as in NavTrust; its edge is
    the penumbra of an object out of focus, a smooth step over 30 % around the radius (ours, set by
    eye).
    Where it is (within 6 % of the short side from the centre) is what ``still`` decides.
    """
    image, amount = _checked(img, intensity, rng, still)
    if amount == 0.0:
        return image.copy()
    height, width = image.shape[:2]
    short = min(height, width)
    row, column = (still or rng).uniform(-0.06, 0.06, 2)
    ratio = np.sqrt(np.linspace(0.0, 1.15 * 1.15, 4096))
    step = np.clip((ratio - 0.85) / 0.3, 0.0, 1.0)
    table = np.rint(FULL * step * step * (3.0 - 2.0 * step)).astype(np.uint16)
    reach = 1.15 * 0.5 * amount * short
    mask = radial(
        height, width, 0.5 * height + row * short, 0.5 * width + column * short, reach, table
    )
    return dimmed(image, LINEAR, mask, ENCODE)


@register_corruption(
    "black_out",
    target="rgb",
    stands_for="Frames are lost to a loose cable or a failing driver and arrive black.",
    source="NavTrust, section 3.1",
    lasting=False,
)
def black_out(img: Image, intensity: float, rng: Rng, still: Rng | None = None) -> Image:
    """A frame that never came, a loose cable or a driver that gave up: black, once in a while.

    With probability ``intensity`` the whole frame is black, as in NavTrust. It is decided anew for
    every frame; nothing stays put.
    """
    image, amount = _checked(img, intensity, rng, still)
    return np.zeros_like(image) if rng.random() < amount else image.copy()


def _checked(img: Image, intensity: float, rng: Rng, still: Rng | None) -> tuple[Image, float]:
    """The image in one piece, and the intensity. Kernels know only writable arrays."""
    check_generators(rng, still)
    amount = check_intensity(intensity)
    return np.require(check_rgb(img), requirements=("C", "W", "E")), amount


def _key(source: Rng) -> int:
    """A number to draw the rest from, so that what it leads to can be kept between frames."""
    return int(source.integers(0, 1 << 63))


def _dusk(image: Image, amount: float, source: Rng) -> npt.NDArray[np.uint16]:
    """The share of light left, by pixel, of 65535."""
    height, width = image.shape[:2]
    row, column, spread = source.uniform((0.1, 0.15, 0.3), (0.6, 0.85, 0.5))
    reach = math.hypot(height, width)
    size = spread * min(height, width) / reach
    squared = np.linspace(0.0, 1.0, 4096)
    lit = 1.0 / (1.0 + squared / (size * size)) ** 2
    left = np.exp2(-_STOPS * amount * (1.0 - 0.85 * lit))
    table = np.rint(FULL * left).astype(np.uint16)
    return radial(height, width, row * height, column * width, reach, table)
