"""Play the campaigns of the results page of diagnosis, in as many pieces as one likes.

    python scripts/diagnosis_campaigns.py --agents mlfm,vlfm-v2 --budget 100 --seeds 3 \\
        -o runs/diagnosis [--part 1/4]

Every tester searches for failures of every agent, once for each seed, in the same space and with
the same initial cases (which are played once, where campaigns follow each other). Failures are
diagnosed where a tester feeds on it and, for CanTest and the baselines, in the first seeds
(``--diagnosed-seeds``; +OA, which changes nothing in the search and costs more than it; a larger
number diagnoses what was played without). One folder for each campaign. The same command goes on
with what was interrupted, and with what a smaller budget ended; ``--part 2/4`` plays every fourth
campaign, from the second on, so that machines can share the work. The page is then made by
``scripts/diagnosis_results.py``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from navproof.core.errors import NavproofError, SpecError
from navproof.diagnosis.fuzz.campaign import run_campaign
from navproof.diagnosis.fuzz.felt import felt_by
from navproof.diagnosis.fuzz.mutate import AXES, SceneMutator
from navproof.diagnosis.fuzz.store import Header, Store, is_campaign
from navproof.diagnosis.fuzz.testers import MAIN_TESTERS, TESTERS, make_tester
from navproof.diagnosis.fuzz.types import Axis, Budget, CaseResult
from navproof.diagnosis.types import Thresholds

_SCENES = ",".join((*(f"home/val/{k}" for k in range(8)), "cafe/val/0", "clinic/val/0"))


class Said:
    """A line for every tenth case."""

    def __init__(self, name: str) -> None:
        self._name, self._done, self._total, self._failed = name, 0, 0, 0

    def begin(self, total: int, done: int, failures: int) -> None:
        self._total, self._done, self._failed = total, done, failures

    def calibrating(self, done: int, total: int) -> None:
        if done == 0:
            print(f"{self._name}: the first {total} cases, to calibrate", flush=True)

    def played(self, result: CaseResult) -> None:
        self._done += 1
        self._failed += not result.success
        if self._done % 10 == 0 or self._done == self._total:
            print(f"{self._name}: {self._done} of {self._total}, {self._failed} failures",
                  flush=True)  # fmt: skip


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--agents", default="mlfm,vlfm-v2")
    parser.add_argument("--testers", default=",".join(TESTERS))
    parser.add_argument("--task", default="objectnav")
    parser.add_argument("--axes", default="goal,confounder,start,lighting")
    parser.add_argument("--scenes", default=_SCENES)
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--diagnosed-seeds", type=int, default=1)
    parser.add_argument("--initial", type=int, default=12)
    parser.add_argument("--part", default="1/1", help="K/N: every N-th campaign from the K-th on")
    parser.add_argument("-o", "--out", type=Path, default=Path("runs/diagnosis"))
    asked = parser.parse_args(words)
    try:
        for name, agent, tester, seed in campaigns(asked):
            play(asked, name, agent, tester, seed)
    except NavproofError as error:
        sys.exit(f"diagnosis_campaigns: {error}")


def campaigns(asked: argparse.Namespace) -> Iterator[tuple[str, str, str, int]]:
    """(folder, agent, tester, seed) of this part, the first seed of everything first."""
    for option, least in (("seeds", 1), ("budget", 1), ("diagnosed_seeds", 0), ("initial", 1)):
        count = getattr(asked, option)
        if count < least:
            raise SpecError(f"--{option.replace('_', '-')} is at least {least}: {count}")
    part, _, parts = asked.part.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise SpecError(f"--part is K/N, with K from 1 to N: '{asked.part}'")
    planned = [
        (f"{agent}.{tester}.{seed}", agent, tester, seed)
        for seed in range(asked.seeds)
        for agent in asked.agents.split(",")
        for tester in asked.testers.split(",")
    ]
    yield from planned[int(part) - 1 :: int(parts)]


def play(asked: argparse.Namespace, name: str, agent: str, tester: str, seed: int) -> None:
    axes: tuple[Axis, ...] = tuple(asked.axes.split(","))
    for axis in axes:
        if axis not in AXES:
            raise SpecError(f"there is no axis '{axis}'; known: {', '.join(AXES)}")
    scenes = tuple(asked.scenes.split(","))
    mutator = SceneMutator(asked.task, scenes, axes, felt_by(agent, asked.task))
    searching = make_tester(tester, axes)
    attribute_all = tester in MAIN_TESTERS and seed < asked.diagnosed_seeds
    about = {"task": mutator.task, "scenes": list(scenes), "axes": list(axes)}
    header = Header(
        agent, tester, seed, asked.initial, searching.needs_diagnosis or attribute_all, about
    )
    begin_alike(asked.out, name, header)
    run_campaign(
        agent,
        searching,
        mutator,
        Budget(asked.budget),
        seed,
        attribute_all=attribute_all,
        initial=asked.initial,
        thresholds=thresholds_alike(asked.out, header) if header.diagnosed else None,
        about=about,
        folder=asked.out / name,
        progress=Said(name),
    )


def begin_alike(out: Path, name: str, header: Header) -> None:
    """All testers of a seed begin with the same cases: how they went is taken over from a campaign
    that has played them, where there is one."""
    own = Store(out / name)
    if own.header() is not None:
        return
    for other, _ in begun_alike(out, header):
        played = other.results()[: header.initial]
        if len(played) == header.initial:
            own.write_header(header)
            for result in played:
                own.keep(result.case, result.trace, None)
            return


def thresholds_alike(out: Path, header: Header) -> Thresholds | None:
    """Thresholds come from the same cases too: those of a campaign that has calibrated them."""
    known = (there.thresholds for _, there in begun_alike(out, header))
    return next((thresholds for thresholds in known if thresholds is not None), None)


def begun_alike(out: Path, header: Header) -> Iterator[tuple[Store, Header]]:
    """Campaigns of the same agent, seed and initial cases."""
    for folder in sorted(out.glob(f"{header.agent}.*.{header.seed}")):
        other = Store(folder)
        there = other.header() if is_campaign(folder) else None
        if there is not None and (there.about, there.initial) == (header.about, header.initial):
            yield other, there


if __name__ == "__main__":
    main(sys.argv[1:])
