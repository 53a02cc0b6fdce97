"""What a room of each type may or may not have, for questions that cannot be guessed.

Things that 6 to 80 % of the generated rooms of a type hold (60 homes and 12 scenes of every other
kind). A toaster in a bathroom is not asked for: nobody would have to look.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["MAYBE_IN"]

_THINGS = {
    "bathroom": "basket, bathtub, bottle, cabinet, candle, mirror, mug, potted plant, radio, "
    "rug, shower, stool, trash can, washing machine",
    "bedroom": "armchair, backpack, basket, bookshelf, candle, chair, clock, desk, dresser, "
    "floor lamp, mirror, mug, phone, plant, potted plant, radio, rug, teddy bear, vase, "
    "wall shelf, wardrobe",
    "copy room": "bottle, box, filing cabinet, phone, trash can",
    "corridor": "bench, fire extinguisher, plant, trash can, wall clock, water cooler",
    "counter": "bottle, bowl, cash register, coffee machine, counter bar, mug, plate, tray",
    "dining room": "bottle, bowl, cabinet, candle, high chair, mug, pendant lamp, plant, plate, "
    "potted plant, radio, rug, vase, wall clock",
    "exam room": "bottle, bowl, clock, keyboard, laptop, monitor, mug, phone, stool, "
    "table lamp, tray, wall clock, wheelchair",
    "hallway": "backpack, bench, bowl, candle, coat rack, mirror, phone, side table, suitcase, "
    "vase",
    "kitchen": "bottle, bowl, candle, chair, coffee machine, dining table, dishwasher, "
    "fire extinguisher, kettle, microwave, mug, picture, plant, plate, potted plant, "
    "shelf unit, toaster, trash can, tray, wall clock",
    "kitchenette": "bottle, bowl, chair, coffee machine, dining table, dishwasher, kettle, mug, "
    "vending machine, wall clock",
    "lab": "bottle, bowl, keyboard, laptop, monitor, mug, phone, table lamp, tray",
    "living room": "armchair, basket, bookshelf, bottle, bowl, cabinet, candle, ceiling fan, "
    "chair, clock, dining table, floor lamp, mug, ottoman, pet bed, phone, piano, plant, "
    "potted plant, radio, refrigerator, side table, speaker, teddy bear, toaster, vase, "
    "wall clock",
    "meeting room": "bottle, cabinet, chair, coffee machine, laptop, mug, office chair, phone, "
    "plant, tray, tv, tv stand, wall clock, whiteboard",
    "office": "armchair, chair, clock, keyboard, laptop, monitor, mug, phone, plant, "
    "potted plant, table lamp, vase, whiteboard",
    "open office": "bookshelf, clock, copier, fire extinguisher, phone, potted plant, "
    "table lamp, vase, wall clock, whiteboard",
    "private office": "armchair, chair, clock, keyboard, laptop, monitor, mug, phone, plant, "
    "potted plant, table lamp, vase, whiteboard",
    "reception": "armchair, bench, chair, coat rack, fire extinguisher, potted plant, sofa, "
    "vase, vending machine, wall clock, water cooler",
    "restroom": "bottle, mirror, picture",
    "sales area": "basket, box, display fridge, fire extinguisher, phone, reception desk, "
    "stool, trash can, tray",
    "seating area": "armchair, bench, bowl, candle, coat rack, coffee table, fire extinguisher, "
    "laptop, phone, plate, sofa, vase, wall clock",
    "storage room": "cabinet, kettle, plate, speaker, vase",
    "study": "armchair, bowl, candle, clock, exercise bike, filing cabinet, floor lamp, "
    "keyboard, laptop, monitor, mug, phone, plant, potted plant, radio, rug, speaker, "
    "table lamp, teddy bear, trash can, vase, wall shelf, whiteboard",
    "waiting room": "armchair, bench, chair, coat rack, coffee table, fire extinguisher, "
    "keyboard, phone, potted plant, side table, sofa, vase, vending machine, wall clock, "
    "water cooler, wheelchair",
}

MAYBE_IN: Mapping[str, tuple[str, ...]] = {
    room: tuple(things.split(", ")) for room, things in _THINGS.items()
}
"""Type of a room → categories."""
