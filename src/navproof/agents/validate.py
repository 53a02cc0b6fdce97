"""What an agent returned, made into a ``Decision`` or refused in one line."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping
from typing import assert_never

import numpy as np

from navproof.core.errors import AgentError
from navproof.core.types import (
    Action,
    Answer,
    Beliefs,
    Control,
    Decision,
    Detection,
    Exchange,
    Move,
    Remembered,
    Scalar,
    TaskBrief,
    Velocity,
    Waypoints,
)

__all__ = ["as_decision"]

_MOST_FACTS = 16
_MOST_EXCHANGES = 32
_LONGEST_EXCHANGE = 200_000
_MOST_S = 600.0
"""As long as a decision may be said to have taken: ten minutes."""
_LONGEST_TEXT = 4096
"""Characters of a fact or name of an intent, an answer, a label."""
_MOST_POINTS = 1000
_MOST_BELIEFS = 10_000
_LARGEST = 1 << 63
_COMMANDS: Mapping[Control, str] = {
    "discrete": "",
    "velocity": ", Velocity(v, w)",
    "waypoints": ", Waypoints(points)",
    "any": ", Velocity(v, w), Waypoints(points)",
}


def as_decision(value: object, brief: TaskBrief) -> Decision:
    """``value`` as a ``Decision`` that the task in ``brief`` allows.

    Accepted: an action (``Move``, ``Velocity``, ``Waypoints``, ``Answer``), the name of a move
    (``"forward"``), or a ``Decision``. Anything else (None, NaN, a move the task does not have,
    a command for another control interface, beliefs or exchanges that a trace could not hold, a
    time that is none) is an ``AgentError`` that says what was returned and what is allowed.
    """
    if isinstance(value, Decision):
        return Decision(
            _action(value.action, brief),
            _beliefs(value.beliefs),
            _intent(value.intent),
            _exchanges(value.exchanges),
            _seconds(value.took_s),
        )
    return Decision(_action(value, brief))


def _beliefs(value: object) -> Beliefs | None:
    """Beliefs in plain numbers, text and tuples, whatever sequences and scalars they came in."""
    if value is None:
        return None
    if not isinstance(value, Beliefs):
        raise AgentError(
            f"the agent returned a Decision whose beliefs are {_show(value)};"
            " they must be Beliefs or None"
        )
    for part in ("perceived", "remembered", "plan"):
        if (count := _length(getattr(value, part))) > _MOST_BELIEFS:
            raise AgentError(
                f"the agent returned beliefs with {count} things in '{part}';"
                f" at most {_MOST_BELIEFS} are kept"
            )
    try:
        perceived = tuple(
            Detection(
                _text(d.label),
                _finite(d.score),
                None if d.box is None else _four(d.box),
                None if d.position is None else _three(d.position),
            )
            for d in value.perceived
        )
        memory = tuple(
            Remembered(_text(r.label), _three(r.position), operator.index(r.step))
            for r in value.remembered
        )
        plan = tuple((_finite(x), _finite(y)) for x, y in value.plan)
    except (AttributeError, TypeError, ValueError) as error:
        why = " ".join(str(error).split())[:120]
        raise AgentError(
            f"the agent returned beliefs that cannot be kept ({why});"
            " they are made of Detection, Remembered and (x, y) pairs with text and finite numbers"
        ) from None
    return Beliefs(perceived, memory, plan)


def _intent(value: object) -> dict[str, Scalar] | None:
    """A few facts by name; anything that a trace could not hold is refused."""
    if value is None:
        return None
    if not isinstance(value, Mapping) or len(value) > _MOST_FACTS:
        raise AgentError(
            f"the agent returned a Decision whose intent is {_show(value)};"
            f' it must be None or at most {_MOST_FACTS} facts such as {{"is": "explore"}}'
        )
    fields: dict[str, Scalar] = {}
    for name, fact in value.items():
        if isinstance(fact, np.generic):
            fact = fact.item()
        plain = fact is None or isinstance(fact, (str, bool, int, float))
        if not isinstance(name, str) or not _is_sound(name) or not plain or _is_odd(fact):
            raise AgentError(
                f"the agent returned an intent with {_show(name)}: {_show(fact)};"
                f" names are text, facts are text (at most {_LONGEST_TEXT} characters), finite"
                " numbers (integers of 64 bits), booleans or None"
            )
        fields[name] = fact
    return fields


def _exchanges(value: object) -> tuple[Exchange, ...]:
    """What was asked of language models, in plain text and numbers; anything that a trace could not
    hold is refused."""
    try:
        exchanges = tuple(value)  # type: ignore[arg-type, var-annotated]
        if len(exchanges) > _MOST_EXCHANGES:
            raise ValueError(f"{len(exchanges)} in one step")
        return tuple(
            Exchange(
                purpose=_shortly(e.purpose),
                model=_shortly(e.model),
                prompt=_shortly(e.prompt),
                answer=_shortly(e.answer),
                images=tuple(_shortly(digest) for digest in e.images),
                system=_shortly(e.system),
                fault=_shortly(e.fault),
                tokens_in=None if e.tokens_in is None else _count(e.tokens_in),
                tokens_out=None if e.tokens_out is None else _count(e.tokens_out),
                price=_not_negative(e.price),
                seconds=_not_negative(e.seconds),
                attempts=_count(e.attempts),
                kept=bool(e.kept),
            )
            for e in exchanges
        )
    except (AttributeError, TypeError, ValueError) as error:
        why = " ".join(str(error).split())[:120]
        raise AgentError(
            f"the agent returned exchanges that cannot be kept ({why}); they are at most"
            f" {_MOST_EXCHANGES} of Exchange a step, with text and finite numbers"
        ) from None


def _shortly(value: object) -> str:
    return _text(value, _LONGEST_EXCHANGE)


def _count(value: object) -> int:
    number = operator.index(value)  # type: ignore[arg-type]
    if not 0 <= number < 2**53:
        raise ValueError(f"{number} is no count")
    return number


def _not_negative(value: object) -> float:
    number = _finite(value)
    if number < 0.0:
        raise ValueError(f"{number:g} is below 0")
    return number


def _seconds(value: object) -> float | None:
    """How long a decision is said to have taken."""
    if value is None:
        return None
    is_number = _number(value) and not isinstance(value, bool | np.bool_)
    seconds = float(value) if is_number else -1.0  # type: ignore[arg-type]
    if not 0.0 <= seconds <= _MOST_S:
        raise AgentError(
            f"the agent returned a Decision whose took_s is {_show(value)};"
            f" it must be None or seconds from 0 to {_MOST_S:g}"
        )
    return seconds


def _length(values: object) -> int:
    try:
        return len(values)  # type: ignore[arg-type]
    except TypeError:
        return 0


def _is_odd(fact: object) -> bool:
    """Whether no trace could hold it: what is not finite, a number of too many digits, a text that
    is too long or holds half of a surrogate pair."""
    if isinstance(fact, str):
        return not _is_sound(fact)
    if isinstance(fact, int):
        return not -_LARGEST <= fact < _LARGEST
    return isinstance(fact, float) and not math.isfinite(fact)


def _is_sound(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return len(text) <= _LONGEST_TEXT


def _three(values: Iterable[float]) -> tuple[float, float, float]:
    x, y, z = values
    return _finite(x), _finite(y), _finite(z)


def _four(values: Iterable[float]) -> tuple[float, float, float, float]:
    a, b, c, d = values
    return _finite(a), _finite(b), _finite(c), _finite(d)


def _finite(value: object) -> float:
    if not _number(value):
        raise ValueError(f"{_show(value)} is not a finite number")
    return float(value)  # type: ignore[arg-type]


def _text(value: object, most: int = _LONGEST_TEXT) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{_show(value)} is not text")
    value.encode()  # half of a surrogate pair is a ValueError
    if len(value) > most:
        raise ValueError(f"a text of {len(value)} characters; at most {most} are kept")
    return str(value)


def _action(value: object, brief: TaskBrief) -> Action:
    if isinstance(value, str):
        if value not in brief.actions:
            raise _refused(value, brief)
        return Move(value)
    if isinstance(value, Answer):
        try:
            return Answer(_text(value.text))
        except (TypeError, ValueError):
            why = "the text of an Answer must be a string"
            if isinstance(value.text, str):
                why += f" of at most {_LONGEST_TEXT} characters that UTF-8 can hold"
            raise _refused(value, brief, why) from None
    if not isinstance(value, Velocity | Waypoints):
        raise _refused(value, brief)
    expected = "velocity" if isinstance(value, Velocity) else "waypoints"
    if brief.control not in (expected, "any"):
        raise _refused(value, brief, f"the control interface is {brief.control}, not {expected}")
    match value:
        case Velocity(v, w):
            if not (_number(v) and _number(w)):
                raise _refused(value, brief, "velocities must be finite numbers")
            return Velocity(float(v), float(w))
        case Waypoints(points):
            return Waypoints(_points(points, value, brief))
        case _ as never:
            assert_never(never)


def _points(points: object, value: Waypoints, brief: TaskBrief) -> tuple[tuple[float, float], ...]:
    if _length(points) > _MOST_POINTS:
        raise _refused(value, brief, f"at most {_MOST_POINTS} waypoints")
    try:
        pairs = tuple((x, y) for x, y in points)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise _refused(value, brief, "waypoints are (x, y) pairs") from None
    if not pairs or not all(_number(x) and _number(y) for x, y in pairs):
        raise _refused(value, brief, "waypoints must be finite, and at least one")
    return tuple((float(x), float(y)) for x, y in pairs)


def _number(value: object) -> bool:
    try:
        return math.isfinite(value)  # type: ignore[arg-type]
    except (TypeError, OverflowError):
        return False


def _refused(value: object, brief: TaskBrief, why: str = "") -> AgentError:
    moves = ", ".join(f"'{move}'" for move in brief.actions)
    reason = f" ({why})" if why else ""
    return AgentError(
        f"the agent returned {_show(value)}{reason}; allowed are {moves}{_COMMANDS[brief.control]}"
    )


def _show(value: object) -> str:
    """The value on one short line, with its type where the text alone could mislead."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = "something that cannot be shown"
    if len(text) > 80:
        text = text[:77] + "…"
    plain = value is None or isinstance(value, str | Move | Velocity | Waypoints | Answer)
    return text if plain else f"{text} of type {type(value).__name__}"
