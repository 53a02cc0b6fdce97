"""Counting doorways along a wall: generator and checker, each on its own, against plain cases."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from navproof.language.routes.check_clauses import _place_in_wall
from navproof.language.routes.doors import nth_on_its_side
from navproof.language.routes.evidence import Walk
from navproof.language.routes.route import Route
from navproof.testing import tiny_scene
from navproof.world.scene import Door, Room, Scene

UP, DOWN = math.pi / 2, -math.pi / 2


def corridor() -> Scene:
    """A corridor along x (0 to 12, y 0 to 2); doors in the north wall at x = 2, 5, 8 into rooms 1
    to 3, in the south wall at x = 6 into room 4."""
    tiny = tiny_scene()
    rooms = [Room(0, "corridor", "corridor", 0, ((0, 0), (12, 0), (12, 2), (0, 2)))]
    doors = []
    for k, x in enumerate((2.0, 5.0, 8.0)):
        ring = ((x - 1.4, 2.1), (x + 1.4, 2.1), (x + 1.4, 5), (x - 1.4, 5))
        rooms.append(Room(k + 1, "office", f"office {k}", 0, ring))
        doors.append(Door(k, (0, k + 1), (x, 2.05, 0.0), UP, 0.9, 2.0, True))
    rooms.append(Room(4, "lab", "lab", 0, ((4, -3), (8, -3), (8, -0.1), (4, -0.1))))
    doors.append(Door(3, (0, 4), (6.0, -0.05, 0.0), DOWN, 0.9, 2.0, True))
    fields = {n: getattr(tiny, n) for n in Scene.__dataclass_fields__}
    return Scene(**{**fields, "rooms": tuple(rooms), "doors": tuple(doors)})


SCENE = corridor()


def path(x0: float, door: float, y: float) -> tuple[tuple[float, float, float], ...]:
    return ((x0, 1.0, 0.0), (door, 1.0, 0.0), (door, y, 0.0))


@pytest.mark.parametrize(
    ("x0", "door", "y", "number"),
    [
        (0.5, 2.0, 3.5, 1),  # two more follow
        (0.5, 5.0, 3.5, 2),
        (0.5, 8.0, 3.5, 3),
        (3.5, 5.0, 3.5, 1),  # the door at 2 lies behind the start
        (3.5, 8.0, 3.5, 2),
        (10.5, 8.0, 3.5, 1),  # coming from the other end
        (10.5, 2.0, 3.5, 3),
        (0.5, 6.0, -2.0, None),  # the only one on its side
        (1.9, 5.0, 3.5, None),  # starts beside a door: unsure
    ],
)
def test_the_doorway_is_counted_on_its_own_side(x0, door, y, number):
    route = Route(SCENE, path(x0, door, y), 0.0)
    (crossing,) = route.crossings
    seen = crossing.s - 1.05 - 1.1
    seen = max(0.0, seen)
    assert nth_on_its_side(route, crossing, seen) == number
    if number is not None:
        walk = Walk(SimpleNamespace(scene=SCENE), path(x0, door, y), 1.25)  # type: ignore[arg-type]
        assert _place_in_wall(walk, crossing.door, seen) == number
