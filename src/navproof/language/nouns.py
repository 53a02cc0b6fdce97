"""How categories are said: articles, plurals, and the names people use."""

from __future__ import annotations

__all__ = ["article", "noun", "plural", "with_article"]

_SAID = {
    "tv": "TV",
    "tv_stand": "TV stand",
    "pc": "PC",
}
_AN_THOUGH_CONSONANT = ("hour", "honest", "L-shaped", "MRI", "X-ray", "x-ray")
_A_THOUGH_VOWEL = ("unicorn", "uniform", "unit", "used", "utility", "one", "U-shaped", "euro")
_IRREGULAR = {"shelf": "shelves", "bookshelf": "bookshelves", "person": "people", "knife": "knives"}


def noun(category: str) -> str:
    """The category as a person says it: "potted_plant" → "potted plant"."""
    return _SAID.get(category, category.replace("_", " "))


def article(words: str) -> str:
    """ "a" or "an", by sound, before ``words``."""
    if words.startswith(_AN_THOUGH_CONSONANT):
        return "an"
    if words.startswith(_A_THOUGH_VOWEL):
        return "a"
    return "an" if words[:1].lower() in "aeiou" else "a"


def with_article(category: str) -> str:
    """ "a chair", "an armchair", "stairs"."""
    said = noun(category)
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
