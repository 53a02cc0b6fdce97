"""A language model behind any OpenAI-compatible endpoint, asked in words for one JSON object.

Answers are kept on disk by model and question, so that a run can be played again without the model.
The key, where the endpoint wants one, is in ``NAVPROOF_LM_KEY``.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, final

from navproof.core.cache import cache_dir
from navproof.core.endpoint.client import Endpoint, EndpointError
from navproof.core.endpoint.model import UNNAMED, Answer, Model
from navproof.core.errors import AgentError, SpecError
from navproof.core.types import Exchange

__all__ = ["KEY_VARIABLE", "EndpointModel"]

KEY_VARIABLE = "NAVPROOF_LM_KEY"
T = TypeVar("T")
_PROMPT_VERSION = 2
_TIMEOUT_S, _PATIENCE_S = 20.0, 25.0  # of one attempt, and of all questions of a step
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


_FORMS: Mapping[str, Mapping[str, Any]] = {
    "near": {"p": {"type": "number"}},
    "room": {"room": {"type": "string"}},
    "alike": {"things": {"type": "array", "items": {"type": "string"}, "maxItems": 4}},
}
"""The fields of the answers, for endpoints that hold a model to them."""


@final
class EndpointModel:
    """The model called ``model`` at an address; an ``AgentError`` where it gives no usable answer.
    Each question is asked once in an episode, and looked up in later ones. An endpoint that is busy
    or away is asked again for as long as a step may wait."""

    def __init__(self, url: str, model: str = UNNAMED, folder: Path | None = None) -> None:
        try:
            endpoint = Endpoint(url, KEY_VARIABLE, "language model")
        except SpecError as error:
            raise AgentError(str(error)) from None
        self._model = Model(endpoint, model, cache_dir("language") if folder is None else folder)
        self._known: dict[str, Any] = {}
        self._until: float | None = None
        self._exchanges: list[Exchange] = []

    def __deepcopy__(self, memo: object) -> EndpointModel:
        return self

    @property
    def name(self) -> str:
        return self._model.identity

    def check(self) -> None:
        """An ``AgentError`` where nobody answers a first question, unless one is kept."""
        question = _ROOM.format(thing='"toothbrush"')
        if self._model.find(self._key(question)) is None:
            try:
                self._model.reach()
            except EndpointError as error:
                raise AgentError(str(error)) from None
        self.room("toothbrush")
        self.begin()

    # -------------------------------------------------------------------------------- what it used
    def begin(self) -> None:
        """A new episode."""
        self._known.clear()
        self.take_exchanges()

    def take_exchanges(self) -> tuple[Exchange, ...]:
        """What was asked since this was last called: the questions of a step."""
        taken, self._exchanges, self._until = tuple(self._exchanges), [], None
        return taken

    # ----------------------------------------------------------------------------------- questions
    def near(self, thing: str, others: Sequence[str]) -> float | None:
        question = _NEAR.format(thing=f'"{thing}"', others=", ".join(sorted(set(others))))
        return self._answer("near", question, _probability)

    def room(self, thing: str) -> str | None:
        room = self._answer("room", _ROOM.format(thing=f'"{thing}"'), _room)
        return None if room in _ANYWHERE else room

    def alike(self, thing: str) -> tuple[str, ...]:
        names = self._answer("alike", _LIKE.format(thing=f'"{thing}"'), _names)
        return tuple(name for name in names if name and name != thing.lower())[:_MOST_ALIKE]

    # -------------------------------------------------------------------------------------- inside
    def _answer(self, purpose: str, question: str, read: Callable[[dict[str, Any]], T]) -> T:
        """What ``read`` makes of the answer: as in this episode, as before, or asked for now."""
        if question not in self._known:
            key = self._key(question)
            answer = self._model.find(key) or self._ask(question, _FORMS[purpose])
            try:
                found = read(_object(answer.text))
            except (ValueError, LookupError, TypeError, AttributeError):
                raise AgentError(
                    f"the language model at {self._model.endpoint.address} answered"
                    f" {' '.join(answer.text.split())[:60]!r} to {question[:60]!r}…, which cannot"
                    " be used"
                ) from None
            self._keep(key, answer)
            self._exchanges.append(answer.exchange(purpose, question))
            self._known[question] = found
        known: T = self._known[question]
        return known

    def _key(self, question: str) -> str:
        return json.dumps([_PROMPT_VERSION, self._model.identity, _SYSTEM, question])

    def _ask(self, question: str, fields: Mapping[str, Any]) -> Answer:
        messages = [
            {"role": "system", "content": _SYSTEM},
            {"role": "user", "content": question},
        ]
        if self._until is None:
            self._until = time.monotonic() + _PATIENCE_S
        schema = {
            "type": "object",
            "properties": fields,
            "required": list(fields),
            "additionalProperties": False,
        }
        named = {"name": "answer", "strict": True, "schema": schema}
        form = {"type": "json_schema", "json_schema": named}
        body = {
            "messages": messages,
            "temperature": 0,
            "response_format": form,
        }
        try:
            return self._model.ask(body, until=self._until, timeout_s=_TIMEOUT_S)
        except EndpointError as error:
            raise AgentError(str(error)) from None

    def _keep(self, key: str, answer: Answer) -> None:
        try:
            self._model.keep(key, answer)
        except OSError as error:
            raise AgentError(
                f"answers cannot be kept in {self._model.folder} ({error.strerror or error}):"
                " make room"
            ) from None


def _object(said: str) -> dict[str, Any]:
    """The first JSON object in a text; ``ValueError`` where there is none."""
    found = _OBJECT.search(said)
    value = json.loads(found.group() if found else "")
    if not isinstance(value, dict):
        raise TypeError(value)
    return value


def _probability(answer: dict[str, Any]) -> float:
    value = answer["p"]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(value)
    return float(value)


def _room(answer: dict[str, Any]) -> str:
    return " ".join(answer["room"].lower().split())


def _names(answer: dict[str, Any]) -> tuple[str, ...]:
    value = answer["things"]
    if not isinstance(value, list):
        raise TypeError(value)
    return tuple(dict.fromkeys(" ".join(one.lower().split()) for one in value))
