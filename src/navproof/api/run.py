"""``nv.run``: agents through a suite, into a run folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from navproof.agents.limits import Limits
from navproof.api.plain import (
    AgentLike,
    ConditionLike,
    RobotLike,
    agent_names,
    an_instance,
    condition_texts,
    episodes_of,
    file_name,
    image_size,
    plain_names,
    robot_names,
    salt_of,
    seed_numbers,
    sensor_specs,
    simulator_name,
    whole_number,
)
from navproof.api.run_folder import Run
from navproof.api.text.progress import RunProgress, shown
from navproof.core.errors import SpecError
from navproof.core.salt import Salt
from navproof.core.types import Clock, Episode, SensorSpec
from navproof.log.shard import Shard, parse_shard
from navproof.metrics.named import MetricLike
from navproof.runner.conditions import in_styles, usual_conditions
from navproof.runner.run import Progress
from navproof.runner.run import run as run_suite
from navproof.runner.spec import RunSpec
from navproof.sim.protocol import Simulator
from navproof.tasks.suites.registry import Suite, checked_suite

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["processors", "run"]


def run(
    agents: AgentLike | Iterable[AgentLike],
    suite: str | Path | Suite | Sequence[Episode] = "mini",
    *,
    conditions: ConditionLike | Iterable[ConditionLike] = (),
    styles: str | Iterable[str] = (),
    seeds: int | Iterable[int] = 1,
    limit: int | None = None,
    skip: int = 0,
    robot: RobotLike | Iterable[RobotLike] = (),
    reacting_people: bool = False,
    camera: str | tuple[int, int] | None = None,
    sensors: str | Path | SensorSpec | Iterable[SensorSpec] = (),
    simulator: str | Callable[[], Simulator] = "embedded",
    beliefs: bool = False,
    rewriter: Rewriter | None = None,
    limits: Limits | None = None,
    in_process: bool = False,
    salt: Path | str | Salt | None = None,
    clock: Clock = "wait",
    metrics: MetricLike | Iterable[MetricLike] = (),
    shard: str | tuple[int, int] | Shard | None = None,
    workers: int | None = None,
    out: Path | str | None = None,
    fresh: bool = False,
    progress: bool | Progress = True,
) -> Run:
    """Run agents through a suite and return the run.

    ``agents`` is a class, a name (``"mlfm@layers=1"``, ``"my_agent.py:MyAgent"``, a set such as
    ``"langnav"``), or several of them. A class must be at the top level of a file or module, since
    worker processes import it from there; ``SpecError`` where they cannot.

    ``suite`` is a suite, its name, an episode file, a packed suite, or episodes. ``conditions`` are
    texts (``"spatter@0.75"``), groups (``"trust"``), functions ``(image, intensity, rng)`` or
    conditions, beside the clean one; none means those that the suite brings. ``styles`` are other
    wordings of missions. ``seeds`` is how many, from 0 on, or which. ``limit`` takes at most so
    many episodes, evenly over tasks and robots; ``skip`` leaves out those that a limit of that
    number would take. ``robot`` are robots or their names (one that is not registered must be a
    variable at the top level of a file, as classes must), ``reacting_people`` mind them.
    ``simulator`` is a name, or a class as agents are. ``camera`` is another
    (width, height) of all images or ``"256x256"``, ``sensors`` a TOML file or specs of more
    sensors. ``limits`` bound an agent's time and memory. ``in_process`` has agents share a process
    with their judge, to debug them; the result says so. ``salt`` is a file with a secret from which
    the suite is made anew, so that nobody can have prepared for it (``navproof.core.salt``).
    ``clock`` says what the world does while an agent makes up its mind: it waits, or goes on for as
    long as the agent says that it took (``"declared"``: ``Decision.took_s``), or for as long as its
    judge waited for it (``"measured"``).
    ``metrics`` are more metrics to score by
    (functions of a trace, ``"my.py:jerk"``), which the run remembers. ``shard`` (``"2/8"``) plays
    one of so many parts, each for a machine and a folder of its own: ``nv.merge`` makes the run of
    them.

    ``workers`` processes play at once, by default one for each processor; their number changes no
    result. ``out`` is the folder to write, or to resume where it holds an unfinished run of the
    same settings; ``fresh`` removes what is there. Without ``out`` a new folder named by time and
    suite is made in ``runs/``. ``progress`` shows a bar on the error stream (a line now and then
    where that is no terminal), or is something that hears how the run goes.
    """
    part = _shard(shard)
    names = agent_names(agents)
    label, episodes = _episodes(suite)
    brought = episodes if isinstance(episodes, Suite) else label
    texts = condition_texts(conditions) or list(usual_conditions(brought))
    spec = RunSpec(
        agents=names,
        suite=label,
        seeds=seed_numbers(seeds),
        conditions=in_styles(texts, plain_names("styles", styles)),
        camera=image_size(camera),
        sensors=sensor_specs(sensors),
        robots=robot_names(robot),
        reacting_people=reacting_people,
        episode_limit=whole_number("limit", limit),
        episode_skip=whole_number("skip", skip) or 0,
        beliefs=beliefs,
        rewriter=rewriter,
        simulator=simulator_name(simulator),
        limits=an_instance("limits", limits, Limits) or Limits(),
        in_process=in_process,
        salt=salt_of(salt),
        clock=clock,
    )
    where = _new_folder(label) if out is None else Path(file_name("out", out))
    count = whole_number("workers", workers)
    count = processors() if count is None else count
    with shown(progress, RunProgress) as heard:
        folder = run_suite(
            spec,
            where,
            workers=count,
            progress=heard,
            fresh=fresh,
            episodes=episodes,
            metrics=metrics,
            shard=part,
        )
    return Run(folder.path)


def processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _episodes(
    suite: str | Path | Suite | Sequence[Episode],
) -> tuple[str, tuple[Episode, ...] | Suite | None]:
    """What the suite is called, and the suite or its episodes where they are given."""
    if isinstance(suite, str | Path):
        return str(suite), None
    if isinstance(suite, Suite):
        return suite.name, checked_suite(suite)
    if not isinstance(suite, Iterable):
        raise SpecError(f"suite: {suite!r} is no name, no Suite and no episodes")
    return "episodes", episodes_of(suite, "suite")


def _shard(value: str | tuple[int, int] | Shard | None) -> Shard | None:
    """A shard from what it may be given as; ``SpecError`` where it is none."""
    if value is None or isinstance(value, Shard):
        return value
    if isinstance(value, tuple | list) and len(value) == 2:
        index, count = (whole_number("shard", number) for number in value)
        if index is not None and count is not None:
            return Shard(index, count)
    return parse_shard(value if isinstance(value, str) else repr(value))


def _new_folder(label: str) -> Path:
    """A folder in ``runs/`` that is not there yet."""
    stem = f"{time.strftime('%Y%m%d-%H%M%S')}-{Path(label).name.partition('.')[0]}"
    names = (stem, *(f"{stem}-{number}" for number in range(2, 1000)))
    return next(Path("runs", name) for name in names if not Path("runs", name).exists())
