"""How categories are said: articles, plurals, and the names people use."""

from __future__ import annotations

__all__ = ["adjective", "article", "could_mean", "noun", "plural", "room_noun", "with_article"]

_SPELT = {"tv": "TV", "tv stand": "TV stand"}
_SAID = {"picture": "painting"}
_ADJECTIVES = {
    ("material", "wood"): "wooden",
    ("material", "wool"): "woollen",
    ("pattern", "dotted"): "polka-dot",
    ("pattern", "zigzag"): "zigzag-patterned",
}
_FRAMED = ("picture", "mirror")
_ALIKE = (
    {"plant", "potted plant"},
    {"bookshelf", "shelf unit", "display shelf"},
    {"nightstand", "side table"},
    {"refrigerator", "display fridge"},
    {"cabinet", "dresser"},
    {"trash can", "basket"},
)
"""Categories that a listener would take for each other."""
_AN_THOUGH_CONSONANT = ("hour", "honest", "L-shaped", "MRI", "X-ray", "x-ray")
_A_THOUGH_VOWEL = ("unicorn", "uniform", "unit", "used", "utility", "one", "U-shaped", "euro")
_IRREGULAR = {"shelf": "shelves", "bookshelf": "bookshelves", "person": "people", "knife": "knives"}


def noun(category: str) -> str:
    """The category as a person says it: "potted_plant" → "potted plant"."""
    plain = _spelt(category)
    return _SAID.get(plain, plain)


def _spelt(category: str) -> str:
    plain = category.replace("_", " ")
    return _SPELT.get(plain, plain)


def room_noun(room_type: str) -> str:
    """The type of a room as a person says it."""
    plain = room_type.replace("_", " ")
    return f"{plain} area" if plain in ("counter", "reception") else plain


def adjective(category: str, attribute: str, value: str) -> str:
    """How an attribute is said: wood → "wooden"; a painting's colour is its frame's."""
    if attribute == "colour" and category in _FRAMED:
        return f"{value}-framed"
    return _ADJECTIVES.get((attribute, value), value)


def could_mean(said: str, category: str) -> bool:
    """Whether somebody who hears ``said`` could take a thing of ``category`` for it: its name
    ends so ("table", a coffee table), or the two look alike."""
    if said and noun(category).endswith(noun(said)):
        return True
    return any(said in group and category in group for group in _ALIKE)


def article(words: str) -> str:
    """ "a" or "an", by sound, before ``words``."""
    if words.startswith(_AN_THOUGH_CONSONANT):
        return "an"
    if words.startswith(_A_THOUGH_VOWEL):
        return "a"
    return "an" if words[:1].lower() in "aeiou" else "a"


def with_article(category: str) -> str:
    """The category itself with its article: "a chair", "an armchair", "some stairs"."""
    said = _spelt(category)
    if said.endswith(("stairs", "curtains", "blinds", "scissors", "books")):
        return f"some {said}"
    return f"{article(said)} {said}"


def plural(category: str) -> str:
    said = noun(category)
    head, _, last = said.rpartition(" ")
    prefix = f"{head} " if head else ""
    if last in _IRREGULAR:
        return prefix + _IRREGULAR[last]
    if last.endswith(("s", "x", "ch", "sh")):
        return prefix + last + "es"
    if last.endswith("y") and last[-2:-1] not in "aeiou":
        return prefix + last[:-1] + "ies"
    return prefix + last + "s"
