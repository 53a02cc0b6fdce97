"""The process in which mutants are used, one after another: little memory, watched from outside.

It reads a line ``kind index seed`` for each and answers with a line of JSON. Index −1 is the sound
file itself, which must work.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

import typer
from fuzz_kinds import KINDS

from navproof.core.errors import NavproofError

_MORE = 1536 << 20
"""Bytes of memory that may be mapped beyond what a warm process has."""
_LONGEST = 600
"""Characters of what a user is told, file names included."""


def _limit_memory() -> None:
    if not Path("/proc/self/statm").is_file():
        return
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (held + _MORE, hard))


def outcome_of(kind: str, index: int, seed: int, seeds: Path) -> dict[str, object]:
    """Prepare a mutant, use it, and say how that ended."""
    chance = random.Random(f"{seed}/{kind}/{index}")
    here = Path.cwd()
    place = Path(tempfile.mkdtemp(prefix="mutant-"))
    try:
        if index < 0:
            KINDS[kind].copy(seeds, place)
        file = "" if index < 0 else KINDS[kind].prepare(seeds, place, chance)
        os.chdir(place)
        began = time.monotonic()
        outcome, why = _used(kind, place, chance)
        took_s = round(time.monotonic() - began, 3)
        return {"file": file, "outcome": outcome, "why": why, "took_s": took_s}
    finally:
        os.chdir(here)
        shutil.rmtree(place, ignore_errors=True)


def _used(kind: str, place: Path, chance: random.Random) -> tuple[str, str]:
    try:
        KINDS[kind].use(place, chance)
    except NavproofError as error:
        text = str(error)
        if len(text.splitlines()) != 1 or len(text) > _LONGEST:
            return "told badly", f"{len(text)} characters: {text[:300]!r}"
        return "refused", f"{type(error).__name__}: {text}"
    except typer.Exit:  # a command that found something wrong, and said what
        return "works", ""
    except MemoryError:
        return "memory", _where()
    except BaseException as error:
        if hasattr(error, "format_message"):  # a usage error: the file's name is no argument
            return "refused", str(error.format_message())
        return "traceback", _where()
    return "works", ""


def _where() -> str:
    """The error, and the last places in navproof's own code that led to it."""
    kind, error, trace = sys.exc_info()
    frames = [f for f in traceback.extract_tb(trace) if "navproof" in f.filename]
    places = [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(frames[-4:])]
    return f"{kind.__name__ if kind else ''}: {str(error)[:160]} @ {' < '.join(places)}"


def main() -> None:
    """Answer requests until there are none."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    warnings.simplefilter("ignore")
    seeds = Path(sys.argv[1])
    for kind in sys.argv[2].split(","):
        answer = outcome_of(kind, -1, 0, seeds)
        if answer["outcome"] != "works":
            raise SystemExit(f"a sound {kind} does not work: {answer}")
    _limit_memory()
    print(json.dumps({"outcome": "ready"}), file=answers)
    for line in sys.stdin:
        kind, index, seed = line.split()
        print(json.dumps(outcome_of(kind, int(index), int(seed), seeds)), file=answers)


if __name__ == "__main__":
    main()
