"""Words that tell attributes, for reading goals: colours, sizes, textures, materials, states.

Wider than what the generator says: people's own words are read too. A table maps a word to the
value it stands for (``"wooden"`` → ``"wood"``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from navproof.language.lexicon.nouns import noun
from navproof.language.lexicon.terms import NUMBER_WORDS, SYNONYMS
from navproof.world.catalog import CATEGORIES

__all__ = [
    "COLOURS",
    "MATERIALS",
    "NOUNS",
    "NUMBERS",
    "SHADES",
    "SIZES",
    "STATES",
    "TEXTURES",
    "canonical",
    "head_noun",
]


def _same(words: str, **others: str) -> dict[str, str]:
    """Each word for itself; ``value="word, word"`` adds other words for a value."""
    table = {word: word for word in words.split()}
    for value, names in others.items():
        table |= {name.strip(): value for name in names.split(",")}
    return table


COLOURS: Mapping[str, str] = _same(
    "black white grey red orange yellow green blue purple pink brown beige turquoise cyan magenta "
    "violet gold golden silver cream ivory teal navy maroon crimson scarlet tan khaki olive lime "
    "lavender indigo charcoal mauve off-white colourful multicoloured",
    grey="gray",
    colourful="colorful",
)
SHADES = ("light", "dark", "pale", "bright", "deep")
"""Said before a colour, they are part of it; alone, "light" is a lamp."""
SIZES: Mapping[str, str] = _same(
    "small large medium tall short tiny huge big little wide narrow thin thick giant mini compact "
    "oversized medium-sized"
)
TEXTURES: Mapping[str, str] = _same(
    "striped checkered dotted floral plaid zigzag patterned knitted quilted woven embroidered "
    "ribbed tufted glossy matte shiny fluffy textured braided crocheted",
    striped="stripy",
    checkered="chequered, checked",
    dotted="polka-dot, polka dot, spotted",
    floral="flowery",
    plaid="tartan",
    zigzag="zigzag-patterned",
)
MATERIALS: Mapping[str, str] = _same(
    "wood leather glass metal marble wicker plastic cardboard ceramic fabric wool cotton paper "
    "stone steel iron brass bamboo rattan velvet linen concrete porcelain wax granite brick copper "
    "aluminium chrome cloth rubber silk plush",
    wood="wooden, oak, pine, walnut",
    wool="woollen, woolen",
    metal="metallic",
    aluminium="aluminum",
)
NUMBERS: Mapping[str, int] = {
    word: number for number, word in enumerate(NUMBER_WORDS) if number > 0
}

STATES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"\b(?:{pattern})(?![\w-])", re.IGNORECASE), value)
    for pattern, value in (
        (r"with (?:the|its) lid up", "open"),
        (r"with (?:the|its) lid down", "closed"),
        (r"with (?:the|its|an?) doors? (?:open|wide open)", "open"),
        (r"with (?:the|its) doors? (?:closed|shut)", "closed"),
        (r"with (?:the|its|an?) doors? ajar", "ajar"),
        (r"(?:with|of) (?:some )?fruits?(?: in it)?", "with fruit"),
        (r"with (?:some )?food(?: on it)?", "with food"),
        (r"with (?:some )?toast(?: in it)?", "with toast"),
        (r"(?:with|of) (?:some )?flowers(?: in it)?", "with flowers"),
        (r"(?:has been )?written on|(?:has|with) (?:some )?writing on it", "written on"),
        (r"(?:switched|turned|powered)[- ]on|(?:is|are) on(?= and\b|,|\.|\s*$)", "on"),
        (r"(?:switched|turned|powered)[- ]off|(?:is|are) off", "off"),
        (r"filled(?: with water)?", "filled"),
        (r"(?:neatly )?made(?! of\b| from\b)", "made"),
        (r"slightly open|half[- ]open|ajar", "ajar"),
        (r"unmade|messy", "unmade"),
        (r"opened|open", "open"),
        (r"closed|shut", "closed"),
        (r"unlit", "unlit"),
        (r"lit|burning", "lit"),
        (r"illuminated|glowing", "illuminated"),
        (r"empty", "empty"),
        (r"full", "full"),
        (r"drawn", "drawn"),
        (r"clean", "clean"),
        (r"dirty|broken|folded|running|wet|tidy|unplugged|cracked", "\\g<0>"),
    )
)
"""Patterns of transient states with the state that each tells, longer ones first."""

_COMPOUNDS = (
    "bath mat",
    "bathroom mat",
    "shoe rack",
    "makeup mirror",
    "console table",
    "night stand",
    "night-stand",
    "bed side table",
    "photo frame",
    "picture frame",
    "ironing board",
    "cutting board",
    "chopping board",
    "cellular telephone",
    "cell phone",
    "house plant",
    "ice cream",
    "orange juice",
    "wine glass",
    "light switch",
    "light bulb",
    "desk chair",
    "desk lamp",
    "step stool",
    "remote control",
    "water bottle",
    "wine bottle",
    "coffee cup",
    "laundry basket",
    "shower curtain",
    "bath towel",
    "toilet paper",
    "book case",
    "waste basket",
)
_LEADING = {*COLOURS, *SIZES, *TEXTURES, *MATERIALS, *SHADES} | {
    str(value).lower()
    for category in CATEGORIES.values()
    for key in ("modifier", "state")
    for value in category.attributes.get(key, ())
}
_LINKS = {"on", "in", "of", "to", "for"}


def _nouns() -> dict[str, str]:
    """Lower-case name → its spelling; of the synonyms none that begins with an attribute ("low
    table") or holds a phrase of its own ("clock on the wall")."""
    others = [name for names in SYNONYMS.values() for name in names]
    plain = [
        name
        for name in others
        if name.lower().split()[0] not in _LEADING and not _LINKS & set(name.split())
    ]
    return {name.lower(): name for name in (*plain, *_COMPOUNDS, *map(noun, CATEGORIES))}


NOUNS: Mapping[str, str] = _nouns()
"""Names of things as they are spelt, by their lower-case form."""
_LONGEST = max(len(name.split()) for name in NOUNS)


_CANONICAL: Mapping[str, str] = {
    name.lower(): noun(category)
    for category, names in SYNONYMS.items()
    for name in names
    if name.lower() not in {noun(c).lower() for c in CATEGORIES}
    and sum(name in others for others in SYNONYMS.values()) == 1
}


def canonical(name: str) -> str:
    """The usual name of the thing that ``name`` alone names ("fridge" → "refrigerator"); any other
    name is itself."""
    return _CANONICAL.get(name.lower(), name)


def head_noun(phrase: str) -> str:
    """The noun that the words before any clause end in: the longest known name, or the last
    word."""
    words = phrase.split()
    for size in range(min(_LONGEST, len(words)), 0, -1):
        name = " ".join(words[-size:])
        if name.lower() in NOUNS:
            return NOUNS[name.lower()]
    return words[-1] if words else ""
