"""A language model as judge of labels and memories, behind any OpenAI-compatible endpoint.

The scales are those of CanTest's Figures 9 (labels, as in ``semantics``) and 10 (memories), told to
the model in words. Answers are kept on disk by model and question, so that a diagnosis can be
repeated without it; a question that cannot be asked is an error, never a guess. Of a memory, an
answer without a number leaves what is counted (``remembering``).
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from navproof.core.cache import cache_dir
from navproof.core.endpoint.kept import KeptAnswers
from navproof.corruptions.rewriter import UNNAMED, Rewriter, RewriterError
from navproof.diagnosis.oracles.protocol import Judge, JudgeError, MemoryLikeness, SemanticDistance

__all__ = [
    "KEY_VARIABLE",
    "LlmDistance",
    "LlmJudge",
    "LlmMemory",
    "UnusableAnswerError",
    "address_of",
    "ask_once",
]

KEY_VARIABLE = "NAVPROOF_JUDGE_KEY"
_PROMPT_VERSION = 1
_OBJECT = re.compile(r"\{[^{}]*\}")

_SYSTEM = (
    "You compare what a robot calls a thing with what the thing is, strictly and always in the same"
    " way. You answer with one JSON object and nothing else."
)
_QUESTION = """How different in meaning are these two labels?
A: "{a}"
B: "{b}"
Use this scale, from 0 (the same) to 1 (they exclude each other):
0.00 the same thing by another name: "sofa" and "couch"
0.10 the same with more or fewer words: "table" and "dining table", "wooden chair" and "chair"
0.30 kin, but the difference could matter: "desk" and "table", "armchair" and "chair"
0.60 other things that are related or easily confused: "lamp" and "ceiling light"
0.80 one of the two is empty or unknown
0.90 things that have nothing to do with each other: "bed" and "microwave"
1.00 labels that cannot both be true: "door" and "window"
Case, punctuation and plural do not count; if both are empty or unknown it is 0.
Answer {{"d": number}} with two decimals."""
_MEMORY_SYSTEM = (
    "You compare what a robot remembers with what it has seen, strictly and always in the same way."
    " You answer with one JSON object and nothing else."
)
_MEMORY_QUESTION = """How well does this memory agree with what was seen?
Seen, a line for each time, oldest first:
{seen}
Remembered, a line for each time, oldest first:
{remembered}
Use this scale, from 0 (it contradicts what was seen) to 1 (it agrees):
1.00 all that is remembered was seen, there and in that order, and nothing that matters is missing
0.80 nothing is wrong, but something is missing or told loosely
0.50 part of it is right, but much is missing, or something was not seen there
0.20 little agrees, or most of it was never seen
0.00 it has nothing to do with what was seen, or contradicts it
Places of the same number are one place. Another name for a thing is no fault ("couch" for "sofa"),
nor is a broader one ("table" for "dining table"); case, punctuation and plural do not count. A
thing that was never seen is a fault, and so are a wrong place and a wrong order.
Answer {{"s": number}} with two decimals."""


class UnusableAnswerError(JudgeError):
    """The model answered, but not with a number in [0, 1]."""


@dataclass(frozen=True, slots=True)
class LlmJudge:
    """A ``Judge`` at an endpoint. The key, where one is wanted, is in ``NAVPROOF_JUDGE_KEY``."""

    url: str
    model: str = UNNAMED
    folder: Path = field(default_factory=lambda: cache_dir("judge"))
    timeout_s: float = 60.0

    def __post_init__(self) -> None:
        self._writer()  # says what is wrong with an address

    @property
    def identity(self) -> Mapping[str, str]:
        return {"model": self._writer().identity, "prompt": str(_PROMPT_VERSION)}

    def rate(self, system: str, prompt: str, field: str) -> float:
        """The number in [0, 1] that the model answers under ``field``; asked once."""
        question = json.dumps([_PROMPT_VERSION, self._writer().identity, system, prompt, field])
        kept = KeptAnswers(self.folder)
        with contextlib.suppress(ValueError, LookupError):
            if (record := kept.find(question)) is not None:
                return _number(str(record["answer"]), field)
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        try:
            answer = self._writer().ask(messages)
        except RewriterError as error:
            raise JudgeError(str(error)) from None
        try:
            rated = _number(answer, field)
        except (ValueError, LookupError):
            raise UnusableAnswerError(
                f"the judge at {self.url} answered '{answer[:80]}' instead of a number in [0, 1]"
            ) from None
        kept.keep(question, {"model": self._writer().identity, "prompt": prompt, "answer": answer})
        return rated

    def _writer(self) -> Rewriter:
        return Rewriter(self.url, self.model, self.folder, self.timeout_s, KEY_VARIABLE, "judge")


class LlmDistance:
    """A ``SemanticDistance`` by the model at an address, or by another ``judge``. Symmetric: a pair
    is always asked in one order."""

    def __init__(self, url: str, model: str | None = None, *, judge: Judge | None = None) -> None:
        self._judge = LlmJudge(url, UNNAMED if model is None else model) if judge is None else judge
        self._known: dict[tuple[str, str], float] = {}

    @property
    def model(self) -> str:
        return self._judge.identity["model"]

    @property
    def name(self) -> str:
        return f"judge {self.model}"

    def __call__(self, believed: str, expected: str) -> float:
        a, b = sorted((" ".join(believed.lower().split()), " ".join(expected.lower().split())))
        if a == b:
            return 0.0
        if (a, b) not in self._known:
            self._known[a, b] = self._judge.rate(_SYSTEM, _QUESTION.format(a=a, b=b), "d")
        return self._known[a, b]


class LlmMemory:
    """A ``MemoryLikeness`` by the model at an address, or by another ``judge``."""

    def __init__(self, url: str, model: str | None = None, *, judge: Judge | None = None) -> None:
        self._judge = LlmJudge(url, UNNAMED if model is None else model) if judge is None else judge
        self._known: dict[str, float | None] = {}

    @property
    def name(self) -> str:
        return f"judge {self._judge.identity['model']}"

    def __call__(self, remembered: Sequence[str], seen: Sequence[str]) -> float | None:
        question = _MEMORY_QUESTION.format(seen=_list(seen), remembered=_list(remembered))
        if question not in self._known:
            try:
                rated: float | None = self._judge.rate(_MEMORY_SYSTEM, question, "s")
            except UnusableAnswerError:
                rated = None
            self._known[question] = rated
        return self._known[question]


def address_of(model: str) -> str | None:
    """The address at which a model without a name of its own is served, taken from the name it has
    here. None for a model with a name, which may be served anywhere."""
    unnamed = f"{UNNAMED} at "
    if not model.startswith(unnamed):
        return None
    return model.removeprefix(unnamed).removesuffix("/v1/chat/completions")


def ask_once(distance: SemanticDistance | None, likeness: MemoryLikeness | None) -> None:
    """Ask each judge one question, so that a fault shows before the work begins. Raises
    ``JudgeError`` where one cannot be asked or gives no rating."""
    if distance is not None:
        distance("chair", "table")
    if likeness is None:
        return
    if likeness(("chair at place 1",), ("chair at place 1", "table at place 2")) is None:
        raise UnusableAnswerError(
            f"{likeness.name} gave no number in [0, 1] for a memory; ask another model"
        )


def _list(lines: Sequence[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def _number(answer: str, name: str) -> float:
    """The number in an answer. Raises ``ValueError`` where there is none in [0, 1]."""
    found = _OBJECT.search(answer)
    if found is None:
        raise ValueError(answer)
    value = json.loads(found.group())[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise ValueError(answer)
    return float(value)
