"""Chosen failures in full: one of every capability, with source, evidence and repair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from navproof.core.errors import NavproofError
from navproof.core.types import Exchange
from navproof.diagnosis.capabilities import PIPELINE, Capability, ErrorType
from navproof.diagnosis.types import Diagnosis
from navproof.log import Trace, TraceKey
from navproof.reports.gather import Entrant
from navproof.reports.sections.diagnosis.charts import timeline
from navproof.reports.sections.diagnosis.pictures import Shot, shots, way_svg
from navproof.reports.sections.trust.words import condition_title
from navproof.reports.tables import task_title
from navproof.world.scene import Scene

__all__ = ["FailureStory", "LoadScene", "Read", "Traces", "tell_failures"]

LoadScene = Callable[[str], Scene]


class Traces(Protocol):
    """Where the trace of an episode is: a run's folder, or a campaign."""

    def trace(self, key: TraceKey) -> Trace: ...


Read = Sequence[tuple[Entrant, Traces, Diagnosis]]


@dataclass(frozen=True, slots=True)
class FailureStory:
    """One failure in full."""

    number: int
    entrant: Entrant
    capability: Capability
    kind: ErrorType
    step: int
    error: float
    dose: str
    condition: str
    task: str
    scene: str
    episode_id: str
    seed: int
    instruction: str
    said: str
    suggestion: str
    steps: int
    repaired_steps: int
    timeline: str
    plan: str
    shots: tuple[Shot, ...]
    note: str
    asked: Exchange | None = None


def tell_failures(read: Read, load: LoadScene) -> Iterator[FailureStory]:
    """One failure of every capability: one that a single bout explains before others, of the
    greatest error, in the order of the pipeline."""
    number = 0
    for capability in PIPELINE:
        mine = [
            (entrant, run, diagnosis)
            for entrant, run, diagnosis in read
            if diagnosis.attribution is not None and diagnosis.attribution.capability is capability
        ]
        if mine:
            number += 1
            yield _story(number, *min(mine, key=_telling), load)


def _telling(one: tuple[Entrant, Traces, Diagnosis]) -> tuple[bool, float, str, str]:
    found, key = one[2].attribution, one[2].key
    assert found is not None
    return found.dose != "alone", -found.error, key.condition, key.episode_id


def _story(
    number: int, entrant: Entrant, run: Traces, diagnosis: Diagnosis, load: LoadScene
) -> FailureStory:
    found, key, trace = diagnosis.attribution, diagnosis.key, run.trace(diagnosis.key)
    assert found is not None
    episode = trace.episode
    scene: Scene | None = None
    pictured: tuple[Shot, ...] = ()
    note = ""
    try:
        scene = load(episode.scene)
        pictured = shots(trace, found, scene)
    except NavproofError as error:
        note = f"No frames: {error}"
    return FailureStory(
        number=number,
        entrant=entrant,
        capability=found.capability,
        kind=found.kind,
        step=found.step,
        error=found.error,
        dose=found.dose,
        condition=condition_title(key.condition),
        task=task_title(episode.task),
        scene=episode.scene,
        episode_id=episode.episode_id,
        seed=key.seed,
        instruction=episode.instruction.text if episode.instruction is not None else "",
        said=diagnosis.said,
        suggestion=found.suggestion,
        steps=len(trace.actions),
        repaired_steps=len(found.repair.actions),
        timeline=timeline(diagnosis),
        plan=way_svg(trace, found, scene),
        shots=pictured,
        note=note,
        asked=diagnosis.asked,
    )
