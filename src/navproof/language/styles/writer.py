"""A text of which any clauses can be restyled, put together again."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from navproof.language.styles.clauses import Clause, clause_of
from navproof.language.styles.concepts import NEGATIONS
from navproof.language.styles.content import content_of, kept
from navproof.language.styles.phrases import CLOSERS, JOINTS, MOODS, OPENERS
from navproof.language.styles.segments import Segment
from navproof.language.styles.words import ClauseChoices, order_words, reworded

__all__ = ["Writer"]

_LONGEST_SENTENCE = {"friendly": 3, "novice": 1, "professional": 3, "formal": 2}
"""Clauses that a style puts into one sentence."""
_FORBIDS = re.compile(rf"\b(?:{'|'.join(NEGATIONS)})\b[^.!?;]*\Z", re.IGNORECASE)
"""Something is forbidden, and "and" would forbid what comes next as well."""


@dataclass(frozen=True, slots=True)
class _StyledClause:
    """A clause in the style: the plain order, what leads to it, and how it may be addressed and
    joined, the preferred ways first. Where it gives no order (no ``joints``), ``order`` are the
    words as a whole. ``close``: it likes to share a sentence with the clause before."""

    order: str
    lead: str = ""
    moods: tuple[str, ...] = ("{vp}",)
    joints: tuple[str, ...] = ()
    opener: str = ""
    closer: str = ""
    close: bool = False


@dataclass
class _TextState:
    """The text so far: what it ends in, how many clauses its sentence has, whether the last
    of them is an order, what was used."""

    end: str = ""
    run: int = 0
    orders: bool = True
    moods: list[str] = field(default_factory=list)
    joints: list[str] = field(default_factory=list)


class Writer:
    """``step`` tells where each clause begins in the content of the text. The words of a clause
    are found once: they are the same whatever else is changed."""

    def __init__(self, parts: Sequence[Segment], tail: str, style: str, seeds: list[int]) -> None:
        self.parts, self.tail, self.style = parts, tail, style
        self._seeds = seeds
        self._known: dict[int, _StyledClause | None] = {}
        self.step: list[int] = []
        steps = 0
        for part in parts:
            self.step.append(steps)
            steps += len(content_of(part.body).steps)

    def text(self, chosen: Collection[int], *, plain: bool = False) -> str:
        """The text with the ``chosen`` clauses restyled; ``plain`` leaves openers and closers."""
        pieces: list[str] = []
        sofar = _TextState()
        for i, part in enumerate(self.parts):
            styled = self._styled(i) if i in chosen else None
            if styled is None:
                pieces.append(part.joint + part.body)
                sofar.run = 1 if part.begins else sofar.run + 1
            else:
                pieces.append(self._joined(i, styled, sofar, plain))
            sofar.end = (sofar.end + pieces[-1])[-80:]
        end = len(self.parts) - 1
        closing = self._styled(end) if end in chosen else None
        if closing is None:
            return "".join(pieces) + self.tail
        mark = self.tail.strip()[:1]
        pieces.append(mark if mark in (".", "!", "?") else ".")
        pieces.append("" if plain else closing.closer)
        return "".join(pieces)

    def _joined(self, i: int, styled: _StyledClause, sofar: _TextState, plain: bool) -> str:
        """The clause with what joins it to the text before."""
        part = self.parts[i]
        mood = _fresh(styled.moods, sofar.moods, 3)
        addressed = mood.format(vp=styled.order)
        said = f"{styled.lead}, {addressed}" if styled.lead else addressed
        run, sofar.run = sofar.run, 1
        follows_order, sofar.orders = sofar.orders, bool(styled.joints)
        if i == 0:
            opener = "" if plain else styled.opener
            return opener + _after(opener, said)
        if not styled.joints:
            joint = ("? " if "?" in part.joint else ". ") if part.begins else part.joint
            sofar.run = 1 if part.begins else run + 1
            return joint + _after(joint, said)
        if styled.lead or "?" in part.joint:
            return ("? " if "?" in part.joint else ". ") + _capital(said)
        crowded = run >= _LONGEST_SENTENCE[self.style] or (part.begins and not follows_order)
        close = styled.close and not part.begins and not crowded
        fitting = [j for j in styled.joints if not (_together(j) and crowded)]
        if " and " in sofar.end or " and " in styled.order or _FORBIDS.search(sofar.end):
            fitting = [j for j in fitting if not j.startswith(" and ")]
        if close:
            fitting = [j for j in fitting if _together(j)] or fitting
        joint = _fresh(fitting, sofar.joints, 4)
        sofar.run = run + 1 if _together(joint) else 1
        return joint.format(vp=styled.order, mood=addressed)

    def _styled(self, i: int) -> _StyledClause | None:
        if i not in self._known:
            self._known[i] = self._restyle(i)
        return self._known[i]

    def _restyle(self, i: int) -> _StyledClause | None:
        """The clause in the style, as freely as its content allows; None: as it was."""
        body = f"{self.parts[i].implied} {self.parts[i].body}".strip()
        clause = clause_of(body)
        draw = ClauseChoices(self._seeds[i], self._seeds[0], self.style)
        lead, order = next(
            (
                (lead, order)
                for freedom in (3, 3, 2, 1, 0)
                for lead, order in [_words(clause, draw, freedom)]
                if not kept(body, f"{lead}, {order}" if lead else order)
            ),
            ("", ""),
        )
        if not order:
            return None
        if body.isupper() and len(body) > 3:
            lead, order = lead.upper(), order.upper()
        opener, closer = draw.pick(OPENERS[self.style]), draw.pick(CLOSERS[self.style])
        if clause.order == "other":
            return _StyledClause(order, opener=opener, closer=closer)
        moods, joints = draw.shuffled(MOODS[self.style]), draw.shuffled(JOINTS[self.style])
        return _StyledClause(order, lead, moods, joints, opener, closer, close=draw.chance(0.6))


def _together(joint: str) -> bool:
    return joint.startswith((",", ";", " "))


def _fresh(choices: Sequence[str], used: list[str], memory: int) -> str:
    """The first that was not among the last few; noted as used."""
    chosen = next((c for c in choices if c not in used[-memory:]), choices[0])
    used.append(chosen)
    return chosen


def _words(clause: Clause, draw: ClauseChoices, freedom: int) -> tuple[str, str]:
    """(lead, order): 3 all is reworded, 2 relations stay, 1 landmarks stay too, 0 only the
    beginning changes."""

    def reword(text: str) -> str:
        return reworded(text, draw, relations=freedom > 2) if freedom > 1 else text

    lead = _small(reword(clause.lead))
    if clause.order == "other":
        return "", reword(clause.rest)
    if clause.order == "told":
        return "", _small(reword(clause.rest))
    if freedom == 0:
        return lead, _small(clause.said)
    return lead, order_words(clause, draw, reword)


def _small(text: str) -> str:
    """Without the capital of a sentence's beginning."""
    if len(text) > 1 and text[0].isupper() and (text[1].islower() or text[1] == " "):
        return text if re.match(r"I\b", text) else text[0].lower() + text[1:]
    return text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _after(before: str, text: str) -> str:
    """With a capital where a sentence begins."""
    begins = not before.strip() or before.rstrip()[-1] in ".!?:"
    return _capital(text) if begins else _small(text)
