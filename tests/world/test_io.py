"""Scene files: exact round trips, equal bytes, and one line for every way to be broken."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from navproof.core.errors import SceneError
from navproof.testing import tiny_scene
from navproof.world.io import load_scene_file, save_scene
from navproof.world.light.bake import bake
from navproof.world.scene import Scene, SceneObject


@pytest.fixture(scope="module")
def scene() -> Scene:
    return bake(tiny_scene())


@pytest.fixture
def stored(scene: Scene, tmp_path: Path) -> Path:
    save_scene(scene, tmp_path / "tiny.scene")
    return tmp_path / "tiny.scene"


def assert_same(a: Scene, b: Scene) -> None:
    for name in ("id", "kind", "seed", "storeys", "rooms", "doors", "windows", "lights", "objects"):
        assert getattr(a, name) == getattr(b, name), name
    for name in a.geometry.__dataclass_fields__:
        x, y = getattr(a.geometry, name), getattr(b.geometry, name)
        if isinstance(x, np.ndarray):
            assert (x.dtype, x.shape, x.tobytes()) == (y.dtype, y.shape, y.tobytes()), name
    assert a.geometry.materials == b.geometry.materials
    assert list(a.geometry.textures) == list(b.geometry.textures)
    for name, texture in a.geometry.textures.items():
        assert np.array_equal(texture, b.geometry.textures[name])
    assert (a.baked is None) == (b.baked is None)
    if a.baked is not None and b.baked is not None:
        assert a.baked.point_room.tobytes() == b.baked.point_room.tobytes()
        assert a.baked.openness.tobytes() == b.baked.openness.tobytes()
        for one, other in zip(a.baked.layers, b.baked.layers, strict=True):
            assert (one.light, one.kind, one.colour) == (other.light, other.kind, other.colour)
            assert one.rooms == other.rooms
            assert one.direct.tobytes() == other.direct.tobytes()
            assert one.bounce.tobytes() == other.bounce.tobytes()


def test_round_trip_is_exact(scene: Scene, stored: Path) -> None:
    assert_same(load_scene_file(stored), scene)


def test_round_trip_without_baked_light_and_with_every_attribute(tmp_path: Path) -> None:
    flat = tiny_scene()
    odd = SceneObject(
        77,
        "mug",
        0,
        flat.objects[0].box,
        {"colour": "röd", "cushions": 3, "round": True, "size": None, "height": 0.1 + 0.2},
        10,
        "on",
    )
    flat = replace(flat, objects=(*flat.objects, odd))
    save_scene(flat, tmp_path / "flat.scene")
    assert_same(load_scene_file(tmp_path / "flat.scene"), flat)


def test_same_scene_same_bytes(scene: Scene, stored: Path, tmp_path: Path) -> None:
    save_scene(load_scene_file(stored), tmp_path / "again.scene")
    assert (tmp_path / "again.scene").read_bytes() == stored.read_bytes()


def test_saving_leaves_nothing_else_behind(stored: Path) -> None:
    assert [p.name for p in stored.parent.iterdir()] == ["tiny.scene"]


def test_library_textures_are_stored_by_name(scene: Scene, tmp_path: Path) -> None:
    from navproof.world.textures.library import texture_library

    library = texture_library()
    name = sorted(library)[0]
    materials = tuple(replace(m, texture=name) for m in scene.geometry.materials)
    geometry = replace(scene.geometry, materials=materials, textures={name: library[name]})
    path = tmp_path / "library.scene"
    save_scene(replace(scene, geometry=geometry), path)
    with zipfile.ZipFile(path) as archive:
        assert not [n for n in archive.namelist() if "texture" in n]
    assert load_scene_file(path).geometry.textures[name] is library[name]


# ------------------------------------------------------------------------------------ bad files
def rewrite(path: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """The file again, its members changed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def edit_json(path: Path, **fields: object) -> None:
    def change(members: dict[str, bytes]) -> None:
        document = json.loads(members["scene.json"])
        for name, value in fields.items():
            if value is None:
                del document[name]
            else:
                document[name] = value
        members["scene.json"] = json.dumps(document).encode()

    rewrite(path, change)


