"""The noise of a CMOS sensor in the dark, after Wei et al. (TPAMI 2021), in raw units (DN).

D = K·Poisson(I / K) + TukeyLambda(λ, σ_TL) + Normal(0, σ_R) per row, rounded to whole DN

with the calibration of a small sensor, Sony IMX686, 10 bits, that comes with Feng et al.
(Learnability Enhancement for Low-light Raw Denoising, 2022): log σ_TL and log σ_R are linear in
log K, fitted from ISO 640 to 6400 and extended here down to ISO 100. Each colour channel is treated
as a sensor of its own (no mosaic).

Poisson numbers are exact inversions below a mean of 16 (means dithered between sixteenths, which
keeps the mean and adds at most 0.001 to the variance) and Cornish-Fisher quantiles above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from navproof.core.jit import jit, jit_inline
from navproof.corruptions.kernels.tone import FULL, encode

__all__ = ["BLACK", "SHAPE", "WHITE", "Sensor", "developed", "raw_frame"]

WHITE = 959
"""Full scale in DN: 1023 less the black level, 64."""
BLACK = 64
SHAPE = 0.102
"""λ of the read noise: nearly normal, with slightly longer tails."""
GAIN_ISO_100, GAIN_ISO_6400 = 0.1366021, 8.7425333
_BITS = 13
_EXACT, _STEPS, _MOST = 16, 16, 64
_ABOVE_ZERO = 1 << 16


@dataclass(frozen=True, slots=True)
class Sensor:
    """A gain setting: ``gain`` K in DN per electron, scales of read and row noise in DN."""

    gain: float
    read: float
    row: float

    @staticmethod
    def at(intensity: float) -> Sensor:
        """ISO 100 · 64^√intensity: as a camera does, most of the gain comes early."""
        gain = GAIN_ISO_100 * (GAIN_ISO_6400 / GAIN_ISO_100) ** math.sqrt(intensity)
        return Sensor(
            gain,
            math.exp(0.85187 * math.log(gain) + 0.07991),
            math.exp(0.87611 * math.log(gain) - 2.11455),
        )


def raw_frame(
    image: npt.NDArray[np.uint8],
    linear: npt.NDArray[np.uint16],
    mask: npt.NDArray[np.uint16],
    sensor: Sensor,
    rng: np.random.Generator,
) -> npt.NDArray[np.int16]:
    """What the sensor reads in whole DN above black, from -64 to 959: noise and all.

    The light on a pixel is ``linear`` of its value times ``mask``, each of full scale 65535.
    """
    key = rng.integers(0, 1 << 64, dtype=np.uint64)
    rows = np.asarray(sensor.row * rng.standard_normal(image.shape[0]), np.float64)
    cumulative, guide = _poisson_tables()
    return _expose(
        image,
        linear,
        mask,
        sensor.gain,
        sensor.read,
        rows,
        key,
        _read_quantiles(),
        _normal_quantiles(),
        cumulative,
        guide,
    )


def developed(raw: npt.NDArray[np.int16]) -> npt.NDArray[np.uint8]:
    """Raw DN as 8-bit sRGB; what is below black is black."""
    return _looked_up(raw, _developing())


@lru_cache(maxsize=1)
def _developing() -> npt.NDArray[np.uint8]:
    return encode(np.arange(WHITE + 1) / WHITE)


@lru_cache(maxsize=1)
def _read_quantiles() -> npt.NDArray[np.float32]:
    """Tukey's lambda at the middles of 2^14 equal shares: (p^λ - (1-p)^λ) / λ."""
    p = (np.arange(1 << 14) + 0.5) / (1 << 14)
    lower, upper = np.power(p, SHAPE), np.power(1.0 - p, SHAPE)
    return ((lower - upper) / SHAPE).astype(np.float32)


