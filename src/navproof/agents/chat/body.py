"""The body of a chat agent: it looks around, asks its program what to do, does it, and asks once
more before it stops. What the program asks the model is its own affair."""

from __future__ import annotations

import math
from typing import final

import numpy as np

from navproof.agents.chat.asking import Asker, SpentError
from navproof.agents.chat.check import Check
from navproof.agents.chat.directions import Direction, bearing_words, find_directions
from navproof.agents.chat.kit import Around, ChatKit, Choice, Program
from navproof.agents.chat.memory import things_of
from navproof.agents.chat.moving import Leg, LookAround, Mover, WalkTo, WalkUp
from navproof.agents.chat.options import ChatOptions
from navproof.agents.chat.prompts import Prompts
from navproof.agents.chat.sight import Sight
from navproof.agents.chat.views import View, ViewSource
from navproof.agents.correction import Correction
from navproof.agents.ending import ending
from navproof.agents.mapping.planning import warm_up
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.survey import Survey
from navproof.core.errors import AgentError
from navproof.core.types import (
    Action,
    Answer,
    Beliefs,
    Decision,
    Move,
    Observation,
    Scalar,
    TaskBrief,
)

__all__ = ["ChatBody"]

_VIEW_M = 5.0
_REACHES_M = {"objectnav": (0.6, 0.75, 0.9), "langnav": (0.8, 1.0, 1.3)}
_USUAL_REACHES_M = (0.8, 1.1, 1.6)
_POINT_STOP_M = 0.18  # PointNav succeeds within 0.2 m
_POINT_REACH_M = 0.1
_MOST_LEGS = 6  # that may begin and end in one step
_MOST_CHECKS = 3  # claims of one goal; the last is taken as it is
_STUCK_M = 0.1
_TICK_S, _SPARE_STEPS, _STOP_S = 0.1, 24, 0.8


