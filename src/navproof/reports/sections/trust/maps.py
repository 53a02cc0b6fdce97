"""From retention scores to the cells of the heat map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from navproof.metrics.retention.retention import OVERALL, Measure, Retained, TrustScores
from navproof.reports.sections.trust.heat import Column, Line, Tile, bands, heat_map
from navproof.reports.sections.trust.words import (
    FAMILIES,
    condition_lines,
    condition_title,
    family_of,
    headline,
    known,
)
from navproof.reports.tables import show

__all__ = ["MEASURES", "HeatMap", "heat_maps"]

MEASURES: Mapping[Measure, str] = {"sr": "SR", "spl": "SPL"}
Who = tuple[str, str, str]  # agent, task, label
_PROTOCOL = ""


@dataclass(frozen=True, slots=True)
class HeatMap:
    """The whole map for a screen, and in ``bands`` for paper."""

    measure: str
    svg: str
    bands: tuple[str, ...]


def heat_maps(scores: TrustScores, subjects: Sequence[Who]) -> tuple[HeatMap, ...]:
    """Of SR and of SPL. A column is a corruption, at the intensity of the protocol;
    a sweep adds a row for each intensity."""
    columns = _columns(scores)
    rows = _rows(columns, any(p.intensity is not None for p in headline(scores)))
    drawn = []
    for measure, name in MEASURES.items():
        lines = [
            line
            for agent, task, label in subjects
            for line in _lines(scores, (agent, task, label), columns, rows, measure)
        ]
        heads = [_head(scores, column, c, rows) for column, c in columns.items()]
        spoken = (
            f"Retention of {name}, {len(lines)} rows by {len(heads)} corruptions; "
            "the table of all numbers below says the same"
        )
        whole = heat_map(lines, heads, f"PRS-{name}", spoken)
        drawn.append(HeatMap(name, whole, _bands(lines, heads, f"PRS-{name}", spoken)))
    return tuple(drawn)


def _lines(
    scores: TrustScores,
    who: Who,
    columns: Mapping[str, Mapping[str, str]],
    rows: Sequence[str],
    measure: Measure,
) -> Iterator[Line]:
    """The rows of an agent: those in which it has something that its row above does not tell."""
    agent, task, label = who
    told: set[str] = set()
    for row in rows:
        tiles = {
            c.get(row): _tile(scores, agent, task, c.get(row), measure) for c in columns.values()
        }
        news = {name for name, tile in tiles.items() if name and tile.kind != "absent"} - told
        if not news and len(rows) > 1:
            continue
        note = "" if len(rows) == 1 else _row_note(row)
        yield Line(
            "" if told else label,
            tuple(tiles[c.get(row)] for c in columns.values()),
            _mean(scores, agent, task, row, measure),
            note,
        )
        told |= news


def _bands(
    lines: Sequence[Line], heads: Sequence[Column], mean: str, spoken: str
) -> tuple[str, ...]:
    """The map cut between families; the mean stands in the last band."""
    found = []
    for begin, end in bands(heads):
        cut = [replace(line, tiles=line.tiles[begin:end]) for line in lines]
        found.append(heat_map(cut, heads[begin:end], mean if end == len(heads) else "", spoken))
    return tuple(found)


def _columns(scores: TrustScores) -> dict[str, dict[str, str]]:
    """Corruption to its conditions, by row ("" for the protocol's own intensity), by family."""
    names = [*(c.condition for c in scores.conditions), *(s.condition for s in scores.skipped)]
    found: dict[str, dict[str, str]] = {}
    for name in dict.fromkeys(names):
        column, places = _place(name)
        for place in places:
            found.setdefault(column, {}).setdefault(place, name)
    rank = list(FAMILIES)
    return dict(sorted(found.items(), key=lambda item: rank.index(_family(item[1]))))


def _place(name: str) -> tuple[str, tuple[str, ...]]:
    """The column of a condition, and the rows in which it stands."""
    condition = known(name)
    if condition is None:
        return name, (_PROTOCOL,)
    parts = condition.parts
    strengths = {part.intensity for part in parts}
    column = "+".join(_bare(part.text) for part in parts)
    rows = [_PROTOCOL] if all(p.intensity == p.corruption.default for p in parts) else []
    if len(strengths) == 1:
        rows.append(f"{strengths.pop():g}")
    return (column, tuple(rows)) if rows else (name, (_PROTOCOL,))


def _bare(part: str) -> str:
    """The text of a part without its intensity."""
    body, colon, mode = part.partition(":")
    return body.partition("@")[0] + colon + mode


def _rows(columns: Mapping[str, Mapping[str, str]], sweep: bool) -> list[str]:
    """The protocol's row, and those of the intensities where any column has several of them; these
    alone where the scores to quote are those of a ``sweep``."""
    by_column = [{row for row in c if row != _PROTOCOL} for c in columns.values()]
    if all(len(rows) < 2 for rows in by_column):
        return [_PROTOCOL]
    swept = sorted(set().union(*by_column), key=float)
    return swept if sweep else [_PROTOCOL, *swept]


def _row_note(row: str) -> str:
    return "at the protocol’s intensities" if row == _PROTOCOL else f"at {row}"


def _family(conditions: Mapping[str, str]) -> str:
    return family_of(next(iter(conditions.values())))


def _head(
    scores: TrustScores, name: str, conditions: Mapping[str, str], rows: Sequence[str]
) -> Column:
    shown = conditions.get(_PROTOCOL, name)
    graded = next((d for d in scores.difficulty if d.condition == shown), None)
    grade = graded.grade or "" if graded and _PROTOCOL in rows else ""
    condition = known(shown)
    words = condition_title(name)
    if condition is not None:
        strengths = " and ".join(f"{p.intensity:g}" for p in condition.parts)
        words += f" at intensity {strengths}" if rows == [_PROTOCOL] else ""
    return Column(condition_lines(name), FAMILIES[_family(conditions)], grade, words)


def _tile(
    scores: TrustScores, agent: str, task: str, condition: str | None, measure: Measure
) -> Tile:
    who = (agent, task, condition)
    named = f"{agent}, {condition_title(condition or 'nothing')}"
    for score in scores.conditions:
        if (score.agent, score.task, score.condition) == who:
            rate = score.sr if measure == "sr" else score.spl
            clean = score.clean_sr if measure == "sr" else score.clean_spl
            told = ""
            if rate.n and clean is not None:
                told = f"; {MEASURES[measure]} {rate.mean:.2f}, clean {clean:.2f}, n = {score.n}"
            return _retained(score.retention(measure), named, told)
    for skip in scores.skipped:
        if (skip.agent, skip.task, skip.condition) == who:
            return Tile("skipped", f"{named}: skipped, {skip.why}")
    return Tile("absent", f"{named}: not run")


def _mean(scores: TrustScores, agent: str, task: str, row: str, measure: Measure) -> Tile:
    table = scores.prs if row == _PROTOCOL else scores.prs_by_intensity
    for prs in table:
        at = prs.intensity is None or f"{prs.intensity:g}" == row
        if (prs.agent, prs.task, prs.family) == (agent, task, OVERALL) and at:
            named = f"{agent}, mean of {prs.k}"
            return _retained(prs.sr if measure == "sr" else prs.spl, named, "")
    return Tile("absent", f"{agent}: nothing to average")


def _retained(retained: Retained, named: str, told: str) -> Tile:
    if retained.value is None:
        return Tile("undefined", f"{named}: undefined, {retained.reason}{told}", "undef.")
    value = show(retained.value, 2)
    limits = ""
    if retained.low is not None and retained.high is not None:
        limits = f", 95 % interval {show(retained.low, 2)} to {show(retained.high, 2)}"
    return Tile("value", f"{named}: {value}{limits}{told}", value, retained.value)
