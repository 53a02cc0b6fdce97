"""Actions as the words that a trace keeps, and back.

From trace version 2 on numbers have as many digits as it takes to get the same number again
(Python's ``repr``); in version 1 they had six, so that velocities and waypoints of such a trace are
near what the agent did, not equal to it.
"""

from __future__ import annotations

from typing import assert_never

from navproof.core.types import Action, Answer, Move, Velocity, Waypoints

__all__ = ["action_of", "action_words", "are_exact", "is_late", "late_words", "rounded_words"]

_DIGITS = 6
_LATE = "late "


def action_words(action: Action) -> str:
    """An action as words that ``action_of`` reads back without loss."""
    match action:
        case Move():
            return action.value
        case Velocity(v, w):
            return f"velocity {float(v)!r} {float(w)!r}"
        case Waypoints(points):
            return "waypoints " + " ".join(f"{float(x)!r},{float(y)!r}" for x, y in points)
        case Answer(text):
            return f"answer {text}"
        case _ as never:
            assert_never(never)


def late_words(words: str) -> str:
    """Of an action that was not carried out: the episode had ended while the agent took its
    time."""
    return f"{_LATE}{words}"


def is_late(words: str) -> bool:
    """Whether an action of a trace was not carried out."""
    return words.startswith(_LATE)


def action_of(words: str) -> Action:
    """The action of words in a trace, carried out or too late for that; a ``ValueError`` where
    they are none."""
    words = words.removeprefix(_LATE)
    if words in tuple(Move):
        return Move(words)
    kind, _, rest = words.partition(" ")
    if kind == "answer" and words != "answer":
        return Answer(rest)
    if kind == "velocity":
        v, w = map(float, rest.split(" "))
        return Velocity(v, w)
    if kind == "waypoints" and rest:
        pairs = (pair.split(",") for pair in rest.split(" "))
        return Waypoints(tuple((float(x), float(y)) for x, y in pairs))
    raise ValueError(f"{words[:60]!r} is not an action")


def rounded_words(words: str) -> str:
    """The same with six digits, as people read them and as version 1 kept them."""
    if is_late(words):
        return late_words(rounded_words(words.removeprefix(_LATE)))
    if not words.startswith(("velocity ", "waypoints ")):
        return words
    match action_of(words):
        case Velocity(v, w):
            return f"velocity {v:.{_DIGITS}g} {w:.{_DIGITS}g}"
        case Waypoints(points):
            told = (f"{x:.{_DIGITS}g},{y:.{_DIGITS}g}" for x, y in points)
            return "waypoints " + " ".join(told)
        case _:
            return words


def are_exact(actions: tuple[str, ...], trace_version: int) -> bool:
    """Whether these words of a trace of that version are the very actions that were taken."""
    return trace_version > 1 or not any(
        words.startswith(("velocity ", "waypoints ")) for words in actions
    )
