"""The ``navproof`` command: one file per command beside this one.

Command modules import only typer and rich at the top and the rest inside their functions, so
that ``navproof --help`` is quick.
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import Annotated

import typer

from navproof import __version__
from navproof.cli import (
    agent,
    check,
    compare,
    corruptions,
    diagnose,
    doctor,
    episodes,
    export,
    fuzz,
    gate,
    merge,
    metrics,
    replay,
    report,
    run,
    scene,
    score,
    suite,
    train,
    verify,
)
from navproof.core.errors import NavproofError

__all__ = ["app", "main"]

_COMMAND_LINE = ("typer", "click", "rich")
_PIPE_CLOSED = 141
"""As shells tell of a program that was ended since nobody read what it printed."""

app = typer.Typer(
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Find out whether a navigation agent can be trusted.",
    pretty_exceptions_enable=False,
)


def _tell_version(asked: bool) -> None:
    if asked:
        typer.echo(f"navproof {__version__}")
        raise typer.Exit


@app.callback()
def _front(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Say it and exit."),
    ] = False,
) -> None:
    """Find out whether a navigation agent can be trusted."""


app.command()(run.run)
app.command()(merge.merge)
app.command()(score.score)
app.command()(compare.compare)
app.command()(verify.verify)
app.command()(gate.gate)
app.command()(diagnose.diagnose)
app.command()(fuzz.fuzz)
app.command()(report.report)
app.command()(replay.replay)
app.command()(export.export)
app.add_typer(scene.app, name="scene")
app.add_typer(suite.app, name="suite")
app.add_typer(episodes.app, name="episodes")
app.add_typer(agent.app, name="agent")
app.add_typer(corruptions.app, name="corruptions")
app.add_typer(metrics.app, name="metrics")
app.add_typer(train.app, name="train")
app.command()(check.check)
app.command()(doctor.doctor)


def main() -> None:
    """Run the command line. What the user or the machine got wrong becomes one line on the error
    stream and exit code 2; a traceback is left for what navproof itself got wrong."""
    try:
        code = app(standalone_mode=False)
    except typer.Abort:
        print("navproof: stopped", file=sys.stderr)
        raise SystemExit(130) from None
    except SystemExit as error:
        if _is_of_command_line(error):
            raise SystemExit(error.code) from None
        where = traceback.extract_tb(error.__traceback__)[-1]
        print(
            f"navproof: {where.filename}:{where.lineno} ended the program"
            f" (exit code {error.code}); a plug-in must return or raise instead",
            file=sys.stderr,
        )
        raise SystemExit(2) from None
    except BrokenPipeError:  # of "navproof … | head": whoever read has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(_PIPE_CLOSED) from None
    except Exception as error:
        text = _refusal(error)
        if text is None:
            raise
        if text:
            print(f"navproof: {' '.join(text.splitlines())}", file=sys.stderr)
        raise SystemExit(2) from None
    raise SystemExit(code if isinstance(code, int) else 0)


def _is_of_command_line(error: SystemExit) -> bool:
    """Whether the program is ended by what reads its command line and prints its answers: after it
    told a shell how to complete a word, or when nobody reads on. Else a plug-in ended it."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    module = str(frames[-1].f_globals.get("__name__", ""))
    return module.partition(".")[0] in _COMMAND_LINE


def _refusal(error: Exception) -> str | None:
    """What to tell the user of an error ("": it has been told); None where it is a bug."""
    if isinstance(error, NavproofError):
        return str(error)
    if isinstance(error, MemoryError):
        return "the memory of this machine is not enough for that"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}"
    if hasattr(error, "format_message"):  # a usage error of click, which Typer may bring along
        message = str(error.format_message()).replace("Value error, ", "").strip().rstrip(".")
        context = getattr(error, "ctx", None)
        return f"{message}; see {context.command_path} --help" if message and context else message
    return None
