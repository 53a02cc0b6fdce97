"""A storey's obstacles, its floor and its people as MuJoCo's geoms."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.physics.body import HITS_FLOOR, HITS_OBSTACLES
from navproof.sim.physics.engine import mujoco
from navproof.sim.physics.obstacles import Hull, Piece
from navproof.world.people.people import PERSON_RADIUS_M

__all__ = ["add_floor", "add_obstacles", "add_people", "person_name"]

_PERSON_HEIGHT_M = 1.7
_PERSON_GIVES = (0.03, 1.0)
"""People are soft (MuJoCo's ``solref``): they push a robot along and do not throw it."""
_PERSON_FRICTION = 0.3
_SPARE_M = 0.1


def add_floor(spec: Any, elevation_m: float) -> None:
    """A plane without end. What is lower than step height (rugs, sills) is no obstacle and no
    bump."""
    spec.worldbody.add_geom(
        type=mujoco().mjtGeom.mjGEOM_PLANE,
        size=[0.0, 0.0, 1.0],
        pos=[0.0, 0.0, elevation_m],
        condim=1,
        friction=[0.0, 0.0, 0.0],  # of two geoms in contact, the rougher one counts
        contype=HITS_FLOOR,
        conaffinity=0,
    )


def add_obstacles(spec: Any, pieces: Iterable[Piece], grid: NavGrid) -> None:
    """Those that the robot can come near to."""
    shape = mujoco().mjtGeom
    way_m = ndimage.distance_transform_edt(~grid.navigable) * grid.cell
    for number, piece in enumerate(pieces):
        if not _in_reach(piece, grid, way_m):
            continue
        geom = spec.worldbody.add_geom(
            condim=1, friction=[0.0, 0.0, 0.0], contype=HITS_OBSTACLES, conaffinity=0
        )
        if isinstance(piece, Hull):
            mesh = spec.add_mesh(name=f"piece {number}", uservert=piece.points.ravel().tolist())
            mesh.inertia = mujoco().mjtMeshInertia.mjMESH_INERTIA_CONVEX
            geom.type, geom.meshname = shape.mjGEOM_MESH, mesh.name
        else:
            geom.type, geom.pos = shape.mjGEOM_BOX, piece.centre
            geom.size = [0.5 * s for s in piece.size]
            geom.quat = [math.cos(piece.yaw / 2), 0.0, 0.0, math.sin(piece.yaw / 2)]


def add_people(spec: Any, count: int) -> None:
    """Upright cylinders that are put where people are; nothing moves them otherwise."""
    for number in range(count):
        person = spec.worldbody.add_body(name=person_name(number), mocap=True)
        person.add_geom(
            type=mujoco().mjtGeom.mjGEOM_CYLINDER,
            size=[PERSON_RADIUS_M, _PERSON_HEIGHT_M / 2, 0.0],
            pos=[0.0, 0.0, _PERSON_HEIGHT_M / 2],
            priority=1,  # her contact, not the robot's
            solref=_PERSON_GIVES,
            condim=3,
            friction=[_PERSON_FRICTION, 0.0, 0.0],
            contype=HITS_OBSTACLES,
            conaffinity=0,
        )


def person_name(number: int) -> str:
    return f"person {number}"


def _in_reach(piece: Piece, grid: NavGrid, way_m: NDArray[np.float64]) -> bool:
    """Whether the robot fits somewhere so near to the piece that it could touch it; ``way_m`` is
    the distance of each cell from where the robot fits."""
    if isinstance(piece, Hull):
        x0, y0, x1, y1 = piece.bounds
    else:
        cos, sin = abs(math.cos(piece.yaw)), abs(math.sin(piece.yaw))
        reach_x = (piece.size[0] * cos + piece.size[1] * sin) / 2
        reach_y = (piece.size[0] * sin + piece.size[1] * cos) / 2
        x0, x1 = piece.centre[0] - reach_x, piece.centre[0] + reach_x
        y0, y1 = piece.centre[1] - reach_y, piece.centre[1] + reach_y
    r0, c0 = (max(0, i) for i in grid.cell_of(x0, y0))
    r1, c1 = grid.cell_of(x1, y1)
    near = way_m[r0 : r1 + 1, c0 : c1 + 1]
    return bool(near.size) and bool(near.min() <= grid.radius + _SPARE_M)