@lru_cache(maxsize=1)
def _normal_quantiles() -> npt.NDArray[np.float32]:
    """The normal distribution at the middles of 2^13 equal shares, scaled to variance 1."""
    count = 1 << _BITS
    z = np.array([NormalDist().inv_cdf((k + 0.5) / count) for k in range(count)])
    return (z / float(z.std())).astype(np.float32)


@lru_cache(maxsize=1)
def _poisson_tables() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint8]]:
    """For means of whole sixteenths up to 16: P(N <= k) in 24 bits, and where to start looking.

    ``guide`` has, for each 256th of the probability, the smallest k that may be the answer.
    """
    means = np.arange(_STEPS * _EXACT + 1) / _STEPS
    factors = np.concatenate(
        [np.exp(-means)[:, None], means[:, None] / np.arange(1, _MOST)], axis=1
    )
    cumulative = np.rint(np.cumsum(np.cumprod(factors, axis=1), axis=1) * (1 << 24))
    # The search must end even where rounding has left the sum short of one.
    cumulative[:, -1] = 1 << 24
    starts = np.arange(256) << 16
    guide = (cumulative[:, None, :] <= starts[None, :, None]).sum(axis=2)
    return cumulative.astype(np.uint32).ravel(), guide.astype(np.uint8).ravel()


@jit_inline
def _scrambled(counter: np.uint64) -> np.uint64:
    """64 random bits by number: SplitMix64 (Steele, Lea and Flood, 2014)."""
    z = counter * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@jit
def _expose(
    image: npt.NDArray[np.uint8],
    linear: npt.NDArray[np.uint16],
    mask: npt.NDArray[np.uint16],
    gain: float,
    read: float,
    rows: npt.NDArray[np.float64],
    key: np.uint64,
    read_quantiles: npt.NDArray[np.float32],
    normal_quantiles: npt.NDArray[np.float32],
    cumulative: npt.NDArray[np.uint32],
    guide: npt.NDArray[np.uint8],
) -> npt.NDArray[np.int16]:
    raw = np.empty(image.shape, np.int16)
    electrons = WHITE / (gain * FULL * FULL)
    counter = key
    for y in range(image.shape[0]):
        offset = rows[y] + 0.5
        for x in range(image.shape[1]):
            light = electrons * np.float64(mask[y, x])
            for c in range(3):
                mean = light * np.float64(linear[image[y, x, c]])
                # Random bits by number: a single draw from the generator decides every pixel.
                counter += np.uint64(1)
                bits = _scrambled(counter)
                chance = np.uint32(bits & np.uint64(0xFFFFFF))
                if mean < _EXACT:
                    dither = np.float64((bits >> np.uint64(24)) & np.uint64(0xFFFF)) / 65536.0
                    place = np.uint64(mean * _STEPS + dither)
                    found = place * np.uint64(_MOST)
                    found += np.uint64(guide[(place << np.uint64(8)) + np.uint64(chance >> 16)])
                    while chance >= cumulative[found]:
                        found += np.uint64(1)
                    count = np.float64(found - place * np.uint64(_MOST))
                else:
                    z = np.float64(normal_quantiles[chance >> (24 - _BITS)])
                    count = np.floor(mean + math.sqrt(mean) * z + (z * z - 1.0) / 6.0 + 0.5)
                value = gain * count + read * read_quantiles[bits >> np.uint64(50)] + offset
                # Integers are cut off towards zero; shifted above it they are cut downwards, and
                # the half in ``offset`` makes that rounding.
                whole = np.int64(value + _ABOVE_ZERO) - _ABOVE_ZERO
                raw[y, x, c] = min(max(whole, np.int64(-BLACK)), np.int64(WHITE))
    return raw


@jit
def _looked_up(raw: npt.NDArray[np.int16], table: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    out = np.empty(raw.shape, np.uint8)
    for y in range(raw.shape[0]):
        for x in range(raw.shape[1]):
            for c in range(3):
                out[y, x, c] = table[max(raw[y, x, c], 0)]
    return out
