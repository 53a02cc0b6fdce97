from __future__ import annotations

import pytest

from navproof.core.types import Episode
from runner_fakes import tiny_episodes


@pytest.fixture
def episodes() -> tuple[Episode, ...]:
    return tiny_episodes()
