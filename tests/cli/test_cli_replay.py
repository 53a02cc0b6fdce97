"""``navproof replay`` through the real entry point, bad input included."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from cli_run_samples import ended, vln_run

from navproof.agents.load import load_agent
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.corruptions.condition import parse_condition
from navproof.log import RunFolder, RunInfo, TraceKey
from navproof.play.env import Env
from navproof.play.play import play as play_session
from navproof.play.session import Session
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for, with_camera
from navproof.testing import tiny_scene
from navproof.world.io import save_scene


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vln_run(tmp_path_factory.mktemp("cli-replay"), 2)


@pytest.mark.parametrize("suffix", ["mp4", "gif", "png"])
def test_replay_writes_what_the_name_says(
    suffix: str,
    run_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / f"r.{suffix}"
    words = ("replay", str(run_folder), "vln-001", "-a", "broken", "-o", str(out), "--json")
    assert ended(monkeypatch, *words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["agent"] == "broken"
    assert told["episode_id"] == "vln-001"
    assert told["bytes"] == out.stat().st_size
    if suffix == "png":
        assert cv2.imread(str(out)) is not None
    else:
        assert cv2.VideoCapture(str(out)).read()[0]


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One episode, clean and with dirt on the lens."""
    folder = tmp_path_factory.mktemp("cli-replay-conditions")
    save_scene(tiny_scene(), folder / "tiny.scene")
    sim = tiny_simulator("vln-v1")
    episode = replace(tiny_episode("vln-v1", sim, 6), scene=str(folder / "tiny.scene"))
    run = RunFolder(folder / "run")
    conditions = ("clean", "spatter@1")
    run.create(
        RunInfo({}, "hash", ("forward",), (episode.episode_id,), conditions, tasks=("vln-v1",))
    )
    for name in conditions:
        task = make_task("vln-v1", with_camera(spec_for("vln-v1"), 64, 64))
        env = Env(EmbeddedSimulator(), task, ("rgb",), condition=parse_condition(name))
        key = TraceKey("forward", episode.episode_id, name)
        run.write(play_session(Session(env, key), load_agent("forward")(), episode))
    return run.path


def test_a_replay_shows_what_the_agent_was_given(
    spoiled: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pictures = []
    for number, more in enumerate(((), ("-c", "clean"), ("-c", "spatter@1.0"))):
        out = tmp_path / f"{number}.png"
        assert ended(monkeypatch, "replay", str(spoiled), "tiny", "-o", str(out), *more) == 0
        pictures.append(cv2.imread(str(out))[104:])  # below the title
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[1], pictures[2])
    told = capsys.readouterr().out.splitlines()
    assert ["under spatter@1:" in line for line in told] == [False, False, True]


def test_a_condition_that_was_not_run_is_one_line(
    spoiled: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(monkeypatch, "replay", str(spoiled), "tiny", "-c", "spatter@0.9") == 2
    told = capsys.readouterr().err
    assert "has no condition 'spatter@0.9'; did you mean 'spatter@1'" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("episode", "more", "expected"),
    [
        ("vnl-001", (), "did you mean 'vln-001'"),
        ("vln", (), "fits 2 episodes"),
        ("vln-001", ("-a", "brokn"), "did you mean 'broken'"),
        ("vln-001", ("-o", "r.avi"), "a replay ends in"),
        ("vln-001", ("--fps", "0", "-o", "r.mp4"), "--fps"),
    ],
)
def test_bad_wishes_are_one_line(
    episode: str,
    more: tuple[str, ...],
    expected: str,
    run_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ended(monkeypatch, "replay", str(run_folder), episode, *more) == 2
    told = capsys.readouterr().err
    assert expected in told
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_missing_run_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(monkeypatch, "replay", str(tmp_path / "no"), "x") == 2
    assert "does not exist" in capsys.readouterr().err
