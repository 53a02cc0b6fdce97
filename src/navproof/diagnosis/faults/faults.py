"""Agents with a fault of known cause, to hold attribution against.

``Faulty`` wraps an agent that works and breaks one of its capabilities from a settable time on:

=========== ============ ====== ==============================================================
capability  kind         type   what it does
=========== ============ ====== ==============================================================
perception  misses       PE-1   the thing that is looked for is never seen
perception  confuses     PE-2   it and another kind of thing are taken for each other
memory      forgets      ME-1   it is forgotten as soon as it is out of view
memory      swaps        ME-2   it is remembered in another thing's place
planning    detours      PL-1   the plan leads over a place far behind
planning    loops        PL-2   the plan leads back and forth between two places
decision    ignores      DE-1   other actions than the plan asks for
=========== ============ ====== ==============================================================

    navproof run --agent navproof.diagnosis.faults.faults:Faulty@kind=forgets@begins=20@rate=0.5 …
    Faulty@kind=misses@base=mlfm+encoder=truth+detector=truth      (options of the base after +)

Perception and memory are spoilt through ``CorrectableAgent.correct``, so what is corrected from
outside wins over the fault at that step; plans and actions are spoilt in what the base puts out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, final

from navproof.agents.correction import CorrectableAgent, Correction
from navproof.agents.load import load_agent
from navproof.agents.options import check_between
from navproof.core.errors import AgentError
from navproof.core.seeding import rng
from navproof.core.types import Decision, Observation, Pose, Remembered, TaskBrief
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.faults.moves import DetourFault, IgnoredPlanFault, LoopFault, Trail
from navproof.diagnosis.faults.senses import (
    ConfusedObjectFault,
    FaultStep,
    ForgottenObjectFault,
    MissedObjectFault,
    PerceivedPlaces,
    SwappedMemoryFault,
    wanted,
)

__all__ = ["FAULTS", "Fault", "FaultKind", "Faulty"]

FaultKind = Literal["misses", "confuses", "forgets", "swaps", "detours", "loops", "ignores"]
_STRETCH = 8  # steps for which the rate is drawn once
_NEEDS = ("pose", "semantic")

_Senses = MissedObjectFault | ConfusedObjectFault | ForgottenObjectFault | SwappedMemoryFault
_Moves = DetourFault | LoopFault | IgnoredPlanFault
_MADE: dict[str, type[_Senses] | type[_Moves]] = {
    "misses": MissedObjectFault,
    "confuses": ConfusedObjectFault,
    "forgets": ForgottenObjectFault,
    "swaps": SwappedMemoryFault,
    "detours": DetourFault,
    "loops": LoopFault,
    "ignores": IgnoredPlanFault,
}
FAULTS: dict[str, ErrorType] = {name: made.kind for name, made in _MADE.items()}
"""Every kind of fault with the type of error that it makes."""


@dataclass(frozen=True)
class Fault:
    """What is broken, in which agent. ``begins``: the step, −1 for the first one at which the
    capability has something to lose (the goal in view, perceived before, metres of plan ahead).
    ``lasts``: for so many steps, 0 for ever. ``rate``: the share of stretches of 8 steps in which
    it is there. ``seed`` draws them, with the episode's."""

    kind: FaultKind = "misses"
    begins: int = -1
    lasts: int = 0
    rate: float = 1.0
    seed: int = 0
    base: str = "frontier"

    def __post_init__(self) -> None:
        check_between(self, 0.0, 1.0, "rate")
        check_between(self, -1, math.inf, "begins")
        check_between(self, 0, math.inf, "lasts")

    @property
    def agent(self) -> str:
        """The name of the agent that is broken."""
        return self.base.replace("+", "@")

    @property
    def sensors(self) -> tuple[str, ...]:
        """Those of the base, and what faults are made of."""
        own = load_agent(self.agent).sensors or ("rgb", "depth", "pose", "pointgoal")
        return (*own, *(s for s in _NEEDS if s not in own))

    @property
    def capability(self) -> Capability:
        return FAULTS[self.kind].capability


