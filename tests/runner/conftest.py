from __future__ import annotations

import math

import pytest

from navproof.types import Episode, Goal, Pose


def tiny_episodes(count: int = 4, budget: int = 30) -> tuple[Episode, ...]:
    """PointNav in the tiny scene, from the west room to the east one."""
    return tuple(
        Episode(
            episode_id=f"tiny-{index:03d}",
            task="pointnav-v1",
            scene="tiny",
            start=Pose(-3.0 + 0.1 * index, 1.0, 0.0, round(0.3 * index, 3)),
            goals=(Goal("point", ((3.0, 2.0, 0.0),)),),
            geodesic_m=round(math.hypot(3.0 - 0.1 * index, 1.0) + 3.0, 4),
            reference_path=((-3.0 + 0.1 * index, 1.0, 0.0), (0.0, 2.0, 0.0), (3.0, 2.0, 0.0)),
            budget_steps=budget,
            seed=index,
        )
        for index in range(count)
    )


@pytest.fixture
def episodes() -> tuple[Episode, ...]:
    return tiny_episodes()
