"""The quantities that the oracles derive from one step, each computed once and only when it is
needed."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol, final

from navproof.core.types import Beliefs, Decision
from navproof.diagnosis.oracles.along import RemainingPlan, ahead_of, goes_along
from navproof.diagnosis.oracles.knowledge import ExpertGoal
from navproof.diagnosis.oracles.memory import MemoryComparison
from navproof.diagnosis.oracles.own_frame import OwnFrame
from navproof.diagnosis.oracles.perception import PerceivedFrame
from navproof.diagnosis.oracles.planning import PlanComparison, compare_plan
from navproof.diagnosis.oracles.protocol import Situation
from navproof.diagnosis.oracles.relevant import RelevantThings
from navproof.diagnosis.oracles.views import FrameThings, views_of

__all__ = ["ReportedStep", "StepCache"]

_NO_BELIEFS = Beliefs()


class StepWork(Protocol):
    """Computes the parts of a step that depend on the steps before it."""

    def relevant(self, moment: ReportedStep) -> RelevantThings: ...
    def sight(self, moment: ReportedStep) -> PerceivedFrame | None: ...
    def recall(self, moment: ReportedStep) -> MemoryComparison: ...
    def aim(self, moment: ReportedStep) -> ExpertGoal: ...


@final
class ReportedStep:
    """A step as it truly is and as the agent reports it. It must be read before the action is
    taken: the truth is that of the simulator, and the history that of the steps before.
    ``has_beliefs`` says whether the agent reported any beliefs."""

    def __init__(self, situation: Situation, decision: Decision, workings: StepWork) -> None:
        self.situation, self.decision = situation, decision
        self.beliefs = decision.beliefs or _NO_BELIEFS
        self.has_beliefs = decision.beliefs is not None
        self._workings = workings

    @cached_property
    def relevant(self) -> RelevantThings:
        return self._workings.relevant(self)

    @cached_property
    def own(self) -> OwnFrame:
        return OwnFrame.of(self.situation)

    @cached_property
    def views(self) -> FrameThings | None:
        frame = self.situation.frame
        return None if frame is None else views_of(frame)

    @cached_property
    def sight(self) -> PerceivedFrame | None:
        """None where perception is not to be judged."""
        return self._workings.sight(self)

    @cached_property
    def recall(self) -> MemoryComparison:
        return self._workings.recall(self)

    @cached_property
    def ahead(self) -> RemainingPlan | None:
        return ahead_of(self.beliefs.plan, self.own.believed, self.situation.brief.robot)

    @cached_property
    def aim(self) -> ExpertGoal:
        return self._workings.aim(self)

    @cached_property
    def course(self) -> PlanComparison:
        return compare_plan(self.situation, self.own, self.ahead, self.aim)

    @cached_property
    def follows(self) -> bool | None:
        """Whether the action follows the plan; None: there is no plan to follow."""
        if self.ahead is None:
            return None
        return goes_along(self.decision.action, self.ahead, self.situation.brief.robot)


class StepCache:
    """Keeps the step that was computed last. A copy starts empty, since the step can be computed
    again."""

    def __init__(self) -> None:
        self._moment: ReportedStep | None = None

    def __deepcopy__(self, memo: object) -> StepCache:
        return StepCache()

    def get(self, situation: Situation, decision: Decision) -> ReportedStep | None:
        kept = self._moment
        if kept is None or kept.situation is not situation or kept.decision is not decision:
            return None
        return kept

    def put(self, moment: ReportedStep) -> ReportedStep:
        self._moment = moment
        return moment

    def clear(self) -> None:
        self._moment = None
