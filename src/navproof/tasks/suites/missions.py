"""Missions, as many as the splits of OmniNavBench."""

from __future__ import annotations

from navproof.tasks.suites.registry import Suite, register_suite
from navproof.tasks.suites.spread import MINI, scenes, spread

_TASK = "mission-v1"

register_suite(
    Suite(
        "missions-mini",
        "2 homes and an office, 9 missions, three for each robot",
        spread(MINI, 9, _TASK),
    )
)
register_suite(
    Suite(
        "missions",
        "42 homes and 16 commercial spaces, 592 missions, as many as the paper's test split",
        spread(scenes("test", 42, 4), 592, _TASK),
    )
)
register_suite(
    Suite(
        "missions-train",
        "84 homes and 28 commercial spaces, 1,187 missions, as many as the paper's train split",
        spread(scenes("train", 84, 7), 1187, _TASK),
    )
)
