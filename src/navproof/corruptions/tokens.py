"""Numbers in an observation that are made of its words, and have to change with them.

Habitat's instruction is one: ``{"text": …, "tokens": [2584, 780, …], "trajectory_id": …}``. Were
the text spoiled and the tokens left, an agent that reads the tokens would hear everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from navproof.core.errors import NavproofError, SpecError, one_line

__all__ = ["Maker", "looks_made_of_words", "remade", "untold"]

Maker: TypeAlias = Callable[[str], Any] | None
"""What makes the numbers of a text; None says that they are not made of words."""
_NAMES = re.compile(
    r"token|input_?ids|attention_?mask|embed|encod|instruction|sentence|words?$|caption|language",
    re.IGNORECASE,
)


def looks_made_of_words(key: object) -> bool:
    """Whether something that is no text is called as if it were made of one."""
    return _NAMES.search(str(key)) is not None


def untold(names: Iterable[str], tokens: Mapping[str, Maker]) -> SpecError | None:
    """What to raise where one of these observations, which are no text, looks as if it were made of
    words that change, and nobody told how."""
    for name in names:
        if name not in tokens and looks_made_of_words(name.rpartition(".")[2]):
            return SpecError(
                f"'{name}' looks as if it were made of words that the condition changes, and would "
                f"pass clean: give the function that makes it of a text, tokens={{'{name}': …}} "
                "(None where it is not made of them)"
            )
    return None


def remade(name: str, maker: Callable[[str], Any], text: str, before: Any) -> Any:
    """The numbers of a text, in the form that they had before. A ``SpecError`` where ``maker``
    fails, or gives another form."""
    try:
        found = maker(text)
        if not isinstance(before, np.ndarray):
            return type(before)(found) if isinstance(before, list | tuple) else found
        array = np.asarray(found, dtype=before.dtype)
    except NavproofError:
        raise
    except Exception as error:
        raise SpecError(
            f"tokens: what makes '{name}' fails on a text: {one_line(error)}"
        ) from error
    if array.shape != before.shape:
        raise SpecError(
            f"tokens: what makes '{name}' gives {array.shape}, and {before.shape} is needed: fill "
            "it up to that, or cut it"
        )
    return array
