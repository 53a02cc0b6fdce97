"""Follows the shortest path it is given: the ceiling above every other score, and a test of the
whole chain (episodes, geodesics, motion and success rules must agree for it to succeed)."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import final

from navproof.agents.baselines.follow import plan_moves
from navproof.agents.baselines.pilot import MissionPilot
from navproof.agents.ending import ending
from navproof.agents.registry import register_agent
from navproof.core.errors import AgentError
from navproof.core.types import Beliefs, Decision, Move, Observation, TaskBrief

__all__ = ["Oracle"]

STOP_M = 0.098  # inside the strictest success radius (ObjectNav: 0.1 m to a viewpoint)
_TOLERANCES_M = (0.095, 0.12, 0.18, 0.3)  # from what is wanted to what is better than nothing
_STUCK_M = 0.02


@register_agent("oracle")
@final
class Oracle:
    """Follows the shortest path to the goal in force. Plans moves along ``obs.expert``, and plans
    again when the robot is not where it should be or the words change.

    Ground truth: the ``expert`` sensor, in missions ``mission`` as well (see ``pilot``).
    Its beliefs carry the path as its plan.
    """

    sensors = ("pose", "expert", "mission")
    feels: frozenset[str] = frozenset()

    def reset(self, brief: TaskBrief) -> None:
        if brief.control not in ("discrete", "any"):
            raise AgentError(f"oracle moves discretely; this task's control is {brief.control}")
        is_mission = any(sensor.kind == "mission" for sensor in brief.sensors)
        self._pilot = MissionPilot(brief) if is_mission else None
        self._step_m = brief.robot.forward_m
        self._turn_rad = math.radians(brief.robot.turn_deg)
        self._end = ending(brief)
        self._begin(brief.instruction)

    def _begin(self, words: str) -> None:
        """Forget the way to any goal before."""
        self._words = words
        self._moves: list[Move] = []
        self._expected: tuple[float, float] | None = None
        self._blocked: list[tuple[float, float, float]] = []
        self._last: tuple[float, float, float] | None = None
        self._best_left_m = math.inf
        self._idle = 0

    def act(self, obs: Observation) -> Decision:
        if self._pilot is not None:
            action, ahead = self._pilot.act(obs)
            return Decision(action, Beliefs(plan=ahead))
        if obs.pose is None or obs.expert is None:
            raise AgentError("oracle needs the sensors 'pose' and 'expert'")
        if obs.instruction != self._words:
            self._begin(obs.instruction)
        x, y, yaw = float(obs.pose[0]), float(obs.pose[1]), float(obs.pose[3])
        path = [(float(px), float(py)) for px, py in obs.expert]
        move = self._next(x, y, yaw, path)
        if move is Move.FORWARD:
            reach = self._step_m
            self._expected = (x + reach * math.cos(yaw), y + reach * math.sin(yaw))
            self._last = (x, y, yaw)
        else:
            self._expected = (x, y)
            self._last = None
        return Decision(move, Beliefs(plan=tuple(path)))

    def _next(self, x: float, y: float, yaw: float, path: list[tuple[float, float]]) -> Move:
        left_m = sum(math.dist(a, b) for a, b in pairwise(path))
        if not path or left_m <= STOP_M:
            return self._end
        if self._last is not None and math.dist(self._last[:2], (x, y)) < _STUCK_M:
            self._blocked.append(self._last)
        self._idle = 0 if left_m < self._best_left_m - 0.01 else self._idle + 1
        self._best_left_m = min(self._best_left_m, left_m)
        astray = self._expected is None or math.dist(self._expected, (x, y)) > 0.01
        if astray or not self._moves:
            self._moves = self._plan(x, y, yaw, path)
        return self._moves.pop(0) if self._moves else self._end

    def _plan(self, x: float, y: float, yaw: float, path: list[tuple[float, float]]) -> list[Move]:
        """The strictest tolerance that can be met; a looser one after long idling at the goal."""
        patience = round(2.0 * math.pi / self._turn_rad) + 8
        for tolerance_m in _TOLERANCES_M[min(self._idle // patience, len(_TOLERANCES_M) - 1) :]:
            moves = plan_moves(
                x,
                y,
                yaw,
                path,
                step_m=self._step_m,
                turn_rad=self._turn_rad,
                tolerance_m=tolerance_m,
                blocked=self._blocked,
            )
            if moves:
                return moves
        return []
