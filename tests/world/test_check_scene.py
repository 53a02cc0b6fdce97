"""Whatever is wrong in a scene is found where it comes in, and told in a line that names it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from navproof.core.errors import SceneError
from navproof.testing import tiny_scene
from navproof.world.check_scene import check_scene, describe_extent
from navproof.world.light.bake import bake
from navproof.world.rules import RULES
from navproof.world.scene import Scene


@pytest.fixture(scope="module")
def scene() -> Scene:
    return bake(tiny_scene())


def refused(scene: Scene, told: str) -> None:
    with pytest.raises(SceneError) as caught:
        check_scene(scene, "it")
    text = str(caught.value)
    assert text.startswith("it: ")
    assert told in text
    assert len(text) < 250
    assert len(text.splitlines()) == 1


def test_a_sound_scene_passes(scene: Scene) -> None:
    check_scene(scene, "it")
    check_scene(replace(scene, baked=None), "it")


def test_every_field_of_every_part_has_a_rule() -> None:
    for kind, rules in RULES.items():
        assert set(rules) == set(kind.__dataclass_fields__), kind


PARTS = [(part, name) for part, kind in (
    ("storeys", "Storey"), ("rooms", "Room"), ("doors", "Door"), ("lights", "Light"),
    ("objects", "SceneObject"), ("materials", "Material"),
) for cls, rules in RULES.items() if cls.__name__ == kind for name in rules]  # fmt: skip


@pytest.mark.parametrize(("part", "name"), PARTS)
@pytest.mark.parametrize("value", [{}, math.nan, "\0", -1e30, [1]], ids=repr)
def test_no_field_takes_nonsense(scene: Scene, part: str, name: str, value: Any) -> None:
    if name == "attributes" and value == {}:
        return  # a thing may have none
    if part == "materials":
        first, *rest = scene.geometry.materials
        materials = (replace(first, **{name: value}), *rest)
        refused(replace(scene, geometry=replace(scene.geometry, materials=materials)), "materials")
        return
    first, *rest = getattr(scene, part)
    refused(replace(scene, **{part: (replace(first, **{name: value}), *rest)}), f"{part}.0.{name}")


def geometry(name: str, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Scene], Scene]:
    def changed(scene: Scene) -> Scene:
        array = change(getattr(scene.geometry, name).copy())
        return replace(scene, geometry=replace(scene.geometry, **{name: array}))

    return changed


def put(name: str, index: Any, value: Any) -> Callable[[Scene], Scene]:
    def change(array: np.ndarray) -> np.ndarray:
        array[index] = value
        return array

    return geometry(name, change)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (put("vertices", (3, 1), np.nan), "vertices: a value is nan"),
        (put("vertices", (3, 1), np.inf), "vertices: a value is inf"),
        (put("vertices", (3, 2), 2e4), "vertices: a value is 20000"),
        (put("vertices", (3, slice(0, 2)), 9e3), "at most 62,500 m² can be mapped"),
        (put("normals", (0, 0), np.nan), "normals"),
        (put("uvs", (0, 0), -np.inf), "uvs"),
        (put("uvs", (0, 0), 1e9), "uvs"),
        (put("light_uvs", (0, 0), np.nan), "light_uvs"),
        (put("faces", (2, 2), -1), "faces: an index is outside 0 …"),
        (put("faces", (2, 2), 10**9), "faces: an index is outside 0 …"),
        (put("face_material", 0, 99), "face_material"),
        (put("face_material", 0, -1), "face_material"),
        (put("face_room", 0, 2), "face_room"),
        (put("face_room", 0, -2), "face_room"),
        (put("face_instance", 0, -1), "face_instance"),
        (put("face_instance", 0, 9), "face_instance: a face belongs to 9"),
        (put("face_instance", 0, 2**31 - 1), "face_instance"),
        (geometry("faces", lambda a: a[:0]), "no triangles"),
        (geometry("vertices", lambda a: a[:0]), "no triangles"),
        (geometry("lightmap", lambda a: a[:0]), "lightmap"),
    ],
)
def test_triangles(scene: Scene, change: Callable[[Scene], Scene], told: str) -> None:
    refused(change(scene), told)


@pytest.mark.parametrize(
    ("shapes", "told"),
    [
        ([(4, 4, 4), (8, 8, 4)], "one power-of-two side"),
        ([(4, 8, 4)], "one power-of-two side"),
        ([(6, 6, 4)], "one power-of-two side"),
        ([(0, 0, 4)], "one power-of-two side"),
        ([(16384, 16384, 4)], "one power-of-two side"),
        ([(4096, 4096, 4)] * 5, "texels together"),
        ([(4, 4, 4)], "there is no texture plain"),
    ],
)
def test_textures(scene: Scene, shapes: list[tuple[int, ...]], told: str) -> None:
    grey = np.zeros(1, dtype=np.uint8)
    textures = {f"t{n}": np.broadcast_to(grey, shape) for n, shape in enumerate(shapes)}
    refused(replace(scene, geometry=replace(scene.geometry, textures=textures)), told)


def part(name: str, **fields: Any) -> Callable[[Scene], Scene]:
    def changed(scene: Scene) -> Scene:
        first, *rest = getattr(scene, name)
        return replace(scene, **{name: (replace(first, **fields), *rest)})

    return changed


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda s: replace(s, storeys=()), "storeys: there must be one"),
        (part("storeys", index=1), "storeys.0.index: it must be 0"),
        (part("rooms", id=1), "rooms: two have the id 1"),
        (part("rooms", storey=1), "there is no storey 1"),
        (part("rooms", polygon=((0, 0), (1, 1))), "rooms.0.polygon"),
        (part("rooms", polygon=((0, 0), (1, 1), (math.inf, 0))), "rooms.0.polygon"),
        (part("rooms", polygon=((0, 0), (9e3, 0), (0, 9e3))), "at most 62,500 m²"),
        (part("doors", rooms=(0, 7)), "doors.0.rooms: there is no room 7"),
        (part("doors", rooms=(-1, 0)), "doors.0.rooms: there is no room -1"),
        (part("doors", object_id=99), "there is no object 99"),
        (part("doors", width_m=0), "doors.0.width_m"),
        (part("lights", room=5), "lights.0.room: there is no room 5"),
        (part("objects", room=5), "objects.0.room: there is no room 5"),
        (part("objects", id=3), "objects.0.id"),
        (part("objects", id=11), "objects: two have the id 11"),
        (part("objects", support=99), "there is no object 99"),
        (part("objects", support=10), "the pile that it is in has no end"),
        (part("objects", attributes={"colour": 5}), "objects.0.attributes"),
        (part("objects", attributes={"doors": "two"}), "objects.0.attributes"),
        (part("objects", attributes={"x": math.nan}), "objects.0.attributes"),
        (lambda s: replace(s, id="a\nb"), "id: it must be printable text"),
        (lambda s: replace(s, seed=1.5), "seed"),
        (lambda s: replace(s, rooms=s.rooms * 2000), "rooms: there are 4,000"),
    ],
)
def test_what_things_say_of_one_another(
    scene: Scene, change: Callable[[Scene], Scene], told: str
) -> None:
    refused(change(scene), told)


def test_the_outside_is_behind_a_door(scene: Scene) -> None:
    check_scene(part("doors", rooms=(0, -1))(scene), "it")


def test_a_pile_may_be_high(scene: Scene) -> None:
    base = scene.objects[0]
    pile = [replace(base, id=100 + n, support=99 + n if n else None) for n in range(60)]
    check_scene(replace(scene, objects=(*scene.objects, *pile[:50])), "it")
    refused(replace(scene, objects=(*scene.objects, *pile)), "has no end")


def baked(**fields: Any) -> Callable[[Scene], Scene]:
    def changed(scene: Scene) -> Scene:
        assert scene.baked is not None
        return replace(scene, baked=replace(scene.baked, **fields))

    return changed


def layer(**fields: Any) -> Callable[[Scene], Scene]:
    def changed(scene: Scene) -> Scene:
        assert scene.baked is not None
        *others, last = scene.baked.layers
        return baked(layers=(*others, replace(last, **fields)))(scene)

    return changed


def test_baked_light(scene: Scene) -> None:
    assert scene.baked is not None
    rooms, last = scene.baked.point_room, scene.baked.layers[-1]
    assert len(last.direct)
    for change, told in (
        (baked(layers=()), "layers: there are 0"),
        (baked(point_room=np.where(rooms == 1, 2, rooms).astype(np.int16)), "point_room"),
        (baked(point_room=np.full_like(rooms, -2)), "point_room"),
        (layer(rooms=(0, 0)), "one is there twice"),
        (layer(rooms=(0, 2)), "numbers of rooms"),
        (layer(rooms=(-1,)), "numbers of rooms"),
        (layer(direct=last.direct[:-1]), "points, not its own"),
        (layer(bounce=last.bounce[:1]), "the light given back"),
        (layer(bounce=np.full_like(last.bounce, np.nan)), "the light given back"),
        (layer(light=99), "there is no light 99"),
        (layer(kind="sun"), "there is no kind sun"),
        (layer(colour=(1.0, 2.0)), "colour"),
    ):
        refused(change(scene), told)


def test_how_far_a_scene_may_reach() -> None:
    assert describe_extent((0.0, 0.0), (250.0, 250.0)) is None
    assert describe_extent((0.0, 0.0), (6000.0, 10.0)) is None
    for low, high, told in (
        ((0.0, 0.0), (251.0, 250.0), "251 × 250 m"),
        ((0.0, 0.0), (10_001.0, 1.0), "10,001 m from the origin"),
        ((math.nan, 0.0), (1.0, 1.0), "from the origin"),
    ):
        assert told in str(describe_extent(low, high))
