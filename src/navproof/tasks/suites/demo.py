"""What ``make demo`` runs."""

from __future__ import annotations

from navproof.tasks.suites.registry import Suite, SuitePart, register_suite

register_suite(
    Suite(
        "demo",
        "4 homes, 20 ObjectNav episodes, clean and with a knocked camera: minutes",
        (SuitePart(("objectnav-v1",), tuple(f"home/val/{i}" for i in range(4)), 5),),
        conditions=("camera_tilt",),
    )
)
