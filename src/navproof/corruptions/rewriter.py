"""Styles by a language model behind any OpenAI-compatible endpoint, instead of the built-in ones.

``restyle_with`` asks for a rewriting, checks that it kept every landmark, direction and their
order (``language.styles.content.kept``), asks once more if it did not, and otherwise falls back on
the built-in style and says so. Answers are kept on disk by model, style and text, wherever a named
model runs, so that a run can be repeated without it. This is how the published protocol makes its
four styles (NavTrust 3.3, with LLaMA-3.1).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from navproof.core.cache import cache_dir
from navproof.core.endpoint.client import Endpoint, EndpointError
from navproof.core.endpoint.kept import KeptAnswers
from navproof.core.endpoint.model import UNNAMED, Model
from navproof.core.errors import NavproofError, SpecError, UnknownNameError
from navproof.core.registry import suggest
from navproof.core.types import Instruction
from navproof.corruptions import instruction as built_in
from navproof.corruptions.arguments import check_intensity
from navproof.language.styles.content import kept

__all__ = ["STYLES", "UNNAMED", "Rewriter", "RewriterError", "Rewritten", "restyle_with"]

_PROMPT_VERSION = 1
_SHARED = (
    "You rewrite route instructions. Keep every landmark, room, colour, number and direction, in "
    "the same order, and add none. Do not explain. Reply with the rewritten instruction alone, in "
    "English, on one line."
)
STYLES: Mapping[str, str] = {
    "friendly": "Tell it as to a good friend: relaxed and warm, everyday words, contractions.",
    "novice": "Tell it to a beginner: very simple words and one short sentence for each action.",
    "professional": "Tell it as a trained guide would in a report: concise, exact, technical terms "
    "for movements.",
    "formal": "Tell it in a formal letter: courteous, complete sentences, elevated vocabulary, no "
    "contractions.",
}
"""What is asked of the model for each style."""

Messages = list[dict[str, str]]


class RewriterError(NavproofError):
    """The endpoint cannot be reached, refuses, or answers something else than a completion."""


@dataclass(frozen=True, slots=True)
class Rewriter:
    """A model at an endpoint: ``{url}/v1/chat/completions``.

    The key, where the endpoint wants one, is in the environment variable ``key_variable``.
    Answers are kept in ``folder`` (navproof's cache, if not given). ``role`` is what error messages
    call it.
    """

    url: str
    model: str
    folder: Path = field(default_factory=lambda: cache_dir("rewriter"))
    timeout_s: float = 60.0
    key_variable: str = "NAVPROOF_REWRITER_KEY"
    role: str = "rewriter"

    def __post_init__(self) -> None:
        _ = self._at  # says what is wrong with an address
        if not self.model:
            raise SpecError(f"a {self.role} needs the name of the model to ask for")
        if not self.timeout_s > 0:
            raise SpecError(f"a {self.role}'s timeout must be above 0 s, got {self.timeout_s}")

    @property
    def endpoint(self) -> str:
        return self._at.address

    @property
    def identity(self) -> str:
        """Whose answers they are: the model's, or, where it has no name, that endpoint's."""
        return Model(self._at, self.model, self.folder).identity

    def ask(self, messages: Messages) -> str:
        """The model's answer at temperature 0, or a ``RewriterError``."""
        body = {"model": self.model, "messages": messages, "temperature": 0, "stream": False}
        try:
            content = self._at.ask(body, self.timeout_s).text
        except EndpointError as error:
            raise RewriterError(str(error)) from None
        if not content.strip():
            raise RewriterError(
                f"the {self.role} at {self.endpoint} did not answer with a chat completion: it "
                "is empty"
            )
        return " ".join(content.split()).strip('"“” ')

    @property
    def _at(self) -> Endpoint:
        return Endpoint(self.url, self.key_variable, self.role)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The words, where they come from, and, where a rewriting was refused, a line that says why."""

    text: str
    source: Literal["model", "built-in", "unchanged"]
    note: str = ""


def restyle_with(
    rewriter: Rewriter,
    text: str | Instruction,
    style: str,
    intensity: float,
    rng: np.random.Generator,
) -> Rewritten:
    """The words in that style by the model, with the probability ``intensity``.

    0 is the identity; what is rewritten at some intensity is rewritten alike at a higher one (same
    generator). A text without a word is not sent.
    """
    if style not in STYLES:
        raise UnknownNameError(f"there is no style '{style}'{suggest(style, list(STYLES))}")
    words = text.text if isinstance(text, Instruction) else text
    drawn = float(rng.random())
    if not drawn < check_intensity(intensity) or not any(char.isalnum() for char in words):
        return Rewritten(words, "unchanged")
    answer, lost = _remembered(rewriter, words, style)
    if not lost:
        return Rewritten(answer, "model")
    plain: str = getattr(built_in, style)(text, 1.0, rng)
    return Rewritten(
        plain,
        "built-in",
        f"the {style} rewriting of {rewriter.identity} was refused, the built-in style stands in: "
        f"{'; '.join(lost)}",
    )


def _remembered(rewriter: Rewriter, words: str, style: str) -> tuple[str, list[str]]:
    """The model's answer and what is wrong with it, from the disk or asked for now."""
    identity = json.dumps([_PROMPT_VERSION, rewriter.identity, style, words])
    kept = KeptAnswers(rewriter.folder)
    if (record := kept.find(identity)) is not None:
        answer = str(record["answer"])
        return answer, _faults(words, answer)
    answer = _asked(rewriter, words, style)
    kept.keep(
        identity, {"model": rewriter.identity, "style": style, "text": words, "answer": answer}
    )
    return answer, _faults(words, answer)


def _asked(rewriter: Rewriter, words: str, style: str) -> str:
    messages: Messages = [
        {"role": "system", "content": f"{_SHARED} {STYLES[style]}"},
        {"role": "user", "content": words},
    ]
    answer = rewriter.ask(messages)
    faults = _faults(words, answer)
    if not faults:
        return answer
    return rewriter.ask([*messages, *_complaint(answer, faults)])


def _complaint(answer: str, faults: Sequence[str]) -> Messages:
    return [
        {"role": "assistant", "content": answer},
        {
            "role": "user",
            "content": f"That is not the same route: {'; '.join(faults)}. Write it again in the "
            "same style and keep everything.",
        },
    ]


def _faults(words: str, answer: str) -> list[str]:
    if answer.casefold().split() == words.casefold().split():
        return ["the words are the same as before"]
    return kept(words, answer)
