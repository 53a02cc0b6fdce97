"""Styles by a language model behind any OpenAI-compatible endpoint, instead of the built-in ones.

``restyle_with`` asks for a rewriting, checks that it kept every landmark, direction and their
order (``language.styles.content.kept``), asks once more if it did not, and otherwise falls back on
the built-in style and says so. Answers are kept on disk by model, style and text, wherever a named
model runs, so that a run can be repeated without it. This is how the published protocol makes its
four styles (NavTrust 3.3, with LLaMA-3.1).
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import numpy as np

from navproof.core.cache import cache_dir
from navproof.core.errors import NavproofError, SpecError, UnknownNameError, one_line
from navproof.core.files import write_atomically
from navproof.core.registry import suggest
from navproof.core.types import Instruction
from navproof.corruptions import instruction as built_in
from navproof.corruptions.arguments import check_intensity
from navproof.language.styles.content import kept

__all__ = ["STYLES", "UNNAMED", "Rewriter", "RewriterError", "Rewritten", "restyle_with"]

UNNAMED = "default"
"""The model to ask for where an endpoint serves whatever it serves."""
_PROMPT_VERSION = 1
_MOST_BYTES = 1 << 20
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
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise SpecError(
                f"a {self.role}'s address starts with http:// or https://: '{self.url}'"
            )
        if not self.model:
            raise SpecError(f"a {self.role} needs the name of the model to ask for")
        if not self.timeout_s > 0:
            raise SpecError(f"a {self.role}'s timeout must be above 0 s, got {self.timeout_s}")

    @property
    def endpoint(self) -> str:
        return f"{self.url.rstrip('/').removesuffix('/v1')}/v1/chat/completions"

    @property
    def identity(self) -> str:
        """Whose answers they are: the model's, or, where it has no name, that endpoint's."""
        return f"{self.model} at {self.endpoint}" if self.model == UNNAMED else self.model

    def ask(self, messages: Messages) -> str:
        """The model's answer at temperature 0, or a ``RewriterError``."""
        body = {"model": self.model, "messages": messages, "temperature": 0, "stream": False}
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(self.key_variable):
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(self.endpoint, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_s) as reply:
                data = reply.read(_MOST_BYTES)
        except urllib.error.HTTPError as error:
            said = " ".join(error.read(_MOST_BYTES).decode(errors="replace").split())[:200]
            raise RewriterError(
                f"the {self.role} at {self.endpoint} answered {error.code} {error.reason}: {said}"
            ) from None
        except TimeoutError:
            raise RewriterError(
                f"the {self.role} at {self.endpoint} gave no answer within {self.timeout_s:g} s"
            ) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise RewriterError(
                f"cannot reach the {self.role} at {self.endpoint} ({one_line(error)})"
            ) from None
        return self._content(data)

    def _content(self, data: bytes) -> str:
        try:
            content: Any = json.loads(data)["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError):
            content = None
        if not isinstance(content, str) or not content.strip():
            said = " ".join(data[:120].decode(errors="replace").split())
            raise RewriterError(
                f"the {self.role} at {self.endpoint} did not answer with a chat completion:"
                f" '{said}'"
            )
        return " ".join(content.split()).strip('"“” ')


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
    path = rewriter.folder / f"{hashlib.sha256(identity.encode()).hexdigest()[:32]}.json"
    try:
        answer = json.loads(path.read_bytes())["answer"]
    except (OSError, ValueError, LookupError, TypeError):
        answer = None
    if isinstance(answer, str) and answer:
        return answer, _faults(words, answer)
    answer = _asked(rewriter, words, style)
    record = {"model": rewriter.identity, "style": style, "text": words, "answer": answer}
    write_atomically(path, json.dumps(record, ensure_ascii=True, indent=1).encode())
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
