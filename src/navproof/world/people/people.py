"""People: who they are, how they are called in words, and where they are at every moment.

Where somebody is depends on her ``Walk`` and the time alone: she goes straight from point to point
at a constant speed, rests where the walk says so, and stays where it ends. Replaying an episode
gives the same people to the bit. Bodies to be seen are in ``world.people.bodies``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import EpisodeError
from navproof.core.registry import suggest
from navproof.core.types import Pose, Robot, Walk
from navproof.world.people.course import course_of
from navproof.world.people.looks import APPEARANCES, Appearance
from navproof.world.people.words import describe, unique_words, who

__all__ = [
    "APPEARANCES",
    "PERSON",
    "PERSON_RADIUS_M",
    "Appearance",
    "PersonState",
    "check_people",
    "describe",
    "is_walkable",
    "stops_at_s",
    "track",
    "unique_words",
    "where",
    "who",
]

PERSON_RADIUS_M = 0.25
"""Of the disc that a robot cannot enter."""
PERSON = Robot("person", PERSON_RADIUS_M, 1.9)
"""The body for which a navigation grid says where people can walk."""


@dataclass(frozen=True, slots=True)
class PersonState:
    """A person at one moment. ``walked_m`` is the distance walked so far, from which the steps
    follow. ``stride`` says how full these are (0 when standing, 1 at full walk), and ``arrived``
    that the person has stopped for good."""

    person: str
    appearance: str
    pose: Pose
    moving: bool
    arrived: bool
    walked_m: float = 0.0
    stride: float = 0.0


class Walkable(Protocol):
    """A navigation grid (``sim.geodesic.navgrid.NavGrid``) built for ``PERSON``."""

    def is_navigable(self, x: float, y: float) -> bool: ...
    def is_free(self, x0: float, y0: float, x1: float, y1: float) -> bool: ...


def where(walk: Walk, time_s: float, z_m: float = 0.0) -> PersonState:
    """Where somebody is ``time_s`` after the episode began, on a floor at ``z_m``.

    She turns into a corner smoothly (her heading, not her path) and, where she has rested, before
    she goes on. One whose path is a single point stands there and looks along +x.
    """
    course = course_of(walk)
    yaw = math.remainder(course.yaw.at(time_s), math.tau)
    return PersonState(
        walk.person,
        walk.appearance,
        Pose(course.x.at(time_s), course.y.at(time_s), z_m, yaw),
        course.is_going(time_s),
        time_s >= course.ends_s,
        course.distance.at(time_s),
        course.stride.at(time_s),
    )


def track(walk: Walk, times_s: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 3) rows of (x, y, yaw) at these times: those of ``where``, to the bit."""
    course, times = course_of(walk), np.asarray(times_s, dtype=np.float64)
    yaw = [math.remainder(v, math.tau) for v in course.yaw.over(times).tolist()]
    return np.stack([course.x.over(times), course.y.over(times), np.array(yaw)], axis=1)


def stops_at_s(walk: Walk) -> float:
    """The time t_e at which a person reaches the end of the path and stops for good."""
    return course_of(walk).ends_s


def is_walkable(walk: Walk, grid: Walkable) -> bool:
    """Whether every leg of the path keeps off walls and furniture."""
    points = [(x, y) for x, y, _ in walk.path]
    return all(grid.is_navigable(x, y) for x, y in points) and all(
        grid.is_free(*a, *b) for a, b in pairwise(points)
    )


def check_people(people: Sequence[Walk]) -> None:
    """Raise ``EpisodeError`` for a walk that cannot be walked, for looks that no appearance has, or
    for two people of one name."""
    seen: set[str] = set()
    for walk in people:
        course_of(walk)
        if walk.appearance not in APPEARANCES:
            raise EpisodeError(
                f"person {walk.person}: no appearance '{walk.appearance}'"
                f"{suggest(walk.appearance, list(APPEARANCES))}"
            )
        if walk.person in seen:
            raise EpisodeError(f"two people are called '{walk.person}'")
        seen.add(walk.person)
