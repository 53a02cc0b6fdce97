"""Plain meshes (PLY, OBJ, GLB, …) as scenes: a scan of a real room, another simulator's export.

The mesh becomes one room that covers its bounds, without doors or objects; every face is seen from
both sides. Vertex colours are taken as they are (sRGB); a texture is resampled to a square; a mesh
with neither is grey, lit by the slope of its surfaces so that shapes can be told apart.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import MissingExtraError, SceneError
from navproof.core.types import WALL
from navproof.world.scene import LIGHT_UNIT, Geometry, Material, Room, Scene, Storey

__all__ = ["load_mesh_scene"]

_TEXTURE_SIDE = 1024
_GREY = 0.6
_SUN = (0.36, 0.48, 0.8)


def load_mesh_scene(path: str | Path, up: Literal["y", "z"] = "z") -> Scene:
    """Read a mesh file through trimesh (extra ``meshes``). ``up`` names the file's vertical axis;
    a y-up file is turned by (x, y, z) → (x, −z, y). Raises ``SceneError`` for an unusable file."""
    file = Path(path)
    if up not in ("y", "z"):
        raise SceneError(f"{file}: up is {up!r}; it must be 'y' or 'z'")
    if not file.is_file():
        raise SceneError(f"{file}: no such mesh file")
    try:
        import trimesh
    except ImportError:
        raise MissingExtraError("trimesh", "meshes", "loading a mesh") from None
    try:
        loaded = trimesh.load(file, process=False)
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise SceneError(f"{file}: not a mesh that can be read ({reason})") from None
    parts = loaded.dump() if isinstance(loaded, trimesh.Scene) else [loaded]
    meshes = [m for m in parts if isinstance(m, trimesh.Trimesh) and len(m.faces)]
    if not meshes:
        raise SceneError(f"{file}: holds no triangles")
    vertices = np.concatenate([np.asarray(m.vertices, dtype=np.float64) for m in meshes])
    if not np.all(np.isfinite(vertices)):
        raise SceneError(f"{file}: has vertices that are not finite numbers")
    if up == "y":
        vertices = np.stack([vertices[:, 0], -vertices[:, 2], vertices[:, 1]], axis=1)
    starts = np.cumsum([0] + [len(m.vertices) for m in meshes])
    faces = np.concatenate(
        [np.asarray(m.faces, dtype=np.int64) + s for m, s in zip(meshes, starts, strict=False)]
    )
    count, n = len(vertices), len(faces)
    if faces.min() < 0 or faces.max() >= count:
        raise SceneError(f"{file}: a face names a vertex that does not exist")
    normals = _normals(vertices, faces)
    pieces = [
        _piece(mesh, normals[s : s + len(mesh.vertices)], f"m{i}", file)
        for i, (mesh, s) in enumerate(zip(meshes, starts, strict=False))
    ]
    textures = {material.texture: image for _, _, material, image in pieces}
    side = max(image.shape[0] for image in textures.values())
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    geometry = Geometry(
        vertices=vertices.astype(np.float32),
        normals=normals,
        uvs=np.concatenate([uvs for _, uvs, _, _ in pieces]).astype(np.float32),
        light=np.concatenate([light for light, _, _, _ in pieces]),
        light_uvs=np.zeros((count, 2), dtype=np.float32),
        faces=faces.astype(np.int32),
        face_instance=np.full(n, WALL, dtype=np.int32),
        face_material=np.repeat(np.arange(len(meshes)), [len(m.faces) for m in meshes]).astype(
            np.int32
        ),
        face_room=np.zeros(n, dtype=np.int32),
        face_lightmapped=np.zeros(n, dtype=np.bool_),
        face_two_sided=np.ones(n, dtype=np.bool_),
        lightmap=np.full((1, 1, 3), LIGHT_UNIT, dtype=np.uint8),
        materials=tuple(material for _, _, material, _ in pieces),
        textures={
            name: image if image.shape[0] == side else np.broadcast_to(image[0, 0], (side, side, 4))
            for name, image in textures.items()
        },
    )
    (x0, y0, z0), (x1, y1, z1) = (tuple(float(c) for c in corner) for corner in (low, high))
    return Scene(
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


def _piece(
    mesh: Any, normals: NDArray[np.float32], name: str, file: Path
) -> tuple[NDArray[np.uint8], NDArray[np.float64], Material, NDArray[np.uint8]]:
    """(light, uvs, material, texture) of one part: its texture, vertex colours, or plain colour.

    Vertex colours go into the light, linear from 0 to 255, on a material that makes 255 white.
    """
    count = len(mesh.vertices)
    light = np.full((count, 3), LIGHT_UNIT, dtype=np.uint8)
    uvs = np.zeros((count, 2))
    white = np.array([[[255, 255, 255, 0]]], dtype=np.uint8)
    visual = mesh.visual
    if visual.kind == "texture":
        image = _image(visual.material, file)
        if image is not None and visual.uv is not None and len(visual.uv) == count:
            uvs[:, 0], uvs[:, 1] = visual.uv[:, 0], 1.0 - visual.uv[:, 1]
            return light, uvs, Material(name), _linear_texture(image)
    if visual.kind in ("vertex", "face"):
        colours = np.asarray(visual.vertex_colors, dtype=np.float64)[:, :3] / 255.0
        scaled = np.floor(np.clip(_to_linear(colours), 0.0, 1.0) * 255.0 + 0.5)
        tint = LIGHT_UNIT / 255.0
        return scaled.astype(np.uint8), uvs, Material(name, (tint, tint, tint)), white
    slope = np.abs(normals.astype(np.float64) @ _SUN)
    light[:] = np.floor((0.45 + 0.75 * slope) * LIGHT_UNIT)[:, None]
    return light, uvs, Material(name, (_GREY, _GREY, _GREY)), white


def _image(material: Any, file: Path) -> Any:
    """The base colour picture of a trimesh material (a PIL image), or None."""
    picture = getattr(material, "baseColorTexture", None)
    if picture is None:
        picture = getattr(material, "image", None)
    if picture is None:
        return None
    is_ply = file.suffix.lower() == ".ply"
    if importlib.util.find_spec("PIL") is None:
        if is_ply:
            return None
        raise MissingExtraError("pillow", "meshes", f"the texture of {file}")
    if is_ply and all(low == high for low, high in picture.convert("RGB").getextrema()):
        return None  # trimesh gives every PLY with uvs a blank picture
    return None if picture.size == (1, 1) else picture


def _to_linear(srgb: NDArray[np.float64]) -> NDArray[np.float64]:
    linear: NDArray[np.float64] = np.where(
        srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4
    )
    return linear


def _linear_texture(image: Any) -> NDArray[np.uint8]:
    """A picture as a square of linear RGBA texels whose A is 0 (the tint as it is)."""
    pixels = np.asarray(image.convert("RGB"), dtype=np.float64) / 255.0
    size = (_TEXTURE_SIDE, _TEXTURE_SIDE)
    resized = cv2.resize(_to_linear(pixels), size, interpolation=cv2.INTER_AREA)
    out = np.zeros((_TEXTURE_SIDE, _TEXTURE_SIDE, 4), dtype=np.uint8)
    out[..., :3] = np.floor(np.clip(resized, 0.0, 1.0) * 255.0 + 0.5)
    return out


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
