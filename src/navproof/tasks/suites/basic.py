"""PointNav, VLN and ObjectNav together, in three sizes."""

from __future__ import annotations

from navproof.tasks.suites.registry import Suite, SuitePart, register_suite
from navproof.tasks.suites.spread import MINI, aligned, scenes

_PER_SCENE = 4


def _parts(scenes: tuple[str, ...]) -> tuple[SuitePart, ...]:
    return (SuitePart(("pointnav-v1",), scenes, _PER_SCENE), *aligned(scenes, _PER_SCENE))


register_suite(Suite("mini", "2 homes and an office, 12 episodes a task: minutes", _parts(MINI)))
register_suite(
    Suite(
        "val",
        "18 homes and 12 commercial spaces, 120 episodes a task",
        _parts(scenes("val", 18, 3)),
    )
)
register_suite(
    Suite(
        "test",
        "24 homes and 16 commercial spaces, 160 episodes a task",
        _parts(scenes("test", 24, 4)),
    )
)
