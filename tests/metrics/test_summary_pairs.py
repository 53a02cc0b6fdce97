"""Pairs are of the same problem, not merely of the same id."""

from __future__ import annotations

from navproof.metrics import pair_rows


def row(problem: str, success: float) -> dict[str, object]:
    return {
        "task": "t",
        "scene": "s",
        "episode_id": "e1",
        "problem": problem,
        "condition": "clean",
        "seed": 0,
        "success": success,
    }


def test_the_same_id_with_another_goal_is_no_pair() -> None:
    assert pair_rows([row("a", 1.0)], [row("b", 0.0)]) == []
    assert pair_rows([row("a", 1.0)], [row("a", 0.0)]) == [(row("a", 1.0), row("a", 0.0))]
