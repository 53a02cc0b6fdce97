"""Property tests draw the same examples every time; ``NAVPROOF_FUZZ=1`` draws fresh ones."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from navproof.core import registry

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("fuzz", derandomize=False, deadline=None)
settings.load_profile("fuzz" if os.environ.get("NAVPROOF_FUZZ") else "repeatable")


@pytest.fixture(scope="module", autouse=True)
def _nothing_stays_registered() -> Iterator[None]:
    """What the tests of a module register from their own files is gone in the next module."""
    before = {kind: set(known.registered()) for kind, known in registry._REGISTRIES.items()}
    yield
    for kind, known in registry._REGISTRIES.items():
        for name in set(known.registered()) - before.get(kind, set()):
            for held in (known._things, known._registered, known._adopted):
                held.pop(name, None)
