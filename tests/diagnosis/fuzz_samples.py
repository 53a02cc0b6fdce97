"""Cases in the two-room flat, and results without playing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.seeding import rng
from navproof.core.types import Episode, Move, Observation, Pose, TaskBrief
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.fuzz.mutate import SceneMutator
from navproof.diagnosis.fuzz.types import Axis, Case, CaseResult
from navproof.diagnosis.types import Attribution, Diagnosis, Evidence, Repair
from navproof.log.trace import Trace, TraceKey
from navproof.tasks import spec_for
from navproof.testing import tiny_scene

__all__ = ["Wanderer", "draw", "episode_in_flat", "mutator_in_flat", "played", "result"]

_TASK = "objectnav-v1"


class Wanderer:
    """Walks about at random for a dozen steps and stops: it sees nothing, and it is quick."""

    sensors = ("pose",)
    feels: frozenset[str] = frozenset()

    def reset(self, brief: TaskBrief) -> None:
        self._draw = np.random.default_rng(brief.seed)
        self._left = int(self._draw.integers(8, 16))

    def act(self, obs: Observation) -> Move:
        self._left -= 1
        if self._left <= 0:
            return Move.STOP
        return (Move.FORWARD, Move.FORWARD, Move.LEFT, Move.RIGHT)[int(self._draw.integers(4))]


def draw(step: int = 0) -> np.random.Generator:
    return rng(0, "test", "fuzz", step)


def mutator_in_flat(*axes: Axis, felt: tuple[str, ...] | None = None) -> SceneMutator:
    return SceneMutator("objectnav", [tiny_scene()], axes or ("goal",), felt)


def episode_in_flat(name: str = "a") -> Episode:
    return replace(tiny_episode(_TASK, tiny_simulator(_TASK)), episode_id=name)


def played(name: str = "a", poses: tuple[Pose, ...] = (), *, success: bool = False) -> Trace:
    """A trace of a run along some poses."""
    along = poses or tuple(Pose(-3.0 + 0.25 * k, 1.0) for k in range(11))
    steps = len(along) - 1
    return Trace(
        key=TraceKey("agent", name),
        episode=episode_in_flat(name),
        spec=spec_for(_TASK),
        status="ok",
        reason="",
        poses=along,
        actions=("forward",) * (steps - 1) + ("stop",),
        collisions=(False,) * steps,
        distances_m=(0.0 if success else 5.0,) * (steps + 1),
        events=(),
    )


def result(
    name: str,
    kind: ErrorType | None = None,
    error: float = 1.0,
    *,
    success: bool = False,
    condition: str = "clean",
    room: int = 1,
    parent: str = "",
    poses: tuple[Pose, ...] = (),
) -> CaseResult:
    """What a case of that name led to; a failure has its source in ``kind`` where that is given."""
    trace = played(name, poses, success=success)
    changed = {"room_id": room}
    case = Case(trace.episode, condition, parent=parent, changed=changed)
    told = None if success or kind is None else _diagnosis(trace.key, kind, error)
    return CaseResult(case, trace, success, told)


def _diagnosis(key: TraceKey, kind: ErrorType, error: float) -> Diagnosis:
    capability: Capability = kind.capability
    repair = Repair(capability, 3, "alone", (), ())
    source = Attribution(capability, 3, error, kind, "alone", Evidence(3, "so"), repair, "mend it")
    return Diagnosis(key, "attributed", source, said="so")
