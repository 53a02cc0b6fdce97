"""``navproof fuzz``: search for cases that an agent fails, and keep them as a suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from navproof.cli.terminal.judging import JudgeModelOption, JudgeOption, judges_at
from navproof.cli.terminal.output import JsonFlag, console, print_json, print_table
from navproof.cli.terminal.stopping import terminable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from navproof.diagnosis.fuzz.campaign import Campaign
    from navproof.diagnosis.fuzz.minimise import MinimalCase
    from navproof.diagnosis.fuzz.types import Axis, Case, CaseResult

__all__ = ["fuzz"]

_SHOWN = 8  # failures that are told one by one
_SCENES = "home/val/0,home/val/1,office/val/0"


def fuzz(
    agent: Annotated[
        str, typer.Option("--agent", "-a", help="The agent to test: frontier, mlfm, my.py:Mine, …")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The folder of the campaign, new or to go on with.")
    ],
    task: Annotated[
        str, typer.Option("--task", "-t", help="objectnav, vln, langnav or mission.")
    ] = "objectnav",
    budget: Annotated[
        int, typer.Option("--budget", "-n", help="How many cases to play in all; more goes on.")
    ] = 200,
    tester: Annotated[
        str,
        typer.Option(
            help="cantest, random, behavexplor, vlatest; cantest-no-failure, "
            "cantest-no-capability, cantest-no-feedback."
        ),
    ] = "cantest",
    axes: Annotated[
        str,
        typer.Option(
            help="What mutations may change: goal, start, confounder, condition, lighting, camera, "
            "people, robot (commas)."
        ),
    ] = "goal,condition",
    scene: Annotated[
        str,
        typer.Option("--scene", "-s", help="Scenes to search in (commas; home/val/0-3 is four)."),
    ] = _SCENES,
    seed: Annotated[int, typer.Option(help="Of everything that is drawn.")] = 0,
    initial: Annotated[
        int | None,
        typer.Option(
            help="Cases of the seed corpus, which count in the budget (12, or all; of a campaign "
            "that is there, its own)."
        ),
    ] = None,
    diagnose: Annotated[
        bool,
        typer.Option(
            "--diagnose", help="Diagnose every failure, also for testers that do not feed on it."
        ),
    ] = False,
    minimise: Annotated[
        bool, typer.Option(help="Make found failures as small as they can be made.")
    ] = True,
    judge: JudgeOption = None,
    judge_model: JudgeModelOption = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Remove the campaign that is in the folder first.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Search for cases that an agent fails. Each can be done: the oracle passes it. The same
    command goes on with a campaign that was interrupted; failures are kept as a suite."""
    from navproof.api.outputs import check_output_folder
    from navproof.cli.terminal.fuzz_progress import FuzzProgress
    from navproof.core.errors import RunError, SpecError
    from navproof.diagnosis.fuzz.campaign import INITIAL_CASES, run_campaign
    from navproof.diagnosis.fuzz.felt import felt_by
    from navproof.diagnosis.fuzz.mutate import SceneMutator
    from navproof.diagnosis.fuzz.store import Store
    from navproof.diagnosis.fuzz.suite import (
        distinct,
        minimal_failures,
        still_distinct,
        write_failures,
    )
    from navproof.diagnosis.fuzz.testers import make_tester
    from navproof.diagnosis.fuzz.types import Budget
    from navproof.diagnosis.oracles.judge import ask_once
    from navproof.diagnosis.oracles.oracles import make_oracles
    from navproof.diagnosis.oracles.protocol import JudgeError

    if budget < 1:
        raise SpecError(f"--budget must be at least 1, got {budget}")
    along, scenes = _axes(axes), _scenes(scene)
    check_output_folder(out, scenes if fresh else ())
    search = make_tester(tester, along)
    judges = judges_at(judge, judge_model)
    if judges is not None and not (search.needs_diagnosis or diagnose):
        raise SpecError(f"--judge is for diagnoses, and {tester} makes none: add --diagnose")
    mutator = SceneMutator(task, scenes, along, felt_by(agent, task))
    about = {"task": mutator.task, "scenes": list(scenes), "axes": list(along)}
    if initial is None:
        there = None if fresh else Store(out).header()
        initial = min(INITIAL_CASES, budget) if there is None else there.initial
    if judges is not None:
        ask_once(*judges)
    oracles = None if judges is None else make_oracles(*judges)
    progress = FuzzProgress()
    try:
        with terminable(), progress:
            campaign = run_campaign(
                agent,
                search,
                mutator,
                Budget(budget),
                seed,
                attribute_all=diagnose,
                initial=initial,
                about=about,
                folder=out,
                fresh=fresh,
                oracles=oracles,
                judge=None if judges is None else judges[0].model,
                progress=progress,
            )
            kinds = distinct(campaign.failures)
            small: tuple[MinimalCase, ...] = ()
            if minimise:
                small = minimal_failures(
                    agent,
                    kinds,
                    mutator,
                    out,
                    progress=progress.minimising,
                    thresholds=campaign.thresholds,
                    oracles=oracles,
                )
            cases = [result.case for result in kinds]
            if minimise:
                cases = [minimal.case for minimal in still_distinct(kinds, small)]
            files = write_failures(out, agent, cases)
    except KeyboardInterrupt:
        typer.echo(f"stopped: {_kept(progress.done, max(budget, progress.total))}", err=True)
        raise typer.Exit(130) from None
    except JudgeError as error:
        told = _kept(progress.done, max(budget, progress.total))
        raise RunError(f"{error}; {told}") from None
    _tell(campaign, kinds, small, cases, files, out, json)


