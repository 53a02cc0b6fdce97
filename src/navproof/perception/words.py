"""General word vectors: what a text encoder starts from, for words that were never trained on.

The table (``data/words.npz``, made by ``scripts/make_words.py``) holds a unit vector for some 37
thousand English words, distilled from a sentence encoder; near words mean near things. Nothing
but NumPy is needed to read it. Why these vectors: design/0006-words.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import islice
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

__all__ = ["PADDING", "UNKNOWN", "WordTable"]

PADDING = 0
UNKNOWN = 1
_WORD = re.compile(r"[a-z]+|[0-9]+")
_APOSTROPHE_S = re.compile(r"['’]s\b")
_LONGEST = 32  # longer runs of letters are no word, nor a compound of a few
_SHORTEST_PART = 3
_MOST_PARTS = 3
_PLURALS = (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", ""))
_SPELLINGS = (
    *(("our", "or"), ("or", "our"), ("ise", "ize"), ("ize", "ise"), ("isation", "ization")),
    *(("tre", "ter"), ("ter", "tre"), ("ll", "l"), ("l", "ll"), ("ey", "ay"), ("ay", "ey")),
    *(("ogue", "og"), ("que", "ck"), ("ence", "ense"), ("mould", "mold"), ("ae", "e")),
)
"""Spelling differences between British and American English, tried on unknown words."""


@dataclass(frozen=True, slots=True)
class WordTable:
    """``vectors[ids(text)]`` are the vectors of a text's words, (words, ``dim``), unit length;
    rows ``PADDING`` and ``UNKNOWN`` are zero."""

    rows: Mapping[str, int]
    vectors: NDArray[np.float32]

    @staticmethod
    def load() -> WordTable:
        """The table that comes with the package, read once per process."""
        return _packaged()

    @property
    def dim(self) -> int:
        return int(self.vectors.shape[1])

    def ids(self, text: str, limit: int = 16) -> list[int]:
        """The rows of the first ``limit`` words of ``text``, in order; any text will do.

        Words are runs of letters or digits, in any case, without accents. An unknown word is tried
        in the singular, in the other of British and American spelling, and as a compound
        ("nightlamp"); what is left is ``UNKNOWN``.
        """
        words = _WORD.finditer(_plain(text))
        return list(islice((row for word in words for row in self._rows(word.group())), limit))

    def batch(self, texts: Sequence[str], limit: int = 16) -> NDArray[np.int32]:
        """(n, limit) rows of each text's words, filled up with ``PADDING``."""
        out = np.full((len(texts), limit), PADDING, np.int32)
        for line, text in zip(out, texts, strict=True):
            rows = self.ids(text, limit)
            line[: len(rows)] = rows
        return out

    def _rows(self, word: str) -> Iterable[int]:
        if (row := self.rows.get(word)) is not None:
            return (row,)
        for other in _variants(word):
            if (row := self.rows.get(other)) is not None:
                return (row,)
        if len(word) <= _LONGEST and word.isalpha():
            for end in (word, *_singulars(word)):
                if parts := self._parts(end, _MOST_PARTS):
                    return [self.rows[part] for part in parts]
        return (UNKNOWN,)

    def _parts(self, word: str, most: int) -> list[str]:
        """``word`` as at most ``most`` known words in a row, the longest first; else nothing."""
        if word in self.rows:
            return [word]
        if most > 1:
            for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
                if word[:cut] in self.rows and (rest := self._parts(word[cut:], most - 1)):
                    return [word[:cut], *rest]
        return []


def _plain(text: str) -> str:
    """Lower case, without accents; the "s" of "child's" falls away."""
    text = _APOSTROPHE_S.sub("", text.lower())
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _singulars(word: str) -> Iterator[str]:
    if len(word) >= _SHORTEST_PART and not word.endswith("ss"):
        for ending, single in _PLURALS:
            if word.endswith(ending):
                yield word.removesuffix(ending) + single


def _variants(word: str) -> Iterator[str]:
    if len(word) > _LONGEST:
        return
    singular = list(_singulars(word))
    yield from singular
    for form in (word, *singular):
        for ours, theirs in _SPELLINGS:
            if ours in form:
                yield form.replace(ours, theirs, 1)


@lru_cache(maxsize=1)
def _packaged() -> WordTable:
    source = resources.files("navproof.perception") / "data" / "words.npz"
    with source.open("rb") as file, np.load(file) as data:
        words = data["words"].tobytes().decode().split("\n")
        table_rows = data["rows"].astype(np.float32) * data["scale"][:, None]
    vectors = np.concatenate([np.zeros((2, table_rows.shape[1]), np.float32), table_rows])
    vectors.setflags(write=False)
    rows = {word: row for row, word in enumerate(words, start=2)}
    return WordTable(MappingProxyType(rows), vectors)
