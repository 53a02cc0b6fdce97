"""Randomness is always passed in, and derived here.

``rng(seed, episode, stream, step)`` gives a counter-based generator (Philox) whose key is a hash
of its arguments. Order, processes and machines therefore never change a result: whoever asks for
the same stream gets the same numbers.
"""

from __future__ import annotations

import hashlib

import numpy as np

__all__ = ["derive", "keyed", "rng"]


def derive(*parts: int | str) -> int:
    """A 128-bit integer that depends on every part and on their order, the same everywhere."""
    text = "\x1f".join(f"{type(p).__name__}:{p}" for p in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest(), "little")


def rng(seed: int, episode: str, stream: str, step: int = 0) -> np.random.Generator:
    """The generator of one stream (``"agent"``, ``"layout"``, ``"rgb.motion_blur"``, …).

    ``episode`` is an episode id, or a scene id for streams that build scenes.
    """
    return keyed(derive(int(seed), episode, stream, int(step)))


def keyed(key: int) -> np.random.Generator:
    """The generator of a key that was itself drawn or derived, of 128 bits at most."""
    return np.random.Generator(np.random.Philox(key=key))