def _kept(done: int, budget: int) -> str:
    """What there is of a campaign that ends before its time, and what to do next."""
    if done >= budget:
        return "all cases are played and kept; the same command goes on with what they tell"
    return f"{done} of {budget} cases are played and kept; the same command goes on from there"


def _tell(
    campaign: Campaign,
    kinds: Sequence[CaseResult],
    small: Sequence[MinimalCase],
    kept: Sequence[Case],
    files: Sequence[Path],
    out: Path,
    json: bool,
) -> None:
    from navproof.diagnosis.fuzz.closed import closed_words, is_closed
    from navproof.diagnosis.fuzz.suite import COMMANDS_NAME

    closed = is_closed(campaign.diagnoses)
    rows = _rows(campaign)
    smaller = [minimal for minimal in small if minimal.removed]
    same = sum(minimal.checked == "cause" for minimal in smaller)
    if json:
        print_json(
            {
                "campaign": str(out),
                "agent": campaign.agent,
                "tester": campaign.tester,
                "cases": len(campaign.results),
                "failures": len(campaign.failures),
                "distinct": len(kinds),
                "kept": len(kept),
                "smaller": len(smaller),
                "smaller_of_same_cause": same,
                "by_cause": rows,
                "no_beliefs": closed,
                "judge": campaign.judge,
                "unrated_steps": sum(diagnosis.unrated for diagnosis in campaign.diagnoses),
                "suites": [str(path) for path in files],
            }
        )
        return
    found, played = len(campaign.failures), len(campaign.results)
    said = f"{found} of {played} cases failed" if found else f"all {played} cases passed"
    if played == 1:
        said = "the one case failed" if found else "the one case passed"
    console.print()
    title = f"[bold]{escape(campaign.agent)}[/bold]: {said}"
    console.print(title, highlight=False, soft_wrap=True)
    if rows:
        print_table(f"failures found by {campaign.tester}", rows)
        _tell_each(kinds, kept)
        words = _distinct_words(found, len(kinds)) + _smaller_words(small, len(smaller), same)
        _say(words + _kept_words(len(kinds), len(kept)))
    if files:
        _say(f"run them again: sh {files[0].parent / COMMANDS_NAME}")
    if closed:
        _say(closed_words(campaign.tester))
    elif campaign.judge is not None:
        from navproof.reports.sections.diagnosis.section import judge_words

        unrated = [diagnosis.unrated for diagnosis in campaign.diagnoses]
        _say(judge_words(f"judge {campaign.judge}", unrated), style="dim")
    _say(f"campaign: {out}; navproof report {out} shows it", style="dim")


