"""The results page of diagnosis, from campaigns and cases of known cause.

    python scripts/diagnosis_results.py runs/diagnosis --faults runs/attribution.jsonl \\
        -o docs/results/diagnosis.md

Campaigns are those of ``scripts/diagnosis_campaigns.py``, cases of known cause those of
``benchmarks/bench_attribution.py``; what is not there is left out. Campaigns count by their first
``--cases``; those that have not come so far are told, and not counted. The curves become a picture
beside the pages, ``../images/diagnosis-curves.svg``. Text between ``<!-- prose: NAME -->`` and
``<!-- /prose -->`` is taken over from the page that is there.
"""

from __future__ import annotations

import argparse
import importlib
import math
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import get_args

from figures import sheet
from pages import PROSE, Kept, prose, table, write_pictures

from navproof.core.errors import NavproofError
from navproof.diagnosis.capabilities import PIPELINE, Capability, ErrorType
from navproof.diagnosis.fuzz.store import Header, Store
from navproof.diagnosis.fuzz.testers import ABLATIONS, BASELINES, MAIN_TESTERS
from navproof.diagnosis.fuzz.types import CaseResult
from navproof.diagnosis.summary import row_of
from navproof.diagnosis.types import Dose
from navproof.metrics.stats.stats import wilson
from navproof.reports.sections.diagnosis.charts import discovery

_QUARTERS = (0.25, 0.5, 0.75, 1.0)
_CURVES = "diagnosis-curves.svg"
_COMMANDS = (
    "navproof episodes make -o unseen.jsonl.gz --task objectnav --scenes home/test/0-29 --count 2",
    "python benchmarks/bench_attribution.py --cases 20 --within 8 --suite unseen.jsonl.gz"
    " -o runs/attribution.jsonl",
    "python scripts/diagnosis_campaigns.py --diagnosed-seeds 2 -o runs/diagnosis",
)


@dataclass(frozen=True)
class Played:
    """The first cases of a campaign."""

    header: Header
    results: tuple[CaseResult, ...]

    @property
    def failures(self) -> list[CaseResult]:
        return [result for result in self.results if not result.success]

    def found_by(self, share: float) -> int:
        """Failures among the first cases."""
        count = round(share * len(self.results))
        return sum(not result.success for result in self.results[:count])

    @property
    def places(self) -> set[tuple[str, str]]:
        """Scene and goal of the failures."""
        found = (result.case.episode for result in self.failures)
        return {(episode.scene, episode.instruction) for episode in found}

    @property
    def curve(self) -> tuple[float, ...]:
        """Failures found up to each case."""
        return tuple(accumulate(0.0 if result.success else 1.0 for result in self.results))


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("campaigns", type=Path, nargs="?", default=Path("runs/diagnosis"))
    parser.add_argument("--faults", type=Path, default=Path("runs/attribution.jsonl"))
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("-o", "--out", type=Path, default=Path("docs/results/diagnosis.md"))
    asked = parser.parse_args(words)
    if asked.cases < 1:
        sys.exit(f"diagnosis_results: --cases is at least 1: {asked.cases}")
    kept: Kept = {}
    if asked.out.is_file():
        kept = dict(PROSE.findall(asked.out.read_text(encoding="utf-8")))
    try:
        played, short = read(asked.campaigns, asked.cases)
        faults = _known_causes(asked.faults)
    except NavproofError as error:
        sys.exit(f"diagnosis_results: {error}")
    if not played and not faults:
        sys.exit(
            f"diagnosis_results: {asked.campaigns} has no campaign of {asked.cases} cases, "
            f"{asked.faults} no case"
        )
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    again = f"python scripts/diagnosis_results.py {asked.campaigns} --faults {asked.faults}"
    asked.out.write_text(page(played, short, faults, kept, again), encoding="utf-8")
    print(asked.out)
    if played:
        write_pictures(asked.out, {_CURVES: curves(played)})


