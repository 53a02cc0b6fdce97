from __future__ import annotations

import pytest
from runner_fakes import tiny_episodes

from navproof.types import Episode


@pytest.fixture
def episodes() -> tuple[Episode, ...]:
    return tiny_episodes()
