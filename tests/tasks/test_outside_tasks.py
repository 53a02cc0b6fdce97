"""A task of one's own: what it makes is of the task as it is named, registered or offered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core import registry
from navproof.core.errors import SpecError
from navproof.tasks import TASKS, register_task, spec_for
from navproof.tasks.generate import generate_episodes
from navproof.tasks.kind import TaskKind

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


def near(task: str = "near-v1") -> TaskKind:
    """The guide's own recipe: another task's makers under other settings."""
    standard = TASKS.get("pointnav-v1")
    spec = replace(standard.spec, task=task, success_m=0.5, budget_steps=200)
    return replace(standard, id=task, title="Near", spec=spec)


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Offers tasks of this module, as an installed package would."""

    def offer(name: str, attribute: str) -> None:
        point = EntryPoint(name, f"{__name__}:{attribute}", "navproof.tasks")
        monkeypatch.setattr(registry, "entry_points", lambda group: [point])
        monkeypatch.setattr(TASKS, "_points", None)

    yield offer
    TASKS._points = None


OFFERED, UNVERSIONED = near("offered-v1"), near("offered")


def test_a_registered_task_makes_episodes_of_its_own_id() -> None:
    kind = register_task(near())
    assert TASKS.get("near-v1") is kind
    assert tiny_episode("near-v1", tiny_simulator("near-v1")).task == "near-v1"
    episodes = generate_episodes("near", "home/train/0", 2)
    assert [episode.task for episode in episodes] == ["near-v1", "near-v1"]
    assert spec_for(episodes[0].task).success_m == 0.5


def test_a_task_from_an_entry_point_makes_episodes_of_its_name(
    offered: Callable[..., None],
) -> None:
    offered("offered-v1", "OFFERED")
    (episode,) = generate_episodes("offered-v1", "home/train/0", 1)
    assert episode.task == TASKS.get("offered-v1").id == "offered-v1"


@pytest.mark.parametrize("task", ["patrol", "patrol-v", "-v1", "patrol-vx", ""])
def test_a_name_without_a_version_is_refused(task: str, offered: Callable[..., None]) -> None:
    with pytest.raises(SpecError, match="the id must end in a version"):
        register_task(near(task))
    offered("offered", "UNVERSIONED")
    with pytest.raises(SpecError, match="'offered': the id must end in a version, such as"):
        TASKS.get("offered")


def test_what_is_no_episode_of_the_task_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = near("odd-v1")
    monkeypatch.setitem(TASKS._things, "odd-v1", kind)  # as a declaration of navproof's own is kept
    with pytest.raises(SpecError, match=r"odd-v1: make returned episode .* of task 'pointnav-v1'"):
        generate_episodes("odd-v1", "home/train/0", 1)
    register_task(replace(near("void-v1"), make=lambda *_: {"no": "episode"}))
    with pytest.raises(SpecError, match="void-v1: make returned a dict, not an Episode"):
        generate_episodes("void-v1", "home/train/0", 1)
