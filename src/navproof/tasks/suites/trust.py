"""The problems of NavTrust: the same ones as VLN and as ObjectNav, under its conditions."""

from __future__ import annotations

from navproof.tasks.suites.registry import Suite, register_suite
from navproof.tasks.suites.spread import MINI, aligned, scenes

_PARTS = aligned(scenes("val", 13, 3), 2)

register_suite(
    Suite(
        "trust",
        "13 homes and 12 commercial spaces, 50 problems as VLN and as ObjectNav, clean and "
        "under every condition of NavTrust",
        _PARTS,
        conditions=("trust",),
    )
)
register_suite(
    Suite(
        "trust-sweep",
        "the problems of trust, each single corruption at intensities 0.25 to 1",
        _PARTS,
        conditions=("trust-sweep",),
    )
)
register_suite(
    Suite(
        "trust-demo",
        "one home, 3 problems as VLN and as ObjectNav, clean and under five conditions: a look",
        aligned(("home/val/0",), 3),
        conditions=("trust-demo",),
    )
)
register_suite(
    Suite(
        "trust-mini",
        "2 homes and an office, 6 problems as VLN and as ObjectNav, clean and under nine "
        "conditions: a quarter of an hour",
        aligned(MINI, 2),
        conditions=("trust-mini",),
    )
)
