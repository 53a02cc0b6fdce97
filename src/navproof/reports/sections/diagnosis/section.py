"""Where it went wrong: the section of a report about failures and their causes.

Made from ``diagnosis.json`` and the diagnosis files of each run (``navproof diagnose RUN``). What
was asked from outside names no capability and is kept apart.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from navproof.core.errors import NavproofError
from navproof.diagnosis.capabilities import PIPELINE, Capability, ErrorType
from navproof.diagnosis.files import SUMMARY_NAME, read_diagnosis
from navproof.diagnosis.summary import Summary, SummaryRow, read_summary
from navproof.diagnosis.types import Diagnosis, Probe, Thresholds
from navproof.log import RunFolder, TraceKey
from navproof.metrics.stats.stats import wilson
from navproof.reports.campaign.found_failures import Discovered, discovered
from navproof.reports.gather import Entrant, Gathered, Row
from navproof.reports.sections.diagnosis.charts import discovery
from navproof.reports.sections.diagnosis.fix_first import Advice, advise, chart
from navproof.reports.sections.diagnosis.stories import FailureStory, LoadScene, Read, tell_failures
from navproof.reports.sections.trust.words import condition_title, listed
from navproof.reports.trials import Trial

__all__ = ["DiagnosisSection", "Known", "diagnosis_section", "judge_words", "section_of",
           "threshold_words"]  # fmt: skip

Known = Sequence[tuple[Entrant, str, SummaryRow]]
Helps = tuple[ErrorType, int, tuple[tuple[str, int], ...]]
"""A type of error, its failures, and what may help in how many of them, the most frequent first."""
_MOST_HELPS = 2
_PROBES: dict[Probe, str] = {
    "clean_input": "clean readings from the first step on: the corruption did it",
    "oracle_action": "some actions of an oracle: what the agent did around there did it",
    "hint": "a plainer goal in its words: the words did it",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """Failures of a type (or of none) under a condition, and their share of the row's."""

    count: int
    share: float


@dataclass(frozen=True, slots=True)
class BlameLine:
    """One agent under one condition: its episodes, failures, those of every type in the order of
    ``ErrorType``, and those that no correction saved, that were asked from outside, or not played
    again."""

    entrant: Entrant
    condition: str
    episodes: int
    failures: int
    cells: tuple[Cell, ...]
    others: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Outside:
    """What one question from outside gave for an agent."""

    entrant: Entrant
    probe: str
    asked: int
    saved: int


@dataclass(frozen=True, slots=True)
class Repaired:
    """How many of the failures in which a capability was corrected by itself (``SummaryRow.tried``)
    that saved; ``rate`` in per cent with its interval."""

    capability: Capability
    tried: int
    saved: int
    rate: str


@dataclass(frozen=True, slots=True)
class DiagnosisSection:
    """Everything of the section. ``capabilities`` are (capability, its types), for the heads of
    the table; ``thresholds`` say per agent where they come from; ``judges`` which models compared
    labels and memories, where any did."""

    advice: tuple[Advice, ...]
    chart: str
    capabilities: tuple[tuple[Capability, tuple[ErrorType, ...]], ...]
    lines: tuple[BlameLine, ...]
    repairs: tuple[Repaired, ...]
    suggestions: tuple[Helps, ...]
    outside: tuple[Outside, ...]
    stories: tuple[FailureStory, ...]
    thresholds: tuple[tuple[str, str], ...]
    judges: tuple[str, ...]
    testers: tuple[tuple[int, str, str], ...]  # series, name, what it found
    discovery: str
    untold: tuple[str, ...] = ()
    """Failures of the runs that nobody diagnosed, a sentence for each agent."""


def diagnosis_section(g: Gathered, load: LoadScene | None = None) -> DiagnosisSection | None:
    """The section, or None where no run has been diagnosed."""
    told = [(i, run, read_summary(run)) for i, run in enumerate(g.runs) if _is_diagnosed(run)]
    testers = discovered([run.path for run in g.runs], {e.agent for e in g.entrants})
    rows = [(_entrant(g, i, row), run, row) for i, run, summary in told for row in summary.rows]
    known = [(entrant, run, row) for entrant, run, row in rows if entrant is not None]
    if not known:
        return None
    section = section_of(
        [(entrant, row.key.condition, row) for entrant, _, row in known],
        list(_diagnoses(known)),
        list(_thresholds(g, told)),
        testers,
        load or _library(),
        [
            judge_words(summary.likeness, [row.unrated for row in summary.rows])
            for _, _, summary in told
            if summary.is_judged
        ],
    )
    return replace(section, untold=tuple(_untold(g, told)))


def section_of(
    known: Known,
    read: Read,
    thresholds: Sequence[tuple[str, str]],
    testers: Sequence[Discovered],
    load: LoadScene,
    judges: Sequence[str] = (),
) -> DiagnosisSection:
    """The section out of ``known`` episodes, with the condition each is counted under, and of the
    diagnoses that were ``read`` of the failures among them."""
    by_agent: dict[int, list[SummaryRow]] = defaultdict(list)
    for entrant, _, row in known:
        by_agent[entrant.series].append(row)
    labels = {entrant.series: entrant.label for entrant, _, _ in known}
    advice = tuple(advise(labels[s], s, rows) for s, rows in sorted(by_agent.items()))
    return DiagnosisSection(
        advice=advice,
        chart=chart(advice),
        capabilities=tuple(
            (c, tuple(kind for kind in ErrorType if kind.capability is c)) for c in PIPELINE
        ),
        lines=tuple(_lines(known)),
        repairs=tuple(_repairs([row for _, _, row in known])),
        suggestions=_suggestions(read),
        outside=tuple(_outside(read)),
        stories=tuple(tell_failures(read, load)),
        thresholds=tuple(thresholds),
        judges=tuple(dict.fromkeys(judges)),
        testers=tuple((i, name, _found_words(runs)) for i, (name, runs) in enumerate(testers)),
        discovery=discovery(testers) if testers else "",
    )


def _is_diagnosed(run: RunFolder) -> bool:
    return (run.path / SUMMARY_NAME).is_file()


def _untold(g: Gathered, told: Sequence[tuple[int, RunFolder, Summary]]) -> Iterator[str]:
    """Of the failures of diagnosed runs, those that have no diagnosis."""
    known = {(index, row.key) for index, _, summary in told for row in summary.rows}
    runs = {index for index, _ in known}
    left: dict[int, dict[TraceKey, None]] = defaultdict(dict)
    episodes: list[Trial | Row] = [*g.trials, *g.rows]
    for episode in episodes:
        run = g.entrants[episode.entrant].run
        if run in runs and (run, episode.key) not in known and not episode.result["success"]:
            left[episode.entrant][episode.key] = None
    for place, keys in sorted(left.items()):
        under = listed(dict.fromkeys(condition_title(key.condition) for key in keys))
        what = "failure was" if len(keys) == 1 else "failures were"
        yield f"{g.entrants[place].label}: {len(keys)} {what} not diagnosed (under {under})"


def _library() -> LoadScene:
    from navproof.world.library import load_scene

    return load_scene


def _entrant(g: Gathered, index: int, row: SummaryRow) -> Entrant | None:
    """The agent of a row as the report has it: under its condition, else clean."""
    mine = [e for e in g.entrants if e.run == index and e.agent == row.key.agent]
    same = [e for e in mine if e.condition == row.key.condition]
    return next(iter((*same, *mine)), None)


def _lines(known: Known) -> Iterator[BlameLine]:
    groups: dict[tuple[int, str], list[tuple[Entrant, SummaryRow]]] = defaultdict(list)
    for entrant, condition, row in known:
        groups[entrant.series, condition].append((entrant, row))
    for (_, condition), rows in sorted(groups.items(), key=lambda item: _place(item[0])):
        failed = [row for _, row in rows if row.verdict != "passed"]
        kinds = Counter(row.kind for row in failed if row.verdict == "attributed")
        verdicts = Counter(row.verdict for row in failed)
        lost = (
            verdicts["unattributed"] + verdicts["joint"],
            verdicts["from_outside"],
            verdicts["not_reproduced"] + verdicts["not_run"],
        )
        yield BlameLine(
            rows[0][0],
            condition_title(condition),
            len(rows),
            len(failed),
            tuple(_cell(kinds[kind], len(failed)) for kind in ErrorType),
            tuple(_cell(count, len(failed)) for count in lost),
        )


