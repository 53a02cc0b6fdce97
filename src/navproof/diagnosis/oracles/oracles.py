"""The oracles of one episode: all four capabilities together (see ``protocol`` for the contract).

Memory and loops are judged by history, and that history is the only state: what was reported and
whether it was true, where the robot has been, and what it has passed. Copies are cheap and exact.
"""

from __future__ import annotations

from collections.abc import Iterable

from navproof.core.types import Action, Decision, Detection, Remembered, TaskBrief
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.oracles.along import following
from navproof.diagnosis.oracles.expert_actions import lead_actions, plan_actions
from navproof.diagnosis.oracles.knowledge import ExpertGoal, aim_of, has_in_mind, known_goals
from navproof.diagnosis.oracles.memory import MemoryComparison, ReportHistory, compare_memory
from navproof.diagnosis.oracles.moment import ReportedStep, StepCache
from navproof.diagnosis.oracles.naming import ThingNames
from navproof.diagnosis.oracles.perception import PerceivedFrame, compare_sight, least_pixels
from navproof.diagnosis.oracles.protocol import (
    Asked,
    ExpectedOutputs,
    MemoryLikeness,
    OracleFactory,
    SemanticDistance,
    Situation,
)
from navproof.diagnosis.oracles.relevant import RelevantThings, relevant_now
from navproof.diagnosis.oracles.requirements import Requirements, later_goals
from navproof.diagnosis.oracles.roaming import LoopDetector
from navproof.diagnosis.oracles.semantics import LexicalDistance
from navproof.diagnosis.oracles.taxonomy import (
    decision_type,
    memory_type,
    perception_type,
    planning_type,
)
from navproof.diagnosis.oracles.tell import tell, tell_search
from navproof.diagnosis.types import Evidence, StepErrors
from navproof.play.env import Env, object_facts
from navproof.sim.protocol import GoalSet
from navproof.tasks.objectnav.viewpoints import REACH_M, box_distance_m

__all__ = ["Oracles", "make_oracles"]


def make_oracles(
    distance: SemanticDistance | None = None, likeness: MemoryLikeness | None = None
) -> OracleFactory:
    """A factory of oracles that compare labels by ``distance`` (by default the lexicon's), and
    memories by ``likeness`` (by default by counting)."""
    chosen = LexicalDistance() if distance is None else distance

    def make(env: Env, brief: TaskBrief) -> Oracles:
        return Oracles(env, brief, chosen, likeness)

    return make