@final
class Faulty:
    """The base with its fault. ``first_fault_step`` is the truth that attribution is held against:
    the first step at which what the capability put out was another than without the fault."""

    Options = Fault

    def __init__(self, fault: Fault | None = None) -> None:
        self.fault = fault or Fault()
        base = load_agent(self.fault.agent)()
        if not isinstance(base, CorrectableAgent):
            raise AgentError(
                f"'{self.fault.agent}' has no method 'correct', through which it breaks"
            )
        self._base: CorrectableAgent = base

    def reset(self, brief: TaskBrief) -> None:
        self._brief = brief
        self._broken = _MADE[self.fault.kind]()
        if isinstance(self._broken, IgnoredPlanFault):
            self._broken.seed = self.fault.seed
        self._pending = Correction()
        self._trail, self._places = Trail(), PerceivedPlaces()
        self._held: tuple[Remembered, ...] = ()
        self._began: int | None = self.fault.begins if self.fault.begins >= 0 else None
        self.first_fault_step: int | None = None
        self._base.reset(brief)

    def correct(self, correction: Correction) -> None:
        self._pending = correction

    def act(self, obs: Observation) -> Decision:
        if obs.pose is None:
            raise AgentError("a faulty agent needs the sensor 'pose'")
        pose = Pose(*(float(v) for v in obs.pose))
        self._trail.add((pose.x, pose.y))
        target, named = wanted(self._brief, obs.instruction or self._brief.instruction)
        now = FaultStep(self._brief, obs, pose, target, named, self._places, self._held)
        decision = self._spoilt(now)
        if decision.beliefs is not None:
            self._held = decision.beliefs.remembered
        self._places.add(decision.beliefs, obs.step)
        return decision

    # ----------------------------------------------------------------------------------- inside
    def _spoilt(self, now: FaultStep) -> Decision:
        given, self._pending = self._pending, Correction()
        broken = self._broken
        fault: Correction | None = None
        if not isinstance(broken, DetourFault | LoopFault | IgnoredPlanFault):
            fault = broken.senses(now) if self._may(now.obs.step) else None
            if fault is not None:
                self._note_begin(now.obs.step)
                own = (fault.sight is not None and given.sight is None) or (
                    fault.remembered is not None and given.remembered is None
                )
                fault = fault if own else None
        self._base.correct(_merged(given, fault))
        told = self._base.act(now.obs)
        decision = told if isinstance(told, Decision) else Decision(told)
        if isinstance(broken, DetourFault | LoopFault | IgnoredPlanFault):
            other = None
            waits = isinstance(broken, LoopFault) and self._began is None
            if self._may(now.obs.step) and not (waits and not now.places.of(now.target)):
                other = broken.output(now, decision, self._trail)
            if other is not None:
                self._note_begin(now.obs.step)
                self._note_fault(now.obs.step)
            return other or decision
        if fault is not None and broken.shows(now, decision):
            self._note_fault(now.obs.step)
        return decision

    def _may(self, step: int) -> bool:
        """Whether the fault is there at a step, if there is something that it can spoil."""
        fault, began = self.fault, self._began
        if began is not None and (step < began or (fault.lasts and step >= began + fault.lasts)):
            return False
        if fault.rate >= 1.0:
            return True
        draw = rng(self._brief.seed, f"{fault.kind}.{fault.seed}", "fault", step // _STRETCH)
        return bool(draw.random() < fault.rate)

    def _note_begin(self, step: int) -> None:
        if self._began is None:
            self._began = step

    def _note_fault(self, step: int) -> None:
        if self.first_fault_step is None:
            self.first_fault_step = step


def _merged(given: Correction, fault: Correction | None) -> Correction:
    """What is corrected from outside, and the fault in what is not."""
    if fault is None:
        return given
    return Correction(
        sight=fault.sight if given.sight is None else given.sight,
        remembered=fault.remembered if given.remembered is None else given.remembered,
    )
