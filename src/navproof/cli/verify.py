"""``navproof verify``: do a run's traces give its numbers?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navproof.cli.terminal.output import JsonFlag, console, print_json

__all__ = ["EXIT_CODES", "verify"]

EXIT_CODES = {"verified": 0, "refuted": 1, "unverifiable": 3}


def verify(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    sample: Annotated[
        int | None, typer.Option(help="Only so many traces, drawn at random.", show_default=False)
    ] = None,
    suite: Annotated[
        Path | None,
        typer.Option(
            "--suite",
            "-s",
            help="The packed suite that was played (FILE.suite): scenes, episodes and settings "
            "must be those in it.",
            show_default=False,
        ),
    ] = None,
    salt: Annotated[
        Path | None,
        typer.Option(help="The salt of a salted run, to make its scenes.", show_default=False),
    ] = None,
    allow_shard: Annotated[
        bool,
        typer.Option(
            "--allow-shard",
            help="One part of a run (run --shard) is verified where its own episodes are.",
        ),
    ] = False,
    workers: Annotated[
        int, typer.Option("--workers", "-j", help="Processes (0: one for each processor).")
    ] = 0,
    json: JsonFlag = False,
) -> None:
    """Simulate the recorded actions again, without the agents, and compare everything that the
    judge calculated from them, exactly. Exit code 0: verified; 1: refuted, saying which trace
    differs where; 3: not verifiable here (another world, physics, actions of an old trace that lack
    digits; one shard of a run); 2: bad input.

    It says that these actions give these scores, not that these agents chose them:
    docs/guides/trust.md.
    """
    from navproof.api.verify import verify as verify_run

    found = verify_run(
        run,
        sample=sample,
        suite=suite,
        salt=salt,
        workers=workers or None,
        allow_shard=allow_shard,
    )
    if json:
        print_json(found.document())
    else:
        found.show(console)
    raise typer.Exit(EXIT_CODES[found.verdict])
