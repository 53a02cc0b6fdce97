"""Descriptions of people that are true and that fit one person only.

They tell clothes, hair, height, age and other striking features. Skin is among the facts about a
person (``Appearance.attributes``), but descriptions do not use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from navproof.core.errors import EpisodeError
from navproof.world.people.looks import APPEARANCES, Appearance
from navproof.world.textures.palette import COLOURS

__all__ = ["describe", "unique_words", "who"]

_SAME = {
    "lady": "woman", "girl": "woman", "gentleman": "man", "guy": "man", "boy": "man",
    "sweater": "jumper", "pullover": "jumper", "coat": "jacket", "denims": "jeans",
    "blonde": "blond", "gray": "grey", "elderly": "older", "old": "older", "spectacles": "glasses",
    "pants": "trousers", "bearded": "beard", "petite": "short",
}  # fmt: skip
_GARMENTS = ("jacket", "jumper", "shirt", "dress", "cardigan", "vest", "trousers", "skirt", "jeans")
_PLURAL = ("trousers", "jeans")
_ORDER = ("upper", "hair", "bald", "extra", "stature", "age", "lower")
"""What people mention first."""


def describe(appearance: str, detail: int, rng: np.random.Generator) -> str:
    """A true description with ``detail`` features (0: "the woman"; 1: "the woman in the red
    jacket"; 2: "the tall man with blond hair"; as many as there are)."""
    look = _look(appearance)
    subsets = _subsets(look, min(detail, len(look.features)))
    return _say(look, subsets[int(rng.integers(len(subsets)))], rng)


def unique_words(
    appearance: str, among: Sequence[str], rng: np.random.Generator | None = None
) -> str:
    """A description with as few features as needed that fits exactly one of the people present
    (``among``, herself included). Without ``rng`` always the same; clothes are told first.

    Raises ``EpisodeError`` where two of them look the same, for then there is none."""
    look = _look(appearance)
    present = list(among)
    if present.count(appearance) != 1:
        raise EpisodeError(
            f"{present.count(appearance)} of the people present look like '{appearance}': "
            "no words single one out"
        )
    for detail in range(1, len(look.features) + 1):
        ways = [_say(look, chosen, rng) for chosen in _subsets(look, detail)]
        ways = [words for words in ways if who(words, present) == (appearance,)]
        if ways:
            return ways[int(rng.integers(len(ways))) if rng is not None else 0]
    raise EpisodeError(f"no words single out '{appearance}' among {', '.join(present)}")


def who(words: str, among: Iterable[str] = tuple(APPEARANCES)) -> tuple[str, ...]:
    """Those of whom everything that the words say about a person is true. Words of other people's
    choice are understood too ("the lady in the sweater"); words that say nothing of looks are
    ignored."""
    said = _read(words)
    return tuple(name for name in among if all(_holds(_look(name), *claim) for claim in said))


# ------------------------------------------------------------------------------------- speaking
def _look(name: str) -> Appearance:
    if name not in APPEARANCES:
        raise EpisodeError(f"no appearance '{name}'; known: {', '.join(APPEARANCES)}")
    return APPEARANCES[name]


def _subsets(look: Appearance, count: int) -> list[tuple[str, ...]]:
    kinds = [kind for kind in _ORDER if kind in look.features]
    return list(combinations(kinds, count))


def _say(look: Appearance, chosen: tuple[str, ...], rng: np.random.Generator | None) -> str:
    told = {kind: look.features[kind] for kind in chosen}
    before = [told[kind] for kind in ("age", "stature", "bald") if kind in told]
    having = [told["hair"]] if "hair" in told else []
    if "extra" in told:
        having.append("a beard" if told["extra"] == "beard" else told["extra"])
    worn = [told[kind] for kind in ("upper", "lower") if kind in told]
    wearing = rng is not None and rng.random() < 0.3
    wearing = wearing or bool(having and having[-1].endswith("in a bun"))
    clothes = [_article(garment, wearing or i > 0) for i, garment in enumerate(worn)]
    words = " ".join(["the", *before, look.noun])
    if having:
        words += f" with {' and '.join(having)}"
    if clothes:
        words += f" {'wearing' if wearing else 'in'} {' and '.join(clothes)}"
    return words


def _article(garment: str, indefinite: bool) -> str:
    if garment.endswith(_PLURAL):
        return garment if indefinite else f"the {garment}"
    if not indefinite:
        return f"the {garment}"
    return f"an {garment}" if garment[0] in "aeiou" else f"a {garment}"


# -------------------------------------------------------------------------------------- reading
@lru_cache(maxsize=1024)
def _read(words: str) -> tuple[tuple[str, str], ...]:
    """The (kind, value) pairs that the words claim."""
    tokens = [_SAME.get(t, t) for t in re.findall(r"[a-z]+", words.lower())]
    claims: list[tuple[str, str]] = []
    hair = [i for i, t in enumerate(tokens) if t == "hair"]
    for at in hair:
        for t in tokens[max(0, at - 2) : at]:
            if t in ("curly", "long", "short"):
                claims.append(("hair_shape", t))
            elif t in COLOURS or t == "blond":
                claims.append(("hair_colour", t))
        tokens[max(0, at - 2) : at] = [
            "" if t in ("curly", "long", "short", "blond") or t in COLOURS else t
            for t in tokens[max(0, at - 2) : at]
        ]
    for i, t in enumerate(tokens):
        before = tokens[i - 1] if i else ""
        if t in ("woman", "man"):
            claims.append(("noun", t))
        elif t in ("tall", "short"):
            claims.append(("stature", t))
        elif t == "older":
            claims.append(("age", t))
        elif t in ("glasses", "beard"):
            claims.append(("extra", t))
        elif t in ("bald", "bun"):
            claims.append(("hair_shape", t))
        elif t in _GARMENTS:
            claims.append(("garment", f"{before} {t}" if before in COLOURS else t))
        elif t in COLOURS and (i + 1 == len(tokens) or tokens[i + 1] not in _GARMENTS):
            claims.append(("wears", t))
    return tuple(claims)


def _holds(look: Appearance, kind: str, value: str) -> bool:
    garments = [g for g in (look.upper, look.lower) if g is not None]
    if kind == "noun":
        return look.noun == value
    if kind == "stature" or kind == "age" or kind == "extra":
        return look.features.get(kind) == value
    if kind == "hair_shape":
        return look.hair == value
    if kind == "hair_colour":
        return look.hair != "bald" and look.hair_colour == value
    if kind == "wears":
        return any(g.colour == value for g in garments)
    return any(g.words == value or (g.word or g.cut) == value or g.cut == value for g in garments)
