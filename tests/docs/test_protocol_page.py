"""The page of the protocol names every question, every field of what is told, and the version."""

from __future__ import annotations

import mmap
import re
from dataclasses import fields
from pathlib import Path

import pytest

from navproof.agents.host import _Host
from navproof.agents.wire import PROTOCOL_VERSION, observation_to
from navproof.core.types import Observation, TaskBrief

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "protocol.md").read_text()
NAMED = set(re.findall(r"`([a-z_]+)`", PAGE))


def test_it_is_of_this_version() -> None:
    assert f"Version {PROTOCOL_VERSION}." in PAGE


def test_every_question_is_there() -> None:
    asked = set(_Host(mmap.mmap(-1, 1))._answers)
    assert asked | {"stop", "ask"} == set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))


@pytest.mark.parametrize(
    "told",
    [{field.name for field in fields(TaskBrief)}, set(observation_to(Observation(0, {})))],
    ids=["brief", "observation"],
)
def test_every_field_is_there(told: set[str]) -> None:
    assert told <= NAMED
