"""Suites of missions as files: they go on where they were broken off, and survive bad scenes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mission_samples import WHOLE
from navproof.core.errors import EpisodeError, SpecError
from navproof.tasks.episodes import read_episodes
from navproof.tasks.mission import dataset
from navproof.tasks.mission.dataset import make_missions
from navproof.tasks.mission.demonstrations import Demonstration, read_demonstrations
from navproof.tasks.mission.make import Mission
from navproof.tasks.suites import Suite, SuitePart

SCENES = ("home/val/0", "home/val/1", "home/val/2")
Calls = list[str]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Calls:
    """Scenes that were made; the second one breaks at first."""
    made: Calls = []
    parts = (SuitePart(("mission-v1",), SCENES, 2),)
    monkeypatch.setattr(dataset, "SUITES", {"missions-tiny": Suite("missions-tiny", "", parts)})
    monkeypatch.setattr(dataset, "suite_path", lambda suite: tmp_path / "cache" / "t-1.jsonl.gz")

    def generate(scene: str, count: int, seed: int) -> tuple[Mission, ...]:
        made.append(scene)
        if scene == SCENES[1] and made.count(scene) == 1:
            raise EpisodeError(f"scene {scene} gave only 1 of {count}")
        return tuple(_mission(f"{scene.replace('/', '-')}_{k}", scene) for k in range(count))

    monkeypatch.setattr(dataset, "generate_missions", generate)
    return made


def _mission(name: str, scene: str) -> Mission:
    shown = Demonstration(name, "carter", "algorithmic", ((0.0, 0.0, 0.0, 0.0),), (0,))
    return Mission(replace(WHOLE, episode_id=name, scene=scene), shown)


def test_one_bad_scene_costs_itself_alone(calls: Calls, tmp_path: Path) -> None:
    told: dict[str, str] = {}
    note: Callable[[str, str], None] = told.__setitem__
    made = make_missions("missions-tiny", tmp_path, scene_done=note)
    assert list(made.failed) == [SCENES[1]]
    assert (len(made.episodes), made.wanted) == (4, 6)
    assert list(told) == list(SCENES)
    assert not (tmp_path / "cache").exists()


def test_it_goes_on_where_it_was(calls: Calls, tmp_path: Path) -> None:
    make_missions("missions-tiny", tmp_path)
    made = make_missions("missions-tiny", tmp_path)
    assert calls == [*SCENES, SCENES[1]]
    assert not made.failed
    ids = [e.episode_id for e in made.episodes]
    assert ids == [f"{s.replace('/', '-')}_{k}" for k in range(2) for s in SCENES]
    assert read_episodes(tmp_path / "missions-tiny.jsonl.gz") == made.episodes
    assert read_episodes(tmp_path / "cache" / "t-1.jsonl.gz") == made.episodes
    shown = read_demonstrations(tmp_path / "missions-tiny.demonstrations.jsonl.gz")
    assert [d.episode_id for d in shown] == ids


def test_a_damaged_scene_is_made_again(calls: Calls, tmp_path: Path) -> None:
    make_missions("missions-tiny", tmp_path)
    whole = make_missions("missions-tiny", tmp_path)
    first = (tmp_path / "missions-tiny.jsonl.gz").read_bytes()
    kept = tmp_path / "scenes" / "t-1" / "home-val-2.demonstrations.jsonl.gz"
    kept.write_bytes(kept.read_bytes()[:-9])
    assert make_missions("missions-tiny", tmp_path) == whole
    assert calls.count(SCENES[2]) == 2
    assert (tmp_path / "missions-tiny.jsonl.gz").read_bytes() == first


def test_what_is_no_suite_of_missions_is_said(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="'val' is no suite of missions; there are missions-mini"):
        make_missions("val", tmp_path)
    with pytest.raises(SpecError, match="workers"):
        make_missions("missions-mini", tmp_path, 0)


def test_a_file_in_the_place_of_the_folder_is_said_at_once(calls: Calls, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(SpecError, match="taken: no folder can be made there"):
        make_missions("missions-tiny", tmp_path / "taken")
    assert not calls
