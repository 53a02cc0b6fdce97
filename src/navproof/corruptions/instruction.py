"""Corruptions of what an agent is told.

Each takes the words (a text, or an ``Instruction`` whose clauses help the styles), an intensity in
[0, 1] and a generator, and returns text. Intensity 0 gives the text back unchanged; with the same
generator, what a lower intensity changes a higher one changes too. A text without a single word is
returned as it is: there is nothing to corrupt. After NavTrust, section 3.3 and appendix A.6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import numpy as np

from navproof.core.errors import SpecError, UnknownNameError
from navproof.core.registry import suggest
from navproof.core.types import Instruction
from navproof.corruptions.arguments import check_generators, check_intensity
from navproof.corruptions.prompts import BEHAVIOURS, BLACK_BOX, WHITE_BOX
from navproof.corruptions.registry import register_corruption
from navproof.corruptions.salience import is_landmark, is_non_essential, is_salient, is_word
from navproof.language.tagging.tagger import Token, tag

__all__ = [
    "MASK",
    "black_box",
    "capitalise",
    "formal",
    "friendly",
    "mask_all",
    "mask_any",
    "mask_half",
    "novice",
    "professional",
    "white_box",
]

MASK = "[MASK]"
_MOST_SENTENCES = 3

Style = Literal["friendly", "novice", "professional", "formal"]


@register_corruption(
    "friendly",
    target="words",
    stands_for="Somebody gives the same directions casually, as to a friend.",
    source="NavTrust, sections 3.3 and A.6",
    default=1.0,
)
def friendly(text: str | Instruction, intensity: float, rng: np.random.Generator) -> str:
    """The same route told casually; ``intensity`` is the share of clauses that are retold."""
    return _styled(text, "friendly", intensity, rng)


@register_corruption(
    "novice",
    target="words",
    stands_for="Somebody who is new to this gives the same directions in simple words.",
    source="NavTrust, sections 3.3 and A.6",
    default=1.0,
)
def novice(text: str | Instruction, intensity: float, rng: np.random.Generator) -> str:
    """The same route in simple words and short sentences; intensity as in ``friendly``."""
    return _styled(text, "novice", intensity, rng)


@register_corruption(
    "professional",
    target="words",
    stands_for="A specialist gives the same directions in the terms of the trade.",
    source="NavTrust, sections 3.3 and A.6",
    default=1.0,
)
def professional(text: str | Instruction, intensity: float, rng: np.random.Generator) -> str:
    """The same route in the terms of the trade; intensity as in ``friendly``."""
    return _styled(text, "professional", intensity, rng)


@register_corruption(
    "formal",
    target="words",
    stands_for="The same directions are written courteously, in long sentences.",
    source="NavTrust, sections 3.3 and A.6",
    default=1.0,
)
def formal(text: str | Instruction, intensity: float, rng: np.random.Generator) -> str:
    """The same route in courteous, structured language; intensity as in ``friendly``."""
    return _styled(text, "formal", intensity, rng)


@register_corruption(
    "capitalise",
    target="words",
    stands_for="Somebody stresses the words that matter by writing them in capitals.",
    source="NavTrust, sections 3.3 and A.6",
    default=1.0,
)
def capitalise(text: str | Instruction, intensity: float, rng: np.random.Generator) -> str:
    """Salient words (nouns, full verbs, prepositions of place) in capitals: "WALK PAST the big
    TABLE". ``intensity`` is the share of them; words already in capitals do not count."""
    words, strength = _words(text, rng), check_intensity(intensity)
    pool = [t for t in tag(words) if is_salient(t) and t.text.upper() != t.text]
    return _replaced(words, _some(pool, strength, rng), str.upper)


@register_corruption(
    "mask_50",
    target="words",
    stands_for="Half of the words that matter less were not understood or not transmitted.",
    source="NavTrust, sections 3.3 and A.6",
    default=1.0,
)
def mask_half(text: str | Instruction, intensity: float, rng: np.random.Generator) -> str:
    """Half of the non-essential words replaced by ``[MASK]``; see ``mask_all``, of whose masked
    words (same generator) these are a part. ``intensity`` scales the half."""
    return _masked(text, 0.5 * check_intensity(intensity), rng)


@register_corruption(
    "mask_100",
    target="words",
    stands_for="All words that matter less were lost; only keywords are left.",
    source="NavTrust, sections 3.3 and A.6",
    default=1.0,
)
def mask_all(text: str | Instruction, intensity: float, rng: np.random.Generator) -> str:
    """All non-essential words replaced by ``[MASK]``, or the share ``intensity`` of them.

    The source can be read in two ways. Its definition (3.3, A.6) masks non-essential tokens, that
    is stopwords and adjectives of low spatial relevance, and its example keeps verb, preposition
    and landmark. Its results (4.2: "lexical anchors are removed via random masking", 100 % near
    random; the RxR appendix: "of the total instruction words") fit masking of any word. Here the
    definition is followed, since it is what the text specifies and a route can still be read from
    what remains: words of direction, place and order, verbs, nouns and numbers stay. The harsher
    reading is ``mask_any``.
    """
    return _masked(text, check_intensity(intensity), rng)


