"""What diagnosis says, as values: errors, thresholds, evidence, trials, attributions.

Steps count from 0 and are those of ``Trace.actions``: an error at step t is in what led to action
t. Positions and plans are in the episode frame, as in ``Beliefs``; poses are in the world.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from navproof.core.types import Detection, Exchange, Pose, Remembered
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.log.trace import TraceKey

__all__ = [
    "Attribution",
    "Bout",
    "Cost",
    "Diagnosis",
    "Evidence",
    "Finding",
    "Probe",
    "Repair",
    "StepErrors",
    "Thresholds",
    "Trial",
    "Verdict",
]

XY = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StepErrors:
    """The error values of one step, each in [0, 1]; a capability that could not be judged (no
    belief of its kind, nothing expected) is not in ``values``. ``types`` says how each erred whose
    value is not 0. ``unrated``: a judge was asked about the memory and gave no number, so that what
    is counted stands."""

    step: int
    values: Mapping[Capability, float]
    types: Mapping[Capability, ErrorType] = field(default_factory=dict)
    unrated: bool = field(default=False, metadata={"later": True})


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Above which value a capability errs. ``calibrated``: from the ``quantile`` of the values in
    ``episodes`` passed episodes of the agent (``steps`` in all); else there were too few of them
    and the values are the assumed ones. ``left_out``: episodes that had passed but could not be
    played again as they were (a damaged trace, other actions), of which nothing is in them.
    ``off_plan_steps``: bouts of decision up to so many steps are no error either; its values are 0
    or 1, so what passed episodes have of it is told by how long it lasts. ``unrated``: steps in
    which a judge gave no number for the memory (``StepErrors``)."""

    values: Mapping[Capability, float]
    calibrated: bool
    quantile: float
    episodes: int
    steps: int
    left_out: int = 0
    off_plan_steps: int = 0
    unrated: int = field(default=0, metadata={"later": True})


@dataclass(frozen=True, slots=True)
class Bout:
    """Steps ``first`` to ``last`` (inclusive) in which a capability erred without a longer pause:
    one error as a person would count it. ``peak`` is its greatest value, ``kind`` its most frequent
    type."""

    capability: Capability
    first: int
    last: int
    peak: float
    kind: ErrorType


@dataclass(frozen=True, slots=True)
class Evidence:
    """Expected and believed at one step. Only what concerns the capability is filled; boxes are in
    pixels of the frame that the agent was given, actions are words as in a trace."""

    step: int
    said: str  # one sentence: "the chair 2.1 m ahead was not seen"; "" if nothing shows there
    expected_seen: tuple[Detection, ...] = ()
    believed_seen: tuple[Detection, ...] = ()
    expected_remembered: tuple[Remembered, ...] = ()
    believed_remembered: tuple[Remembered, ...] = ()
    expected_plan: tuple[XY, ...] = ()
    believed_plan: tuple[XY, ...] = ()
    expected_actions: tuple[str, ...] = ()  # every one that follows the plan
    action: str = ""


Dose = Literal["alone", "onward", "throughout", "led"]
"""``alone``: the capability is corrected in the steps of one bout (the paper's indicator, whose
bouts have one step). ``onward``: from there to the end. ``throughout``: in every step, the one told
being where that first showed. ``led``: throughout as well, and planning knows where the goal is
while the agent looks for it (the paper's expert)."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One counterfactual: what was corrected from when, and whether the run then succeeded.
    ``also`` is corrected throughout beside it. ``ended``: played to its "end", or known before
    because the goal was out of reach in the steps left ("hopeless") or the state was again that of
    the failed run ("rejoined")."""

    capability: Capability
    step: int
    dose: Dose
    success: bool
    steps_played: int
    ended: Literal["end", "hopeless", "rejoined"] = "end"
    also: Capability | None = None


@dataclass(frozen=True, slots=True)
class Repair:
    """The run as it goes with the correction: poses from the start (T+1) and actions (T), the
    uncorrected prefix included."""

    capability: Capability
    step: int
    dose: Dose
    poses: tuple[Pose, ...]
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attribution:
    """The source of a failure: the earliest error whose correction makes it a success; of a
    ``joint`` one the upstream error, which must be corrected together with what ``also`` erred."""

    capability: Capability
    step: int
    error: float
    kind: ErrorType
    dose: Dose
    evidence: Evidence
    repair: Repair
    suggestion: str
    also: Capability | None = None


Probe = Literal["clean_input", "oracle_action", "hint"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a question from outside gave, for agents that tell no beliefs. A success after clean
    input says that the corruption did it; after ``steps`` actions of the oracle from ``step`` on,
    that what the agent did around then did; after a hint, that the words did. None of them names a
    capability."""

    probe: Probe
    step: int
    steps: int
    success: bool
    said: str


Verdict = Literal[
    "passed", "attributed", "joint", "unattributed", "from_outside", "not_reproduced", "not_run"
]
"""``joint``: no correction of one capability saved the run, but one of two together did; its
``attribution`` is the upstream one. ``unattributed``: no correction saved it within the budget.
``from_outside``: black box; see ``findings``. ``not_reproduced``: the agent acted differently than
in its trace, so nothing can be said. ``not_run``: the episode ended with an agent's error."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Not deterministic in ``seconds``; enters no result."""

    seconds: float = 0.0
    steps_played: int = 0
    trials: int = 0


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that is said of one episode. ``errors`` holds one entry per action; ``bouts`` those above
    the thresholds, by time; ``trials`` in the order played. ``asked`` is what the agent had asked a
    language model last where it went wrong (where nothing says when, at the end)."""

    key: TraceKey
    verdict: Verdict
    attribution: Attribution | None = None
    errors: tuple[StepErrors, ...] = ()
    bouts: tuple[Bout, ...] = ()
    trials: tuple[Trial, ...] = ()
    findings: tuple[Finding, ...] = ()
    thresholds: Thresholds | None = None
    said: str = ""  # one line for people
    asked: Exchange | None = field(default=None, metadata={"later": True})
    cost: Cost = field(default_factory=Cost)

    @property
    def unrated(self) -> int:
        """The steps in which a judge gave no number for the memory."""
        return sum(step.unrated for step in self.errors)
