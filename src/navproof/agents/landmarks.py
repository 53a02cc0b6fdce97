"""Which known things an instruction names, in the order in which it names them."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["named_in_order"]


def named_in_order(text: str, labels: Iterable[str]) -> tuple[str, ...]:
    """The labels that occur in ``text`` as whole words, in order, doubles in a row once.

    Longer names win over the shorter ones inside them ("coffee table" over "table"); plurals in
    -s and -es count; underscores in labels are spaces.
    """
    names = sorted({*labels}, key=lambda n: (-len(n), n))
    if not names:
        return ()
    spoken = {name.replace("_", " ").lower(): name for name in reversed(names)}
    ordered = sorted(spoken, key=lambda n: (-len(n), n))
    pattern = re.compile(
        r"\b(" + "|".join(re.escape(n) for n in ordered) + r")(?:es|s)?\b", re.IGNORECASE
    )
    mentions: list[str] = []
    for match in pattern.finditer(text):
        name = spoken[match.group(1).lower()]
        if not mentions or mentions[-1] != name:
            mentions.append(name)
    return tuple(mentions)
