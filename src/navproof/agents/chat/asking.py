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
from navproof.core.endpoint.client import EndpointError
from navproof.core.endpoint.model import Answer, Model
from navproof.core.errors import AgentError
from navproof.core.types import Exchange

__all__ = ["Asker", "SpentError"]

T = TypeVar("T")
_VERSION = 1
_CHARACTERS_PER_TOKEN, _TOKENS_PER_PICTURE = 4, 600
"""What is counted where an endpoint does not tell what it used."""


class SpentError(Exception):
    """The calls or tokens of the episode are used up; the text says which."""


@final
class Asker:
    """Asks one model for one agent. ``begin`` starts an episode, ``step`` each step of it."""

    def __init__(self, options: ChatOptions, prompts: Prompts, folder: Path | None = None) -> None:
        self._options, self._prompts = options, prompts
        self._folder = cache_dir("chat") if folder is None else folder
        self._model: Model | None = None
        self.begin("", 0)

    @property
    def model(self) -> Model:
        """Whom it asks; an ``AgentError`` where nobody is named."""
        if self._model is None:
            self._model = Model(self._options.at, self._options.model, self._folder)
        return self._model

    def reach(self) -> None:
        """An ``AgentError`` where somebody is to be asked and nobody is named or listens."""
        model = self.model
        if self._options.cache == "only":
            return
        try:
            model.reach()
        except EndpointError as error:
            raise AgentError(str(error)) from None

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
        options, model = self._options, self.model
        answer = None if options.cache == "off" else model.find(question)
        if answer is None:
            if options.cache == "only":
                raise AgentError(
                    f"the answer of {options.model} to '{purpose}' is not kept, and"
                    " cache=only asks nobody (@cache=use does)"
                )
            answer = self._asked(messages, schema)
            if options.cache == "use":
                self._keep(question, answer)
        self._count(answer, prompt, digests)
        new_system = self.system if self.system != self._told_system else ""
        self._told_system = self.system

        def exchange(fault: str = "") -> Exchange:
            return answer.exchange(
                purpose,
                prompt,
                images=digests,
                system=new_system,
                fault=fault,
                prices=(options.price_in, options.price_out),
            )

        return answer.text, exchange

    def _check_budget(self) -> None:
        options = self._options
        if options.max_calls is not None and self.calls >= options.max_calls:
            raise SpentError(f"its {options.max_calls} calls are used up")
        if options.max_tokens is not None and self.tokens >= options.max_tokens:
            raise SpentError(f"its {options.max_tokens} tokens are used up")

    def _count(self, answer: Answer, prompt: str, digests: Sequence[str]) -> None:
        self.calls += 1
        guess = len(self.system + prompt) // _CHARACTERS_PER_TOKEN
        guess += _TOKENS_PER_PICTURE * len(digests)
        self.tokens += guess if answer.found.tokens_in is None else answer.found.tokens_in
        out = answer.found.tokens_out
        self.tokens += len(answer.text) // _CHARACTERS_PER_TOKEN if out is None else out

    def _question(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """All that decides the answer. A model without a name is that of its endpoint."""
        options = self._options
        asked = [options.temperature, options.answer_tokens, options.form, self._seed]
        return json.dumps([_VERSION, self.model.identity, asked, [_digested(m) for m in messages]])

    def _keep(self, question: str, answer: Answer) -> None:
        try:
            self.model.keep(question, answer)
        except OSError as error:
            raise AgentError(
                f"answers cannot be kept in {self._folder} ({error.strerror or error}):"
                " make room, or use @cache=off"
            ) from None

    # ------------------------------------------------------------------------------- the request
    def _body(self, messages: Sequence[Mapping[str, Any]], schema: Schema) -> dict[str, Any]:
        options = self._options
        body: dict[str, Any] = {
            "messages": [_packed(message) for message in messages],
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

    def _asked(self, messages: Sequence[Mapping[str, Any]], schema: Schema) -> Answer:
        try:
            return self.model.ask(
                self._body(messages, schema),
                until=self._until,
                timeout_s=self._options.timeout_s,
            )
        except EndpointError as error:
            raise AgentError(self._trouble(error)) from None

    def _trouble(self, error: EndpointError) -> str:
        if not error.is_passing:
            return str(error)
        return f"{error}: raise @patience_s, and with it --step-limit, if it needs longer"


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
