"""``Run``: what is in a run folder; needs neither simulator nor agents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from navproof.api.result import Result
from navproof.core.errors import SpecError
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.trace import Trace

if TYPE_CHECKING:
    from rich.console import Console

    from navproof.api.compare import Comparison
    from navproof.api.diagnose import RunDiagnosis
    from navproof.api.report import Report
    from navproof.api.score import Scores
    from navproof.metrics import MetricLike

__all__ = ["Run", "RunLike", "path_of"]


class Run(Result):
    """A run folder and what can be asked of it. ``rows`` has one row for each episode under each
    condition and seed by each agent, as ``results.parquet`` has. ``RunError`` where the folder
    holds no run."""

    def __init__(self, path: RunLike) -> None:
        self.folder: RunFolder = RunFolder(path_of(path))
        self.info: RunInfo = self.folder.info
        """What was run: agents, episodes, conditions, seeds, versions."""

    @property
    def path(self) -> Path:
        return self.folder.path

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"

    @property
    def rows(self) -> list[dict[str, Any]]:
        return self.folder.results()

    def to_arrow(self) -> Any:
        """The rows as a ``pyarrow.Table``, with the column types of ``results.parquet``."""
        from navproof.log.results import read_table

        self.folder.check_results()
        return read_table(self.path / "results.parquet")

    def show(self, console: Console) -> None:
        self.scores().show(console)

    def traces(self) -> Iterator[Trace]:
        """Every trace, one at a time: poses, actions, events and beliefs of an episode."""
        return self.folder.traces()

    def scores(self, metrics: MetricLike | Iterable[MetricLike] = ()) -> Scores:
        """Means of every metric with their intervals, from the results; ``metrics`` are those of
        them to show first. ``nv.score`` computes the results again from the traces."""
        from navproof.api.score import Scores
        from navproof.metrics import metric_set

        chosen = metric_set(metrics, [self.folder])
        return Scores(self.path, self.info, self.rows, metrics=chosen)

    def compare(self, a: str, b: str, **options: Any) -> Comparison:
        """Two agents of this run, episode by episode; ``options`` as in ``nv.compare``."""
        from navproof.api.compare import compare

        return compare((self, a), (self, b), **options)

    def diagnose(self, **options: Any) -> RunDiagnosis:
        """Which capability caused each failure; ``options`` as in ``nv.diagnose``."""
        from navproof.api.diagnose import diagnose

        return diagnose(self, **options)

    def diagnosis(self) -> RunDiagnosis:
        """What an earlier diagnosis found; ``RunError`` where there was none."""
        from navproof.api.diagnose import RunDiagnosis
        from navproof.diagnosis.summary import read_summary

        return RunDiagnosis(self.path, read_summary(self.folder))

    def report(self, out: Path | str | None = None, *, episodes: int = 6) -> Report:
        """One self-contained HTML file about this run (``report.html`` in its folder)."""
        from navproof.api.report import report

        return report(self, out=out, episodes=episodes)


RunLike: TypeAlias = Run | RunFolder | Path | str
"""A run, or where its folder is."""


def path_of(run: RunLike) -> Path:
    """The folder of a run; ``SpecError`` where it is none of these."""
    if isinstance(run, Run | RunFolder):
        return run.path
    if isinstance(run, str | os.PathLike):
        return Path(run)
    raise SpecError(f"a run is its folder or what nv.run returned, got {run!r}")
