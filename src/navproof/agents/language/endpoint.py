"""A language model behind any OpenAI-compatible endpoint, asked in words for one JSON object.

Answers are kept on disk by model and question, so that a run can be played again without the model.
The key, where the endpoint wants one, is in ``NAVPROOF_LM_KEY``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

from navproof.core.cache import cache_dir
from navproof.core.errors import AgentError, SpecError
from navproof.core.files import write_atomically
from navproof.corruptions.rewriter import UNNAMED, Rewriter, RewriterError

__all__ = ["KEY_VARIABLE", "EndpointModel"]

KEY_VARIABLE = "NAVPROOF_LM_KEY"
_PROMPT_VERSION = 1
_TIMEOUT_S = 20.0  # several questions must fit into one step of an agent
_MOST_ALIKE = 4
_OBJECT = re.compile(r"\{[^{}]*\}")
_ANYWHERE = ("", "anywhere", "everywhere", "any room")

_SYSTEM = (
    "You tell a robot in a building where things usually are. You know homes, offices, cafés, shops"
    " and clinics. You answer with one JSON object and nothing else."
)
_NEAR = (
    "A room contains {others}. How likely is it that the same room also contains {thing}? Answer"
    ' {{"p": number}} with a probability from 0 to 1.'
)
_ROOM = (
    "In which one kind of room is {thing} usually found? Answer"
    ' {{"room": "kitchen"}}, or {{"room": "anywhere"}} if no kind of room stands out.'
)
_LIKE = (
    "Which other things found indoors could a camera easily mistake for {thing}? Name at most four,"
    ' the likeliest first. Answer {{"things": ["name", "name"]}}.'
)


@final
class EndpointModel:
    """The model called ``model`` at an address; an ``AgentError`` where it gives no usable answer.
    Each question is asked once."""

    def __init__(self, url: str, model: str = UNNAMED, folder: Path | None = None) -> None:
        try:
            self._endpoint = Rewriter(
                url,
                model,
                cache_dir("language") if folder is None else folder,
                _TIMEOUT_S,
                KEY_VARIABLE,
                "language model",
            )
        except SpecError as error:
            raise AgentError(str(error)) from None
        self._known: dict[str, dict[str, Any]] = {}

    def __deepcopy__(self, memo: object) -> EndpointModel:
        return self

    @property
    def name(self) -> str:
        return self._endpoint.identity

    def near(self, thing: str, others: Sequence[str]) -> float | None:
        question = _NEAR.format(thing=f'"{thing}"', others=", ".join(sorted(set(others))))
        value = self._answer(question, "p")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise self._unusable(question, value)
        return float(value)

    def room(self, thing: str) -> str | None:
        question = _ROOM.format(thing=f'"{thing}"')
        value = self._answer(question, "room")
        if not isinstance(value, str):
            raise self._unusable(question, value)
        room = " ".join(value.lower().split())
        return None if room in _ANYWHERE else room

    def alike(self, thing: str) -> tuple[str, ...]:
        question = _LIKE.format(thing=f'"{thing}"')
        value = self._answer(question, "things")
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self._unusable(question, value)
        names = dict.fromkeys(" ".join(one.lower().split()) for one in value)
        return tuple(name for name in names if name and name != thing.lower())[:_MOST_ALIKE]

    def _answer(self, question: str, field: str) -> object:
        """What the model says under ``field``: as it did before, or asked for now."""
        if question not in self._known:
            key = json.dumps([_PROMPT_VERSION, self._endpoint.identity, _SYSTEM, question])
            path = self._endpoint.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"
            self._known[question] = _read(path) or self._ask(question, field, path)
        return self._known[question].get(field)

    def _ask(self, question: str, field: str, path: Path) -> dict[str, Any]:
        messages = [
            {"role": "system", "content": _SYSTEM},
            {"role": "user", "content": question},
        ]
        try:
            said = self._endpoint.ask(messages)
        except RewriterError as error:
            raise AgentError(str(error)) from None
        answer = _parsed(said)
        if field not in answer:
            raise self._unusable(question, said)
        record = {"model": self.name, "question": question, "answer": answer}
        write_atomically(path, json.dumps(record, ensure_ascii=True, indent=1).encode())
        return answer

    def _unusable(self, question: str, said: object) -> AgentError:
        return AgentError(
            f"the language model at {self._endpoint.endpoint} answered {str(said)[:60]!r} to"
            f" {question[:60]!r}…, which cannot be used"
        )


def _read(path: Path) -> dict[str, Any]:
    """The answer that is kept; empty where there is none."""
    try:
        answer = json.loads(path.read_bytes())["answer"]
    except (OSError, ValueError, LookupError, TypeError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _parsed(said: str) -> dict[str, Any]:
    """The first JSON object in a text; empty where there is none."""
    found = _OBJECT.search(said)
    try:
        value = json.loads(found.group()) if found else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
