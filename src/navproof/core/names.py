"""The one grammar for names with options, wherever a user writes one.

    mlfm                          a name
    spatter@0.75                  with a strength
    spatter@0.75:frame            and a mode
    my.py:fog@0.5                 something of the user's own: FILE.py:NAME or package.module:NAME
    mlfm@layers=1@eae=0.2         with options
    chat@endpoint=http://host:80  a value ends where the next "@word=" begins, or at the end
    ws://host:9000@ca=lab.pem     the address of a server, with options

Strings become ``Name`` here, once; everything behind the edge passes ``Name`` or what it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from navproof.core.errors import SpecError

__all__ = ["MODES", "Name", "names_in", "parse_name", "split_list", "split_parts"]

MODES = ("frame", "episode")
_OPTION = re.compile(r"@(?=[A-Za-z_]\w*=)")
_STRENGTH = re.compile(r"@(?P<value>[^@:=/\\]*)$")
_COMMA = re.compile(r",(?!\s*[A-Za-z_]\w*=)")
_PLUS = re.compile(r"\+(?![^@+]*=)")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it was written. ``value`` is what stands behind a bare ``@`` ("" where nothing
    does), ``mode`` one of ``MODES`` or ""."""

    ref: str
    value: str = ""
    mode: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_reference(self) -> bool:
        """Whether it names a file or module of somebody's own rather than something known."""
        return ":" in self.ref

    @property
    def attribute(self) -> str:
        """What a reference names in its file or module; of an address what follows "://"; of a
        plain name the name itself."""
        _, _, place = self.ref.partition("://")
        return place or self.ref.rpartition(":")[2]

    def __str__(self) -> str:
        value = f"@{self.value}" if self.value else ""
        mode = f":{self.mode}" if self.mode else ""
        return f"{self.ref}{value}{mode}" + "".join(f"@{k}={v}" for k, v in self.options)


def parse_name(text: str, what: str = "name") -> Name:
    """``text`` as a ``Name``; a ``SpecError`` that begins with ``what`` where it is none."""
    whole = text.strip()
    if not whole:
        raise SpecError(f"{what}: a name is missing")
    head, *pairs = _OPTION.split(whole)
    options: dict[str, str] = {}
    for pair in pairs:
        option, _, value = pair.partition("=")
        if not value:
            raise SpecError(f"{what} '{whole}': option '{option}' has no value")
        if option in options:
            raise SpecError(f"{what} '{whole}' has the option '{option}' twice")
        options[option] = value
    head, mode = _mode(head.strip())
    found = _STRENGTH.search(head)
    value = ""
    if found:
        head, value = head[: found.start()], found["value"].strip()
        if not value:
            raise SpecError(f"{what} '{whole}': nothing stands behind the '@'")
    if not head.strip():
        raise SpecError(f"{what} '{whole}': a name is missing")
    return Name(head.strip(), value, mode, tuple(options.items()))


def _mode(head: str) -> tuple[str, str]:
    """A trailing ``:frame`` or ``:episode``, unless it is what a reference names in its file."""
    before, colon, last = head.rpartition(":")
    if not colon or last not in MODES:
        return head, ""
    is_file = before.endswith(".py") or ("." in before and ":" not in before and "@" not in before)
    return (head, "") if is_file else (before, last)


def split_list(text: str) -> list[str]:
    """The names in a list with commas; a comma before ``word=`` belongs to a value."""
    return [part.strip() for part in _COMMA.split(text) if part.strip()]


def split_parts(text: str) -> list[str]:
    """The parts of a condition, joined by ``+``; a plus inside a value belongs to it."""
    return [part.strip() for part in _PLUS.split(text)]


def names_in(names: str | Iterable[str]) -> tuple[str, ...]:
    """One name, or several."""
    return (names,) if isinstance(names, str) else tuple(names)
