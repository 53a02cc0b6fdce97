"""The page of a search for failures: ``navproof report`` of folders that ``navproof fuzz`` wrote.

Discovery curves, causes (the section of a diagnosed run, its conditions counted by family), and the
failures that are unlike each other, as small as they were made. Campaigns of one tester against one
agent in one space with several seeds are taken together.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from navproof import __version__
from navproof.agents.load import load_agent
from navproof.core.errors import NavproofError, RunError
from navproof.diagnosis.fuzz.campaign import Campaign, read_campaign
from navproof.diagnosis.fuzz.closed import closed_words, is_closed
from navproof.diagnosis.fuzz.suite import (
    COMMANDS_NAME,
    FAILURES_NAME,
    distinct,
    kept_of,
    read_minimal,
)
from navproof.diagnosis.fuzz.types import CaseResult
from navproof.diagnosis.oracles.judge import address_of
from navproof.diagnosis.summary import SummaryRow, row_of
from navproof.diagnosis.types import Diagnosis
from navproof.log import Trace, TraceKey
from navproof.log.names import short_name
from navproof.reports.campaign.found_failures import MOST_LISTED, Discovered, found_failures
from navproof.reports.campaign.spaces import space_of, tell_apart
from navproof.reports.gather import Entrant
from navproof.reports.html import templates, write_page
from navproof.reports.sections.diagnosis.charts import discovery
from navproof.reports.sections.diagnosis.section import (
    DiagnosisSection,
    Known,
    judge_words,
    section_of,
    threshold_words,
)
from navproof.reports.sections.diagnosis.stories import LoadScene
from navproof.reports.sections.trust.words import FAMILIES, family_of
from navproof.reports.tables import task_title
from navproof.sensors import choose

__all__ = ["write_campaign_report"]

_ADDRESS = '"$JUDGE"'


@dataclass(frozen=True, slots=True)
class _Search:
    """The campaigns of one tester against one agent, in order of their seeds."""

    entrant: Entrant
    held: tuple[tuple[Path, Campaign], ...]

    @property
    def results(self) -> tuple[CaseResult, ...]:
        return tuple(result for _, campaign in self.held for result in campaign.results)

    @property
    def is_closed(self) -> bool:
        """Whether the agent told no beliefs."""
        return is_closed(told for _, campaign in self.held for told in campaign.diagnoses)

    @property
    def told(self) -> tuple[Campaign, ...]:
        """Those whose failures were diagnosed; none where no failure was, or no capability could be
        corrected."""
        if self.is_closed or all(result.diagnosis is None for result in self.results):
            return ()
        return tuple(campaign for _, campaign in self.held if _is_told(campaign))


def write_campaign_report(
    folders: Sequence[Path], out: Path, load: LoadScene | None = None
) -> Path:
    """Write one self-contained HTML file about campaigns and return its path."""
    searches = _searches(folders)
    section = _section(searches, load or _library())
    listed = [list(found_failures(s.entrant, s.held)) for s in searches]
    folders = [folder for s in searches for folder, _ in s.held]
    curves = [_curve(search) for search in searches]
    commands = [line for search in searches for line in _commands(search)]
    page = (
        templates()
        .get_template("campaign.html.j2")
        .render(
            title=_title(searches),
            lead=[(s.entrant.label, _lead(s)) for s in searches],
            facts=_facts(searches),
            warnings=[f"{s.entrant.label}: {line}" for s in searches for line in _untold(s)],
            searches=searches,
            curves=discovery(curves),
            diagnosis=section,
            found=[failure for failures in listed for failure in failures],
            most=MOST_LISTED if any(len(held) == MOST_LISTED for held in listed) else None,
            made_small=any(read_minimal(folder) for folder in folders),
            kept=any(_commands_file(folder).is_file() for folder in folders),
            commands=commands,
            names_judge=any(_ADDRESS in line for line in commands),
            version=__version__,
            outcomes=(),
            failure_styles=(),
        )
    )
    return write_page(page, out)


def _library() -> LoadScene:
    from navproof.world.library import load_scene

    return load_scene


def _is_told(campaign: Campaign) -> bool:
    return all(result.diagnosis is not None for result in campaign.failures)


def _untold(search: _Search) -> Iterator[str]:
    """What is missing of the causes."""
    if search.is_closed:
        yield closed_words(search.held[0][1].tester)
        return
    seeds = [str(campaign.seed) for _, campaign in search.held if not _is_told(campaign)]
    if not seeds:
        return
    which, rest = "its failures", ""
    if search.told:
        which = f"the failures of seed{'s' if len(seeds) > 1 else ''} {', '.join(seeds)}"
        rest = ", so the causes are those of the other seeds"
    yield f"{which} were not diagnosed{rest}; the same search with --diagnose does it"


def _searches(folders: Sequence[Path]) -> list[_Search]:
    groups: dict[tuple[str, str, str], dict[int, tuple[Path, Campaign]]] = {}
    for folder in {path.resolve(): path for path in folders}.values():
        campaign = read_campaign(folder)
        if not campaign.results:
            raise RunError(f"{folder} holds no case yet; let the search get further")
        key = (campaign.agent, campaign.tester, space_of(campaign))
        one = (folder, campaign)
        held = groups.setdefault(key, {})
        held[campaign.seed] = max(held.get(campaign.seed, one), one, key=_told_most)
    several = len({tester for _, tester, _ in groups}) > 1
    apart = tell_apart(campaign for held in groups.values() for _, campaign in held.values())
    found = []
    for series, ((agent, tester, space), held) in enumerate(groups.items()):
        label = f"{short_name(agent)} · {tester}" if several else short_name(agent)
        if apart[space]:
            label = f"{label} ({apart[space]})"
        entrant = Entrant(label, series, agent, "clean", series, "")
        found.append(_Search(entrant, tuple(pair for _, pair in sorted(held.items()))))
    return found


def _told_most(one: tuple[Path, Campaign]) -> tuple[int, int]:
    """Of two that are the same campaign the one that got farther, and of which more is told."""
    return len(one[1].results), len(one[1].diagnoses)


# -------------------------------------------------------------------------------------- causes
class _Traces:
    """The traces of a campaign, by key, with the names of the sensors that the agent has: those of
    a campaign do not hold them."""

    def __init__(self, results: Sequence[CaseResult]) -> None:
        self._held: Mapping[TraceKey, Trace] = {r.trace.key: r.trace for r in results}

    def trace(self, key: TraceKey) -> Trace:
        trace = self._held[key]
        try:
            mounted = choose(trace.spec, load_agent(key.agent).sensors)
        except NavproofError:  # the agent is not here: its frames cannot be shown as it had them
            return trace
        return replace(trace, facts={**trace.facts, "sensors": ",".join(s.name for s in mounted)})


def _section(searches: Sequence[_Search], load: LoadScene) -> DiagnosisSection | None:
    known: list[tuple[Entrant, str, SummaryRow]] = []
    read: list[tuple[Entrant, _Traces, Diagnosis]] = []
    limits: list[tuple[str, str]] = []
    unrated: dict[str, list[int]] = {}
    for search in searches:
        traces = _Traces(search.results)
        for campaign in search.told:
            known += _rows(search.entrant, campaign)
            for result in campaign.failures:
                if result.diagnosis is not None:
                    read.append((search.entrant, traces, result.diagnosis))
            tried = any(diagnosis.trials for diagnosis in campaign.diagnoses)
            if campaign.thresholds is not None and tried:
                of_seed = f" (seed {campaign.seed})" if len(search.told) > 1 else ""
                named = f"{search.entrant.label}{of_seed}"
                limits.append((named, threshold_words(campaign.thresholds)))
            if campaign.judge is not None:
                counts = (diagnosis.unrated for diagnosis in campaign.diagnoses)
                unrated.setdefault(f"judge {campaign.judge}", []).extend(counts)
    judges = [judge_words(name, counts) for name, counts in unrated.items()]
    return section_of(known, read, limits, (), load, judges) if known else None


def _rows(entrant: Entrant, campaign: Campaign) -> Known:
    rows = []
    for result in campaign.results:
        task, told = result.case.episode.task, result.diagnosis
        row = SummaryRow(result.trace.key, task, "passed")
        if told is not None:
            row = row_of(told, task)
        family = family_of(result.case.condition)
        rows.append((entrant, FAMILIES.get(family, family), row))
    return rows


def _curve(search: _Search) -> Discovered:
    counts = (
        tuple(accumulate(0.0 if r.success else 1.0 for r in campaign.results))
        for _, campaign in search.held
    )
    return search.entrant.label, tuple(counts)


# ---------------------------------------------------------------------------------------- words
def _title(searches: Sequence[_Search]) -> str:
    agents = list(dict.fromkeys(short_name(s.entrant.agent) for s in searches))
    testers = list(dict.fromkeys(c.tester for s in searches for _, c in s.held))
    by = testers[0] if len(testers) == 1 else f"{len(testers)} testers"
    return f"Failures of {' and '.join(agents)}, found by {by}"


def _lead(search: _Search) -> str:
    failed = sum(not result.success for result in search.results)
    kinds = sum(len(distinct(campaign.failures)) for _, campaign in search.held)
    kept = sum(len(kept_of(folder, campaign.failures)) for folder, campaign in search.held)
    said = f"failed {failed} of {len(search.results)} cases"
    if failed > 1:
        said += f", of {kinds} kind{'s' if kinds > 1 else ''}"
    return f"{said} ({kept} once made smaller)" if kept < kinds else said


def _facts(searches: Sequence[_Search]) -> list[tuple[str, str]]:
    """(term, value)."""
    held = [campaign for search in searches for _, campaign in search.held]
    return [
        ("Cases", str(sum(len(c.results) for c in held))),
        ("Failures", str(sum(len(c.failures) for c in held))),
        ("Tasks", _listed(task_title(r.case.episode.task) for c in held for r in c.results)),
        ("Scenes", _listed(s for c in held for s in c.about.get("scenes", ()))),
        ("What was changed", _listed(a for c in held for a in c.about.get("axes", ()))),
        ("Seeds", _listed(str(c.seed) for c in held)),
        ("navproof", __version__),
    ]  # fmt: skip


def _listed(words: Iterator[str]) -> str:
    return ", ".join(dict.fromkeys(words)) or "–"


def _commands(search: _Search) -> Iterator[str]:
    """What makes the campaigns again, and what runs their failures."""
    for folder, campaign in search.held:
        about = campaign.about
        options = {
            "--agent": campaign.agent,
            "--task": str(about.get("task", "")),
            "--tester": campaign.tester,
            "--axes": ",".join(about.get("axes", ())),
            "--scene": ",".join(about.get("scenes", ())),
            "--budget": str(len(campaign.results)),
            "--initial": str(campaign.initial),
            "--seed": str(campaign.seed),
            "--out": folder.name,
        }
        given = [f"{name} {shlex.quote(value)}" for name, value in options.items() if value]
        if campaign.thresholds is not None:
            given.append("--diagnose")
        if campaign.judge is not None:
            given.append(_asking(campaign.judge))
        yield " ".join(["navproof fuzz", *given])
        if _commands_file(folder).is_file():
            yield shlex.join(["sh", f"{folder.name}/{FAILURES_NAME}/{COMMANDS_NAME}"])


def _commands_file(folder: Path) -> Path:
    return folder / FAILURES_NAME / COMMANDS_NAME


def _asking(judge: str) -> str:
    """The options that name a judge. Where a model is served is nothing that a campaign knows."""
    address = address_of(judge)
    if address is not None:
        return f"--judge {shlex.quote(address)}"
    return f"--judge {_ADDRESS} --judge-model {shlex.quote(judge)}"
