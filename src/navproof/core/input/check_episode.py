"""What is wrong with an episode by itself, whatever its task: numbers that are none, places out of
this world, nothing where there must be something."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from navproof.core.types import Episode, Goal, Scalar

__all__ = ["FARTHEST_M", "episode_faults", "is_place", "scalar_fault"]

FARTHEST_M = 1e6
"""How far from the origin a place may be, either way."""
_PLACES = f"must be finite numbers, at most {FARTHEST_M:,.0f} either way"
_MOST_STEPS = 1_000_000
_LONGEST_TEXT = 100_000
Fault = tuple[str, str]
"""A field, and why it makes no sense."""


def is_place(*values: float) -> bool:
    """Whether all are coordinates in metres (or angles): finite, and not too far."""
    return all(abs(value) <= FARTHEST_M for value in values)  # not so for NaN


def scalar_fault(values: Mapping[str, Scalar]) -> str | None:
    """What is wrong with facts by name: None if nothing is."""
    for name, value in values.items():
        if isinstance(value, float) and not math.isfinite(value):
            return f"'{name[:40]}' is no finite number"
        if isinstance(value, int) and abs(value) >= 1 << 63:
            return f"'{name[:40]}' is a number of more than 64 bits"
        if isinstance(value, str) and len(value) > _LONGEST_TEXT:
            return f"'{name[:40]}' is a text of {len(value):,} characters"
    return None


def episode_faults(episode: Episode) -> Iterator[Fault]:
    """Every field that makes no sense, and why."""
    if not episode.goals:
        yield "goals", "there must be at least one"
    for index, goal in enumerate(episode.goals):
        if not goal.positions:
            yield f"goals.{index}.positions", "there must be at least one"
        yield from _goal_faults(goal, f"goals.{index}")
    start = episode.start
    if not is_place(start.x, start.y, start.z, start.yaw):
        yield "start", _PLACES
    if not all(is_place(*point) for point in episode.reference_path):
        yield "reference_path", _PLACES
    if not 0.0 <= episode.geodesic_m <= FARTHEST_M:
        yield "geodesic_m", f"must be a length in metres, is {episode.geodesic_m:g}"
    if not 1 <= episode.budget_steps <= _MOST_STEPS:
        most = f"must be at least 1 and at most {_MOST_STEPS:,}"
        yield "budget_steps", f"{most}, is {str(episode.budget_steps)[:20]}"
    if not abs(episode.seed) < 1 << 63:
        yield "seed", "must be a number of at most 64 bits"
    clauses = episode.instruction.clauses if episode.instruction is not None else ()
    yield from _scalar_faults("tags", [episode.tags])
    yield from _scalar_faults("instruction.clauses", clauses)
    for index, part in enumerate(episode.subtasks):
        yield from _goal_faults(part.goal, f"subtasks.{index}.goal")
        if not 0.0 <= part.within_m <= FARTHEST_M:
            yield f"subtasks.{index}.within_m", f"must be a length, is {part.within_m:g}"


def _goal_faults(goal: Goal, where: str) -> Iterator[Fault]:
    """A part of a mission need not be anywhere: questions are not."""
    if not all(is_place(*position) for position in goal.positions):
        yield f"{where}.positions", _PLACES
    yield from _scalar_faults(f"{where}.tags", [goal.tags])
    yield from _scalar_faults(f"{where}.description", [goal.description])


def _scalar_faults(where: str, held: Iterable[Mapping[str, Scalar]]) -> Iterator[Fault]:
    for values in held:
        if (why := scalar_fault(values)) is not None:
            yield where, why
