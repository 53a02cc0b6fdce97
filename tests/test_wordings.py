"""Styles as parts of conditions, and episodes in other words."""

from __future__ import annotations

import pytest

from mission_samples import OBJECT, ROOM, mission
from navproof.core.errors import EpisodeError, SpecError, UnknownNameError
from navproof.wordings import (
    OTHER_STYLES,
    check_style,
    reworded,
    split_style,
    with_style,
)


@pytest.mark.parametrize("style", ["original", *OTHER_STYLES])
@pytest.mark.parametrize("condition", ["clean", "spatter@0.75", "flare+depth_gaussian@0.4"])
def test_a_style_and_a_condition_make_one_text_and_come_apart_again(
    style: str, condition: str
) -> None:
    assert split_style(with_style(style, condition)) == (style, condition)


def test_a_style_may_stand_anywhere_but_once() -> None:
    assert split_style("spatter + concise") == ("concise", "spatter")
    assert split_style("concise") == ("concise", "clean")
    with pytest.raises(SpecError, match="two styles, concise and verbose"):
        split_style("concise+verbose")


def test_an_unknown_style_is_told_with_a_suggestion() -> None:
    assert check_style("first_person") == "first_person"
    with pytest.raises(UnknownNameError, match="did you mean 'concise'"):
        check_style("concis")


def test_an_episode_in_other_words_says_so_and_keeps_the_rest() -> None:
    plain = mission(ROOM, OBJECT, wordings={"concise": "Bedroom, chair."}, tags={"budget_s": 9.0})
    other = reworded(plain, "concise")
    assert other.instruction is not None
    assert other.instruction.text == "Bedroom, chair."
    assert other.tags == {"budget_s": 9.0, "style": "concise"}
    assert other.wordings["original"].startswith("Do it all.")
    assert (other.episode_id, other.goals, other.subtasks) == (
        plain.episode_id,
        plain.goals,
        plain.subtasks,
    )
    assert reworded(plain, "original") is plain
    with pytest.raises(EpisodeError, match=r"m \(mission-v1\) has no verbose wording"):
        reworded(plain, "verbose")
