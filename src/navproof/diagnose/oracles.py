"""The oracles of one episode: the four capabilities put together (see ``oracle`` for the contract).

Memory and loops are judged by history, which is all the state there is: what was reported and
whether it was true, where the robot has been, what it has passed. Copies are cheap and exact.
"""

from __future__ import annotations

from navproof.diagnose._expert_actions import lead_actions, plan_actions
from navproof.diagnose._moment import Kept, Moment
from navproof.diagnose._naming import Naming
from navproof.diagnose._own_frame import OwnFrame
from navproof.diagnose._requirements import Requirements, later_goals
from navproof.diagnose._roaming import Roaming
from navproof.diagnose._tell import tell, tell_search
from navproof.diagnose._views import Views, views_of
from navproof.diagnose.along import Ahead, ahead_of, following, goes_along
from navproof.diagnose.capabilities import Capability, ErrorType
from navproof.diagnose.knowing import Aim, aim_of, has_in_mind, known_goals
from navproof.diagnose.oracle import (
    Expected,
    MemoryLikeness,
    OracleFactory,
    SemanticDistance,
    Situation,
)
from navproof.diagnose.perceiving import Sight, compare_sight, least_pixels
from navproof.diagnose.planning import compare_plan
from navproof.diagnose.relevant import Relevant, relevant_now
from navproof.diagnose.remembering import Past, compare_memory
from navproof.diagnose.semantics import LexicalDistance
from navproof.diagnose.taxonomy import (
    decision_type,
    memory_type,
    perception_type,
    planning_type,
)
from navproof.diagnose.types import Evidence, StepErrors
from navproof.env import Env, object_facts
from navproof.sim.protocol import GoalSet
from navproof.tasks.viewpoints import REACH_M, box_distance_m
from navproof.types import Beliefs, Decision, Detection, Remembered, TaskBrief

__all__ = ["Oracles", "make_oracles"]

