"""A language model to ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from judge_samples import Model

from navproof.diagnosis.oracles.judge import KEY_VARIABLE


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Model]:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path))
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    served = Model()
    yield served
    served.server.shutdown()
    served.server.server_close()
