"""Found failures as ordinary episodes: counted apart, made small, and kept to be run again.

::

    DIR/minimal.jsonl                how each failure was made smaller (``Minimal``)
    DIR/failures/<condition>.jsonl   an episode file per condition and seed
    DIR/failures/commands.txt        the commands that run them

``navproof run --suite FILE --condition X`` plays them as the campaign did, and the clean twin of
each beside it. They are a regression test: an agent that has been mended passes them.
"""

from __future__ import annotations

import contextlib
import json
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from navproof._files import write_atomically
from navproof.corruptions.conditions import parse_condition
from navproof.diagnose.fuzz._playing import Player
from navproof.diagnose.fuzz.minimise import Minimal, minimise
from navproof.diagnose.fuzz.mutate import SceneMutator
from navproof.diagnose.fuzz.shorten import shorter
from navproof.diagnose.fuzz.types import Case, CaseResult
from navproof.plain import as_plain
from navproof.sim.protocol import Simulator
from navproof.tasks.episodes import write_episodes
from navproof.types import Episode, Scalar
from navproof.wordings import split_style

__all__ = [
    "COMMANDS_NAME",
    "FAILURES_NAME",
    "distinct",
    "kind_of",
    "minimal_failures",
    "still_distinct",
    "write_failures",
]

FAILURES_NAME = "failures"
COMMANDS_NAME = "commands.txt"
MINIMAL_NAME = "minimal.jsonl"
_MINIMAL: TypeAdapter[Minimal] = TypeAdapter(Minimal)
Kind = tuple[str, Scalar, str, str, str]


def kind_of(result: CaseResult) -> Kind:
    """(scene, room of the goal, capability, type, family of the condition): failures that are
    alike in all of these are taken for one."""
    case, told = result.case, result.diagnosis
    source = None if told is None else told.attribution
    return (
        case.episode.scene,
        (case.changed or {}).get("room_id"),
        "" if source is None else source.capability.value,
        "" if source is None else source.kind.value,
        parse_condition(split_style(case.condition)[1]).family,
    )


def distinct(results: Iterable[CaseResult]) -> tuple[CaseResult, ...]:
    """The failures without those that are like one before; of each kind the one with fewest
    steps."""
    best: dict[Kind, CaseResult] = {}
    for result in results:
        if result.success:
            continue
        kind = kind_of(result)
        held = best.get(kind)
        if held is None or len(result.trace.actions) < len(held.trace.actions):
            best[kind] = result
    return tuple(best.values())


def minimal_failures(
    agent: str,
    results: Sequence[CaseResult],
    mutator: SceneMutator,
    folder: Path | None = None,
    sim: Simulator | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Minimal, ...]:
    """Each failure as small as it can be made; what ``folder`` holds of an earlier time is not done
    again. ``progress`` is told (done, in all)."""
    player = Player(agent, sim=sim)
    known = {} if folder is None else _read_minimal(folder)
    found: list[Minimal] = []
    for done, result in enumerate(results):
        if progress is not None:
            progress(done, len(results))
        case = result.case
        minimal = known.get(case.case_id)
        if minimal is None:
            minimal = minimise(
                case,
                lambda smaller: mutator.is_feasible(smaller) and player.fails(smaller),
                lambda longer: shorter(longer, mutator.shop(longer)),
            )
            if folder is not None:
                _append_minimal(folder, minimal)
        found.append(minimal)
    if progress is not None:
        progress(len(results), len(results))
    return tuple(found)


def still_distinct(results: Sequence[CaseResult], small: Sequence[Minimal]) -> tuple[Minimal, ...]:
    """Those made small without the ones that have become like one before: two failures under two
    conditions are one where neither needs its condition. ``results`` are what each was."""
    found: dict[Kind, Minimal] = {}
    for result, minimal in zip(results, small, strict=True):
        found.setdefault(kind_of(replace(result, case=minimal.case)), minimal)
    return tuple(found.values())


def write_failures(folder: Path, agent: str, cases: Sequence[Case]) -> tuple[Path, ...]:
    """Write the cases into ``folder``/failures and return the episode files; those of an earlier
    time are removed."""
    target = folder / FAILURES_NAME
    for old in target.glob("*.jsonl"):
        old.unlink()
    groups: dict[tuple[str, int], list[Episode]] = {}
    for case in cases:
        groups.setdefault((case.condition, case.seed), []).append(case.episode)
    several = len({seed for _, seed in groups}) > 1
    files: dict[tuple[str, int], Path] = {}
    for (condition, seed), episodes in sorted(groups.items()):
        name = f"{condition}@{seed}" if several else condition
        path = target / f"{name.replace(':', '-')}.jsonl"
        write_episodes(path, episodes)
        files[condition, seed] = path
    text = "".join(f"{_command(agent, *key, path)}\n" for key, path in files.items())
    write_atomically(target / COMMANDS_NAME, text.encode())
    return tuple(files.values())


def _read_minimal(folder: Path) -> dict[str, Minimal]:
    """By the name of the case; a line that was cut short is done again."""
    path = folder / MINIMAL_NAME
    found: dict[str, Minimal] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        with contextlib.suppress(ValidationError):
            minimal = _MINIMAL.validate_json(line)
            found[minimal.case.case_id] = minimal
    return found


def _append_minimal(folder: Path, minimal: Minimal) -> None:
    text = json.dumps(as_plain(minimal), sort_keys=True, allow_nan=False)
    with (folder / MINIMAL_NAME).open("a", encoding="utf-8") as file:
        file.write(f"{text}\n")


def _command(agent: str, condition: str, seed: int, path: Path) -> str:
    options: Mapping[str, str] = {
        "--agent": agent,
        "--suite": str(path),
        "--condition": condition,
        "--seed": str(seed),
        "--out": str(path.with_suffix("")) + "-run",
    }
    given = {k: v for k, v in options.items() if (k, v) not in _USUAL}
    return " ".join(["navproof run", *(f"{k} {shlex.quote(v)}" for k, v in given.items())])


_USUAL = {("--condition", "clean"), ("--seed", "0")}
