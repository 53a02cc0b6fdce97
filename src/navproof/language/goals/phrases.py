"""The ways to say each piece of a goal description. Every list holds phrases of one meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from navproof.language.lexicon.nouns import adjective, article, noun
from navproof.language.lexicon.terms import NUMBER_WORDS
from navproof.world.catalog import CATEGORIES

__all__ = [
    "OTHER_NAMES",
    "Tail",
    "attribute",
    "counted",
    "in_order",
    "names",
    "negated",
    "place",
    "standing",
]

_ORDER = ("size", "state", "shape", "colour", "pattern", "number", "material", "modifier")
_SHAPES = ("round", "square", "oval", "rectangular", "long", "low", "arched", "curved")

_ADJECTIVAL = (
    "L-shaped",
    "abstract",
    "armless",
    "backless",
    "built-in",
    "digital",
    "electric",
    "floral",
    "freestanding",
    "geometric",
    "leafy",
    "marble-topped",
    "palm-like",
    "panelled",
    "spiky",
    "wood-topped",
)
"""Modifiers that can stand after "is"; the others name a kind ("is not a bar stool")."""
_DEPICTED = ("cat", "city")

_STATES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("", "on"): ("that is on", "that is switched on", "that is turned on"),
    ("", "off"): ("that is off", "that is switched off", "that is turned off"),
    ("", "open"): ("open", "that is open"),
    ("", "closed"): ("closed", "that is closed"),
    ("", "ajar"): ("that is ajar", "with its door ajar"),
    ("", "lit"): ("lit", "burning", "that is lit"),
    ("", "unlit"): ("unlit", "that is unlit"),
    ("", "made"): ("neatly made", "that is made"),
    ("", "unmade"): ("unmade", "that is unmade"),
    ("", "empty"): ("empty", "that is empty"),
    ("", "full"): ("full", "that is full"),
    ("", "filled"): ("filled", "that is filled with water"),
    ("", "drawn"): ("drawn", "that is drawn"),
    ("", "clean"): ("clean", "that is clean"),
    ("", "written on"): ("that has been written on", "that has writing on it"),
    ("bowl", "with fruit"): ("with fruit", "with fruit in it", "of fruit"),
    ("plate", "with food"): ("with food", "with food on it"),
    ("toaster", "with toast"): ("with toast in it", "with toast"),
    ("vase", "with flowers"): ("with flowers", "with flowers in it"),
    ("toilet", "open"): ("with its lid up", "with the lid up"),
    ("toilet", "closed"): ("with its lid down", "with the lid down"),
    ("shower", "open"): ("with its door open", "with the door open"),
    ("shower", "closed"): ("with its door closed", "with the door closed"),
}
_NOT_STATES: Mapping[str, tuple[str, ...]] = {
    "on": ("is not on", "is not switched on", "is not turned on"),
    "off": ("is not off", "is not switched off"),
    "with fruit": ("has no fruit in it",),
    "with food": ("has no food on it",),
    "with toast": ("has no toast in it",),
    "with flowers": ("has no flowers in it",),
    "written on": ("has not been written on",),
}
_COUNTED = {
    "doors": ("{}-door",),
    "drawers": ("{}-drawer",),
    "seats": ("{}-seater", "{}-seat"),
    "blades": ("{}-blade",),
    "panels": ("{}-panel",),
    "panes": (),
    "shelves": ("{}-shelf",),
    "cushions": (),
    "pillows": (),
}
_TIERED = ("wall shelf", "bookshelf", "display shelf")
_SINGULAR = {"shelves": "shelf"}

_FLAT_TOPPED = (
    "cabinet",
    "conference table",
    "counter bar",
    "desk",
    "dining table",
    "dishwasher",
    "dresser",
    "filing cabinet",
    "kitchen counter",
    "tv stand",
)
"""Supports whose things all stand on top; in shelves they may stand in the middle."""
_LIES = ("book", "keyboard", "phone", "tray", "cushion", "pillow", "laptop", "rug", "pet bed")
_FIXED = (
    "bathtub",
    "counter bar",
    "dishwasher",
    "fireplace",
    "kitchen counter",
    "kitchen island",
    "kitchen sink",
    "partition",
    "plate",
    "radiator",
    "reception desk",
    "shower",
    "stove",
    "toilet",
    "washbasin",
    "washing machine",
)
"""Things of which one says that they are somewhere, not that they stand there."""
_PLACES: Mapping[str, tuple[str, ...]] = {
    "on": ("on", "on", "on", "on top of"),
    "next to": ("next to", "next to", "beside", "right next to", "right beside"),
    "between": ("between", "in between"),
    "left of": ("to the left of", "to the left of", "on the left of"),
    "right of": ("to the right of", "to the right of", "on the right of"),
    "behind": ("behind", "right behind"),
    "in front of": ("in front of", "right in front of"),
    "under": ("under", "underneath", "beneath"),
    "above": ("above", "over", "right above"),
}


OTHER_NAMES: Mapping[str, str] = {
    "bathtub": "tub",
    "coffee machine": "coffee maker",
    "conference table": "meeting table",
    "copier": "copy machine",
    "filing cabinet": "file cabinet",
    "keyboard": "computer keyboard",
    "laptop": "laptop computer",
    "microwave": "microwave oven",
    "monitor": "computer monitor",
    "mug": "coffee mug",
    "nightstand": "bedside table",
    "office chair": "desk chair",
    "ottoman": "footstool",
    "picture": "picture",
    "reception desk": "front desk",
    "refrigerator": "fridge",
    "rug": "area rug",
    "sofa": "settee",
    "trash can": "garbage can",
    "tv": "TV set",
    "wardrobe": "armoire",
}
"""Another name that means the same things as the usual one, and no others."""
_RARELY = 8  # one in so many


@dataclass(frozen=True, slots=True)
class Tail:
    """Something said behind the noun: as a phrase ("on the desk"), where it can be one, and as
    the verb of a relative clause ("stands on the desk")."""

    verb: str
    phrase: str | None = None


def names(category: str) -> tuple[str, ...]:
    """The usual name many times, another one once."""
    usual = (noun(category),) * (_RARELY - 1)
    return (*usual, OTHER_NAMES[category]) if category in OTHER_NAMES else usual[:1]


def attribute(category: str, key: str, value: str) -> tuple[str, ...]:
    """Adjectives, "with …", "of …" or "that is …" that tell an attribute."""
    if key == "state":
        return _STATES.get((category, value)) or _STATES.get(("", value), (value,))
    word = adjective(category, key, value)
    if word.endswith("-framed"):
        return word, f"with {article(value)} {value} frame"
    if key == "modifier" and value in _DEPICTED:
        return word, f"of a {value}"
    return (word,)


def counted(category: str, key: str, count: int) -> tuple[str, ...]:
    """ "with two doors", "two-door"."""
    number = NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else str(count)
    part = _SINGULAR.get(key, key.removesuffix("s")) if count == 1 else key
    plain = f"with {number} {part}"
    if key == "shelves" and category == "shelf unit":
        return (plain,)  # not "four-shelf shelf unit"
    if key == "shelves" and category in _TIERED:
        tiers = (f"{number}-tier",)
        return tiers if category == "wall shelf" else (plain, *tiers)
    if count == 1:
        return plain, f"with a single {part}"
    front = tuple(form.format(number) for form in _COUNTED[key])
    if key == "seats":
        return front
    return (plain, plain, *front)


def in_order(front: Mapping[str, str]) -> list[str]:
    """Adjectives in the order of English: size, state, shape, colour, …, kind."""
    sorted_by = {
        "number" if key not in _ORDER else "shape" if word in _SHAPES else key: word
        for key, word in front.items()
    }
    return [sorted_by[key] for key in _ORDER if key in sorted_by]


def negated(category: str, key: str, value: str) -> tuple[str, ...]:
    """Verbs of a relative clause that deny an attribute: "is not black"."""
    said = adjective(category, key, value)
    if key == "state" and value in _NOT_STATES:
        return _NOT_STATES[value]
    if key == "material" and said == value:
        return f"is not made of {value}", f"isn't made of {value}"
    if said.endswith("-framed"):
        return (f"does not have {article(value)} {value} frame",)
    if key == "modifier" and value in _DEPICTED:
        return f"is not of a {value}", f"does not show a {value}"
    if key == "modifier" and value not in (*_SHAPES, *_ADJECTIVAL):
        what = value if value == "portrait" else f"{value} {noun(category)}"
        return f"is not {article(what)} {what}", f"isn't {article(what)} {what}"
    return f"is not {said}", f"isn't {said}"


def place(relation: str, anchor: str) -> tuple[str, ...]:
    """Prepositions of a relation to an anchor of that category."""
    ways = _PLACES[relation]
    if relation == "on" and anchor not in _FLAT_TOPPED:
        return ("on",)
    kind = CATEGORIES[anchor].position_kind if anchor in CATEGORIES else "floor"
    if relation == "under" and kind in ("wall", "opening", "ceiling"):
        return "under", "below"
    return ways


def standing(category: str, kind: str = "on") -> tuple[tuple[str, str], ...]:
    """(verb, participle or "") for where such a thing is: "stands", "standing"."""
    if category in _FIXED:
        return (("is", ""),)
    if category in _LIES:
        return ("is", ""), ("lies", "lying")
    where = CATEGORIES[category].position_kind if category in CATEGORIES else "floor"
    if where in ("wall", "ceiling"):
        return ("is", ""), ("hangs", "hanging")
    if kind == "on":
        return ("is", ""), ("sits", "sitting"), ("stands", "standing")
    return ("is", ""), ("stands", "standing")
