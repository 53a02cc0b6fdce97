"""A task of one's own, from a file: what it makes is of the task as it was named."""

from __future__ import annotations

from pathlib import Path

import pytest

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.tasks import TASKS, spec_for
from navproof.tasks.generate import generate_episodes

TASK = """
from dataclasses import replace
from navproof.tasks import TASKS

KIND = TASKS.get("pointnav-v1")
SPEC = replace(KIND.spec, task="mine")
def make(site, seed, index, attempt):
    assert site.body(SPEC).robot == SPEC.robot
    return KIND.make(site, seed, index, attempt)
MINE = replace(KIND, id="mine", spec=SPEC, make=make)
"""


@pytest.fixture
def name(tmp_path: Path) -> str:
    (tmp_path / "my_task.py").write_text(TASK)
    return f"{tmp_path / 'my_task.py'}:MINE"


def test_episodes_are_of_the_task_as_it_was_named(name: str) -> None:
    kind = TASKS.get(name)
    assert kind.id == kind.spec.task == name
    assert tiny_episode(name, tiny_simulator(name)).task == name
    (episode,) = generate_episodes(name, "home/train/0", 1)
    assert episode.task == name
    assert spec_for(name).robot == spec_for("pointnav-v1").robot
