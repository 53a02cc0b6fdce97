"""The ways to order each kind of sub-task, by style.

In an order, ``{t}`` is its target ("the red mug"), ``{d}``, ``{y}`` and ``{o}`` a displacement
(plain, seen from "you", from a place), ``{she}``, ``{her}`` and ``{s}`` stand for somebody who is
followed ("until {she} stop{s}"). Every order begins with its verb, so that it can follow "I",
"please" or "you have to", and become a gerund.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from navproof.core.types import SubTaskKind
from navproof.language.missions.wordings import MissionStyle

__all__ = [
    "LAST_TAILS",
    "ORDERS",
    "TAILS",
    "as_first_person",
    "gerund",
    "order_kind",
    "ways",
]

OrderKind = Literal[
    "goto_room",
    "goto_landmark",
    "goto_object",
    "goto_point",
    "return_to",
    "follow_human",
    "later_point",
    "return_place",
]


def ways(text: str) -> tuple[str, ...]:
    """The phrases of a list that "|" divides."""
    return tuple(text.split("|"))


_PLAIN: Mapping[OrderKind, tuple[str, ...]] = {
    "goto_room": ways(
        "go to {t}|walk to {t}|head to {t}|make your way to {t}|go into {t}|walk into {t}"
        "|head into {t}|enter {t}|head over to {t}|go over to {t}|make your way into {t}"
    ),
    "goto_landmark": ways(
        "walk to {t}|go to {t}|head to {t}|make your way to {t}|walk up to {t}|go over to {t}"
        "|head over to {t}|walk over to {t}|approach {t}|make your way over to {t}"
    ),
    "goto_object": ways(
        "find {t}|look for {t}|locate {t}|search for {t}|look around for {t}|go and find {t}"
        "|look around until you find {t}|have a look around for {t}"
    ),
    "goto_point": ways(
        "go {d}|move {d}|walk {d}|go {d}|head {d}|go to the point {y}|move to the spot {y}"
    ),
    "later_point": ways(
        "go to the point that was {y} when you started|move to the spot that was {y} at the start"
        "|walk to the point that was {y} when you set out"
        "|go to the place {o}, as you faced then|head to the spot {o}, as you faced at the start"
    ),
    "return_to": ways(
        "come back to where you started|return to where you started|go back to where you started"
        "|return to your starting point|head back to where you set out"
        "|make your way back to where you began|go back to the place where you started"
        "|come back to your starting position|walk back to your starting point"
    ),
    "return_place": ways("go back to {t}|return to {t}|head back to {t}|walk back to {t}"),
    "follow_human": ways(
        "follow {t} until {she} stop{s}|follow {t} and stop when {she} stop{s}"
        "|follow {t} wherever {she} go{es} until {she} come{s} to a stop"
        "|follow {t} at a comfortable distance until {she} stop{s}"
        "|walk behind {t} until {she} stop{s}|stay behind {t} until {she} come{s} to a halt"
        "|follow {t}, staying a little way behind {her}, until {she} stop{s}"
        "|follow {t} and wait whenever {she} pause{s}, until {she} stop{s} for good"
    ),
}
_SHORT: Mapping[OrderKind, tuple[str, ...]] = {
    "goto_room": ways("go to {t}|enter {t}"),
    "goto_landmark": ways("go to {t}|walk to {t}|head to {t}"),
    "goto_object": ways("find {t}|locate {t}|find {t}"),
    "goto_point": ways("go {d}|move {d}"),
    "later_point": ways("go to the point {o}|move to the point {o}"),
    "return_to": ways("return to the start|go back to the start|return to where you started"),
    "return_place": ways("go back to {t}|return to {t}"),
    "follow_human": ways("follow {t}|follow {t} until {she} stop{s}"),
}
_LONG: Mapping[OrderKind, tuple[str, ...]] = {
    "goto_room": ways(
        "make your way calmly to {t}|walk at a steady pace into {t}|head over to {t}"
        "|go all the way into {t}|walk unhurriedly over to {t}"
    ),
    "goto_landmark": ways(
        "make your way carefully over to {t}|walk at a steady pace to {t}"
        "|walk all the way up to {t}|head over to {t}|walk unhurriedly across to {t}"
    ),
    "goto_object": ways(
        "look around carefully until you find {t}|have a good look around for {t}"
        "|search the surroundings for {t}|look carefully for {t}|keep looking until you find {t}"
        "|keep your eyes open and locate {t}"
    ),
    "goto_point": ways(
        "move exactly {d}|go {d}, as precisely as you can|go to the point {y}"
        "|make your way to the spot {y}"
    ),
    "later_point": ways(
        "go to the exact point that was {y} when you started"
        "|make your way to the spot that was {y} at the very start"
        "|walk to the place {o}, going by the way you faced then"
    ),
    "return_to": ways(
        "make your way all the way back to the place where you started"
        "|come back to the very spot where you set out|return to exactly where you began"
        "|go all the way back to your starting point"
    ),
    "return_place": ways("make your way all the way back to {t}|go all the way back to {t}"),
    "follow_human": ways(
        "follow {t} wherever {she} go{es}, keeping a comfortable gap behind {her}, until {she} "
        "come{s} to a stop"
        "|follow {t} and keep {her} in view the whole time, until {she} stop{s} for good"
        "|stay a little way behind {t} as {she} walk{s}, wait whenever {she} pause{s}, and stop "
        "when {she} stop{s} for good"
        "|walk behind {t} at a comfortable distance for as long as {she} keep{s} walking"
    ),
}
ORDERS: Mapping[MissionStyle, Mapping[OrderKind, tuple[str, ...]]] = {
    "original": _PLAIN,
    "concise": _SHORT,
    "verbose": _LONG,
    "first_person": _PLAIN,
}

_PLAIN_TAILS: Mapping[SubTaskKind, tuple[str, ...]] = {
    "goto_object": ways(
        "and go up to it|and go close up to it|and stop next to it|and walk up to it"
        "|and stop when you are close beside it|and go up to it as soon as you see it"
        "|and do not stop until you are directly next to it"
        "|and, as soon as you have seen it, go close up to it"
        "|and go up to it until you are standing right beside it"
    ),
    "goto_landmark": ways(
        "and stop near it|and stop close to it|and stop once you are there"
        "|and make sure that you end up close to it|and come to a stop not far from it"
        "|and wait there for a moment before you carry on"
    ),
    "goto_room": ways(
        "and go all the way in|and stop once you are inside|and make sure that you are well inside"
        "|and pause there for a moment|and have a quick look around once you are inside"
    ),
    "goto_point": ways(
        "and stop there|and stop when you get there|and try to stop exactly on that spot"
    ),
    "return_to": ways("and stop once you are back|and stop when you are there again"),
}
_LONG_TAILS: Mapping[SubTaskKind, tuple[str, ...]] = {
    "goto_object": ways(
        "and, once you have seen it, go close up to it"
        "|and only stop once you are standing directly next to it"
        "|and come to a stop as close to it as you can"
    ),
    "goto_landmark": ways(
        "and come to a stop close to it|and make sure that you end up close to it"
        "|and pause for a moment once you are near it"
    ),
    "goto_room": ways(
        "and make sure that you are well inside before you carry on"
        "|and pause for a moment once you are inside"
    ),
    "goto_point": ways("and stop exactly at that spot|and make sure that you stop exactly there"),
    "follow_human": (),
    "return_to": ways("and stop once you are there|and make sure that it really is the same spot"),
}
TAILS: Mapping[MissionStyle, Mapping[SubTaskKind, tuple[str, ...]]] = {
    "original": _PLAIN_TAILS,
    "concise": {},
    "verbose": _LONG_TAILS,
    "first_person": _PLAIN_TAILS,
}
LAST_TAILS: Mapping[SubTaskKind, tuple[str, ...]] = {
    "goto_object": ways(
        "and stop next to it|and stop close beside it|and wait beside it"
        "|and stop when you are standing directly next to it"
        "|and stop as soon as you are standing right beside it"
    ),
    "goto_landmark": ways(
        "and stop near it|and wait there|and stop there|and stop once you are close to it"
        "|and wait there, not far from it"
    ),
    "goto_room": ways(
        "and stop there|and wait there|and stop inside|and stop once you are well inside"
        "|and wait there once you are well inside"
    ),
    "goto_point": ways("and stop there|and wait there|and stop exactly on that spot"),
    "return_to": ways("and stop there|and wait there|and stop once you are back"),
}
"""How the last sub-task of a mission may end."""

_GERUNDS = {
    "go": "going",
    "walk": "walking",
    "head": "heading",
    "make": "making",
    "enter": "entering",
    "approach": "approaching",
    "find": "finding",
    "look": "looking",
    "locate": "locating",
    "search": "searching",
    "move": "moving",
    "come": "coming",
    "return": "returning",
    "follow": "following",
    "stay": "staying",
    "have": "having",
}
_AND_VERB = re.compile(r"\band (?:find|locate|stop|wait|keep|go)\b|, wait\b")


def order_kind(kind: SubTaskKind, first: bool, named: bool) -> OrderKind:
    """Which orders say a sub-task: a point after the first sub-task is told from the start, and a
    return may be to a place that is ``named``."""
    if kind == "goto_point" and not first:
        return "later_point"
    if kind == "return_to" and named:
        return "return_place"
    return kind


def gerund(order: str) -> str | None:
    """ "find the mug" → "finding the mug"; None where a second verb would have to follow."""
    verb, _, rest = order.partition(" ")
    if verb not in _GERUNDS or _AND_VERB.search(order):
        return None
    return f"{_GERUNDS[verb]} {rest}"


def as_first_person(words: str) -> str:
    """ "until you are close, to your left" → "until I am close, to my left"."""
    for pattern, instead in (
        (r"\byou are\b", "I am"),
        (r"\byou were\b", "I was"),
        (r"\b(of|behind|to|for|from) you\b", r"\1 me"),
        (r"\byour\b", "my"),
        (r"\byou\b", "I"),
    ):
        words = re.sub(pattern, instead, words)
    return words
