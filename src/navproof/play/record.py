"""Building a trace step by step, on whichever side of the pipe is still alive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import navproof
from navproof.core.types import (
    Beliefs,
    Episode,
    Event,
    Exchange,
    Pose,
    Scalar,
    TaskSpec,
)
from navproof.log.trace import DELAYS_VERSION, Delays, Status, Trace, TraceKey
from navproof.log.usage import kept_apart
from navproof.tasks.specs import spec_hash

__all__ = ["Recorder", "SliceRecord", "StepRecord"]


@dataclass(frozen=True, slots=True)
class SliceRecord:
    """How things stood at the end of a piece of the time that an agent took."""

    pose: Pose
    collided: bool
    distance_m: float
    measured: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One action and what it led to; before it the world went on for ``delay_s``, in ``slices``."""

    action: str
    pose: Pose
    collided: bool
    distance_m: float
    events: tuple[Event, ...]
    beliefs: Beliefs | None
    act_s: float
    env_s: float
    corrupt_s: float = 0.0
    measured: Mapping[str, float] = field(default_factory=dict)
    exchanges: tuple[Exchange, ...] = ()
    delay_s: float = 0.0
    slices: tuple[SliceRecord, ...] = ()


class Recorder:
    """Collects an episode. It can be finished at any moment, even before it began."""

    def __init__(
        self, key: TraceKey, episode: Episode, spec: TaskSpec, *, beliefs: bool = False
    ) -> None:
        self._key, self._episode, self._spec = key, episode, spec
        self._beliefs = beliefs
        self._first = (episode.start, episode.geodesic_m)
        self._told: tuple[Event, ...] = ()
        self._measured: Mapping[str, float] = {}
        self._steps: list[StepRecord] = []
        self._facts: dict[str, Scalar] = {
            "navproof": navproof.__version__,
            "spec_hash": spec_hash(spec),
        }
        self._reset_s = 0.0

    @property
    def steps(self) -> int:
        return len(self._steps)

    @property
    def records(self) -> list[StepRecord]:
        """What was added so far."""
        return self._steps

    def restore(self, records: Sequence[StepRecord]) -> None:
        """Go back to these steps."""
        self._steps = list(records)

    def begin(
        self,
        pose: Pose,
        distance_m: float,
        facts: Mapping[str, Scalar],
        events: tuple[Event, ...] = (),
        measured: Mapping[str, float] | None = None,
    ) -> None:
        """The robot has been placed; ``facts`` are true of the whole episode, ``events`` happened
        before its first step. What is ``measured`` now every step measures again."""
        self._first = (pose, distance_m)
        self._told = events
        self._measured = measured or {}
        self._facts.update(facts)

    def reset_took(self, seconds: float) -> None:
        self._reset_s = seconds

    def add(self, step: StepRecord) -> None:
        self._steps.append(step)

    def finish(self, status: Status, reason: str = "") -> Trace:
        """The trace as far as it came."""
        steps = self._steps
        asked = [replace(e, step=i) for i, step in enumerate(steps) for e in step.exchanges]
        exchanges, asked_timing = kept_apart(asked)
        return Trace(
            key=self._key,
            episode=self._episode,
            spec=self._spec,
            status=status,
            reason=_one_line(reason),
            poses=(self._first[0], *(s.pose for s in steps)),
            actions=tuple(s.action for s in steps),
            collisions=tuple(s.collided for s in steps),
            distances_m=(self._first[1], *(s.distance_m for s in steps)),
            events=(*self._told, *(event for s in steps for event in s.events)),
            beliefs=tuple(s.beliefs for s in steps) if self._beliefs else (),
            timing={**self._timing(), **asked_timing},
            facts=dict(sorted(self._facts.items())),
            channels={
                name: (value, *(s.measured[name] for s in steps))
                for name, value in self._measured.items()
            },
            exchanges=exchanges,
            **self._delayed(),
        )

    def _delayed(self) -> dict[str, Any]:
        """What a trace has more where the world does not wait."""
        if self._spec.clock == "wait":
            return {}
        every = [one for step in self._steps for one in step.slices]
        delays = Delays(
            took_s=tuple(s.delay_s for s in self._steps),
            slices=tuple(len(s.slices) for s in self._steps),
            poses=tuple(one.pose for one in every),
            collisions=tuple(one.collided for one in every),
            distances_m=tuple(one.distance_m for one in every),
            channels={name: tuple(one.measured[name] for one in every) for name in self._measured},
        )
        return {"delays": delays, "trace_version": DELAYS_VERSION}

    def _timing(self) -> dict[str, tuple[float, ...]]:
        """Seconds: of the reset, and of each step in the agent and outside it; of the latter,
        those spent on corruption where there is any."""
        steps = self._steps
        timing = {
            "reset_s": (round(self._reset_s, 6),),
            "act_s": tuple(round(s.act_s, 6) for s in steps),
            "env_s": tuple(round(s.env_s, 6) for s in steps),
        }
        if self._key.condition != "clean":
            timing["corrupt_s"] = tuple(round(s.corrupt_s, 6) for s in steps)
        return timing


def _one_line(text: str) -> str:
    """Fit for a file: what UTF-8 cannot hold (half a surrogate pair) becomes "?"."""
    return " ".join(text.split()).encode(errors="replace").decode()
