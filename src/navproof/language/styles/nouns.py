"""What each style calls rooms and things.

Every row: the words for one thing | friendly | novice | professional | formal. All are names of the
same concept (``concepts``), singular; plurals are formed. ``=`` leaves the word as it is.
Indented lines go on with the row above.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["NOUNS", "NOUN_STYLES", "plural_of"]

NOUN_STYLES = ("friendly", "novice", "professional", "formal")
_TABLE = """
bathroom, washroom, bath room | bathroom | bathroom | restroom, washroom | lavatory, washroom
restroom | bathroom | bathroom | washroom, = | lavatory, washroom
bedroom, bed room | bedroom | bedroom | bedroom, sleeping room | bedchamber, sleeping quarters
living room, livingroom, sitting room, family room, living area | living room, lounge
    | living room | living area, lounge area | drawing room, parlour, sitting room
lounge | living room, = | living room | living area | drawing room, parlour
dining room, dinning room, dining area | dining room | dining room, eating room | dining area
    | dining hall
kitchen | kitchen | kitchen | kitchen area, food preparation area | kitchen area
hallway, hall way | hall, = | hall, hallway | corridor, passageway | corridor, passage
hall | hallway, = | hall, hallway | corridor, passageway | corridor, passage
corridor | hallway, hall | hall, hallway | passageway, = | passageway, passage
passage, passageway | hallway, hall | hall | corridor | corridor
office | office | office | workspace, office area | office
study | study | study room | study | study
laundry room, laundry | laundry room | laundry room | utility room, laundry area
    | laundry facility, utility room
closet | closet | closet | walk-in closet, = | =
gym, workout room, exercise room | gym | gym, exercise room | fitness room
    | gymnasium, fitness suite
theater, home theater, movie room | movie room | movie room | home theater
    | screening room, cinema room
meeting room, conference room | meeting room | meeting room | conference room
    | conference room, boardroom
storage room | storeroom | storage room | storage area | storage area, storeroom
waiting room | waiting area, = | waiting room | waiting area | waiting area
exam room | exam room | exam room | examination room, treatment room | examination room
reception area | lobby, = | reception area | reception area, front desk area | reception area
patio | patio | patio | terrace, = | terrace
porch | porch | porch | veranda, = | veranda
house | house, home | house, home | residence | residence, dwelling
home | house | house | residence | residence
pantry | pantry | pantry | = | larder
playroom | play room | play room | playroom | children's room
couch | couch, sofa | couch, sofa | sofa | settee, divan
sofa | couch | couch, sofa | sofa | settee, divan
refrigerator | fridge | fridge | refrigeration unit, refrigerator | refrigeration unit
fridge | fridge | fridge | refrigerator | refrigeration unit
tv, television | telly, TV | TV | television set, television | television set
tv stand | TV stand, TV unit | TV stand | media console, television stand
    | television stand, media console
toilet | toilet, loo | toilet | toilet, = | commode
bathtub, tub | tub | tub, bathtub | bathtub | bathing tub
washbasin | sink | sink | basin, wash basin | wash basin, hand basin
sink | sink | sink | basin, wash basin | wash basin, basin
rug | rug | rug, carpet | area rug | floor covering
carpet | carpet, rug | carpet, rug | = | floor covering
painting | picture, = | picture | artwork, framed picture | work of art, artwork
picture | picture | picture | artwork, framed picture | work of art, painting
stairs, staircase, stairway, stairwell, set of stairs, flight of stairs | stairs | stairs
    | staircase, flight of stairs, stairway | flight of stairs, staircase, stairway
doorway, door way | doorway, entrance | doorway | entryway, doorway | entranceway, entryway
entryway, entry way, entranceway, entrance way | entrance, entryway | entrance
    | entry, entrance | entranceway, entrance
entrance | entrance, entryway | entrance | entryway, entry | entranceway
archway, arch | arch, archway | arch | arched opening | arched opening, arched passage
opening | opening | opening, open gap | aperture, opening | aperture
wardrobe | wardrobe | clothes cupboard, wardrobe | wardrobe, armoire | armoire
armoire | wardrobe | wardrobe | wardrobe | wardrobe
dresser | dresser, chest of drawers | chest of drawers, dresser | drawer unit, chest of drawers
    | chest of drawers
