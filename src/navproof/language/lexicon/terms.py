"""What people call things: other names, broader words, and words for attributes.

``SYNONYMS`` gives each category's names, ``HYPERNYMS`` the broader words ("seat"), and
``ATTRIBUTE_WORDS`` how each value is said before a noun or after it. A part of the words is marked
held out (a trailing ``*`` in the tables): training never uses those, so that they measure what is
understood of words never trained on. The words of goals (``nouns.noun``) are never held out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from navproof.core.types import Scalar
from navproof.language.lexicon.nouns import could_mean, noun
from navproof.world.catalog import CATEGORIES

__all__ = [
    "ATTRIBUTE_WORDS",
    "HELD_OUT",
    "HYPERNYMS",
    "MASS_NOUNS",
    "NUMBER_WORDS",
    "ROOM_NAMES",
    "SYNONYMS",
    "AttributeWords",
    "covers",
    "unsure",
]

_NAMES = {
    "air conditioner": "AC unit, air conditioning unit, aircon*",
    "armchair": "arm chair, lounge chair, upholstered chair",
    "backpack": "knapsack, school bag, rucksack*",
    "basket": "woven basket, storage basket, hamper*",
    "bathtub": "tub, bath*",
    "bed": "bedstead, place to sleep",
    "bench": "bench seat, pew*",
    "bicycle": "bike, push bike, cycle*",
    "book": "volume, hardback, novel*",
    "bookshelf": "book shelf, bookshelves, bookcase*",
    "bottle": "drinks bottle, flask*",
    "bowl": "serving bowl, salad bowl",
    "box": "packing box, parcel, package, carton*",
    "cabinet": "sideboard, storage cabinet, cupboard, credenza*",
    "candle": "wax candle, taper*",
    "cash register": "register, checkout register, till*",
    "ceiling fan": "fan, overhead fan, ventilator*",
    "ceiling light": "ceiling lamp, overhead light, light on the ceiling, luminaire*",
    "chair": "dining chair, kitchen chair",
    "clock": "desk clock, table clock, timepiece*",
    "coat rack": "coat stand, coat tree, clothes rack, hat stand*",
    "coffee machine": "coffee maker, espresso machine, coffee brewer*",
    "coffee table": "low table, living room table, cocktail table*",
    "conference table": "meeting table, meeting room table, boardroom table*",
    "copier": "copy machine, copying machine, photocopier*",
    "counter bar": "bar counter, service counter, serving counter",
    "crib": "baby bed, cradle, infant bed, cot*",
    "curtain": "curtains, window curtain, window curtains, drapes*, drape*",
    "cushion": "throw cushion, sofa cushion, scatter cushion*",
    "desk": "writing desk, work desk, office desk, writing table, bureau*",
    "dining table": "kitchen table, dining room table, dinner table*",
    "dishwasher": "dish washer, dishwashing machine",
    "display fridge": "drinks fridge, glass-door fridge, refrigerated display, beverage cooler*",
    "display shelf": "shop shelf, store shelf, merchandise shelf, retail rack*",
    "door": "room door, interior door",
    "dresser": "chest of drawers, drawer chest, drawer unit, tallboy*",
    "exam bed": "examination table, examination bed, medical bed, treatment table, gurney*",
    "exercise bike": "stationary bike, fitness bike, exercise bicycle, spinning bike*",
    "filing cabinet": "file cabinet, office cabinet, document cabinet*",
    "fire extinguisher": "extinguisher",
    "fireplace": "fire place, mantelpiece, hearth*",
    "floor lamp": "standing lamp, floor light, torchiere, standard lamp*",
    "high chair": "highchair, baby chair, child's chair, feeding chair*",
    "kettle": "tea kettle, water kettle, teakettle*",
    "keyboard": "computer keyboard, typing keyboard",
    "kitchen counter": "countertop, kitchen unit, kitchen cabinets, worktop*",
    "kitchen island": "island, island counter, kitchen block*",
    "kitchen sink": "sink unit, dish sink, sink",
    "laptop": "laptop computer, portable computer, notebook*",
    "microwave": "microwave oven",
    "mirror": "wall mirror, looking glass*",
    "monitor": "computer monitor, computer screen, desktop screen",
    "mug": "coffee mug, tea mug, cup*",
    "nightstand": "night stand, bedside table, bedside cabinet, night table*",
    "office chair": "desk chair, computer chair, rolling chair, swivel chair*",
    "ottoman": "footrest, foot rest, footstool, hassock, pouf*",
    "partition": "divider, partition wall, folding screen, room divider*",
    "pendant lamp": "pendant light, hanging lamp, hanging light, suspended lamp*",
    "pet bed": "dog bed, cat bed, bed for a pet, dog basket*",
    "phone": "handset, telephone*",
    "piano": "upright piano, pianoforte*",
    "picture": "picture, framed picture, wall art, print, canvas, artwork*",
    "pillow": "bed pillow, head pillow",
    "plant": "potted plant, indoor plant, pot plant, plant in a pot, houseplant*, house plant*",
    "plate": "dinner plate, serving plate",
    "potted plant": "indoor plant, pot plant, plant in a pot, houseplant*, house plant*",
    "printer": "desktop printer, laser printer, inkjet*",
    "radiator": "heating radiator, central heating radiator, heater*",
    "radio": "radio set, portable radio, tuner*",
    "range hood": "kitchen hood, exhaust hood, vent hood, cooking hood, extractor hood*",
    "reception desk": "front desk, reception counter, welcome desk, check-in desk*",
    "refrigerator": "fridge, fridge freezer, icebox*",
    "rug": "area rug, floor mat, mat, carpet*",
    "shelf unit": "storage shelves, utility shelf, storage rack, shelving*",
    "shower": "shower cabin, shower cubicle, shower stall*",
    "side table": "occasional table, accent table, end table*",
    "sofa": "settee, divan, lounge sofa, couch*",
    "speaker": "audio speaker, stereo speaker, loudspeaker*",
    "stool": "tabouret*",
    "stove": "oven, cooking range, kitchen stove, cooker*",
    "suitcase": "travel case, travel bag, trolley case, luggage*",
    "table lamp": "desk lamp, bedside lamp, table light, reading lamp*",
    "teddy bear": "teddy, stuffed bear, plush bear, stuffed animal, toy bear, plushie*",
    "toaster": "bread toaster, toasting machine*",
    "toilet": "toilet bowl, WC, loo, lavatory*",
    "towel": "hand towel, bathroom towel",
    "trash can": "bin, garbage can, waste bin, rubbish bin, trash bin, wastebasket*, dustbin*",
    "tray": "serving tray, tea tray, breakfast tray*",
    "tv": "TV set, TV screen, telly, television*",
    "tv stand": "TV bench, TV unit, TV table, media unit, media console*",
    "vase": "flower vase, vase for flowers, urn*",
    "vending machine": "snack machine, drinks machine, snack dispenser*",
    "wall cabinet": "wall cupboard, hanging cabinet, upper cabinet, overhead cabinet, wall unit*",
    "wall clock": "hanging clock, clock on the wall, timepiece*",
    "wall shelf": "floating shelf, hanging shelf, ledge*",
    "wardrobe": "armoire, clothes cupboard, clothes cabinet, closet*",
    "washbasin": "bathroom sink, sink, basin*",
    "washing machine": "clothes washer, clothes washing machine, laundry machine*",
    "water cooler": "drinking water machine, water dispenser*",
    "wheelchair": "wheel chair, mobility chair*",
    "whiteboard": "white board, marker board, writing board, dry-erase board*",
    "window": "casement, window frame, glazing*",
}
"""Other names of each category; ``*`` marks those that training never sees."""

_SEATS = "armchair, bench, chair, high chair?, office chair, ottoman, sofa, stool, wheelchair?"
_TABLES = "coffee table, conference table, dining table, side table, desk?, nightstand?"
_SHELVES = "bookshelf, display shelf, shelf unit, wall shelf"
_STORES = f"cabinet, dresser, filing cabinet, wall cabinet, wardrobe, {_SHELVES}, nightstand?"
_KITCHEN = "coffee machine, dishwasher, kettle, microwave, refrigerator, stove, toaster"
_SCREENS = "monitor, tv, laptop?"
_OFFICE = "copier, keyboard, laptop, monitor, phone, printer"
_BROADER = {
    "seat": _SEATS,
    "seating": _SEATS,
    "place to sit": _SEATS,
    "furniture": f"{_SEATS}, {_TABLES}, {_STORES}, bed, crib, desk, nightstand, reception desk, "
    "tv stand, coat rack?, counter bar?, exam bed?, kitchen counter?, kitchen island?, "
    "kitchen sink?, partition?, pet bed?, piano?, rug?, fireplace?, floor lamp?",
    "table": _TABLES,
    "lamp": "floor lamp, pendant lamp, table lamp, ceiling light?",
    "light": "ceiling light, floor lamp, pendant lamp, table lamp, candle?",
    "light fixture": "ceiling light, pendant lamp, floor lamp?, table lamp?",
    "shelf": _SHELVES,
    "storage furniture": _STORES,
    "cupboard": "cabinet, wall cabinet, wardrobe?, kitchen counter?, kitchen sink?",
    "appliance": f"{_KITCHEN}, display fridge, range hood, washing machine, air conditioner?, "
    "ceiling fan?, tv?, vending machine?, water cooler?, radiator?, radio?",
    "kitchen appliance": f"{_KITCHEN}, display fridge?, range hood, washing machine?",
    "machine": "coffee machine, copier, dishwasher, printer, vending machine, washing machine, "
    "exercise bike?, cash register?, microwave?, toaster?, water cooler?, air conditioner?",
    "container": "basket, bottle, bowl, box, mug, trash can, vase, suitcase?, backpack?, kettle?, "
    "tray?, plate?",
    "vessel": "bottle, bowl, mug, vase, kettle?, plate?",
    "tableware": "bowl, mug, plate, bottle?, tray?, kettle?",
    "crockery": "bowl, mug, plate, vase?, tray?",
    "dish": "bowl, plate, tray?, mug?",
    "bag": "backpack, suitcase",
    "textile": "curtain, cushion, pillow, rug, towel, teddy bear?, pet bed?, bed?",
    "electronics": f"{_OFFICE}, radio, speaker, tv, cash register?, vending machine?, clock?, "
    "microwave?, air conditioner?, ceiling light?",
    "electronic device": f"{_OFFICE}, radio, speaker, tv, cash register?, vending machine?, "
    "clock?, microwave?, air conditioner?, coffee machine?, toaster?, kettle?",
    "office equipment": f"{_OFFICE}, whiteboard?, filing cabinet?, office chair?, desk?",
    "screen": f"{_SCREENS}, partition?, phone?",
    "decoration": "candle, picture, plant, potted plant, vase, clock?, cushion?, mirror?, rug?, "
    "teddy bear?, wall clock?, curtain?, bowl?, book?",
    "ornament": "candle, vase, bowl?, clock?, mirror?, picture?, plant?, potted plant?, "
    "teddy bear?, wall clock?",
    "bathroom fixture": "bathtub, shower, toilet, washbasin, mirror?, towel?, radiator?, "
    "kitchen sink?",
    "sink": "kitchen sink, washbasin",
    "counter": "counter bar, kitchen counter, kitchen island?, reception desk?",
    "plant": "plant, potted plant",
    "toy": "teddy bear",
}
"""Broader words; ``?`` marks categories for which the word is neither right nor wrong."""

MASS_NOUNS = frozenset(
    {
        *("seating", "furniture", "storage furniture", "tableware", "crockery", "electronics"),
        *("office equipment", "curtains", "window curtains", "drapes", "kitchen cabinets"),
        *("storage shelves", "bookshelves", "wall art", "luggage", "artwork", "shelving"),
        "glazing",
    }
)
"""Names said without "a": "some seating", "the curtains"."""

_SAID = {
    "colour": {
        "black": "black, jet-black, ebony",
        "white": "white, snow-white",
        "grey": "grey, gray",
        "red": "red, crimson, scarlet*",
        "orange": "orange, tangerine*",
        "yellow": "yellow, lemon-yellow",
        "green": "green, emerald",
        "blue": "blue, cobalt-blue, azure*",
        "purple": "purple, mauve, violet*",
        "pink": "pink, rose-coloured",
        "brown": "brown, chestnut-brown",
        "beige": "beige, sand-coloured, tan*",
        "turquoise": "turquoise, aqua, cyan, teal*",
    },
    "material": {
        "wood": "wooden, wood, timber* | made of wood, of wood",
        "metal": "metal, metallic, steel* | made of metal, of metal",
        "plastic": "plastic | made of plastic",
        "fabric": "fabric, cloth* | made of fabric, covered in fabric",
        "leather": "leather | made of leather, covered in leather",
        "glass": "glass | made of glass, of glass",
        "ceramic": "ceramic, porcelain* | made of ceramic",
        "marble": "marble, stone | made of marble, of marble",
        "wicker": "wicker, rattan* | made of wicker",
        "cardboard": "cardboard | made of cardboard",
        "paper": "paper | made of paper",
        "wax": "wax | made of wax",
        "plush": "plush, fluffy | made of plush",
    },
    "pattern": {
        "striped": "striped, stripy*, stripe-patterned | with stripes, with a striped pattern",
        "checkered": "checkered, checked, chequered* | with checks, with a checkered pattern",
        "dotted": "polka-dot, dotted, spotted* | with dots, with polka dots, with a dotted pattern",
        "floral": "floral, flowery*, flower-patterned | with a floral pattern, "
        "with a flower pattern, with flowers printed on it",
        "plaid": "plaid, tartan* | with a plaid pattern",
        "zigzag": "zigzag-patterned, zigzag, chevron* | with zigzags, with a zigzag pattern",
    },
    "size": {
        "small": "small, tiny, small-sized, little*",
        "medium": "medium-sized, medium, mid-sized",
        "large": "large, big, large-sized, huge*",
    },
    "state": {
        "on": "switched-on, turned-on, illuminated* | on, switched on, turned on",
        "off": "switched-off, turned-off | off, switched off, turned off",
        "lit": "lit, burning | lit, burning, alight*",
        "unlit": "unlit | unlit, not lit, not burning",
        "open": "open, opened | open, standing open",
        "closed": "closed, shut* | closed",
        "ajar": "half-open, slightly open, ajar, open | ajar, slightly open, half open, open",
        "empty": "empty | empty, with nothing in it",
        "filled": "filled, full | filled with water, full of water",
        "full": "full, filled | full, filled, with a drink in it",
        "made": "made, neatly made | made, neatly made, tidy*",
        "unmade": "unmade, messy | unmade, messy, not made",
        "drawn": "drawn, closed | drawn, closed",
        "clean": "clean, blank* | clean, with nothing written on it",
        "written on": "written-on | written on, with writing on it",
        "with fruit": "| with fruit, with fruit in it, full of fruit, holding fruit*",
        "with food": "| with food, with food on it",
        "with toast": "| with toast, with toast in it",
        "with flowers": "| with flowers, with flowers in it, holding flowers*",
    },
    "modifier": {
        "abstract": "abstract | of an abstract composition",
        "alarm": "alarm",
        "arched": "arched, arc, curved",
        "armless": "armless | without armrests",
        "backed": "| with a backrest, with a back",
        "backless": "backless | without a backrest, without a back",
        "bar": "bar, high, tall",
        "built-in": "built-in, fitted",
        "bunk": "bunk",
        "cat": "cat | of a cat, showing a cat",
        "city": "city, cityscape | of a city, showing a city",
        "cone": "cone, conical, cone-shaped",
        "curved": "curved | with a curved front",
        "desk": "desk, landline*",
        "digital": "digital",
        "double": "double",
        "drum": "drum, drum-shaped, cylindrical",
        "electric": "electric",
        "executive": "executive, high-backed | with armrests",
        "floral": "floral, flower | of flowers, showing flowers",
        "freestanding": "freestanding, free-standing",
        "gas": "gas",
        "geometric": "geometric | with geometric shapes, of geometric shapes",
        "globe": "globe, spherical, ball-shaped",
        "L-shaped": "L-shaped, corner",
        "landscape": "landscape | of a landscape, showing a landscape",
        "leafy": "leafy, bushy | with many leaves",
        "long": "long, strip, elongated",
        "low": "low, short",
        "marble-topped": "marble-topped, marble-top | with a marble top, with a stone top",
        "mobile": "mobile, cell",
        "oval": "oval, elliptical*",
        "palm-like": "palm-like, palm",
        "panelled": "panelled, paneled | with panels",
        "pedestal": "pedestal | on a pedestal",
        "portrait": "portrait | of a person, showing a person",
        "rectangular": "rectangular, oblong*",
        "round": "round, circular*",
        "seascape": "seascape, sea | of the sea, showing the sea",
        "single": "single",
        "slat-back": "slat-back, slatted | with a slatted back",
        "solid-back": "solid-back | with a solid back",
        "spiky": "spiky | with pointed leaves, with spiky leaves",
        "square": "square",
        "tree-like": "tree-like, tall",
        "tripod": "tripod, three-legged | on a tripod, with three legs",
        "vanity": "vanity | in a vanity, with a vanity unit",
        "wingback": "wingback, winged | with wings",
        "wood-topped": "wood-topped, wooden-topped | with a wooden top",
    },
}
"""How each value is said: "before the noun | after the noun"; ``*`` as above. Values that nobody
mentions ("straight", "easy") are left out."""

_ROOMS = {
    "bathroom": "bathroom, room with a toilet",
    "bedroom": "bedroom, room to sleep in, bed room",
    "copy room": "copy room, copier room, print room",
    "corridor": "corridor, passage",
    "counter": "counter area, service area",
    "dining room": "dining room, dining area",
    "exam room": "exam room, examination room, treatment room",
    "fitting room": "fitting room, changing room",
    "hallway": "hallway, hall, entrance hall",
    "kitchen": "kitchen, cooking area",
    "kitchenette": "kitchenette, tea kitchen, small kitchen",
    "lab": "lab, laboratory",
    "laundry room": "laundry room, utility room",
    "living room": "living room, lounge, sitting room, family room",
    "meeting room": "meeting room, conference room",
    "office": "office, office room",
    "open office": "open office, open-plan office, shared office",
    "playroom": "playroom, play room, children's room",
    "private office": "private office, single office",
    "reception": "reception area, reception, front desk area",
    "restroom": "restroom, public toilet, washroom",
    "sales area": "sales area, shop floor, store",
    "seating area": "seating area, sitting area",
    "storage room": "storage room, storeroom, store room",
    "study": "study, home office, work room",
    "waiting room": "waiting room, waiting area",
}

NUMBER_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen"),
)


@dataclass(frozen=True, slots=True)
class AttributeWords:
    """Words for one attribute value: ``before`` the noun ("wooden"), ``after`` it ("made of
    wood"). The usual word comes first."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def _split(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]


def _plain(words: str) -> tuple[str, ...]:
    return tuple(word.rstrip("*") for word in _split(words))


def _held(words: str) -> list[str]:
    return [word[:-1].lower() for word in _split(words.replace("|", ",")) if word.endswith("*")]


def _sayings(words: str) -> AttributeWords:
    before, _, after = words.partition("|")
    return AttributeWords(_plain(before), _plain(after))


SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {name: _plain(_NAMES[name]) for name in CATEGORIES}
)
"""Category → what people call it besides ``nouns.noun``, held-out names included."""

