"""What a mesh file holds, as plain arrays: read by trimesh, in a process of its own.

Parsers of meshes and pictures believe what files say of themselves. Here they may: the process has
little memory and little time, and gives back numbers or one line.
"""

from __future__ import annotations

import importlib.util
import json
import math
import struct
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import MissingExtraError, SceneError
from navproof.world.check_scene import MOST_FACES, MOST_TEXELS, MOST_VERTICES

__all__ = ["MeshFile", "Part", "main", "read_answer", "to_linear"]

_TEXTURE_SIDE = 1024
_MOST_PIXELS = 1 << 26  # of a picture
_STL_HEAD, _STL_FACE = 84, 50
_ARRAYS = ("vertices", "faces", "colours", "uvs")
Array = NDArray[Any]


@dataclass(frozen=True)
class Part:
    """One mesh of the file. ``colours`` (v, 3) in 0 to 255 are those of its vertices; ``uvs``
    (v, 2) are for the picture of number ``picture``."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]
    colours: NDArray[np.float64] | None = None
    uvs: NDArray[np.float64] | None = None
    picture: int = -1


@dataclass(frozen=True)
class MeshFile:
    """All parts with triangles, and pictures as squares of one side, linear RGB bytes."""

    parts: list[Part]
    pictures: list[NDArray[np.uint8]]


def main() -> None:
    """Print what is in the file that the command's last word names, or what is wrong with it."""
    file = Path(sys.argv[-1])
    try:
        held = _held(file)
    except MissingExtraError as error:
        _answer(sys.stdout.buffer, {"missing": error.__reduce__()[1]}, {})
        return
    except SceneError as error:
        _answer(sys.stdout.buffer, {"fault": str(error)}, {})
        return
    arrays: dict[str, Array] = {}
    for number, part in enumerate(held.parts):
        named = {name: getattr(part, name) for name in _ARRAYS}
        arrays |= {f"{number}.{name}": one for name, one in named.items() if one is not None}
    arrays |= {f"picture.{number}": picture for number, picture in enumerate(held.pictures)}
    told = {"parts": [part.picture for part in held.parts], "pictures": len(held.pictures)}
    _answer(sys.stdout.buffer, told, arrays)