@register_corruption(
    "mask_any",
    target="words",
    stands_for="Words were lost at random, those that matter too.",
    source="NavTrust, sections 3.3 and A.6",
    default=0.5,
)
def mask_any(text: str | Instruction, intensity: float, rng: np.random.Generator) -> str:
    """The share ``intensity`` of *all* words replaced by ``[MASK]``, landmarks and directions
    included: at 1 only punctuation is left. The harsher reading of ``mask_all``'s source."""
    words, strength = _words(text, rng), check_intensity(intensity)
    pool = [t for t in tag(words) if is_word(t)]
    return _replaced(words, _some(pool, strength, rng), _mask)


@register_corruption(
    "black_box",
    target="words",
    stands_for="Somebody puts misleading orders before the instruction, by error or on purpose.",
    source="NavTrust, sections 3.3 and A.6",
    default=1.0,
)
def black_box(
    text: str | Instruction,
    intensity: float,
    rng: np.random.Generator,
    behaviour: str | None = None,
) -> str:
    """Misleading sentences before the untouched instruction, all asking for one behaviour.

    ``intensity`` is their number: 1 up to a third, 2 up to two thirds, 3 above. ``behaviour`` is
    one of nine (hug_walls, loop_back, wander, …), drawn if not given. Sentences that speak of a
    landmark speak of one that the instruction names.
    """
    words, strength = _words(text, rng), check_intensity(intensity)
    chosen = _behaviour(behaviour, rng)
    landmarks = _landmarks(words)
    named = landmarks[int(rng.integers(len(landmarks)))] if landmarks else ""
    sayings = [s.replace("{landmark}", named) for s in BLACK_BOX[chosen] if named or "{" not in s]
    prefix = _drawn(sayings, strength, rng)
    return " ".join((*prefix, words)) if prefix and _has_words(words) else words


@register_corruption(
    "white_box",
    target="prompt",
    stands_for="An attacker plants misleading rules in the agent's system prompt.",
    source="NavTrust, sections 3.3 and A.6",
    default=1.0,
)
def white_box(
    text: str | Instruction,
    intensity: float,
    rng: np.random.Generator,
    behaviour: str | None = None,
) -> str:
    """Misleading rules after a system prompt (which may be empty), all for one behaviour, a line
    each. ``intensity`` and ``behaviour`` as in ``black_box``; the instruction is not touched."""
    prompt, strength = _words(text, rng), check_intensity(intensity)
    rules = _drawn(WHITE_BOX[_behaviour(behaviour, rng)], strength, rng)
    return "\n".join((*((prompt,) if prompt else ()), *rules)) if rules else prompt


def _words(text: str | Instruction, rng: np.random.Generator) -> str:
    check_generators(rng)
    words = text.text if isinstance(text, Instruction) else text
    if not isinstance(words, str):
        raise SpecError(f"words must be a text or an Instruction, got a {type(words).__name__}")
    return words


def _has_words(words: str) -> bool:
    return any(char.isalnum() for char in words)


def _styled(
    text: str | Instruction, style: Style, intensity: float, rng: np.random.Generator
) -> str:
    from navproof.language.styles.styles import restyle

    words, strength = _words(text, rng), check_intensity(intensity)
    if strength == 0.0 or not _has_words(words):
        return words
    clauses = text.clauses if isinstance(text, Instruction) else ()
    return restyle(words, style, rng, clauses=clauses, strength=strength)


def _masked(text: str | Instruction, share: float, rng: np.random.Generator) -> str:
    words = _words(text, rng)
    pool = [t for t in tag(words) if is_non_essential(t)]
    return _replaced(words, _some(pool, share, rng), _mask)


def _mask(_: str) -> str:
    return MASK


def _some(pool: Sequence[Token], share: float, rng: np.random.Generator) -> list[Token]:
    """The first of a drawn order of ``pool``: sets of different shares are nested."""
    order = rng.permutation(len(pool))
    return [pool[k] for k in order[: math.floor(share * len(pool) + 0.5)]]


def _replaced(words: str, tokens: Iterable[Token], change: Callable[[str], str]) -> str:
    pieces, at = [], 0
    for token in sorted(tokens, key=lambda t: t.start):
        pieces += [words[at : token.start], change(token.text)]
        at = token.end
    return "".join((*pieces, words[at:]))


def _drawn(sentences: Sequence[str], strength: float, rng: np.random.Generator) -> list[str]:
    order = rng.permutation(len(sentences))
    return [sentences[k] for k in order[: math.ceil(_MOST_SENTENCES * strength)]]


def _behaviour(asked: str | None, rng: np.random.Generator) -> str:
    drawn = BEHAVIOURS[int(rng.integers(len(BEHAVIOURS)))]
    if asked is not None and asked not in BEHAVIOURS:
        hint = suggest(asked, list(BEHAVIOURS))
        raise UnknownNameError(f"there is no misleading behaviour '{asked}'{hint}")
    return asked or drawn


def _landmarks(words: str) -> list[str]:
    """Things and rooms named in the text, compound names whole ("dining table"), each once."""
    found: list[str] = []
    tokens = tag(words)
    for k, token in enumerate(tokens):
        if not is_landmark(token):
            continue
        if found and k and is_landmark(tokens[k - 1]):
            found[-1] += f" {token.text.lower()}"
        else:
            found.append(token.text.lower())
    return list(dict.fromkeys(found))
