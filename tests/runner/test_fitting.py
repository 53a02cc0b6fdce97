"""Which episodes a run takes for its robots, and what it says of the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from navproof.core.errors import NavproofError
from navproof.core.types import Episode, Pose
from navproof.log import RunFolder
from navproof.runner import RunSpec
from navproof.runner.fitting import check_robots, choose_fitting
from navproof.runner.run import run
from navproof.testing import tiny_scene
from navproof.world.io import save_scene
from runner_fakes import tiny_episodes

WALKER = "runner_fakes:Walker"


@pytest.fixture
def mixed(tmp_path: Path) -> tuple[Episode, ...]:
    """Eight episodes, every other one from a place at the wall, in two scenes."""
    scenes = []
    for name in ("a.scene", "b.scene"):
        save_scene(tiny_scene(), tmp_path / name)
        scenes.append(str(tmp_path / name))
    return tuple(
        replace(
            e,
            scene=scenes[i // 4],
            start=Pose(-3.77, 2.0, 0.0, e.start.yaw) if i % 2 else e.start,
        )
        for i, e in enumerate(tiny_episodes(8))
    )


def chosen(
    episodes: tuple[Episode, ...], workers: int = 1, **settings: object
) -> tuple[tuple[Episode, ...], list[str]]:
    spec = RunSpec((WALKER,), "tiny", **settings)  # type: ignore[arg-type]
    lines: list[str] = []
    found = choose_fitting(spec, episodes, workers, lines.append, lambda: None)
    return found, lines


def test_only_as_many_are_looked_at_as_are_needed(mixed: tuple[Episode, ...]) -> None:
    whole, lines = chosen(mixed, robots=("carter",))
    assert [e.episode_id for e in whole] == [e.episode_id for e in mixed[::2]]
    assert lines == [
        "4 of 8 episodes leave no room for carter and are left out (no room at the start: 4)"
    ]
    for limit, skip in ((1, 0), (2, 1), (3, 0), (9, 2)):
        some, lines = chosen(mixed, robots=("carter",), episode_limit=limit, episode_skip=skip)
        assert some == whole[skip : skip + limit]
    _, lines = chosen(mixed, robots=("carter",), episode_limit=2)
    assert lines == [
        "1 of 3 episodes leaves no room for carter and is left out (no room at the start: 1)"
    ]
    assert chosen(mixed)[0] == mixed


def test_any_number_of_processes_finds_the_same(mixed: tuple[Episode, ...]) -> None:
    assert chosen(mixed, 2, robots=("carter",)) == chosen(mixed, 1, robots=("carter",))


def test_a_robot_for_which_nothing_is_left_is_one_line(
    mixed: tuple[Episode, ...], tmp_path: Path
) -> None:
    wide = tmp_path / "wide.toml"
    wide.write_text('name = "wide"\nradius_m = 1.5\nheight_m = 1.0\n')
    for robots in ((str(wide),), ("carter", str(wide))):
        with pytest.raises(NavproofError, match=r"no episode leaves room for .*wide\.toml \(3\.00"):
            chosen(mixed, robots=robots)
    with pytest.raises(NavproofError, match="no body for robot 'h1'"):
        check_robots(RunSpec((WALKER,), "tiny", robots=("h1",), simulator="physics"))


def test_an_edited_robot_is_another_run(mixed: tuple[Episode, ...], tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = 'name = "own"\nradius_m = 0.25\nheight_m = 1.0\ncamera_m = 0.7\n'
    own.write_text(text)
    spec = RunSpec((WALKER,), "tiny", robots=("carter", str(own)), episode_limit=2, camera=(16, 16))
    out = tmp_path / "run"
    traces = list(run(spec, out, episodes=mixed).traces())
    assert [(t.key.episode_id, t.spec.robot.name) for t in traces] == [
        ("tiny-000-carter", "carter"),
        ("tiny-000-own", "own"),
    ]
    heights = [{s.camera.height_m for s in t.spec.sensors if s.camera} for t in traces]
    assert heights == [{0.56}, {0.7}]
    assert len({t.facts["spec_hash"] for t in traces}) == 2
    again = run(spec, out, episodes=mixed)
    assert again.info == RunFolder(out).info
    own.write_text(text.replace("0.7", "0.8"))
    with pytest.raises(NavproofError, match=r"the file of robot .*own\.toml has changed since"):
        run(spec, out, episodes=mixed)
