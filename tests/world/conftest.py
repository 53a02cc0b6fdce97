"""Generated scenes, shared by the tests of worlds."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pytest

from navproof.world.generate import generate
from navproof.world.scene import Scene


@lru_cache(maxsize=48)
def _made(kind: str, seed: int) -> Scene:
    return generate(kind, seed, baked=False)


@pytest.fixture(scope="session")
def made() -> Callable[[str, int], Scene]:
    """``made(kind, seed)`` is a scene without baked light."""
    return _made
