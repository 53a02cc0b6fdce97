"""The fields of one table of a sensor file, read with their types and limits."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from navproof.core.errors import SpecError
from navproof.core.registry import suggest
from navproof.core.types import Scalar

__all__ = ["Fields"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,39}")
_RESERVED = ("instruction",)
_MOST = 1e9


class Fields:
    """A table; every complaint begins with ``where`` and names the field."""

    def __init__(self, table: Mapping[str, Any], where: str) -> None:
        self._table, self._where = table, where

    def within(self, where: str) -> Fields:
        return Fields(self._table, where)

    def part(self, names: Collection[str]) -> Fields:
        """The same table with these fields alone."""
        return Fields({k: v for k, v in self._table.items() if k in names}, self._where)

    def has(self, field: str) -> bool:
        return field in self._table

    def scalar(self, field: str) -> Scalar:
        """An option: text, a number, or true or false."""
        value = self._needed(field)
        if not isinstance(value, str | int | float | bool):
            raise self.wrong(field, f"text, a number, or true or false, got {_shown(value)}")
        return value

    def wrong(self, field: str, why: str) -> SpecError:
        return SpecError(f"{self._where}: {field}: {why}")

    def get(self, field: str) -> Any:
        return self._table.get(field)

    def only(self, known: Collection[str], what: str) -> None:
        """Refuse fields that ``what`` do not have."""
        for field in self._table:
            if field not in known:
                raise SpecError(
                    f"{self._where}: {what} have no field '{field}'{suggest(field, list(known))}"
                )

    def name(self, field: str) -> str:
        value = self._needed(field)
        if not isinstance(value, str) or not _NAME.fullmatch(value) or value in _RESERVED:
            raise self.wrong(
                field, f"letters, digits, '_', '-' and '.', at most 40, got {_shown(value)}"
            )
        return value

    def one_of(self, field: str, known: Sequence[str], usual: str | None = None) -> str:
        value = self._needed(field) if usual is None else self._table.get(field, usual)
        if not isinstance(value, str) or value not in known:
            hint = suggest(str(value), list(known))
            raise self.wrong(field, f"there is no {_shown(value)}{hint}")
        return value

    def text(self, field: str, usual: str) -> str:
        value = self._table.get(field, usual)
        if not isinstance(value, str):
            raise self.wrong(field, f"it must be text, got {_shown(value)}")
        return value

    def flag(self, field: str, usual: bool) -> bool:
        value = self._table.get(field, usual)
        if not isinstance(value, bool):
            raise self.wrong(field, f"it must be true or false, got {_shown(value)}")
        return value

    def whole(self, field: str, usual: int, low: int, high: int) -> int:
        value = self._table.get(field, usual)
        if type(value) is not int or not low <= value <= high:
            raise self.wrong(
                field, f"it must be a whole number from {low} to {high}, got {_shown(value)}"
            )
        return value

    def number(self, field: str, usual: float) -> float:
        return self._number(field, self._table.get(field, usual))

    def pair(self, field: str, usual: tuple[float, float]) -> tuple[float, float]:
        """Two numbers, the lower first."""
        value = self._table.get(field, list(usual))
        if not isinstance(value, list) or len(value) != 2:
            raise self.wrong(field, f"it must be [low, high], got {_shown(value)}")
        low, high = (self._number(field, v) for v in value)
        if low > high:
            raise self.wrong(field, f"it must be [low, high], got {_shown(value)}")
        return low, high

    def size(self, field: str, usual: tuple[int, int], most: int) -> tuple[int, int]:
        value = self._table.get(field, list(usual))
        if (
            not isinstance(value, list)
            or len(value) != 2
            or any(type(v) is not int or not 1 <= v <= most for v in value)
        ):
            raise self.wrong(
                field, f"it must be two whole numbers from 1 to {most}, got {_shown(value)}"
            )
        return value[0], value[1]

    def numbers(self, field: str, usual: Any) -> dict[str, float]:
        """A table of numbers; those not told are as in ``usual`` (a dataclass or a mapping)."""
        known = dict(usual) if isinstance(usual, Mapping) else self.table_of(usual)
        value = self._table.get(field, {})
        if not isinstance(value, dict):
            raise self.wrong(
                field, f"it must be a table such as {{ {next(iter(known))} = 0.1 }},"
                f" got {_shown(value)}"
            )  # fmt: skip
        for key, told in value.items():
            if key not in known:
                raise self.wrong(field, f"there is no '{key}'{suggest(key, list(known))}")
            known[key] = self._number(f"{field}.{key}", told)
        return known

    @staticmethod
    def table_of(value: Any) -> dict[str, float]:
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}

    def _needed(self, field: str) -> Any:
        if field not in self._table:
            raise SpecError(f"{self._where}: {field} is missing")
        return self._table[field]

    def _number(self, field: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(field, f"it must be a number, got {_shown(value)}")
        if not -_MOST <= value <= _MOST:
            raise self.wrong(field, f"it must be a finite number, got {_shown(value)}")
        return float(value)


def _shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return text if len(text) <= 40 else f"{text[:39]}…"
