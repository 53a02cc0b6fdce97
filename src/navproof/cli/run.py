"""``navproof run``: agents through a suite, into a run folder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, MoreMetrics, console, print_json
from navproof.cli.terminal.stopping import terminable

if TYPE_CHECKING:
    from navproof.api.run_folder import Run
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["ClockName", "People", "run"]

_MOST_SEEDS = 10_000


class People(StrEnum):
    """How the people of a mission walk."""

    SCHEDULED = "scheduled"
    REACTING = "reacting"


class ClockName(StrEnum):
    """What the world does while an agent makes up its mind."""

    WAIT = "wait"
    DECLARED = "declared"
    MEASURED = "measured"


def run(
    agent: Annotated[
        list[str],
        typer.Option(
            "--agent",
            "-a",
            help="oracle, mlfm@layers=1, …, my_agent.py:MyAgent or package.module:Class, the "
            "address of a server (ws://host:port), or a set such as langnav (navproof agent list); "
            "several with commas, or the option again.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The run folder to write or resume.")],
    suite: Annotated[
        str,
        typer.Option("--suite", "-s", help="A suite's name, an episode file, or a packed suite."),
    ] = "mini",
    condition: Annotated[
        list[str] | None,
        typer.Option(
            "--condition",
            "--corrupt",
            "-c",
            help="Also run under: motion_blur, spatter@0.75, low_light_noise+depth_gaussian, … "
            "(navproof corruptions list); several with commas, or the option again.",
        ),
    ] = None,
    conditions: Annotated[
        list[str] | None,
        typer.Option(
            "--conditions",
            help="Also run under a group: trust (or paper), trust-sweep, trust-mini, trust-demo, "
            "rgb, depth, instruction, mixed, body. The trust suites bring theirs with them.",
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", "-j", help="Processes; 0 takes one per processor.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 0,
    seeds: Annotated[int, typer.Option(help="How many seeds, from --seed on.")] = 1,
    limit: Annotated[
        int | None, typer.Option(help="At most so many episodes, evenly over tasks and robots.")
    ] = None,
    skip: Annotated[
        int, typer.Option(help="Leave out the episodes that --limit would take with this number.")
    ] = 0,
    robot: Annotated[
        list[str] | None,
        typer.Option(
            help="Robots in the place of the tasks' own: carter, aliengo, h1, mybot.toml or "
            "my_robot.py:ROBOT (commas). Missions that were made for one are its own."
        ),
    ] = None,
    style: Annotated[
        list[str] | None,
        typer.Option(
            help="Also run missions in other words: concise, verbose, first_person (commas); the "
            "original words come first in any case."
        ),
    ] = None,
    people: Annotated[
        People,
        typer.Option(help="Whether the people of missions mind the robot (another protocol)."),
    ] = People.SCHEDULED,
    camera: Annotated[
        str | None, typer.Option(help="Another image size, WIDTHxHEIGHT (another protocol).")
    ] = None,
    sensors: Annotated[
        Path | None,
        typer.Option(help="More sensors, or others, from a TOML file (docs/guides/sensors.md)."),
    ] = None,
    simulator: Annotated[
        str,
        typer.Option(help="embedded, physics (extra 'physics'), or my_sim.py:factory."),
    ] = "embedded",
    step_limit: Annotated[float, typer.Option(help="Seconds that one act() may take.")] = 30.0,
    setup_limit: Annotated[
        float, typer.Option(help="Seconds for the agent's constructor, and for each reset().")
    ] = 300.0,
    episode_limit: Annotated[float, typer.Option(help="Seconds for an episode.")] = 1800.0,
    memory_limit: Annotated[
        float, typer.Option(help="Memory in MB of an agent, with all that it starts.")
    ] = 8192.0,
    beliefs: Annotated[
        bool, typer.Option("--beliefs", help="Record what agents say they believe.")
    ] = False,
    rewriter: Annotated[
        str | None,
        typer.Option(
            help="An OpenAI-compatible address (http://…) that rewrites instructions in place of "
            "the built-in styles."
        ),
    ] = None,
    rewriter_model: Annotated[
        str | None,
        typer.Option(
            help="The model to ask for at --rewriter; its answers are kept under this name "
            "(default: whatever that address serves)."
        ),
    ] = None,
    in_process: Annotated[
        bool,
        typer.Option(
            "--in-process",
            help="For debugging: agents share a process with their judge. The result says so.",
        ),
    ] = False,
    salt: Annotated[
        Path | None,
        typer.Option(
            help="A file with a secret (32 random bytes): the suite's scenes and episodes are made "
            "anew from it, so that no agent can have prepared for them.",
            show_default=False,
        ),
    ] = None,
    clock: Annotated[
        ClockName,
        typer.Option(
            help="What the world does while an agent makes up its mind: it waits, or goes on for "
            "as long as the agent says, or as its judge waited for it (another protocol)."
        ),
    ] = ClockName.WAIT,
    metric: MoreMetrics = None,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Play only the I-th of N parts, each on a machine and in a folder of its own; "
            "'navproof merge' makes the run of them.",
            show_default=False,
        ),
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Write report.html into the run folder.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Remove what is in the run folder first.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Run agents through a suite. The same command resumes a run that was interrupted."""
    from navproof.agents.limits import Limits
    from navproof.api.plain import image_size
    from navproof.api.run import run as run_agents
    from navproof.api.text.progress import RunProgress
    from navproof.core.errors import SpecError
    from navproof.runner.conditions import group

    if not 1 <= seeds <= _MOST_SEEDS:
        raise SpecError(f"--seeds must be from 1 to {_MOST_SEEDS}, got {seeds}")
    if workers < 0:
        raise SpecError(f"--workers must be 0 or more, got {workers}")
    progress = RunProgress()
    try:
        with terminable(), progress:
            done = run_agents(
                agent,
                suite,
                conditions=[
                    *(text for name in _listed(conditions) for text in group(name)),
                    *(condition or ()),
                ],
                styles=_listed(style),
                seeds=range(seed, seed + seeds),
                limit=limit,
                skip=skip,
                robot=_listed(robot),
                reacting_people=people is People.REACTING,
                camera=image_size(camera, "--camera"),
                sensors=sensors or (),
                simulator=simulator,
                beliefs=beliefs,
                rewriter=_rewriter(rewriter, rewriter_model),
                limits=Limits(step_limit, setup_limit, episode_limit, memory_limit),
                in_process=in_process,
                salt=salt,
                clock=clock.value,
                metrics=metric or (),
                shard=shard,
                workers=workers or None,
                out=out,
                fresh=fresh,
                progress=progress,
            )
    except KeyboardInterrupt:
        told = "before the first episode"
        if progress.total:
            told = f"{progress.done} of {progress.total} episodes are done and kept"
        typer.echo(f"stopped: {told}; the same command goes on from there", err=True)
        raise typer.Exit(130) from None
    _finish(done, report, json, metric or ())