chest of drawers | dresser | dresser | drawer unit | =
nightstand, night stand | bedside table, nightstand | bedside table, night table
    | bedside cabinet, nightstand | bedside cabinet, night table
bookshelf | bookshelf, bookcase | bookshelf, book shelf | bookcase | bookcase
bookcase | bookshelf | bookshelf | bookcase | =
cabinet | cupboard, cabinet | cupboard, cabinet | storage cabinet, cabinet | credenza, sideboard
desk | desk | desk, work desk | work desk, desk | writing desk, bureau
countertop | counter | counter | countertop, worktop | worktop
counter | counter | counter | countertop, counter | worktop, =
stove | stove, cooker | stove, cooker | cooking range, stove | cooking range
oven | oven | oven, cooker | oven, = | cooking range
fireplace, fire place | fireplace | fireplace, fire place | fireplace, hearth | hearth
plant | plant, house plant | plant | houseplant, indoor plant | potted plant, indoor plant
potted plant, houseplant | plant | plant | indoor plant, potted plant | indoor plant
trash can | bin, garbage can | bin, trash can | waste bin | waste receptacle
mirror | mirror | mirror | wall mirror, mirror | looking glass
armchair | easy chair, armchair | armchair, easy chair | upholstered chair, armchair
    | easy chair, upholstered chair
ottoman | pouf, footstool | footstool, foot stool | footrest, ottoman | footstool
floor lamp | standing lamp, floor lamp | standing lamp | standing lamp, floor lamp | standard lamp
coffee table | coffee table, low table | low table | coffee table, low table
    | cocktail table, low table
side table | end table, side table | end table, side table | accent table, occasional table
    | occasional table
banister, bannister, railing | banister, railing | railing, handrail | handrail, railing
    | handrail, banister
washing machine, washer | washer, washing machine | washing machine
    | washing machine, laundry machine | laundry machine
elevator | lift, elevator | elevator | lift, elevator | lift
suitcase | suitcase | suitcase | travel case, suitcase | travel case
column | pillar, column | pillar | column, = | pillar, column
pillar | pillar | pillar | column, pillar | column, pillar
curtain | curtain, drape | curtain | curtain, drape | drape
middle | middle | middle | center, midpoint | centre
center, centre | middle | middle | center, midpoint | centre, midpoint
large | big | big | large, sizeable | sizeable, large
big | big | big | large | sizeable, large
small | little, tiny | small, little | small, compact | small, compact
little | little, tiny | small | small, compact | small
"""
_IRREGULAR = {
    "bookshelf": "bookshelves",
    "book shelf": "book shelves",
    "stairs": "stairs",
    "sleeping quarters": "sleeping quarters",
    "children's room": "children's rooms",
    "flight of stairs": "flights of stairs",
    "set of stairs": "sets of stairs",
    "chest of drawers": "chests of drawers",
    "work of art": "works of art",
}
_NO_PLURAL = ("large", "big", "small", "little", "tiny", "sizeable", "compact", "middle", "centre")


def plural_of(name: str) -> str:
    """The plural of a name as it is written: "wash basin" → "wash basins"."""
    if name in _IRREGULAR:
        return _IRREGULAR[name]
    if name.endswith(("s", "x", "ch", "sh")):
        return f"{name}es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"


def _names(cell: str) -> list[str]:
    return [name.strip() for name in cell.split(",") if name.strip()]


def _read() -> dict[str, dict[str, tuple[str, ...]]]:
    nouns: dict[str, dict[str, tuple[str, ...]]] = {style: {} for style in NOUN_STYLES}
    for row in _TABLE.replace("\n    ", " ").strip().splitlines():
        words, *cells = row.split("|")
        for word in _names(words):
            for style, cell in zip(NOUN_STYLES, cells, strict=True):
                chosen = [word if name == "=" else name for name in _names(cell)]
                nouns[style][word] = tuple(chosen)
                if word not in _NO_PLURAL and not re.search(r"\bstairs$", word):
                    nouns[style].setdefault(plural_of(word), tuple(map(plural_of, chosen)))
    return nouns


NOUNS: Mapping[str, Mapping[str, tuple[str, ...]]] = _read()
"""Style → word → what may stand for it, of the same number."""