class Oracles:
    """The ``CapabilityOracle`` of an episode. It holds neither the environment nor the
    simulator."""

    def __init__(
        self,
        env: Env,
        brief: TaskBrief,
        distance: SemanticDistance,
        likeness: MemoryLikeness | None = None,
    ) -> None:
        self._brief = brief
        self._distance = distance
        self._likeness = likeness
        self._naming = ThingNames(object_facts(env.sim.scene, env.episode))
        self._past = ReportHistory()
        self._roaming = LoopDetector()
        self._requirements = Requirements(env.episode)
        self._kept = StepCache()

    def __deepcopy__(self, memo: object) -> Oracles:
        new = object.__new__(Oracles)
        new._brief, new._distance, new._naming = self._brief, self._distance, self._naming
        new._likeness = self._likeness
        new._past, new._roaming = self._past.copy(), self._roaming.copy()
        new._requirements, new._kept = self._requirements.copy(), StepCache()
        return new

    # ------------------------------------------------------------------------- the contract
    def judge(self, situation: Situation, decision: Decision) -> StepErrors:
        moment = self._moment(situation, decision)
        values: dict[Capability, float] = {}
        types: dict[Capability, ErrorType] = {}
        if moment.has_beliefs:
            course, aim = moment.course, moment.aim
            found: tuple[tuple[float | None, ErrorType | None], ...] = (
                _of_sight(moment.sight),
                (moment.recall.error, memory_type(moment.recall)),
                (course.error, planning_type(skips=aim.skips, loops=aim.loops)),
                (None if moment.follows is None else float(not moment.follows), decision_type()),
            )
            for capability, (error, kind) in zip(Capability, found, strict=True):
                if error is None:
                    continue
                values[capability] = round(min(1.0, max(0.0, error)), 6)
                if kind is not None and values[capability] > 0.0:
                    types[capability] = kind
        return StepErrors(situation.observation.step, values, types, moment.recall.unrated)

    def expected(
        self, situation: Situation, decision: Decision, of: Asked = None, *, led: bool = True
    ) -> ExpectedOutputs:
        moment = self._moment(situation, decision)
        if of is Capability.DECISION:
            return ExpectedOutputs(actions=_own_actions(moment))
        if of is Capability.PLANNING:
            return ExpectedOutputs(
                plan_actions=plan_actions(situation, decision, moment),
                lead_actions=self._lead_actions(moment) if led else (),
            )
        return ExpectedOutputs(
            seen=_expected_seen(situation, moment),
            remembered=tuple(held.remembered for held in moment.recall.expected),
            plan=moment.course.path or _own_plan(moment),
            actions=_own_actions(moment),
            plan_actions=plan_actions(situation, decision, moment),
            lead_actions=self._lead_actions(moment),
        )

    def watch(self, situation: Situation, decision: Decision) -> None:
        moment = self._moment(situation, decision)
        step, pose, views = situation.observation.step, situation.pose, moment.views
        if moment.has_beliefs:
            self._past.add(moment.beliefs.perceived, moment.sight, step)
        seen = None
        if views is not None:
            seen = [views.ids[i] for i in views.large(least_pixels(views))]
        room = situation.env.sim.scene.room_at(*pose.point)
        self._roaming.add(pose.point[:2], seen, None if room is None else room.id, step)
        self._requirements.add(pose.point)
        self._kept.clear()

    def memory(self, situation: Situation) -> tuple[Remembered, ...]:
        return tuple(held.remembered for held in self._past.rightly())

    def evidence(
        self, situation: Situation, decision: Decision, capability: Capability, *, led: bool = False
    ) -> Evidence:
        expected, moment = self.expected(situation, decision), self._moment(situation, decision)
        if led:
            return tell_search(situation, decision, moment, expected)
        return tell(situation, decision, capability, moment, expected)

    # ----------------------------------------------------------------- what moments are made of
    def relevant(self, moment: ReportedStep) -> RelevantThings:
        now = moment.situation
        return relevant_now(now.env, now.pose, self._requirements.passed_m)

    def sight(self, moment: ReportedStep) -> PerceivedFrame | None:
        if moment.views is None or not moment.has_beliefs:
            return None
        reports = moment.beliefs.perceived
        return compare_sight(moment.views, self._naming, moment.relevant, reports, self._distance)

    def recall(self, moment: ReportedStep) -> MemoryComparison:
        return compare_memory(
            self._past,
            self._naming,
            moment.relevant,
            moment.beliefs.remembered,
            moment.beliefs.perceived,
            moment.situation.observation.step,
            self._distance,
            self._likeness,
        )

    def aim(self, moment: ReportedStep) -> ExpertGoal:
        known = self._known(moment, moment.relevant.goals)
        skipped: GoalSet = () if moment.ahead is None else self._skipped(moment, known)
        return aim_of(
            moment.situation,
            moment.own,
            moment.ahead,
            moment.relevant,
            known,
            skipped,
            loops=self._roaming.is_looping,
        )

    # ------------------------------------------------------------------------------- inside
    def _moment(self, situation: Situation, decision: Decision) -> ReportedStep:
        kept = self._kept.get(situation, decision)
        return kept or self._kept.put(ReportedStep(situation, decision, self))

    def _lead_actions(self, moment: ReportedStep) -> tuple[Action, ...]:
        goals = moment.relevant.goals
        in_mind = has_in_mind(moment.own, moment.beliefs, goals, self._naming)
        return lead_actions(moment.situation, moment.decision, moment, in_mind=in_mind)

    def _known(self, moment: ReportedStep, things: Iterable[int]) -> frozenset[int]:
        return known_goals(
            moment.situation, moment.own, moment.beliefs, things, self._past, self._naming
        )

    def _skipped(self, moment: ReportedStep, known: frozenset[int]) -> GoalSet:
        """The places to go to first, if the plan leads to a thing that comes later and that the
        agent knows; else nothing."""
        assert moment.ahead is not None
        env = moment.situation.env
        way = [moment.own.in_world(x, y) for x, y in moment.ahead.rest]
        later = later_goals(env.episode, moment.relevant.index)
        if later:
            known = self._known(moment, later)
        by_id = env.sim.scene.by_id
        if not any(box_distance_m(by_id[i].box, *way[-1]) <= REACH_M for i in known & by_id.keys()):
            return ()
        return env.task.goals() if later else self._requirements.skipped_by(way)


def _of_sight(sight: PerceivedFrame | None) -> tuple[float | None, ErrorType | None]:
    return (None, None) if sight is None else (sight.error, perception_type(sight))


def _own_plan(moment: ReportedStep) -> tuple[tuple[float, float], ...]:
    """The rest of the agent's own plan, where it is as good as the expert's."""
    course = moment.course
    return course.ahead.rest if course.ahead is not None and course.error == 0.0 else ()


def _own_actions(moment: ReportedStep) -> tuple[Action, ...]:
    """The actions that follow the agent's own plan; the agent's action comes first if it is one of
    them."""
    brief, action = moment.situation.brief, moment.decision.action
    actions = following(moment.beliefs.plan, moment.own.believed, brief, action, steadily=True)
    if actions and moment.follows:
        return (action, *(a for a in actions if a != action))
    return actions


def _expected_seen(situation: Situation, moment: ReportedStep) -> tuple[Detection, ...]:
    if moment.views is None or moment.sight is None:
        return ()
    scene, views = situation.env.sim.scene, moment.views
    found = []
    for thing in moment.sight.expected:
        box = views.box(views.ids.index(thing))
        centre = scene.by_id[thing].box.centre if thing in scene.by_id else None
        place = None
        if centre is not None:
            height_m = round(centre[2] - situation.start.z, 4)
            place = (*moment.own.seen_from_within(centre[0], centre[1]), height_m)
        found.append(Detection(moment.relevant.labels[thing], 1.0, box, place))
    return tuple(found)
