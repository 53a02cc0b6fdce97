"""A generalist: reads a mission into sub-tasks, keeps one map of it all, and switches skills.

It sees with an encoder and a detector (colour, depth and pose; no ground truth unless its eyes are
called ``truth``), keeps its distance from people, answers the question as well as its eyes allow,
knows by its own lights when a sub-task is done, and stops after the last one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from navproof.agents._mission_answers import Witness
from navproof.agents._mission_skills import PERSON, STILL, Skill, skill_for
from navproof.agents._search_explore import Explorer
from navproof.agents._search_eyes import Eyes
from navproof.agents._search_survey import Survey
from navproof.agents.ending import ending
from navproof.agents.planning import warm_up
from navproof.agents.searcher import EyeOptions
from navproof.errors import AgentError
from navproof.language.parse_mission import ParsedSubTask, parse_mission
from navproof.seeding import rng
from navproof.types import (
    Action,
    Answer,
    Decision,
    Move,
    Observation,
    Scalar,
    TaskBrief,
    Velocity,
    Waypoints,
)

__all__ = ["Generalist", "GeneralistOptions"]

_VIEW_M = 5.0
_FRESH_STEPS = 4
_LEFT_STEPS = 3
_AHEAD_M, _POINTS = 1.5, 8
_TICK_S = 0.1


@dataclass(frozen=True)
class GeneralistOptions(EyeOptions):
    """``keep_m`` is the distance from people within which it does not go on towards them."""

    keep_m: float = 1.6


@final
class Generalist:
    """Missions of any kind, one sub-task after the other."""

    Options = GeneralistOptions
    sensors = GeneralistOptions().sensors
    tasks = ("mission-v1",)
    feels = frozenset({"rgb", "depth", "words"})

    def __init__(self, options: GeneralistOptions | None = None) -> None:
        self.options = options or GeneralistOptions()
        self._eyes = Eyes(self.options.encoder, self.options.detector)
        warm_up()

    def reset(self, brief: TaskBrief) -> None:
        if brief.control not in ("discrete", "any"):
            raise AgentError(f"generalist moves discretely; the control here is {brief.control}")
        self._brief = brief
        self._survey = Survey("generalist", brief, self._eyes, None, _VIEW_M)
        draw = rng(brief.seed, brief.task, "agent.generalist")
        self._explorers = [
            Explorer(nav, "nearest", draw) for nav in (self._survey.nav, self._survey.close)
        ]
        self._end = ending(brief)
        self._words: str | None = None
        self._turns_left = round(math.tau / self._survey.nav.turn_rad)
        self._time_s = 0.0

    def act(self, obs: Observation) -> Decision:
        if obs.instruction != self._words:
            self._hear(obs.instruction)
        asked = (*self._skill_queries(), *self._witness.queries(), PERSON)
        self._survey.path = ()
        self._survey.look(obs, tuple(dict.fromkeys(asked)))
        self._witness.watch(obs.rgb, self._survey)
        action = self._decide(obs)
        self._survey.moved(action is Move.FORWARD)
        self._time_s += self._takes_s(action)
        return Decision(action, self._survey.beliefs(), self._intent())

    # ---------------------------------------------------------------------------------- the plan
    def _hear(self, words: str) -> None:
        mission = parse_mission(words)
        self._words = words
        self._todo: list[ParsedSubTask] = list(mission.subtasks)
        self._social = mission.social
        self._witness = Witness(mission.question, self._eyes)
        self._skill: Skill | None = None
        self._begin_next()

    def _begin_next(self) -> None:
        for explorer in self._explorers:
            explorer.forget()
        self._skill = None
        if self._todo:
            self._skill = skill_for(
                self._todo[0], self._survey, self._explore, self._odds, self.options.detection
            )

    def _skill_queries(self) -> tuple[str, ...]:
        return () if self._skill is None else self._skill.queries()

    def _decide(self, obs: Observation) -> Action:
        left = self._brief.budget_steps - obs.step
        while self._skill is not None and left > _LEFT_STEPS:
            action = self._skill.step(self._time_s)
            if action is not None:
                return self._driven(self._considerate(action))
            self._todo.pop(0)
            self._begin_next()
        answer = self._witness.answer()
        return self._end if answer is None else Answer(answer)

    def _explore(self) -> Move | None:
        """A look round first, then to what was not seen yet; None when all was."""
        if self._turns_left > 0:
            self._turns_left -= 1
            return Move.LEFT
        for explorer in self._explorers:
            move = explorer.move(self._survey.pose, lambda _: 0.0)
            if move is not None:
                self._survey.path = explorer.nav.path
                return move
        return None

    def _odds(self, room: str) -> float:
        """The probability that what is seen now is a room of that name."""
        feature = self._witness.image
        if feature is None:
            return 0.0
        scale, bias = self._eyes.image_odds
        cosine = float(self._eyes.encoder.encode_text([f"a photo of a {room}"])[0] @ feature)
        return float(1.0 / (1.0 + np.exp(-(scale * cosine + bias))))

    # ------------------------------------------------------------------------------------ manners
    def _considerate(self, action: Action) -> Action:
        """Do not go on towards somebody who is near; she will pass."""
        if action is not Move.FORWARD or not self._social:
            return action
        pose = self._survey.pose
        for seen in self._survey.sightings.of(PERSON):
            if seen.steady < self.options.detection or self._survey.step - seen.step > _FRESH_STEPS:
                continue
            x, y, _ = seen.position
            off = math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, math.tau)
            if math.dist((x, y), (pose.x, pose.y)) < self.options.keep_m and abs(off) < 1.2:
                return STILL
        return action

    def _driven(self, action: Action) -> Action:
        """A move as part of a smooth way, where the robot takes waypoints: steps one by one, with
        a stop after each, take twice the time."""
        if self._brief.control != "any" or not isinstance(action, Move):
            return action
        ahead = self._ahead()
        return Waypoints(ahead) if ahead else action

    def _ahead(self) -> tuple[tuple[float, float], ...]:
        """The next metres of the path in the robot's frame."""
        pose, path = self._survey.pose, self._survey.path
        if not path:
            return ()
        first = min(range(len(path)), key=lambda i: math.dist(path[i], (pose.x, pose.y)))
        c, s = math.cos(pose.yaw), math.sin(pose.yaw)
        points: list[tuple[float, float]] = []
        for x, y in path[first + 1 :]:
            dx, dy = x - pose.x, y - pose.y
            if math.hypot(dx, dy) > _AHEAD_M:
                break
            points.append((dx * c + dy * s, dy * c - dx * s))
        return tuple(points[:: max(1, len(points) // _POINTS)])

    def _takes_s(self, action: Action) -> float:
        """About how long an action takes."""
        robot = self._brief.robot
        if isinstance(action, Velocity | Waypoints):
            return _TICK_S
        if action is Move.FORWARD:
            return robot.forward_m / robot.max_speed_m_s
        return math.radians(robot.turn_deg) / robot.max_turn_rad_s

    def _intent(self) -> dict[str, Scalar]:
        if not self._todo:
            return {"is": "exhausted"}
        about = self._todo[0]
        return {"is": about.kind, "left": len(self._todo)}
