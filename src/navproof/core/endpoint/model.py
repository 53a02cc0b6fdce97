"""One model behind an endpoint, as agents ask it: what it answered before is looked up first, then
it is asked, patiently, without what its endpoint says that it does not take."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from navproof.core.endpoint.client import Completion, Endpoint, EndpointError, ask_patiently
from navproof.core.endpoint.kept import KeptAnswers
from navproof.core.types import Exchange

__all__ = ["UNNAMED", "Answer", "Model"]

UNNAMED = "default"
"""The model to ask for where an endpoint serves whatever it serves."""
_MARGIN_S = 0.05
_TRIES, _TRY_S = 3, 1.0
_OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "response_format": ("response_format", "json_schema", "json_object", "grammar"),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "temperature": ("temperature",),
    "seed": ("seed",),
}
"""What some endpoints do not take, with the words by which they say so."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered and what that took; one that was kept took no time."""

    model: str
    found: Completion
    seconds: float = 0.0
    attempts: int = 1
    is_kept: bool = False

    @property
    def text(self) -> str:
        return self.found.text

    def exchange(
        self,
        purpose: str,
        prompt: str,
        *,
        images: tuple[str, ...] = (),
        system: str = "",
        fault: str = "",
        prices: tuple[float, float] = (0.0, 0.0),
    ) -> Exchange:
        """Its record; ``prices`` are those of a million tokens in and out."""
        found = self.found
        price_in, price_out = prices
        return Exchange(
            purpose=purpose,
            model=self.model,
            prompt=prompt,
            answer=found.text.encode(errors="replace").decode(),
            images=images,
            system=system,
            fault=fault,
            tokens_in=found.tokens_in,
            tokens_out=found.tokens_out,
            price=1e-6 * (price_in * (found.tokens_in or 0) + price_out * (found.tokens_out or 0)),
            seconds=self.seconds,
            attempts=self.attempts,
            kept=self.is_kept,
        )


@final
class Model:
    """The model called ``name`` at an endpoint, with its answers in ``folder``. Questions are texts
    that hold whatever decides an answer; ``identity`` belongs to them."""

    def __init__(self, endpoint: Endpoint, name: str, folder: Path) -> None:
        self.endpoint, self.name = endpoint, name
        self._kept = KeptAnswers(folder)
        self._left_out: set[str] = set()

    @property
    def folder(self) -> Path:
        return self._kept.folder

    @property
    def identity(self) -> str:
        """Whose answers they are: the model's, or, where it has no name, that endpoint's."""
        return f"{self.name} at {self.endpoint.address}" if self.name == UNNAMED else self.name

    def reach(self) -> None:
        """``EndpointError`` where nobody listens, also a little later. Nothing is asked."""
        for attempt in range(_TRIES):
            try:
                self.endpoint.reach()
            except EndpointError:
                if attempt == _TRIES - 1:
                    raise
                time.sleep(_TRY_S)
            else:
                return

    def find(self, question: str) -> Answer | None:
        """What was answered before; None where nothing is kept."""
        record = self._kept.find(question)
        if record is None:
            return None
        tokens = _whole(record, "tokens_in"), _whole(record, "tokens_out")
        return Answer(self.name, Completion(str(record["answer"]), *tokens), is_kept=True)

    def keep(self, question: str, answer: Answer) -> None:
        """Keep an answer that is none of before and not empty; ``OSError`` where that fails."""
        if answer.is_kept or not answer.text:
            return
        found = answer.found
        told = {"tokens_in": found.tokens_in, "tokens_out": found.tokens_out}
        self._kept.keep(question, {"model": self.name, "answer": found.text, **told})

    def ask(self, body: Mapping[str, Any], *, until: float, timeout_s: float) -> Answer:
        """The answer to a body as ``/v1/chat/completions`` takes it, to which the model is added;
        ``EndpointError`` where there is none before ``until`` (``time.monotonic``). What the
        endpoint does not take, and says so, is left out from then on."""
        body = {"model": self.name, **body, "stream": False}
        began, attempts = time.monotonic(), 0
        while True:
            try:
                found, more = ask_patiently(
                    self.endpoint,
                    _reduced(body, self._left_out),
                    until=until - _MARGIN_S,
                    timeout_s=timeout_s,
                )
            except EndpointError as error:
                refused = self._refused(error, body)
                if not refused:
                    raise
                self._left_out.add(refused)
                attempts += 1
            else:
                return Answer(self.name, found, time.monotonic() - began, attempts + more)

    def _refused(self, error: EndpointError, body: Mapping[str, Any]) -> str:
        """The parameter that an endpoint says it does not take, "" where it says nothing of it."""
        if error.status not in (400, 404, 415, 422, 501):
            return ""
        said = error.said.lower()
        for name, words in _OPTIONAL.items():
            if name in body and name not in self._left_out and any(w in said for w in words):
                return name
        return ""


def _reduced(body: Mapping[str, Any], left_out: set[str]) -> dict[str, Any]:
    """The body without what the endpoint does not take. The number of tokens has two names."""
    found = {name: value for name, value in body.items() if name not in left_out}
    if "max_tokens" in left_out:
        found["max_completion_tokens"] = body["max_tokens"]
    return found


def _whole(record: Mapping[str, Any], name: str) -> int | None:
    value = record.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
