"""Found failures as ordinary episodes: counted apart, made small, and kept to be run again.

::

    DIR/minimal.jsonl                how each failure was made smaller (``MinimalCase``)
    DIR/failures/<condition>.jsonl   an episode file per condition and seed
    DIR/failures/commands.txt        the commands that run them

``navproof run --suite FILE --condition X`` plays them as the campaign did, and the clean twin of
each beside it. They are a regression test: an agent that has been mended passes them. The commands
name files beside them, so a folder that is moved still works; an agent in a file is named by its
whole path.
"""

from __future__ import annotations

import contextlib
import json
import math
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter

from navproof.agents.options import parse_agent
from navproof.core.files import write_atomically
from navproof.core.input.reading import parse_json
from navproof.core.plain import as_plain
from navproof.core.types import Episode, Scalar
from navproof.corruptions.condition import parse_condition
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.fuzz.minimise import (
    MOST_DIAGNOSED,
    MOST_REPLAYS,
    Checked,
    MinimalCase,
    minimise,
)
from navproof.diagnosis.fuzz.mutate import SceneMutator
from navproof.diagnosis.fuzz.player import Player
from navproof.diagnosis.fuzz.shorten import shorter
from navproof.diagnosis.fuzz.types import Case, CaseResult
from navproof.diagnosis.oracles.protocol import OracleFactory
from navproof.diagnosis.types import Thresholds
from navproof.log.storage import read_bytes
from navproof.sim.protocol import Simulator
from navproof.tasks.episodes import write_episodes

__all__ = [
    "COMMANDS_NAME",
    "FAILURES_NAME",
    "distinct",
    "kept_of",
    "kind_of",
    "minimal_failures",
    "read_minimal",
    "still_distinct",
    "told_of",
    "write_failures",
]

FAILURES_NAME = "failures"
COMMANDS_NAME = "commands.txt"
MINIMAL_NAME = "minimal.jsonl"
_MINIMAL: TypeAdapter[MinimalCase] = TypeAdapter(MinimalCase)
Kind = tuple[str, Scalar, str, str, str]
Cause = tuple[Capability, ErrorType, Capability | None]
"""Capability, type, and the capability that must be corrected too where one is not enough."""


