"""``navproof agent``: the agents there are, whether one's own is fit to run, and the client that
serves it from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, print_json, print_table, usable

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="List agents, check and serve your own.")


@app.command("list")
def list_agents(as_json: JsonFlag = False) -> None:
    """The agents that come with navproof, their options, and sets of them for ``run --agent``."""
    from navproof.agents.load import AGENTS, example_of, load_agent
    from navproof.agents.sets import SETS
    from navproof.core.options import describe_options
    from navproof.sensors import SENSORS

    rows = []
    for name, make in usable(AGENTS):
        sensors = load_agent(example_of(name)).sensors or ()
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
        typer.Argument(
            help="my_agent.py:MyAgent, package.module:Class, ws://host:port, or a name; with "
            "options."
        ),
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


@app.command()
def client(
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The folder, or the file, to write it to.")
    ] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write navproof_client.py, one file that serves an agent from any Python >= 3.8, another
    machine, or as a habitat.Agent: docs/guides/remote-agents.md.
    """
    from navproof.agents.client import CLIENT_NAME, client_text
    from navproof.core.errors import SpecError
    from navproof.core.files import write_atomically

    path = out if out.suffix == ".py" else out / CLIENT_NAME
    data = client_text().encode()
    if path.is_dir():
        raise SpecError(f"{path} is a folder")
    if path.is_file() and path.read_bytes() != data and not force:
        raise SpecError(f"{path} is there and is another; add --force to replace it")
    try:
        write_atomically(path, data)
    except OSError as error:
        raise SpecError(f"{path} cannot be written: {error.strerror or error}") from None
    typer.echo(f"wrote {path}; where the agent is: pip install numpy msgpack websockets, then")
    typer.echo(f"  python {path.name} serve my_agent.py:MyAgent --port 9000")
