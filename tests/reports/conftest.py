"""Hand-written runs over the tiny scene, made once."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from sample_run import sample_run

from navproof.testing import tiny_scene
from navproof.world.scene import Scene


@pytest.fixture(scope="session")
def run_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample_run(tmp_path_factory.mktemp("runs") / "sample")


@pytest.fixture
def tiny_library(monkeypatch: pytest.MonkeyPatch) -> Scene:
    """``load_scene`` gives the tiny scene for every name."""
    import navproof.world.library as library

    scene = tiny_scene()
    monkeypatch.setattr(library, "load_scene", lambda ref: scene)
    return scene


Script = Callable[[str], Callable[[Sequence[str]], None]]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """The ``main`` of a script that writes a results page, by the script's name."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "scripts"))

    def load(name: str) -> Callable[[Sequence[str]], None]:
        main: Callable[[Sequence[str]], None] = importlib.import_module(name).main
        return main

    return load
