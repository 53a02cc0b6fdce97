"""Scene files: one zip with ``scene.json`` (all that is symbolic) and ``arrays/*.npy``.

The same scene gives the same bytes (fixed order, times and compression), and reading gives back
exactly what was written. Textures of the built-in library are stored by name, others as arrays.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SceneError
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

__all__ = ["SCENE_FORMAT_VERSION", "load_scene_file", "save_scene"]

SCENE_FORMAT_VERSION = 1
_DATE = (1980, 1, 1, 0, 0, 0)
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
            _write(archive, "scene.json", text.encode())
            for name, array in arrays.items():
                buffer = io.BytesIO()
                np.lib.format.write_array(buffer, np.ascontiguousarray(array), version=(1, 0))
                _write(archive, f"arrays/{name}.npy", buffer.getvalue())
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise SceneError(f"cannot write the scene file {target}: {reason}") from None


def load_scene_file(path: str | Path) -> Scene:
    """Read what ``save_scene`` wrote. A bad file raises ``SceneError`` with one line."""
    source = Path(path)
    try:
        with zipfile.ZipFile(source) as archive:
            return _read(_File(source, archive))
    except FileNotFoundError:
        raise SceneError(f"there is no scene file {source}") from None
    except IsADirectoryError:
        raise SceneError(f"{source} is a folder, not a scene file") from None
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise SceneError(f"{source} is not a whole scene file: {_line(error)}") from None
    except OSError as error:
        raise SceneError(f"cannot read the scene file {source}: {error.strerror}") from None


# ------------------------------------------------------------------------------------- writing
def _write(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data, compresslevel=_LEVEL)


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
@dataclass(frozen=True)
class _File:
    path: Path
    archive: zipfile.ZipFile

    def bytes(self, name: str) -> bytes:
        try:
            return self.archive.read(name)
        except KeyError:
            raise SceneError(f"{self.path} is not a whole scene file: {name} is missing") from None
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            raise self.broken(name, _line(error)) from None

    def array(self, name: str, dtype: str, shape: tuple[int | None, ...]) -> Array:
        """An array of that type; None in ``shape`` is any length."""
        member = f"arrays/{name}.npy"
        data = self.bytes(member)
        try:
            array: Array = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
        except (ValueError, EOFError, SyntaxError) as error:
            raise self.broken(member, _line(error)) from None
        fits = array.ndim == len(shape) and all(
            want is None or want == got for want, got in zip(shape, array.shape, strict=True)
        )
        if array.dtype != np.dtype(dtype) or not fits:
            raise self.broken(member, f"it holds {array.dtype} {array.shape}")
        return array

    def broken(self, what: str, why: str) -> SceneError:
        return SceneError(f"{self.path} is not a readable scene file: {what}: {why}")


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _tuples(value: Any) -> Any:
    return tuple(_tuples(x) for x in value) if isinstance(value, list) else value


def _make(file: _File, kind: type[T], part: str, fields: Mapping[str, Any]) -> T:
    try:
        return kind(**{name: _tuples(value) for name, value in fields.items()})
    except (TypeError, AttributeError) as error:
        raise file.broken(f"scene.json, {part}", _line(error)) from None


def _read(file: _File) -> Scene:
    try:
        document = json.loads(file.bytes("scene.json"))
    except (ValueError, RecursionError) as error:
        raise file.broken("scene.json", _line(error)) from None
    if not isinstance(document, dict) or document.get("format") != "navproof-scene":
        raise SceneError(f"{file.path} is not a navproof scene file")
    version = document.get("version")
    if version != SCENE_FORMAT_VERSION:
        raise SceneError(
            f"{file.path} has scene format version {version}, this navproof reads version "
            f"{SCENE_FORMAT_VERSION}: make the scene again"
        )
    try:
        geometry = _read_geometry(file, document)
        parts = {
            part: tuple(_make(file, kind, part, fields) for fields in document[part])
            for part, kind in _PARTS.items()
        }
        objects = tuple(
            _make(
                file,
                SceneObject,
                "objects",
                fields | {"box": _make(file, Box, "objects", fields["box"])},
            )
            for fields in document["objects"]
        )
        return Scene(
            id=document["id"],
            kind=document["kind"],
            seed=document["seed"],
            objects=objects,
            geometry=geometry,
            baked=_read_baked(file, document, geometry),
            **parts,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise file.broken("scene.json", f"missing or wrong field {_line(error)}") from None


_PARTS: Mapping[str, type[Any]] = {
    "storeys": Storey,
    "rooms": Room,
    "doors": Door,
    "windows": Window,
    "lights": Light,
}


def _read_geometry(file: _File, document: Mapping[str, Any]) -> Geometry:
    arrays = {
        name: file.array(name, dtype, (None, columns) if columns else (None,))
        for name, (dtype, columns) in _GEOMETRY.items()
    }
    order = list(_GEOMETRY)
    first = order.index("faces")
    for group in (order[:first], order[first:]):
        if len({len(arrays[name]) for name in group}) != 1:
            raise file.broken("arrays", f"{', '.join(group)} differ in length")
    materials = tuple(_make(file, Material, "materials", m) for m in document["materials"])
    for name, limit in (("faces", len(arrays["vertices"])), ("face_material", len(materials))):
        index = arrays[name]
        if index.size and not (index.min() >= 0 and index.max() < limit):
            raise file.broken(f"arrays/{name}.npy", f"an index is outside 0 … {limit - 1}")
    stored: dict[str, str | None] = dict(document["textures"])
    library = _library(frozenset(name for name, array in stored.items() if array is None))
    textures = {}
    for name, array in stored.items():
        if array is None and name not in library:
            raise file.broken("scene.json", f"this navproof has no texture '{name}'")
        textures[name] = (
            library[name] if array is None else file.array(array, "uint8", (None, None, 4))
        )
    for material in materials:
        if material.texture not in textures:
            raise file.broken("scene.json", f"a material names no known texture: {material}")
    return Geometry(
        **arrays,
        lightmap=file.array("lightmap", "uint8", (None, None, 3)),
        materials=materials,
        textures=textures,
    )


def _read_baked(file: _File, document: Mapping[str, Any], geometry: Geometry) -> BakedLight | None:
    if "layers" not in document:
        return None
    height, width = geometry.lightmap.shape[:2]
    points = len(geometry.vertices) + height * width
    layers = tuple(
        _make(
            file,
            LightLayer,
            "layers",
            fields
            | {
                "direct": file.array(f"layer_{number}_direct", "uint16", (None,)),
                "bounce": file.array(f"layer_{number}_bounce", "float32", (None, 3)),
            },
        )
        for number, fields in enumerate(document["layers"])
    )
    return BakedLight(
        point_room=file.array("point_room", "int16", (points,)),
        openness=file.array("openness", "uint8", (points,)),
        layers=layers,
    )
