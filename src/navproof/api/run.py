"""``nv.run``: agents through a suite, into a run folder; ``Run``: what is in one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from navproof.api.plain import (
    AgentLike,
    ConditionLike,
    agent_names,
    condition_texts,
    names_in,
    seed_numbers,
    sensor_specs,
)
from navproof.api.result import Result
from navproof.api.text.progress import RunProgress, shown
from navproof.core.errors import SpecError
from navproof.core.types import Episode, SensorSpec
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.trace import Trace
from navproof.play.limits import Limits
from navproof.runner.conditions import in_styles, usual_conditions
from navproof.runner.run import Progress
from navproof.runner.run import run as run_suite
from navproof.runner.spec import RunSpec

if TYPE_CHECKING:
    from rich.console import Console

    from navproof.api.compare import Comparison
    from navproof.api.diagnose import RunDiagnosis
    from navproof.api.report import Report
    from navproof.api.score import Scores
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["Run", "RunLike", "path_of", "processors", "run"]


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

        return read_table(self.path / "results.parquet")

    def show(self, console: Console) -> None:
        self.scores().show(console)

    def traces(self) -> Iterator[Trace]:
        """Every trace, one at a time: poses, actions, events and beliefs of an episode."""
        return self.folder.traces()

    def scores(self) -> Scores:
        """Means of every metric with their intervals, from the results; ``nv.score`` computes the
        results again from the traces."""
        from navproof.api.score import Scores

        return Scores(self.path, self.info, self.rows)

    def compare(self, a: str, b: str, **options: Any) -> Comparison:
        """Two agents of this run, episode by episode; ``options`` as in ``nv.compare``."""
        from navproof.api.compare import compare

        return compare((self, a), (self, b), **options)

    def diagnose(self, **options: Any) -> RunDiagnosis:
        """Which capability caused each failure; ``options`` as in ``nv.diagnose``."""
        from navproof.api.diagnose import diagnose

        return diagnose(self, **options)

    def report(self, out: Path | str | None = None, *, episodes: int = 6) -> Report:
        """One self-contained HTML file about this run (``report.html`` in its folder)."""
        from navproof.api.report import report

        return report(self, out=out, episodes=episodes)


RunLike: TypeAlias = Run | RunFolder | Path | str
"""A run, or where its folder is."""


def path_of(run: RunLike) -> Path:
    """The folder of a run."""
    return run.path if isinstance(run, Run | RunFolder) else Path(run)


def run(
    agents: AgentLike | Iterable[AgentLike],
    suite: str | Path | Sequence[Episode] = "mini",
    *,
    conditions: ConditionLike | Iterable[ConditionLike] = (),
    styles: str | Iterable[str] = (),
    seeds: int | Iterable[int] = 1,
    limit: int | None = None,
    skip: int = 0,
    robot: str | Iterable[str] = (),
    reacting_people: bool = False,
    camera: tuple[int, int] | None = None,
    sensors: str | Path | SensorSpec | Iterable[SensorSpec] = (),
    simulator: str = "embedded",
    beliefs: bool = False,
    rewriter: Rewriter | None = None,
    limits: Limits | None = None,
    workers: int | None = None,
    out: Path | str | None = None,
    fresh: bool = False,
    progress: bool | Progress = True,
) -> Run:
    """Run agents through a suite and return the run.

    ``agents`` is a class, a name (``"mlfm@layers=1"``, ``"my_agent.py:MyAgent"``, a set such as
    ``"langnav"``), or several of them. A class must be at the top level of a file or module, since
    worker processes import it from there; ``SpecError`` where they cannot.

    ``suite`` is the name of a suite, an episode file, or episodes. ``conditions`` are texts
    (``"spatter@0.75"``), groups (``"trust"``), functions ``(image, intensity, rng)`` or conditions,
    beside the clean one; none means those that the suite brings with it. ``styles`` are other
    wordings of missions. ``seeds`` is how many, from 0 on, or which. ``limit`` takes at most so
    many episodes, evenly over tasks and robots; ``skip`` leaves out those that a limit of that
    number would take. ``robot`` names robots, ``reacting_people`` mind them. ``camera`` is
    another (width, height) of all images, ``sensors`` a TOML file or specs of more sensors.
    ``limits`` bound an agent's time and memory.

    ``workers`` processes play at once, by default one for each processor; their number changes no
    result. ``out`` is the folder to write, or to resume where it holds an unfinished run of the
    same settings; ``fresh`` removes what is there. Without ``out`` a new folder named by time and
    suite is made in ``runs/``. ``progress`` shows a bar on the error stream (a line now and then
    where that is no terminal), or is something that hears how the run goes.
    """
    label, episodes = _episodes(suite)
    texts = condition_texts(conditions) or list(usual_conditions(label))
    spec = RunSpec(
        agents=agent_names(agents),
        suite=label,
        seeds=seed_numbers(seeds),
        conditions=in_styles(texts, names_in(styles)),
        camera=camera,
        sensors=sensor_specs(sensors),
        robots=names_in(robot),
        reacting_people=reacting_people,
        episode_limit=limit,
        episode_skip=skip,
        beliefs=beliefs,
        rewriter=rewriter,
        simulator=simulator,
        limits=limits or Limits(),
    )
    where = _new_folder(label) if out is None else Path(out)
    count = processors() if workers is None else workers
    with shown(progress, RunProgress) as heard:
        folder = run_suite(
            spec, where, workers=count, progress=heard, fresh=fresh, episodes=episodes
        )
    return Run(folder.path)


def processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _episodes(suite: str | Path | Sequence[Episode]) -> tuple[str, tuple[Episode, ...] | None]:
    """What the suite is called, and its episodes where they are given."""
    if isinstance(suite, str | Path):
        return str(suite), None
    episodes = tuple(suite)
    for one in episodes:
        if not isinstance(one, Episode):
            raise SpecError(f"suite: a {type(one).__name__} is not an episode")
    return "episodes", episodes


def _new_folder(label: str) -> Path:
    """A folder in ``runs/`` that is not there yet."""
    stem = f"{time.strftime('%Y%m%d-%H%M%S')}-{Path(label).name.partition('.')[0]}"
    names = (stem, *(f"{stem}-{number}" for number in range(2, 1000)))
    return next(Path("runs", name) for name in names if not Path("runs", name).exists())
