"""Measured sizes of the categories."""

from __future__ import annotations

SIZES: dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {}
