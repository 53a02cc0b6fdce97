"""Corruptions of one's own: fog before the camera, a scratched depth camera, and a mumbled
instruction.

Look at them, check them, use them:
    navproof check corruption examples/my_corruption.py:fog
    navproof run --agent mlfm --suite mini -c examples/my_corruption.py:fog@0.5 -o runs/fog
    navproof run --agent route --suite mini \\
        -c "examples/my_corruption.py:mumble+depth_gaussian@0.4" -o runs/mumble

Intensity is from 0, which must change nothing, to 1. All randomness comes from ``rng`` (another at
every step) and ``still`` (the same through an episode), so results repeat in any order.
"""

import numpy as np

from navproof import register_corruption

HAZE = np.array([200.0, 205.0, 210.0])


def fog(image, intensity, rng):
    """Mist that is thicker towards the horizon, in the upper half of the picture.

    A bare function will do: its first parameter, called image, depth or text, says what it spoils.
    """
    if intensity == 0.0:
        return image.copy()
    height = image.shape[0]
    rows = (np.arange(height) + 0.5) / height  # 0 at the top, 1 at the bottom
    thickness = np.clip(1.5 - 1.2 * rows, 0.2, 1.0)[:, None, None]
    veil = 1.0 - np.exp(-3.0 * intensity * thickness)
    return np.rint((1.0 - veil) * image + veil * HAZE).astype(np.uint8)


@register_corruption(
    "scratches",
    target="depth",
    stands_for="Scratches on the cover of a depth camera hide what lies behind them.",
    default=0.5,
)
def scratches(depth, intensity, rng, still=None):
    """Holes (0) in whole columns, the same ones through an episode; up to a third of them."""
    generator = rng if still is None else still
    hidden = generator.random(depth.shape[1]) < intensity / 3.0
    spoiled = depth.copy()
    spoiled[:, hidden] = 0.0
    return spoiled


def mumble(text, intensity, rng):
    """Words that nobody can make out become "mm"; all of them at intensity 1."""
    words = text.split(" ")
    lost = rng.random(len(words)) < intensity
    return " ".join("mm" if gone else word for word, gone in zip(words, lost, strict=True))
