"""The same scene through OpenGL (moderngl, any EGL driver) and Embree (embreex), for comparison.

OpenGL does the same work: mip-mapped textures, tints, baked light, RGB + depth + instances read
back to host memory. It is handed every triangle in two calls and culls by the view alone, as a
plain OpenGL simulator would. Embree casts one ray per pixel and gives depth and instances only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Camera, Pose
from navproof.sim.camera import focal_px, intrinsics, world_to_camera
from navproof.sim.render.texels import tone_lut
from navproof.world.scene import LIGHT_UNIT, Scene

_VERTEX = """
#version 330
uniform mat4 clip;
in vec3 position; in vec2 uv; in vec3 light; in vec2 light_uv; in vec4 tint; in vec4 tint2;
in int layer; in int instance; in int mapped;
out vec2 f_uv; out vec3 f_light; out vec2 f_light_uv; out float f_z;
flat out vec4 f_tint; flat out vec4 f_tint2; flat out int f_layer; flat out int f_instance;
flat out int f_mapped;
void main() {
    gl_Position = clip * vec4(position, 1.0);
    f_uv = uv; f_light = light; f_light_uv = light_uv; f_z = gl_Position.w;
    f_tint = tint; f_tint2 = tint2; f_layer = layer; f_instance = instance; f_mapped = mapped;
}
"""
_FRAGMENT = """
#version 330
uniform sampler2DArray textures; uniform sampler2D lightmap; uniform sampler2D tone;
in vec2 f_uv; in vec3 f_light; in vec2 f_light_uv; in float f_z;
flat in vec4 f_tint; flat in vec4 f_tint2; flat in int f_layer; flat in int f_instance;
flat in int f_mapped;
layout(location = 0) out vec4 colour;
layout(location = 1) out float depth;
layout(location = 2) out int instance;
void main() {
    vec4 texel = texture(textures, vec3(f_uv, float(f_layer)));
    vec3 lit = f_mapped != 0
        ? texture(lightmap, f_light_uv / vec2(textureSize(lightmap, 0))).rgb * (255.0 / UNIT.0)
        : f_light;
    vec3 x = texel.rgb * mix(f_tint.rgb, f_tint2.rgb, texel.a) * (lit + f_tint.a) * 0.25;
    colour = vec4(texture(tone, vec2(sqrt(x.r), 0.5)).r, texture(tone, vec2(sqrt(x.g), 0.5)).r,
                  texture(tone, vec2(sqrt(x.b), 0.5)).r, 1.0);
    depth = f_z;
    instance = f_instance;
}
""".replace("UNIT", str(LIGHT_UNIT))


class OpenGL:
    """A standalone EGL context with the scene in buffers. Raises where none can be made."""

    def __init__(self, scene: Scene, camera: Camera) -> None:
        import moderngl

        self._gl = moderngl
        self._context = moderngl.create_standalone_context(backend="egl")
        self.name = str(self._context.info["GL_RENDERER"])
        self._camera = camera
        g = scene.geometry
        names = sorted({m.texture for m in g.materials})
        side = g.textures[names[0]].shape[0]
        stack = np.stack([g.textures[n] for n in names])
        textures = self._context.texture_array((side, side, len(names)), 4, stack.tobytes())
        textures.build_mipmaps()
        textures.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
        lightmap = self._context.texture(
            g.lightmap.shape[1::-1], 3, np.ascontiguousarray(g.lightmap).tobytes(), alignment=1
        )
        lightmap.filter = (moderngl.LINEAR, moderngl.LINEAR)
        lut = tone_lut()
        root = ((np.arange(1024) + 0.5) / 1024.0) ** 2  # indexed by the square root, finer darks
        tone = self._context.texture((1024, 1), 1, lut[(root * len(lut)).astype(int)].tobytes())
        program = self._context.program(vertex_shader=_VERTEX, fragment_shader=_FRAGMENT)
        for unit, (name, texture) in enumerate(
            (("textures", textures), ("lightmap", lightmap), ("tone", tone))
        ):
            program[name] = unit
            texture.use(unit)
        self._program = program
        corner = g.faces.reshape(-1)
        face = np.repeat(np.arange(len(g.faces)), 3)
        looks = g.materials
        tint = np.array([[*m.tint, m.emission] for m in looks], dtype="f4")[g.face_material[face]]
        tint2 = np.array([[*m.tint2, 0.0] for m in looks], dtype="f4")[g.face_material[face]]
        layer = np.array([names.index(m.texture) for m in looks], dtype="i4")[g.face_material[face]]
        columns = [
            (g.vertices[corner].astype("f4"), "3f", "position"),
            (g.uvs[corner].astype("f4"), "2f", "uv"),
            ((g.light[corner] / LIGHT_UNIT).astype("f4"), "3f", "light"),
            (g.light_uvs[corner].astype("f4"), "2f", "light_uv"),
            (tint, "4f", "tint"),
            (tint2, "4f", "tint2"),
            (layer, "1i", "layer"),
            (g.face_instance[face].astype("i4"), "1i", "instance"),
            (g.face_lightmapped[face].astype("i4"), "1i", "mapped"),
        ]
        two = g.face_two_sided[face].astype(bool)
        self._arrays = [self._array(columns, keep) for keep in (~two, two)]
        size = (camera.width, camera.height)
        self._targets = [
            self._context.texture(size, 4),
            self._context.texture(size, 1, dtype="f4"),
            self._context.texture(size, 1, dtype="i4"),
        ]
        self._frame = self._context.framebuffer(
            self._targets, self._context.depth_renderbuffer(size)
        )

    def _array(self, columns: list[tuple[Any, str, str]], keep: NDArray[np.bool_]) -> Any:
        if not keep.any():
            return None
        content = []
        for data, form, name in columns:
            data = np.ascontiguousarray(data[keep])
            content.append((self._context.buffer(data.tobytes()), form, name))
        return self._context.vertex_array(self._program, content)

    def render(self, pose: Pose) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """RGB, depth and instances, read back to host memory."""
        camera, gl = self._camera, self._gl
        rotation, centre = world_to_camera(camera, pose)
        near, far, f = camera.near_m, 100.0, focal_px(camera)
        projection = np.zeros((4, 4))
        # Rows grow downwards in our images, as they are read back here: no flip is needed.
        projection[0, 0], projection[1, 1] = 2.0 * f / camera.width, 2.0 * f / camera.height
        projection[2, 2:] = (far + near) / (far - near), -2.0 * far * near / (far - near)
        projection[3, 2] = 1.0
        view = np.eye(4)
        view[:3, :3], view[:3, 3] = rotation, -rotation @ centre
        self._program["clip"].write((projection @ view).T.astype("f4").tobytes())
        self._frame.use()
        self._frame.clear()
        self._context.enable(gl.DEPTH_TEST)
        for array, cull in zip(self._arrays, (True, False), strict=True):
            if array is None:
                continue
            (self._context.enable if cull else self._context.disable)(gl.CULL_FACE)
            self._context.front_face = "cw"  # the image is upside down for OpenGL
            array.render()
        h, w = camera.height, camera.width
        rgba, depth, ids = (t.read() for t in self._targets)
        return (
            np.frombuffer(rgba, np.uint8).reshape(h, w, 4)[..., :3],
            np.frombuffer(depth, np.float32).reshape(h, w),
            np.frombuffer(ids, np.int32).reshape(h, w),
        )


class Embree:
    """One ray per pixel against the whole scene."""

    name = "Embree (embreex)"

    def __init__(self, scene: Scene, camera: Camera) -> None:
        from embreex import rtcore_scene
        from embreex.mesh_construction import TriangleMesh

        g = scene.geometry
        self._camera = camera
        self._scene = rtcore_scene.EmbreeScene()
        TriangleMesh(self._scene, np.ascontiguousarray(g.vertices[g.faces], dtype=np.float32))
        self._ids = g.face_instance
        back = np.linalg.inv(intrinsics(camera))
        u, v = np.meshgrid(np.arange(camera.width) + 0.5, np.arange(camera.height) + 0.5)
        self._rays = np.stack([u, v, np.ones_like(u)], axis=-1).reshape(-1, 3) @ back.T

    def render(self, pose: Pose) -> tuple[NDArray[Any], NDArray[Any]]:
        """Depth and instances. Rays have unit depth, so the hit's parameter is the depth."""
        rotation, centre = world_to_camera(self._camera, pose)
        rays = np.ascontiguousarray(self._rays @ rotation, dtype=np.float32)
        origins = np.broadcast_to(centre.astype(np.float32), rays.shape).copy()
        hit = self._scene.run(origins, rays, query="INTERSECT", output=True)
        shape = (self._camera.height, self._camera.width)
        found = hit["primID"] >= 0
        depth = np.where(found, hit["tfar"], 0.0).astype(np.float32)
        ids = np.where(found, self._ids[np.maximum(hit["primID"], 0)], 0)
        return depth.reshape(shape), ids.reshape(shape)