def kind_of(result: CaseResult) -> Kind:
    """(scene, room of the goal, capability, type, family of the condition): failures that are
    alike in all of these are taken for one."""
    case, cause = result.case, _cause(result)
    return (
        case.episode.scene,
        (case.changed or {}).get("room_id"),
        "" if cause is None else "+".join(c.value for c in (cause[0], cause[2]) if c is not None),
        "" if cause is None else cause[1].value,
        parse_condition(case.condition).family,
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


def told_of(result: CaseResult) -> str:
    """What is said of a failure, in a line: why it is one, or how it ended where nobody knows."""
    trace, told = result.trace, result.diagnosis
    if trace.reason:
        return trace.reason
    if told is not None and told.said and told.verdict != "from_outside":
        return told.said
    away_m = trace.distances_m[-1]
    where = f", {away_m:.1f} m from the goal" if math.isfinite(away_m) else ""
    return f"It ended after {len(trace.actions)} steps{where}."


def minimal_failures(
    agent: str,
    results: Sequence[CaseResult],
    mutator: SceneMutator,
    folder: Path | None = None,
    sim: Simulator | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    thresholds: Thresholds | None = None,
    oracles: OracleFactory | None = None,
) -> tuple[MinimalCase, ...]:
    """Each failure as small as it can be made; what ``folder`` holds of an earlier time is not done
    again. With the ``thresholds`` that its diagnosis was made with, a failure that was attributed
    keeps its cause; the others just fail. ``progress`` is told (done, in all)."""
    player = Player(agent, oracles, sim=sim)
    known = {} if folder is None else read_minimal(folder)
    found: list[MinimalCase] = []
    for done, result in enumerate(results):
        if progress is not None:
            progress(done, len(results))
        cause = _cause(result)
        limits = None if cause is None else thresholds
        checked: Checked = "failure" if limits is None else "cause"
        minimal = known.get(result.case.case_id)
        if minimal is None or minimal.checked != checked:
            minimal = minimise(
                result.case,
                _StillFails(player, mutator, cause, limits),
                lambda longer: shorter(longer, mutator.site(longer)),
                MOST_REPLAYS if checked == "failure" else MOST_DIAGNOSED,
                checked,
            )
            if folder is not None:
                _append_minimal(folder, minimal)
        found.append(minimal)
    if progress is not None:
        progress(len(results), len(results))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _StillFails:
    """Whether a case can be done and the agent fails it; with ``limits``, from this cause."""

    player: Player
    mutator: SceneMutator
    cause: Cause | None
    limits: Thresholds | None

    def __call__(self, case: Case) -> bool:
        if not self.mutator.is_feasible(case):
            return False
        if self.limits is None:
            return self.player.fails(case)
        return _cause(self.player.play(case, self.limits)) == self.cause


def _cause(result: CaseResult) -> Cause | None:
    """What a failure was attributed to, if it was."""
    told = None if result.diagnosis is None else result.diagnosis.attribution
    return None if told is None else (told.capability, told.kind, told.also)


def kept_of(folder: Path, results: Iterable[CaseResult]) -> tuple[MinimalCase, ...]:
    """Of results, the failures that are unlike each other as small as ``folder`` has them."""
    kinds, known = distinct(results), read_minimal(folder)
    small = [known.get(result.case.case_id, MinimalCase(result.case, (), 0)) for result in kinds]
    return still_distinct(kinds, small)


def still_distinct(
    results: Sequence[CaseResult], small: Sequence[MinimalCase]
) -> tuple[MinimalCase, ...]:
    """Those made small without the ones that have become like one before: two failures under two
    conditions are one where neither needs its condition. ``results`` are what each was."""
    found: dict[Kind, MinimalCase] = {}
    for result, minimal in zip(results, small, strict=True):
        found.setdefault(kind_of(replace(result, case=minimal.case)), minimal)
    return tuple(found.values())


def write_failures(folder: Path, agent: str, cases: Sequence[Case]) -> tuple[Path, ...]:
    """Write the cases into ``folder``/failures and return the episode files; those of an earlier
    time are removed. Without cases there is no such folder, unless it holds runs."""
    target = folder / FAILURES_NAME
    for old in target.glob("*.jsonl"):
        old.unlink()
    if not cases:
        (target / COMMANDS_NAME).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not there, or not empty
            target.rmdir()
        return ()
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
    named = _whole(agent)
    text = _HEAD + "".join(f"{_command(named, *key, path)}\n" for key, path in files.items())
    write_atomically(target / COMMANDS_NAME, text.encode())
    return tuple(files.values())


def read_minimal(folder: Path) -> dict[str, MinimalCase]:
    """What was made smaller, by the name of the case; a line that was cut short is done again."""
    path = folder / MINIMAL_NAME
    cases: dict[str, MinimalCase] = {}
    for line in read_bytes(path).split(b"\n") if path.is_file() else ():
        with contextlib.suppress(ValueError):
            minimal = _MINIMAL.validate_python(parse_json(line))
            cases[minimal.case.case_id] = minimal
    return cases


def _append_minimal(folder: Path, minimal: MinimalCase) -> None:
    text = json.dumps(as_plain(minimal), sort_keys=True, allow_nan=False)
    with (folder / MINIMAL_NAME).open("a", encoding="utf-8") as file:
        file.write(f"{text}\n")


def _whole(agent: str) -> str:
    """The name of an agent as it is understood in any folder."""
    where = parse_agent(agent).ref.rpartition(":")[0]
    if not where or not Path(where).is_file():
        return agent
    return f"{Path(where).resolve()}{agent.removeprefix(where)}"


def _command(agent: str, condition: str, seed: int, path: Path) -> str:
    """Run in the folder of ``path``. What an earlier time left is not taken for the answer."""
    options: Mapping[str, str] = {
        "--agent": agent,
        "--suite": path.name,
        "--condition": condition,
        "--seed": str(seed),
        "--out": f"{path.stem}-run",
    }
    settings = {k: v for k, v in options.items() if (k, v) not in _USUAL}
    words = (f"{k} {shlex.quote(v)}" for k, v in settings.items())
    return " ".join(["navproof run", *words, "--fresh"])


_USUAL = {("--condition", "clean"), ("--seed", "0")}
_HEAD = """\
# The failures that were found, to be run again: sh commands.txt, from wherever you are.
# Single lines are for this folder; go there first.
cd "$(dirname "$0")" || exit 1
"""