def _answer(out: BinaryIO, told: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    about = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    head = json.dumps({**told, "arrays": about}).encode()
    out.write(struct.pack("<Q", len(head)) + head)
    for array in arrays.values():
        out.write(np.ascontiguousarray(array).data)
    out.flush()


def read_answer(printed: bytes) -> MeshFile:
    """What ``main`` printed; an error is raised as it was there."""
    length = struct.unpack_from("<Q", printed)[0]
    told = json.loads(printed[8 : 8 + length])
    if "missing" in told:
        raise MissingExtraError(*told["missing"])
    if "fault" in told:
        raise SceneError(told["fault"])
    arrays: dict[str, Array] = {}
    at = 8 + length
    for name, kind, shape in told["arrays"]:
        arrays[name] = np.frombuffer(printed, kind, math.prod(shape), at).reshape(shape)
        at += arrays[name].nbytes
    parts = [
        Part(**{name: arrays.get(f"{number}.{name}") for name in _ARRAYS}, picture=picture)  # type: ignore[arg-type]
        for number, picture in enumerate(told["parts"])
    ]
    return MeshFile(parts, [arrays[f"picture.{k}"] for k in range(told["pictures"])])


def _held(file: Path) -> MeshFile:
    """A ``SceneError`` where there are no triangles, or too many."""
    if file.suffix.lower() == ".stl":
        _check_stl(file)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _read(file)
    except (SceneError, MissingExtraError):
        raise
    except MemoryError:
        raise SceneError(f"{file}: takes too much memory to be read") from None
    except Exception as error:  # trimesh and Pillow raise whatever they stumble over
        raise SceneError(f"{file}: not a mesh that can be read ({_short(error)})") from None


def _read(file: Path) -> MeshFile:
    import trimesh

    loaded: Any = trimesh.load(file, process=False)
    if isinstance(loaded, trimesh.Scene):
        used = [loaded.graph[node][1] for node in loaded.graph.nodes_geometry]
        held = [loaded.geometry[name] for name in used]
        _check_counts(file, [m for m in held if isinstance(m, trimesh.Trimesh)])
        loaded = loaded.dump()
    found = loaded if isinstance(loaded, list | tuple | np.ndarray) else [loaded]
    meshes = [m for m in found if isinstance(m, trimesh.Trimesh) and len(m.faces)]
    if not meshes:
        raise SceneError(f"{file}: holds no triangles")
    _check_counts(file, meshes)
    pictures: dict[int, Any] = {}
    parts = [_part(mesh, file, pictures) for mesh in meshes]
    side = _TEXTURE_SIDE
    while side > 1 and (len(pictures) + 1) * side * side > MOST_TEXELS:
        side //= 2
    return MeshFile(parts, [_linear_square(picture, side) for picture in pictures.values()])


def _check_counts(file: Path, meshes: list[Any]) -> None:
    vertices, faces = sum(len(m.vertices) for m in meshes), sum(len(m.faces) for m in meshes)
    limits = (("vertices", vertices, MOST_VERTICES), ("triangles", faces, MOST_FACES))
    for what, held, most in limits:
        if held > most:
            raise SceneError(f"{file}: has {held:,} {what}, and {most:,} are the most; simplify it")


def _check_stl(file: Path) -> None:
    """A binary STL says how many triangles it has, and that says how long it is."""
    size = file.stat().st_size
    with file.open("rb") as stream:
        head = stream.read(_STL_HEAD)
    told = int.from_bytes(head[80:84], "little")
    is_text = head.lstrip()[:5].lower() == b"solid" or b"\0" not in head
    if size != _STL_HEAD + _STL_FACE * told and not is_text:
        held = max(0, size - _STL_HEAD) // _STL_FACE
        raise SceneError(f"{file}: is to have {told:,} triangles, and is as long as {held:,} are")


def _part(mesh: Any, file: Path, pictures: dict[int, Any]) -> Part:
    """Adds its picture to ``pictures`` (by id, in order of number) unless it is there."""
    vertices = np.array(mesh.vertices, dtype=np.float64)
    faces = np.array(mesh.faces, dtype=np.int64)
    if vertices.shape[1:] != (3,) or faces.shape[1:] != (3,):
        raise SceneError(f"{file}: its vertices have no three coordinates, or its faces no corners")
    if not np.isfinite(vertices).all():
        raise SceneError(f"{file}: has vertices that are not finite numbers")
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise SceneError(f"{file}: a face names a vertex that does not exist")
    visual = mesh.visual
    if visual.kind == "texture" and visual.uv is not None and len(visual.uv) == len(vertices):
        picture = _picture(visual.material, file)
        if picture is not None:
            pictures.setdefault(id(picture), picture)  # it is kept, and so is its id
            uvs = np.array(visual.uv, dtype=np.float64)[:, :2]
            return Part(vertices, faces, None, uvs, list(pictures).index(id(picture)))
    elif visual.kind in ("vertex", "face"):
        colours = np.array(visual.vertex_colors, dtype=np.float64)[:, :3]
        return Part(vertices, faces, colours)
    return Part(vertices, faces)


def _picture(material: Any, file: Path) -> Any:
    """The base colour picture of a trimesh material (a PIL image), or None."""
    picture = getattr(material, "baseColorTexture", None)
    if picture is None:
        picture = getattr(material, "image", None)
    if picture is None or isinstance(picture, str):
        return None
    is_ply = file.suffix.lower() == ".ply"
    if importlib.util.find_spec("PIL") is None:
        if is_ply:
            return None
        raise MissingExtraError("pillow", "meshes", f"the texture of {file}")
    width, height = picture.size
    if width * height > _MOST_PIXELS:
        raise SceneError(
            f"{file}: a texture has {width} × {height} pixels, and {_MOST_PIXELS:,} are the most"
        )
    if is_ply and all(low == high for low, high in picture.convert("RGB").getextrema()):
        return None  # trimesh gives every PLY with uvs a blank picture
    return None if picture.size == (1, 1) else picture


def _linear_square(picture: Any, side: int) -> NDArray[np.uint8]:
    """A PIL image as a square of linear RGB bytes."""
    import cv2

    table = to_linear(np.arange(256) / 255.0)
    pixels = table[np.asarray(picture.convert("RGB"), dtype=np.uint8)]
    resized = cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA)
    square: NDArray[np.uint8] = np.floor(np.clip(resized, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
    return square


def to_linear(srgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """sRGB in [0, 1] as linear light."""
    linear: NDArray[np.float64] = np.where(
        srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4
    )
    return linear


def _short(error: BaseException) -> str:
    """In words for whoever has the file; what libraries say is for those who call them."""
    text = " ".join(str(error).split())[:200]
    if isinstance(error, IndexError | KeyError):
        return "it names something by a number or name that is not in it"
    if "FilePathResolver" in text:
        return "it names a file outside its folder"
    return text or type(error).__name__
