"""What each capability should have put out: the contract of oracles.

An oracle is asked at a step, with the simulator as it was before the action and the beliefs that
led to it. It answers *given what the capability was handed*:

=========== ======================== ==========================================================
capability  handed                   expected
=========== ======================== ==========================================================
perception  the true frame           the objects that matter and are visible, with boxes
memory      what it perceived before those of them that it perceived rightly, where and when
planning    what it knows by then    the expert's path: to the goal if the agent knows where it
                                     is, else to where its own plan leads; in a loop to the goal
decision    its plan                 the actions that follow the plan
=========== ======================== ==========================================================

Error values (section 4.2, with FACTS' readings), all in [0, 1]:

    ε_p  = 1/N Σ_n (d(label_n, expected_n) + 1 − IoU_n) / 2     a missed object counts 1
    ε_m  = 1 − s(remembered, expected)
    ε_pl = 1 − nDTW(plan, expected path)
    ε_d  = 0 if the action follows the plan, else 1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from navproof.core.errors import RunError
from navproof.core.types import (
    Action,
    Decision,
    Detection,
    Observation,
    Pose,
    Remembered,
    TaskBrief,
)
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.types import Evidence, StepErrors
from navproof.perception.protocol import TruthFrame
from navproof.play.env import Env

__all__ = [
    "Asked",
    "CapabilityOracle",
    "ExpectedOutputs",
    "Judge",
    "JudgeError",
    "MemoryLikeness",
    "OracleFactory",
    "SemanticDistance",
    "Situation",
]

XY = tuple[float, float]
Asked: TypeAlias = Capability | None
"""The one capability whose corrected actions an oracle is asked for; None asks for all of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """What oracles are told of a step, before its action is taken. ``start`` is the origin of the
    episode frame and ``pose`` the true pose in the world. ``frame`` is the truth of the picture
    that the agent was given. It is None where that picture is an older one (late or lost) or there
    is no camera; perception is then not judged."""

    env: Env
    brief: TaskBrief
    observation: Observation
    start: Pose
    pose: Pose
    frame: TruthFrame | None


@dataclass(frozen=True, slots=True)
class ExpectedOutputs:
    """The expected output of every capability at a step. ``plan`` is empty where no path exists or
    none is needed. ``actions`` follow the agent's *own* plan, best first; there are none where it
    has no plan. ``plan_actions`` follow the expected ``plan`` and end with a claim (stop, found)
    where the plan leads to a goal that the agent knows. ``lead_actions`` take an agent that looks
    for a goal, and has none in mind, to where one is. Where a list of actions is empty, the agent's
    own action is kept."""

    seen: tuple[Detection, ...] = ()
    remembered: tuple[Remembered, ...] = ()
    plan: tuple[XY, ...] = ()
    actions: tuple[Action, ...] = ()
    plan_actions: tuple[Action, ...] = ()
    lead_actions: tuple[Action, ...] = ()


class SemanticDistance(Protocol):
    """How different two labels are: 0 for synonyms, 0.1 for other wording, 0.3 for another
    attribute or specificity, 0.6 related, 0.9 unrelated, 1 contradictory, and 0.8 where one of them
    is empty (the paper's Figure 9). It is symmetric, deterministic and works offline unless its
    class says otherwise."""

    @property
    def name(self) -> str: ...
    def __call__(self, believed: str, expected: str) -> float: ...


class MemoryLikeness(Protocol):
    """How well a memory agrees with what it should hold, from 0 (it contradicts that) to 1 (the
    paper's Figure 10). Both are given as lines, oldest first, as ``memory_words`` writes them. The
    answer is None where it gives no rating; the counted value is then used."""

    @property
    def name(self) -> str: ...
    def __call__(self, remembered: Sequence[str], seen: Sequence[str]) -> float | None: ...


class CapabilityOracle(Protocol):
    """The oracles of one episode. They keep the history by which memory and plans are judged, so
    every step must be given to ``watch`` once, in order, up to the last step that they are asked
    about. ``copy.deepcopy`` of an oracle must be cheap and exact because checkpoints keep copies:
    an oracle never holds the simulator or the environment."""

    def expected(
        self, situation: Situation, decision: Decision, of: Asked = None, *, led: bool = True
    ) -> ExpectedOutputs:
        """The expected outputs at a step. Asking changes nothing. ``decision`` is what the agent
        answered at this step. With ``of`` set to planning or decision, only the actions that
        correct it need be given (for planning also the leading ones, if ``led``). They depend on
        nothing but what the table above lists."""

    def judge(self, situation: Situation, decision: Decision) -> StepErrors:
        """The error values and types of this step. Asking changes nothing."""

    def watch(self, situation: Situation, decision: Decision) -> None:
        """Add a step to the history, after the questions about it."""

    def memory(self, situation: Situation) -> tuple[Remembered, ...]:
        """What memory should hold of the steps before this one, for ``Correction.remembered``:
        everything that was perceived rightly, in the agent's own words, with the place and time of
        its last sighting."""

    def evidence(
        self, situation: Situation, decision: Decision, capability: Capability, *, led: bool = False
    ) -> Evidence:
        """What was expected and what was believed, in a sentence. With ``led``, the evidence of
        planning holds the expert's path to the goal."""


class OracleFactory(Protocol):
    """Makes the oracle of an episode that has just been reset."""

    def __call__(self, env: Env, brief: TaskBrief) -> CapabilityOracle: ...


class JudgeError(RunError):
    """A judge could not be asked or gave no usable answer. This is no fault of the agent's."""


class Judge(Protocol):
    """A language model that rates labels and memories (an option; see ``SemanticDistance``).
    ``rate`` answers one prompt with the numbers asked for; answers are cached on disk."""

    @property
    def identity(self) -> Mapping[str, str]: ...
    def rate(self, system: str, prompt: str, field: str) -> float: ...
