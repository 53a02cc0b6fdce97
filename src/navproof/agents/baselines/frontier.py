"""The classical explorer: maps what it sees, goes to where the map ends, and to the goal when a
detector finds it (Yamauchi 1997, "A frontier-based approach for autonomous exploration").

PointNav: heads for the point over what is not known to be blocked. ObjectNav: explores until the
detector reports the category, goes there, faces it and stops. VLN: looks for the landmarks that
the instruction names, one after the other, and stops at the last; turns and rooms are not
understood. LangNav: looks for the thing that the words name first, on the map it has by then;
attributes and relations are not understood.
"""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import replace
from typing import Any, final

from navproof.agents.correction import Correction
from navproof.agents.detector import Detector, GroundTruthDetector
from navproof.agents.ending import ending
from navproof.agents.landmarks import named_in_order
from navproof.agents.mapping.navigate import Navigator, turn_towards
from navproof.agents.mapping.occupancy import LIMIT, OccupancyMap
from navproof.agents.mapping.planning import warm_up
from navproof.agents.registry import register_agent
from navproof.core.errors import AgentError
from navproof.core.seeding import rng
from navproof.core.types import (
    Beliefs,
    Decision,
    Detection,
    Move,
    Observation,
    Pose,
    Remembered,
    TaskBrief,
)
from navproof.perception.protocol import TruthFrame

__all__ = ["FrontierAgent"]

FLOOR_M = 0.08  # what is lower is driven over
POINT_STOP_M = 0.18  # PointNav succeeds within 0.2 m
OBJECT_REACH_M = 0.6  # ObjectNav's viewpoints lie within 1 m of the object
LANDMARK_REACH_M = 0.9
_SAME_M = 0.6  # sightings of one label nearer than this are one thing
_LANDMARK_SHARE = 0.5  # of the budget left that may go into looking for one landmark
_SCAFFOLD = ("wall", "floor", "ceiling")


