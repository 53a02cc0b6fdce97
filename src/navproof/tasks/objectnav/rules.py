"""ObjectNav: find any instance of a category.

Batra et al. 2020, "ObjectNav Revisited"; settings and viewpoints as in Habitat's HM3D ObjectNav:
the goal's positions are navigable viewpoints, at most 1 m from an instance's surface, from which
the instance is really seen.
"""

from __future__ import annotations

from typing import final

from navproof.core.types import Episode
from navproof.language.lexicon.nouns import with_article
from navproof.tasks.stop_at_goal import StopAtGoal

__all__ = ["ObjectNav", "objectnav_text"]


def objectnav_text(category: str) -> str:
    """The words of an ObjectNav goal: "Find a potted plant."."""
    return f"Find {with_article(category)}."


@final
class ObjectNav(StopAtGoal):
    """Success: stop at most 0.1 m from a viewpoint of any instance, along the floor.

    0.1 m is the setting of Habitat's HM3D ObjectNav. Viewpoints lie at most 1 m from the object and
    see it, so a robot that stops there is near it, and not behind a wall.
    """

    def _words(self, episode: Episode) -> str:
        if episode.instruction is not None:
            return episode.instruction.text
        return objectnav_text(episode.goals[0].category or "object")

    def _category(self, episode: Episode) -> str | None:
        return episode.goals[0].category