def read(folder: Path, cases: int) -> tuple[list[Played], dict[str, int]]:
    """The campaigns in a folder by their first ``cases``; those with fewer, by name."""
    played: list[Played] = []
    short: dict[str, int] = {}
    for path in sorted(folder.glob("*/campaign.json")) if folder.is_dir() else ():
        store = Store(path.parent)
        header, results = store.header(), store.results()
        if header is not None and len(results) >= cases:
            played.append(Played(header, results[:cases]))
        elif header is not None:
            short[path.parent.name] = len(results)
    return played, short


def curves(played: Sequence[Played]) -> str:
    """Failures found over cases, an agent beside the other."""
    agents = dict.fromkeys(p.header.agent for p in played)
    charts = []
    for agent in agents:
        by_tester = [
            (name, [p.curve for p in played if (p.header.agent, p.header.tester) == (agent, name)])
            for name in MAIN_TESTERS
        ]
        charts.append((agent, discovery(by_tester)))
    return sheet(charts, MAIN_TESTERS)


def page(
    played: Sequence[Played],
    short: dict[str, int],
    faults: Sequence[dict[str, object]],
    kept: Kept,
    again: str,
) -> str:
    """The page as Markdown."""
    parts = ["# Diagnosis results", prose("summary", kept)]
    if faults:
        parts += _accuracy(faults)
    if played:
        parts += ["## Failures found", f"![Failures found over cases played](../images/{_CURVES})"]
        parts += [
            "Lines are means over seeds, bands reach from the least to the most of them. "
            "Testers of one seed begin with the same cases, "
            f"{', '.join(str(n) for n in sorted({p.header.initial for p in played}))} of them."
        ]
    for agent in dict.fromkeys(p.header.agent for p in played):
        parts += _of_agent(agent, [p for p in played if p.header.agent == agent])
    parts += [prose("discussion", kept), "## How to repeat this"]
    space = "\n".join(sorted({_space(p.header) for p in played}))
    left_out = ", ".join(f"{name} ({count} cases)" for name, count in short.items())
    if left_out:
        space += f"\n\nNot counted, since they are not finished: {left_out}."
    commands = "\n".join([*_COMMANDS, again])
    parts += [f"<!-- not run: hours, or days on two cores -->\n```sh\n{commands}\n```", space]
    return "\n\n".join(part for part in parts if part) + "\n"


def _space(header: Header) -> str:
    """What was searched, in a sentence."""
    about = {key: ", ".join(v) if isinstance(v, list) else v for key, v in header.about.items()}
    return "Searched: " + "; ".join(f"{key}: {about[key]}" for key in sorted(about)) + "."


