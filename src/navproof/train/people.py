"""People in the pictures that perception learns from, and what is said of them.

Each of the six appearances is a category of its own, so that words fit some of them and not
others: "the woman" three, "the woman in the red jacket" one. Data sets name them "person/NAME".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Pose
from navproof.train.viewpoints import View
from navproof.world.people.bodies import LightField, PersonMesh, body_of
from navproof.world.people.people import APPEARANCES, describe, who

__all__ = ["PEOPLE", "PEOPLE_SHARE", "appearance_of", "draw_person_words", "people_in_view"]

_PREFIX = "person/"
PEOPLE: tuple[str, ...] = tuple(f"{_PREFIX}{name}" for name in APPEARANCES)
PEOPLE_SHARE = 0.3
"""Of the views that have people, where nothing else is asked for."""
_TWO = 0.35  # of these have two
_AWAY_M = (0.9, 5.5)
_STANDING = 0.4
_ANYBODY = ("person", "human", "somebody", "a person", "the person", "people", "someone walking")
_DETAIL = (0.15, 0.65, 0.9)  # cumulative shares of no, one, two features; the rest three


@dataclass(frozen=True, slots=True)
class _Spot:
    x: float
    y: float
    z: float


def appearance_of(category: str) -> str | None:
    """The appearance that a category of a data set stands for; None for things."""
    return category.removeprefix(_PREFIX) if category.startswith(_PREFIX) else None


def people_in_view(
    view: View,
    places: NDArray[np.float64],
    first_instance: int,
    light: LightField,
    draw: np.random.Generator,
    share: float = PEOPLE_SHARE,
) -> list[PersonMesh]:
    """The people in a view: none, or (in ``share`` of the views) one or two in front of the camera,
    standing or in mid-stride. A person of the ``k``-th appearance has the instance id
    ``first_instance + k``."""
    if float(draw.random()) >= share:
        return []
    count = 2 if float(draw.random()) < _TWO else 1
    names = list(APPEARANCES)
    meshes = []
    taken: list[_Spot] = []
    for k in draw.permutation(len(names))[:count].tolist():
        spot = _spot(view, places, taken, draw)
        if spot is None:
            continue
        taken.append(spot)
        pose = Pose(spot.x, spot.y, spot.z, float(draw.uniform(-math.pi, math.pi)))
        stride = 0.0 if float(draw.random()) < _STANDING else 1.0
        phase = float(draw.random())
        cube = light.at(spot.x, spot.y, spot.z)
        meshes.append(body_of(names[k]).posed(pose, phase, stride, first_instance + k, cube))
    return meshes


def _spot(
    view: View, places: NDArray[np.float64], taken: list[_Spot], draw: np.random.Generator
) -> _Spot | None:
    """A free place in front of the camera."""
    dx, dy = places[:, 0] - view.pose.x, places[:, 1] - view.pose.y
    away = np.hypot(dx, dy)
    off = np.abs(np.remainder(np.arctan2(dy, dx) - view.pose.yaw + np.pi, 2 * np.pi) - np.pi)
    good = (away >= _AWAY_M[0]) & (away <= _AWAY_M[1]) & (places[:, 2] == view.pose.z)
    good &= off < math.radians(view.camera.hfov_deg) / 2
    for other in taken:
        good &= np.hypot(places[:, 0] - other.x, places[:, 1] - other.y) > 0.6
    rows = np.flatnonzero(good)
    if len(rows) == 0:
        return None
    x, y, z = places[rows[int(draw.integers(len(rows)))]].tolist()
    return _Spot(x, y, z)


def draw_person_words(appearance: str, draw: np.random.Generator) -> tuple[str, frozenset[str]]:
    """Words for a person, and the categories of all people whom they fit."""
    share = float(draw.random())
    if share < _DETAIL[0] / 2:
        return _ANYBODY[int(draw.integers(len(_ANYBODY)))], frozenset(PEOPLE)
    detail = sum(share >= upto for upto in _DETAIL)
    words = describe(appearance, detail, draw)
    fitting = who(words, list(APPEARANCES)) or (appearance,)
    return words, frozenset(f"{_PREFIX}{name}" for name in fitting)
