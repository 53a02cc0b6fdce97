"""Values as plain JSON-like data, the same for the same value across versions.

Files and hashes are made of it. A field that came later (``later`` in its metadata) is left out
while it has its default, so that what was written or hashed before it came stays the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

__all__ = ["as_plain", "is_left_out"]


def as_plain(value: Any, *, complete: bool = False) -> Any:
    """Dataclasses and mappings become dicts, tuples lists; everything else stays as it is.
    ``complete``: with every field, so that what is written means the same where defaults are
    others."""
    if is_dataclass(value) and not isinstance(value, type):
        found = {}
        for f in fields(value):
            held = getattr(value, f.name)
            if complete or not is_left_out(f, held):
                found[f.name] = as_plain(held, complete=complete)
        return found
    if isinstance(value, Mapping):
        return {key: as_plain(held, complete=complete) for key, held in value.items()}
    if isinstance(value, tuple | list):
        return [as_plain(held, complete=complete) for held in value]
    return value


def is_left_out(f: Field[Any], held: Any) -> bool:
    """Whether a field came later and has its default."""
    return bool(f.metadata.get("later")) and held == _default(f)


def _default(f: Field[Any]) -> Any:
    if f.default_factory is not MISSING:
        return f.default_factory()
    return f.default
