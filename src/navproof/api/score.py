"""``nv.score``: every metric again, from the traces alone; ``Scores``: what comes out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from navproof.api.result import Result
from navproof.api.run_folder import Run, RunLike
from navproof.api.text.goals import Cut, goals_json, print_goals
from navproof.api.text.retention import print_trust, trust_json
from navproof.api.text.scores import (
    GROUPS,
    not_played_note,
    played_again_note,
    print_scores,
    scores_json,
)
from navproof.core.errors import RunError
from navproof.core.lock import refuse_in_use
from navproof.log.clocks import clock_note, clock_of
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.names import short_name
from navproof.log.shard import shard_note
from navproof.log.trace import NOT_PLAYED
from navproof.log.unfollowed import unfollowed_notes
from navproof.log.usage import Usage, usage_by_agent
from navproof.metrics import (
    BUILT_IN,
    GoalResult,
    MetricLike,
    MetricSet,
    TrustScores,
    goal_results,
    metric_set,
    result_row,
    trust_scores,
)

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Scores", "score"]

Goals = Mapping[tuple[str, str], Sequence[Sequence[GoalResult]]]


class Scores(Result):
    """What a run's episodes come to. ``rows`` has one row for each agent, task, condition and
    metric: mean, 95 % interval, number of episodes, method of the interval. ``episodes`` are the
    rows of the single episodes; ``goals`` those in sequence, of (task, agent), where ``nv.score``
    read them from the traces."""

    def __init__(
        self,
        path: Path,
        info: RunInfo,
        episodes: Sequence[Mapping[str, Any]],
        goals: Goals | None = None,
        metrics: MetricSet = BUILT_IN,
    ) -> None:
        self.path, self.info, self.metrics = path, info, metrics
        self.episodes, self.goals = list(episodes), dict(goals or {})

    def __repr__(self) -> str:
        return f"Scores({str(self.path)!r}, {len(self.episodes)} episodes)"

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [dict(row) for row in self._means]

    @cached_property
    def _means(self) -> list[dict[str, Any]]:
        """Computed once: intervals are resampled."""
        return [
            {**{name: one[name] for name in GROUPS}, "metric": metric, **values}
            for one in scores_json(self.episodes, self.metrics)
            for metric, values in one["metrics"].items()
        ]

    @property
    def planned(self) -> int:
        """The episodes of the finished run, or of the shard that is here."""
        return len(self.info.assigned())

    @property
    def retention(self) -> TrustScores:
        """What each agent retains of its clean score under each other condition."""
        return trust_scores(self.episodes, self.info.skipped)

    def mean(
        self, metric: str = "success", *, agent: str = "", task: str = "", condition: str = "clean"
    ) -> float:
        """The mean of a metric in one group, ``agent`` and ``task`` left out where there is but
        one; nan where it is undefined there. ``RunError`` where no group or several fit."""
        fitting = [
            row
            for row in self._means
            if row["metric"] == metric
            and row["condition"] == condition
            and agent in ("", row["agent"])
            and task in ("", row["task"])
        ]
        if len(fitting) != 1:
            what = f"{len(fitting)} groups" if fitting else "no group"
            asked = ", ".join(filter(None, (metric, agent, task, condition)))
            raise RunError(f"{self.path} has {what} for {asked}; name one agent and one task")
        return math.nan if fitting[0]["mean"] is None else float(fitting[0]["mean"])

    def show(
        self,
        console: Console,
        by: Iterable[Cut] = (Cut.TAG, Cut.FAILURE),
        spl: bool = False,
        skips: bool = True,
    ) -> None:
        """Means, goals in sequence (grouped ``by``; SPL in place of SR), what is retained, and
        what was not run (``skips``)."""
        print_scores(self.episodes, console, self.metrics)
        print_goals(self.goals, console, by, spl)
        print_trust(self.episodes, console, self.info.skipped if skips else ())
        for line in self._usage_lines():
            console.print(line, style="dim", markup=False, highlight=False, soft_wrap=True)
        for note in self.notes:
            console.print(note, style="yellow", markup=False, highlight=False, soft_wrap=True)

    @cached_property
    def usage(self) -> dict[tuple[str, str], Usage]:
        """What agents asked of language models, by (agent, condition); read from the traces."""
        return usage_by_agent(RunFolder(self.path))

    def _usage_lines(self) -> list[str]:
        """A line for each agent that asked a model, all conditions together."""
        whole: dict[str, Usage] = {}
        for (agent, _), used in self.usage.items():
            whole[agent] = whole.get(agent, Usage()) + used
        return [f"{short_name(agent)}: {used.words}" for agent, used in whole.items()]

    @property
    def notes(self) -> list[str]:
        """What a reader of the scores should know, a line each: agents that were not kept apart
        from their judge, episodes made from a secret, a world that did not wait for agents, what
        of an agent is not part of what the run is, episodes that were not played, or played again,
        and what went wrong with metrics that are not built in."""
        shared = ["agents shared a process with their judge (--in-process): not for publication"]
        apart = not self.info.spec.get("in_process")
        return [
            *([] if apart else shared),
            *_salt_notes(self.info),
            *shard_note(self.info),
            *clock_note(self.info),
            *unfollowed_notes(self.info),
            *not_played_note(self.episodes),
            *played_again_note(self.episodes),
            *self.metrics.notes,
            *self.metrics.complaints(),
        ]

    def document(self) -> dict[str, Any]:
        """Everything as plain data; undefined values are None."""
        return {
            "run": str(self.path),
            "spec_hash": self.info.spec_hash,
            "episodes": len(self.episodes),
            "planned": self.planned,
            "salt": self.info.spec.get("salt"),
            "pack": self.info.spec.get("pack"),
            "shard": str(self.info.shard) if self.info.shard else None,
            "clock": clock_of(self.info),
            "scores": scores_json(self.episodes, self.metrics),
            "goals": goals_json(self.goals),
            "trust": trust_json(self.episodes, self.info.skipped),
            "usage": [
                {"agent": agent, "condition": condition, **used.document()}
                for (agent, condition), used in self.usage.items()
            ],
            "notes": self.notes,
        }


def _salt_notes(info: RunInfo) -> list[str]:
    """Whether agents could have known the episodes: nothing is said of public ones."""
    salt, pack = info.spec.get("salt"), info.spec.get("pack", {})
    if salt:
        notes = [f"salted ({salt}): scenes and episodes were made from a secret for this run"]
    elif pack.get("salt"):
        notes = [
            f"salted ({pack['salt']}) and packed: scenes and episodes were secret from those who "
            f"did not have the packed suite (sha256 {pack['digest']})"
        ]
    else:
        return []
    if "files" not in str(info.versions.get("confinement", "")):
        notes.append(
            "the machine could not keep agents from reading the files of that secret: it is only "
            "as secret as these"
        )
    return notes


def score(run: RunLike, *, metrics: MetricLike | Iterable[MetricLike] = ()) -> Scores:
    """Compute every metric of a run from its traces again and rewrite ``results.parquet``; needs
    neither simulator nor agent. Goals in sequence are told of clean episodes, where there are
    any. ``metrics`` are more metrics (functions of a trace, ``"my.py:jerk"``), which the run
    remembers, as it does those that it was run with."""
    folder = Run(run).folder
    refuse_in_use(folder.path)
    chosen = metric_set(metrics, [folder])
    info = folder.info
    rows, goals = [], dict[tuple[str, str], list[tuple[GoalResult, ...]]]()
    for trace in folder.traces():
        rows.append(result_row(trace, chosen.metrics))
        if trace.status == NOT_PLAYED:
            continue
        agent, condition = trace.key.agent, trace.key.condition
        if condition != "clean":
            if "clean" in info.conditions:
                continue
            agent = f"{agent} under {condition}"
        if found := goal_results(trace):
            goals.setdefault((trace.episode.task, agent), []).append(found)
    if not rows:
        raise RunError(f"{folder.path} has no traces yet; run it first")
    folder.write_results(rows)
    folder.remember_metrics(chosen.recorded)
    return Scores(folder.path, folder.info, rows, goals, chosen)
