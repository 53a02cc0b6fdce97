"""What conditions made of an instruction: one episode, every change of its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navproof.language.missions.wordings import ORIGINAL
from navproof.log import Trace
from navproof.reports.gather import Gathered
from navproof.reports.sections.trust.diff import Change, word_diff
from navproof.reports.sections.trust.words import condition_title, known
from navproof.reports.tables import task_title
from navproof.reports.trials import Trial
from navproof.tasks import make_task

__all__ = ["Wording", "Wordings", "told", "wordings"]


@dataclass(frozen=True, slots=True)
class Wording:
    """What one condition did: changes of the instruction, or words in the system prompt."""

    condition: str
    changes: tuple[Change, ...]
    prompt: str

    @property
    def same(self) -> bool:
        return all(change.kind == "same" for change in self.changes)


@dataclass(frozen=True, slots=True)
class Wordings:
    """One episode of a task, with the words as they were."""

    task: str
    episode_id: str
    said: str
    lines: tuple[Wording, ...]


def told(trace: Trace) -> tuple[str, str, str]:
    """The task's first words (of a mission: the original ones), those that the agent heard, and
    what its system prompt was given."""
    said = _said(trace)
    first = {e.kind: str(e.data.get("text", "")) for e in reversed(trace.events)}
    original = trace.episode.wordings.get(ORIGINAL, said)
    return original, first.get("heard", said), first.get("prompt", "")


def _said(trace: Trace) -> str:
    episode = trace.episode
    if episode.instruction is not None:
        return episode.instruction.text
    if episode.goals[0].text:
        return episode.goals[0].text
    return make_task(trace.spec.task, trace.spec).brief(episode, ()).instruction


def wordings(g: Gathered) -> list[Wordings]:
    """One episode per task: the first of those run under most conditions that change words."""
    groups: dict[str, dict[tuple[int, str, int], list[Trial]]] = {}
    for trial in g.trials:
        condition = known(trial.key.condition)
        targets = {part.corruption.target for part in condition.parts} if condition else set()
        if (condition and condition.style != ORIGINAL) or targets & {"words", "prompt"}:
            place = (trial.entrant, trial.key.episode_id, trial.key.seed)
            groups.setdefault(str(trial.result["task"]), {}).setdefault(place, []).append(trial)
    found = []
    for task, episodes in groups.items():
        most = max(episodes.values(), key=len)
        found.append(_of(g, task, most))
    return found


def _of(g: Gathered, task: str, trials: Sequence[Trial]) -> Wordings:
    lines, said = [], ""
    for trial in trials:
        trace = g.runs[g.entrants[trial.entrant].run].trace(trial.key)
        said, heard, prompt = told(trace)
        changes = word_diff(said, heard)
        lines.append(Wording(condition_title(trial.key.condition), changes, prompt))
    episode = trials[0].key.episode_id
    return Wordings(task_title(task), episode, said, tuple(lines))
