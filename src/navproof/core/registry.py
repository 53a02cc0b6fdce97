"""From names to code: lazy typed registries (a name leads to ``"module:attribute"``, imported when
it is asked for), and files of the user's own."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Generic, TypeVar

from navproof.core.errors import UnknownNameError

__all__ = ["Registry", "module_from_file", "suggest"]

T = TypeVar("T")
_SHOWN = 12


def suggest(name: str, known: list[str]) -> str:
    """``"; did you mean 'x'?"`` where something near is known, else the first names that are."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"; did you mean '{near[0]}'?"
    names = sorted(known)
    rest = f", … ({len(names)} in all)" if len(names) > _SHOWN else ""
    return f"; known: {', '.join(names[:_SHOWN])}{rest}"


class Registry(Generic[T]):
    """Names of one kind of thing. ``entries`` maps a name to ``"package.module:attribute"``."""

    def __init__(self, kind: str, entries: Mapping[str, str]) -> None:
        self.kind = kind
        self._entries = dict(entries)
        self._loaded: dict[str, T] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, name: str) -> T:
        """The registered thing, or an ``UnknownNameError`` with a suggestion."""
        if name not in self._entries:
            hint = suggest(name, list(self._entries))
            raise UnknownNameError(f"there is no {self.kind} '{name}'{hint}")
        if name not in self._loaded:
            module, _, attribute = self._entries[name].partition(":")
            self._loaded[name] = getattr(importlib.import_module(module), attribute)
        return self._loaded[name]


def module_from_file(path: Path) -> ModuleType:
    """A Python file of the user's, imported under a name of its own. Raises whatever it raises."""
    full = path.resolve()
    key = f"navproof_user_{full.stem}_{hashlib.sha256(str(full).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(key, full)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[key] = module  # so that dataclasses and pickle find the classes in it
    folder = str(full.parent)
    if folder not in sys.path:  # it may import its neighbours, now or later
        sys.path.append(folder)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(key, None)
        raise
    return module
