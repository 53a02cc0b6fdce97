"""Floor plans: rooms apart, doors through real walls, every room connected."""

from __future__ import annotations

import math

import numpy as np
import pytest

from navproof.core.errors import SpecError
from navproof.core.seeding import rng
from navproof.world.plans.floorplan import FloorPlan, Link, Sketch, SketchRoom, WindowStyle
from navproof.world.plans.layout import resolve
from navproof.world.plans.plans import KINDS, ROOM_RANGE, make_plan
from navproof.world.polygon import inside

SEEDS = range(20)


def plan(kind: str, seed: int) -> FloorPlan:
    return make_plan(kind, rng(seed, kind, "layout"))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_rooms_are_apart_and_walls_have_the_right_thickness(kind: str) -> None:
    for seed in SEEDS:
        p = plan(kind, seed)
        points = np.array([q for room in p.rooms for q in room.polygon])
        low, high = points.min(axis=0), points.max(axis=0)
        generator = rng(seed, kind, "probe")
        for x, y in low + (high - low) * generator.random((150, 2)):
            owners = [r.id for r in p.rooms if inside(r.polygon, float(x), float(y))]
            assert len(owners) <= 1
        assert 0.10 <= p.wall_m <= 0.15
        assert 2.4 <= p.height_m <= 3.2


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_room_is_connected_by_passable_doors(kind: str) -> None:
    for seed in SEEDS:
        p = plan(kind, seed)
        near: dict[int, set[int]] = {room.id: set() for room in p.rooms}
        for door in p.doors:
            if door.kind in ("door", "arch"):
                near[door.rooms[0]].add(door.rooms[1])
                near[door.rooms[1]].add(door.rooms[0])
        seen, todo = {0}, [0]
        while todo:
            for other in near[todo.pop()] - seen:
                seen.add(other)
                todo.append(other)
        assert seen == set(near)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_doors_lead_from_the_first_room_into_the_second(kind: str) -> None:
    for seed in SEEDS:
        p = plan(kind, seed)
        for door in p.doors:
            (x, y), step = door.centre, p.wall_m / 2 + 0.2
            dx, dy = math.cos(door.yaw) * step, math.sin(door.yaw) * step
            assert inside(p.rooms[door.rooms[0]].polygon, x - dx, y - dy)
            if door.rooms[1] >= 0:
                assert inside(p.rooms[door.rooms[1]].polygon, x + dx, y + dy)
            else:
                assert not any(inside(r.polygon, x + dx, y + dy) for r in p.rooms)
            if door.kind == "door":
                assert 0.85 <= door.width_m <= 1.0
            assert not any(inside(r.polygon, x, y) for r in p.rooms)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_windows_are_on_outer_walls_clear_of_doors(kind: str) -> None:
    for seed in SEEDS:
        p = plan(kind, seed)
        assert p.windows
        for w in p.windows:
            dx, dy = math.cos(w.yaw), math.sin(w.yaw)
            half = w.width_m / 2
            for across in (-half, 0.0, half):
                x, y = w.centre[0] - dy * across, w.centre[1] + dx * across
                assert inside(p.rooms[w.room].polygon, x + 0.05 * dx, y + 0.05 * dy)
                out = p.wall_m + 0.1
                assert not any(inside(r.polygon, x - out * dx, y - out * dy) for r in p.rooms)
            for door in p.doors:
                gap = math.dist(door.centre, w.centre)
                same_wall = abs(math.cos(door.yaw - w.yaw)) > 0.9
                if same_wall and w.room in door.rooms and gap < half + door.width_m / 2:
                    ahead = (door.centre[0] - w.centre[0]) * dx + (
                        door.centre[1] - w.centre[1]
                    ) * dy
                    assert abs(ahead) > 0.5


def test_homes_have_three_to_ten_rooms_and_what_a_home_needs() -> None:
    counts = set()
    for seed in range(60):
        p = plan("home", seed)
        types = [room.type for room in p.rooms]
        counts.add(len(types))
        assert {"living room", "bedroom", "bathroom"} <= set(types)
        assert len({room.name for room in p.rooms}) == len(types)
    assert counts == set(range(3, 11))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_number_of_rooms_can_be_asked_for(kind: str) -> None:
    low, high = ROOM_RANGE[kind]
    for rooms in (low, high):
        for seed in range(4):
            assert len(make_plan(kind, rng(seed, kind, "layout"), rooms).rooms) == rooms
    with pytest.raises(SpecError, match="rooms"):
        make_plan(kind, rng(0, kind, "layout"), high + 1)


def test_unknown_kind_is_one_line_with_a_suggestion() -> None:
    with pytest.raises(SpecError, match="did you mean 'home'"):
        make_plan("hom", rng(0, "x", "layout"))


def test_a_sketch_of_two_rectangles_becomes_an_l_shaped_room() -> None:
    sketch = Sketch(
        (
            SketchRoom("hall", ((0, 0, 300, 200), (0, 200, 100, 400))),
            SketchRoom("room", ((100, 200, 300, 400),)),
        ),
        (Link(0, 1),),
    )
    p = resolve(
        sketch,
        rng(0, "x", "layout"),
        kind="home",
        height_m=2.5,
        wall_cm=10,
        names=("hall", "room"),
        colours=("white", "white"),
        windows=WindowStyle(),
    )
    assert p.rooms[0].polygon == (
        (0.05, 0.05),
        (2.95, 0.05),
        (2.95, 1.95),
        (0.95, 1.95),
        (0.95, 3.95),
        (0.05, 3.95),
    )
    assert p.rooms[1].polygon == ((1.05, 2.05), (2.95, 2.05), (2.95, 3.95), (1.05, 3.95))
    assert p.rooms[1].area_m2 == pytest.approx(1.9 * 1.9)
