"""``Renderer``: a scene, a camera and a pose to RGB, metric depth and instance ids, in one pass.

A software rasteriser on one core: what may be visible is selected (``_cull``), rasterised into a
visibility buffer (``_raster``), and every pixel is then shaded once (``_shade``). The same inputs
give the same bytes everywhere: plain IEEE arithmetic, no threads, no fast-math.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from navproof.errors import SceneError
from navproof.sim import _cull, _raster, _shade
from navproof.sim.camera import check_camera, focal_px, world_to_camera
from navproof.types import Camera, Frame, Pose
from navproof.world.scene import Geometry, Material, Scene

__all__ = ["DynamicMesh", "Renderer", "tone_lut"]

_CLUSTER_FACES = 128


class DynamicMesh(Protocol):
    """A mesh in world coordinates that may differ in every frame (a person). See ``Geometry``.

    ``light`` is taken from the vertices. A texture is looked up by its name in the mesh's own
    ``textures``, then in the scene's.
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


def tone_lut() -> NDArray[np.uint8]:
    """Linear light in [0, ``LUT_MAX``) to sRGB bytes.

    Linear up to a shoulder at 0.6, from where y = s + t/(1 + t/(1 − s)) bends towards 1.
    """
    x = (np.arange(_shade.LUT_SIZE) + 0.5) * (_shade.LUT_MAX / _shade.LUT_SIZE)
    shoulder = 0.6
    over = np.maximum(x - shoulder, 0.0)
    y = np.minimum(x, shoulder) + over / (1.0 + over / (1.0 - shoulder))
    y = y / y[-1] if y[-1] > 1.0 else y
    srgb = np.where(y <= 0.0031308, 12.92 * y, 1.055 * np.power(y, 1.0 / 2.4) - 0.055)
    return np.floor(srgb * 255.0 + 0.5).astype(np.uint8)


class _Materials:
    """Textures with their mip levels in one array, and the looks that use them."""

    def __init__(self, textures: Mapping[str, NDArray[np.uint8]], where: str) -> None:
        self._where = where
        sizes = {t.shape for t in textures.values()}
        self.texels = next(iter(sizes))[0] if sizes else 1
        sizes_ok = all(s == (self.texels, self.texels, 4) for s in sizes)
        if not sizes_ok or self.texels & (self.texels - 1):
            raise SceneError(f"{where}: textures must all be RGBA squares of one power-of-two side")
        sides = [self.texels >> k for k in range(self.texels.bit_length())]
        self.levels = np.cumsum([0] + [(s + 1) * (s + 1) for s in sides]).astype(np.int64)
        self._numbers: dict[int, tuple[int, NDArray[np.uint8]]] = {}
        self._rows: dict[tuple[Material, int], int] = {}
        self._scene_textures = textures
        self._atlas: list[NDArray[np.uint64]] = []
        self._colours: list[list[float]] = []
        self._textures: list[int] = []
        self.atlas = np.zeros(1, dtype=np.uint64)
        self.colour = np.zeros((1, 11), dtype=np.float32)
        self.texture = np.full(1, -1, dtype=np.int32)

    def rows(
        self, materials: Sequence[Material], textures: Mapping[str, NDArray[np.uint8]] | None = None
    ) -> NDArray[np.int32]:
        """The row of each material, new ones added."""
        before = len(self._colours)
        own = textures or {}
        out = np.empty(len(materials), dtype=np.int32)
        for i, material in enumerate(materials):
            image = own.get(material.texture, self._scene_textures.get(material.texture))
            if image is None:
                raise SceneError(f"{self._where}: no texture is named {material.texture!r}")
            key = (material, id(image))
            if key not in self._rows:
                self._rows[key] = self._add(material, image)
            out[i] = self._rows[key]
        if len(self._colours) != before:
            self.colour = np.array(self._colours, dtype=np.float32)
            self.texture = np.array(self._textures, dtype=np.int32)
            if self._atlas:
                self.atlas = np.concatenate(self._atlas)
                self._atlas = [self.atlas]
        return out

    def _add(self, material: Material, image: NDArray[np.uint8]) -> int:
        number, constant = -1, image[0, 0].astype(np.float64) / 255.0
        if np.any(image != image[0, 0]):
            if id(image) not in self._numbers:
                if image.shape != (self.texels, self.texels, 4):
                    side = self.texels
                    raise SceneError(
                        f"{self._where}: texture {material.texture!r} is {image.shape}, "
                        f"the scene's are {(side, side, 4)}"
                    )
                self._numbers[id(image)] = (len(self._numbers), image)
                self._atlas.append(_mip_chain(image))
            number = self._numbers[id(image)][0]
        more = [b - a for a, b in zip(material.tint, material.tint2, strict=True)]
        self._colours.append([*material.tint, *more, material.emission, *constant])
        self._textures.append(number)
        return len(self._colours) - 1


