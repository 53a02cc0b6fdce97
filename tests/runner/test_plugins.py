"""What comes from outside is listed in a run and part of what the run is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import runner_fakes as fakes
from navproof.core.errors import NavproofError, RunError, SpecError
from navproof.corruptions.registry import CORRUPTIONS
from navproof.play.pool import Pool
from navproof.runner.identity import describe, hash_of
from navproof.runner.plan import task_specs
from navproof.runner.plugins import check_as_played, plugins_of
from navproof.runner.run import run
from navproof.runner.spec import RunSpec
from navproof.tasks import spec_for

FOG = """
import thickness
def fog(image, intensity, rng):
    return image if intensity == 0.0 else image // thickness.VALUE
"""
AGENT = "class Still:\n    def reset(self, brief): ...\n    def act(self, obs): return 'stop'\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fog.py").write_text(FOG)
    (tmp_path / "thickness.py").write_text("VALUE = 2\n")
    (tmp_path / "mine.py").write_text(AGENT)
    return tmp_path


def spec_of(place: Path) -> RunSpec:
    return RunSpec(
        ("mine.py:Still",), "tiny", conditions=("fog.py:fog",), simulator=fakes.SIMULATOR
    )


def test_a_run_lists_its_plugins_and_an_edited_one_is_another_run(place: Path) -> None:
    episodes = fakes.tiny_episodes(1)
    folder = run(spec_of(place), "out", episodes=episodes)
    listed = folder.info.spec["plugins"]
    assert [(p["kind"], p["name"], p["source"]) for p in listed] == [
        ("agent", "mine.py:Still", "mine.py:Still"),
        ("corruption", "fog.py:fog", "fog.py:fog"),
        ("simulator", fakes.SIMULATOR, fakes.SIMULATOR),
    ]
    assert all(len(p["digest"]) == 12 for p in listed)
    run(spec_of(place), "out", episodes=episodes)  # unchanged: nothing is refused
    (place / "thickness.py").write_text("VALUE = 3\n")
    with pytest.raises(RunError, match=r"\(the file of corruption fog.py:fog has changed since\)"):
        run(spec_of(place), "out", episodes=episodes)


def test_the_description_is_the_same_wherever_the_files_lie(place: Path) -> None:
    episodes = fakes.tiny_episodes(1)
    spec = spec_of(place)
    first = describe(spec, episodes, task_specs(spec, episodes), {}, {})
    assert str(place) not in str(first)
    plain = RunSpec(("oracle",), "tiny")
    assert "plugins" not in describe(plain, episodes, task_specs(plain, episodes), {}, {})
    assert hash_of(first) == hash_of(describe(spec, episodes, task_specs(spec, episodes), {}, {}))


def test_suites_tasks_and_robots_are_listed_too(place: Path) -> None:
    (place / "tall.toml").write_text("robot")
    (place / "theirs.py").write_text("X = 1")
    episode = replace(fakes.tiny_episodes(1)[0], robot="tall.toml")
    settings = spec_for("pointnav-v1")
    spec = RunSpec(("oracle",), "theirs.py:SUITE", conditions=("clean",))
    found = plugins_of(spec, (episode,), {"theirs.py:TASK": settings, "pointnav-v1": settings})
    assert [(p.kind, p.name, len(p.digest)) for p in found] == [
        ("robot", "tall.toml", 12),
        ("suite", "theirs.py:SUITE", 12),
        ("task", "theirs.py:TASK", 12),
    ]


def test_what_is_edited_while_a_run_goes_on_ends_it(place: Path) -> None:
    spec, episodes = spec_of(place), fakes.tiny_episodes(1)
    plugins = plugins_of(spec, episodes, {})
    (place / "mine.py").write_text(AGENT + "# edited\n")
    told = r"file of agent mine\.py:Still has changed since the run"
    with Pool(1, spec.limits, simulator=spec.simulator) as pool:
        pool.require(plugins)
        with pytest.raises(NavproofError, match=told):
            pool.load_agents(spec.agents)


def test_a_corruption_from_a_notebook_is_refused(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CORRUPTIONS._registered, "mist", "")
    mist = replace(CORRUPTIONS.get("fog.py:fog"), name="mist")
    monkeypatch.setitem(CORRUPTIONS._things, "mist", mist)
    with pytest.raises(SpecError, match="corruption 'mist' is defined in a notebook"):
        plugins_of(RunSpec(("oracle",), "tiny", conditions=("mist",)), (), {})


def test_a_run_of_what_was_edited_is_not_gone_back_into(place: Path) -> None:
    """But its agent may be edited: that it acts otherwise is noticed by itself."""
    folder = run(spec_of(place), "out", episodes=fakes.tiny_episodes(1))
    check_as_played(folder.info.spec, "out")
    (place / "mine.py").write_text(AGENT + "# edited\n")
    check_as_played(folder.info.spec, "out")
    (place / "thickness.py").write_text("VALUE = 3\n")
    with pytest.raises(
        RunError, match=r"out: the file of corruption fog\.py:fog has changed since"
    ):
        check_as_played(folder.info.spec, "out")
    (place / "fog.py").unlink()
    with pytest.raises(
        RunError, match=r"corruption fog\.py:fog is not found from .*; go to the folder"
    ):
        check_as_played(folder.info.spec, "out")
