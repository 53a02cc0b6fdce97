"""A scene's triangles as the rendering kernels read them, in clusters that are culled as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SceneError
from navproof.core.jit import jit
from navproof.sim.render.texels import Materials
from navproof.world.scene import Geometry, Material, Scene

__all__ = ["DynamicMesh", "Triangles"]

CLUSTER_FACES = 128
Array = NDArray[Any]


class DynamicMesh(Protocol):
    """A mesh in world coordinates that may differ in every frame (a person). See ``Geometry``.

    Light is taken from the vertices. Arrays other than ``vertices`` and ``light`` are not to be
    changed in place: one that is the same object is taken to be as it was. A texture is looked up
    by its name in the mesh's own ``textures``, then in the scene's; its side is that of the
    scene's, or it is one constant texel.
    """

    @property
    def vertices(self) -> NDArray[np.float32]: ...
    @property
    def uvs(self) -> NDArray[np.float32]: ...
    @property
    def light(self) -> NDArray[np.uint8]: ...
    @property
    def faces(self) -> NDArray[np.int32]: ...
    @property
    def face_instance(self) -> NDArray[np.int32]: ...
    @property
    def face_material(self) -> NDArray[np.int32]: ...
    @property
    def face_two_sided(self) -> NDArray[np.bool_]: ...
    @property
    def materials(self) -> tuple[Material, ...]: ...
    @property
    def textures(self) -> Mapping[str, NDArray[np.uint8]]: ...


def check_mesh(mesh: DynamicMesh, where: str) -> None:
    """Raise ``SceneError`` where arrays disagree or point outside one another."""
    v, f = len(mesh.vertices), len(mesh.faces)
    if mesh.vertices.shape != (v, 3) or mesh.faces.shape != (f, 3):
        raise SceneError(f"{where}: vertices and faces must be (n, 3) arrays")
    if mesh.uvs.shape != (v, 2) or mesh.light.shape != (v, 3):
        raise SceneError(f"{where}: uvs must be ({v}, 2) and light ({v}, 3), as the vertices")
    for name in ("face_instance", "face_material", "face_two_sided"):
        if getattr(mesh, name).shape != (f,):
            raise SceneError(f"{where}: {name} must have one entry per face ({f})")
    if f and (int(mesh.faces.min()) < 0 or int(mesh.faces.max()) >= v):
        raise SceneError(f"{where}: a face names a vertex outside 0…{v - 1}")
    used, materials = mesh.face_material, len(mesh.materials)
    if f and (int(used.min()) < 0 or int(used.max()) >= materials):
        raise SceneError(f"{where}: a face names a material outside 0…{materials - 1}")


@jit
def _put(position: Array, first: int, x: Array, y: Array, z: Array, box: Array) -> None:
    """Copy vertices behind the first ones, and note the box around them: middle, half size."""
    for k in range(3):
        to = x if k == 0 else (y if k == 1 else z)
        low, high = position[0, k], position[0, k]
        for i in range(len(position)):
            p = position[i, k]
            to[first + i] = p
            low, high = min(low, p), max(high, p)
        box[k] = (np.float64(low) + np.float64(high)) / 2.0
        box[3 + k] = (np.float64(high) - np.float64(low)) / 2.0 + 1e-6


def _unmoved(mesh: DynamicMesh) -> tuple[Any, ...]:
    """What makes a mesh the one it was, wherever it has moved."""
    return (
        len(mesh.vertices),
        mesh.uvs,
        mesh.faces,
        mesh.face_instance,
        mesh.face_material,
        mesh.face_two_sided,
        mesh.materials,
        mesh.textures,
    )


def _spread_bits(x: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ten bits, two zeros after each (for Morton order)."""
    x = (x | x << 16) & 0x30000FF
    x = (x | x << 8) & 0x300F00F
    x = (x | x << 4) & 0x30C30C3
    return (x | x << 2) & 0x9249249


