from __future__ import annotations


def report() -> None:
    """To come."""
