"""The objects of navproof worlds: what there is, and how to build one.

``CATEGORIES`` says what each category may look like; ``build`` makes one with ground truth. The
builders are grouped by family, one module each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from navproof.core.errors import SceneError
from navproof.core.registry import suggest
from navproof.core.types import Scalar
from navproof.world.catalog import (
    bath,
    beds,
    commercial,
    containers,
    decor,
    electronics,
    kitchen,
    lighting,
    openings,
    plants,
    seating,
    small,
    sport,
    storage,
    tables,
    tableware,
    textiles,
)
from navproof.world.catalog.category import REGISTRY, Category, Kit, choose
from navproof.world.model import Mesh, ModelLight, ObjectModel

__all__ = ["CATEGORIES", "Category", "build"]

CATEGORIES: Mapping[str, Category] = MappingProxyType(
    {name: REGISTRY[name].category for name in sorted(REGISTRY)}
)
"""Every category by name."""

_FAMILIES = (
    bath,
    beds,
    commercial,
    containers,
    decor,
    electronics,
    kitchen,
    lighting,
    openings,
    plants,
    seating,
    small,
    sport,
    storage,
    tables,
    tableware,
    textiles,
)
"""The modules whose import registers the categories."""


def build(
    category: str, rng: np.random.Generator, wanted: Mapping[str, Scalar] | None = None
) -> ObjectModel:
    """One object of ``category``, the same for the same ``rng`` state and ``wanted``.

    ``wanted`` forces attributes (``{"colour": "red", "drawers": 3}``) and lengths in metres
    (``{"width_m": 0.9}``); the rest is chosen with ``rng``. Raises ``SceneError`` for a category,
    attribute, value or combination that does not exist. The model's attributes are true of its
    mesh; a pattern is named only where there is one, a count only where it is not 0. Frames are
    those of ``ObjectModel``; a door or window keeps the middle of its opening's sill at the
    origin.
    """
    if category not in REGISTRY:
        raise SceneError(f"there is no category '{category}'{suggest(category, list(REGISTRY))}")
    entry = REGISTRY[category]
    chosen, lengths = choose(entry, rng, wanted or {})
    kit = Kit(rng, chosen, lengths, frozenset(wanted or ()))
    entry.make(kit)
    return _settle(entry.category, kit)


def _settle(what: Category, kit: Kit) -> ObjectModel:
    """Put the finished mesh where its position kind wants it (see ``ObjectModel``)."""
    mesh = kit.b.build()
    low = mesh.vertices.min(axis=0).astype(np.float64)
    high = mesh.vertices.max(axis=0).astype(np.float64)
    shift = -(low + high) / 2
    if what.position_kind == "opening":
        shift[:] = 0.0
    else:
        shift[2] = -high[2] if what.position_kind == "ceiling" else -low[2]
        if what.position_kind == "wall":
            shift[0] = -low[0]
    shift = np.round(shift, 5)
    vertices = np.round(mesh.vertices.astype(np.float64) + shift, 5).astype(np.float32)
    dx, dy, dz = (float(s) for s in shift)
    size = vertices.max(axis=0).astype(np.float64) - vertices.min(axis=0)
    light = kit.light
    if light is not None:
        x, y, z = light.position
        light = ModelLight((x + dx, y + dy, z + dz), light.colour, light.power)
    return ObjectModel(
        category=what.name,
        mesh=Mesh(
            vertices,
            mesh.normals,
            mesh.uvs,
            mesh.faces,
            mesh.face_material,
            mesh.face_two_sided,
            mesh.materials,
        ),
        size=(round(float(size[0]), 5), round(float(size[1]), 5), round(float(size[2]), 5)),
        attributes={k: v for k, v in kit.chosen.items() if v != 0},
        surfaces=tuple(
            replace(s, x=round(s.x + dx, 5), y=round(s.y + dy, 5), z=round(s.z + dz, 5))
            for s in kit.surfaces
        ),
        light=light,
    )