HYPERNYMS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        word: frozenset(c for c in _split(names) if not c.endswith("?"))
        for word, names in _BROADER.items()
    }
)
"""Broader word → the categories that it surely covers."""

ATTRIBUTE_WORDS: Mapping[str, Mapping[Scalar, AttributeWords]] = MappingProxyType(
    {
        key: MappingProxyType({value: _sayings(words) for value, words in values.items()})
        for key, values in _SAID.items()
    }
)
"""Attribute → value → its words, held-out words included."""

ROOM_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {room: _plain(words) for room, words in _ROOMS.items()}
)
"""Type of a room → what people call it."""

HELD_OUT: frozenset[str] = frozenset(
    word for table in (_NAMES, *_SAID.values()) for words in table.values() for word in _held(words)
)
"""Lower-case names and attribute words that training must never use."""


def _meant() -> dict[str, frozenset[str]]:
    meant: dict[str, set[str]] = {word: set(names) for word, names in HYPERNYMS.items()}
    for category, names in SYNONYMS.items():
        for name in (noun(category), category, *names):
            meant.setdefault(name.lower(), set()).add(category)
    for name, found in meant.items():
        found |= {c for c in CATEGORIES if noun(c).lower().endswith(name)}
    return {name: frozenset(found) for name, found in meant.items()}


def _unsure() -> dict[str, frozenset[str]]:
    found = {}
    for name, sure in _MEANT.items():
        maybe = {c for c in CATEGORIES if any(could_mean(s, c) for s in sure)}
        maybe |= {c[:-1] for c in _split(_BROADER.get(name, "")) if c.endswith("?")}
        found[name] = frozenset(maybe - sure)
    return found


_MEANT = _meant()
_UNSURE = _unsure()


def covers(name: str) -> frozenset[str]:
    """The categories that ``name`` names: its own, and those whose names end so ("bike": a
    bicycle, an exercise bike). Empty for an unknown name."""
    return _MEANT.get(name.lower(), frozenset())


def unsure(name: str) -> frozenset[str]:
    """Categories for which ``name`` is neither right nor wrong: they look like what it names
    (``nouns.could_mean``), or people differ on the word."""
    return _UNSURE.get(name.lower(), frozenset())
