"""Plain meshes (PLY, OBJ, GLB, …) as scenes: a scan of a real room, another simulator's export.

The mesh becomes one room that covers its bounds, without doors or objects; every face is seen from
both sides. Vertex colours are taken as they are (sRGB); a texture is resampled to a square; a mesh
with neither is grey, lit by the slope of its surfaces so that shapes can be told apart.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import MissingExtraError, SceneError
from navproof.core.input.child import ChildError, ask_child
from navproof.core.types import WALL
from navproof.world.check_scene import check_scene, describe_extent
from navproof.world.importers.mesh_file import MeshFile, Part, read_answer, to_linear
from navproof.world.scene import LIGHT_UNIT, Geometry, Material, Room, Scene, Storey

__all__ = ["load_mesh_scene"]

_MOST_BYTES = 1 << 30
_MEMORY = 4 << 30
_SECONDS, _SECONDS_PER_MB = 40.0, 1.0
_WHITE = "white"
_GREY = 0.6
_SUN = (0.36, 0.48, 0.8)


def load_mesh_scene(path: str | Path, up: Literal["y", "z"] = "z") -> Scene:
    """Read a mesh file through trimesh (extra ``meshes``). ``up`` names the file's vertical axis;
    a y-up file is turned by (x, y, z) → (x, −z, y). Raises ``SceneError`` for an unusable file:
    one that is damaged, has too many triangles, reaches too far, or cannot be read with 4 GB of
    memory and in a second for each megabyte."""
    file = Path(path)
    if up not in ("y", "z"):
        raise SceneError(f"{file}: up is {up!r}; it must be 'y' or 'z'")
    if not file.is_file():
        raise SceneError(f"{file}: no such mesh file")
    if importlib.util.find_spec("trimesh") is None:
        raise MissingExtraError("trimesh", "meshes", "loading a mesh")
    held = _read(file)
    parts = held.parts
    vertices = np.concatenate([part.vertices for part in parts])
    if up == "y":
        vertices = np.stack([vertices[:, 0], -vertices[:, 2], vertices[:, 1]], axis=1)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    if fault := describe_extent(low.tolist(), high.tolist()):
        raise SceneError(f"{file}: {fault}")
    starts = np.cumsum([0] + [len(part.vertices) for part in parts])
    faces = np.concatenate([part.faces + s for part, s in zip(parts, starts, strict=False)])
    count, n = len(vertices), len(faces)
    normals = _normals(vertices, faces)
    looks = [
        _look(part, normals[s : s + len(part.vertices)])
        for part, s in zip(parts, starts, strict=False)
    ]
    (x0, y0, z0), (x1, y1, z1) = (tuple(float(c) for c in corner) for corner in (low, high))
    geometry = Geometry(
        vertices=vertices.astype(np.float32),
        normals=normals,
        uvs=np.concatenate([uvs for _, uvs, _ in looks]).astype(np.float32),
        light=np.concatenate([light for light, _, _ in looks]),
        light_uvs=np.zeros((count, 2), dtype=np.float32),
        faces=faces.astype(np.int32),
        face_instance=np.full(n, WALL, dtype=np.int32),
        face_material=np.repeat(np.arange(len(parts)), [len(p.faces) for p in parts]).astype(
            np.int32
        ),
        face_room=np.zeros(n, dtype=np.int32),
        face_lightmapped=np.zeros(n, dtype=np.bool_),
        face_two_sided=np.ones(n, dtype=np.bool_),
        lightmap=np.full((1, 1, 3), LIGHT_UNIT, dtype=np.uint8),
        materials=tuple(material for _, _, material in looks),
        textures=_textures(held),
    )
    scene = Scene(
        id=file.stem,
        kind="mesh",
        seed=0,
        storeys=(Storey(0, z0, max(z1 - z0, 0.1)),),
        rooms=(Room(0, "room", "room", 0, ((x0, y0), (x1, y0), (x1, y1), (x0, y1))),),
        doors=(),
        windows=(),
        lights=(),
        objects=(),
        geometry=geometry,
    )
    check_scene(scene, f"{file}: not a mesh that can be used")
    return scene


def _read(file: Path) -> MeshFile:
    size = file.stat().st_size
    if size > _MOST_BYTES:
        raise SceneError(f"{file}: has {size >> 20} MB, and {_MOST_BYTES >> 20} MB are the most")
    statements = "from navproof.world.importers.mesh_file import main; main()"
    seconds = _SECONDS + _SECONDS_PER_MB * (size / (1 << 20))
    try:
        printed = ask_child(statements, [str(file)], memory=_MEMORY, seconds=seconds)
    except ChildError as error:
        raise SceneError(f"{file}: not a mesh that can be read (it {error})") from None
    return read_answer(printed)


def _look(
    part: Part, normals: NDArray[np.float32]
) -> tuple[NDArray[np.uint8], NDArray[Any], Material]:
    """(light, uvs, material) of one part: its texture, vertex colours, or plain colour.

    Vertex colours go into the light, linear from 0 to 255, on a material that makes 255 white.
    """
    count = len(part.vertices)
    light = np.full((count, 3), LIGHT_UNIT, dtype=np.uint8)
    uvs = np.zeros((count, 2))
    if part.uvs is not None:
        uvs[:, 0], uvs[:, 1] = part.uvs[:, 0], 1.0 - part.uvs[:, 1]
        return light, uvs, Material(f"picture {part.picture}")
    if part.colours is not None:
        scaled = np.floor(np.clip(to_linear(part.colours / 255.0), 0.0, 1.0) * 255.0 + 0.5)
        tint = LIGHT_UNIT / 255.0
        return scaled.astype(np.uint8), uvs, Material(_WHITE, (tint, tint, tint))
    slope = np.abs(normals.astype(np.float64) @ _SUN)
    light[:] = np.floor((0.45 + 0.75 * slope) * LIGHT_UNIT)[:, None]
    return light, uvs, Material(_WHITE, (_GREY, _GREY, _GREY))


def _textures(held: MeshFile) -> dict[str, NDArray[np.uint8]]:
    """The pictures as texels whose A is 0 (the tint as it is), and white, all of one side."""
    side = len(held.pictures[0]) if held.pictures else 1
    white = np.array([255, 255, 255, 0], dtype=np.uint8)
    found = {_WHITE: np.broadcast_to(white, (side, side, 4))}
    for number, picture in enumerate(held.pictures):
        texels = np.zeros((side, side, 4), dtype=np.uint8)
        texels[..., :3] = picture
        found[f"picture {number}"] = texels
    return found


def _normals(vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> NDArray[np.float32]:
    """Unit vertex normals, faces weighted by area."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    each = np.cross(b - a, c - a)
    out = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(out, faces[:, k], each)
    length = np.linalg.norm(out, axis=1, keepdims=True)
    return np.where(
        length > 0.0, out / np.where(length > 0.0, length, 1.0), (0.0, 0.0, 1.0)
    ).astype(np.float32)
