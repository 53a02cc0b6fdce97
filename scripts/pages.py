"""What the results pages have in common: made from run folders, with prose that stays.

Tables are made from the traces. Text between ``<!-- prose: NAME -->`` and ``<!-- /prose -->`` is
taken over from the page that is there.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from navproof.core.errors import NavproofError
from navproof.log import RunFolder
from navproof.reports.gather import Entrant, Gathered, commands, gather
from navproof.reports.sections.langnav.section import GoalCell
from navproof.reports.tables import Difference

PROSE = re.compile(r"<!-- prose: (\w+) -->\n(.*?)<!-- /prose -->", re.DOTALL)
Kept = dict[str, str]
"""Hand-written text by name."""


def publish(
    name: str,
    words: Sequence[str],
    out: str,
    make: Callable[[Gathered, Kept, str], str | None],
    lacks: str,
    pictures: Callable[[Gathered], dict[str, str]] | None = None,
) -> None:
    """Run ``scripts/NAME.py RUN… -o OUT``: ``make`` is given what was run, the prose and the
    command that makes the page again; it answers None where the runs hold nothing for it, which is
    told as what the first of them ``lacks``. ``pictures``: SVG by file name, for ``../images``."""
    parser = argparse.ArgumentParser(prog=f"{name}.py")
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN")
    parser.add_argument("-o", "--out", type=Path, default=Path(out))
    asked = parser.parse_args(words)
    kept: Kept = {}
    if asked.out.is_file():
        kept = dict(PROSE.findall(asked.out.read_text(encoding="utf-8")))
    again = f"python scripts/{name}.py {' '.join(map(str, asked.runs))} -o {asked.out}"
    try:
        found = gather([RunFolder(path) for path in asked.runs])
        page = make(found, kept, again)
        drawn = {} if pictures is None or page is None else pictures(found)
    except NavproofError as error:
        sys.exit(f"{name}: {error}")
    if page is None:
        sys.exit(f"{name}: {asked.runs[0]} has {lacks}")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(page, encoding="utf-8")
    print(asked.out)
    write_pictures(asked.out, drawn)


def write_pictures(page: Path, drawn: dict[str, str]) -> None:
    """SVG by file name, into the folder of images beside that of the pages."""
    folder = page.parent.parent / "images"
    for name, svg in drawn.items():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(svg, encoding="utf-8")
        print(folder / name)


def prose(name: str, kept: Kept) -> str:
    """A hand-written part, as it was."""
    return f"<!-- prose: {name} -->\n{kept.get(name, '')}<!-- /prose -->"


def reproduction(g: Gathered, again: str) -> list[str]:
    """What to type to get the page again, and what it is of."""
    settings = "; ".join(f"{task} `{', '.join(hashes)}`" for task, hashes in g.specs.items())
    runs = ", ".join(
        f"{run.path.name} `{info.spec_hash}`" for run, info in zip(g.runs, g.infos, strict=True)
    )
    versions = sorted({f"{k} {v}" for info in g.infos for k, v in info.versions.items()})
    lines = [line for line in commands(g) if not line.startswith("navproof score")]
    block = "\n".join([*lines, *([again] if again else [])])
    return [
        "## How to repeat this",
        f"<!-- not run: hours, or days on two cores -->\n```sh\n{block}\n```",
        f"Run specs: {runs}. Protocol: {settings}. Versions: {', '.join(versions)}.",
    ]


def named(entrant: Entrant) -> str:
    """An agent, with the ground truth that it was given."""
    given = f" (given {entrant.privileged})" if entrant.privileged else ""
    return entrant.label.replace("|", "\\|") + given


def cell(found: GoalCell) -> str:
    """A mean over its interval; bold where it is the best of its column."""
    if found.mean is None:
        return "–"
    mean = f"**{found.mean}**" if found.best else found.mean
    return f"{mean}<br>{found.interval}"


def pair_rows(found: Iterable[Difference]) -> list[list[str]]:
    """Paired differences: who, on how many, then each mean with its interval and its p."""
    lines = []
    for d in found:
        cells = [f"{named(d.first)} − {named(d.second)}", str(d.pairs)]
        for part in d.parts:
            mean = f"**{part.mean}**" if part.clear else part.mean
            cells += [f"{mean} ({part.interval})", part.p_value]
        lines.append(cells)
    return lines


def table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A Markdown table; the first column to the left, the others to the right."""
    rule = ["---", *["--:"] * (len(heads) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, rule, *lines))
