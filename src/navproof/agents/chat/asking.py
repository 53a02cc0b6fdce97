"""Asking the model: messages, budgets, kept answers, one more try where an answer cannot be used,
and a record of all of it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, final

from navproof.agents.chat.options import ChatOptions
from navproof.agents.chat.prompts import Prompts
from navproof.agents.chat.replies import BadReplyError, Schema, object_in
from navproof.agents.chat.views import Picture
from navproof.core.cache import cache_dir
from navproof.core.endpoint.client import Completion, EndpointError, ask_patiently
from navproof.core.endpoint.kept import KeptAnswers
from navproof.core.errors import AgentError
from navproof.core.types import Exchange

__all__ = ["Asker", "SpentError"]

T = TypeVar("T")
_VERSION = 1
_MARGIN_S = 0.05
_UNNAMED = "default"
_CHARACTERS_PER_TOKEN, _TOKENS_PER_PICTURE = 4, 600
"""What is counted where an endpoint does not tell what it used."""
_OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "response_format": ("response_format", "json_schema", "json_object", "grammar"),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "temperature": ("temperature",),
    "seed": ("seed",),
}
"""What some endpoints do not take, with the words by which they say so."""


class SpentError(Exception):
    """The calls or tokens of the episode are used up; the text says which."""


@final
class Asker:
    """Asks one model for one agent. ``begin`` starts an episode, ``step`` each step of it."""

    def __init__(self, options: ChatOptions, prompts: Prompts, folder: Path | None = None) -> None:
        self._options, self._prompts = options, prompts
        self._kept = KeptAnswers(cache_dir("chat") if folder is None else folder)
        self._left_out: set[str] = set()
        self.begin("", 0)

    def begin(self, system: str, seed: int) -> None:
        """A new episode, with what the system prompt says in it."""
        self.system, self._seed = system, seed
        self.calls = self.tokens = self.fallbacks = 0
        self._told_system = ""
        self._exchanges: list[Exchange] = []
        self.step()

    def step(self) -> None:
        """A new step: it may wait anew."""
        self._until = time.monotonic() + self._options.patience_s

    def take_exchanges(self) -> tuple[Exchange, ...]:
        """What was asked since this was last called."""
        taken, self._exchanges = tuple(self._exchanges), []
        return taken

    def ask(
        self,
        purpose: str,
        words: str,
        pictures: Sequence[Picture],
        schema: Schema,
        read: Callable[[Mapping[str, Any]], T],
    ) -> T | None:
        """What ``read`` makes of the model's answer. Where that raises ``BadReplyError``, the model
        is told why and asked once more; None where that cannot be used either. ``SpentError`` where
        the episode may ask no more, ``AgentError`` where the endpoint does not answer."""
        messages = self._messages(words, pictures)
        digests = tuple(picture.digest for picture in pictures)
        prompt = words
        for attempt in range(2):
            name = purpose if attempt == 0 else f"{purpose} again"
            answer, record = self._answer(name, prompt, messages, digests, schema)
            try:
                found = read(object_in(answer))
            except BadReplyError as error:
                fault = str(error)
            else:
                self._exchanges.append(record())
                return found
            self._exchanges.append(record(fault))
            prompt = self._prompts.filled("again", {"fault": fault})
            messages = [
                *messages,
                {"role": "assistant", "content": answer or "(nothing)"},
                {"role": "user", "content": prompt},
            ]
        self.fallbacks += 1
        return None

    # ---------------------------------------------------------------------------------- inside
    def _messages(self, words: str, pictures: Sequence[Picture]) -> list[dict[str, Any]]:
        content: Any = words
        if pictures:
            content = [{"type": "text", "text": words}]
            for picture in pictures:
                if picture.title:
                    content.append({"type": "text", "text": picture.title})
                content.append({"picture": picture})
        return [{"role": "system", "content": self.system}, {"role": "user", "content": content}]

    def _answer(
        self,
        purpose: str,
        prompt: str,
        messages: Sequence[Mapping[str, Any]],
        digests: tuple[str, ...],
        schema: Schema,
    ) -> tuple[str, Callable[..., Exchange]]:
        """The answer, and what makes its record."""
        self._check_budget()
        question = self._question(messages)
        began = time.monotonic()
        kept = self._options.cache != "off"
        record = self._kept.find(question) if kept else None
        is_kept, attempts = record is not None, 1
        if record is not None:
            found = Completion(
                str(record["answer"]), _whole(record, "tokens_in"), _whole(record, "tokens_out")
            )
        elif self._options.cache == "only":
            raise AgentError(
                f"the answer of {self._options.model} to '{purpose}' is not kept, and"
                " cache=only asks nobody (@cache=use does)"
            )
        else:
            found, attempts = self._completion(self._body(messages, schema))
            if kept and found.text:
                self._keep(question, found)
        self._count(found, prompt, digests)
        seconds = time.monotonic() - began
        new_system = self.system if self.system != self._told_system else ""
        self._told_system = self.system
        options = self._options

        def exchange(fault: str = "") -> Exchange:
            return Exchange(
                purpose=purpose,
                model=options.model,
                prompt=prompt,
                answer=found.text.encode(errors="replace").decode(),
                images=digests,
                system=new_system,
                fault=fault,
                tokens_in=found.tokens_in,
                tokens_out=found.tokens_out,
                price=1e-6
                * (
                    options.price_in * (found.tokens_in or 0)
                    + options.price_out * (found.tokens_out or 0)
                ),
                seconds=0.0 if is_kept else seconds,
                attempts=attempts,
                kept=is_kept,
            )

        return found.text, exchange

    def _check_budget(self) -> None:
        options = self._options
        if options.max_calls is not None and self.calls >= options.max_calls:
            raise SpentError(f"its {options.max_calls} calls are used up")
        if options.max_tokens is not None and self.tokens >= options.max_tokens:
            raise SpentError(f"its {options.max_tokens} tokens are used up")

    def _count(self, found: Completion, prompt: str, digests: Sequence[str]) -> None:
        self.calls += 1
        guess = len(self.system + prompt) // _CHARACTERS_PER_TOKEN
        guess += _TOKENS_PER_PICTURE * len(digests)
        self.tokens += guess if found.tokens_in is None else found.tokens_in
        out = found.tokens_out
        self.tokens += len(found.text) // _CHARACTERS_PER_TOKEN if out is None else out

    def _question(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """All that decides the answer. A model without a name is that of its endpoint."""
        options = self._options
        model = options.model
        if model == _UNNAMED:
            model = f"{model} at {options.at.address}"
        asked = [options.temperature, options.answer_tokens, options.form, self._seed]
        return json.dumps([_VERSION, model, asked, [_digested(m) for m in messages]])

    def _keep(self, question: str, found: Completion) -> None:
        record = {
            "model": self._options.model,
            "answer": found.text,
            "tokens_in": found.tokens_in,
            "tokens_out": found.tokens_out,
        }
        try:
            self._kept.keep(question, record)
        except OSError as error:
            raise AgentError(
                f"answers cannot be kept in {self._kept.folder} ({error.strerror or error}):"
                " make room, or use @cache=off"
            ) from None

    # ------------------------------------------------------------------------------- the request
    def _body(self, messages: Sequence[Mapping[str, Any]], schema: Schema) -> dict[str, Any]:
        options = self._options
        body: dict[str, Any] = {
            "model": options.model,
            "messages": [_packed(message) for message in messages],
            "stream": False,
            "max_tokens": options.answer_tokens,
            "seed": self._seed,
        }
        if options.temperature is not None:
            body["temperature"] = options.temperature
        if options.form == "schema":
            named = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif options.form == "object":
            body["response_format"] = {"type": "json_object"}
        return body

    def _completion(self, body: Mapping[str, Any]) -> tuple[Completion, int]:
        """What an endpoint does not take, and says so, is left out from then on."""
        attempts = 0
        while True:
            try:
                found, more = ask_patiently(
                    self._options.at,
                    _reduced(body, self._left_out),
                    until=self._until - _MARGIN_S,
                    timeout_s=self._options.timeout_s,
                )
            except EndpointError as error:
                refused = self._refused(error, body)
                if not refused:
                    raise AgentError(self._trouble(error)) from None
                self._left_out.add(refused)
                attempts += 1
            else:
                return found, attempts + more

    def _refused(self, error: EndpointError, body: Mapping[str, Any]) -> str:
        """The parameter that an endpoint says it does not take, "" where it says nothing of it."""
        if error.status not in (400, 404, 415, 422, 501):
            return ""
        said = error.said.lower()
        for name, words in _OPTIONAL.items():
            if name in body and name not in self._left_out and any(w in said for w in words):
                return name
        return ""

    def _trouble(self, error: EndpointError) -> str:
        if not error.is_passing:
            return str(error)
        return f"{error}: raise @patience_s, and with it --step-limit, if it needs longer"


def _reduced(body: Mapping[str, Any], left_out: set[str]) -> dict[str, Any]:
    """The body without what the endpoint does not take. The number of tokens has two names."""
    found = {name: value for name, value in body.items() if name not in left_out}
    if "max_tokens" in left_out:
        found["max_completion_tokens"] = body["max_tokens"]
    return found


def _packed(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message["content"]
    if isinstance(content, list):
        content = [part["picture"].part() if "picture" in part else part for part in content]
    return {**message, "content": content}


def _digested(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message["content"]
    if isinstance(content, list):
        content = [
            {"picture": part["picture"].digest} if "picture" in part else part for part in content
        ]
    return {**message, "content": content}


def _whole(record: Mapping[str, Any], name: str) -> int | None:
    value = record.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
