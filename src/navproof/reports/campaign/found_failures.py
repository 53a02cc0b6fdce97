"""Failures that test generation found, from the folders of campaigns (``navproof fuzz``): how many
by when, and which.

Campaigns count for the report of a run if they lie in its folder or beside it and are of one of its
agents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from navproof.core.errors import RunError
from navproof.core.input.reading import parse_json
from navproof.core.types import Episode
from navproof.diagnosis.fuzz.campaign import Campaign
from navproof.diagnosis.fuzz.closed import NO_BELIEFS, without_beliefs
from navproof.diagnosis.fuzz.minimise import MinimalCase
from navproof.diagnosis.fuzz.store import LINES_NAME, Header, Store
from navproof.diagnosis.fuzz.suite import kept_of, told_of
from navproof.diagnosis.fuzz.types import CaseResult
from navproof.log.storage import read_bytes
from navproof.reports.campaign.spaces import space_of, tell_apart
from navproof.reports.gather import Entrant
from navproof.reports.sections.trust.words import condition_title
from navproof.reports.tables import task_title

__all__ = ["MOST_LISTED", "Discovered", "FoundFailure", "discovered", "found_failures"]

Discovered = tuple[str, tuple[tuple[float, ...], ...]]
"""The name of a tester, and for each of its campaigns the failures found after 1, 2, … cases."""
MOST_LISTED = 60
"""Failures in a list, of one tester."""
_CHECKED = {
    "cause": "it still fails from the same cause",
    "failure": "it still fails; from which cause was not compared",
}


@dataclass(frozen=True, slots=True)
class FoundFailure:
    """One failure in the list. ``smaller`` says what was taken away and what was checked of the
    rest, "" where nothing was; the condition and the words are those that are left."""

    entrant: Entrant
    case_id: str
    task: str
    scene: str
    condition: str
    words: str
    cause: str
    said: str
    steps: int
    smaller: str


def discovered(runs: Sequence[Path], agents: Iterable[str]) -> list[Discovered]:
    """What each tester found in each space. Testers of several agents are told apart by the agent's
    name, spaces by what differs in them; of one seed the campaign that got farthest counts."""
    known = set(agents)
    found: dict[tuple[str, str, str], dict[int, tuple[float, ...]]] = defaultdict(dict)
    headers: list[Header] = []
    for folder in _folders(runs):
        header = _header(folder)
        counts = _counts(folder)
        if header is not None and header.agent in known and counts:
            headers.append(header)
            held = found[header.tester, header.agent, space_of(header)]
            held[header.seed] = max(held.get(header.seed, ()), counts, key=len)
    several, apart = len({agent for _, agent, _ in found}) > 1, tell_apart(headers)
    return [
        (
            f"{tester}{f' · {agent}' if several else ''}{f' ({words})' if words else ''}",
            tuple(counts for _, counts in sorted(held.items())),
        )
        for (tester, agent, space), held in sorted(found.items())
        for words in (apart[space],)
    ]


def _folders(runs: Sequence[Path]) -> Iterator[Path]:
    """Folders with a campaign, each once."""
    seen: set[Path] = set()
    for run in runs:
        within, around = run.glob(f"**/{LINES_NAME}"), run.resolve().parent
        beside = (*around.glob(f"*/{LINES_NAME}"), *around.glob(f"*/*/{LINES_NAME}"))
        for path in sorted((*within, *beside)):
            folder = path.parent.resolve()
            if folder not in seen:
                seen.add(folder)
                yield folder


def _header(folder: Path) -> Header | None:
    try:
        return Store(folder).header()
    except RunError:
        return None


def _counts(folder: Path) -> tuple[float, ...]:
    total, counts = 0.0, []
    for text in read_bytes(folder / LINES_NAME).split(b"\n"):
        try:
            total += not parse_json(text)["success"]
        except (ValueError, KeyError, TypeError):
            break  # a line that was cut short
        counts.append(total)
    return tuple(counts)


def found_failures(
    entrant: Entrant, campaigns: Sequence[tuple[Path, Campaign]]
) -> Iterator[FoundFailure]:
    """The failures of campaigns and their folders that are unlike each other, as they are in the
    suite; at most ``MOST_LISTED``."""
    left = MOST_LISTED
    for folder, campaign in campaigns:
        results = {result.case.case_id: result for result in campaign.failures}
        for minimal in kept_of(folder, campaign.failures)[:left]:
            left -= 1
            yield _failure(entrant, results[minimal.case.case_id], minimal)


def _failure(entrant: Entrant, result: CaseResult, minimal: MinimalCase) -> FoundFailure:
    case, told = minimal.case, result.diagnosis
    source = None if told is None else told.attribution
    cause = "not diagnosed" if told is None else told.verdict.replace("_", " ")
    if without_beliefs(told):
        cause = NO_BELIEFS
    if source is not None:
        together = "" if source.also is None else f" with {source.also}"
        cause = f"{source.capability}{together} · {source.kind} {source.kind.said}"
    gone = ", ".join(_taken(what) for what in dict.fromkeys(minimal.removed))
    return FoundFailure(
        entrant=entrant,
        case_id=case.case_id,
        task=task_title(case.episode.task),
        scene=case.episode.scene,
        condition=condition_title(case.condition),
        words=_words(case.episode),
        cause=cause,
        said=told_of(result),
        steps=len(result.trace.actions),
        smaller=f"made smaller ({gone}); {_CHECKED[minimal.checked]}" if gone else "",
    )


def _taken(what: str) -> str:
    """What was taken away (``minimise``), for people."""
    if what == "words":
        return "fewer words"
    name, _, level = what.partition(" above ")
    title = condition_title(name)
    return f"{title} lowered to {level}" if level else f"without {title}"


def _words(episode: Episode) -> str:
    if episode.instruction is not None:
        return episode.instruction.text
    return ", then ".join(goal.text or goal.category or goal.kind for goal in episode.goals)
