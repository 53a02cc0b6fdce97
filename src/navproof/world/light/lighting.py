"""Changing the lights of a baked scene without baking it again."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SceneError
from navproof.core.jit import jit
from navproof.world.scene import LIGHT_UNIT, BakedLight, Geometry, LightLayer, Scene

__all__ = ["LAYER_UNIT", "Lighting", "combine", "relight"]

LAYER_UNIT = 1024
"""``LightLayer.direct`` is stored as uint16; this value means a multiplier of 1.0."""
_BAYER = (
    np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], dtype=np.float32) + 0.5
) / np.float32(16.0)
"""Ordered dither before rounding: without it, dim walls would show bands."""


@dataclass(frozen=True, slots=True)
class Lighting:
    """Multipliers on the baked light: of everything, and of each kind of source.

    ``off`` holds ids of lights that are switched off. The default is the light as baked.
    """

    brightness: float = 1.0
    daylight: float = 1.0
    ceiling: float = 1.0
    lamps: float = 1.0
    off: frozenset[int] = frozenset()

    def gain(self, light: int, kind: str) -> float:
        """The factor on a source of that id and kind ("ambient" has no factor of its own)."""
        if light in self.off:
            return 0.0
        own = {"ceiling": self.ceiling, "lamp": self.lamps, "window": self.daylight}
        return self.brightness * own.get(kind, 1.0)


def relight(scene: Scene, lighting: Lighting) -> Scene:
    """The scene under other light: new light arrays and emissions, all else shared.

    Light is a sum over sources, so the result is exact: L = Σ gain · layer, rounded once. A source
    that is dimmed or off dims the emission of its fixture (shade, panel, window) alike.
    """
    if scene.baked is None:
        raise SceneError(f"scene {scene.id} has no baked light: bake it before changing its light")
    values = (lighting.brightness, lighting.daylight, lighting.ceiling, lighting.lamps)
    if not all(0.0 <= v < 1e3 for v in values):
        raise SceneError(f"a light multiplier must be between 0 and 1000, not {values}")
    known = {light.id for light in scene.lights}
    if not lighting.off <= known:
        unknown = sorted(lighting.off - known)
        raise SceneError(f"scene {scene.id} has no light {unknown[0]} to switch off")
    vertices, lightmap = combine(scene.baked, scene.geometry, lighting)
    geometry = replace(scene.geometry, light=vertices, lightmap=lightmap)
    return replace(scene, geometry=_dim_fixtures(scene, geometry, lighting))


def combine(
    baked: BakedLight, geometry: Geometry, lighting: Lighting
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """``Geometry.light`` (v, 3) and ``Geometry.lightmap`` (h, w, 3) of the layers under it."""
    rooms = len(baked.layers[0].bounce)
    given_back = np.zeros((rooms, 3), dtype=np.float64)
    for layer in baked.layers:
        given_back += lighting.gain(layer.light, layer.kind) * layer.bounce.astype(np.float64)
    total = np.zeros((len(baked.point_room), 3), dtype=np.float32)
    _add_bounce(total, baked.point_room, baked.openness, given_back.astype(np.float32))
    for layer in baked.layers:
        gain = lighting.gain(layer.light, layer.kind)
        if gain > 0.0 and len(layer.direct):
            _add_direct(total, baked.point_room, *_scaled(layer, gain, rooms))
    total *= np.float32(LIGHT_UNIT)
    count, (height, width, _) = len(geometry.vertices), geometry.lightmap.shape
    texels = total[count:].reshape(height, width, 3)
    texels += np.tile(_BAYER, (-(-height // 4), -(-width // 4)))[:height, :width, None]
    total[:count] += np.float32(0.5)
    levels = np.minimum(total, np.float32(255.0)).astype(np.uint8)
    return levels[:count].copy(), levels[count:].reshape(height, width, 3).copy()


def _scaled(
    layer: LightLayer, gain: float, rooms: int
) -> tuple[NDArray[np.bool_], NDArray[np.uint16], NDArray[np.float32]]:
    member = np.zeros(rooms, dtype=np.bool_)
    member[list(layer.rooms)] = True
    colour = np.array([gain * c / LAYER_UNIT for c in layer.colour], dtype=np.float32)
    return member, layer.direct, colour


@jit
def _add_bounce(
    total: NDArray[np.float32],
    point_room: NDArray[np.int16],
    openness: NDArray[np.uint8],
    given_back: NDArray[np.float32],
) -> None:
    for i in range(total.shape[0]):
        room = point_room[i]
        if room >= 0:
            share = np.float32(openness[i]) / np.float32(255.0)
            for c in range(3):
                total[i, c] = share * given_back[room, c]


@jit
def _add_direct(
    total: NDArray[np.float32],
    point_room: NDArray[np.int16],
    member: NDArray[np.bool_],
    direct: NDArray[np.uint16],
    colour: NDArray[np.float32],
) -> None:
    k = 0
    for i in range(total.shape[0]):
        room = point_room[i]
        if room >= 0 and member[room]:
            value = np.float32(direct[k])
            k += 1
            for c in range(3):
                total[i, c] += value * colour[c]


def _dim_fixtures(scene: Scene, geometry: Geometry, lighting: Lighting) -> Geometry:
    """Scale the emission of every fixture whose source no longer has gain 1."""
    materials = list(geometry.materials)
    number = {material: k for k, material in enumerate(materials)}
    face_material = geometry.face_material.copy()
    for light in scene.lights:
        gain = lighting.gain(light.id, light.kind)
        if light.object_id is None or gain == 1.0:
            continue
        mine = np.flatnonzero(geometry.face_instance == light.object_id)
        for k in np.unique(face_material[mine]):
            material = materials[k]
            if material.emission > 0.0:
                dimmed = replace(material, emission=round(material.emission * gain, 6))
                if dimmed not in number:
                    number[dimmed] = len(materials)
                    materials.append(dimmed)
                face_material[mine[face_material[mine] == k]] = number[dimmed]
    return replace(geometry, materials=tuple(materials), face_material=face_material)
