"""The common sense that agents ask for: what is near what, in which room, and what looks alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from navproof.core.types import Exchange

__all__ = ["AskedModel", "LanguageModel"]


class LanguageModel(Protocol):
    """Answers questions about things by their names. The same question has the same answer
    throughout a run, so copies of an agent may share it."""

    @property
    def name(self) -> str:
        """What results call it."""

    def near(self, thing: str, others: Sequence[str]) -> float | None:
        """The probability that a room with the ``others`` in it (at least one) also holds such a
        thing; None where nothing is known of it."""

    def room(self, thing: str) -> str | None:
        """The kind of room in which such a thing is to be expected; None where it may be
        anywhere."""

    def alike(self, thing: str) -> tuple[str, ...]:
        """Other things, at most four, that are easily taken for such a thing, likeliest first."""


@runtime_checkable
class AskedModel(LanguageModel, Protocol):
    """A language model that tells what it was asked, so that traces hold it."""

    def begin(self) -> None:
        """A new episode."""

    def take_exchanges(self) -> tuple[Exchange, ...]:
        """What it was asked since this was last called."""
