"""A suite of your own, to start from:

    navproof check suite examples/my_suite.py:SUITE
    navproof run --agent mlfm --suite examples/my_suite.py:SUITE -o runs/mine

A suite says how many episodes of which tasks to make in which scenes; it is made on first use and
kept. A function that returns episodes is a suite, too (``--suite examples/my_suite.py:short``).
"""

from __future__ import annotations

from navproof.core.types import Episode
from navproof.tasks.generate import generate_episodes
from navproof.tasks.suites import Suite, SuitePart

SCENES = ("home/val/3", "cafe/val/0")

SUITE = Suite(
    "mine",
    "a home and a café, 4 ObjectNav episodes, clean and in noise",
    (SuitePart(("objectnav-v1",), SCENES, per_scene=2),),
    conditions=("low_light_noise", "depth_gaussian@0.5"),
)


def short() -> list[Episode]:
    """The PointNav episodes of a home that are short."""
    made = generate_episodes("pointnav", SCENES[0], count=8, seed=5)
    return [episode for episode in made if episode.geodesic_m < 6.0]
