"""``navproof check``: is what somebody added to navproof fit for use?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, console, print_json, print_table

if TYPE_CHECKING:
    from navproof.check.result import Check

__all__ = ["check"]


def check(
    kind: Annotated[
        str,
        typer.Argument(
            help="agent, corruption, metric, robot, sensor, simulator, suite or task.",
        ),
    ],
    ref: Annotated[
        str,
        typer.Argument(
            help="my_file.py:NAME, package.module:NAME, a TOML file of a robot or of sensors, or "
            "the name of something there is."
        ),
    ],
    task: Annotated[
        list[str] | None,
        typer.Option("--task", help="Agents: only these tasks (may be repeated)."),
    ] = None,
    steps: Annotated[int, typer.Option(min=4, help="Agents: length of each test episode.")] = 24,
    step_limit: Annotated[
        float, typer.Option(min=0.1, help="Agents: seconds that one act() may take.")
    ] = 30.0,
    scene: Annotated[
        str | None,
        typer.Option(help="Tasks: the scene in which episodes are made (home/val/0)."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Check something of your own, or of navproof's: does it keep the promises of its kind?

    Every line says what was seen and, where that is wrong, how to mend it. Exit code 1 when
    something is wrong, be it that a file of your own cannot be read; 2 when navproof has nothing of
    that name.
    """
    from navproof.check.kinds import KINDS
    from navproof.core.ended import told_if_ended
    from navproof.core.errors import SpecError, UnknownNameError
    from navproof.core.registry import suggest

    if kind not in KINDS:
        raise UnknownNameError(f"there is no kind of thing '{kind}'{suggest(kind, list(KINDS))}")
    if task and kind != "agent":
        raise SpecError("--task is for agents")
    if scene is not None and kind != "task":
        raise SpecError("--scene is for tasks")
    if kind == "suite" and ref.endswith((".jsonl", ".jsonl.gz")):
        raise SpecError(f"{ref} is a file of episodes: navproof episodes validate {ref}")
    if kind == "suite" and ref.endswith(".suite"):
        raise SpecError(f"{ref} is a packed suite: navproof suite show {ref}")
    with told_if_ended(f"{kind} {ref}"):
        checks = _checks(kind, ref, task, steps, step_limit, scene)
    failed = [c for c in checks if c.ok is False]
    if as_json:
        rows = [{"check": c.name, "ok": c.ok, "what": c.what, "mend": c.mend} for c in checks]
        print_json({"kind": kind, "ref": ref, "ok": not failed, "checks": rows})
    else:
        words = {True: "ok", False: "WRONG", None: "–"}
        print_table(
            f"{kind} {ref}",
            [{"check": c.name, "result": words[c.ok], "what was seen": c.what} for c in checks],
        )
        for c in failed:
            line = f"[bold]{c.name}[/bold]: " if c.mend else ""
            console.print(line, end="")
            console.print(c.mend, highlight=False, markup=False)
        told = f"{len(failed)} of {len(checks)} checks failed." if failed else "Fit to use."
        console.print(told)
    if failed:
        raise typer.Exit(1)


def _checks(
    kind: str,
    ref: str,
    task: list[str] | None,
    steps: int,
    step_limit: float,
    scene: str | None,
) -> tuple[Check, ...]:
    from navproof.check.kinds import KINDS
    from navproof.core.names import parse_name
    from navproof.tasks.registry import task_id

    chosen = KINDS[kind]
    name = parse_name(ref, kind).ref
    if kind != "task" and ":" not in name and not name.endswith(".toml"):
        chosen.registry.get(name)  # what there is not is one line, not a table
    if kind == "agent":
        tasks = [task_id(name) for name in task] if task else None
        return chosen.check(ref, tasks, steps, step_limit)
    if kind == "task":
        return chosen.check(task_id(ref), scene=scene or "home/val/0")
    return chosen.check(ref)