def _say(text: str, style: str | None = None) -> None:
    console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def _tell_each(kinds: Sequence[CaseResult], kept: Sequence[Case]) -> None:
    """The failures that are kept, in a line each; what is told is of the case as it was found."""
    from navproof.diagnosis.fuzz.suite import told_of

    found = {result.case.case_id: result for result in kinds}
    for case in kept[:_SHOWN]:
        result, where = found[case.case_id], case.case_id
        if case.condition != "clean":
            where = f"{where} under {case.condition}"
        if case.condition != result.case.condition:
            where = f"{where} (found under {result.case.condition})"
        _say(f"  {where}: {told_of(result)}")
    if len(kept) > _SHOWN:
        _say(f"  … and {len(kept) - _SHOWN} more", style="dim")


def _distinct_words(found: int, kinds: int) -> str:
    if found == kinds:
        return "no two of them are alike" if found > 1 else "one failure"
    return f"{kinds} unlike each other" if kinds > 1 else f"all {found} are alike"


def _smaller_words(small: Sequence[MinimalCase], smaller: int, same: int) -> str:
    """What came of making them smaller, and what was checked of those that were."""
    if not small:
        return ""
    if not smaller:
        return "; none could be made smaller"
    said = f"; {smaller} made smaller"
    if same == smaller:
        return f"{said}, still failing from the same cause"
    if not same:
        return f"{said}, still failing (causes were not compared)"
    return f"{said}, {same} of them still failing from the same cause, the others still failing"


def _kept_words(kinds: int, kept: int) -> str:
    """How many are left of those made smaller, where some have become alike."""
    if kept == kinds:
        return ""
    return f"; {kept} kept, the rest became like {'it' if kept == 1 else 'one of them'}"


def _rows(campaign: Campaign) -> list[dict[str, Any]]:
    """How many failures have which cause, and under how many conditions."""
    from navproof.diagnosis.fuzz.closed import NO_BELIEFS, without_beliefs

    groups: dict[tuple[str, str], list[CaseResult]] = {}
    for result in campaign.failures:
        told = result.diagnosis
        source = None if told is None else told.attribution
        if source is not None:
            together = "" if source.also is None else f" + {source.also}"
            key = (f"{source.capability}{together}", f"{source.kind} {source.kind.said}")
        elif without_beliefs(told):
            key = ("–", NO_BELIEFS)
        else:
            key = ("–", "not diagnosed" if told is None else told.verdict.replace("_", " "))
        groups.setdefault(key, []).append(result)
    return [
        {
            "capability": capability,
            "type": kind,
            "failures": len(found),
            "clean": sum(1 for r in found if r.case.condition == "clean"),
            "corrupted": sum(1 for r in found if r.case.condition != "clean"),
        }
        for (capability, kind), found in sorted(groups.items(), key=lambda g: -len(g[1]))
    ]


def _axes(text: str) -> tuple[Axis, ...]:
    from navproof.core.errors import SpecError, UnknownNameError
    from navproof.core.registry import suggest
    from navproof.diagnosis.fuzz.mutate import AXES

    known = {str(axis): axis for axis in AXES}
    names = dict.fromkeys(_listed(text))
    for name in names:
        if name not in known:
            raise UnknownNameError(f"there is no axis '{name}'{suggest(name, list(known))}")
    if not names:
        raise SpecError("--axes names none; the usual ones are goal,condition")
    return tuple(known[name] for name in names)


def _scenes(text: str) -> tuple[str, ...]:
    """Scenes by name, each once; ``home/val/0-3`` is four."""
    from navproof.cli.terminal.scene_names import scene_range
    from navproof.world.packed import parse_packed

    names: list[str] = []
    for name in _listed(text):
        last = name.rpartition("/")[2]
        is_other = parse_packed(name) is not None or Path(name).exists()
        is_range = last[:1].isdigit() and "-" in last and not is_other
        names += scene_range(name, "--scene") if is_range else [name]
    return tuple(dict.fromkeys(names))


def _listed(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
