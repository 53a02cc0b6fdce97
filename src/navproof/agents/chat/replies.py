"""What a model answered, as a JSON object: read as it stands, repaired where it is nearly one, or
refused with a line that says why, which the model is then told."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["BadReplyError", "Schema", "flag", "number", "object_in", "point", "schema_of", "text"]

Schema = Mapping[str, Any]
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)```", re.DOTALL)
_COMMA = re.compile(r",(\s*[}\]])")
_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w*)(\s*:)")
_DIGITS = re.compile(r"-?\d+(?:\.\d+)?")
_WORDS = {"true": True, "yes": True, "false": False, "no": False}
_LONGEST = 2_000
_MOST_STARTS = 20


class BadReplyError(ValueError):
    """An answer that cannot be used; the text says why, as the model is told it."""


def object_in(answer: str) -> dict[str, Any]:
    """The JSON object in an answer. It may stand in a fence or between sentences, have commas too
    many, single quotes, bare keys or Python's constants, or end in the middle; else,
    and where it is empty, a ``BadReplyError``."""
    if not answer.strip():
        raise BadReplyError("it is empty")
    fences = _FENCE.findall(answer)
    for candidate in (answer, *fences):
        start = candidate.find("{")
        for _ in range(_MOST_STARTS):
            if start < 0:
                break
            found = _parsed(candidate[start : _end(candidate, start)])
            if isinstance(found, dict) and found:
                return found
            start = candidate.find("{", start + 1)
    raise BadReplyError("it is not a JSON object" if "{" in answer else "it holds no JSON object")


def _end(text: str, start: int) -> int:
    """Where the object that begins at ``start`` ends: at its last brace, or with the text."""
    depth, quote, escaped = 0, False, False
    for index in range(start, len(text)):
        char = text[index]
        if escaped or char == "\\":
            escaped = char == "\\" and not escaped
            continue
        if char == '"':
            quote = not quote
        elif not quote and char in "{[":
            depth += 1
        elif not quote and char in "}]":
            depth -= 1
            if depth == 0:
                return index + 1
    return len(text)


def _parsed(text: str) -> Any:
    """As JSON, else as JSON that was mended, else as Python; None where it is none of them."""
    closed = text + _missing(text)
    for candidate in (text, closed, _COMMA.sub(r"\1", closed)):
        try:
            return json.loads(candidate)
        except (ValueError, RecursionError):
            continue
    mended = _BARE_KEY.sub(r'\1"\2"\3', _COMMA.sub(r"\1", closed))
    try:
        return json.loads(mended)
    except (ValueError, RecursionError):
        pass
    python = re.sub(r"\b(true|false|null)\b", lambda m: _PYTHON[m[0]], mended)
    try:
        return ast.literal_eval(python)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None


_PYTHON = {"true": "True", "false": "False", "null": "None"}


def _missing(text: str) -> str:
    """The quote and brackets that an answer lacks which was cut off."""
    open_brackets: list[str] = []
    quote, escaped = False, False
    for char in text:
        if escaped or char == "\\":
            escaped = char == "\\" and not escaped
            continue
        if char == '"':
            quote = not quote
        elif not quote and char in "{[":
            open_brackets.append("}" if char == "{" else "]")
        elif not quote and char in "}]" and open_brackets:
            open_brackets.pop()
    rest = text.rstrip()
    gap = " null" if not quote and rest.endswith(":") else ""
    return ('"' if quote else "") + gap + "".join(reversed(open_brackets))


# ----------------------------------------------------------------------------------------- values
def text(reply: Mapping[str, Any], name: str) -> str:
    """Words under a name, on one line; "" where there are none."""
    value = reply.get(name)
    if isinstance(value, Sequence) and not isinstance(value, str):
        value = "; ".join(str(one) for one in value)
    if value is None or isinstance(value, Mapping):
        return ""
    return " ".join(str(value).split())[:_LONGEST].encode(errors="replace").decode()


def flag(reply: Mapping[str, Any], name: str) -> bool:
    """Whether something is said to be so; not where nothing is said of it."""
    value = reply.get(name)
    if isinstance(value, str):
        value = _WORDS.get(value.strip().lower(), value)
    if value is None:
        return False
    if isinstance(value, bool | int | float):
        return bool(value)
    raise BadReplyError(f"'{name}' must be true or false, not {_shown(value)}")


def number(reply: Mapping[str, Any], name: str, allowed: Sequence[int] = ()) -> int | None:
    """A whole number under a name, however it is written; None where there is none. A
    ``BadReplyError`` where it is not ``allowed``."""
    value = reply.get(name)
    if isinstance(value, str):
        found = _DIGITS.search(value)
        value = None if found is None else float(found.group())
    if value is None or isinstance(value, bool):
        return None
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise BadReplyError(f"'{name}' must be a number, not {_shown(value)}")
    whole = round(value)
    if allowed and whole not in allowed:
        raise BadReplyError(
            f"there is no {name} {whole}; there are {', '.join(str(one) for one in allowed)}"
        )
    return whole


def point(value: object, views: int) -> tuple[int, float, float] | None:
    """(number of the view, x, y) with x and y as shares of the picture, out of ``{"view": 2, "x":
    500, "y": 700}`` in thousandths; None where nothing is pointed at."""
    if value in (None, "", [], {}):
        return None
    if not isinstance(value, Mapping):
        raise BadReplyError(f"a point is an object with view, x and y, not {_shown(value)}")
    given = {name: number(value, name) for name in ("x", "y")}
    if given["x"] is None or given["y"] is None:
        return None
    view = (number(value, "view", range(1, views + 1)) or 1) if views > 1 else 1
    if not all(0 <= n <= 1000 for n in given.values() if n is not None):
        raise BadReplyError("x and y are thousandths of the picture, from 0 to 1000")
    return view, given["x"] / 1000.0, given["y"] / 1000.0


def _shown(value: object) -> str:
    return " ".join(repr(value).split())[:60]


# ----------------------------------------------------------------------------------------- schemas
def schema_of(fields: Mapping[str, Schema]) -> dict[str, Any]:
    """A JSON schema of an object that has all these fields and no others."""
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }
