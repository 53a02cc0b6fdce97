"""The results page of diagnosis, from campaigns and cases of known cause.

    python scripts/diagnosis_results.py runs/diagnosis --faults runs/attribution.jsonl \\
        -o docs/results/diagnosis.md

Campaigns are those of ``scripts/diagnosis_campaigns.py``, cases of known cause those of
``benchmarks/bench_attribution.py``; what is not there is left out. Text between
``<!-- prose: NAME -->`` and ``<!-- /prose -->`` is taken over from the page that is there.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pages import PROSE, Kept, prose, table

from navproof.diagnose.capabilities import PIPELINE, Capability, ErrorType
from navproof.diagnose.fuzz.store import Header, Store
from navproof.diagnose.fuzz.types import CaseResult
from navproof.diagnose.summary import row_of
from navproof.errors import NavproofError
from navproof.metrics.stats import wilson

BASELINES = ("random", "behavexplor", "vlatest")
ABLATIONS = ("cantest-no-failure", "cantest-no-capability", "cantest-no-feedback")
_MAIN = ("cantest", *BASELINES)
_QUARTERS = (0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Played:
    """One campaign, cut to the cases that all have."""

    header: Header
    results: tuple[CaseResult, ...]

    @property
    def failures(self) -> list[CaseResult]:
        return [result for result in self.results if not result.success]

    def found_by(self, share: float) -> int:
        """Failures among the first cases."""
        count = round(share * len(self.results))
        return sum(not result.success for result in self.results[:count])


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("campaigns", type=Path, nargs="?", default=Path("runs/diagnosis"))
    parser.add_argument("--faults", type=Path, default=Path("runs/attribution.jsonl"))
    parser.add_argument("-o", "--out", type=Path, default=Path("docs/results/diagnosis.md"))
    asked = parser.parse_args(words)
    kept: Kept = {}
    if asked.out.is_file():
        kept = dict(PROSE.findall(asked.out.read_text(encoding="utf-8")))
    try:
        played = list(read(asked.campaigns))
    except NavproofError as error:
        sys.exit(f"diagnosis_results: {error}")
    faults = _lines(asked.faults)
    if not played and not faults:
        sys.exit(f"diagnosis_results: {asked.campaigns} has no campaign, {asked.faults} no case")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    again = f"python scripts/diagnosis_results.py {asked.campaigns} --faults {asked.faults}"
    asked.out.write_text(page(played, faults, kept, again), encoding="utf-8")
    print(asked.out)


def read(folder: Path) -> Iterator[Played]:
    """Every campaign in a folder, cut to the length of the shortest of its agent."""
    found: list[tuple[Header, tuple[CaseResult, ...]]] = []
    for path in sorted(folder.glob("*/campaign.json")) if folder.is_dir() else ():
        store = Store(path.parent)
        header = store.header()
        if header is not None:
            found.append((header, store.results()))
    least: dict[str, int] = {}
    for header, results in found:
        least[header.agent] = min(len(results), least.get(header.agent, len(results)))
    for header, results in found:
        yield Played(header, results[: least[header.agent]])


def _lines(path: Path) -> list[dict[str, object]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def page(
    played: Sequence[Played], faults: Sequence[dict[str, object]], kept: Kept, again: str
) -> str:
    """The page as Markdown."""
    parts = ["# Diagnosis results", prose("summary", kept)]
    if faults:
        parts += _accuracy(faults)
    for agent in dict.fromkeys(p.header.agent for p in played):
        parts += _of_agent(agent, [p for p in played if p.header.agent == agent])
    parts += [prose("discussion", kept), "## How to repeat this"]
    spaces = {json.dumps(dict(p.header.about), sort_keys=True) for p in played}
    space = f"Searched: `{'; '.join(sorted(spaces))}`." if spaces else ""
    campaigns = "python scripts/diagnosis_campaigns.py -o runs/diagnosis"
    bench = "python benchmarks/bench_attribution.py -o runs/attribution.jsonl"
    parts += [f"```bash\n{bench}\n{campaigns}\n{again}\n```", space]
    return "\n\n".join(part for part in parts if part) + "\n"


# ------------------------------------------------------------------------------- known causes
def _accuracy(faults: Sequence[dict[str, object]]) -> list[str]:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))
    from bench_attribution import table as accuracy

    bases = sorted({str(row["base"]) for row in faults})
    return [
        "## Failures of known cause",
        f"{', '.join(bases)}, broken in one capability (`navproof.diagnose.faults`), in episodes "
        "that the sound agent passes; share of failures attributed to the broken capability and "
        "to the right type, with Wilson’s 95 % intervals; time is the median distance in steps "
        "between the source found and the first step of the fault.",
        accuracy(list(faults)),
    ]


# ---------------------------------------------------------------------------------- campaigns
def _of_agent(agent: str, played: Sequence[Played]) -> list[str]:
    by_tester: dict[str, list[Played]] = defaultdict(list)
    for one in played:
        by_tester[one.header.tester].append(one)
    cases = len(played[0].results)
    seeds = max(len(runs) for runs in by_tester.values())
    parts = [
        f"## {agent}: failures found in {cases} cases, {seeds} seeds",
        "Mean over seeds (least–most); the failing share of all cases with Wilson’s 95 % interval. "
        "The paper’s Figure 2 and Table 1.",
        _found(by_tester, _MAIN),
        _gain(by_tester),
        "By capability, mean over the seeds that were diagnosed: every tester with our oracles "
        "(+OA). Joint: two capabilities corrected together saved the run, neither did alone.",
        _by_capability(by_tester, _MAIN),
        "### Types of error found",
        "Mean over the seeds that were diagnosed.",
        _by_type(by_tester, _MAIN),
    ]
    if any(name in by_tester for name in ABLATIONS):
        parts += ["### Without feedback (the paper’s Figure 4)"]
        parts.append(_found(by_tester, ("cantest", *ABLATIONS)))
    parts += [
        "### Repaired with the oracles (the paper’s Table 2: 81–97 %)",
        "Failures in which a capability was corrected by itself, from its first error on or, where "
        "no error explained them, in every step (planning: an agent that was still looking was "
        "led), and how many of them became a success.",
        _repairs(played),
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
        lines.append([name, str(len(runs)), *cells, rate])
    heads = ["tester", "seeds", *(f"{100 * q:.0f} % of cases" for q in _QUARTERS), "failing"]
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
    mine = statistics.mean(len(run.failures) for run in by_tester["cantest"])
    if means[best] <= 0:
        return ""
    by_seed = {run.header.seed: len(run.failures) for run in by_tester[best]}
    pairs = [
        f"{len(run.failures)} to {by_seed[run.header.seed]}"
        for run in by_tester["cantest"]
        if run.header.seed in by_seed
    ]
    gain = 100 * (mine / means[best] - 1)
    return (
        f"CanTest found {gain:+.0f} % against the best baseline, {best} (the paper: +23 to +34 %); "
        f"seed by seed {', '.join(pairs)}."
    )


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
    tried: Counter[Capability] = Counter()
    saved: Counter[Capability] = Counter()
    for run in played:
        for result in run.failures:
            if result.diagnosis is not None:
                by_itself = row_of(result.diagnosis, result.case.episode.task).tried
                tried.update(by_itself.keys())
                saved.update(capability for capability, helped in by_itself.items() if helped)
    lines = []
    for capability in PIPELINE:
        if tried[capability]:
            low, high = wilson(saved[capability], tried[capability])
            share = 100 * saved[capability] / tried[capability]
            rate = f"{share:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
            lines.append([capability, str(tried[capability]), str(saved[capability]), rate])
    return table(["capability", "failures", "repaired", "rate"], lines)


if __name__ == "__main__":
    main(sys.argv[1:])
