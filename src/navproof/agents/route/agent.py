"""Follows route instructions with its own eyes: reads them into sub-goals (see
``language.reading.route``), finds the landmarks that they name, and takes the turns and doorways
between them.

What is named is looked for with the detector, whose word counts as far as the encoder agrees;
doorways are gaps in the walls on a map out of depth; rooms are known by what is in them. A sub-goal
that cannot be made out is given up after a while, and the route goes on with the next. Where the
task has no route (a point, a category, goals to find), it searches. No ground truth is used unless
the eyes are called ``truth``.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from navproof.agents.correction import Correction
from navproof.agents.mapping.navigate import XY, turn_towards
from navproof.agents.mapping.planning import warm_up
from navproof.agents.registry import register_agent
from navproof.agents.route.doors import Doorway, Walls, find_doorways
from navproof.agents.route.rooms import signs_of
from navproof.agents.route.sight import AgreeingEyes
from navproof.agents.search.explore import Explorer
from navproof.agents.search.searcher import EyeOptions, Method, Searcher
from navproof.agents.search.sightings import Sighting
from navproof.agents.search.survey import Survey
from navproof.core.errors import AgentError
from navproof.core.seeding import rng
from navproof.core.types import Decision, Move, Observation, Scalar, TaskBrief
from navproof.language.lexicon.terms import covers
from navproof.language.reading.route import SubGoal, is_room, parse_route

__all__ = ["RouteAgent", "RouteOptions"]

VIEW_M = 8.0
_PATIENCE = {"door": 70, "pass": 30, "toward": 50, "turn": 30, "stop": 500}
_NAME_MUST_DO = 60  # steps after which a thing of the right name will do for the end
_REACH_M = {"pass": 1.4, "toward": 1.2, "turn": 1.2, "stop": 0.9}
_THROUGH_M = 0.7
_SAME_M = 0.6
_ASIDE_M = 1.2  # of way that each radian off the heading is worth
_TURNS = {"left": math.pi / 2, "right": -math.pi / 2, "around": math.pi}
_AHEAD_M = 3.0  # of way that a frontier ahead is worth over one behind
_AT_HAND_M = 5.0
_GO_BACK_STEPS = 120  # before which nothing is looked for where the route came from
_GAP_M = 0.8  # from its middle, what is seen is seen through a doorway
_SURE_M = 3.0  # from within which the thing to stop at must have been seen
_THINK_STEPS = 6  # after which the doorway is chosen anew
_COMMITTED_M = 1.2  # from a doorway, at which no other is thought of
_LOOK_AHEAD = 3  # sub-goals whose landmarks are looked for


@dataclass(frozen=True)
class RouteOptions(EyeOptions):
    """As for the search agents; ``detection`` is the least score of a landmark."""


@dataclass(slots=True)
class _SubGoalProgress:
    """How far the robot has come with the sub-goal in force."""

    spent: int = 0
    yaw: float | None = None  # to be turned to
    turned: float = 0.0  # in looking around
    door: tuple[Doorway, XY] | None = None  # chosen, and the point behind it
    given_up: list[XY] = field(default_factory=list)


@register_agent("route")
@final
class RouteAgent:
    """Follows route instructions: landmarks, turns and doorways, one after the other. ``heading``
    is the way that the route goes: what lies ahead of it, or on the side that was said, is
    preferred. It is set by turns, by doorways, and by what is passed."""

    Options = RouteOptions
    sensors = RouteOptions().sensors
    tasks = ("vln-v1",)

    def __init__(self, options: RouteOptions | None = None) -> None:
        self.options = options or RouteOptions()
        self._eyes = AgreeingEyes(self.options.encoder, self.options.detector)
        seeks = Method("route", "detector", "detector", 1.0, "nearest", 1.0, self.options.detection)
        self._searcher = Searcher(seeks, self._eyes)
        warm_up()

    def reset(self, brief: TaskBrief) -> None:
        if brief.control not in ("discrete", "any"):
            raise AgentError(f"route moves discretely; this task's control is {brief.control}")
        self._brief = brief
        self._searches = brief.goal_category is not None or Move.FOUND in brief.actions
        self._searches |= any(sensor.kind == "pointgoal" for sensor in brief.sensors)
        if self._searches:
            self._searcher.reset(brief)
            return
        self._survey = Survey("route", brief, self._eyes, None, VIEW_M)
        self._walls = Walls()
        self._explorer = Explorer(
            self._survey.nav, "value", rng(brief.seed, brief.task, "agent.route"), _AHEAD_M
        )
        self._words: str | None = None
        self._used: list[XY] = []  # doorways that were taken
        self._came: tuple[float, float, float, int] | None = None  # the last: x, y, yaw, step
        self._intent: dict[str, Scalar] = {}

    def act(self, obs: Observation) -> Decision:
        if self._searches:
            return self._searcher.act(obs)
        if obs.instruction != self._words:
            self._words = obs.instruction
            self._goals = list(parse_route(obs.instruction))
            if not self._goals and re.search(r"\w", obs.instruction):
                self._goals = [SubGoal("stop", obs.instruction)]  # it may name a thing
            self._heading = 0.0 if obs.pose is None else float(obs.pose[3])
            self._try = _SubGoalProgress()
        self._survey.look(obs, self._queries())
        if obs.depth is not None:
            self._walls.fuse(obs.depth, self._survey.camera, self._survey.pose, 10.0)
        self._intent = {"is": "explore"}
        move = self._decide(self._brief.budget_steps - obs.step)
        self._survey.moved(move is Move.FORWARD)
        return Decision(move, self._survey.beliefs(), self._intent)

    def correct(self, correction: Correction) -> None:
        (self._searcher if self._searches else self._survey).correct(correction)

    # -------------------------------------------------------------------------------- the route
    def _queries(self) -> tuple[str, ...]:
        """What to look for now: landmarks of this sub-goal, the next ones and the last, and what
        gives away the room to be entered."""
        names: dict[str, None] = {}
        for goal in (*self._goals[:_LOOK_AHEAD], *self._goals[-1:]):
            if goal.what and goal.kind not in ("door", "cross", "climb") and not is_room(goal.what):
                names |= dict.fromkeys((goal.what, _name(goal.what)))
            names |= dict.fromkeys(signs_of(goal.enters))
            if goal.kind == "stop" and is_room(goal.what):
                names |= dict.fromkeys(signs_of(goal.what))
        return tuple(names)

    def _decide(self, steps_left: int) -> Move:
        """The next move; sub-goals that are done or hopeless are left behind."""
        if len(self._goals) > 1 and self._at_hand(self._goals):
            del self._goals[:-1]
            self._try = _SubGoalProgress()
        while self._goals and steps_left > 1:
            goal = self._goals[0]
            self._try.spent += 1
            hopeless = self._try.spent > _PATIENCE.get(goal.kind, 0) + 1
            move = None if hopeless else self._step(goal)
            if move is not None:
                return move
            if hopeless and goal.kind == "door":
                self._came = None
            self._goals.pop(0)
            self._try = _SubGoalProgress()
        if self._intent["is"] != "claim":
            self._intent = {"is": "exhausted"}
        return Move.STOP

    def _at_hand(self, goals: list[SubGoal]) -> bool:
        """Whether the thing to stop at is in reach before any further doorway: what was said of
        the way to it is then of no more use."""
        last = goals[-1]
        if last.kind != "stop" or not last.what or any(g.kind == "door" for g in goals):
            return False
        place = self._nearest(last)
        return place is not None and math.dist(place, self._here) < _AT_HAND_M

    def _step(self, goal: SubGoal) -> Move | None:
        """The next move of a sub-goal; None when it is done."""
        match goal.kind:
            case "turn":
                return self._turn(goal)
            case "door":
                return self._door(goal)
            case "pass" | "toward":
                return self._landmark(goal)
            case "stop":
                return self._stop(goal)
            case _:
                return None  # straight on, along a room, stairs: the heading says it all

    def _turn(self, goal: SubGoal) -> Move | None:
        nav, pose = self._survey.nav, self._survey.pose
        if self._try.yaw is None:
            if goal.what:
                move = self._go_to(goal)
                if move is not None:
                    return move
                if self._nearest(goal) is not None:
                    self._heading = pose.yaw
            turn = _TURNS[goal.side] * (0.5 if goal.slight else 1.0)
            self._try.yaw = self._heading + turn
        ahead = (pose.x + math.cos(self._try.yaw), pose.y + math.sin(self._try.yaw))
        move = turn_towards(pose, *ahead, nav.turn_rad)
        self._heading = self._try.yaw
        return move

    # ------------------------------------------------------------------------------- landmarks
    def _landmark(self, goal: SubGoal) -> Move | None:
        """To a landmark; where it is not in view, on along the heading."""
        move = self._go_to(goal)
        if move is None and self._nearest(goal) is not None:
            self._heading = self._survey.pose.yaw
        return move

    def _go_to(self, goal: SubGoal) -> Move | None:
        """The next move to the goal's landmark; None when it is reached, or not to be found."""
        place = self._nearest(goal)
        if place is None:
            return self._explore()
        nav, pose = self._survey.nav, self._survey.pose
        self._intent = {"is": "approach", "by": "both", **_rounded(place)}
        if math.dist(place, (pose.x, pose.y)) <= _REACH_M[goal.kind]:
            return None
        move = nav.towards(pose, *place, _REACH_M[goal.kind])
        self._survey.path = nav.path
        if move is None and not nav.path:
            self._try.given_up.append(place)
            return self._explore()
        return move

    def _nearest(self, goal: SubGoal, *, by_name: bool = False) -> XY | None:
        """The most likely place of a goal's landmark: near, ahead, on the side that was said."""
        best: tuple[float, XY] | None = None
        labels: tuple[str, ...] = (_name(goal.what),) if by_name else (goal.what,)
        if goal.kind == "stop" and is_room(goal.what):
            labels = signs_of(goal.what)
        for sighting in (s for label in labels for s in self._survey.sightings.of(label)):
            x, y = sighting.position[:2]
            if sighting.score < self.options.detection or self._is_out((x, y)):
                continue
            if self._is_left_behind(sighting) and self._try.spent < _GO_BACK_STEPS:
                continue
            here = math.dist((x, y), self._here) < _REACH_M["stop"] + 0.6
            if goal.kind == "stop" and here and sighting.seen_m > _SURE_M:
                continue  # what it was taken for from afar is not seen from near
            cost = self._cost((x, y), "" if goal.kind == "stop" else goal.side) - sighting.score
            if best is None or cost < best[0]:
                best = (cost, (x, y))
        return None if best is None else best[1]

    def _is_left_behind(self, sighting: Sighting) -> bool:
        """Whether a thing is behind the doorway that was taken last: not seen since, or seen only
        through that doorway."""
        if self._came is None:
            return False
        x, y, yaw, step = self._came
        normal = np.array([math.cos(yaw), math.sin(yaw)])
        door, here = np.array([x, y]), np.array(self._here)
        place = np.array(sighting.position[:2])
        beyond, before = float((here - door) @ normal), float((place - door) @ normal)
        if before > -0.2:
            return False
        if sighting.step <= step or beyond <= 0.0:
            return sighting.step <= step
        crossing = here + beyond / (beyond - before) * (place - here)
        return math.dist(crossing, door) < _GAP_M

    def _is_out(self, place: XY) -> bool:
        return any(math.dist(place, spot) < _SAME_M for spot in self._try.given_up)

    def _cost(self, place: XY, side: str) -> float:
        """Metres to a place, and what it is off the heading or on the wrong side."""
        pose = self._survey.pose
        bearing = math.atan2(place[1] - pose.y, place[0] - pose.x) - self._heading
        off = math.remainder(bearing, math.tau)
        wrong = (side == "left" and off < -0.2) or (side == "right" and off > 0.2)
        return math.dist(place, (pose.x, pose.y)) + _ASIDE_M * abs(off) + (1.5 if wrong else 0.0)

    def _stop(self, goal: SubGoal) -> Move | None:
        """To the thing to stop at. If it is nowhere to be found, a thing of its name must do."""
        if not goal.what or goal.what == "it":
            self._intent = {"is": "claim", "by": "map", **_rounded(self._here)}
            return None
        by_name = self._try.spent > _NAME_MUST_DO
        place = self._nearest(goal) or (self._nearest(goal, by_name=True) if by_name else None)
        if place is None:
            return self._explore(look_around=True)
        nav, pose = self._survey.nav, self._survey.pose
        about: dict[str, Scalar] = {"by": "both", **_rounded(place)}
        self._intent = {"is": "approach", **about}
        move = nav.towards(pose, *place, _REACH_M["stop"])
        self._survey.path = nav.path
        if move is not None:
            return move
        if not nav.path:
            self._try.given_up.append(place)
            return self._explore()
        self._intent = {"is": "claim", **about}
        return None

    # -------------------------------------------------------------------------------- doorways
    def _door(self, goal: SubGoal) -> Move | None:
        """Through the doorway that fits best; on along the heading while there is none."""
        nav, pose = self._survey.nav, self._survey.pose
        current = self._try.door
        thinks = self._try.spent % _THINK_STEPS == 0
        if current is None or (
            thinks and math.dist((current[0].x, current[0].y), self._here) > _COMMITTED_M
        ):
            self._choose_door(goal)
        if self._try.door is None:
            return self._explore(look_around=True)
        door, behind = self._try.door
        self._intent = {"is": "approach", "by": "map", **_rounded((door.x, door.y))}
        away = math.dist(behind, self._here)
        move = nav.towards(pose, *behind, 0.3) if away > 0.35 else None
        self._survey.path = nav.path
        if move is not None:
            return move
        if away > 0.6:
            self._try.given_up.append((door.x, door.y))
            self._try.door = None
            return self._explore()
        self._used.append((door.x, door.y))
        self._heading = math.atan2(behind[1] - door.y, behind[0] - door.x)
        self._came = (door.x, door.y, self._heading, self._survey.step)
        return None

    def _choose_door(self, goal: SubGoal) -> None:
        """The doorway of least cost; one that was chosen stays unless another is clearly better."""
        pose, world = self._survey.pose, self._survey.nav.map
        field, corner = self._survey.nav.distances(pose)
        previous, self._try.door = self._try.door, None
        signs = (*signs_of(goal.enters), *self._behind_it())
        choices: list[tuple[float, Doorway, XY]] = []
        for door in find_doorways(self._walls, pose.x, pose.y):
            way = _at(field, world.index(door.x, door.y), corner)
            if not math.isfinite(way) or self._is_out((door.x, door.y)):
                continue
            if any(math.dist((door.x, door.y), spot) < 2 * _SAME_M for spot in self._used):
                continue
            sense = -1.0 if door.side_of(pose.x, pose.y) > 0.0 else 1.0
            yaw = door.yaw if sense > 0.0 else door.yaw + math.pi
            behind = door.beyond(yaw, _THROUGH_M)
            if not math.isfinite(_at(field, world.index(*behind), corner)):
                continue
            detour = way - math.dist((door.x, door.y), self._here)
            cost = self._cost((door.x, door.y), goal.side) + detour + 3.0 * (1.0 - door.walled)
            if self._shows(signs, door, sense):
                cost -= 4.0
            if (
                previous is not None
                and math.dist((door.x, door.y), (previous[0].x, previous[0].y)) < _SAME_M
            ):
                cost -= 1.5
            choices.append((cost, door, behind))
        if choices:
            _, door, behind = min(choices, key=lambda c: (c[0], c[1].x, c[1].y))
            self._try.door = (door, behind)
        elif previous is not None and not self._is_out((previous[0].x, previous[0].y)):
            self._try.door = previous

    def _behind_it(self) -> tuple[str, ...]:
        """The landmarks between this doorway and the next."""
        names: list[str] = []
        for goal in self._goals[1:]:
            if goal.kind == "door":
                break
            names += [goal.what] if goal.what else []
        return tuple(names)

    def _shows(self, signs: tuple[str, ...], door: Doorway, sense: float) -> bool:
        """Whether something that gives a room away was seen behind the doorway."""
        for label in signs:
            for sighting in self._survey.sightings.of(label):
                x, y = sighting.position[:2]
                through = sense * door.side_of(x, y)
                near = 0.3 < through < 5.0 and math.dist((x, y), (door.x, door.y)) < 5.0
                if near and sighting.score >= self.options.detection:
                    return True
        return False

    # ------------------------------------------------------------------------------- exploring
    def _explore(self, *, look_around: bool = False) -> Move | None:
        """Towards what is unknown ahead, having looked around if that is asked for."""
        self._intent = {"is": "explore"}
        if look_around and not self._looked:
            self._try.turned += self._survey.nav.turn_rad
            return Move.LEFT
        move = self._explorer.move(self._survey.pose, self._promise)
        self._survey.path = self._explorer.nav.path
        return move

    def _promise(self, place: XY) -> float:
        """How much a place lies ahead, from 0 to 1; at the end of the route all are alike."""
        if self._goals[0].kind == "stop":
            return 0.0
        pose = self._survey.pose
        off = math.atan2(place[1] - pose.y, place[0] - pose.x) - self._heading
        return 0.5 + 0.5 * math.cos(off)

    @property
    def _looked(self) -> bool:
        """Whether it has looked all around since the sub-goal is in force."""
        return self._try.turned > math.tau - 0.1

    @property
    def _here(self) -> XY:
        return self._survey.pose.x, self._survey.pose.y


def _name(what: str) -> str:
    """The noun of a description, with what belongs to it: "green vase on the desk" → "vase"."""
    words = re.split(r" (?:on|with|in|at|by|near|of|to|under|behind) ", what)[0].split()
    names = (" ".join(words[i:]) for i in range(len(words)))
    return next((name for name in names if covers(name)), words[-1] if words else what)


def _at(field: NDArray[np.float64], cell: tuple[int, int], corner: tuple[int, int]) -> float:
    row, col = cell[0] - corner[0], cell[1] - corner[1]
    inside = 0 <= row < field.shape[0] and 0 <= col < field.shape[1]
    return float(field[row, col]) if inside else math.inf


def _rounded(place: XY) -> dict[str, Scalar]:
    return {"x": round(place[0], 1), "y": round(place[1], 1)}