@final
class ChatBody:
    """``name`` is what messages call the agent, ``program`` what asks the model."""

    def __init__(self, name: str, options: ChatOptions, program: Program) -> None:
        self._name, self._options, self._program = name, options, program
        self._prompts = Prompts(options.prompts)
        self._asker = Asker(options, self._prompts)
        self._eyes = Eyes(None, options.eyes or None)
        self._asker.reach()
        warm_up()

    def reset(self, brief: TaskBrief) -> None:
        if brief.control not in ("discrete", "any"):
            raise AgentError(
                f"{self._name} moves discretely; this task's control is {brief.control}"
            )
        options = self._options
        self._brief = brief
        self._source = ViewSource(self._name, brief, options.panorama)
        self._survey = Survey(self._name, brief, self._eyes, None, _VIEW_M)
        self._mover = Mover(brief, self._survey)
        system = self._prompts.filled("system", {"actions": ", ".join(brief.actions)})
        self._asker.begin("\n".join(filter(None, (system, brief.system))), brief.seed)
        self._kit = ChatKit(self._name, options, self._prompts, self._asker, brief, self._survey)
        self._sight = Sight(self._kit, self._eyes)
        self._check = Check(self._kit)
        self._program.begin(self._kit)
        self._end = ending(brief)
        self._words = brief.instruction
        self._correction = Correction()
        self._time_s = 0.0
        self._forget_goal()

    def _forget_goal(self) -> None:
        self._leg: Leg | None = None
        self._aim: Choice | None = None  # what is gone up to
        self._claims = 0
        self._claimed = self._ends = False
        self._intent: dict[str, Scalar] = {"is": "explore"}

    def correct(self, correction: Correction) -> None:
        """See ``CorrectableAgent``. A thing that is looked for, and that corrected sight or memory
        holds, is gone up to at once."""
        self._correction = correction

    def act(self, obs: Observation) -> Decision:
        self._asker.step()
        if self._claimed:
            self._forget_goal()
        if obs.instruction != self._words:
            self._words = obs.instruction
            self._kit.hear(obs.instruction)
            self._program.hear(obs.instruction)
            self._forget_goal()
        view = self._take_in(obs)
        try:
            action = self._next(obs, view)
        except SpentError:
            self._intent = {"is": "exhausted"}
            action = self._stop()
        self._survey.moved(self._mover.driver.goes(action))
        if not self._mover.driver.smooth:
            self._time_s += self._mover.driver.takes_s(action)
        beliefs = None if isinstance(self._leg, LookAround) else self._beliefs(view)
        return Decision(action, beliefs, self._intent, self._asker.take_exchanges())

    # ---------------------------------------------------------------------------------- taking in
    def _take_in(self, obs: Observation) -> View:
        correction, self._correction = self._correction, Correction()
        survey = self._survey
        survey.correct(Correction(remembered=correction.remembered))
        survey.path = ()
        survey.look(obs, ())
        self._mover.driver.feel(survey.pose)
        if self._mover.driver.smooth:
            self._time_s = _TICK_S * obs.step
        view = self._source.ahead(obs, survey.pose)
        if correction.sight is not None or correction.remembered is not None:
            self._go_to_known(self._sight.corrected(view, correction.sight, obs.step))
        return view

    def _go_to_known(self, choice: Choice | None) -> None:
        if choice is None or isinstance(self._leg, WalkUp) or self._ends:
            return
        self._kit.rejected.clear()
        self._walk(choice)

    def _beliefs(self, view: View) -> Beliefs:
        self._survey.perceived = self._kit.seen_now(view)
        return self._survey.beliefs()

    # ----------------------------------------------------------------------------------- deciding
    def _next(self, obs: Observation, view: View) -> Action:
        """The next action: that of the present leg, or of the first one that has any."""
        if self._ends or self._is_late(obs):
            return self._stop()
        if obs.pointgoal is not None:
            found = self._near_point(float(obs.pointgoal[0]), float(obs.pointgoal[1]))
            if found is not None:
                return found
        for _ in range(_MOST_LEGS):
            if self._leg is None:
                views = self._begin_look(obs, view)
                if views:
                    action = self._decide(obs, views)
                    if action is not None:
                        return action
                    continue
            assert self._leg is not None
            if isinstance(self._leg, LookAround) and self._leg.sees(view):
                self._sight.look(view, obs.step)
            action = self._leg.step()
            if action is not None:
                return action
            leg, self._leg = self._leg, None
            action = self._after(leg, obs, view)
            if action is not None:
                return action
        return self._mover.driver.turn(1.0) if self._mover.driver.smooth else self._left()

    def _begin_look(self, obs: Observation, view: View) -> tuple[View, ...]:
        """What can be seen at once; nothing where the robot has to turn for it, which begins."""
        self._intent = {"is": "explore"}
        around = self._source.around(obs, self._survey.pose)
        for one in around:
            self._fuse(one)
            self._sight.look(one, obs.step)
        if around:
            return around
        if self._options.look == "ahead":
            self._sight.look(view, obs.step)
            return (view,)
        hfov = self._source.hfov_rad
        count = math.ceil(math.tau / hfov - 1e-6)
        turn = self._mover.turn_rad
        apart = math.tau / count
        if not self._mover.driver.smooth:
            apart = max(turn, turn * math.floor(apart / turn + 1e-6))
            count = math.ceil(math.tau / apart - 1e-6)
        self._leg = LookAround(self._mover, apart, count)
        return ()

    def _fuse(self, view: View) -> None:
        """Take a view of a panorama into the map."""
        depth = np.where(view.depth <= _VIEW_M, view.depth, np.float32(0.0))
        for world in (self._survey.nav.map, self._survey.eye_level):
            world.fuse(depth, view.depth_camera, view.pose, _VIEW_M)

    def _after(self, leg: Leg, obs: Observation, view: View) -> Action | None:
        """What follows a leg that is over: the action that ends it all, or None."""
        diary = self._kit.diary
        if isinstance(leg, LookAround):
            *before, last = leg.views  # it now looks where the last one was taken
            return self._decide(obs, (last, *before))
        if isinstance(leg, WalkTo):
            diary.remark("arrived" if leg.is_there else "did not get there")
            if leg.gone_m < _STUCK_M:
                self._kit.blocked.append(leg.to)
            return None
        assert isinstance(leg, WalkUp)
        aim, self._aim = self._aim, None
        assert aim is not None
        if leg.outcome == "lost":
            diary.remark("no way leads there")
            self._kit.rejected.append((aim.x, aim.y))
            return None
        diary.remark("you are standing before it")
        self._kit.reached.append((aim.x, aim.y))
        if not self._kit.seeks_a_thing or not aim.is_goal:
            return None
        self._sight.look(view, obs.step)
        if self._is_confirmed((view,), obs.step):
            self._intent = {"is": "claim", "by": "detector", "x": aim.x, "y": aim.y}
            return self._stop()
        diary.remark("it is not what is asked for")
        self._kit.rejected.append((aim.x, aim.y))
        return None

    def _decide(self, obs: Observation, views: tuple[View, ...]) -> Action | None:
        """Ask the program, and begin what it chooses; an action where that is to stop."""
        for _ in range(2):
            around = self._around(obs, views)
            choice = self._program.choose(around)
            if choice is None:
                choice = self._unasked(around)
            if choice is None:
                self._survey.forgive()
                return self._left()
            if choice.kind != "finish":
                self._walk(choice)
                return None
            if self._is_confirmed(views, obs.step):
                self._intent = {"is": "claim"}
                return self._stop()
            self._kit.diary.remark("looked again: it is not done")
        choice = self._unasked(self._around(obs, views))
        if choice is None:
            return self._left()
        self._walk(choice)
        return None

    def _around(self, obs: Observation, views: tuple[View, ...]) -> Around:
        survey, kit = self._survey, self._kit
        pose = survey.pose
        ways = self._ways()
        if not ways and (survey.forgive() or kit.blocked):
            kit.blocked.clear()
            ways = self._ways()
        known = [s for s in survey.sightings.all() if not kit.was_rejected(s.position[:2])]
        things = things_of(known, pose, start=not kit.seeks_a_thing)
        return Around(pose, obs.step, views, ways, things, _hint(obs))

    def _ways(self) -> tuple[Direction, ...]:
        kit, options = self._kit, self._options
        return find_directions(
            self._survey.nav,
            self._survey.pose,
            kit.diary.trail,
            options.directions,
            options.stride_m,
            kit.blocked,
        )

    def _walk(self, choice: Choice) -> None:
        if choice.kind == "go":
            self._leg = WalkTo(self._mover, choice.x, choice.y)
            return
        reaches_m = _REACHES_M.get(self._kit.family, _USUAL_REACHES_M)
        self._aim = choice
        self._leg = WalkUp(self._mover, choice.x, choice.y, choice.outline, reaches_m)
        if not choice.is_goal:
            return
        self._intent = {
            "is": "approach",
            "by": "detector",
            "x": round(choice.x, 2),
            "y": round(choice.y, 2),
        }

    def _unasked(self, around: Around) -> Choice | None:
        """What is done where the model said nothing that can be used: the way to where it has not
        been, or else the longest."""
        way = min(around.directions, key=_unasked_rank, default=None)
        if way is None:
            return None
        kit = self._kit
        choice = Choice.going(way)
        kit.diary.add(around.step, around.pose, "", (), f"{choice.said}, by itself")
        return choice

    # ------------------------------------------------------------------------------------ stopping
    def _is_confirmed(self, views: tuple[View, ...], step: int) -> bool:
        """Whether the model says once more that this is it; not asked for ever."""
        self._claims += 1
        if not self._options.checks or self._claims >= _MOST_CHECKS:
            return True
        pose = self._survey.pose
        things = things_of(self._survey.sightings.all(), pose)
        return self._check.confirms(Around(pose, step, views, (), things))

    def _stop(self) -> Action:
        """End the goal; where a question is to be answered, first do that."""
        self._leg = None
        if self._kit.family == "mission" and self._kit.answer:
            answer, self._kit.answer = self._kit.answer, ""
            self._ends = True
            return Answer(answer)
        self._claimed = True
        return self._end

    def _is_late(self, obs: Observation) -> bool:
        """Whether it must be ended now, to be ended at all."""
        if self._end is Move.FOUND:
            return False
        if self._kit.family != "mission":
            return obs.step >= self._brief.budget_steps - 1
        until_s = _TICK_S * (self._brief.budget_steps - _SPARE_STEPS)
        return self._time_s >= until_s - _STOP_S or obs.step >= self._brief.budget_steps - 2

    def _near_point(self, distance_m: float, bearing: float) -> Action | None:
        """At a point that a sensor tells: stop; near it: straight there."""
        if distance_m <= _POINT_STOP_M:
            return self._end
        if distance_m > self._options.stride_m:
            return None
        pose = self._survey.pose
        x = pose.x + distance_m * math.cos(pose.yaw + bearing)
        y = pose.y + distance_m * math.sin(pose.yaw + bearing)
        return self._mover.towards(x, y, _POINT_REACH_M) or self._mover.face(x, y)

    def _left(self) -> Action:
        return self._mover.turn(self._mover.turn_rad) or self._mover.driver.turn(1.0)


def _unasked_rank(way: Direction) -> tuple[int, bool, float, int]:
    return way.visits, not way.is_new, -way.way_m, way.number


def _hint(obs: Observation) -> str:
    if obs.pointgoal is None:
        return ""
    where = bearing_words(float(obs.pointgoal[1]))
    return f"The point that you are to reach is {float(obs.pointgoal[0]):.1f} m away, {where}."
