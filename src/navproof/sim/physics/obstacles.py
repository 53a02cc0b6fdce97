"""What a robot can run into: a storey's triangles as convex pieces, for engines that need them.

Only what lies between step height and the robot's height counts, as in the navigation grid
(``sim.geodesic.navgrid``). The triangles of an instance that hang together make one part (a table's
leg, its top). A part without hollows becomes its convex hull, which is exact, and so does a part
that is smaller than ``SMALL_M``. Any other (the walls of a flat, a sofa's shell) becomes one thin
slab per triangle, behind the side that is seen, so that no hollow is filled.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull, QhullError

from navproof.core.errors import SimulationError
from navproof.core.types import CEILING, FLOOR
from navproof.sim.geodesic.navgrid import STEP_M
from navproof.world.scene import Box, Scene

__all__ = ["HOLLOW_M", "SLAB_M", "SMALL_M", "Hull", "Piece", "obstacles"]

HOLLOW_M = 0.03
"""A part may bulge this far beyond its own surface and still be taken for convex."""
SMALL_M = 0.35
"""Hollows that are no wider are filled: a disc of radius 0.3 m enters them by 6 cm at most."""
SLAB_M = 0.01
"""Thickness of what stands for a surface; the fastest robot goes 2 mm in one step of physics."""
_WELD_M = 1e-4
_FLAT = 1e-3
_MOST_PIECES = 50_000
_MOST_CHECKS = 4_000_000
F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Hull:
    """The convex hull of ``points``, (n, 3) in the world."""

    points: F64

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Least x and y, greatest x and y."""
        (x0, y0, _), (x1, y1, _) = self.points.min(axis=0), self.points.max(axis=0)
        return float(x0), float(y0), float(x1), float(y1)


Piece: TypeAlias = Box | Hull


def obstacles(scene: Scene, height_m: float, storey: int = 0) -> tuple[Piece, ...]:
    """The convex pieces of a storey between step height and ``height_m`` above its floor."""
    base = scene.storeys[storey].elevation_m
    low, high = base + STEP_M, base + height_m
    pieces: dict[bytes, Piece] = {}
    for triangles in _parts(scene, low, high):
        for piece in _pieces(triangles, low, high):
            pieces.setdefault(_key(piece), piece)
            if len(pieces) > _MOST_PIECES:
                raise SimulationError(
                    f"scene {scene.id} is too detailed for the physics tier: more than "
                    f"{_MOST_PIECES} convex pieces on a storey"
                )
    return tuple(pieces.values())


def _parts(scene: Scene, low: float, high: float) -> Iterator[F64]:
    """The triangles (n, 3, 3) of each connected part that reaches into the band."""
    g = scene.geometry
    vertices = g.vertices.astype(np.float64)
    for instance in np.unique(g.face_instance):
        if instance in (FLOOR, CEILING):
            continue
        corners = vertices[g.faces[g.face_instance == instance]]
        if corners[..., 2].max() <= low or corners[..., 2].min() >= high:
            continue
        welded = np.round(corners.reshape(-1, 3) / _WELD_M).astype(np.int64)
        _, index = np.unique(welded, axis=0, return_inverse=True)
        faces = index.reshape(-1, 3)
        count = int(faces.max()) + 1
        a, b = faces[:, [0, 1]].ravel(), faces[:, [1, 2]].ravel()
        links = coo_matrix((np.ones(len(a)), (a, b)), shape=(count, count))
        _, label = connected_components(links, directed=False)
        part = label[faces[:, 0]]
        order = np.argsort(part, kind="stable")
        ends = np.flatnonzero(np.diff(part[order])) + 1
        yield from (corners[one] for one in np.split(order, ends))


def _pieces(triangles: F64, low: float, high: float) -> Iterator[Piece]:
    z = triangles[..., 2]
    triangles = triangles[(z.max(axis=1) > low) & (z.min(axis=1) < high)]
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(normals, axis=1)
    real = length > 1e-10
    triangles, normals = triangles[real], normals[real] / length[real, None]
    if len(triangles) == 0:
        return
    points = _clip(triangles, low, high)
    if len(points) == 0:
        return
    if np.ptp(points[:, :2], axis=0).max() <= SMALL_M or _is_convex(triangles, normals, points):
        yield _solid(points, normals[int(np.argmax(length[real]))])
        return
    for triangle, normal in zip(triangles, normals, strict=True):
        points = _clip(triangle[None], low, high)
        if len(points) >= 3:
            yield _slab(points, normal)