@register_agent("frontier")
@final
class FrontierAgent:
    """Maps with depth, explores frontiers, goes to what its detector finds. ``detector`` is what
    it sees with: by default the ground truth of the ``semantic`` sensor, which results say."""

    sensors = ("depth", "semantic", "pose", "pointgoal")

    def __init__(self, detector: Detector | None = None) -> None:
        self.detector: Detector = detector or GroundTruthDetector()
        warm_up()

    def reset(self, brief: TaskBrief) -> None:
        if brief.control not in ("discrete", "any"):
            raise AgentError(f"frontier moves discretely; this task's control is {brief.control}")
        self._brief = brief
        self._depth = next((s for s in brief.sensors if s.kind == "depth"), None)
        self._map = OccupancyMap(FLOOR_M, brief.robot.height_m)
        self._nav = Navigator(brief.robot, self._map)
        self._rng = rng(brief.seed, brief.task, "agent.frontier")
        self._memory: dict[str, list[Remembered]] = {}
        self._seen: tuple[Detection, ...] = ()
        self._correction = Correction()  # of the next step
        self._end = ending(brief)
        self._take_up(brief.instruction)
        self._turns_left = round(math.tau / self._nav.turn_rad)  # look around first
        self._target: tuple[float, float] | None = None  # the frontier chosen
        self._dead: list[tuple[float, float]] = []  # frontiers that gave nothing
        self._before: Pose | None = None  # where the last step forward began

    def __deepcopy__(self, memo: dict[int, Any]) -> FrontierAgent:
        """What was seen are values, and many: copies share them."""
        values = (*self._seen, *self._things()) if hasattr(self, "_brief") else ()
        memo.update((id(value), value) for value in values)
        new = object.__new__(FrontierAgent)
        memo[id(self)] = new
        vars(new).update(
            {name: deepcopy(attribute, memo) for name, attribute in vars(self).items()}
        )
        return new

    def _take_up(self, words: str) -> None:
        """Look for what these words ask for."""
        brief = self._brief
        labels = [n for n in (brief.labels or {}).values() if n not in _SCAFFOLD]
        names = list(named_in_order(words, labels))
        if brief.goal_category:
            names = [brief.goal_category]
        self._words = words
        self._quest = names[:1] if self._end is Move.FOUND else names
        self._visited: list[tuple[float, float]] = []  # landmarks that are behind us
        self._patience = 0
        self._aim: tuple[float, float] | None = None  # the thing that it is going to
        self._final: tuple[float, float] | None = None  # the goal, once the robot stands at it

    def correct(self, correction: Correction) -> None:
        self._correction = correction

    def act(self, obs: Observation) -> Decision:
        correction, self._correction = self._correction, Correction()
        if obs.pose is None:
            raise AgentError("frontier needs the sensor 'pose'")
        if obs.instruction != self._words:
            self._take_up(obs.instruction)
        pose = Pose(*(float(v) for v in obs.pose))
        self._look(obs, pose, correction)
        self._has_plan = True
        if obs.pointgoal is not None:
            move = self._to_point(pose, float(obs.pointgoal[0]), float(obs.pointgoal[1]))
        else:
            move = self._search(pose, obs.step)
        self._before = pose if move is Move.FORWARD else None
        plan = self._nav.path if self._has_plan else ()  # else it is of an aim given up
        return Decision(move, Beliefs(self._seen, self._things(), plan))

    def _things(self) -> tuple[Remembered, ...]:
        return tuple(thing for same in self._memory.values() for thing in same)

    # ---------------------------------------------------------------------------------- looking
    def _look(self, obs: Observation, pose: Pose, correction: Correction) -> None:
        spec = self._depth
        if obs.depth is None or spec is None or spec.camera is None:
            raise AgentError("frontier needs the sensor 'depth' with its camera")
        self._map.fuse(obs.depth, spec.camera, pose, spec.max_range_m)
        self._map.stamp(pose.x, pose.y, self._brief.robot.radius_m - 0.03, -LIMIT)
        if self._before is not None and obs.collided:
            went = math.dist(self._before.point, pose.point)
            if went < 0.3 * self._brief.robot.forward_m:
                self._nav.bump(pose)
        if correction.remembered is not None:
            self._memory = {}
            for thing in correction.remembered:
                self._memory.setdefault(thing.label, []).append(thing)
        self._seen = self._detect(obs, correction.sight)
        for item in self._seen:
            if item.position is not None:
                self._remember(item.label, item.position, obs.step)

    def _detect(self, obs: Observation, sight: TruthFrame | None) -> tuple[Detection, ...]:
        """What its detector finds, or what is in the true frame."""
        if sight is None:
            return self.detector.detect(obs, self._brief)
        labels = {number: str(facts["category"]) for number, facts in sight.facts.items()}
        altered = replace(obs, readings={**obs.readings, "semantic": sight.instances})
        return GroundTruthDetector().detect(altered, replace(self._brief, labels=labels))

    def _remember(self, label: str, position: tuple[float, float, float], step: int) -> None:
        same = self._memory.setdefault(label, [])
        for index, other in enumerate(same):
            if math.dist(other.position[:2], position[:2]) < _SAME_M:
                mixed = (
                    0.7 * old + 0.3 * new for old, new in zip(other.position, position, strict=True)
                )
                x, y, z = (round(v, 4) for v in mixed)
                same[index] = Remembered(label, (x, y, z), step)
                return
        same.append(Remembered(label, position, step))

    # ----------------------------------------------------------------------------------- moving
    def _to_point(self, pose: Pose, distance_m: float, bearing: float) -> Move:
        if distance_m <= POINT_STOP_M:
            return self._end
        x = pose.x + distance_m * math.cos(pose.yaw + bearing)
        y = pose.y + distance_m * math.sin(pose.yaw + bearing)
        move = self._nav.towards(pose, x, y, 0.1)
        if move is not None:
            return move
        turn = turn_towards(pose, x, y, self._nav.turn_rad)
        if turn is not None and self._nav.path:
            return turn
        return Move.FORWARD if self._nav.path else self._wander()

    def _search(self, pose: Pose, step: int) -> Move:
        if self._final is not None:
            return turn_towards(pose, *self._final, self._nav.turn_rad) or self._end
        if not self._quest:
            return self._end
        label = self._quest[0]
        reach = OBJECT_REACH_M if self._brief.goal_category else LANDMARK_REACH_M
        thing = self._nearest(label, pose)
        if thing is not None:
            x, y = thing
            move = self._nav.towards(pose, x, y, reach)
            if move is not None:
                return move
            if self._nav.path:
                return self._arrive(pose, x, y)
        elif len(self._quest) > 1:
            self._patience += 1
            steps_left = self._brief.budget_steps - step
            if self._patience > _LANDMARK_SHARE * steps_left / len(self._quest):
                self._quest.pop(0)
                self._patience = 0
        return self._explore(pose)

    def _arrive(self, pose: Pose, x: float, y: float) -> Move:
        """At the goal: face it, then stop, and change no more; at a landmark: on to the next."""
        if len(self._quest) == 1:
            self._final = (x, y)
            return turn_towards(pose, x, y, self._nav.turn_rad) or self._end
        self._visited.append((x, y))
        self._quest.pop(0)
        self._aim = None
        self._patience = 0
        return self._search(pose, 0)

    def _nearest(self, label: str, pose: Pose) -> tuple[float, float] | None:
        """Where the nearest thing of that label was seen, of those not yet visited. A choice once
        made stays unless another is nearer by a metre."""
        places = [
            thing.position[:2]
            for thing in self._memory.get(label, [])
            if all(math.dist(thing.position[:2], spot) > _SAME_M for spot in self._visited)
        ]
        here = (pose.x, pose.y)
        best = min(places, key=lambda p: math.dist(p, here), default=None)
        if best is None or self._aim is None:
            self._aim = best
            return best
        nearest = min(places, key=lambda p: math.dist(p, self._aim or p))
        if (
            math.dist(nearest, self._aim) < _SAME_M
            and math.dist(nearest, here) < math.dist(best, here) + 1
        ):
            best = nearest
        self._aim = best
        return best

    def _explore(self, pose: Pose) -> Move:
        if self._turns_left > 0:
            self._turns_left -= 1
            self._has_plan = False
            return Move.LEFT
        for _ in range(3):
            if self._target is None:
                self._target = self._choose(pose)
            if self._target is None:
                return self._wander()
            x, y = self._target
            if not self._nav.is_unknown_near(x, y):
                self._target = None
                continue
            if math.dist(self._target, (pose.x, pose.y)) > 0.4:
                move = self._nav.towards(pose, x, y, 0.2)
                if move is not None:
                    return move
            turn = turn_towards(pose, x, y, self._nav.turn_rad)
            if turn is not None and math.dist(self._target, (pose.x, pose.y)) > 0.1:
                return turn
            self._dead.append(self._target)
            self._target = None
        return self._wander()

    def _choose(self, pose: Pose) -> tuple[float, float] | None:
        """The frontier with the best balance of nearness, straightness and size."""
        best: tuple[float, tuple[float, float]] | None = None
        for (x, y), size, distance_m in self._nav.frontiers(pose):
            if any(math.dist((x, y), dead) < 0.4 for dead in self._dead):
                continue
            bearing = math.atan2(y - pose.y, x - pose.x) - pose.yaw
            turn = abs(math.remainder(bearing, math.tau))
            score = distance_m + 0.3 * turn - 0.03 * min(size, 40)
            if best is None or score < best[0]:
                best = (score, (x, y))
        return None if best is None else best[1]

    def _wander(self) -> Move:
        """Nothing left to plan: go about at random, and give dead frontiers another chance."""
        self._dead.clear()
        self._nav.forget_plan()
        self._has_plan = False
        moves = (Move.FORWARD, Move.FORWARD, Move.LEFT, Move.RIGHT)
        return moves[int(self._rng.integers(len(moves)))]
