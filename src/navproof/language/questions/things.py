"""Questions about one thing: its colour, state, place, material, pattern, shape, what it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from navproof.core.types import Scalar
from navproof.language.goals.match import ambiguous, matches
from navproof.language.goals.phrases import standing
from navproof.language.goals.sayable import sayable, sayable_support
from navproof.language.goals.structure import GoalDescription
from navproof.language.lexicon.nouns import noun
from navproof.language.lexicon.terms import ATTRIBUTE_WORDS, HYPERNYMS, ROOM_NAMES, SYNONYMS
from navproof.language.questions.places import NO, YES, Draft, Place, asked
from navproof.world.catalog import CATEGORIES
from navproof.world.scene import SceneObject

__all__ = ["about_things", "words_for"]

_FRAMED = ("picture", "mirror")
_SHAPES = ("round", "square", "rectangular", "oval")
_SHOWN: Mapping[str, tuple[str, ...]] = {
    "cat": ("cat", "kitten"),
    "city": ("city", "cityscape", "town", "skyline", "buildings"),
    "landscape": ("landscape", "countryside", "mountains", "hills"),
    "seascape": ("sea", "seascape", "ocean"),
    "portrait": ("person", "portrait", "face", "man", "woman", "somebody"),
    "floral": ("flowers", "flower", "floral"),
}
_CHOICES = (
    *(("on", "off"), ("open", "closed"), ("closed", "ajar"), ("open", "drawn")),
    *(("empty", "filled"), ("empty", "full"), ("lit", "unlit"), ("made", "unmade")),
)
"""States between which a question lets choose."""
_HOLDS = {
    "with fruit": "Is there any fruit in {}?",
    "with food": "Is there any food on {}?",
    "with toast": "Is there any toast in {}?",
    "with flowers": "Are there any flowers in {}?",
    "written on": "Is anything written on {}?",
}
_FULLNESS = {"bowl": "with fruit", "plate": "with food", "toaster": "with toast"}
_FULLNESS |= {"vase": "with flowers", "whiteboard": "written on"}
_OTHER_WORDS = {
    "filled": ("full", "filled with water", "full of water"),
    "full": ("filled", "with a drink in it"),
    "closed": ("shut",),
    "ajar": ("half open", "slightly open", "half-open", "partly open", "open"),
    "drawn": ("closed", "shut"),
    "off": ("switched off", "turned off"),
    "on": ("switched on", "turned on"),
}


def words_for(key: str, value: Scalar) -> tuple[str, ...]:
    """The words that tell an attribute's value, its own first."""
    sayings = ATTRIBUTE_WORDS.get(key, {}).get(value)
    told = () if sayings is None else (*sayings.before, *sayings.after)
    return tuple(dict.fromkeys((str(value), *told)))


def about_things(place: Place) -> Iterator[Draft]:
    for thing in place.askable:
        yield from _colour(place, thing)
        yield from _state(place, thing)
        yield from _attribute(place, thing)
        yield from _location(place, thing)


def _colour(place: Place, thing: SceneObject) -> Iterator[Draft]:
    colour = sayable(thing).get("colour")
    the = place.refer(thing, "colour")
    if colour is None or the is None or thing.attributes.get("pattern", "plain") != "plain":
        return
    what = f"the frame of {the}" if thing.category in _FRAMED else the
    also = words_for("colour", colour)
    yield asked("colour", f"what colour is {what}?", str(colour), thing.id, accepted=also)


def _state(place: Place, thing: SceneObject) -> Iterator[Draft]:
    state = sayable(thing).get("state")
    the = place.refer(thing, "state")
    if not isinstance(state, str) or the is None:
        return
    held = _FULLNESS.get(thing.category)
    if held is not None:
        answer = YES if state == held else NO
        yield asked("state", _HOLDS[held].format(the), answer, thing.id)
        return
    pair = next((pair for pair in _CHOICES if state in pair and _has(thing, pair)), None)
    if pair is None:
        return
    one, other = pair
    lid = f"the lid of {the}" if thing.category == "toilet" else the
    also = _OTHER_WORDS.get(state, ())
    text = f"is {lid} {one} or {other}?"
    yield asked("state", text, state, thing.id, accepted=also)
    for told in pair:
        answer = YES if told == state else NO
        yield asked("state", f"is {lid} {told}?", answer, thing.id)


def _has(thing: SceneObject, pair: tuple[str, str]) -> bool:
    """Whether the pair holds the states that such a thing may be in."""
    return set(CATEGORIES[thing.category].attributes.get("state", ())) == set(pair)


def _attribute(place: Place, thing: SceneObject) -> Iterator[Draft]:
    told = sayable(thing)
    material, pattern, modifier = (told.get(k) for k in ("material", "pattern", "modifier"))
    the = place.refer(thing, "material")
    if material is not None and the is not None and thing.category not in _FRAMED:
        also = words_for("material", material)
        yield asked("attribute", f"what is {the} made of?", str(material), thing.id, accepted=also)
    the = place.refer(thing, "pattern")
    if pattern is not None and the is not None:
        also = words_for("pattern", pattern)
        yield asked(
            "attribute", f"what pattern does {the} have?", str(pattern), thing.id, accepted=also
        )
    the = place.refer(thing, "modifier")
    if the is None:
        return
    if modifier in _SHAPES:
        also = words_for("modifier", modifier)
        yield asked("attribute", f"what shape is {the}?", str(modifier), thing.id, accepted=also)
    if thing.category == "picture" and modifier in _SHOWN:
        answer, *others = _SHOWN[str(modifier)]
        text = f"what does {the} show?"
        yield asked("attribute", text, answer, thing.id, accepted=tuple(others))


def _broader(category: str) -> list[str]:
    """What a support may be called as well: a coffee table is a table."""
    words = [w for w in ("table", "shelf", "counter") if category in HYPERNYMS[w]]
    words += ["shelves"] if "shelf" in words else []
    last = noun(category).split()[-1]
    return [*words, *([last] if last in ("desk", "table", "cabinet", "stand") else [])]


def _location(place: Place, thing: SceneObject) -> Iterator[Draft]:
    """Books are asked for on things only: shelves hold more of them than are told apart."""
    scene = place.scene
    bare = GoalDescription(thing.category)
    lone = matches(bare, scene) == (thing.id,) and not ambiguous(bare, scene)
    told = set(noun(thing.category).split()) & set(place.name.split())
    if lone and place.by_type and len(scene.rooms) > 1 and not told and thing.category != "book":
        also = ROOM_NAMES.get(place.room.type, ())
        text = f"which room is the {noun(thing.category)} in?"
        yield asked("location", text, place.name, thing.id, accepted=(place.room.type, *also))
    below = sayable_support(thing, scene)
    the = place.refer(thing, "support")
    if below is None or the is None or below.category == "rug":
        return
    how = next((participle for _, participle in standing(thing.category) if participle), "")
    said = noun(below.category)
    also = (*SYNONYMS.get(below.category, ()), *_broader(below.category))
    text = f"what is {the} {how} on?".replace("  ", " ")
    yield asked("location", text, said, thing.id, below.id, accepted=also)
