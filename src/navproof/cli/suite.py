"""``navproof suite``: the suites there are, making one ahead of a run, packing one into a file."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from navproof.cli.terminal.output import (
    JsonFlag,
    console,
    print_json,
    print_table,
    usable,
)

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="List, make, pack and show suites.")

_NAME = "A suite's name, my_suite.py:SUITE, or an episode file."
Workers = Annotated[
    int, typer.Option("--workers", "-j", help="Processes (0: one for each processor).")
]
SaltFile = Annotated[
    Path | None,
    typer.Option(
        help="A file with a secret (32 random bytes) from which scenes and episodes are made anew.",
        show_default=False,
    ),
]


@app.command("list")
def list_suites(json: JsonFlag = False) -> None:
    """The suites that have a name."""
    from navproof.tasks.suites import SUITES, suite_path

    rows = [
        {
            "suite": suite.name,
            "scenes": len(suite.scenes),
            "episodes": suite.size,
            "made": suite.episodes is None and suite_path(suite).is_file(),
            "what": suite.description,
        }
        for _, suite in usable(SUITES)
    ]
    if json:
        print_json(rows)
    else:
        print_table("suites", rows)


@app.command()
def make(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"{_NAME[:-1]}, or a packed suite.")],
    salt: SaltFile = None,
    workers: Workers = 0,
    json: JsonFlag = False,
) -> None:
    """Make a suite's scenes and episodes ahead of a run, which else does it when it begins. The
    scenes of a packed suite are put where 'verify', 'replay' and 'report' find them."""
    from navproof.api.suite import make_suite

    made = make_suite(name, salt=salt, workers=workers or None)
    if json:
        counts = {"episodes": len(made.episodes), "scenes": list(made.scenes)}
        print_json({"suite": name, **counts, "salt": made.salt or None})
        return
    _say(f"{name}: {len(made.episodes)} episodes in {len(made.scenes)} scene(s) are here")


@app.command()
def pack(
    name: Annotated[str, typer.Argument(metavar="NAME", help=_NAME)],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write, FILE.suite.")],
    salt: SaltFile = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most so many episodes, evenly over tasks.")
    ] = None,
    skip: Annotated[
        int, typer.Option(min=0, help="Leave out those that --limit would take with this number.")
    ] = 0,
    workers: Workers = 0,
    json: JsonFlag = False,
) -> None:
    """Write a suite into one file that can be cited: its episodes, their scenes, the settings of
    its tasks, its conditions. It plays and is verified alike under later versions. The same suite
    gives the same bytes; the digest that is printed stands for all that is in it."""
    from navproof.api.suite import pack_suite

    made = pack_suite(name, output, salt=salt, limit=limit, skip=skip, workers=workers or None)
    if json:
        print_json({**asdict(made), "path": str(made.path), "salt": made.salt or None})
        return
    size = f"{made.bytes / 1e6:.1f} MB"
    _say(f"{made.name}: {made.episodes} episodes in {made.scenes} scene(s) → {output} ({size})")
    if made.salt:
        _say(f"made with salt {made.salt}: whoever has this file can read what the salt withholds")
    _say(f"sha256 {made.digest}")


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"{_NAME[:-1]}, or a packed suite.")],
    json: JsonFlag = False,
) -> None:
    """What is in a suite: how many episodes of which tasks, scenes, conditions; of a packed one
    also its digest, settings and what made it, when everything in it has been checked."""
    from navproof.api.suite import about_suite

    about = about_suite(name)
    if json:
        print_json(about)
        return
    rows = [(words, _told(about[key])) for key, words in _WORDS.items() if about.get(key)]
    print_table(name, [{"": words, "value": value} for words, value in rows])


_WORDS = {
    "suite": "suite",
    "what": "what",
    "kind": "kind",
    "digest": "sha256",
    "episodes": "episodes",
    "tasks": "tasks",
    "scenes": "scenes",
    "conditions": "conditions",
    "made": "on this machine",
    "settings": "settings",
    "robots": "robots",
    "made_by": "made by",
    "needs": "needs besides",
    "bytes": "bytes",
}
_SHOWN = 4


def _told(value: Any) -> str:
    if value is True:
        return "yes"
    if isinstance(value, dict):
        return ", ".join(f"{name} {held}" for name, held in value.items() if held != "")
    if isinstance(value, list):
        names = [f"{one['kind']} {one['name']}" if isinstance(one, dict) else one for one in value]
        more = f", … ({len(names)} in all)" if len(names) > _SHOWN else ""
        return ", ".join(names[:_SHOWN]) + more
    return str(value)


def _say(text: str) -> None:
    console.print(text, soft_wrap=True, markup=False, highlight=False)
