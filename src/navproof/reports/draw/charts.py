"""The report's charts: pure functions from numbers to SVG text.

Every chart is 360 units wide, so that a column of a phone shows it at about its natural size, and
carries a text alternative. Series are told apart by colour *and* by shape or dash.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from navproof.reports.draw.svg import (
    COLOURS,
    Scale,
    dash,
    mark,
    nice_ticks,
    number,
    picture,
    tag,
    text,
    title,
)

__all__ = [
    "WIDTH",
    "Bar",
    "Curve",
    "Profile",
    "Strip",
    "Whisker",
    "curves",
    "interval_bar",
    "legend_mark",
    "profiles",
    "quantile",
    "stacked",
    "strips",
    "whiskers",
]

WIDTH = 360.0
_LEFT, _RIGHT = 114.0, 12.0
_ROW = 22.0
_MOST_DOTS = 400


@dataclass(frozen=True, slots=True)
class Whisker:
    """One row of a dot-and-whisker chart: a mean with its interval, or None where undefined."""

    label: str
    series: int
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Strip:
    """One row of a strip plot: every value of a series."""

    label: str
    series: int
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a stacked bar: counts in the order of the chart's categories."""

    label: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """One line: y over 0, 1, 2, …"""

    label: str
    series: int
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """One line over a few named places: (mean, low, high) at each, None where undefined."""

    label: str
    series: int
    values: tuple[tuple[float, float, float] | None, ...]


def _short(label: str, room: int = 15) -> str:
    """Cut in the middle: the end of ``mlfm@layers=1`` or ``my_agent.py:MyAgent`` says most."""
    if len(label) <= room:
        return label
    tail = 2 * (room - 1) // 3
    return f"{label[: room - 1 - tail]}…{label[-tail:]}"


def _series(index: int) -> str:
    return f"s{index % COLOURS}"


def _axis(scale: Scale, ticks: Sequence[float], top: float, bottom: float, caption: str) -> str:
    """Vertical grid lines with their numbers below, and the caption at the right end."""
    parts = []
    for tick in ticks:
        x = scale(tick)
        parts.append(tag("line", class_="grid", x1=x, x2=x, y1=top, y2=bottom))
        parts.append(text(x, bottom + 14, f"{tick:g}", class_="tick", text_anchor="middle"))
    parts.append(text(scale.end, bottom + 29, caption, class_="caption", text_anchor="end"))
    return "".join(parts)


def whiskers(
    groups: Sequence[tuple[str, Sequence[Whisker]]],
    caption: str,
    domain: tuple[float, float] = (0.0, 1.0),
) -> str:
    """Dots with 95 % whiskers, one row per series, grouped under headings (tasks).

    ``domain`` is the x range, widened to round numbers.
    """
    ticks = nice_ticks(*domain)
    scale = Scale(ticks[0], ticks[-1], _LEFT, WIDTH - _RIGHT - 30)
    parts: list[str] = []
    spoken: list[str] = []
    y = 4.0
    for heading, rows in groups:
        parts.append(text(0, y + 13, heading, class_="heading"))
        y += 21
        for row in rows:
            middle = y + _ROW / 2
            parts.append(text(10, middle + 4, _short(row.label), class_="row"))
            parts.append(tag("line", class_="guide", x1=_LEFT, x2=scale.end, y1=middle, y2=middle))
            parts.append(_whisker(row, scale, middle))
            spoken.append(f"{heading}, {row.label}: {_spoken(row)}")
            y += _ROW
        y += 7
    axis = _axis(scale, ticks, 8, y, caption)
    return picture(WIDTH, y + 36, f"{caption}. " + "; ".join(spoken), axis, *parts)


def _spoken(row: Whisker) -> str:
    if row.mean is None:
        return "undefined"
    if row.low is None or row.high is None:
        return f"{row.mean:.3f}"
    return f"{row.mean:.3f}, interval {row.low:.3f} to {row.high:.3f}"


