"""``navproof agent``: the agents there are, and whether one's own is fit to run."""

from __future__ import annotations

from typing import Annotated

import typer

from navproof.cli._output import JsonFlag, console, print_json, print_table

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="List agents, and check your own.")


@app.command("list")
def list_agents(as_json: JsonFlag = False) -> None:
    """The agents that come with navproof."""
    from navproof.agents.load import AGENTS, load_agent
    from navproof.types import PRIVILEGED

    rows = []
    for name in AGENTS:
        sensors = load_agent(name).sensors or ()
        about = " ".join((AGENTS.get(name).__doc__ or "").split()).partition(". ")[0].rstrip(".")
        truth = [s for s in sensors if s in PRIVILEGED]
        rows.append(
            {
                "agent": name,
                "sensors": ", ".join(sensors),
                "ground truth": ", ".join(truth) or None,
                "what it does": about,
            }
        )
    if as_json:
        print_json(rows)
    else:
        print_table("Agents", rows)


@app.command()
def check(
    agent: Annotated[
        str, typer.Argument(help="my_agent.py:MyAgent, package.module:Class, or a name.")
    ],
    task: Annotated[
        list[str] | None, typer.Option("--task", help="Only these tasks (may be repeated).")
    ] = None,
    steps: Annotated[int, typer.Option(min=4, help="Length of each test episode.")] = 24,
    step_limit: Annotated[
        float, typer.Option(min=0.1, help="Seconds that one act() may take.")
    ] = 30.0,
    as_json: JsonFlag = False,
) -> None:
    """Run the conformance suite on an agent; exit code 1 when something is wrong."""
    from navproof.agents.check import check_agent
    from navproof.tasks.generate import task_id

    tasks = [task_id(name) for name in task] if task else None
    checks = check_agent(agent, tasks, steps, step_limit)
    failed = [c for c in checks if c.ok is False]
    if as_json:
        rows = [{"check": c.name, "ok": c.ok, "what": c.what, "mend": c.mend} for c in checks]
        print_json({"agent": agent, "ok": not failed, "checks": rows})
    else:
        words = {True: "ok", False: "WRONG", None: "–"}
        print_table(
            f"{agent}",
            [{"check": c.name, "result": words[c.ok], "what": c.what} for c in checks],
        )
        for c in failed:
            console.print(f"[bold]{c.name}[/bold]: {c.mend}", highlight=False)
        verdict = f"{len(failed)} of {len(checks)} checks failed." if failed else "Fit to run."
        console.print(verdict)
    if failed:
        raise typer.Exit(1)
