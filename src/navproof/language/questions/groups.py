"""Questions about several things: how many there are, whether there is one, which is more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from navproof.language.goals.sayable import sayable
from navproof.language.goals.structure import COUNTS, GoalDescription
from navproof.language.lexicon.nouns import adjective, article, noun, plural
from navproof.language.lexicon.terms import ROOM_NAMES
from navproof.language.questions.places import NO, YES, Draft, Place, asked, doubtful
from navproof.language.questions.rooms import MAYBE_IN
from navproof.world.scene import SceneObject

__all__ = ["about_groups"]

_MOST = 8
_UNCOUNTED = frozenset(
    {
        *("book", "cushion", "pillow", "curtain", "towel", "kitchen counter", "kitchen sink"),
        *("wall cabinet", "door", "ceiling light", "display shelf", "partition", "radiator"),
    }
)
"""Things of which parts or pictures look alike, or that come in rows."""
_COLOURS = ("red", "blue", "green", "white", "black", "yellow", "brown", "grey")
"""What is asked for in vain."""
_LANDMARKS = 3
_TALLER_M, _TALLER = 0.3, 1.3


def about_groups(places: Sequence[Place], rng: np.random.Generator) -> Iterator[Draft]:
    known = sorted({o.category for place in places for o in place.askable} - _UNCOUNTED)
    for place in places:
        yield from _counts(place)
        yield from _existence(place, known, rng)
        yield from _comparisons(place)
    for one, other in combinations(places, 2):
        yield from _between_rooms(one, other)


def _countable(place: Place) -> dict[str, list[SceneObject]]:
    """What can be counted here, by category."""
    found = {c: place.of(c) for c in sorted({o.category for o in place.things} - _UNCOUNTED)}
    return {c: things for c, things in found.items() if place.is_clear(c) and len(things) <= _MOST}


def _ids(things: Sequence[SceneObject]) -> list[int]:
    return [o.id for o in things]


def _counts(place: Place) -> Iterator[Draft]:
    for category, things in _countable(place).items():
        many = plural(category)
        form = (
            f"how many {many} does the {place.name} have?"
            if category == "window"
            else f"how many {many} are there in the {place.name}?"
        )
        yield asked("count", form, str(len(things)), *_ids(things))
        for colour in sorted({str(sayable(o).get("colour", "")) for o in things} - {""}):
            ids = place.fitting(GoalDescription(category, {"colour": colour}))
            if ids and len(ids) < len(things) and category != "window":
                said = f"{adjective(category, 'colour', colour)} {many}"
                text = f"how many {said} are there in the {place.name}?"
                yield asked("count", text, str(len(ids)), *_ids(things))
    for thing in place.askable:
        the = place.refer(thing)
        for key in COUNTS:
            number = sayable(thing).get(key)
            if number is not None and the is not None and key not in ("cushions", "pillows"):
                yield asked("count", f"how many {key} does {the} have?", str(number), thing.id)


def _existence(place: Place, known: Sequence[str], rng: np.random.Generator) -> Iterator[Draft]:
    possible = MAYBE_IN.get(place.room.type, known)
    present = sorted({o.category for o in place.askable} - _UNCOUNTED)
    absent = [
        c
        for c in possible
        if c not in present and not any(doubtful(c, o.category) for o in place.things)
    ]
    landmarks = _landmarks(place)
    for category in (c for c in present if c in possible):
        largest = max(place.of(category), key=_volume)
        yield _is_there(place, noun(category), YES, largest.id)
    for category in absent if landmarks else ():
        yield _is_there(place, noun(category), NO, *landmarks)
    for category in present:
        colours = sorted({str(sayable(o).get("colour", "")) for o in place.of(category)} - {""})
        if not colours or not place.is_clear(category):
            continue
        missing = [c for c in _COLOURS if place.fitting(_coloured(category, c)) == ()]
        having = [c for c in colours if place.fitting(_coloured(category, c))]
        if having:
            ids = place.fitting(_coloured(category, having[0])) or ()
            yield _is_there(place, _in_colour(category, having[0]), YES, *ids[:1])
        if missing:
            colour = missing[int(rng.integers(len(missing)))]
            yield _is_there(place, _in_colour(category, colour), NO, *_ids(place.of(category)))


def _coloured(category: str, colour: str) -> GoalDescription:
    return GoalDescription(category, {"colour": colour})


def _in_colour(category: str, colour: str) -> str:
    return f"{adjective(category, 'colour', colour)} {noun(category)}"


def _is_there(place: Place, what: str, answer: str, *evidence: int) -> Draft:
    text = f"is there {article(what)} {what} in the {place.name}?"
    return asked("existence", text, answer, *evidence)


def _landmarks(place: Place) -> list[int]:
    """Who has seen these has seen the room: its largest things."""
    standing = [o for o in place.things if o.position_kind == "floor"]
    return _ids(sorted(standing, key=lambda o: (-_volume(o), o.id))[:_LANDMARKS])


def _volume(thing: SceneObject) -> float:
    return float(np.prod(thing.box.size))


# ------------------------------------------------------------------------------------ comparisons
def _comparisons(place: Place) -> Iterator[Draft]:
    groups = {c: things for c, things in _countable(place).items() if c != "window"}
    for (one, ones), (other, others) in combinations(groups.items(), 2):
        few, many = sorted((len(ones), len(others)))
        if few == many or (few < 2 and many < 3):
            continue
        seen = _ids([*ones, *others])
        more = one if len(ones) > len(others) else other
        where = f"in the {place.name}"
        for a, b in ((one, other), (other, one)):
            text = f"are there more {plural(a)} than {plural(b)} {where}?"
            yield asked("comparison", text, YES if more == a else NO, *seen)
        text = f"which are there more of {where}, {plural(one)} or {plural(other)}?"
        yield asked("comparison", text, plural(more), *seen, accepted=(noun(more),))
    singles = [o for o in place.askable if place.refer(o, room=False) == f"the {noun(o.category)}"]
    for one_thing, other_thing in combinations(singles, 2):
        yield from _taller(place, one_thing, other_thing)
        yield from _same_colour(place, one_thing, other_thing)


def _taller(place: Place, one: SceneObject, other: SceneObject) -> Iterator[Draft]:
    if one.position_kind != "floor" or other.position_kind != "floor":
        return
    low, high = sorted((one, other), key=lambda o: o.box.size[2])
    if high.box.size[2] < max(low.box.size[2] + _TALLER_M, low.box.size[2] * _TALLER):
        return
    if low.box.size[2] < 0.2 or low.box.size[2] > 1.2:  # too plain, or too hard to tell
        return
    text = f"which is taller in the {place.name}, the {noun(one.category)} or the "
    text += f"{noun(other.category)}?"
    yield asked("comparison", text, noun(high.category), one.id, other.id)


def _same_colour(place: Place, one: SceneObject, other: SceneObject) -> Iterator[Draft]:
    colours = [sayable(o).get("colour") for o in (one, other)]
    plain = all(o.attributes.get("pattern", "plain") == "plain" for o in (one, other))
    framed = any(o.category in ("picture", "mirror") for o in (one, other))
    if None in colours or not plain or framed:
        return
    text = f"are the {noun(one.category)} and the {noun(other.category)} in the {place.name} "
    text += "the same colour?"
    answer = YES if colours[0] == colours[1] else NO
    yield asked("comparison", text, answer, one.id, other.id)


def _between_rooms(one: Place, other: Place) -> Iterator[Draft]:
    here, there = _countable(one), _countable(other)
    for category in sorted(set(here) & set(there)):
        ones, others = here[category], there[category]
        if len(ones) == len(others):
            continue
        seen = _ids([*ones, *others])
        more = one if len(ones) > len(others) else other
        for a, b in ((one, other), (other, one)):
            text = f"are there more {plural(category)} in the {a.name} than in the {b.name}?"
            yield asked("comparison", text, YES if more is a else NO, *seen)
        text = f"which has more {plural(category)}, the {one.name} or the {other.name}?"
        also = ROOM_NAMES.get(more.room.type, ()) if more.by_type else ()
        yield asked("comparison", text, more.name, *seen, accepted=also)
