"""Which words of an instruction matter: those to emphasise, and those one could do without."""

from __future__ import annotations

from navproof.language.tagging.tagger import Token

__all__ = ["is_landmark", "is_non_essential", "is_salient", "is_word"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_AUXILIARIES = _words(
    "be is are was were am been being has have had having do does did will would can could should "
    "shall may might must let let's need isn't aren't don't doesn't can't won't"
)
_SPATIAL = _words(
    "left right leftmost rightmost left-hand right-hand straight forward forwards backward "
    "backwards back ahead up down upstairs downstairs upward upwards downward downwards in out "
    "inside outside into onto inwards outwards around through thru across along over under above "
    "below beneath underneath past passed by near nearest nearby close closest far farthest "
    "furthest next adjacent opposite between among behind before after beyond beside besides "
    "alongside at on off to toward towards from via within against parallel perpendicular diagonal "
    "diagonally directly sideways halfway midway partway away apart top bottom upper lower front "
    "rear middle center centre mid inner outer end first second third fourth fifth sixth seventh "
    "eighth ninth tenth last final other another clockwise anticlockwise counterclockwise sharp "
    "slight slightly hard north south east west indoors outdoors until till once when here there "
    "again both double immediate immediately about round few several not never no neither nor "
    "don't dont doesn't didn't isn't aren't can't cannot won't without"
)
"""Words of direction, place and order, and negations: never taken for non-essential."""
_PLAIN = _words(
    "of with for as like than per during then just very too also now soon finally even quite "
    "rather really maybe perhaps still yet please simply so almost already always ever instead "
    "however therefore somewhat together"
)
"""Prepositions and adverbs that say nothing about place, besides adverbs in -ly."""
_NOT_A_LANDMARK = _words(
    "left right top bottom end side edge front back middle center centre way direction degree "
    "degrees bit lot couple pair set one ones half part turn step first second third inside "
    "outside base foot head distance north south east west time point place spot rest area other "
    "row line number position item thing object opening"
)


def _plain(token: Token) -> str:
    return token.text.lower().replace("’", "'")


def is_word(token: Token) -> bool:
    """Whether it has letters or digits, of any script, and is no ``[MASK]``."""
    return not token.text.startswith("[") and any(char.isalnum() for char in token.text)


def is_salient(token: Token) -> bool:
    """A noun, a full verb, or a preposition of place or direction ("with", "of" are not)."""
    word = _plain(token)
    if token.pos == "VERB":
        return word not in _AUXILIARIES
    return token.pos == "NOUN" or (token.pos == "ADP" and word in _SPATIAL)


def is_non_essential(token: Token) -> bool:
    """A stopword (article, pronoun, conjunction, particle, auxiliary, preposition or adverb that
    says nothing about place) or an adjective, unless it is about place, direction, order or number.
    Nouns, full verbs, numbers and misspelt prepositions ("acrros") stay."""
    word = _plain(token)
    if word in _SPATIAL or not is_word(token):
        return False
    if token.pos == "VERB":
        return word in _AUXILIARIES
    if token.pos in ("ADP", "ADV"):
        return word in _PLAIN or (token.pos == "ADV" and word.endswith("ly"))
    return token.pos in ("DET", "PRON", "CONJ", "PART", "ADJ")


def is_landmark(token: Token) -> bool:
    """A noun that names a thing or a room rather than a part, a side or a measure."""
    return token.pos == "NOUN" and token.text.lower() not in _NOT_A_LANDMARK and is_word(token)
