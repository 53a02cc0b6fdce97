"""``navproof agent``: the agents there are, and whether one's own is fit to run."""

from __future__ import annotations

from typing import Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, print_json, print_table, usable

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
    """Run the conformance checks on an agent: the same as navproof check agent."""
    from navproof.cli.check import check as check_thing

    check_thing("agent", agent, as_json=as_json, task=task, steps=steps, step_limit=step_limit)
