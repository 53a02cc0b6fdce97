"""Write the pages of the documentation that are made from the code: commands and metrics.

python scripts/reference_pages.py              # writes docs/reference/cli.md and metrics.md
python scripts/reference_pages.py --check      # exit code 1 where a page is not of today
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

import typer

from navproof.cli.main import app
from navproof.metrics.catalogue import METRICS

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
SELF = "python scripts/reference_pages.py"


def cli_page() -> str:
    """Every command with its arguments and options."""
    root = typer.main.get_command(app)
    parts = [
        "# Command line",
        f"Made by `{SELF}`; `navproof COMMAND -h` says the same. Every command that prints a table "
        "also takes `--json`.\n`navproof --version` says which version it is; "
        "`navproof --install-completion` teaches your shell the commands and options.",
    ]
    for words, command in _commands(root, ("navproof",)):
        usage = " ".join((*words, *_arguments(command), "[OPTIONS]"))
        parts += [f"## {' '.join(words)}", _prose(command.help or ""), f"```text\n{usage}\n```"]
        rows = [_row(p) for p in command.params if p.name != "help"]
        if rows:
            parts.append(_table(["", "", "default"], rows))
    return "\n\n".join(part for part in parts if part) + "\n"


def metrics_page() -> str:
    """Every metric with its definition and source."""
    rows = [
        [f"`{m.name}`", _cell(m.label), _arrow(m.better), _cell(m.definition), _cell(m.source)]
        for m in METRICS.values()
    ]
    return (
        "\n\n".join(
            [
                "# Metrics",
                f"Made by `{SELF}`. ↑ more is better, ↓ less. Every mean comes with a bootstrap "
                "interval, every comparison is paired.\nTo add one of your own: "
                "[the guide](../guides/metrics.md).",
                _table(["name", "in tables", "", "definition", "source"], rows),
            ]
        )
        + "\n"
    )


PAGES = {"cli.md": cli_page, "metrics.md": metrics_page}


def _commands(group: Any, words: tuple[str, ...]) -> list[tuple[tuple[str, ...], Any]]:
    found: list[tuple[tuple[str, ...], Any]] = []
    for name, command in group.commands.items():
        if getattr(command, "hidden", False):
            continue
        if hasattr(command, "commands"):
            found += _commands(command, (*words, name))
        else:
            found.append(((*words, name), command))
    return found


def _arguments(command: Any) -> list[str]:
    return [_metavar(p) for p in command.params if p.param_type_name == "argument"]


def _metavar(parameter: Any) -> str:
    name = parameter.metavar or parameter.name.upper()
    several = "..." if parameter.nargs == -1 else ""
    return f"{name}{several}" if parameter.required else f"[{name}]{several}"


def _row(parameter: Any) -> list[str]:
    if parameter.param_type_name == "argument":
        name = f"`{_metavar(parameter)}`"
    else:
        name = ", ".join(f"`{o}`" for o in (*parameter.opts, *parameter.secondary_opts))
    about = _cell(parameter.help or "")
    default = parameter.default
    if callable(default) or isinstance(default, bool) or default in (None, (), [], ...):
        default = "needed" if parameter.required else ""
    return [name, about, f"`{default}`" if default not in ("", "needed") else str(default)]


def _prose(text: str) -> str:
    return re.sub(r"``([^`]+)``", r"`\1`", "\n".join(line.strip() for line in text.splitlines()))


def _cell(text: str) -> str:
    return " ".join(_prose(text).split()).replace("|", "\\|")


def _arrow(better: str) -> str:
    return "↑" if better == "higher" else "↓"


def _table(heads: list[str], rows: list[list[str]]) -> str:
    rule = ["---"] * len(heads)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows))


def main() -> None:
    parser = argparse.ArgumentParser(prog="reference_pages.py")
    parser.add_argument("--check", action="store_true", help="write nothing")
    asked = parser.parse_args()
    stale = []
    for name, make in PAGES.items():
        path, text = FOLDER / name, make()
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not asked.check:
            path.write_text(text, encoding="utf-8")
            print(path)
    if asked.check and stale:
        sys.exit(f"{', '.join(stale)}: not of today; run {SELF}")


if __name__ == "__main__":
    main()
