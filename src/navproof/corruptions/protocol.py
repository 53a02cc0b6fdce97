"""What a corruption is: a function, how strong it is by default, and what it stands for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from navproof.core.seeding import rng

__all__ = ["Corruption", "Corruptor", "Family", "Moment", "Target"]

Family = Literal["rgb", "depth", "instruction", "body"]
"""What is disturbed, as scores are grouped: two cameras, the words, everything else of a robot."""
Target = Literal["rgb", "depth", "words", "prompt", "mount", "arrival", "pose", "drive"]
"""Where the function stands in the loop; it decides its signature (see ``Corruption``)."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Where randomness comes from: the same for the same place in the same episode.

    ``fresh`` is another generator at every step; ``lasting`` the same through the episode (dirt on
    a lens stays where it is).
    """

    seed: int
    episode: str
    slot: str
    step: int

    def fresh(self, stream: str) -> np.random.Generator:
        return rng(self.seed, self.episode, f"corrupt.{self.slot}.{stream}", self.step)

    def lasting(self, stream: str) -> np.random.Generator:
        return rng(self.seed, self.episode, f"corrupt.{self.slot}.{stream}.lasting")


class Corruptor(Protocol):
    """What stands in a slot of the environment: changes a reading, or the words.

    It must not write into ``x``, and draws only from ``moment``.
    """

    def __call__(self, x: Any, moment: Moment) -> Any: ...


@dataclass(frozen=True, slots=True)
class Corruption:
    """One way to spoil something. ``apply`` by ``target``, always with ``intensity`` in [0, 1],
    0 exactly the identity; ``still`` is the generator of what stays put (None: drawn anew from
    ``rng``, the transient mode):

    * ``rgb``: (uint8 image (h, w, 3), intensity, rng, still=None) -> image
    * ``depth``: (float32 metres (h, w), intensity, rng, still=None, max_range_m=10.0) -> depth
    * ``words``: (text or Instruction, intensity, rng) -> text
    * ``prompt``: (system prompt, intensity, rng) -> system prompt
    * ``mount``: (SensorSpec, intensity, still) -> SensorSpec as it really is
    * ``arrival``: (intensity, rng) -> bool, whether this frame is lost
    * ``pose``: (estimate, before, now, intensity, rng, still) -> estimate (odometry)
    * ``drive``: (intensity, rng, still) -> Actuation

    ``default`` is the intensity of the published protocol, or 0.6. ``lasting``: whether ``still``
    is given unless a condition asks otherwise.
    """

    name: str
    family: Family
    target: Target
    apply: Callable[..., Any]
    stands_for: str
    source: str
    default: float = 0.6
    lasting: bool = True
