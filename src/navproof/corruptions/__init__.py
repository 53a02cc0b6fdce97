"""What an agent sees, reads and does, spoiled on purpose: as values, and as a library.

>>> from navproof.corruptions import rgb
>>> spoiled = rgb.motion_blur(image, 0.6, rng)  # doctest: +SKIP
"""

from navproof.corruptions.condition import CLEAN, Condition, parse_condition
from navproof.corruptions.protocol import Corruption, Corruptor, Family, Moment

__all__ = [
    "CLEAN",
    "Condition",
    "Corruption",
    "Corruptor",
    "Family",
    "Moment",
    "parse_condition",
]
