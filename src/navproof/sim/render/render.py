"""``Renderer``: a scene, a camera and a pose to RGB, metric depth and instance ids, in one pass.

A software rasteriser on one core: what may be visible is selected (``cull``), rasterised into a
visibility buffer (``raster``), and every pixel is then shaded once (``shade``). The same inputs
give the same bytes everywhere: plain IEEE arithmetic, no threads, no fast-math.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from navproof.core.types import Camera, Frame, Pose
from navproof.sim.camera import check_camera, focal_px, world_to_camera
from navproof.sim.render import cull, raster, shade
from navproof.sim.render.texels import Materials, pack_lanes, tone_lut
from navproof.sim.render.triangles import DynamicMesh, Triangles
from navproof.world.scene import Scene

__all__ = ["DynamicMesh", "Renderer"]


class Renderer:
    """Renders one scene.

    Surfaces are textured (mip-mapped, bilinear), tinted, lit by their baked light, and brought to
    sRGB bytes through ``tone_lut``. What no triangle covers is black, depth 0, instance 0.
    ``culling=False`` tests every triangle; the pixels are the same. Not safe to share between
    threads: scratch memory is reused from call to call (returned frames are not).
    """

    def __init__(self, scene: Scene, *, culling: bool = True) -> None:
        self.scene = scene
        self._culling = culling
        self._materials = Materials(scene.geometry.textures, f"scene {scene.id}")
        self._triangles = Triangles(scene, self._materials)
        lightmap = scene.geometry.lightmap
        self._map_size: tuple[int, int] = (lightmap.shape[0], lightmap.shape[1])
        self._lightmap = pack_lanes(np.pad(lightmap, ((0, 1), (0, 1), (0, 0)), mode="edge"))
        self._lut = tone_lut()
        self._outline, self._outline_start, self._heights = cull.room_outlines(scene)
        self._portals, self._portal_rooms = cull.portals(scene)
        self._rects = np.empty((len(scene.rooms), 4))
        self._wbuf = np.empty((0, 0), dtype=np.float32)
        self._tbuf = np.empty((0, 0), dtype=np.int32)
        self._planes = np.empty((0, 19))
        self._allocate()

    def _allocate(self) -> None:
        """Scratch for as many vertices, faces and clusters as the arrays hold."""
        t = self._triangles
        self._chosen = np.empty(len(t.clusters), dtype=np.int32)
        self._nearest = np.empty(len(t.clusters))
        self._crossing = np.empty(len(t.clusters), dtype=np.bool_)
        self._bounds = np.empty((len(t.clusters), 4), dtype=np.int32)
        self._screen = np.empty((4, len(t.x)))
        self._tri_face = np.empty(2 * len(t.faces), dtype=np.int32)
        self._tri_slot = np.empty(2 * len(t.faces), dtype=np.int32)

    def _prepare(self, width: int, height: int, extra: Sequence[DynamicMesh]) -> None:
        """Take the dynamic meshes in and make the scratch memory large enough."""
        t = self._triangles
        if extra or t.counts[2] != t.scene_counts[2]:
            t.set_extra(extra)
        held = (self._screen.shape[1], len(self._tri_face) // 2, len(self._chosen))
        if held != (len(t.x), len(t.faces), len(t.clusters)):
            self._allocate()
        if self._wbuf.shape != (height, width):
            self._wbuf = np.empty((height, width), dtype=np.float32)
            self._tbuf = np.empty((height, width), dtype=np.int32)
        slots = min(width * height, len(self._tri_face))
        if len(self._planes) < slots:
            self._planes = np.empty((slots, 19))

    def render(
        self,
        camera: Camera,
        pose: Pose,
        *,
        extra: Sequence[DynamicMesh] = (),
        colour: bool = True,
    ) -> Frame:
        """The view from ``camera`` on a robot at ``pose``, with ``extra`` meshes in the scene.

        Without ``colour`` the picture stays black, at a fraction of the time; depth and instances
        are the same."""
        check_camera(camera)
        width, height, near = camera.width, camera.height, float(camera.near_m)
        self._prepare(width, height, extra)
        t, m = self._triangles, self._materials
        rotation, centre = world_to_camera(camera, pose)
        focal = focal_px(camera)
        view = np.empty(15)
        view[:9], view[9:12] = rotation.ravel(), centre
        view[12], view[13], view[14] = focal, width / 2.0, height / 2.0
        extent_x, extent_y = width / 2.0 / focal, height / 2.0 / focal
        if self._culling:
            cull.see_rooms(
                view, near, extent_x, extent_y, self._outline, self._outline_start, self._heights,
                self._portals, self._portal_rooms, self._rects,
            )  # fmt: skip
        count = cull.select_clusters(
            view, near, extent_x, extent_y, self._rects, t.boxes, t.cluster_room, t.counts[2],
            self._culling, self._chosen, self._nearest, self._crossing, self._bounds,
        )  # fmt: skip
        # Front to back: what is hidden is then rejected by its depth alone.
        chosen = self._chosen[:count][np.argsort(self._nearest[:count], kind="stable")]
        triangles = raster.rasterise(
            chosen, self._crossing, self._bounds, t.clusters, t.x, t.y, t.z, t.faces, t.two_sided,
            view, near, self._screen, self._tri_face, width,
            self._wbuf.reshape(-1), self._tbuf.reshape(-1),
        )  # fmt: skip
        depth = np.empty((height, width), dtype=np.float32)
        instances = np.empty((height, width), dtype=np.int32)
        if not colour:
            black = np.zeros((height, width, 3), dtype=np.uint8)
            shade.resolve(self._wbuf, self._tbuf, self._tri_face, t.instance, depth, instances)
            return Frame(black, depth, instances)
        rgb = np.empty((height, width, 3), dtype=np.uint8)
        self._tri_slot[:triangles] = -1
        shade.shade(
            self._wbuf, self._tbuf, self._tri_face, self._tri_slot, self._planes, view,
            t.x, t.y, t.z, t.uvs, t.light, t.light_uvs, t.faces,
            t.instance, t.material, t.lightmapped,
            m.colour, m.texture, m.atlas, m.levels, m.texels,
            self._lightmap, *self._map_size, self._lut, rgb, depth, instances,
        )  # fmt: skip
        return Frame(rgb, depth, instances)
