"""The file of broken things that a module of tests describes."""

from __future__ import annotations

import pytest
from checking import written


@pytest.fixture(scope="module")
def broken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a Python file with the text that the module of tests has as ``BROKEN``."""
    return written(tmp_path_factory.mktemp("broken"), request.module.BROKEN)
