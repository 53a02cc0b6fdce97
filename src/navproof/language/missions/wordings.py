"""The styles in which a mission is worded, and an episode in another of them.

An episode of OmniNavBench's kind holds its instruction in four styles. In which it is read is a
part of the condition that it is run under (``corruptions.condition``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeGuard, get_args

from navproof.core.errors import EpisodeError, UnknownNameError
from navproof.core.registry import suggest
from navproof.core.types import Episode, Instruction

__all__ = [
    "MISSION_STYLES",
    "ORIGINAL",
    "OTHER_STYLES",
    "MissionStyle",
    "check_style",
    "is_style",
    "reworded",
]

MissionStyle = Literal["original", "concise", "verbose", "first_person"]
MISSION_STYLES: tuple[MissionStyle, ...] = get_args(MissionStyle)
ORIGINAL = "original"
OTHER_STYLES: tuple[str, ...] = tuple(s for s in MISSION_STYLES if s != ORIGINAL)


def is_style(name: str) -> TypeGuard[MissionStyle]:
    return name in MISSION_STYLES


def check_style(name: str) -> str:
    """The name itself, or an error with a suggestion."""
    if name not in MISSION_STYLES:
        raise UnknownNameError(f"there is no style '{name}'{suggest(name, list(MISSION_STYLES))}")
    return name


def reworded(episode: Episode, style: str) -> Episode:
    """The episode with the words of another style as its instruction, and the tag ``style``; the
    original ones are then among its ``wordings``. An ``EpisodeError`` where it has no such words.
    """
    if style == ORIGINAL:
        return episode
    if style not in episode.wordings:
        raise EpisodeError(
            f"episode {episode.episode_id} ({episode.task}) has no {style} wording; "
            "styles are for missions"
        )
    words = Instruction(episode.wordings[style])
    original = {ORIGINAL: episode.instruction.text} if episode.instruction else {}
    return replace(
        episode,
        instruction=words,
        wordings={**episode.wordings, **original},
        tags={**episode.tags, "style": style},
    )
