"""What stands in offices, cafés, shops and clinics."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from navproof.world._groups import ceiling_lights, pictures, plants
from navproof.world.furnish import RoomBuilder
from navproof.world.recipes_home import bathroom

__all__ = ["COMMERCIAL_RECIPES"]


def plain(b: RoomBuilder) -> None:
    plants(b, 2)
    pictures(b, 2)
    ceiling_lights(b)


COMMERCIAL_RECIPES: Mapping[str, Callable[[RoomBuilder], None]] = dict.fromkeys(
    (
        "reception",
        "corridor",
        "open office",
        "meeting room",
        "private office",
        "kitchenette",
        "copy room",
        "storage room",
        "exam room",
        "office",
        "lab",
        "waiting room",
        "seating area",
        "counter",
        "kitchen",
        "sales area",
        "fitting room",
    ),
    plain,
) | {"restroom": bathroom}
