"""Scenes from bare triangles, and an independent ray caster to compare pictures with."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Camera, Pose
from navproof.sim.camera import intrinsics, world_to_camera
from navproof.world.scene import LIGHT_UNIT, Geometry, Material, Room, Scene, Storey

PLAIN = {"plain": np.full((4, 4, 4), (255, 255, 255, 0), dtype=np.uint8)}


def mesh_fields(vertices, faces, instances, *, two_sided=True, uvs=None, light=None, **other):
    """The fields that a ``Geometry`` and a dynamic mesh share."""
    v, f = len(vertices), len(faces)
    fields = {
        "vertices": np.asarray(vertices, dtype=np.float32),
        "uvs": np.zeros((v, 2), np.float32) if uvs is None else np.asarray(uvs, np.float32),
        "light": np.full((v, 3), LIGHT_UNIT, np.uint8) if light is None else light,
        "faces": np.asarray(faces, dtype=np.int32),
        "face_instance": np.broadcast_to(np.asarray(instances, np.int32), (f,)).copy(),
        "face_material": np.zeros(f, dtype=np.int32),
        "face_two_sided": np.full(f, two_sided),
        "materials": (Material("plain", (0.5, 0.5, 0.5)),),
        "textures": PLAIN,
    }
    return fields | other


def triangle_scene(vertices, faces, instances=1, **fields) -> Scene:
    """One big room around the given triangles."""
    merged = mesh_fields(vertices, faces, instances, **fields)
    v, f = len(merged["vertices"]), len(merged["faces"])
    merged = {
        "normals": np.zeros((v, 3), dtype=np.float32),
        "light_uvs": np.zeros((v, 2), dtype=np.float32),
        "face_room": np.zeros(f, dtype=np.int32),
        "face_lightmapped": np.zeros(f, dtype=np.bool_),
        "lightmap": np.full((1, 1, 3), LIGHT_UNIT, dtype=np.uint8),
    } | merged
    corners = ((-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0))
    return Scene(
        id="triangles", kind="mesh", seed=0, storeys=(Storey(0, -50.0, 100.0),),
        rooms=(Room(0, "room", "room", 0, corners),), doors=(), windows=(), lights=(),
        objects=(), geometry=Geometry(**merged),
    )  # fmt: skip


def moving_mesh(vertices, faces, instances, **fields) -> SimpleNamespace:
    return SimpleNamespace(**mesh_fields(vertices, faces, instances, **fields))


def quad(corners) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    return np.asarray(corners, dtype=np.float64), np.array([[0, 1, 2], [0, 2, 3]])


def ray_cast(scene: Scene, camera: Camera, pose: Pose):
    """Depth and instance of every pixel by Möller–Trumbore over all triangles, in float64.

    Also returns the margin: how far the nearest hit is from flipping (barycentric distance to a
    triangle's edge, relative depth distance to the second hit), to leave ties out of comparisons.
    """
    g = scene.geometry
    rotation, centre = world_to_camera(camera, pose)
    k = np.linalg.inv(intrinsics(camera))
    u, v = np.meshgrid(np.arange(camera.width) + 0.5, np.arange(camera.height) + 0.5)
    rays = np.stack([u, v, np.ones_like(u)], axis=-1).reshape(-1, 3) @ k.T @ rotation
    corner = g.vertices.astype(np.float64)[g.faces]
    a, e1, e2 = corner[:, 0], corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    depth = np.full(len(rays), np.inf)
    second = np.full(len(rays), np.inf)
    ids = np.zeros(len(rays), dtype=np.int32)
    edge = np.full(len(rays), np.inf)
    for i in range(len(g.faces)):
        p = np.cross(rays, e2[i])
        det = p @ e1[i]
        with np.errstate(divide="ignore", invalid="ignore"):
            s = centre - a[i]
            b1 = (p @ s) / det
            q = np.cross(s, e1[i])
            b2 = (rays @ q) / det
            t = (q @ e2[i]) / det
        front = np.abs(det) > 1e-12 if g.face_two_sided[i] else det > 1e-12
        margin = np.minimum(np.minimum(b1, b2), 1.0 - b1 - b2)
        hit = front & (t >= camera.near_m)
        near_edge = hit & (np.abs(margin) < 1e-6)
        edge[near_edge] = 0.0
        hit &= margin >= 0.0
        closer = hit & (t < depth)
        second = np.where(closer, depth, np.where(hit, np.minimum(second, t), second))
        depth = np.where(closer, t, depth)
        ids = np.where(closer, g.face_instance[i], ids)
    clear = (edge > 0.0) & ((second == np.inf) | (second > depth * (1 + 1e-5)))
    shape = (camera.height, camera.width)
    out = np.where(np.isfinite(depth), depth, 0.0)
    return out.reshape(shape), ids.reshape(shape), clear.reshape(shape)
