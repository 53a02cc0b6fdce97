"""What the class of an agent declares of itself, as its own process tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from navproof.core.codec import CodecError, from_plain

__all__ = ["Declaration"]


@dataclass(frozen=True, slots=True)
class Declaration:
    """``sensors`` is None for the task's standard ones, ``feels`` for the usual rule, ``tasks`` for
    all (see ``Agent``). ``options`` are those that it takes, with their defaults as text, ``files``
    what it says that it is made of besides its code. ``served`` is what a server calls itself
    (name, version, a digest of files), None for an agent on this machine."""

    sensors: tuple[str, ...] | None = None
    feels: frozenset[str] | None = None
    tasks: tuple[str, ...] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    served: Mapping[str, str] | None = None

    def served_as(self, served: Mapping[str, str]) -> Declaration:
        """The same of a server's agent, whose files are out of reach."""
        return replace(self, served=dict(sorted(served.items())), files=())

    def as_plain(self) -> dict[str, Any]:
        return {
            "sensors": None if self.sensors is None else list(self.sensors),
            "feels": None if self.feels is None else sorted(self.feels),
            "tasks": None if self.tasks is None else list(self.tasks),
            "options": dict(self.options),
            "files": list(self.files),
            **({} if self.served is None else {"served": dict(self.served)}),
        }

    @classmethod
    def of_plain(cls, plain: Any) -> Declaration:
        """``CodecError`` where it is none."""
        told: _Plain = from_plain(_Plain, plain)
        feels = None if told.feels is None else frozenset(told.feels)
        return cls(told.sensors, feels, told.tasks, told.options, told.files, told.served)


@dataclass(frozen=True, slots=True)
class _Plain:
    sensors: tuple[str, ...] | None
    feels: tuple[str, ...] | None
    tasks: tuple[str, ...] | None
    options: Mapping[str, str]
    files: tuple[str, ...]
    served: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        if not all(isinstance(value, str) for value in self.options.values()):
            raise CodecError("options are not text")