_NO_BELIEFS = Beliefs()


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
    """A ``CapabilityOracle``. Holds neither environment nor simulator."""

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
        self._naming = Naming(object_facts(env.sim.scene, env.episode))
        self._past = Past()
        self._roaming = Roaming()
        self._requirements = Requirements(env.episode)
        self._kept = Kept()

    def __deepcopy__(self, memo: object) -> Oracles:
        new = object.__new__(Oracles)
        new._brief, new._distance, new._naming = self._brief, self._distance, self._naming
        new._likeness = self._likeness
        new._past, new._roaming = self._past.copy(), self._roaming.copy()
        new._requirements, new._kept = self._requirements.copy(), Kept()
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
        return StepErrors(situation.observation.step, values, types)

    def expected(self, situation: Situation, decision: Decision) -> Expected:
        moment = self._moment(situation, decision)
        beliefs, own = moment.beliefs, moment.own
        brief, action = situation.brief, decision.action
        actions = following(beliefs.plan, own.believed, brief, action, steadily=True)
        if actions and moment.follows:
            actions = (action, *(a for a in actions if a != action))
        return Expected(
            seen=_expected_seen(situation, moment),
            remembered=tuple(held.remembered for held in moment.recall.expected),
            plan=moment.course.path or _own_plan(moment),
            actions=actions,
            plan_actions=plan_actions(situation, decision, moment),
            lead_actions=lead_actions(
                situation,
                decision,
                moment,
                in_mind=has_in_mind(own, beliefs, moment.relevant.goals, self._naming),
            ),
        )

    def watch(self, situation: Situation, decision: Decision) -> None:
        step, pose = situation.observation.step, situation.pose
        kept = self._kept.get(situation, decision)
        views = kept.views if kept else _views(situation)
        if decision.beliefs is not None:
            reports = decision.beliefs.perceived
            sight = kept.sight if kept else self._sight(situation, views, reports, None)
            self._past.add(reports, sight, step)
        seen = None
        if views is not None:
            seen = [views.ids[i] for i in views.large(least_pixels(views))]
        room = situation.env.sim.scene.room_at(*pose.point)
        self._roaming.add(pose.point[:2], seen, None if room is None else room.id, step)
        self._requirements.add(pose.point)

    def memory(self, situation: Situation) -> tuple[Remembered, ...]:
        return tuple(held.remembered for held in self._past.rightly())

    def evidence(
        self,
        situation: Situation,
        decision: Decision,
        capability: Capability,
        *,
        led: bool = False,
    ) -> Evidence:
        expected, moment = self.expected(situation, decision), self._moment(situation, decision)
        if led:
            return tell_search(situation, decision, moment, expected)
        return tell(situation, decision, capability, moment, expected)

    # ------------------------------------------------------------------------------- inside
    def _moment(self, situation: Situation, decision: Decision) -> Moment:
        kept = self._kept.get(situation, decision)
        if kept is not None:
            return kept
        beliefs = decision.beliefs or _NO_BELIEFS
        own = OwnFrame.of(situation)
        relevant = self._relevant(situation)
        views = _views(situation)
        sight = None
        if decision.beliefs is not None:
            sight = self._sight(situation, views, beliefs.perceived, relevant)
        step = situation.observation.step
        recall = compare_memory(
            self._past,
            self._naming,
            relevant,
            beliefs.remembered,
            beliefs.perceived,
            step,
            self._distance,
            self._likeness,
        )
        robot = situation.brief.robot
        ahead = ahead_of(beliefs.plan, own.believed, robot)
        aim = self._aim(situation, own, beliefs, ahead, relevant)
        course = compare_plan(situation, own, ahead, aim)
        obeys = None if ahead is None else goes_along(decision.action, ahead, robot)
        told = decision.beliefs is not None
        moment = Moment(relevant, own, beliefs, told, views, sight, recall, aim, course, obeys)
        return self._kept.put(situation, decision, moment)

    def _relevant(self, situation: Situation) -> Relevant:
        return relevant_now(situation.env, situation.pose, self._requirements.passed_m)

    def _sight(
        self,
        situation: Situation,
        views: Views | None,
        reports: tuple[Detection, ...],
        relevant: Relevant | None,
    ) -> Sight | None:
        if views is None:
            return None
        matters = relevant or self._relevant(situation)
        return compare_sight(views, self._naming, matters, reports, self._distance)

    def _aim(
        self,
        situation: Situation,
        own: OwnFrame,
        beliefs: Beliefs,
        ahead: Ahead | None,
        relevant: Relevant,
    ) -> Aim:
        known = known_goals(situation, own, beliefs, relevant.goals, self._past, self._naming)
        skipped: GoalSet = ()
        if ahead is not None:
            skipped = self._skipped(situation, own, beliefs, ahead, relevant, known)
        loops = self._roaming.is_looping
        return aim_of(situation, own, ahead, relevant, known, skipped, loops=loops)

    def _skipped(
        self,
        situation: Situation,
        own: OwnFrame,
        beliefs: Beliefs,
        ahead: Ahead,
        relevant: Relevant,
        known: frozenset[int],
    ) -> GoalSet:
        """Where to go first, if the plan leads to a thing that comes later and that the agent
        knows; else nothing."""
        way = [own.in_world(x, y) for x, y in ahead.rest]
        later = later_goals(situation.env.episode, relevant.index)
        if later:
            known = known_goals(situation, own, beliefs, later, self._past, self._naming)
        by_id = situation.env.sim.scene.by_id
        if not any(box_distance_m(by_id[i].box, *way[-1]) <= REACH_M for i in known & by_id.keys()):
            return ()
        return situation.env.task.goals() if later else self._requirements.skipped_by(way)


def _views(situation: Situation) -> Views | None:
    return None if situation.frame is None else views_of(situation.frame)


def _of_sight(sight: Sight | None) -> tuple[float | None, ErrorType | None]:
    return (None, None) if sight is None else (sight.error, perception_type(sight))


def _own_plan(moment: Moment) -> tuple[tuple[float, float], ...]:
    """The agent's own plan from here on, where that is as good as the expert's."""
    course = moment.course
    return course.ahead.rest if course.ahead is not None and course.error == 0.0 else ()


def _expected_seen(situation: Situation, moment: Moment) -> tuple[Detection, ...]:
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
