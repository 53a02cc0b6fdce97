"""Everything that the oracles make of one step, worked out once."""

from __future__ import annotations

from dataclasses import dataclass

from navproof.diagnose._own_frame import OwnFrame
from navproof.diagnose._views import Views
from navproof.diagnose.knowing import Aim
from navproof.diagnose.oracle import Situation
from navproof.diagnose.perceiving import Sight
from navproof.diagnose.planning import Course
from navproof.diagnose.relevant import Relevant
from navproof.diagnose.remembering import Recall
from navproof.types import Beliefs, Decision

__all__ = ["Kept", "Moment"]


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A step as it is and as the agent tells it. ``sight`` is None where perception is not to be
    judged; ``has_beliefs``: whether the agent told any."""

    relevant: Relevant
    own: OwnFrame
    beliefs: Beliefs
    has_beliefs: bool
    views: Views | None
    sight: Sight | None
    recall: Recall
    aim: Aim
    course: Course
    follows: bool | None  # None: there is no plan to follow


class Kept:
    """The last moment worked out. A copy starts without one: nothing depends on it."""

    def __init__(self) -> None:
        self._of: tuple[Situation, Decision, Moment] | None = None

    def __deepcopy__(self, memo: object) -> Kept:
        return Kept()

    def get(self, situation: Situation, decision: Decision) -> Moment | None:
        if self._of is None or self._of[0] is not situation or self._of[1] is not decision:
            return None
        return self._of[2]

    def put(self, situation: Situation, decision: Decision, moment: Moment) -> Moment:
        self._of = (situation, decision, moment)
        return moment
