from __future__ import annotations


def compare() -> None:
    """To come."""
