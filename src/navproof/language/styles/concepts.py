"""What words stand for the same thing, and which words carry no navigational content.

``CONCEPTS`` and ``ROOMS`` give the names of one thing, ``DIRECTIONS`` those of one relation to the
route, ``STOPPING`` the ways to end it, ``NEGATIONS`` those to forbid something. ``NEUTRAL`` are
words that can come and go without changing where one walks: grammar, verbs of moving, courtesies.
Everything else is content, known or not.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "CONCEPTS",
    "DIRECTIONS",
    "NEGATIONS",
    "NEUTRAL",
    "NEUTRAL_PHRASES",
    "NUMBERS",
    "ROOMS",
    "STOPPING",
    "word_set",
]


def word_set(text: str) -> frozenset[str]:
    """The words of a list written with spaces."""
    return frozenset(text.split())


ROOMS: Mapping[str, str] = {
    "bathroom": "bath room, lavatory, restroom, rest room, washroom, powder room, wc",
    "bedroom": "bed room, sleeping quarters, bedchamber, sleeping room, bed chamber",
    "kitchen": "kitchen area, kitchen space, cooking area, food preparation area",
    "living room": "livingroom, sitting room, lounge, lounge area, family room, drawing room, "
    "living area, living room area, sitting area, parlour, parlor, living space, siting room",
    "dining room": "dinning room, dining area, dinning area, dining hall, dining room area, "
    "dining space, eating room, formal dining room",
    "hallway": "hall, corridor, passage, passageway, hall way",
    "office": "office area, office room, workspace, office space",
    "study": "study area, home office, study room",
    "laundry room": "utility room, laundry area, laundry facility, laundry",
    "closet": "walk in closet, walk-in closet, walk-in wardrobe, clothes closet",
    "gym": "workout room, exercise room, fitness room, fitness area, gymnasium, fitness suite",
    "theater": "theatre, home theater, home theatre, movie room, screening room, cinema room",
    "meeting room": "conference room, boardroom",
    "storage room": "storeroom, store room, storage area",
    "waiting room": "waiting area",
    "reception": "reception area, front desk area, lobby",
    "exam room": "examination room, treatment room",
    "patio": "terrace",
    "porch": "veranda, verandah",
    "garage": "car garage",
    "playroom": "play room, children's room",
    "house": "home, residence, dwelling",
    "pantry": "larder",
    "room": "chamber",
    "area": "space, zone",
}
"""Room → its other names."""

CONCEPTS: Mapping[str, str] = {
    "sofa": "couch, settee, divan, lounge sofa, coach, love seat, loveseat",
    "refrigerator": "fridge, refrigeration unit, icebox, fridge freezer",
    "television": "tv, tv set, tv screen, television set, telly",
    "tv stand": "television stand, tv unit, television unit, media unit, media console, tv bench",
    "toilet": "loo, commode, toilet bowl",
    "bathtub": "tub, bath, bath tub, bathing tub",
    "washbasin": "sink, basin, wash basin, bathroom sink, hand basin",
    "kitchen sink": "sink unit, dish sink",
    "rug": "carpet, area rug, floor covering, floor rug",
    "painting": "picture, framed picture, artwork, piece of art, work of art, art piece",
    "stairs": "staircase, stairway, stairwell, flight of stairs, set of stairs, stair, staircases",
    "step": "stair step",
    "doorway": "door way, entranceway, entryway, entry way, entrance, entry, entrance way",
    "door": "room door",
    "archway": "arch way, arch, arched opening, arched passage",
    "opening": "aperture, open gap",
    "wardrobe": "armoire, clothes cupboard",
    "dresser": "chest of drawers, drawer unit",
    "nightstand": "night stand, bedside table, bedside cabinet, night table",
    "bookshelf": "bookcase, book shelf, book case",
    "cabinet": "cupboard, storage cabinet, sideboard, credenza",
    "desk": "writing desk, work desk, bureau",
    "counter": "countertop, worktop, counter top",
    "stove": "oven, cooker, cooking range",
    "fireplace": "fire place, hearth, mantelpiece, mantle",
    "plant": "potted plant, houseplant, house plant, indoor plant, plant pot, pot plant",
    "trash can": "bin, garbage can, waste bin, trash bin, wastebasket, dustbin, waste receptacle",
    "mirror": "looking glass, wall mirror",
    "armchair": "arm chair, easy chair, upholstered chair",
    "ottoman": "footstool, foot stool, footrest, pouf",
    "lamp": "light fitting, luminaire",
    "floor lamp": "standing lamp, standard lamp",
    "coffee table": "low table, cocktail table",
    "side table": "end table, occasional table, accent table",
    "banister": "bannister, handrail, railing, rail",
    "washing machine": "washer, clothes washer, laundry machine",
    "elevator": "lift",
    "window": "casement",
    "curtain": "drape",
    "suitcase": "travel case, luggage",
    "pillar": "column",
    "end": "far end",
    "middle": "center, centre, midpoint",
    "top": "upper end",
    "bottom": "foot, base, lower end",
    "corner": "angle",
    "floor": "storey, level",
    "large": "big, sizeable, sizable, huge, giant",
    "small": "little, tiny, compact",
    "grey": "gray, silver-grey",
    "wooden": "wood, timber",
    "first": "1st, initial",
    "last": "final",
    "before": "prior to, ahead of",
    "sink area": "washing area",
}
"""Thing, part of a place, or quality → its other names."""

NEGATIONS: tuple[str, ...] = (
    *("not", "never", "without", "don't", "dont", "doesn't", "didn't", "isn't", "aren't"),
    *("cannot", "can't", "won't"),
)
DIRECTIONS: Mapping[str, str] = {
    "left": "left-hand, lefthand, leftmost, leftward, leftwards, left hand, left-hand side, "
    "left hand side, left side",
    "right": "right-hand, righthand, rightmost, rightward, rightwards, right hand, "
    "right-hand side, right hand side, right side",
    "straight": "straight ahead, straight forward, straight on, straight forwards, ahead, forward, "
    "forwards, directly ahead, onward, onwards, foward, dead ahead, directly forward",
    "up": "ascend, ascending, climb, climbing, climb up, climbing up, upward, upwards, mount, "
    "head up, upstairs, going up, go up",
    "down": "descend, descending, climb down, climbing down, downward, downwards, downstairs, "
    "go down, going down",
    "around": "turn around, 180 degrees, 180 degree, 180 degree turn, back around, about face, "
    "about-face, turn about, round",
    "past": "pass, passing, passed, passes, pass by, passing by, walk by, go by, walking by, "
    "move by, beyond, head by, pass in front of",
    "through": "thru, across, cross, crossing, crosses, along, follow, following, traverse, "
    "traversing, via, by way of, pass through, passing through, using, go across, alongside of",
    "into": "enter, entering, enters, inside, inside of, in to, indoors, entered",
    "out": "exit, exiting, leave, leaving, out of, depart, depart from, departing, departing from, "
    "vacate, vacating, have left, step out of, exit from",
    "outside": "outdoors, outside of",
    "onto": "on to, out onto",
    "between": "in between, in-between",
    "behind": "at the back of, in back of, to the rear of",
    "front": "in front of, in front, at the front of, to the front of, facing, face",
    "near": "next to, beside, by, adjacent to, adjacent, close to, alongside, nearby, close by, "
    "in the vicinity of, at the side of, close beside, over by",
    "opposite": "across from, opposite to, opposite from",
    "under": "beneath, underneath, below",
    "over": "above",
    "away": "away from",
    "back": "backward, backwards",
    "after": "following on from",
    "slight": "slightly, a bit, gently, bear, bearing, veer, veering, a slight, gentle",
    "sharp": "sharply, hard, a sharp",
}
"""Direction or relation → the words that tell it, verbs included."""

STOPPING = (
    *("stop", "stopping", "stopped", "wait", "waiting", "halt", "halting", "pause", "pausing"),
    *("stand", "standing", "stay", "staying", "remain", "remaining", "cease", "stand by"),
    *("come to a stop", "come to a halt", "come to rest", "come to a standstill", "park yourself"),
    *("come to a complete stop", "come to a full stop", "hold position", "hold your position"),
    *("cease all movement", "cease movement", "hang out", "hang tight", "stop moving"),
    *("stop walking", "terminate movement", "discontinue movement", "remain stationary"),
    *("stand still", "await", "stay put", "take up position", "bring yourself to a halt"),
    *("conclude your journey", "hold up", "terminate the route", "stop and wait", "standstill"),
)

_COUNTS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NUMBERS: Mapping[str, str] = {
    **{word: str(value) for value, word in enumerate((*_COUNTS, "eleven", "twelve"))},
    **{word: f"{value}th" for value, word in enumerate(_ORDINALS, start=2)},
    "2nd": "2th",
    "3rd": "3th",
}
"""Number words → digits; ordinals end in "th" whatever the number ("first" is a word of its
own)."""

NEUTRAL_PHRASES = (
    *("90 degrees", "90 degree", "ninety degrees", "90 degree turn", "over to", "up to", "head on"),
    *("all the way", "at all", "as well", "get to", "by all means"),
    *("one more time", "one step at a time", "on over to", "on over", "first of all", "next up"),
    *("to begin", "step by step", "so far", "take your leave of", "on in"),
    *("make a beeline", "in the direction of", "at this point", "in due course"),
    *("from that point", "from this point", "the route", "little bit", "by the way"),
    *("at the beginning", "at the start", "no rush", "take your time", "go ahead and"),
    *("i am not very good at this", "sorry if not"),
    *("hold on", "come on", "the rest of the way", "way to go"),
    *("as you go", "on foot", "such time as", "at which point", "as follows"),
    "easy peasy",
    *("following this", "following that", "with care", "in order to"),
    *("by now", "up next", "if you would", "in turn", "a little", "on your way"),
)

NEUTRAL = word_set(
    """
    a an the this that these those it its itself them they their there here where which who what
    i me my we us our you your yours yourself
    is are was were be been being am isn't aren't do does did done doing don't doesn't didn't
    have has had having will would shall should can could may might must need needs let let's
    and or but so then than if as when once while until till upon since because though
    to of in on at from with without for off about toward towards within
    not no yes yep yeah ok okay alright
    just only also too very quite really simply now again still already even maybe perhaps
    i'm i'd i'll i've you'll you're you've you'd it's that's there's here's we'll we're what's
    gonna wanna gotta cannot can't won't
    walk walking walks walked go going goes gone move moving moves head heading heads headed
    stepping proceed proceeding continue continuing come coming comes get getting gets got
    keep keeping keeps make making makes take taking takes turn turning turns travel traveling
    travelling return run running rotate rotating start starting begin beginning hang swing swinging
    reach reaching reached reaches arrive arriving arrived approach approaching navigate navigating
    advance advancing stroll strolling wander mosey cruise pop scoot hop trot slip cut amble body
    use utilise utilize find look looking see seeing want movement
    please kindly thank thanks politely respectfully dear sir madam visitor guest friend buddy pal
    hey hi hello greetings good great nice awesome perfect sweet lovely super fine well work job
    luck easy simple cheers wonderful thing think guess hope hopefully probably sort kind basically
    actually sorry um uh er hmm like know sure try trying believe mean sense easily carefully slowly
    careful remember explain nearly almost bit fun made helps alrighty permission available
    featuring hit arrival patiently fully rotation
    finally lastly subsequently thereafter afterwards afterward thereupon whereupon having promptly
    presently accordingly duly straightaway immediate immediately directly direct directed
    ensure maintain maintaining execute executing perform performing complete completed completing
    completion conclude concludes concluded commence commencing initiate initiating orient reorient
    course trajectory position location point locate located situated positioned direction
    directions instructed instruction instructions guidance route navigation journey destination
    segment manoeuvre maneuver way degree degrees orientation
    request requested ask asked advised advise recommended invited pleased appreciate appreciated
    attention cooperation courtesy patience assistance gratitude sincerely most greatly much regards
    obliged grateful moment transition transitioning progress progressing lead leads leading
    day pretty totally definitely everything something whatever both all some such
    """
)
