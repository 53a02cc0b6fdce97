"""Rows of results written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def row(
    condition: str,
    episode: int,
    success: float,
    *,
    seed: int = 0,
    spl: float | None = None,
    agent: str = "a",
    task: str = "t",
    **more: Any,
) -> dict[str, Any]:
    return {
        "agent": agent,
        "task": task,
        "scene": "s",
        "episode_id": f"e{episode}",
        "problem": "p",
        "condition": condition,
        "seed": seed,
        "status": "ok",
        "success": float(success),
        "spl": float(success if spl is None else spl),
        "steps": 10.0,
        **more,
    }


def rows_of(outcomes: Mapping[str, Sequence[float]], **more: Any) -> list[dict[str, Any]]:
    """For every condition, how each of the episodes 0, 1, … went."""
    return [
        row(condition, episode, success, **more)
        for condition, successes in outcomes.items()
        for episode, success in enumerate(successes)
    ]


def wins(count: int, of: int = 20) -> list[float]:
    return [1.0] * count + [0.0] * (of - count)
