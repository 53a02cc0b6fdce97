"""What the class of an agent declares of itself, as its own process tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from navproof.core.codec import CodecError, from_plain

__all__ = ["Declaration"]


@dataclass(frozen=True, slots=True)
class Declaration:
    """``sensors`` is None for the task's standard ones, ``feels`` for the usual rule, ``tasks`` for
    all (see ``Agent``). ``options`` are those that it takes, with their defaults as text, ``files``
    what it says that it is made of besides its code."""

    sensors: tuple[str, ...] | None = None
    feels: frozenset[str] | None = None
    tasks: tuple[str, ...] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()

    def as_plain(self) -> dict[str, Any]:
        return {
            "sensors": None if self.sensors is None else list(self.sensors),
            "feels": None if self.feels is None else sorted(self.feels),
            "tasks": None if self.tasks is None else list(self.tasks),
            "options": dict(self.options),
            "files": list(self.files),
        }

    @classmethod
    def of_plain(cls, plain: Any) -> Declaration:
        """``CodecError`` where it is none."""
        told: _Plain = from_plain(_Plain, plain)
        feels = None if told.feels is None else frozenset(told.feels)
        return cls(told.sensors, feels, told.tasks, told.options, told.files)


@dataclass(frozen=True, slots=True)
class _Plain:
    sensors: tuple[str, ...] | None
    feels: tuple[str, ...] | None
    tasks: tuple[str, ...] | None
    options: Mapping[str, str]
    files: tuple[str, ...]

    def __post_init__(self) -> None:
        if not all(isinstance(value, str) for value in self.options.values()):
            raise CodecError("options are not text")
