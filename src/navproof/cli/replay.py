from __future__ import annotations


def replay() -> None:
    """To come."""