def _is_convex(triangles: F64, normals: F64, points: F64) -> bool:
    """No point lies in front of any triangle by more than ``HOLLOW_M``. (A part of many thousand
    triangles is a scan of a room: taken for hollow without a look.)"""
    if len(triangles) * len(points) > _MOST_CHECKS:
        return False
    offset = np.einsum("nk,nk->n", normals, triangles[:, 0])
    return float((normals @ points.T - offset[:, None]).max()) <= HOLLOW_M


def _clip(triangles: F64, low: float, high: float) -> F64:
    """Corners of the triangles' parts with low ≤ z ≤ high, each once."""
    corners = triangles.reshape(-1, 3)
    parts = [corners[(corners[:, 2] >= low) & (corners[:, 2] <= high)]]
    start, end = corners, triangles[:, [1, 2, 0]].reshape(-1, 3)
    for level in (low, high):
        crossing = (start[:, 2] - level) * (end[:, 2] - level) < 0.0
        a, b = start[crossing], end[crossing]
        t = ((level - a[:, 2]) / (b[:, 2] - a[:, 2]))[:, None]
        cut = a + t * (b - a)
        cut[:, 2] = level
        parts.append(cut)
    points = np.concatenate(parts)
    if len(points) == 0:
        return points
    _, first = np.unique(np.round(points / _WELD_M).astype(np.int64), axis=0, return_index=True)
    return points[np.sort(first)]


def _solid(points: F64, normal: F64) -> Piece:
    """The hull of the points; a slab where they lie in a plane."""
    try:
        hull = ConvexHull(points)
    except QhullError:
        return _slab(points, normal)
    if hull.volume < 0.5 * _FLAT * hull.area:
        return _slab(points, normal)
    corners = points[np.sort(hull.vertices)]
    return _as_box(corners) or Hull(corners)


def _slab(points: F64, normal: F64) -> Piece:
    """A surface with these corners, made thick behind the side where ``normal`` points."""
    if abs(normal[2]) < _FLAT:
        return _upright_slab(points, normal)
    return Hull(np.concatenate([points, points - SLAB_M * normal]))


def _upright_slab(points: F64, normal: F64) -> Box:
    """A box behind a vertical surface, over its whole length and height."""
    direction = np.array([-normal[1], normal[0]]) / math.hypot(normal[0], normal[1])
    s = points[:, :2] @ direction
    z0, z1 = float(points[:, 2].min()), float(points[:, 2].max())
    mid = direction * (s.min() + s.max()) / 2.0
    back = normal[:2] * (float(points[0, :2] @ normal[:2]) - SLAB_M / 2.0)
    centre = (float(mid[0] + back[0]), float(mid[1] + back[1]), (z0 + z1) / 2.0)
    size = (float(np.ptp(s)), SLAB_M, z1 - z0)
    return Box(centre, size, math.atan2(direction[1], direction[0]))


def _as_box(points: F64) -> Box | None:
    """The upright box whose corners these are, or None."""
    z0, z1 = float(points[:, 2].min()), float(points[:, 2].max())
    level = (points[:, 2] < z0 + _FLAT) | (points[:, 2] > z1 - _FLAT)
    _, first = np.unique(np.round(points[:, :2] / _FLAT), axis=0, return_index=True)
    if len(points) != 8 or len(first) != 4 or not level.all():
        return None
    plan = points[first, :2]
    centre = plan.mean(axis=0)
    reach = np.linalg.norm(plan - centre, axis=1)
    if np.ptp(reach) > _FLAT:
        return None
    turn = np.argsort(np.arctan2(*(plan - centre).T[::-1]))
    a, b, c, _ = plan[turn]
    along, across = b - a, c - b
    if abs(float(along @ across)) > _FLAT * float(np.linalg.norm(along)):
        return None
    size = (float(np.linalg.norm(along)), float(np.linalg.norm(across)), z1 - z0)
    yaw = math.atan2(float(along[1]), float(along[0]))
    return Box((float(centre[0]), float(centre[1]), (z0 + z1) / 2.0), size, yaw)


def _key(piece: Piece) -> bytes:
    """Equal for pieces that are the same to a tenth of a millimetre."""
    if isinstance(piece, Hull):
        return np.round(piece.points / _WELD_M).astype(np.int64).tobytes()
    values = (*piece.centre, *piece.size, piece.yaw)
    return np.round(np.array(values) / _WELD_M).astype(np.int64).tobytes()