def _whisker(row: Whisker, scale: Scale, y: float) -> str:
    if row.mean is None:
        return text(scale.end + 6, y + 4, "–", class_="value")
    parts = [title(f"{row.label}: {_spoken(row)}")]
    if row.low is not None and row.high is not None:
        x0, x1 = scale(row.low), scale(row.high)
        parts.append(tag("line", class_="whisker", x1=x0, x2=x1, y1=y, y2=y))
        parts += [tag("line", class_="cap", x1=x, x2=x, y1=y - 4, y2=y + 4) for x in (x0, x1)]
    parts.append(mark(row.series, scale(row.mean), y, 5))
    parts.append(text(scale.end + 8, y + 4, f"{row.mean:.2f}", class_="value"))
    return tag("g", *parts, class_=_series(row.series))


def interval_bar(
    mean: float, low: float, high: float, series: int, domain: tuple[float, float] = (0.0, 1.0)
) -> str:
    """A 60 × 8 interval for a table cell, whose numbers stand beside it (so it is decoration)."""
    scale = Scale(domain[0], domain[1], 3, 57)
    x0, x1 = scale(low), scale(high)
    return tag(
        "svg",
        tag("line", class_="track", x1=3, x2=57, y1=4, y2=4),
        tag("line", class_="whisker", x1=x0, x2=max(x1, x0 + 0.5), y1=4, y2=4),
        tag("circle", class_="mark", cx=scale(mean), cy=4, r=3),
        viewBox="0 0 60 8",
        class_=f"tiny {_series(series)}",
        aria_hidden="true",
        focusable="false",
    )


