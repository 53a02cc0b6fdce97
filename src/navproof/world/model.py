"""An object before it stands in a scene: its mesh in its own frame, and its true attributes.

Local frame: the origin is the middle of the footprint on its lowest plane, z is up, and +x is the
*front* (the side that a person uses: a sofa's seat side, a fridge's door). A wall-hung thing has
its back plane at x = 0 and its middle at y = 0. A ceiling thing hangs down from z = 0 (its heights
are negative).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Point, Scalar
from navproof.world.scene import RGB, Material

__all__ = ["Mesh", "ModelLight", "ObjectModel", "Surface"]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles with their looks; counter-clockwise seen from outside. uvs in texture repeats."""

    vertices: NDArray[np.float32]  # (v, 3)
    normals: NDArray[np.float32]  # (v, 3) unit
    uvs: NDArray[np.float32]  # (v, 2)
    faces: NDArray[np.int32]  # (f, 3)
    face_material: NDArray[np.int32]  # (f,) into materials
    face_two_sided: NDArray[np.bool_]  # (f,)
    materials: tuple[Material, ...]


@dataclass(frozen=True, slots=True)
class Surface:
    """A flat place where small things can stand: a rectangle at height z with free air above."""

    x: float
    y: float
    z: float
    size_x: float
    size_y: float
    clearance_m: float


@dataclass(frozen=True, slots=True)
class ModelLight:
    """A light inside the object (a lit lamp's bulb)."""

    position: Point
    colour: RGB
    power: float


@dataclass(frozen=True, eq=False)
class ObjectModel:
    """An object's mesh and ground truth; ``size`` is the full extent of the mesh along x, y, z."""

    category: str
    mesh: Mesh
    size: tuple[float, float, float]
    attributes: Mapping[str, Scalar]
    surfaces: tuple[Surface, ...] = ()
    light: ModelLight | None = None
