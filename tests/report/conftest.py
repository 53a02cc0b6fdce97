"""Hand-written runs over the tiny scene, made once."""

from __future__ import annotations

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
