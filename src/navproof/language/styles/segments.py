"""Any instruction cut into clauses: at full stops, and at connectives before a verb.

Cutting loses nothing: the parts put together again are the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from navproof.language.styles.concepts import word_set

__all__ = ["ADVERB", "PATH", "VERB", "Segment", "lead_of", "segments"]

VERB = (
    r"(?:walk|go|head|move|continue|proceed|step|come|keep|make|take|turn|bear|veer|hang|rotate"
    r"|exit|leave|enter|pass|cross|follow|ascend|descend|climb|approach|stop|wait|stand|halt|stay"
    r"|pause|remain|travel|face|look|begin|start|return)"
)
_GERUND = (
    r"(?:walking|going|heading|moving|continuing|proceeding|stepping|coming|making|taking|turning"
    r"|veering|exiting|leaving|entering|passing|crossing|following|ascending|descending|climbing"
    r"|stopping|waiting)"
)
ADVERB = r"(?:immediately|slowly|just|again|slightly|promptly|directly)"
_NEXT_DONE = r"(?:stopping|making|taking|turning|continuing|waiting|heading|walking)"
PATH = r"(?:into|through|down|up|past|passed|out of|out(?= the)|across|onto|toward|towards)"
_RUN_ON = (
    r"(?:enter|wait|exit(?! signs?\b)|walk|go|head|continue|stop|take (?:a|an|the|your)"
    r"|make (?:a|an)|keep|veer|bear"
    r"|turn(?! and\b| to enter))"
)
_TIED = word_set(
    "to you and will then your the a an before you'll should can need please next first that not "
    "welcome immediately just slowly slight must i it again when or directly promptly as where "
    "which gonna kindly who left-hand right-hand they we but who'll sharp hard u instead "
    "don't don’t dont never cannot can't can’t won't won’t than"
)
_LOOSE = "".join(rf"(?<!\b{word})" for word in sorted(_TIED))
_SIDE_TURN = r"(?!(?<=left )turn)(?!(?<=right )turn)"
_CONNECTIVE = (
    r"(?:(?:and then|then|next|now|finally|lastly|after that|from there|first(?! of all)"
    r"|afterwards|and|also|so|please)\b,?[ \t]+)"
)
_CUT = re.compile(
    r"(?P<end>\s*[.!?;]+[\"')\]]*\s+(?=\S)|\s*\n\s*(?=\S)|\.(?=[A-Z]))"
    rf"(?:{_CONNECTIVE}(?=\w))?"
    rf"|(?:\s*,\s*(?:and\s+|but\s+)?(?:then\s+|next\s+)?|\s+(?:and\s+)?then\s*,?\s+|\s+and\s+)"
    rf"(?=(?:{ADVERB}\s+)?(?:{VERB}|{_GERUND})\b)"
    rf"|(?<!just)\s+before\s+(?={_NEXT_DONE}\b)"
    r"|\s*,?\s+(?:and|then|and then)\s+(?=(?:when|once|after|as soon as)\s+you\b)"
    rf"|\s*,?\s+and\s+(?={PATH}\s+(?:the|a|an)\b)"
    rf"|(?<=\w){_LOOSE}\s+{_SIDE_TURN}(?={_RUN_ON}\s+\w)",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(r"\b(?:to|at|into|towards?|through|past|of|by|with|the|a)$", re.IGNORECASE)
_START = re.compile(rf"\s*(?:{_CONNECTIVE}(?=\w))?", re.IGNORECASE)
_TAIL = re.compile(r"[\s.!?;,]*\Z")
_FRONTED = re.compile(
    r"(?:when|once|after|as|upon|at|with|before|if|in|on|from|while|without|coming|having|by"
    r"|(?:first|last) of all|all the while)\b",
    re.IGNORECASE,
)


_AFTER_LEAD = re.compile(
    rf",\s*(?:then\s+)?(?=(?:{ADVERB}\s+)?{VERB}\b)|,?\s*(?<=\w){_LOOSE}\s+{_SIDE_TURN}"
    rf"(?={_RUN_ON}(?:\s+\w|$))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Segment:
    """A clause's words, what joins it to the one before, and whether it begins a sentence.
    ``implied`` is the preposition that it shares with the one before ("past")."""

    joint: str
    body: str
    begins: bool
    implied: str = ""


def segments(text: str, clauses: Sequence[str] = ()) -> tuple[list[Segment], str]:
    """The clauses of a text and what follows the last. ``clauses`` are words of clauses that are
    known to be in it, in order: a cut is also made between two things passed on stated sides."""
    tail = _TAIL.search(text)
    end = tail.start() if tail else len(text)
    start = _START.match(text)
    first = start.end() if start and start.end() <= end else 0
    cuts = [(m.start(), m.end(), m["end"] is not None) for m in _CUT.finditer(text, first, end)]
    cuts = [cut for cut in cuts if first < cut[0] and cut[1] < end]
    cuts = _with_known(text, cuts, clauses)
    found: list[Segment] = []
    joint, begins, at = text[:first], True, first
    for begin, stop, ends in cuts:
        body = text[at:begin]
        if not ends and _UNFINISHED.search(body):
            continue
        opening = not text[begin:stop].strip(" \t,")
        if opening and not ends and _FRONTED.match(body) and not lead_of(body)[0]:
            continue
        found.append(Segment(joint, body, begins))
        joint, begins, at = text[begin:stop], ends, stop
    found.append(Segment(joint, text[at:end], begins))
    return [_implying(segment, clauses) for segment in found], text[end:]


def _implying(segment: Segment, clauses: Sequence[str]) -> Segment:
    if segment.joint == " and " and segment.body.startswith("the ") and segment.body in clauses:
        return replace(segment, implied="past")
    return segment


def _with_known(
    text: str, cuts: list[tuple[int, int, bool]], clauses: Sequence[str]
) -> list[tuple[int, int, bool]]:
    """Cuts where " and " joins two known clauses with no verb in the second: "past the chair on
    your left and the desk on your right" (not "the chair and the desk on your right", where the
    side is said of both)."""
    at = 0
    lower = text.lower()
    found = list(cuts)
    before = ""
    for words in clauses:
        place = lower.find(words.lower(), at)
        if words and place >= 0:
            at = place + len(words)
            begin = place - len(" and ")
            sided = re.search(r"\b(?:left|right)$", before)
            if sided and words.startswith("the ") and text[max(begin, 0) : place] == " and ":
                found.append((begin, place, False))
        before = words
    return sorted(found)


def lead_of(body: str) -> tuple[str, str]:
    """What comes before the verb of a clause ("when you reach the desk"), and the rest."""
    if not _FRONTED.match(body):
        return "", body
    cut = _AFTER_LEAD.search(body)
    if cut is None:
        return "", body
    return body[: cut.start()], body[cut.end() :]
