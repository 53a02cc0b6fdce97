"""Moves at random, as Habitat's random baseline does: the floor under every other score."""

from __future__ import annotations

from typing import final

from navproof.agents.ending import ending
from navproof.agents.registry import register_agent
from navproof.core.seeding import rng
from navproof.core.types import Move, Observation, TaskBrief

__all__ = ["GOAL_RADIUS_M", "STOP_PROBABILITY", "RandomAgent"]

STOP_PROBABILITY = 0.01
GOAL_RADIUS_M = 0.2


@register_agent("random")
@final
class RandomAgent:
    """Moves forward, left or right with equal probability. Stops where PointNav's own reading
    says it is within 0.2 m of the goal; in other tasks with probability 0.01 a step (in LangNav it
    then says "found")."""

    sensors = ("pointgoal",)
    feels: frozenset[str] = frozenset()

    def reset(self, brief: TaskBrief) -> None:
        self._rng = rng(brief.seed, brief.task, "agent.random")
        self._end = ending(brief)
        self._moves = [m for m in brief.actions if m in (Move.FORWARD, Move.LEFT, Move.RIGHT)]

    def act(self, obs: Observation) -> Move:
        if obs.pointgoal is not None:
            if obs.pointgoal[0] <= GOAL_RADIUS_M:
                return self._end
        elif self._rng.random() < STOP_PROBABILITY:
            return self._end
        return self._moves[int(self._rng.integers(len(self._moves)))] if self._moves else self._end
