"""The protocol between a judge and the process of an agent, version 1.

``docs/reference/protocol.md`` describes it for others.

Messages are msgpack maps. The judge asks, one thing at a time::

    {"ask": "hello", "seq": 0, "protocol": 1, …}          who are you, what do you declare?
    {"ask": "make", "seq": 1}                             make the agent
    {"ask": "reset", "seq": 2, "brief": {…}, "beliefs": false}
    {"ask": "act", "seq": 3, "step": 0, "readings": {…}, "instruction": "…", "collided": false, …}
    {"ask": "correct", …}  {"ask": "snapshot", …}  {"ask": "restore", "handle": 1, …}

and each question is answered with its number: ``{"seq": 3, "answer": {…}}``, or ``{"seq": 3,
"fault": {"status": "agent_error", "text": "…"}}``. Nothing that comes from an agent is unpickled;
what does not fit is the agent's fault.

An array is ``{"__ndarray__": true, "dtype": "<f4", "shape": [256, 256], "data": …}``; in place of
``data``, large arrays have their ``offset`` in memory that both share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import msgpack
import numpy as np
from numpy.typing import NDArray

from navproof.agents.correction import Correction
from navproof.core.codec import CodecError, from_plain, to_plain
from navproof.core.types import (
    Action,
    Answer,
    Beliefs,
    Decision,
    Detection,
    Exchange,
    Move,
    Observation,
    Remembered,
    Scalar,
    TaskBrief,
    Velocity,
    Waypoints,
)
from navproof.perception.protocol import TruthFrame

__all__ = [
    "MOST_IN_A_LIST",
    "PROTOCOL_VERSION",
    "WireError",
    "brief_from",
    "brief_to",
    "correction_from",
    "correction_to",
    "decision_from",
    "decision_to",
    "observation_from",
    "observation_to",
    "pack",
    "unpack",
]

PROTOCOL_VERSION = 1
MOST_IN_A_LIST = 1 << 16
Array: TypeAlias = NDArray[Any]
Share = Callable[[Array], int | None]
"""Puts an array into shared memory: where, or None where it is to travel in the message."""
Shared = Callable[[int, int], Any]
"""The bytes at (offset, count) of shared memory."""

_KINDS = "biuf"  # booleans, integers, floats: nothing that could hold an object
_KEYS_ARE_NUMBERS = ("labels", "facts")


class WireError(ValueError):
    """A message that does not fit the protocol; the text says in which way."""


def pack(message: Mapping[str, Any]) -> bytes:
    """The bytes of a message."""
    packed: bytes = msgpack.packb(message)
    return packed


def unpack(data: bytes | memoryview) -> dict[str, Any]:
    """The message in the bytes; a ``WireError`` where there is none, or where a list in it has more
    than ``MOST_IN_A_LIST`` things: a byte of a message may take much more memory here."""
    try:
        message = msgpack.unpackb(
            data,
            strict_map_key=True,
            max_array_len=MOST_IN_A_LIST,
            max_map_len=MOST_IN_A_LIST,
            max_ext_len=0,
        )
    except Exception as error:  # msgpack has a family of its own, and RecursionError
        raise WireError(f"it is not msgpack ({type(error).__name__})") from None
    if not isinstance(message, dict):
        raise WireError("it is not a map")
    return message


# --------------------------------------------------------------------------------------- arrays
def _array_to(array: Array, share: Share | None) -> dict[str, Any]:
    array = np.ascontiguousarray(array)
    if array.dtype.kind not in _KINDS:
        raise WireError(f"readings of type {array.dtype} do not travel")
    about: dict[str, Any] = {
        "__ndarray__": True,
        "dtype": array.dtype.str,
        "shape": list(array.shape),
    }
    offset = None if share is None else share(array)
    if offset is None:  # as they lie there, where they lie in one piece
        return {**about, "data": array.data.cast("B") if array.size else b""}
    return {**about, "offset": offset}


def _array_from(plain: Any, shared: Shared | None) -> Array:
    """A copy that belongs to whoever asked."""
    try:
        dtype, shape = np.dtype(plain["dtype"]), tuple(plain["shape"])
        if dtype.kind not in _KINDS or not all(type(n) is int and n >= 0 for n in shape):
            raise ValueError
        count = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        if "data" in plain:
            data = plain["data"]
        elif shared is not None:
            data = shared(plain["offset"], count)
        else:
            raise ValueError
        if len(data) != count:
            raise ValueError
        return np.frombuffer(data, dtype=dtype).reshape(shape).copy()
    except (KeyError, TypeError, ValueError, OverflowError):
        raise WireError("an array is not described as one") from None


# --------------------------------------------------------------------------- what an agent is told
def brief_to(brief: TaskBrief) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(brief)
    return plain


def brief_from(plain: Any) -> TaskBrief:
    """``WireError`` where it is none."""
    try:
        plain = dict(plain)
        numbered = {name: plain.pop(name, None) for name in _KEYS_ARE_NUMBERS}
        for name, values in numbered.items():
            if values is not None:
                numbered[name] = {int(key): value for key, value in values.items()}
        brief: TaskBrief = replace(from_plain(TaskBrief, plain), **numbered)
    except (CodecError, AttributeError, TypeError, ValueError) as error:
        raise WireError(f"the brief: {error}") from None
    return brief


def observation_to(observation: Observation, share: Share | None = None) -> dict[str, Any]:
    return {
        "step": observation.step,
        "instruction": observation.instruction,
        "collided": observation.collided,
        "time_s": observation.time_s,
        "readings": {n: _array_to(array, share) for n, array in observation.readings.items()},
    }


def observation_from(plain: Mapping[str, Any], shared: Shared | None = None) -> Observation:
    """``WireError`` where it is none."""
    try:
        readings = {name: _array_from(a, shared) for name, a in plain["readings"].items()}
        told = plain["step"], readings, plain["instruction"], plain["collided"]
        return Observation(*told, plain.get("time_s", 0.0))
    except (KeyError, TypeError, AttributeError):
        raise WireError("an observation lacks a field") from None


def correction_to(correction: Correction) -> dict[str, Any]:
    sight, remembered = correction.sight, correction.remembered
    return {
        "sight": None
        if sight is None
        else {
            "instances": _array_to(sight.instances, None),
            "facts": to_plain(sight.facts),
            "seed": sight.seed,
            "step": sight.step,
        },
        "remembered": None
        if remembered is None
        else [[r.label, list(r.position), r.step] for r in remembered],
    }


def correction_from(plain: Mapping[str, Any]) -> Correction:
    """``WireError`` where it is none."""
    try:
        sight, remembered = plain["sight"], plain["remembered"]
        frame = None
        if sight is not None:
            facts = {int(number): about for number, about in sight["facts"].items()}
            instances = _array_from(sight["instances"], None)
            frame = TruthFrame(instances, facts, sight["seed"], sight["step"])
        things = None
        if remembered is not None:
            things = tuple(_remembered(one) for one in remembered)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise WireError("a correction lacks a field") from None
    return Correction(frame, things)


# ------------------------------------------------------------------------------ what an agent says
def decision_to(decision: Decision, *, beliefs: bool = True) -> dict[str, Any]:
    """A decision that ``as_decision`` has let pass. Beliefs travel where they are asked for."""
    told: dict[str, Any] = {"action": _action_to(decision.action)}
    if decision.intent is not None:
        told["intent"] = dict(decision.intent)
    if decision.took_s is not None:
        told["took_s"] = decision.took_s
    if beliefs and decision.beliefs is not None:
        about = decision.beliefs
        told["beliefs"] = [
            [[d.label, d.score, d.box, d.position] for d in about.perceived],
            [[r.label, r.position, r.step] for r in about.remembered],
            list(about.plan),
        ]
    if decision.exchanges:
        told["exchanges"] = [to_plain(exchange) for exchange in decision.exchanges]
    return told


def decision_from(plain: Any) -> Decision:
    """The decision, of which ``as_decision`` has still to say whether it is allowed. A
    ``WireError`` where it is none."""
    try:
        if not isinstance(plain, dict):
            raise TypeError
        intent: Mapping[str, Scalar] | None = plain.get("intent")
        told = plain.get("beliefs")
        beliefs = None
        if told is not None:
            perceived, remembered, plan = told
            beliefs = Beliefs(
                tuple(Detection(*one) for one in perceived),
                tuple(_remembered(one) for one in remembered),
                tuple((x, y) for x, y in plan),
            )
        exchanges = tuple(from_plain(Exchange, one) for one in plain.get("exchanges", ()))
        action = _action_from(plain["action"])
        return Decision(action, beliefs, intent, exchanges, plain.get("took_s"))
    except (KeyError, TypeError, ValueError):
        raise WireError("it holds no decision") from None


def _action_to(action: Action) -> str | list[Any]:
    match action:
        case Move():
            return action.value
        case Velocity(v, w):
            return ["velocity", v, w]
        case Waypoints(points):
            return ["waypoints", [list(point) for point in points]]
        case Answer(text):
            return ["answer", text]


def _action_from(plain: Any) -> Action:
    if isinstance(plain, str):
        return Move(plain)
    kind, *rest = plain
    if kind == "velocity":
        v, w = rest
        return Velocity(v, w)
    if kind == "waypoints":
        (points,) = rest
        return Waypoints(tuple((x, y) for x, y in points))
    if kind == "answer":
        (text,) = rest
        return Answer(text)
    raise ValueError(kind)


def _remembered(plain: Any) -> Remembered:
    label, (x, y, z), step = plain
    return Remembered(label, (x, y, z), step)
