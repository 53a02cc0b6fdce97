"""The tables of what is retained: conditions, PRS by family, the worst, thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich import box
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from rich.console import Console

    from navproof.log import Skipped
    from navproof.metrics.retention.retention import (
        ConditionScore,
        Retained,
        Threshold,
        TrustScores,
    )

__all__ = ["print_trust", "shown_interval", "trust_json"]

Row = Mapping[str, Any]
_GRADES = ("easy", "medium", "hard")


def print_trust(rows: Sequence[Row], console: Console, skipped: Sequence[Skipped] = ()) -> None:
    """Tables of every agent and task that was run under other conditions than clean; nothing
    where there is none."""
    from navproof.metrics.retention.retention import trust_scores
    from navproof.play.abilities import skips_in_words

    scores = trust_scores(rows, skipped)
    if not scores.corrupted:
        return
    for clean in scores.clean:
        if len(scores.of(clean.agent, clean.task)) > 1:
            _print_one(scores, clean, console)
    _print_difficulty(scores, console)
    for line in skips_in_words(scores.skipped):
        _say(console, line, "yellow")
    _say(
        console,
        "retention: score / clean score over the same episodes and seeds, with 95 % intervals "
        f"({scores.resamples} resamples of episodes); PRS: its mean over K conditions at their "
        "default intensities",
        "dim",
    )


def _print_one(scores: TrustScores, clean: ConditionScore, console: Console) -> None:
    here = (clean.agent, clean.task)
    title = f"{clean.agent} on {clean.task}"
    if clean.n:
        sr, spl = shown_interval(clean.sr.mean, clean.sr), shown_interval(clean.spl.mean, clean.spl)
        title += f": clean SR {sr}, SPL {spl}, n = {clean.n}"
    _say(console, f"\n{title}", "bold")
    conditions = scores.of(*here)[1:]
    console.print(_conditions(scores, conditions))
    console.print(_prs(scores, here))
    for worst in scores.worst:
        if (worst.agent, worst.task) == here:
            kept = shown_interval(worst.retention.value, worst.retention)
            _say(console, f"worst by {worst.measure.upper()}: {worst.condition}, {kept} retained")
    _print_curves(scores, here, console)
    reasons: dict[str, list[str]] = {}
    for score in conditions:
        for retained in (score.retention_sr, score.retention_spl):
            if retained.value is None:
                reasons.setdefault(retained.reason, []).append(score.condition)
    for reason, names in reasons.items():
        _say(console, f"undefined: {reason} ({_some(names)})", "yellow")
    unpaired = sum(score.unpaired for score in conditions)
    if unpaired:
        _say(
            console, f"{unpaired} corrupted episodes have no clean twin and are left out", "yellow"
        )


def _conditions(scores: TrustScores, conditions: Sequence[ConditionScore]) -> Table:
    table = _empty_table("condition")
    cost = {(o.agent, o.task, o.condition): o.corrupt_s for o in scores.overhead}
    timed = any(
        cost.get((score.agent, score.task, score.condition)) is not None for score in conditions
    )
    numbers = ("n", "SR", "SPL", "SR retained", "SPL retained")
    for name in (*numbers, "ms/step") if timed else numbers:
        table.add_column(name, justify="right", no_wrap=True)
    for score in conditions:
        seconds = cost.get((score.agent, score.task, score.condition))
        table.add_row(
            escape(score.condition.replace("+", "+\n")),
            str(score.n),
            _number(score.sr.mean),
            _number(score.spl.mean),
            _kept(score.retention_sr),
            _kept(score.retention_spl),
            *(["–" if seconds is None else f"{1000 * seconds:.2f}"] if timed else []),
        )
    return table


def _prs(scores: TrustScores, here: tuple[str, str]) -> Table | str:
    from navproof.metrics.retention.retention import OVERALL

    found = [p for p in (*scores.prs, *scores.prs_by_intensity) if (p.agent, p.task) == here]
    if not found:
        return "no PRS: no condition was run at its default intensity"
    table = _empty_table("family")
    for name in ("K", "PRS-SR", "PRS-SPL"):
        table.add_column(name, justify="right", no_wrap=True)
    families = {prs.family for prs in found if prs.intensity is not None} - {OVERALL}
    for prs in found:
        if prs.intensity is not None and prs.family == OVERALL and len(families) == 1:
            continue  # says the same as the line above
        at = "" if prs.intensity is None else f" @{prs.intensity:g}"
        table.add_row(f"{prs.family}{at}", str(prs.k), _kept(prs.sr), _kept(prs.spl))
    return table


def _print_curves(scores: TrustScores, here: tuple[str, str], console: Console) -> None:
    curves = [curve for curve in scores.curves if (curve.agent, curve.task) == here]
    if not curves:
        return
    table = _empty_table("half of the clean score is lost at")
    for name in ("SR", "SPL"):
        table.add_column(f"intensity ({name})", justify="right", no_wrap=True)
    for curve in curves:
        table.add_row(escape(curve.corruption), _half(curve.half_sr), _half(curve.half_spl))
    console.print(table)


def _empty_table(first: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column(first, overflow="fold")
    return table


def _print_difficulty(scores: TrustScores, console: Console) -> None:
    for grade in _GRADES:
        names = [d.condition for d in scores.difficulty if d.grade == grade]
        if names:
            _say(console, f"{grade}: {', '.join(names)}")


def shown_interval(value: float | None, limits: Any) -> str:
    """``0.71 (0.59–0.86)``; a dash where there is no value."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.2f} ({limits.low:.2f}–{limits.high:.2f})"


def _kept(retained: Retained) -> str:
    return shown_interval(retained.value, retained)


def _half(threshold: Threshold) -> str:
    if threshold.value is None:
        return threshold.reason
    high = "…" if threshold.high is None else f"{threshold.high:.2f}"
    return f"{threshold.value:.2f} ({threshold.low:.2f}–{high})"


def _number(value: float) -> str:
    return f"{value:.2f}" if math.isfinite(value) else "–"


def _some(names: Sequence[str], most: int = 3) -> str:
    names = list(dict.fromkeys(names))
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def trust_json(rows: Sequence[Row], skipped: Sequence[Skipped] = ()) -> dict[str, Any] | None:
    """``TrustScores`` as plain JSON; None where nothing but clean was run."""
    from navproof.metrics.retention.retention import trust_scores

    scores = trust_scores(rows, skipped)
    plain: dict[str, Any] = _plain(asdict(scores))
    return plain if scores.corrupted else None


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