def array_bytes(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def fails(path: Path, *words: str) -> None:
    with pytest.raises(SceneError) as caught:
        load_scene_file(path)
    text = str(caught.value)
    assert "\n" not in text
    assert str(path) in text
    for word in words:
        assert word in text, text


def test_missing_file(tmp_path: Path) -> None:
    fails(tmp_path / "none.scene", "no scene file")


def test_folder(tmp_path: Path) -> None:
    fails(tmp_path, "folder")


def test_not_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "text.scene"
    path.write_text("hello")
    fails(path, "not a whole scene file")


def test_a_zip_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "other.scene"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello")
    fails(path, "scene.json is missing")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("scene.json", '{"format": "else"}')
    fails(path, "not a navproof scene file")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_truncated(stored: Path, share: float) -> None:
    data = stored.read_bytes()
    stored.write_bytes(data[: int(share * len(data))])
    fails(stored, "not a whole scene file")


def test_flipped_bytes(stored: Path) -> None:
    data = bytearray(stored.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 40] = bytes(40)
    stored.write_bytes(bytes(data))
    fails(stored)


def test_wrong_version(stored: Path) -> None:
    edit_json(stored, version=99)
    fails(stored, "version 99", "version 1")


def test_missing_array(stored: Path) -> None:
    rewrite(stored, lambda members: members.pop("arrays/normals.npy") and None)
    fails(stored, "arrays/normals.npy is missing")


def test_missing_field(stored: Path) -> None:
    edit_json(stored, rooms=None)
    fails(stored, "rooms")


def test_wrong_field(stored: Path) -> None:
    edit_json(stored, storeys=[{"index": 0, "colour": "red"}])
    fails(stored, "storeys", "colour")


def test_a_list_of_another_shape(stored: Path) -> None:
    edit_json(stored, textures=[[1]])
    fails(stored, "scene.json")


@pytest.mark.parametrize("text", [b"{", b"[" * 100_000], ids=["cut", "deep"])
def test_broken_json(stored: Path, text: bytes) -> None:
    rewrite(stored, lambda members: members.update({"scene.json": text}))
    fails(stored, "scene.json")


@pytest.mark.parametrize(
    ("name", "array", "word"),
    [
        ("vertices", np.zeros((5, 3)), "float64"),
        ("vertices", np.zeros((5, 2), dtype=np.float32), "(5, 2)"),
        ("normals", np.zeros((5, 3), dtype=np.float32), "differ in length"),
        ("openness", np.zeros(3, dtype=np.uint8), "(3,)"),
    ],
)
def test_wrong_arrays(stored: Path, name: str, array: np.ndarray, word: str) -> None:
    member = f"arrays/{name}.npy"
    rewrite(stored, lambda members: members.update({member: array_bytes(array)}))
    fails(stored, word)


def test_an_index_out_of_range(stored: Path, scene: Scene) -> None:
    faces = scene.geometry.faces.copy()
    faces[3, 1] = 10**6
    rewrite(stored, lambda members: members.update({"arrays/faces.npy": array_bytes(faces)}))
    fails(stored, "faces: an index is outside 0 …")


def test_pickled_arrays_are_refused(stored: Path) -> None:
    evil = array_bytes(np.array([{"a": 1}], dtype=object))
    rewrite(stored, lambda members: members.update({"arrays/faces.npy": evil}))
    fails(stored, "arrays/faces.npy")


def test_an_unknown_texture(stored: Path) -> None:
    edit_json(stored, textures=[["plain", "texture_0"], ["no such texture", None]])
    fails(stored, "no such texture")


def test_writing_where_one_cannot(scene: Scene, tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="cannot write the scene file"):
        save_scene(scene, tmp_path / "nowhere" / "x.scene")


def test_a_scene_is_one_line_in_a_shell(scene: Scene) -> None:
    rooms, objects = len(scene.rooms), len(scene.objects)
    assert repr(scene) == f"Scene({scene.id!r}, {rooms} rooms, {objects} objects)"
