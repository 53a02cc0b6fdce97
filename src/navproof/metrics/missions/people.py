"""Did it keep away from people, and did it answer? SII and EQA-ACC of missions.

    SII = T_near / T        EQA-ACC = [answer ≅ truth]        (OmniNavBench, Table III)

T_near is the part of the episode in which anybody to keep away from (everybody but those to be
followed) was nearer than 1.2 m; the paper counts steps of one length, here each step counts for
as long as it lasts. Answers are judged by ``language.questions.answers``, by whole words; a
question without an answer is answered wrongly, and of several answers the last one counts. Missions
without anybody to keep away from, or without a question, give None.

The released code differs, and gives the variants ``…_released``: everybody counts for SII,
followed or not, at exactly 1.2 m too, and steps are counted; an answer is right where the truth
occurs in it as characters ("12" for "2"), and a question without an answer is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from navproof.core.types import Question
from navproof.log.moments import at_every_moment
from navproof.log.trace import Trace
from navproof.metrics.missions.followed import ROUNDING, followed, share_of_time, track_of
from navproof.metrics.missions.record import channel, is_mission, nothing_recorded
from navproof.metrics.registry import register_metric

__all__ = [
    "PERSONAL_M",
    "answer_of",
    "avoided",
    "eqa_acc",
    "eqa_acc_released",
    "sii",
    "sii_released",
]

_PAPER = "Sun et al. 2026, OmniNavBench, Table III and appendix A-3, arXiv:2605.09441"
_CODE = "released code of OmniNavBench, bench/metrics/navigation.py and bench/evaluator"

PERSONAL_M = 1.2
"""Nearer than this is an intrusion, metres (Hall's personal distance)."""


# ---------------------------------------------------------------------------------- keeping away
def avoided(trace: Trace) -> tuple[str, ...]:
    """The people of a mission to keep away from: all but those to be followed."""
    guides = {task.person for _, task in followed(trace)}
    return tuple(walk.person for walk in trace.episode.people if walk.person not in guides)


@register_metric(
    "sii",
    label="SII",
    better="lower",
    definition=(
        "Share of the episode in which the robot was nearer than 1.2 m to somebody to keep away "
        "from."
    ),
    source=f"{_PAPER}; the distance after Hall 1966, The Hidden Dimension",
    family="people",
    bounded=True,
    applies=is_mission,
)
@at_every_moment
def sii(trace: Trace) -> float | None:
    """Share of the episode nearer than ``PERSONAL_M`` to somebody to keep away from; None where
    there is nobody, or nothing happened."""
    people = avoided(trace) if is_mission(trace) else ()
    if not people or nothing_recorded(trace) or not trace.actions:
        return None
    nearest = _nearest_m(trace, people)
    times, last = channel(trace, "time_s"), len(trace.actions)
    near = [distance < PERSONAL_M - ROUNDING for distance in nearest]
    return share_of_time(near, times, 0, last, times[last])


def _nearest_m(trace: Trace, people: Sequence[str]) -> list[float]:
    """To the nearest of these people, at each moment."""
    each = [track_of(trace, person).distances_m(trace.poses) for person in people]
    return [min(distances) for distances in zip(*each, strict=True)]


# ------------------------------------------------------------------------------------- answering
def answer_of(trace: Trace) -> str | None:
    """The last answer that the agent gave; None where it gave none."""
    answers = [str(e.data.get("text") or "") for e in trace.events if e.kind == "answer"]
    return answers[-1] if answers else None


@register_metric(
    "eqa_acc",
    label="EQA-ACC",
    definition=(
        "1 if the question of the mission was answered rightly (the truth occurs in the answer as "
        "whole words, numerals normalised, and no rival beside it), else 0."
    ),
    source=_PAPER,
    family="people",
    bounded=True,
    binary=True,
    applies=is_mission,
)
def eqa_acc(trace: Trace) -> float | None:
    """1 if the mission's question was answered rightly, else 0 (also without any answer)."""
    if trace.episode.question is None:
        return None
    answer = answer_of(trace)
    return 0.0 if answer is None else _judge("words", answer, trace.episode.question)


@register_metric(
    "sii_released",
    label="SII (released)",
    better="lower",
    definition=(
        "Share of the moments in which the robot was 1.2 m or nearer to anybody, the person to be "
        "followed included."
    ),
    source=_CODE,
    family="people",
    bounded=True,
    applies=is_mission,
)
@at_every_moment
def sii_released(trace: Trace) -> float | None:
    """Share of the moments at ``PERSONAL_M`` or nearer to anybody."""
    people = tuple(walk.person for walk in trace.episode.people) if is_mission(trace) else ()
    if not people or nothing_recorded(trace):
        return None
    nearest = _nearest_m(trace, people)
    return sum(distance <= PERSONAL_M + ROUNDING for distance in nearest) / len(nearest)


@register_metric(
    "eqa_acc_released",
    label="EQA-ACC (released)",
    definition=(
        "1 if the truth occurs in the answer as characters, numerals normalised, else 0; only of "
        "missions in which the agent gave an answer."
    ),
    source=_CODE,
    family="people",
    bounded=True,
    binary=True,
    applies=is_mission,
)
def eqa_acc_released(trace: Trace) -> float | None:
    """1 if the truth occurs in the answer as characters, else 0; None without an answer."""
    answer = answer_of(trace)
    if trace.episode.question is None or answer is None:
        return None
    return _judge("substring", answer, trace.episode.question)


def _judge(rule: str, answer: str, question: Question) -> float:
    from navproof.language.questions.answers import RULES  # a package that few scores need

    return float(RULES[rule](answer, question))
