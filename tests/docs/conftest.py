"""``--all-docs`` runs every block of the documentation, not only the quick ones."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-docs", action="store_true", help="run every block of the documentation")
