"""Whole scenes from a seed: plan, shell, furniture, small things, light."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import numpy as np

from navproof.core.errors import SceneError, SpecError
from navproof.core.registry import suggest
from navproof.core.seeding import keyed
from navproof.core.seeding import rng as stream
from navproof.core.types import Scalar
from navproof.world.assemble import assemble, place_doors, place_windows
from navproof.world.catalog import CATEGORIES, build
from navproof.world.furnish.builder import RoomBuilder
from navproof.world.furnish.commercial import COMMERCIAL_RECIPES
from navproof.world.furnish.home import HOME_RECIPES
from navproof.world.furnish.placed import FLAT_M, Placed, Style
from navproof.world.furnish.placement import Footprint
from navproof.world.furnish.reach import ReachMap
from navproof.world.model import ObjectModel
from navproof.world.plans.floorplan import FloorPlan
from navproof.world.plans.plans import KINDS, ROOM_RANGE, make_plan
from navproof.world.plans.structure import build_structure
from navproof.world.scene import Scene
from navproof.world.textures.finishes import choose_finishes

__all__ = ["KINDS", "ROOM_RANGE", "generate"]

Recipe = Callable[[RoomBuilder], None]
_WOODS = ("brown", "brown", "beige", "white", "black", "grey")
_FABRICS = ("grey", "blue", "beige", "green", "brown", "red", "white", "turquoise", "purple")
_ACCENTS = (
    "red",
    "yellow",
    "orange",
    "pink",
    "turquoise",
    "green",
    "blue",
    "purple",
    "black",
    "white",
)
_BUILT_IN = frozenset({"window", "door"})


def _recipes(kind: str) -> Mapping[str, Recipe]:
    return HOME_RECIPES if kind == "home" else COMMERCIAL_RECIPES


def generate(
    kind: str,
    seed: int,
    *,
    scene_id: str | None = None,
    exclude: Collection[str] = (),
    rooms: int | None = None,
    baked: bool = True,
) -> Scene:
    """A furnished scene; the same arguments give the same bytes.

    ``kind`` is home, office, cafe, shop or clinic. ``exclude`` holds categories out (windows and
    doors cannot be). ``rooms`` asks for a number of rooms. ``baked`` = False leaves the light flat.
    Every room can be reached by a robot of 0.25 m radius. Raises ``SpecError`` for what cannot be.
    """
    for name in sorted(exclude):
        if name not in CATEGORIES:
            raise SpecError(
                f"there is no category '{name}' to hold out{suggest(name, list(CATEGORIES))}"
            )
        if name in _BUILT_IN:
            raise SpecError(f"'{name}' cannot be held out: it is part of the building")
    name = scene_id or f"{kind}-{seed}"
    rng = stream(seed, kind, "layout")
    plan = make_plan(kind, rng, rooms)
    finishes = choose_finishes(plan, stream(seed, kind, "finishes"))
    shell = build_structure(plan, finishes)
    windows, doors = _openings(plan, stream(seed, kind, "openings"))
    things = _furniture(plan, seed, kind, exclude)
    scene = assemble(name, kind, seed, plan, shell, windows, doors, things)
    if baked:
        from navproof.world.light.bake import bake

        scene = bake(scene)
    return scene


def _openings(
    plan: FloorPlan, rng: np.random.Generator
) -> tuple[list[Placed], list[Placed | None]]:
    """The window frames, all of one look, and the door leaves, all of one look except the front
    door."""

    def key() -> int:
        return int(rng.integers(1 << 62))

    window_key, door_key, front_key = key(), key(), key()

    depth = plan.wall_m

    def model(category: str, k: int, **wanted: Scalar) -> ObjectModel:
        return build(category, keyed(k), {"depth_m": depth, **wanted})

    panes = [
        model(
            "window",
            window_key,
            width_m=w.width_m,
            height_m=round(w.head_m - w.sill_m, 4),
            state="closed",
        )
        for w in plan.windows
    ]
    leaves: list[ObjectModel | None] = []
    for d in plan.doors:
        if d.leaf is None:
            leaves.append(None)
            continue
        shut = d.leaf.angle_deg == 0
        swing: dict[str, Scalar] = {} if shut else {"angle_deg": d.leaf.angle_deg}
        which = front_key if d.kind == "front" else door_key
        leaves.append(
            model(
                "door",
                which,
                width_m=d.width_m,
                height_m=d.height_m,
                state="closed" if shut else "open",
                **swing,
            )
        )
    return place_windows(plan, panes), place_doors(plan, leaves)


def _style(rng: np.random.Generator) -> Style:
    fabrics = [str(f) for f in rng.permutation(_FABRICS)]
    accents = [str(a) for a in rng.permutation(_ACCENTS)]
    metal = str(rng.choice(("black", "grey", "white")))
    return Style(str(rng.choice(_WOODS)), metal, tuple(fabrics[:3]), tuple(accents[:4]))


def _furniture(plan: FloorPlan, seed: int, kind: str, exclude: Collection[str]) -> list[Placed]:
    style = _style(stream(seed, kind, "style"))
    recipes = _recipes(kind)
    builders = []
    for room in plan.rooms:
        builder = RoomBuilder(plan, room, style, seed, exclude)
        recipes[room.type](builder)
        builder.ensure_reachable()
        builders.append(builder)
    _check(plan, builders)
    return [thing for builder in builders for thing in builder.placed]


def _check(plan: FloorPlan, builders: list[RoomBuilder]) -> None:
    """Check that every room can be reached in the whole plan; a room that cannot be loses
    furniture."""
    reach = ReachMap(plan.rooms, plan.doors, plan.wall_m)
    for _ in range(len(builders) + 1):
        bodies: list[Footprint] = []
        for b in builders:
            bodies += b.space.bodies
        bodies = [f for f in bodies if f.z0 < 1.8 and f.z1 > FLAT_M]
        mask = reach.reachable(bodies)
        lost = [b for b in builders if not mask[reach.rooms == b.room.id].any()]
        if not lost:
            return
        for b in lost:
            for thing in [p for p in b.placed if p.kind == "floor"]:
                if thing in b.placed:
                    b.remove(thing)
    raise SceneError(f"a {plan.kind} came out with rooms that cannot be reached; try another seed")
