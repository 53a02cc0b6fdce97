from __future__ import annotations


def score() -> None:
    """To come."""
