"""Styles as parts of conditions, and episodes in other words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mission_samples import OBJECT, ROOM, mission
from navproof.core.errors import EpisodeError, SpecError, UnknownNameError
from navproof.corruptions.condition import Condition, parse_condition
from navproof.language.missions.wordings import OTHER_STYLES, check_style, reworded


@pytest.mark.parametrize("style", ["original", *OTHER_STYLES])
@pytest.mark.parametrize("text", ["clean", "spatter@0.75", "flare+depth_gaussian@0.4"])
def test_a_style_is_a_part_of_a_condition(style: str, text: str) -> None:
    condition = replace(parse_condition(text), style=style)
    assert parse_condition(condition.name) == condition
    assert condition.corrupted.name == text


def test_a_style_may_stand_anywhere_but_once() -> None:
    assert parse_condition("spatter + concise").name == "concise+spatter"
    assert parse_condition("concise") == Condition(style="concise")
    with pytest.raises(SpecError, match="two styles, concise and verbose"):
        parse_condition("concise+verbose")


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
