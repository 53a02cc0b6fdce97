"""Goes forward until it bumps into something, then turns: a baseline without eyes."""

from __future__ import annotations

from typing import final

from navproof.agents.baselines.random import GOAL_RADIUS_M, STOP_PROBABILITY
from navproof.agents.ending import ending
from navproof.agents.registry import register_agent
from navproof.core.seeding import rng
from navproof.core.types import Move, Observation, TaskBrief

__all__ = ["ForwardAgent"]


@register_agent("forward")
@final
class ForwardAgent:
    """Goes forward and turns when it bumps into something. It turns by a random multiple of the
    turn angle, at least 60° and at most 180°, to a random side, and stops as the random agent
    does."""

    sensors = ("pointgoal",)
    feels: frozenset[str] = frozenset()

    def reset(self, brief: TaskBrief) -> None:
        self._rng = rng(brief.seed, brief.task, "agent.forward")
        self._end = ending(brief)
        self._turn_deg = brief.robot.turn_deg
        self._side = Move.LEFT
        self._turns_left = 0

    def act(self, obs: Observation) -> Move:
        if obs.pointgoal is not None:
            if obs.pointgoal[0] <= GOAL_RADIUS_M:
                return self._end
        elif self._rng.random() < STOP_PROBABILITY:
            return self._end
        if obs.collided and self._turns_left == 0:
            self._side = Move.LEFT if self._rng.random() < 0.5 else Move.RIGHT
            self._turns_left = max(1, round(self._rng.uniform(60.0, 180.0) / self._turn_deg))
        if self._turns_left > 0:
            self._turns_left -= 1
            return self._side
        return Move.FORWARD