def _lanes(image: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """RGB or RGBA bytes as four 16-bit lanes of a flat uint64 array, R uppermost."""
    wide = image.astype(np.uint64).reshape(-1, image.shape[-1])
    lanes = wide[:, 0] << np.uint64(48) | wide[:, 1] << np.uint64(32) | wide[:, 2] << np.uint64(16)
    return lanes | wide[:, 3] if wide.shape[1] == 4 else lanes


def _mip_chain(image: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """All levels, finest first, each halved by 2×2 means; first row and column repeated at the end."""
    level = image.astype(np.float64)
    out = []
    while True:
        whole = np.floor(level + 0.5).astype(np.uint8)
        out.append(_lanes(np.pad(whole, ((0, 1), (0, 1), (0, 0)), mode="wrap")))
        if level.shape[0] == 1:
            return np.concatenate(out)
        rows = level[0::2] + level[1::2]
        level = (rows[:, 0::2] + rows[:, 1::2]) / 4.0


def _spread_bits(x: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ten bits, two zeros between each (for Morton order)."""
    x = (x | x << 16) & 0x30000FF
    x = (x | x << 8) & 0x300F00F
    x = (x | x << 4) & 0x30C30C3
    return (x | x << 2) & 0x9249249


def _cluster(geometry: Geometry, room: NDArray[np.int32]) -> tuple[NDArray[np.int64], ...]:
    """Order of the faces and cluster of each: one room and instance, ≤ 128 faces close together."""
    corners = geometry.vertices[geometry.faces].astype(np.float64)
    middle = corners.mean(axis=1)
    low = middle.min(axis=0)
    span = max(float((middle.max(axis=0) - low).max()), 1e-9)
    cell = np.minimum((middle - low) / span * 1024.0, 1023.0).astype(np.int64)
    spread = [_spread_bits(cell[:, k]) for k in range(3)]
    morton = spread[0] | spread[1] << 1 | spread[2] << 2
    order = np.lexsort((morton, geometry.face_instance, room))
    r, i = room[order], geometry.face_instance[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (r[1:] != r[:-1]) | (i[1:] != i[:-1])
    starts = np.flatnonzero(new)
    position = np.arange(len(order)) - np.repeat(starts, np.diff([*starts, len(order)]))
    new |= position % _CLUSTER_FACES == 0
    return order, np.cumsum(new) - 1


class Renderer:
    """Renders one scene. ``culling=False`` draws everything (the pixels are the same)."""

    def __init__(self, scene: Scene, *, culling: bool = True) -> None:
        self.scene = scene
        self._culling = culling
        g = scene.geometry
        if len(g.faces) == 0:
            raise SceneError(f"scene {scene.id} has no triangles to render")
        index = {room.id: i for i, room in enumerate(scene.rooms)}
        known = sorted(set(g.face_room.tolist()))
        room = np.full(len(g.faces), -1, dtype=np.int32)
        for name in known:
            room[g.face_room == name] = index.get(name, -1)
        order, cluster = _cluster(g, room)
        faces = g.faces[order].astype(np.int64)
        keys = cluster[:, None] * len(g.vertices) + faces
        unique, inverse = np.unique(keys, return_inverse=True)
        source = unique % len(g.vertices)
        clusters = int(cluster[-1]) + 1
        ids = np.arange(clusters)
        v0 = np.searchsorted(unique // len(g.vertices), ids)
        f0 = np.searchsorted(cluster, ids)
        self._clusters = np.stack(
            [v0, [*v0[1:], len(unique)], f0, [*f0[1:], len(order)]], axis=1
        ).astype(np.int32)
        self._cluster_room = room[order][f0].astype(np.int32)
        self._materials = _Materials(g.textures, f"scene {scene.id}")
        rows = self._materials.rows(g.materials)
        positions = g.vertices[source].astype(np.float32)
        self._v = [np.ascontiguousarray(positions[:, k]) for k in range(3)]
        self._uvs = np.ascontiguousarray(g.uvs[source], dtype=np.float32)
        self._light = np.ascontiguousarray(g.light[source], dtype=np.uint8)
        self._light_uvs = np.ascontiguousarray(g.light_uvs[source], dtype=np.float32)
        self._faces = inverse.reshape(-1, 3).astype(np.int32)
        self._instance = np.ascontiguousarray(g.face_instance[order], dtype=np.int32)
        self._material = rows[g.face_material[order]].astype(np.int32)
        self._lightmapped = np.ascontiguousarray(g.face_lightmapped[order], dtype=np.bool_)
        self._two_sided = np.ascontiguousarray(g.face_two_sided[order], dtype=np.bool_)
        self._boxes = np.empty((clusters, 6))
        lows = np.minimum.reduceat(positions.astype(np.float64), v0)
        highs = np.maximum.reduceat(positions.astype(np.float64), v0)
        self._boxes[:, :3] = (lows + highs) / 2.0
        self._boxes[:, 3:] = (highs - lows) / 2.0 + 1e-6
        self._sizes = (len(unique), len(order), clusters)  # of the scene, without dynamic meshes
        self._map_size = g.lightmap.shape[:2]
        self._lightmap = _lanes(np.pad(g.lightmap, ((0, 1), (0, 1), (0, 0)), mode="edge"))
        self._lut = tone_lut()
        self._outline, self._outline_start, self._heights = _cull.room_outlines(scene)
        self._portals, self._portal_rooms = _cull.portals(scene)
        self._rects = np.empty((len(scene.rooms), 4))
        self._allocate()

    def _allocate(self) -> None:
        """Scratch for the present number of vertices, faces and clusters."""
        clusters = len(self._clusters)
        self._chosen = np.empty(clusters, dtype=np.int32)
        self._nearest = np.empty(clusters)
        self._crossing = np.empty(clusters, dtype=np.bool_)
        self._screen = np.empty((4, len(self._v[0])))
        self._tri_face = np.empty(2 * len(self._faces), dtype=np.int32)
        self._tri_slot = np.empty(2 * len(self._faces), dtype=np.int32)
        self._planes = np.empty((0, 18))
        self._wbuf = np.empty((0, 0), dtype=np.float32)
        self._tbuf = np.empty((0, 0), dtype=np.int32)

    def render(
        self, camera: Camera, pose: Pose, *, extra: Sequence[DynamicMesh] = ()
    ) -> Frame:
        """The view from ``camera`` on a robot at ``pose``, with ``extra`` meshes in the scene."""
        check_camera(camera)
        width, height = camera.width, camera.height
        if self._wbuf.shape != (height, width):
            self._wbuf = np.empty((height, width), dtype=np.float32)
            self._tbuf = np.empty((height, width), dtype=np.int32)
            self._planes = np.empty((min(width * height, len(self._tri_face)), 18))
        if extra:
            raise NotImplementedError
        rotation, centre = world_to_camera(camera, pose)
        focal = focal_px(camera)
        view = np.array([*rotation.ravel(), *centre, focal, width / 2.0, height / 2.0])
        extent_x, extent_y = width / 2.0 / focal, height / 2.0 / focal
        if self._culling:
            _cull.see_rooms(
                view, extent_x, extent_y, self._outline, self._outline_start, self._heights,
                self._portals, self._portal_rooms, self._rects,
            )  # fmt: skip
        count = _cull.select_clusters(
            view, camera.near_m, extent_x, extent_y, self._rects, self._boxes,
            self._cluster_room, self._culling, self._chosen, self._nearest, self._crossing,
        )  # fmt: skip
        order = np.argsort(self._nearest[:count], kind="stable")
        chosen = self._chosen[:count][order]
        vx, vy, vz = self._v
        triangles = _raster.rasterise(
            chosen, self._crossing, self._clusters, vx, vy, vz, self._faces, self._two_sided,
            view, camera.near_m, self._screen, self._tri_face, self._wbuf, self._tbuf,
        )  # fmt: skip
        self._tri_slot[:triangles] = -1
        rgb = np.empty((height, width, 3), dtype=np.uint8)
        depth = np.empty((height, width), dtype=np.float32)
        instances = np.empty((height, width), dtype=np.int32)
        m = self._materials
        _shade.shade(
            self._wbuf, self._tbuf, self._tri_face, self._tri_slot, self._planes, view,
            vx, vy, vz, self._uvs, self._light, self._light_uvs, self._faces,
            self._instance, self._material, self._lightmapped,
            m.colour, m.texture, m.atlas, m.levels, m.texels,
            self._lightmap, *self._map_size, self._lut, rgb, depth, instances,
        )  # fmt: skip
        return Frame(rgb, depth, instances)