def _place(group: tuple[int, str]) -> tuple[int, bool, str]:
    series, condition = group
    return series, condition != "clean", condition


def _cell(count: int, whole: int) -> Cell:
    return Cell(count, count / whole if whole else 0.0)


def _diagnoses(
    known: Sequence[tuple[Entrant, RunFolder, SummaryRow]],
) -> Iterator[tuple[Entrant, RunFolder, Diagnosis]]:
    """Those that can be read, of failures."""
    for entrant, run, row in known:
        if row.verdict == "passed":
            continue
        try:
            yield entrant, run, read_diagnosis(run, row.key)
        except NavproofError:
            continue


def _repairs(rows: Sequence[SummaryRow]) -> Iterator[Repaired]:
    for capability in PIPELINE:
        tried = [row.tried[capability] for row in rows if capability in row.tried]
        if tried:
            low, high = wilson(sum(tried), len(tried))
            share = 100 * sum(tried) / len(tried)
            rate = f"{share:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
            yield Repaired(capability, len(tried), sum(tried), rate)


def _suggestions(read: Read) -> tuple[Helps, ...]:
    """Of the failures that one capability explains, the most frequent type first."""
    words: dict[ErrorType, Counter[str]] = defaultdict(Counter)
    for _, _, diagnosis in read:
        found = diagnosis.attribution
        if found is not None and diagnosis.verdict == "attributed":
            words[found.kind][found.suggestion] += 1
    order = sorted(words, key=lambda kind: (-words[kind].total(), kind))
    return tuple((k, words[k].total(), tuple(words[k].most_common(_MOST_HELPS))) for k in order)


def _outside(read: Read) -> Iterator[Outside]:
    asked: dict[tuple[int, Probe], set[int]] = defaultdict(set)
    saved: dict[tuple[int, Probe], set[int]] = defaultdict(set)
    entrants: dict[int, Entrant] = {}
    for number, (entrant, _, diagnosis) in enumerate(read):
        for finding in diagnosis.findings:
            place = (entrant.series, finding.probe)
            entrants[entrant.series] = entrant
            asked[place].add(number)
            if finding.success:
                saved[place].add(number)
    for series, probe in sorted(asked):
        place = (series, probe)
        yield Outside(entrants[series], _PROBES[probe], len(asked[place]), len(saved[place]))


def _thresholds(
    g: Gathered, told: Sequence[tuple[int, RunFolder, Summary]]
) -> Iterator[tuple[str, str]]:
    """Of the agents in which something was corrected."""
    for index, _, summary in told:
        tried = {row.key.agent for row in summary.rows if row.tried}
        for agent, thresholds in sorted(summary.thresholds.items()):
            if agent not in tried:
                continue
            label = next((e.label for e in g.entrants if (e.run, e.agent) == (index, agent)), agent)
            yield label, threshold_words(thresholds)


def threshold_words(thresholds: Thresholds) -> str:
    values = ", ".join(f"{c} {thresholds.values[c]:.2f}" for c in PIPELINE)
    share = f"{100 * thresholds.quantile:g} %"
    source = f"the {share} quantile in {thresholds.episodes} passed episodes, within fixed limits"
    if not thresholds.calibrated:
        source = "assumed: too few passed episodes"
    if thresholds.left_out:
        source += f"; {thresholds.left_out} that cannot be played again or judged left out"
    if thresholds.unrated:
        source += f"; in {thresholds.unrated} of {thresholds.steps} steps the judge gave no number"
    return f"{values} ({source})"


def judge_words(judge: str, unrated: Sequence[int]) -> str:
    """Who compared; ``unrated``: of each failure, the steps in which that gave no number for the
    memory."""
    said = f"labels and memories were compared by {judge}"
    failures = sum(count > 0 for count in unrated)
    if not failures:
        return said
    return (
        f"{said}; in {_counted(sum(unrated), 'step')} of {_counted(failures, 'failure')} it gave "
        "no number for the memory, and counting stood in"
    )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _found_words(runs: Sequence[Sequence[float]]) -> str:
    ends = [run[-1] for run in runs if run]
    each = " and ".join(f"{end:g}" for end in ends[:-1]) + (" and " if len(ends) > 1 else "")
    return f"{each}{ends[-1]:g} failures" if ends else "nothing yet"