def _cluster(geometry: Geometry, room: NDArray[np.int32]) -> tuple[Array, Array]:
    """Order of the faces and cluster of each: one room and instance, ≤ 128 faces close together."""
    middle = geometry.vertices[geometry.faces].astype(np.float64).mean(axis=1)
    low = middle.min(axis=0)
    span = max(float((middle.max(axis=0) - low).max()), 1e-9)
    cell = np.minimum((middle - low) / span * 1024.0, 1023.0).astype(np.int64)
    x, y, z = (_spread_bits(cell[:, k]) for k in range(3))
    order = np.lexsort((x | y << 1 | z << 2, geometry.face_instance, room))
    r, i = room[order], geometry.face_instance[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (r[1:] != r[:-1]) | (i[1:] != i[:-1])
    starts = np.flatnonzero(new)
    position = np.arange(len(order)) - np.repeat(starts, np.diff([*starts, len(order)]))
    new |= position % CLUSTER_FACES == 0
    return order, np.cumsum(new) - 1


class Triangles:
    """Flat arrays: first the scene's, behind them those of the present frame's dynamic meshes.

    Each cluster's vertices and faces are contiguous; ``clusters`` rows are (first vertex, last + 1,
    first face, last + 1), ``boxes`` rows centre and half size. ``counts`` are the vertices, faces
    and clusters in use.
    """

    def __init__(self, scene: Scene, materials: Materials) -> None:
        g = scene.geometry
        if len(g.faces) == 0:
            raise SceneError(f"scene {scene.id} has no triangles to render")
        check_mesh(g, f"scene {scene.id}")
        self._materials = materials
        index = {room.id: i for i, room in enumerate(scene.rooms)}
        room = np.array([index.get(r, -1) for r in g.face_room.tolist()], dtype=np.int32)
        order, cluster = _cluster(g, room)
        total = len(g.vertices)
        keys, inverse = np.unique(
            cluster[:, None] * total + g.faces[order].astype(np.int64), return_inverse=True
        )
        source = keys % total
        ids = np.arange(int(cluster[-1]) + 1)
        v0 = np.searchsorted(keys // total, ids)
        f0 = np.searchsorted(cluster, ids)
        ends = [*v0[1:], len(keys)], [*f0[1:], len(order)]
        position = g.vertices[source].astype(np.float32)
        self.x, self.y, self.z = (np.ascontiguousarray(position[:, k]) for k in range(3))
        self.uvs = g.uvs[source].astype(np.float32)
        self.light = g.light[source].astype(np.uint8)
        self.light_uvs = g.light_uvs[source].astype(np.float32)
        self.faces = inverse.reshape(-1, 3).astype(np.int32)
        self.instance = g.face_instance[order].astype(np.int32)
        self.material = materials.rows(g.materials)[g.face_material[order]]
        self.lightmapped = g.face_lightmapped[order].astype(np.bool_)
        self.two_sided = g.face_two_sided[order].astype(np.bool_)
        self.clusters = np.stack([v0, ends[0], f0, ends[1]], axis=1).astype(np.int32)
        self.cluster_room = room[order][f0]
        low = np.minimum.reduceat(position.astype(np.float64), v0)
        high = np.maximum.reduceat(position.astype(np.float64), v0)
        self.boxes = np.concatenate([(low + high) / 2.0, (high - low) / 2.0 + 1e-6], axis=1)
        self.scene_counts = (len(keys), len(order), len(ids))
        self.counts = self.scene_counts
        self._held: tuple[tuple[Any, ...], ...] = ()

    def set_extra(self, meshes: Sequence[DynamicMesh]) -> None:
        """Replace the dynamic meshes. Costs a copy of theirs; the scene's arrays stay, and of
        meshes that differ from the last ones in their vertices and light alone, all the rest."""
        v, f, c = self.scene_counts
        held = tuple(map(_unmoved, meshes))
        again = len(held) == len(self._held) and all(
            new[0] == old[0] and all(x is y for x, y in zip(new[1:], old[1:], strict=True))
            for new, old in zip(held, self._held, strict=True)
        )
        if meshes and not again:
            for i, mesh in enumerate(meshes):
                check_mesh(mesh, f"extra mesh {i}")
            self._reserve(
                v + sum(len(m.vertices) for m in meshes),
                f + sum(len(m.faces) for m in meshes),
                c + len(meshes),
            )
        for mesh in meshes:
            if len(mesh.faces) == 0:
                continue
            v1, f1 = v + len(mesh.vertices), f + len(mesh.faces)
            self.light[v:v1] = mesh.light
            if not again:
                self._lay_down(mesh, (v, v1, f, f1), c)
            _put(mesh.vertices, v, self.x, self.y, self.z, self.boxes[c])
            v, f, c = v1, f1, c + 1
        self.counts = (v, f, c)
        self._held = held

    def _lay_down(self, mesh: DynamicMesh, span: tuple[int, int, int, int], cluster: int) -> None:
        """Copy all but where a mesh is and how it is lit."""
        v, v1, f, f1 = span
        self.uvs[v:v1] = mesh.uvs
        self.faces[f:f1] = mesh.faces
        self.faces[f:f1] += v
        self.instance[f:f1] = mesh.face_instance
        rows = self._materials.rows(mesh.materials, mesh.textures)
        self.material[f:f1] = rows[mesh.face_material]
        self.lightmapped[f:f1] = False
        self.two_sided[f:f1] = mesh.face_two_sided
        self.clusters[cluster] = span
        self.cluster_room[cluster] = -1

    def _reserve(self, vertices: int, faces: int, clusters: int) -> None:
        """Grow the arrays, by half as much again as is needed, where they are too short."""
        for names, need in (
            (("x", "y", "z", "uvs", "light", "light_uvs"), vertices),
            (("faces", "instance", "material", "lightmapped", "two_sided"), faces),
            (("clusters", "cluster_room", "boxes"), clusters),
        ):
            for name in names:
                old: Array = getattr(self, name)
                if len(old) < need:
                    new = np.zeros((need + need // 2, *old.shape[1:]), dtype=old.dtype)
                    new[: len(old)] = old
                    setattr(self, name, new)
