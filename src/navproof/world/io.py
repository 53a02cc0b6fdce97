"""Scene files: one zip with ``scene.json`` (all that is symbolic) and ``arrays/*.npy``.

The same scene gives the same bytes (fixed order, times and compression), and reading gives back
exactly what was written. Textures of the built-in library are stored by name, others as arrays.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SceneError
from navproof.core.input.archive import add_bytes
from navproof.core.input.reading import short
from navproof.world.check_scene import (
    MOST,
    MOST_FACES,
    MOST_MAP,
    MOST_TEXELS,
    MOST_VERTICES,
    check_scene,
)
from navproof.world.scene import (
    BakedLight,
    Box,
    Door,
    Geometry,
    Light,
    LightLayer,
    Material,
    Room,
    Scene,
    SceneObject,
    Storey,
    Window,
)
from navproof.world.scene_file import SceneFile, open_scene_file

__all__ = ["SCENE_FORMAT_VERSION", "load_scene_file", "save_scene"]

SCENE_FORMAT_VERSION = 1
_LEVEL = 4
_GEOMETRY: Mapping[str, tuple[str, int]] = {  # name: (dtype, columns, 0 = one-dimensional)
    "vertices": ("float32", 3),
    "normals": ("float32", 3),
    "uvs": ("float32", 2),
    "light": ("uint8", 3),
    "light_uvs": ("float32", 2),
    "faces": ("int32", 3),
    "face_instance": ("int32", 0),
    "face_material": ("int32", 0),
    "face_room": ("int32", 0),
    "face_lightmapped": ("bool", 0),
    "face_two_sided": ("bool", 0),
}
Array = NDArray[Any]
T = TypeVar("T")


def save_scene(scene: Scene, path: str | Path, *, self_contained: bool = False) -> None:
    """Write ``scene`` to ``path`` (whole or not at all). Raises ``SceneError`` if it cannot.
    ``self_contained``: built-in textures are written too, so that it looks the same where these are
    others."""
    target = Path(path)
    document, arrays = _document(scene, self_contained)
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(partial, "w") as archive:
            text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
            add_bytes(archive, "scene.json", text.encode(), _LEVEL)
            for name, array in arrays.items():
                buffer = io.BytesIO()
                np.lib.format.write_array(buffer, np.ascontiguousarray(array), version=(1, 0))
                add_bytes(archive, f"arrays/{name}.npy", buffer.getvalue(), _LEVEL)
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise SceneError(f"cannot write the scene file {target}: {reason}") from None


def load_scene_file(path: str | Path) -> Scene:
    """Read what ``save_scene`` wrote, whoever wrote it: what it gives can be rendered and played. A
    bad file raises ``SceneError`` with one line."""
    with open_scene_file(Path(path)) as file:
        scene = _read(file)
    check_scene(scene, f"{path} is not a sound scene")
    return scene


# ------------------------------------------------------------------------------------- writing
def _document(scene: Scene, self_contained: bool) -> tuple[dict[str, Any], dict[str, Array]]:
    """The symbolic part as JSON values, and the arrays by name in the order they are written."""
    geometry = scene.geometry
    arrays: dict[str, Array] = {name: getattr(geometry, name) for name in _GEOMETRY}
    arrays["lightmap"] = geometry.lightmap
    library = {} if self_contained else _library(frozenset(geometry.textures))
    stored: dict[str, str | None] = {}
    for number, (name, texture) in enumerate(geometry.textures.items()):
        own = library.get(name)
        if own is not None and (own is texture or np.array_equal(own, texture)):
            stored[name] = None
        else:
            stored[name] = f"texture_{number}"
            arrays[f"texture_{number}"] = texture
    document: dict[str, Any] = {
        "format": "navproof-scene",
        "version": SCENE_FORMAT_VERSION,
        "id": scene.id,
        "kind": scene.kind,
        "seed": scene.seed,
        **{
            part: [asdict(x) for x in getattr(scene, part)]
            for part in ("storeys", "rooms", "doors", "windows", "lights", "objects")
        },
        "materials": [asdict(m) for m in geometry.materials],
        "textures": [[name, array] for name, array in stored.items()],
    }
    if scene.baked is not None:
        arrays["point_room"] = scene.baked.point_room
        arrays["openness"] = scene.baked.openness
        document["layers"] = []
        for number, layer in enumerate(scene.baked.layers):
            arrays[f"layer_{number}_direct"] = layer.direct
            arrays[f"layer_{number}_bounce"] = layer.bounce
            document["layers"].append(
                {
                    "light": layer.light,
                    "kind": layer.kind,
                    "colour": layer.colour,
                    "rooms": layer.rooms,
                }
            )
    return document, arrays


def _library(names: frozenset[str]) -> Mapping[str, NDArray[np.uint8]]:
    """The built-in textures (none are made for a scene that needs none of them)."""
    if names <= {"plain"}:
        return {}
    from navproof.world.textures.library import texture_library

    return texture_library()


# ------------------------------------------------------------------------------------- reading
_PARTS: Mapping[str, type[Any]] = {
    "storeys": Storey,
    "rooms": Room,
    "doors": Door,
    "windows": Window,
    "lights": Light,
}


def _read(file: SceneFile) -> Scene:
    """The scene as the file has it: all that belongs in it is there, whatever it is."""
    document = file.document()
    if not isinstance(document, dict) or document.get("format") != "navproof-scene":
        raise SceneError(f"{file.path} is not a navproof scene file")
    version = document.get("version")
    if version != SCENE_FORMAT_VERSION or type(version) is not int:
        raise SceneError(
            f"{file.path} has scene format version {short(version)}, this navproof reads "
            f"version {SCENE_FORMAT_VERSION}: make the scene again"
        )
    for name in ("id", "kind", "seed"):
        if name not in document:
            raise file.broken("scene.json", f"'{name}' is missing")
    geometry = _read_geometry(file, document)
    objects = []
    for held in _list(file, document, "objects"):
        inner = held.get("box") if isinstance(held, dict) else None
        box = _make(file, Box, "objects, box", inner)
        objects.append(_make(file, SceneObject, "objects", held | {"box": box}))
    return Scene(
        id=document["id"],
        kind=document["kind"],
        seed=document["seed"],
        objects=tuple(objects),
        geometry=geometry,
        baked=_read_baked(file, document, geometry),
        **{part: _things(file, document, part, kind) for part, kind in _PARTS.items()},
    )


def _list(file: SceneFile, document: Mapping[str, Any], part: str) -> list[Any]:
    held = document.get(part)
    if not isinstance(held, list):
        raise file.broken("scene.json", f"'{part}' is missing, or no list")
    return held


def _things(
    file: SceneFile, document: Mapping[str, Any], part: str, kind: type[T]
) -> tuple[T, ...]:
    return tuple(_make(file, kind, part, held) for held in _list(file, document, part))


def _make(file: SceneFile, kind: type[T], part: str, held: object) -> T:
    """A thing with these fields; what they hold is not looked at here."""
    if not isinstance(held, dict):
        raise file.broken(f"scene.json, {part}", "one is no object with fields")
    known, needed = _fields(kind)  # type: ignore[arg-type]
    for name in sorted(held.keys() - known):
        raise file.broken(f"scene.json, {part}", f"there is no field '{name[:40]}'")
    for name in sorted(needed - held.keys()):
        raise file.broken(f"scene.json, {part}", f"field '{name}' is missing")
    return kind(**{k: _tuples(v) if type(v) is list else v for k, v in held.items()})


@cache
def _fields(kind: Any) -> tuple[frozenset[str], frozenset[str]]:
    """The names of all fields, and of those without a default."""
    plain = [f.name for f in fields(kind) if f.default is f.default_factory is MISSING]
    return frozenset(f.name for f in fields(kind)), frozenset(plain)


def _tuples(values: list[Any]) -> tuple[Any, ...]:
    return tuple(_tuples(v) if type(v) is list else v for v in values)


def _read_geometry(file: SceneFile, document: Mapping[str, Any]) -> Geometry:
    arrays = {
        name: file.array(
            name,
            dtype,
            (None, columns) if columns else (None,),
            MOST_FACES if name.startswith("face") else MOST_VERTICES,
        )
        for name, (dtype, columns) in _GEOMETRY.items()
    }
    order = list(_GEOMETRY)
    first = order.index("faces")
    for group in (order[:first], order[first:]):
        if len({len(arrays[name]) for name in group}) != 1:
            raise file.broken("arrays", f"{', '.join(group)} differ in length")
    return Geometry(
        **arrays,
        lightmap=file.array("lightmap", "uint8", (None, None, 3), MOST_MAP),
        materials=_things(file, document, "materials", Material),
        textures=_read_textures(file, document),
    )


def _read_textures(file: SceneFile, document: Mapping[str, Any]) -> dict[str, Array]:
    """By name: those of the library that are named alone, and those that the file holds."""
    stored: dict[str, str | None] = {}
    for held in _list(file, document, "textures"):
        is_pair = isinstance(held, list) and len(held) == 2 and isinstance(held[0], str)
        if not is_pair or not isinstance(held[1], str | None) or held[0] in stored:
            raise file.broken("scene.json, textures", "one is no name with its array or null")
        stored[held[0]] = held[1]
    library = _library(frozenset(name for name, array in stored.items() if array is None))
    textures = {}
    for name, array in stored.items():
        if array is None and name not in library:
            raise file.broken("scene.json", f"this navproof has no texture '{name[:40]}'")
        textures[name] = (
            library[name]
            if array is None
            else file.array(array, "uint8", (None, None, 4), MOST_TEXELS)
        )
    return textures


def _read_baked(
    file: SceneFile, document: Mapping[str, Any], geometry: Geometry
) -> BakedLight | None:
    if "layers" not in document:
        return None
    height, width = geometry.lightmap.shape[:2]
    points = len(geometry.vertices) + height * width
    layers = []
    for number, held in enumerate(_list(file, document, "layers")):
        arrays = {
            "direct": file.array(f"layer_{number}_direct", "uint16", (None,), points),
            "bounce": file.array(f"layer_{number}_bounce", "float32", (None, 3), MOST["rooms"]),
        }
        if not isinstance(held, dict) or arrays.keys() & held.keys():
            raise file.broken("scene.json, layers", "one is no object with fields")
        layers.append(_make(file, LightLayer, "layers", held | arrays))
    return BakedLight(
        point_room=file.array("point_room", "int16", (points,), 1),
        openness=file.array("openness", "uint8", (points,), 1),
        layers=tuple(layers),
    )
