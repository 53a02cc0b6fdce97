"""The coverings of floors, walls and ceilings, chosen by room type and at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from navproof.world.plans.floorplan import FloorPlan, PlanRoom
from navproof.world.plans.plans import WALL_COLOURS
from navproof.world.scene import RGB, Material
from navproof.world.textures.library import TEXTURE_SIZE_M
from navproof.world.textures.palette import shade, srgb

__all__ = ["Finish", "Finishes", "choose_finishes"]


@dataclass(frozen=True, slots=True)
class Finish:
    """A material and the metres that one repeat of its texture covers."""

    material: Material
    repeat_m: float = 1.0


@dataclass(frozen=True)
class Finishes:
    """The finishes of one plan, by room id; ``accents`` override single walls."""

    floors: Mapping[int, Finish]
    walls: Mapping[int, Finish]
    accents: Mapping[tuple[int, int], Finish]
    ceilings: Mapping[int, Finish]
    skirting: Finish
    trim: Finish
    threshold: Finish
    dark: Finish

    def floor(self, room: PlanRoom) -> Finish:
        return self.floors[room.id]

    def wall(self, room: PlanRoom, index: int) -> Finish:
        return self.accents.get((room.id, index), self.walls[room.id])

    def ceiling(self, room: PlanRoom) -> Finish:
        return self.ceilings[room.id]


_WOODS: tuple[RGB, ...] = (
    srgb(206, 160, 108),
    srgb(176, 124, 78),
    srgb(142, 92, 56),
    srgb(222, 190, 146),
    srgb(168, 150, 132),
)
_CARPETS: tuple[RGB, ...] = (
    srgb(188, 176, 158),
    srgb(140, 142, 148),
    srgb(122, 136, 154),
    srgb(172, 148, 128),
    srgb(150, 158, 138),
)
_TILES: tuple[RGB, ...] = (
    srgb(222, 218, 210),
    srgb(190, 188, 184),
    srgb(206, 190, 166),
    srgb(150, 154, 158),
    srgb(196, 150, 122),
)
_WET = frozenset({"bathroom", "restroom", "laundry room"})
_COOKING = frozenset({"kitchen", "kitchenette", "counter", "lab"})


def _finish(texture: str, tint: RGB, tint2: RGB = (1.0, 1.0, 1.0)) -> Finish:
    return Finish(Material(texture, tint, tint2), TEXTURE_SIZE_M.get(texture, 1.0))


def choose_finishes(plan: FloorPlan, rng: np.random.Generator) -> Finishes:
    """One set of woods and tiles per plan, carpets and wall paints per room."""

    def pick(options: tuple[RGB, ...]) -> RGB:
        return options[int(rng.integers(len(options)))]

    commercial = plan.kind != "home"
    wood, tile, wall_tile = pick(_WOODS), pick(_TILES), pick(_TILES[:3])
    boards = str(rng.choice(("planks", "laminate", "parquet")))
    floors: dict[int, Finish] = {}
    walls: dict[int, Finish] = {}
    accents: dict[tuple[int, int], Finish] = {}
    ceilings: dict[int, Finish] = {}
    for room in plan.rooms:
        paint = WALL_COLOURS[room.colour]
        roll = float(rng.random())
        if room.type in _WET:
            floors[room.id] = _finish("small_tiles" if roll < 0.3 else "floor_tiles", tile)
        elif room.type in _COOKING:
            floors[room.id] = _finish("floor_tiles", tile) if roll < 0.6 else _finish(boards, wood)
        elif room.type in ("storage room", "copy room"):
            floors[room.id] = _finish("concrete" if roll < 0.5 else "floor_tiles", tile)
        elif room.type in ("exam room", "waiting room") or (commercial and room.type == "corridor"):
            floors[room.id] = _finish("floor_tiles", tile) if roll < 0.6 else _finish(boards, wood)
        elif room.type in ("open office", "meeting room", "private office", "reception", "office"):
            carpet = pick(_CARPETS)
            floors[room.id] = _finish("carpet", carpet) if roll < 0.65 else _finish(boards, wood)
        elif room.type in ("bedroom", "study", "playroom") and roll < 0.3:
            floors[room.id] = _finish("carpet", pick(_CARPETS))
        else:
            floors[room.id] = _finish(boards, wood)
        choice = float(rng.random())
        if room.type in _WET:
            tiled = shade(paint, 0.95) if room.name != room.type else wall_tile
            walls[room.id] = _finish("tiles", tiled) if choice < 0.8 else _finish("plaster", paint)
        elif room.type in ("bedroom", "dining room") and choice < 0.2:
            walls[room.id] = _finish("wallpaper", paint, shade(paint, 1.18))
        else:
            walls[room.id] = _finish("plaster", paint)
        count = len(room.polygon)
        if room.type in ("living room", "dining room", "seating area", "sales area"):
            if choice > 0.72:
                accents[room.id, int(rng.integers(count))] = _finish("bricks", (1.0, 1.0, 1.0))
        elif room.type == "kitchen" and choice > 0.8:
            walls[room.id] = _finish("tiles", shade(paint, 1.05))
        if commercial and plan.kind in ("office", "clinic"):
            ceilings[room.id] = _finish("ceiling_tiles", (0.9, 0.9, 0.88))
        else:
            ceilings[room.id] = _finish("plaster", (0.88, 0.87, 0.85))
    white = bool(rng.random() < 0.7)
    trim = _finish("plain", srgb(238, 236, 230)) if white else _finish("wood", pick(_WOODS[:3]))
    return Finishes(
        floors,
        walls,
        accents,
        ceilings,
        trim,
        trim,
        _finish("wood", shade(wood, 0.8)),
        _finish("plain", (0.03, 0.03, 0.03)),
    )
