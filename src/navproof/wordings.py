"""In which of its wordings a mission is read, as a part of the condition that it is run under.

An episode of OmniNavBench's kind holds its instruction in four styles. The original one is the
plain text and has no name in a condition; any other stands before the corruptions: ``concise``,
``verbose+depth_gaussian@0.4``. So results of two styles have two keys, and are compared as
conditions are: with the same episode in its original words, never averaged with it.

>>> split_style("verbose+depth_gaussian@0.4")
('verbose', 'depth_gaussian@0.4')
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeGuard, get_args

from navproof.core.errors import EpisodeError, SpecError, UnknownNameError
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
    "split_style",
    "with_style",
]

MissionStyle = Literal["original", "concise", "verbose", "first_person"]
MISSION_STYLES: tuple[MissionStyle, ...] = get_args(MissionStyle)
ORIGINAL = "original"
OTHER_STYLES: tuple[str, ...] = tuple(s for s in MISSION_STYLES if s != ORIGINAL)
_CLEAN = "clean"


def is_style(name: str) -> TypeGuard[MissionStyle]:
    return name in MISSION_STYLES


def check_style(name: str) -> str:
    """The name itself, or an error with a suggestion."""
    if name not in MISSION_STYLES:
        raise UnknownNameError(f"there is no style '{name}'{suggest(name, list(MISSION_STYLES))}")
    return name


def split_style(condition: str) -> tuple[str, str]:
    """The style that a condition names (``ORIGINAL`` where it names none), and the rest of it."""
    parts = [part.strip() for part in condition.split("+")]
    styles = [part for part in parts if part in OTHER_STYLES]
    if len(styles) > 1:
        raise SpecError(f"condition '{condition}' has two styles, {styles[0]} and {styles[1]}")
    if not styles:
        return ORIGINAL, condition
    rest = [part for part in parts if part not in OTHER_STYLES]
    return styles[0], "+".join(rest) if rest else _CLEAN


def with_style(style: str, condition: str) -> str:
    """The condition, read in that style: the opposite of ``split_style``."""
    if style == ORIGINAL:
        return condition
    return style if condition == _CLEAN else f"{style}+{condition}"


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