# ------------------------------------------------------------------------------- known causes
def _bench() -> ModuleType:
    """``benchmarks/bench_attribution.py``."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))
    return importlib.import_module("bench_attribution")


def _known_causes(path: Path) -> list[dict[str, object]]:
    if not path.is_file():
        return []
    return list(_bench().read_rows(path))


def _accuracy(faults: Sequence[dict[str, object]]) -> list[str]:
    bases = sorted({str(row["base"]) for row in faults})
    return [
        "## Failures of known cause",
        f"{', '.join(bases)}, broken in one capability (`navproof.diagnosis.faults.faults`), in "
        "episodes "
        "that the sound agent passes; share of failures attributed to the broken capability and "
        "to the right type, with Wilson’s 95 % intervals; time is the median distance in steps "
        "between the source found and the first step of the fault.",
        _bench().table(list(faults)),
    ]


# ---------------------------------------------------------------------------------- campaigns
def _of_agent(agent: str, played: Sequence[Played]) -> list[str]:
    by_tester: dict[str, list[Played]] = defaultdict(list)
    for one in played:
        by_tester[one.header.tester].append(one)
    cases = len(played[0].results)
    seeds = max(len(runs) for runs in by_tester.values())
    parts = [
        f"### {agent}: {cases} cases, {seeds} seeds",
        "Mean over seeds (least–most); the failing share of all cases with Wilson’s 95 % interval. "
        "The paper’s Figure 2. The last two columns tell how different the failures are: in how "
        "many scenes they happened, and with how many goals in them.",
        _found(by_tester, MAIN_TESTERS),
        _gain(by_tester),
        "By capability, mean over the seeds that were diagnosed: every tester with our oracles "
        "(+OA; the paper’s Table 1). Joint: two capabilities corrected together saved the run, "
        "neither did alone.",
        _by_capability(by_tester, MAIN_TESTERS),
        "#### Types of error found",
        "Mean over the seeds that were diagnosed.",
        _by_type(by_tester, MAIN_TESTERS),
    ]
    if any(name in by_tester for name in ABLATIONS):
        parts += ["#### Without feedback (the paper’s Figure 4)"]
        parts.append(_found(by_tester, ("cantest", *ABLATIONS)))
    parts += [
        "#### Repaired with the oracles (the paper’s Table 2: 81–97 %)",
        "Failures in which a capability was corrected by itself, from its first error on or, where "
        "no error explained them, in every step (planning: an agent that was still looking was "
        "led), and how many of them became a success.",
        _repairs(played),
        "#### What saved the runs that one capability explains",
        "*Alone*: corrected in one bout of errors only. *Onward*: from its first error on. "
        "*Throughout*: perception right from the first step. *Led*: taken to the goal while "
        "looking for it ([how causes are found](../guides/diagnosis.md)).",
        _doses(played),
    ]
    return [part for part in parts if part]


def _found(by_tester: dict[str, list[Played]], names: Sequence[str]) -> str:
    lines = []
    for name in names:
        runs = by_tester.get(name, [])
        if not runs:
            continue
        cells = [_spread([run.found_by(share) for run in runs]) for share in _QUARTERS]
        total, failed = sum(len(r.results) for r in runs), sum(len(r.failures) for r in runs)
        low, high = wilson(failed, total)
        rate = f"{100 * failed / total:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
        scenes = _spread([len({scene for scene, _ in run.places}) for run in runs])
        places = _spread([len(run.places) for run in runs])
        lines.append([name, str(len(runs)), *cells, rate, scenes, places])
    heads = ["tester", "seeds", *(f"{100 * q:.0f} % of cases" for q in _QUARTERS), "failing"]
    heads += ["in scenes", "scene and goal"]
    return table(heads, lines)


def _spread(counts: Sequence[int]) -> str:
    mean = f"{statistics.mean(counts):.1f}"
    return mean if len(counts) == 1 else f"{mean} ({min(counts)}–{max(counts)})"


def _gain(by_tester: dict[str, list[Played]]) -> str:
    """CanTest against the best baseline, seed by seed."""
    means = {
        name: statistics.mean(len(run.failures) for run in runs)
        for name, runs in by_tester.items()
        if name in BASELINES
    }
    if not means or "cantest" not in by_tester:
        return ""
    best = max(means, key=lambda name: (means[name], name))
    mine, theirs = (
        {run.header.seed: len(run.failures) for run in by_tester[name]}
        for name in ("cantest", best)
    )
    seeds = sorted(mine.keys() & theirs.keys())
    baseline = sum(theirs[seed] for seed in seeds)
    if not baseline:
        return ""
    pairs = [f"{mine[seed]} to {theirs[seed]}" for seed in seeds]
    found = sum(mine[seed] for seed in seeds)
    cases = sum(len(run.results) for run in by_tester["cantest"] if run.header.seed in seeds)
    low, high = (100 * (ratio - 1) for ratio in _ratio_interval(found, baseline, cases))
    return (
        f"CanTest found {100 * (found / baseline - 1):+.0f} % against the best baseline, {best} "
        f"(95 % interval {low:+.0f} to {high:+.0f} % if cases were independent, which makes it too "
        f"narrow; the paper: +23 to +34 %); seed by seed {', '.join(pairs)}."
    )


def _ratio_interval(hits: int, others: int, cases: int) -> tuple[float, float]:
    """Of hits / others, both out of so many cases (Katz et al. 1978: normal in the logarithm)."""
    if not hits:
        return 0.0, math.inf
    spread = 1.96 * math.sqrt(1 / hits + 1 / others - 2 / cases)
    return hits / others * math.exp(-spread), hits / others * math.exp(spread)


def _attributed(runs: Sequence[Played]) -> Iterator[tuple[Capability, ErrorType]]:
    """Of failures that one capability explains."""
    for run in runs:
        for result in run.failures:
            found = result.diagnosis.attribution if result.diagnosis is not None else None
            if found is not None and found.also is None:
                yield found.capability, found.kind


def _joint(runs: Sequence[Played]) -> int:
    """Failures that two capabilities explain together."""
    told = (result.diagnosis for run in runs for result in run.failures)
    return sum(d is not None and d.verdict == "joint" for d in told)


def _diagnosed(runs: Sequence[Played]) -> list[Played]:
    return [run for run in runs if run.header.diagnosed]


def _by_capability(by_tester: dict[str, list[Played]], names: Sequence[str]) -> str:
    lines = []
    for name in names:
        runs = _diagnosed(by_tester.get(name, []))
        if runs:
            counts = Counter(capability for capability, _ in _attributed(runs))
            failed, joint = sum(len(run.failures) for run in runs), _joint(runs)
            each = [*(counts[c] for c in PIPELINE), joint, failed - sum(counts.values()) - joint]
            lines.append([name, str(len(runs)), *(f"{n / len(runs):.1f}" for n in each)])
    return table(["tester", "seeds", *PIPELINE, "joint", "unattributed"], lines)


def _by_type(by_tester: dict[str, list[Played]], names: Sequence[str]) -> str:
    lines = []
    for name in names:
        runs = _diagnosed(by_tester.get(name, []))
        if runs:
            counts = Counter(kind for _, kind in _attributed(runs))
            each = [len({kind for _, kind in _attributed([run])}) for run in runs]
            means = (f"{counts[kind] / len(runs):.1f}" for kind in ErrorType)
            covered = f"{statistics.mean(each):.1f} of {len(ErrorType)}"
            lines.append([name, str(len(runs)), *means, covered])
    return table(["tester", "seeds", *ErrorType, "types in one seed"], lines)


def _repairs(played: Sequence[Played]) -> str:
    """Every diagnosed failure once, whichever testers came upon it."""
    told = {
        result.case.case_id: row_of(result.diagnosis, result.case.episode.task)
        for run in played
        for result in run.failures
        if result.diagnosis is not None
    }
    rows = list(told.values())
    lines = []
    for capability in PIPELINE:
        tried = [row.tried[capability] for row in rows if capability in row.tried]
        if tried:
            lines.append(_rate(capability, sum(tried), len(tried)))
    if rows:
        one = sum(any(row.tried.values()) for row in rows)
        joint = sum(row.verdict == "joint" for row in rows)
        lines += [_rate("any one of them", one, len(rows))]
        lines += [_rate("one, or two together", one + joint, len(rows))]
    return table(["capability", "failures", "repaired", "rate"], lines)


def _doses(played: Sequence[Played]) -> str:
    """Every attributed failure once."""
    found = {
        result.case.case_id: result.diagnosis.attribution
        for run in played
        for result in run.failures
        if result.diagnosis is not None and result.diagnosis.verdict == "attributed"
    }
    counts = Counter((a.capability, a.dose) for a in found.values() if a is not None)
    doses: tuple[Dose, ...] = get_args(Dose)
    lines = [
        [capability, *(str(counts[capability, dose]) for dose in doses)]
        for capability in PIPELINE
        if any(counts[capability, dose] for dose in doses)
    ]
    return table(["capability", *doses], lines)


def _rate(name: str, saved: int, tried: int) -> list[str]:
    low, high = wilson(saved, tried)
    rate = f"{100 * saved / tried:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
    return [name, str(tried), str(saved), rate]


if __name__ == "__main__":
    main(sys.argv[1:])