def quantile(values: Sequence[float], share: float) -> float:
    """The ``share`` quantile with linear interpolation (NumPy's default, Hyndman–Fan type 7)."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def strips(rows: Sequence[Strip], caption: str, line: float | None = None) -> str:
    """Every episode a dot; the box holds the middle half and the tick is the median.

    The axis ends at the largest value, or where 97.5 % of all values lie when a few are far out
    (they are drawn at the edge, and the caption says how many). ``line`` marks a reference value.
    """
    pooled = [v for row in rows for v in row.values]
    top = max([*pooled, line or 0.0])
    if len(pooled) > 20:
        most = max(quantile(pooled, 0.975), line or 0.0)
        top = most if top > 2.5 * most > 0 else top
    ticks = nice_ticks(0.0, top if top > 1e-6 else 1.0)
    scale = Scale(0.0, ticks[-1], _LEFT, WIDTH - _RIGHT)
    parts: list[str] = []
    spoken: list[str] = []
    y, height, beyond = 6.0, 36.0, 0
    for row in rows:
        middle = y + height / 2
        parts.append(text(0, middle + 4, _short(row.label), class_="row"))
        if row.values:
            parts.append(_strip(row, scale, middle))
            low, mid, high = (quantile(row.values, q) for q in (0.25, 0.5, 0.75))
            spoken.append(f"{row.label}: median {mid:.2f}, middle half {low:.2f} to {high:.2f}")
            beyond += sum(v > scale.high for v in row.values)
        else:
            parts.append(text(_LEFT, middle + 4, "no values", class_="empty"))
            spoken.append(f"{row.label}: no values")
        y += height
    thinned = any(len(row.values) > _MOST_DOTS for row in rows)
    notes = [f"{beyond} beyond the edge"] * (beyond > 0) + [f"{_MOST_DOTS} dots a row"] * thinned
    shown = caption + (f" ({', '.join(notes)})" if notes else "")
    axis = _axis(scale, ticks, 4, y, shown)
    if line is not None:
        axis += tag("line", class_="reference", x1=scale(line), x2=scale(line), y1=4, y2=y)
    return picture(WIDTH, y + 36, f"{shown}. " + "; ".join(spoken), axis, *parts)


def _strip(row: Strip, scale: Scale, y: float) -> str:
    low, mid, high = (scale(quantile(row.values, q)) for q in (0.25, 0.5, 0.75))
    parts = [
        tag("rect", class_="box", x=low, y=y - 9, width=max(high - low, 1.0), height=18, rx=3),
        tag("line", class_="median", x1=mid, x2=mid, y1=y - 11, y2=y + 11),
    ]
    for index, value in enumerate(_thinned(row.values)):
        offset = ((index * 0.6180339887) % 1.0 - 0.5) * 20  # golden-ratio jitter: even, repeatable
        parts.append(tag("circle", class_="speck", cx=scale(value), cy=y + offset, r=2.2))
    return tag("g", *parts, class_=_series(row.series))


def _thinned(values: Sequence[float]) -> Sequence[float]:
    """All values, or evenly many of their order statistics where they are too many to draw."""
    if len(values) <= _MOST_DOTS:
        return values
    ordered = sorted(values)
    return [ordered[round(i * (len(ordered) - 1) / (_MOST_DOTS - 1))] for i in range(_MOST_DOTS)]


def stacked(rows: Sequence[Bar], categories: Sequence[tuple[str, str]], caption: str) -> str:
    """Shares of outcomes per row. ``categories`` are (css class, name); counts stand inside."""
    scale = Scale(0.0, 1.0, _LEFT, WIDTH - _RIGHT)
    parts: list[str] = []
    spoken: list[str] = []
    y, height = 6.0, 30.0
    for row in rows:
        total = sum(row.counts)
        parts.append(text(0, y + 17, _short(row.label), class_="row"))
        done = 0
        for (style, name), count in zip(categories, row.counts, strict=True):
            if not count:
                continue
            x0, x1 = scale(done / total), scale((done + count) / total)
            done += count
            words = title(f"{name}: {count} of {total}")
            shape = tag("rect", words, class_=f"part {style}", x=x0, y=y, width=x1 - x0, height=22)
            parts.append(shape)
            if x1 - x0 > 8 + 7 * len(str(count)):
                inside = f"count {style}"
                parts.append(
                    text((x0 + x1) / 2, y + 15, str(count), class_=inside, text_anchor="middle")
                )
        named = [f"{n} {c}" for (_, n), c in zip(categories, row.counts, strict=True) if c]
        spoken.append(f"{row.label}: " + ", ".join(named))
        y += height
    axis = _axis(scale, (0.0, 0.25, 0.5, 0.75, 1.0), 2, y, caption)
    return picture(WIDTH, y + 36, f"{caption}. " + "; ".join(spoken), axis, *parts)


def curves(
    lines: Sequence[Curve], caption: str, y_caption: str, threshold: float | None = None
) -> str:
    """Lines over steps, from y = 0; ``threshold`` is a horizontal reference (success distance)."""
    finite = [v for c in lines for v in c.values if math.isfinite(v)]
    steps = max([len(c.values) - 1 for c in lines] + [1])
    y_ticks = nice_ticks(0.0, max([*finite, threshold or 0.0, 1e-9]), 4)
    x_ticks = nice_ticks(0.0, float(steps), 5)
    height = 168.0
    xs = Scale(0.0, float(steps), 34, WIDTH - _RIGHT)
    ys = Scale(0.0, y_ticks[-1], height - 4, 20)
    parts = [text(0, 10, y_caption, class_="caption")]
    for tick in y_ticks:
        y = ys(tick)
        parts.append(tag("line", class_="grid", x1=xs.start, x2=xs.end, y1=y, y2=y))
        parts.append(text(28, y + 4, f"{tick:g}", class_="tick", text_anchor="end"))
    parts += [
        text(xs(t), height + 11, f"{t:g}", class_="tick", text_anchor="middle")
        for t in x_ticks
        if t <= steps
    ]
    parts.append(text(xs.end, height + 26, caption, class_="caption", text_anchor="end"))
    if threshold is not None:
        y = ys(threshold)
        parts.append(tag("line", class_="reference", x1=xs.start, x2=xs.end, y1=y, y2=y))
    spoken = []
    for line in lines:
        shown = [(i, v) for i, v in enumerate(line.values) if math.isfinite(v)]
        if not shown:
            continue
        points = " ".join(f"{number(xs(i))},{number(ys(v))}" for i, v in shown)
        style = _series(line.series)
        parts.append(
            tag(
                "polyline",
                class_=f"curve {style}",
                points=points,
                stroke_dasharray=dash(line.series),
                data_series=str(line.series),
            )
        )
        end = mark(line.series, xs(shown[-1][0]), ys(shown[-1][1]), 3.5)
        parts.append(tag("g", end, class_=style))
        spoken.append(f"{line.label}: from {shown[0][1]:.1f} to {shown[-1][1]:.1f}")
    reach = {"data_start": number(xs.start), "data_end": number(xs.end)}
    parts.append(
        tag("line", class_="cursor", x1=xs.start, x2=xs.start, y1=20, y2=height - 4, **reach)
    )
    label = f"{y_caption} over {caption}. " + "; ".join(spoken)
    return picture(WIDTH, height + 32, label, *parts, class_="chart curves")


def profiles(lines: Sequence[Profile], places: Sequence[str], caption: str, y_caption: str) -> str:
    """Values from 0 of every series over named places, with their intervals, side by side."""
    height = 190.0
    known = [value[2] for line in lines for value in line.values if value is not None]
    ticks = nice_ticks(0.0, max(known, default=1.0), 4)
    ys = Scale(0.0, ticks[-1], height - 4, 20)
    room = (WIDTH - _RIGHT - 40) / len(places)
    gap = min(9.0, 0.72 * room / max(1, len(lines)))
    parts = [text(0, 10, y_caption, class_="caption")]
    for tick in ticks:
        y = ys(tick)
        parts.append(tag("line", class_="grid", x1=40, x2=WIDTH - _RIGHT, y1=y, y2=y))
        parts.append(text(34, y + 4, f"{tick:g}", class_="tick", text_anchor="end"))
    middles = [40 + (i + 0.5) * room for i in range(len(places))]
    for x, name in zip(middles, places, strict=True):
        parts.append(text(x, height + 13, name, class_="tick", text_anchor="middle"))
    parts.append(text(WIDTH - _RIGHT, height + 28, caption, class_="caption", text_anchor="end"))
    spoken = []
    for count, line in enumerate(lines):
        shift = (count - (len(lines) - 1) / 2) * gap
        seen = [
            (x + shift, name, *value)
            for x, name, value in zip(middles, places, line.values, strict=True)
            if value is not None
        ]
        points = " ".join(f"{number(x)},{number(ys(mean))}" for x, _, mean, _, _ in seen)
        shapes = [
            tag("polyline", class_="trend", points=points, stroke_dasharray=dash(line.series))
        ]
        for x, name, mean, low, high in seen:
            words = f"{line.label}, {name}: {mean:.3f}, interval {low:.3f} to {high:.3f}"
            whisker = tag("line", class_="whisker", x1=x, x2=x, y1=ys(low), y2=ys(high))
            shapes.append(tag("g", title(words), whisker, mark(line.series, x, ys(mean), 4)))
            spoken.append(words)
        parts.append(tag("g", *shapes, class_=_series(line.series)))
    label = f"{y_caption} by {caption}. " + "; ".join(spoken)
    return picture(WIDTH, height + 34, label, *parts)


def legend_mark(series: int) -> str:
    """The mark of a series beside its name (decoration: the name says it)."""
    return tag(
        "svg",
        tag("line", class_="curve", x1=1, x2=27, y1=8, y2=8, stroke_dasharray=dash(series)),
        mark(series, 14, 8, 4.5),
        viewBox="0 0 28 16",
        class_=f"key {_series(series)}",
        aria_hidden="true",
        focusable="false",
    )
