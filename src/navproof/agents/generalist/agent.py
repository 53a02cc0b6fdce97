"""A generalist: reads a mission into sub-tasks, keeps one map of it all, and switches skills.

It sees with an encoder and a detector (colour, depth and pose; no ground truth unless its eyes are
called ``truth``), keeps its distance from people, answers the question as well as its eyes allow,
knows by its own lights when a sub-task is done, and stops after the last one. When time runs short
it leaves out what it has not found and goes for the end of the mission, which is what counts most.

With ``skills`` it is a baseline that has one skill only (``agents/sets.py``, "missions").
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, final

from navproof.agents.correction import Correction
from navproof.agents.ending import ending
from navproof.agents.generalist.answers import EvidenceCollector
from navproof.agents.generalist.drive import Driver
from navproof.agents.generalist.explore import BorderExplorer, Promise
from navproof.agents.generalist.follow import FollowSkill
from navproof.agents.generalist.manners import PersonalSpace
from navproof.agents.generalist.people import PERSON
from navproof.agents.generalist.rooms import RoomMap
from navproof.agents.generalist.skills import GoToPlace, GoToRoom, GoToThing, Skill, SkillTools
from navproof.agents.generalist.survey import MissionEyes, MissionSurvey
from navproof.agents.mapping.planning import warm_up
from navproof.agents.options import check_between
from navproof.agents.registry import register_agent
from navproof.agents.search.searcher import EyeOptions
from navproof.core.errors import AgentError
from navproof.core.types import (
    Action,
    Answer,
    Decision,
    Observation,
    Scalar,
    SubTaskKind,
    TaskBrief,
)
from navproof.language.reading.mission import ParsedSubTask, parse_mission

__all__ = ["Generalist", "GeneralistOptions", "SkillSet"]

SkillSet = Literal["all", "vln", "objectnav", "pointnav", "follow"]
_KINDS: dict[SkillSet, frozenset[SubTaskKind]] = {
    "vln": frozenset({"goto_room", "goto_landmark", "return_to"}),
    "objectnav": frozenset({"goto_object"}),
    "pointnav": frozenset({"goto_point"}),
    "follow": frozenset({"follow_human"}),
}
_START_M = 0.8  # a return counts within 2 m
_THING_M = (0.6, 0.75, 0.9)  # ObjectNav within 1.0 m
_LANDMARK_M = (0.9, 1.2, 1.8)  # VLN within 3.0 m, in the room
_SIGN_M = (1.0, 1.4, 2.0)
_LOOK_EVERY = 3
_TICK_S = 0.1
_SPARE_STEPS = 24  # a mission has a few steps more than its time at ten a second
_STOP_S = 0.4
_UNKNOWN_SHARE = 0.3  # of the time, for the last sub-task while nothing is known of where it is
_HASTE, _BETWEEN_S = 0.55, 5.0
_HURRIED = ((0.3, 0.3), (0.15, 0.15))
"""What is believed of the last goal, when no more than a share of the time is left."""
_EASE = 0.6
_LEAST_DETECTION = 0.1


@dataclass(frozen=True)
class GeneralistOptions(EyeOptions):
    """``keep_m`` is the distance that it keeps from people whom it does not follow; ``skills`` what
    it can do: sub-tasks of other kinds are passed over."""

    detection: float = 0.5
    keep_m: float = 1.35
    skills: SkillSet = "all"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_between(self, 0.0, 5.0, "keep_m")


@register_agent("generalist")
@final
class Generalist:
    """Missions of any kind, one sub-task after the other."""

    Options = GeneralistOptions
    sensors = GeneralistOptions().sensors
    tasks = ("mission-v1",)
    feels = frozenset({"rgb", "depth", "words"})

    def __init__(self, options: GeneralistOptions | None = None) -> None:
        self.options = options or GeneralistOptions()
        self._eyes = MissionEyes(self.options.encoder, self.options.detector)
        warm_up()

    def reset(self, brief: TaskBrief) -> None:
        if brief.control not in ("discrete", "any"):
            raise AgentError(f"generalist moves discretely; the control here is {brief.control}")
        self._brief = brief
        self._survey = MissionSurvey(brief, self._eyes)
        self._driver = Driver(brief)
        self._manners = PersonalSpace(self._survey, self._driver, self.options.keep_m)
        self._prospector = BorderExplorer(self._survey, self._driver)
        self._rooms = RoomMap(self._eyes)
        self._kit = SkillTools(
            self._survey, self._driver, self._rooms, self._explore, self.options.detection
        )
        self._end = ending(brief)
        self._words: str | None = None
        self._correction = Correction()  # of the next step
        self._time_s = 0.0
        self._until_s = _TICK_S * (brief.budget_steps - _SPARE_STEPS)

    def correct(self, correction: Correction) -> None:
        self._correction = correction

    def act(self, obs: Observation) -> Decision:
        correction, self._correction = self._correction, Correction()
        if correction.remembered is not None:  # people are tracked, not remembered
            things = [thing for thing in correction.remembered if thing.label != PERSON]
            self._survey.sightings.hold(things)
        with self._eyes.corrected(correction.sight):
            return self._act(obs)

    def _act(self, obs: Observation) -> Decision:
        if obs.instruction != self._words:
            self._hear(obs.instruction)
        survey, driver = self._survey, self._driver
        waits = self._brief.clock == "wait"
        if not waits:
            self._time_s = obs.time_s
        elif driver.smooth:
            self._time_s = _TICK_S * obs.step
        survey.path = ()
        if self._is_due(obs.step) or self._eyes.sight is not None:
            survey.watch(obs, self._queries(), self._person, self._time_s)
            if obs.rgb is not None and obs.depth is not None:
                self._rooms.look(obs.rgb, obs.depth, survey.camera, survey.pose)
                self._witness.watch(obs.rgb, survey)
        else:
            survey.glance(obs)
        driver.feel(survey.pose)
        action = self._decide()
        survey.moved(driver.goes(action))
        if waits and not driver.smooth:
            self._time_s += driver.takes_s(action)
        return Decision(action, survey.beliefs(), self._intent())

    # ---------------------------------------------------------------------------------- the plan
    def _hear(self, words: str) -> None:
        mission = parse_mission(words)
        self._words = words
        skills = self.options.skills
        self._todo: list[ParsedSubTask] = [
            task for task in mission.subtasks if skills == "all" or task.kind in _KINDS[skills]
        ]
        self._skills: list[Skill] = [
            self._skill_for(task, last=task is self._todo[-1]) for task in self._todo
        ]
        self._person = next((s.words for s in self._skills if isinstance(s, FollowSkill)), "")
        question = mission.question if skills == "all" else None
        self._witness = EvidenceCollector(question, self._eyes, self._rooms)

    def _skill_for(self, task: ParsedSubTask, *, last: bool) -> Skill:
        match task.kind:
            case "goto_point" if task.offset_m is not None:
                return GoToPlace(self._kit, task.offset_m)
            case "return_to":
                return GoToPlace(self._kit, (0.0, 0.0), _START_M)
            case "goto_room":
                return GoToRoom(self._kit, task.target, _SIGN_M)
            case "follow_human":
                return FollowSkill(self._kit, task.person, 0.5 * self._until_s, last=last)
            case _:
                reaches_m = _THING_M if task.kind == "goto_object" else _LANDMARK_M
                return GoToThing(self._kit, (task.target,), reaches_m, task.room)

    def _queries(self) -> tuple[str, ...]:
        names = [name for skill in self._skills for name in skill.queries()]
        return tuple(dict.fromkeys((*names, *self._witness.queries())))

    def _is_due(self, step: int) -> bool:
        """Whether to look now: at every step where each takes long, or somebody is followed."""
        follows = bool(self._skills) and isinstance(self._skills[0], FollowSkill)
        every = 1 if follows or not self._driver.smooth else _LOOK_EVERY
        return step % every == 0

    def _decide(self) -> Action:
        left_s = self._until_s - self._time_s
        if left_s > _STOP_S and self._is_late(left_s):
            self._leave(len(self._skills) - 1)
        if len(self._skills) == 1:
            for share, believed in _HURRIED:
                if left_s < share * self._until_s:
                    self._kit.detection = min(self._kit.detection, believed)
        while self._skills and left_s > _STOP_S:
            action = self._skills[0].step(self._time_s)
            if action is not None:
                return self._considerate(action)
            self._leave(1)
        answer = self._witness.answer()
        return self._end if answer is None else Answer(answer)

    def _leave(self, count: int) -> None:
        """On with the sub-tasks after the next ``count``."""
        del self._todo[:count], self._skills[:count]
        self._prospector.forget()
        self._kit.detection = self.options.detection

    def _is_late(self, left_s: float) -> bool:
        """Whether there is just time for the last sub-task."""
        if len(self._skills) < 2:
            return False
        place = self._skills[-1].place()
        if place is None:
            return left_s < _UNKNOWN_SHARE * self._until_s
        pose = self._survey.pose
        straight_m = math.dist(place, (pose.x, pose.y))
        if left_s > 3.0 * self._takes_s(straight_m):
            return False
        return left_s < self._takes_s(self._survey.way_m(place, 2.0 * straight_m))

    def _takes_s(self, way_m: float) -> float:
        """About how long a way takes, with what may come in between."""
        return way_m / (_HASTE * self._brief.robot.max_speed_m_s) + _BETWEEN_S

    # ---------------------------------------------------------------------------------- exploring
    def _explore(self, promise: Promise) -> Action | None:
        """To what was not seen yet. When all was, what had seemed unlikely must do; None when that
        is at its end too."""
        action = self._prospector.action(promise)
        if action is not None or self._kit.detection <= _LEAST_DETECTION:
            return action
        self._kit.detection = max(_LEAST_DETECTION, _EASE * self._kit.detection)
        self._survey.forgive()
        self._prospector.forget()
        return self._driver.rest()

    # ------------------------------------------------------------------------------------ manners
    def _considerate(self, action: Action) -> Action:
        if self.options.skills != "all":
            return action
        followed = next((s.her for s in self._skills if isinstance(s, FollowSkill)), None)
        now = self._skills[0]
        hold = now.hold() if isinstance(now, FollowSkill) else None
        return self._manners.mind(action, followed, self._time_s, hold)

    def _intent(self) -> dict[str, Scalar]:
        if not self._todo:
            return {"is": "exhausted"}
        return {"is": self._todo[0].kind, "left": len(self._todo)}
