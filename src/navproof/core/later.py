"""Functions that are imported when they are first called, so that naming them costs nothing."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cached_property
from typing import Any

__all__ = ["Later", "later"]


class Later:
    """Stands for the function at ``package.module:name``; ``resolved`` is that function."""

    def __init__(self, where: str) -> None:
        self.where = where

    @cached_property
    def resolved(self) -> Callable[..., Any]:
        module, _, name = self.where.partition(":")
        found: Callable[..., Any] = getattr(importlib.import_module(module), name)
        return found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.resolved(*args, **kwargs)

    def __repr__(self) -> str:
        return f"later({self.where!r})"


def later(where: str) -> Later:
    """A function of navproof's by its place, ``package.module:name``."""
    return Later(where)
