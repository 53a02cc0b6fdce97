"""What a clause orders, by its first words.

A clause that begins with no known verb keeps its order of words (``order`` is "other").
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from navproof.language.styles.segments import ADVERB, PATH, VERB, lead_of

__all__ = ["Clause", "clause_of"]


@dataclass(frozen=True, slots=True)
class Clause:
    """``order`` is what to do: turn, turning ("the first left"), around, stop, wait, or a move:
    straight, into, out, past, through, across, along, up, down, to, toward, go; "told" is an order
    of another kind, "other" none. ``rest`` is what follows. ``lead`` comes before ("when you reach
    the desk"); ``again``: the walker goes on as before ("continue"). ``said`` are the words without
    the lead."""

    order: str
    rest: str
    lead: str = ""
    side: str = ""
    manner: str = ""
    adverb: str = ""
    again: bool = False
    said: str = ""


_MOVE = (
    r"(?:walk(?:ing)?|go(?:ing)?|head(?:ing)?|mov(?:e|ing)|continu(?:e|ing)(?: walking| to walk"
    r"| to go| going| to move)?|proceed(?:ing)?|step(?:ping)?|com(?:e|ing)|keep (?:walking|going"
    r"|moving|heading)|mak(?:e|ing) your way|travel|(?:start|begin) (?:walking|to walk|going"
    r"|to go)|run|turn(?:ing)?(?= (?:into|towards?|onto)\b))"
)
_AHEAD = r"(?:straight(?: ahead| forward| on)?|forwards?|ahead)"
_TURN = re.compile(
    r"(?P<verb>turn(?:ing)?|tak(?:e|ing)|mak(?:e|ing)|hang|bear|veer(?:ing)?|go(?:ing)?|head|walk"
    r"|step|move|rotate)"
    r"(?: (?:90|ninety) degrees)?(?: (?:to|towards?))?(?: (?P<det>a|an|the|your))?"
    r"(?: (?P<manner>slight(?:ly)?|sharp(?:ly)?|hard|immediate(?:ly)?|quick|another|complete"
    r"|a bit|a little|first|second|third|next))?"
    r"(?: (?:to|turn to))?(?: (?:the|your))? (?P<side>left|right)(?: turn\b| hand turn\b)?"
    r"(?: (?P<post>slightly|sharply|90 degrees|ninety degrees))?"
    r"(?= *$|[ ,]+(?:at|by|into|in|inside|onto|to|towards?|down|up|through|past|before|after"
    r"|when|once|out|again|on|near|where|until|as|along|across|from|behind|just|immediately|so|and"
    r"|around|next|beside|passed|with|using|opposite|outside|walking)\b)",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"(?:turn|spin|face)(?:ing)?(?: yourself)?(?: all the way| completely| back)?"
    r" (?:around|180 degrees)(?! (?:the|a|an|to the)\b)",
    re.IGNORECASE,
)
_SOMEBODY = (
    r"(?:(?:the|a|an|that|this|your|my) )?(?:[\w'-]+ ){0,3}?"
    r"(?:man|woman|person|people|lady|gentleman|guy|boy|girl|him|her|them|someone|somebody)\b"
)
_AFTER_SOMEBODY = r"(?:a little way behind|behind|close behind|with|out of the way|clear)\b"
_STOP = re.compile(
    r"(?P<verb>stop(?:ping)?|halt|pause|come to a stop|wait(?:ing)?|stand"
    rf"|(?:stay|remain)(?! {_AFTER_SOMEBODY}))"
    r"(?: and (?P<second>stop|wait|stand|stay))?\b",
    re.IGNORECASE,
)
_KEEP = r"(?: on(?= (?:past|through|into|to|down|toward|up|straight)\b))?"
_GO = re.compile(
    rf"(?P<verb>{_MOVE}){_KEEP}\b"
    rf"(?P<adverb>(?: (?:{_AHEAD}|directly|right|just|slightly|back|over|all the way))*)",
    re.IGNORECASE,
)
_ONE_WORD = (
    ("into", r"enter(?:ing)?(?: into)?\b"),
    ("out", r"(?:exit(?:ing)?|leav(?:e|ing))(?: from| out of| out(?= (?:the|a)\b))?\b"),
    ("past", r"pass(?:ing)?(?: by)?\b(?! (?:through|in front|between|in between))"),
    ("through", r"pass(?:ing)? through\b"),
    ("across", r"cross(?:ing)?(?! through)\b"),
    ("along", rf"follow(?:ing)?\b(?! (?:the )?(?:signs?|arrows?)\b)(?! {_SOMEBODY})"),
    ("down", r"(?:descend(?:ing)?|climb(?:ing)? down)\b"),
    ("up", r"(?:ascend(?:ing)?|climb(?:ing)?(?: up)?)\b"),
    ("toward", r"approach(?:ing)?\b"),
)
_TOLD = re.compile(
    rf"(?:you (?:should|will|need to|want to|have to|must|can)|you'll|you|to|please) "
    rf"(?={VERB}\b)",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(rf"{VERB}\b(?!:)|locate\b", re.IGNORECASE)
_STRAIGHT = re.compile(_AHEAD + r"\b", re.IGNORECASE)
_PREPOSITIONS = (
    ("into", r"into\b|in to\b"),
    ("out", r"out of\b|out (?=the\b)"),
    ("past", r"past\b|passed\b|by (?=(?:the|a|an)\b)"),
    ("through", r"through\b|thru\b"),
    ("across", r"across\b(?! from)"),
    ("along", r"along\b(?! side)"),
    ("toward", r"towards?\b"),
    ("to", r"to (?=(?:the|a|an|your)\b(?! (?:left|right)))|up to\b"),
)
_TOWARD = re.compile(
    r"(?:past|passed|in|into|through|to|out|up|down|across|along|around|between|onto|on)\b",
    re.IGNORECASE,
)
_STEEP = re.compile(r"[^,.]{0,40}?\b(?:stairs?|steps?|staircase|stairway|stairwell|flights?)\b")


def clause_of(body: str) -> Clause:
    """What a clause orders."""
    lead, main = lead_of(body)
    found = _order(main)
    if found is None:
        return Clause("told" if _IMPERATIVE.match(body) else "other", body)
    return replace(found, lead=lead, said=main)


def _order(main: str) -> Clause | None:
    if match := _TOLD.match(main):
        main = main[match.end() :]
    if match := re.match(rf"({ADVERB})\s+", main, re.IGNORECASE):
        inner = _order(main[match.end() :])
        if inner is None or inner.adverb or inner.manner:
            return None
        if inner.order == "turn":
            return replace(inner, manner="slight" if match[1] == "slightly" else "immediate")
        return inner
    if match := _AROUND.match(main):
        return Clause("around", main[match.end() :].strip())
    if match := _TURN.match(main):
        return _turn(match, main[match.end() :].strip())
    if match := _STOP.match(main):
        waits = (match["second"] or match["verb"]).lower()[:4] in ("wait", "stay")
        return Clause("wait" if waits else "stop", main[match.end() :].strip())
    for order, pattern in _ONE_WORD:
        if match := re.match(pattern, main, re.IGNORECASE):
            return Clause(order, main[match.end() :].strip())
    match = _GO.match(main)
    if match is None:
        return _path("go", "", main) if re.match(rf"{PATH}\b", main, re.IGNORECASE) else None
    return _path(match["verb"].lower(), match["adverb"].strip(), main[match.end() :].strip())


def _turn(match: re.Match[str], rest: str) -> Clause:
    manner = (match["manner"] or match["post"] or "").lower()
    manner = "" if manner.endswith("degrees") else manner
    side = match["side"].lower()
    if match["verb"].lower()[:4] in ("bear", "veer"):
        manner = "slight"
    if manner in ("first", "second", "third", "next"):
        return Clause("turning", rest, side=side, manner=manner)
    manner = {
        "slightly": "slight",
        "a bit": "slight",
        "a little": "slight",
        "sharply": "sharp",
        "hard": "sharp",
    }.get(manner, manner)
    manner = {"immediately": "immediate", "quick": "immediate", "complete": ""}.get(manner, manner)
    return Clause("turn", rest, side=side, manner=manner)


def _path(verb: str, adverb: str, rest: str) -> Clause:
    """A move by the first preposition that follows its verb."""
    again = verb.startswith(("continu", "keep"))
    straight = bool(_STRAIGHT.search(adverb))
    if straight and not _TOWARD.match(rest):
        return Clause("straight", rest, adverb=adverb, again=again)
    for order, pattern in _PREPOSITIONS:
        if match := re.match(pattern, rest, re.IGNORECASE):
            return Clause(order, rest[match.end() :].strip(), "", "", "", adverb, again)
    if match := re.match(r"(down|up)\b (?=\w)", rest, re.IGNORECASE):
        after = rest[match.end() :]
        way = match[1].lower()
        level = re.match(r"(?:the |a |this |that )?(?:\w+ )?(?:hall|corr|pass)", after.lower())
        if level or _STEEP.match(after.lower()):
            order = "along" if level else way
            return Clause(order, after.strip(), "", "", "", adverb, again)
    return Clause("go", rest, "", "", "", adverb, again)
