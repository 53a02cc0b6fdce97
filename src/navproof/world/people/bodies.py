"""People as meshes: a body for each appearance, posed and lit for one moment.

About 800 triangles each, on thirteen bones (``gait``); a body takes some 30 µs to pose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.core.types import Pose
from navproof.world.people.body import build_body, paints, shoulder_m, stride_m
from navproof.world.people.gait import BONES, pose_bones, skeleton
from navproof.world.people.light import LightField
from navproof.world.people.looks import APPEARANCES
from navproof.world.people.people import PersonState
from navproof.world.scene import LIGHT_UNIT, Material

__all__ = ["Body", "LightField", "PersonMesh", "body_of"]

F64 = NDArray[np.float64]
_WHITE: Mapping[str, NDArray[np.uint8]] = {
    "person": np.array([[[255, 255, 255, 0]]], dtype=np.uint8)
}
_EVEN = np.ones((6, 3))
_SHADED = 0.18  # how much darker what faces down is, and brighter what faces up


@dataclass(frozen=True, eq=False)
class PersonMesh:
    """A mesh in world coordinates, as ``sim.render.render.DynamicMesh``."""

    vertices: NDArray[np.float32]
    uvs: NDArray[np.float32]
    light: NDArray[np.uint8]
    faces: NDArray[np.int32]
    face_instance: NDArray[np.int32]
    face_material: NDArray[np.int32]
    face_two_sided: NDArray[np.bool_]
    materials: tuple[Material, ...]
    textures: Mapping[str, NDArray[np.uint8]]


@jit
def _skin(
    rest: F64, normals: F64, pairs: NDArray[np.int64], shares: F64, bones: F64, place: F64,
    cube: F64, vertices: NDArray[np.float32], light: NDArray[np.uint8],
) -> None:  # fmt: skip
    """Carry vertices by their two bones, then turn and move them by ``place`` (x, y, z, cos yaw,
    sin yaw); light is the cube's, weighted by the squares of the normal."""
    cos, sin = place[3], place[4]
    p, n = np.empty(3), np.empty(3)
    for v in range(len(rest)):
        a, b, w = pairs[v, 0], pairs[v, 1], shares[v]
        for i in range(3):
            p[i] = w * bones[a, i, 3] + (1.0 - w) * bones[b, i, 3]
            n[i] = 0.0
            for j in range(3):
                m = w * bones[a, i, j] + (1.0 - w) * bones[b, i, j]
                p[i] += m * rest[v, j]
                n[i] += m * normals[v, j]
        vertices[v, 0] = np.floor((place[0] + cos * p[0] - sin * p[1]) * 1e5 + 0.5) * 1e-5
        vertices[v, 1] = np.floor((place[1] + sin * p[0] + cos * p[1]) * 1e5 + 0.5) * 1e-5
        vertices[v, 2] = np.floor((place[2] + p[2]) * 1e5 + 0.5) * 1e-5
        nx, ny, nz = cos * n[0] - sin * n[1], sin * n[0] + cos * n[1], n[2]
        length = max(np.sqrt(nx * nx + ny * ny + nz * nz), 1e-9)
        nx, ny, nz = nx / length, ny / length, nz / length
        kx, ky, kz = 0 if nx >= 0 else 1, 2 if ny >= 0 else 3, 4 if nz >= 0 else 5
        shaded = LIGHT_UNIT * (1.0 + _SHADED * nz)
        for c in range(3):
            lit = nx * nx * cube[kx, c] + ny * ny * cube[ky, c] + nz * nz * cube[kz, c]
            light[v, c] = np.uint8(min(255.0, np.floor(shaded * lit + 0.5)))


class Body:
    """The body of one appearance."""

    def __init__(self, appearance: str) -> None:
        look = APPEARANCES[appearance]
        shapes = build_body(look)
        self.joints = skeleton(look.height_m, shoulder_m(look), stride_m(look))
        self.stride_m = float(self.joints[10])
        self._shapes = shapes
        colours = sorted(set(shapes.colours))
        paint = paints(look)
        self._materials = tuple(Material("person", paint[name]) for name in colours)
        number = {name: k for k, name in enumerate(colours)}
        self._face_material = np.array([number[c] for c in shapes.colours], dtype=np.int32)
        self._uvs = np.zeros((len(shapes.vertices), 2), dtype=np.float32)
        self._instances: dict[int, NDArray[np.int32]] = {}

    def phase(self, walked_m: float) -> float:
        """The phase, in [0, 1), of the stride of a person who has walked so far."""
        strides = walked_m / self.stride_m
        return strides - float(np.floor(strides))

    def mesh(self, state: PersonState, instance: int, cube: F64 | None = None) -> PersonMesh:
        """The body at one moment, as ``instance``, in the light of an ambient cube (6, 3)."""
        return self.posed(state.pose, self.phase(state.walked_m), state.stride, instance, cube)

    def posed(
        self, pose: Pose, phase: float, stride: float, instance: int, cube: F64 | None = None
    ) -> PersonMesh:
        """At a phase of the stride, with strides that full (0: standing)."""
        shapes = self._shapes
        bones = np.empty((BONES, 3, 4))
        pose_bones(self.joints, phase, stride, bones)
        vertices = np.empty((len(shapes.vertices), 3), dtype=np.float32)
        light = np.empty((len(shapes.vertices), 3), dtype=np.uint8)
        place = np.array([pose.x, pose.y, pose.z, np.cos(pose.yaw), np.sin(pose.yaw)])
        _skin(
            shapes.vertices, shapes.normals, shapes.bones, shapes.shares, bones, place,
            _EVEN if cube is None else cube, vertices, light,
        )  # fmt: skip
        if instance not in self._instances:
            self._instances[instance] = np.full(len(shapes.faces), instance, dtype=np.int32)
        return PersonMesh(
            vertices,
            self._uvs,
            light,
            shapes.faces,
            self._instances[instance],
            self._face_material,
            shapes.two_sided,
            self._materials,
            _WHITE,
        )


@lru_cache(maxsize=32)
def body_of(appearance: str) -> Body:
    """The body of an appearance, built once."""
    return Body(appearance)
