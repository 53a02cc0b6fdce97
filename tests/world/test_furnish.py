"""Furniture: nothing overlaps, nothing blocks a door, small things stand on what they say."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from navproof.core.types import FIRST_OBJECT_ID
from navproof.world.furnish.placement import Footprint, overlap
from navproof.world.generate import KINDS
from navproof.world.polygon import inside
from navproof.world.scene import Scene, SceneObject

SEEDS = {
    "home": range(12),
    "office": range(6),
    "cafe": range(6),
    "shop": range(6),
    "clinic": range(6),
}
Made = Callable[[str, int], Scene]
CASES = [(kind, seed) for kind in sorted(KINDS) for seed in SEEDS[kind]]
TUCKED = {"chair", "office chair", "stool", "high chair", "armchair"}
SOFT = {"bed", "sofa", "armchair", "ottoman", "pet bed", "crib", "exam bed"}
TABLES = {"dining table", "desk", "conference table", "kitchen island", "counter bar"}


def footprint(thing: SceneObject, shrink: float = 0.0) -> Footprint:
    (x, y, z), (sx, sy, sz) = thing.box.centre, thing.box.size
    return Footprint(x, y, sx / 2 - shrink, sy / 2 - shrink, thing.box.yaw, z - sz / 2, z + sz / 2)


def standing(s: Scene) -> Iterator[SceneObject]:
    for thing in s.objects:
        if thing.position_kind == "floor" and thing.box.size[2] > 0.05:
            yield thing


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_no_two_standing_things_overlap(made: Made, kind: str, seed: int) -> None:
    things = list(standing(made(kind, seed)))
    for i, a in enumerate(things):
        for b in things[:i]:
            pair = {a.category, b.category}
            allowed = 0.18 if pair & TUCKED and pair & TABLES else 0.006
            assert not overlap(footprint(a), footprint(b), allowed), (a, b)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_things_are_inside_their_room(made: Made, kind: str, seed: int) -> None:
    s = made(kind, seed)
    for thing in s.objects:
        if thing.position_kind == "opening":
            continue
        polygon = s.rooms[thing.room].polygon
        for x, y in footprint(thing, 0.012).corners():
            assert inside(polygon, x, y), thing
        assert thing.box.centre[2] - thing.box.size[2] / 2 > -0.01
        assert thing.box.centre[2] + thing.box.size[2] / 2 < s.storeys[0].height_m + 0.01


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_doorways_are_free(made: Made, kind: str, seed: int) -> None:
    s = made(kind, seed)
    for door in s.doors:
        deep = 0.9 if door.passable else 0.6
        zone = Footprint(door.centre[0], door.centre[1], deep, door.width_m / 2, door.yaw, 0.1, 1.8)
        for thing in s.objects:
            if thing.position_kind in ("floor", "wall") and thing.box.size[2] > 0.05:
                f = footprint(thing)
                assert f.z0 > 1.8 or not overlap(f, zone, 0.03), (door, thing)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_small_things_stand_on_their_support(made: Made, kind: str, seed: int) -> None:
    s = made(kind, seed)
    number = 0
    for thing in s.objects:
        assert (thing.support is not None) == (thing.position_kind == "on")
        if thing.support is None:
            continue
        number += 1
        host = s.object(thing.support)
        assert host.room == thing.room
        assert host.id < thing.id
        mine = s.geometry.face_instance == thing.id
        bottom = s.geometry.vertices[s.geometry.faces[mine]][..., 2].min()
        corners = footprint(thing).corners()
        under = footprint(host)
        assert all(under.holds(x, y, 0.002) for x, y in corners), (thing, host)
        below = s.geometry.faces[s.geometry.face_instance == host.id]
        triangles = s.geometry.vertices[below].astype(np.float64)
        x, y, _ = thing.box.centre
        places = [(x, y), *((0.5 * (x + cx), 0.5 * (y + cy)) for cx, cy in corners)]
        give = 0.04 if host.category in SOFT else 0.01
        assert any(_surface_at(triangles, px, py, float(bottom), give) for px, py in places), thing
    assert number >= 3


def _surface_at(triangles: np.ndarray, x: float, y: float, z: float, give: float) -> bool:
    """Whether the mesh has a face within ``give`` of that height."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    d = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])
    with np.errstate(divide="ignore", invalid="ignore"):
        u = ((x - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (y - a[:, 1])) / d
        v = ((b[:, 0] - a[:, 0]) * (y - a[:, 1]) - (x - a[:, 0]) * (b[:, 1] - a[:, 1])) / d
        height = a[:, 2] + u * (b[:, 2] - a[:, 2]) + v * (c[:, 2] - a[:, 2])
        hit = (np.abs(d) > 1e-9) & (u > -1e-6) & (v > -1e-6) & (u + v < 1 + 1e-6)
    return bool((np.abs(height[hit] - z) < give).any())


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_no_two_hanging_lights_overlap(made: Made, kind: str, seed: int) -> None:
    hung = [thing for thing in made(kind, seed).objects if thing.position_kind == "ceiling"]
    for i, a in enumerate(hung):
        assert not any(overlap(footprint(a), footprint(b)) for b in hung[:i]), a


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_small_things_do_not_overlap(made: Made, kind: str, seed: int) -> None:
    s = made(kind, seed)
    small = [thing for thing in s.objects if thing.support is not None]
    for i, a in enumerate(small):
        for b in small[:i]:
            if a.support == b.support:
                fa, fb = footprint(a), footprint(b)
                apart = fa.z0 > fb.z1 - 0.01 or fb.z0 > fa.z1 - 0.01
                assert apart or not overlap(fa, fb), (a, b)


def test_homes_are_furnished_like_homes(made: Made) -> None:
    categories: set[str] = set()
    counts = []
    for seed in SEEDS["home"]:
        s = made("home", seed)
        counts.append(len(s.objects))
        names = {room.id: room.type for room in s.rooms}
        have = {(names[o.room], o.category) for o in s.objects}
        assert ("bathroom", "toilet") in have
        assert ("bathroom", "washbasin") in have
        assert ("living room", "sofa") in have
        if "kitchen" in names.values():
            assert ("kitchen", "stove") in have
            assert ("kitchen", "refrigerator") in have or ("kitchen", "kitchen sink") in have
        beds = {o.room for o in s.objects if o.category == "bed"}
        assert beds >= {i for i, t in names.items() if t == "bedroom"}
        categories |= {o.category for o in s.objects}
    assert 60 <= float(np.median(counts)) <= 140
    assert len(categories) >= 60


def test_seats_face_their_table(made: Made) -> None:
    faced = looked = 0
    for seed in SEEDS["home"]:
        s = made("home", seed)
        tables = [o for o in s.objects if o.category == "dining table"]
        for chair in (o for o in s.objects if o.category == "chair"):
            near = [t for t in tables if math.dist(t.box.centre, chair.box.centre) < 1.3]
            if near:
                (cx, cy, _), (tx, ty, _) = chair.box.centre, near[0].box.centre
                looked += 1
                ahead = math.atan2(ty - cy, tx - cx) - chair.box.yaw
                faced += math.cos(ahead) > 0.3
    assert looked >= 20
    assert faced == looked


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_ids_lights_and_openings_agree(made: Made, kind: str) -> None:
    s = made(kind, 0)
    assert [o.id for o in s.objects] == list(
        range(FIRST_OBJECT_ID, FIRST_OBJECT_ID + len(s.objects))
    )
    assert set(np.unique(s.geometry.face_instance)) <= {1, 2, 3} | {o.id for o in s.objects}
    lit = {light.room for light in s.lights if light.on}
    assert lit == {room.id for room in s.rooms}
    for window in s.windows:
        assert s.object(window.id).category == "window"
    for door in s.doors:
        if door.object_id is not None:
            state = "open" if door.passable else "closed"
            assert s.object(door.object_id).attributes["state"] == state
    for light in s.lights:
        assert light.object_id is not None
        assert s.object(light.object_id).room == light.room
