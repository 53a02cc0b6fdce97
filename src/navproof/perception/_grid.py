"""Moved to ``perception.grid``."""

from navproof.perception.grid import Grid

__all__ = ["Grid"]
