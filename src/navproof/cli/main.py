"""The ``navproof`` command: one file per command beside this one.

Command modules import only typer and rich at the top and the rest inside their functions, so
that ``navproof --help`` is quick.
"""

from __future__ import annotations

import sys

import typer

from navproof.cli import agent, compare, doctor, episodes, replay, report, run, scene, score
from navproof.errors import NavproofError

__all__ = ["app", "main"]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Find out whether a navigation agent can be trusted.",
    pretty_exceptions_enable=False,
)
app.command()(run.run)
app.command()(score.score)
app.command()(compare.compare)
app.command()(report.report)
app.command()(replay.replay)
app.add_typer(scene.app, name="scene")
app.add_typer(episodes.app, name="episodes")
app.add_typer(agent.app, name="agent")
app.command()(doctor.doctor)


def main() -> None:
    """Run the command line; a ``NavproofError`` becomes one line and exit code 2."""
    try:
        app()
    except NavproofError as error:
        print(f"navproof: {error}", file=sys.stderr)
        raise SystemExit(2) from None
