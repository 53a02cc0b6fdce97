"""``navproof agent``: the agents there are, and whether one's own is fit to run."""

from __future__ import annotations

from typing import Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, console, print_json, print_table, usable

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="List agents, and check your own.")


@app.command("list")
def list_agents(as_json: JsonFlag = False) -> None:
    """The agents that come with navproof, their options, and sets of them for ``run --agent``."""
    from navproof.agents.load import AGENTS, load_agent
    from navproof.agents.sets import SETS
    from navproof.core.options import describe_options
    from navproof.sensors import SENSORS

    rows = []
    for name, make in usable(AGENTS):
        sensors = load_agent(name).sensors or ()
        about = " ".join((make.__doc__ or "").split()).partition(". ")[0].rstrip(".")
        truth = [s for s in sensors if s in SENSORS and SENSORS.get(s).privileged]
        rows.append(
            {
                "agent": name,
                "sensors": ", ".join(sensors),
                "ground truth": ", ".join(truth) or None,
                "what it does": about,
                "options": describe_options(make),
            }
        )
    sets = [
        {"set": name, "agents": list(chosen.agents), "what it is": chosen.about}
        for name, chosen in SETS.items()
    ]
    if as_json:
        print_json({"agents": rows, "sets": sets})
        return
    print_table("Agents", rows, ("agent", "sensors", "ground truth", "what it does"))
    print_table(
        "Options and their defaults (mlfm@layers=1@eae=0.2)",
        [
            {"agent": row["agent"], "options": _joined(row["options"])}
            for row in rows
            if row["options"]
        ],
    )
    print_table("Sets", [{**row, "agents": ", ".join(row["agents"])} for row in sets])


def _joined(options: object) -> str:
    assert isinstance(options, dict)
    return "  ".join(f"{name}={value}" for name, value in options.items())


@app.command()
def check(
    agent: Annotated[
        str,
        typer.Argument(help="my_agent.py:MyAgent, package.module:Class, or a name; with options."),
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
    from navproof.check.agents import check_agent
    from navproof.tasks.registry import task_id

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
