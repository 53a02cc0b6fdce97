"""Options written into a name: ``noise=0.1,miss=0.2``."""

from __future__ import annotations

from dataclasses import fields
from math import isfinite
from typing import Any, TypeVar

from navproof.core.errors import PerceptionError
from navproof.core.registry import suggest

__all__ = ["check_range", "read_options"]

T = TypeVar("T")


def read_options(made: type[T], text: str, what: str) -> T:
    """A dataclass of numbers, filled from ``name=number`` pairs with commas between them."""
    kinds: dict[str, Any] = {f.name: f.type for f in fields(made)}  # type: ignore[arg-type]
    given: dict[str, float | int] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, equals, number = (part.strip() for part in pair.partition("="))
        if name not in kinds:
            raise PerceptionError(f"{what} has no option '{name}'{suggest(name, list(kinds))}")
        if name in given:
            raise PerceptionError(f"{what}: {name} is given twice")
        whole = kinds[name] in (int, "int")
        try:
            given[name] = int(number) if whole else float(number)
        except ValueError:
            kind = "a whole number" if whole else "a number"
            shown = repr(number) if equals else "nothing"
            raise PerceptionError(f"{what}: {name} must be {kind}, got {shown}") from None
    return made(**given)


def check_range(what: str, name: str, value: float, low: float, high: float) -> None:
    """Raises unless ``low`` ≤ ``value`` ≤ ``high``."""
    if not (isfinite(value) and low <= value <= high):
        raise PerceptionError(f"{what}: {name} must be from {low:g} to {high:g}, got {value:g}")
