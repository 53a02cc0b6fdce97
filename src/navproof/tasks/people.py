"""The people of an episode of any task: whether they make sense."""

from __future__ import annotations

from collections.abc import Iterator

from navproof.core.errors import EpisodeError
from navproof.core.types import Episode
from navproof.world.people.people import check_people

__all__ = ["people_faults"]


def people_faults(episode: Episode) -> Iterator[tuple[str, str]]:
    """(field, what is wrong) with the people of an episode of any task."""
    names: list[str] = []
    for index, walk in enumerate(episode.people):
        if not walk.person.strip():
            yield f"people.{index}.person", "is empty"
        if walk.person in names:
            yield f"people.{index}.person", f"'{walk.person}' is already there"
        names.append(walk.person)
        try:
            check_people((walk,))
        except EpisodeError as error:
            yield f"people.{index}", str(error)
