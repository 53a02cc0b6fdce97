"""What tells a room from others: things that are seen in it and seldom elsewhere."""

from __future__ import annotations

from navproof.language.lexicon.terms import ROOM_NAMES

__all__ = ["signs_of"]

_SIGNS: dict[str, tuple[str, ...]] = {
    "bathroom": ("toilet", "washbasin", "bathtub", "shower"),
    "bedroom": ("bed", "wardrobe", "nightstand"),
    "copy room": ("copier", "printer"),
    "counter": ("cash register", "counter bar"),
    "dining room": ("dining table",),
    "exam room": ("exam bed",),
    "kitchen": ("refrigerator", "stove", "kitchen counter", "kitchen sink"),
    "kitchenette": ("refrigerator", "kitchen sink", "coffee machine"),
    "laundry room": ("washing machine",),
    "living room": ("sofa", "tv stand", "coffee table"),
    "meeting room": ("conference table", "whiteboard"),
    "office": ("desk", "office chair"),
    "open office": ("desk", "office chair"),
    "playroom": ("teddy bear", "crib"),
    "private office": ("desk", "office chair"),
    "reception": ("reception desk",),
    "restroom": ("toilet", "washbasin"),
    "sales area": ("display shelf", "cash register"),
    "seating area": ("dining table", "chair"),
    "storage room": ("shelf unit", "box"),
    "study": ("desk", "bookshelf"),
    "waiting room": ("reception desk", "bench", "chair"),
}


def signs_of(room: str) -> tuple[str, ...]:
    """Things that give a room away, most telling first; none for a hall or an unknown room."""
    for kind, names in ROOM_NAMES.items():
        if kind in _SIGNS and any(room.endswith(name.lower()) for name in (kind, *names)):
            return _SIGNS[kind]
    return ()
