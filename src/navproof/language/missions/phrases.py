"""What stands between the orders of a mission, by style: openings, manners, questions."""

from __future__ import annotations

from collections.abc import Mapping

from navproof.core.types import SubTaskKind
from navproof.language.missions.orders import ways
from navproof.language.missions.wordings import MissionStyle

__all__ = ["CARRIERS", "OPENERS", "PEOPLE", "SOCIAL", "after"]

OPENERS: Mapping[MissionStyle, Mapping[str, tuple[str, ...]]] = {
    "original": {
        "first": ways(
            "first, |first of all, |to start with, |please |begin by {g}|start by {g}"
            "|the first thing to do is to "
        ),
        "next": ways(
            "then |next, |after that, |from there, |when you are done with that, "
            "|once that is done, "
        ),
        "last": ways("finally, |lastly, |to finish, |at the end of it all, |last of all, "),
    },
    "concise": {"first": ("first ",), "next": ("then ",), "last": ("finally, ",)},
    "verbose": {
        "first": ways(
            "to begin with, please |first of all, I would like you to |your first task is to "
            "|start off by {g}|when you are ready, please begin by {g}"
        ),
        "next": ways(
            "once you have done that, please |with that done, your next task is to "
            "|after that, I would like you to |when you have finished with that, "
            "|the next thing to do is to |when that is done, please "
        ),
        "last": ways(
            "finally, as the last part of your mission, |last of all, please "
            "|to finish, I would like you to |your final task is to "
        ),
    },
    "first_person": {
        "first": ways(
            "first I |I start by {g}|first, I need to |I begin by {g}|I have to |first I have to "
        ),
        "next": ways(
            "then I |next, I |after that, I |then I need to |next I have to |from there, I "
        ),
        "last": ways("finally, I |lastly, I |at the end, I |finally, I have to "),
    },
}
"""What leads into a sentence, in lower case; ``{g}`` where a gerund follows."""

_AFTER: Mapping[SubTaskKind, tuple[str, ...]] = {
    "goto_object": ways(
        "once you have found it, |when you have reached it, |as soon as you have found it, "
    ),
    "goto_room": ways("once you are there, |once inside, |when you get there, |once you are in, "),
    "goto_landmark": ways("once you are there, |when you reach it, |when you get there, "),
    "goto_point": ways("once you are there, |when you get there, |from that spot, "),
    "return_to": ways("once you are back, |as soon as you are back, "),
    "follow_human": ways(
        "once {she} {has} stopped, |when {she} stop{s}, |as soon as {she} {has} come to a stop, "
    ),
}

SOCIAL: Mapping[MissionStyle, tuple[str, ...]] = {
    "original": ways(
        "keep your distance from {people} along the way|stay out of the way of {people} as you go"
        "|take care not to come too close to {anyone} on the way"
        "|give {people} plenty of room as you pass"
        "|keep well clear of {people} while you do all this"
        "|try not to get in the way of {anyone} while you move about"
        "|keep enough space around {people} as you move about"
    ),
    "concise": ways(
        "keep your distance from {people}|keep clear of {people}|give {people} space"
        "|do not get close to {anyone}"
    ),
    "verbose": ways(
        "throughout all of this, please be considerate and keep a good distance from {people}, "
        "so that nobody feels crowded"
        "|all the while, take care not to come too close to {anyone}, even if that means waiting "
        "for a moment or taking a longer way round"
        "|please be polite along the way: give {people} plenty of room and never get too close"
    ),
    "first_person": ways(
        "I keep my distance from {people} along the way|I must not come too close to {anyone}"
        "|I should stay out of the way of {people} as I go|I have to give {people} plenty of room"
        "|as I move about, I keep well clear of {people}"
    ),
}
"""``{people}`` are all but the one who is followed, ``{anyone}`` the same after a "not"."""
PEOPLE: Mapping[str, Mapping[bool, tuple[str, ...]]] = {
    "{people}": {
        False: ways("people|everyone you meet|everybody you meet|the people you meet|people"),
        True: ways("everybody else|other people|everyone else"),
    },
    "{anyone}": {
        False: ways("people|anyone|anybody you meet|anyone you meet"),
        True: ways("anybody else|other people|anyone else"),
    },
}
"""What they are called, by whether somebody is followed."""

CARRIERS: Mapping[MissionStyle, Mapping[str, tuple[str, ...]]] = {
    "original": {
        "end": ways(
            "along the way, answer this question: |also tell me: |on the way, tell me: "
            "|I would also like to know: |when you are done, tell me: "
            "|there is one more thing to tell me: |as you go, also answer this: "
        ),
        "start": ways("keep this question in mind as you go: |here is a question to answer: "),
    },
    "concise": {"end": ("", "answer: ", "also answer: ", "tell me: "), "start": ("answer: ",)},
    "verbose": {
        "end": ways(
            "while you are doing all of this, please also keep an eye out for the answer to one "
            "question, and tell me: "
            "|there is one more thing that I would very much like to know, so please pay "
            "attention along the way and answer this question: "
            "|as you move about, please also pay attention to your surroundings, for I would like "
            "you to tell me: "
        ),
        "start": ways(
            "before you set out, please make a note of one question that I would like you to "
            "answer along the way: "
        ),
    },
    "first_person": {
        "end": ways(
            "along the way I have to answer this question: |I am also asked: "
            "|on the way I should be able to tell: |I also need to answer this: "
        ),
        "start": ways("I keep this question in mind as I go: "),
    },
}


def after(kind: SubTaskKind, to: SubTaskKind) -> tuple[str, ...]:
    """Openings that look back at a finished sub-task."""
    found = _AFTER[kind]
    if to in ("goto_point", "return_to"):  # these are not told from where one is
        found = tuple(way for way in found if not way.startswith("from"))
    return found