def _finish(run: Run, report: bool, json: bool, metrics: Iterable[str]) -> None:
    """The table, and where everything is."""
    scores = run.scores(metrics)
    written = run.report() if report else None
    if json:
        document = scores.document()
        for name in ("planned", "goals"):
            del document[name]
        print_json(
            {
                **document,
                "report": str(written.path) if written else None,
                "skipped": [asdict(skip) for skip in run.info.skipped],
            }
        )
        return
    scores.show(console, skips=False)  # what was skipped has been said
    console.print(f"run: {run.path}", soft_wrap=True, highlight=False)
    if written:
        console.print(f"report: {written.path}", soft_wrap=True, highlight=False)


def _rewriter(address: str | None, model: str | None) -> Rewriter | None:
    from navproof.core.errors import SpecError

    if address is None:
        if model is not None:
            raise SpecError("--rewriter-model names a model at an address: give --rewriter too")
        return None
    from navproof.corruptions.rewriter import UNNAMED, Rewriter

    return Rewriter(address, UNNAMED if model is None else model)


def _listed(parts: Iterable[str] | None) -> tuple[str, ...]:
    """The names in an option that takes several, with commas or by being given again."""
    from navproof.core.errors import SpecError

    names = tuple(name.strip() for part in parts or () for name in part.split(","))
    if parts and not any(names):
        raise SpecError("an option that takes names was given none")
    return tuple(name for name in names if name)
