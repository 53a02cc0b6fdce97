"""Sensitivity curves and the radar of a trust report, as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from navproof.reports.draw.svg import COLOURS, Scale, dash, mark, number, picture, tag, text, title

__all__ = ["Response", "Web", "radar", "sensitivity"]

_PANEL = (236.0, 150.0)
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Response:
    """One agent's line: (intensity, retention, low, high) by rising intensity; ``half`` is the
    intensity at which half of the clean score is lost, None if it never is."""

    label: str
    series: int
    points: tuple[tuple[float, float, float | None, float | None], ...]
    half: float | None = None


@dataclass(frozen=True, slots=True)
class Web:
    """One agent on a radar: a value per ray, None where it has none."""

    label: str
    series: int
    values: tuple[float | None, ...]


def _series(index: int) -> str:
    return f"s{index % COLOURS}"


def sensitivity(heading: str, lines: Sequence[Response], measure: str = "SR") -> str:
    """Retention over intensity, a line per agent with its interval as a band; half of the clean
    score is a dashed level, and a tick on the axis says where a line falls through it."""
    width, height = _PANEL
    highest = max([1.0, *(p[1] for line in lines for p in line.points)])
    xs = Scale(0.0, 1.0, 30, width - 10)
    ys = Scale(0.0, math.ceil(highest * 10 - 1e-9) / 10, height - 20, 24)
    parts = [text(0, 12, heading, class_="heading")]
    for level in (0.0, 0.5, 1.0):
        style = "reference" if level == HALF else "grid"
        y = ys(level)
        parts.append(tag("line", class_=style, x1=xs.start, x2=xs.end, y1=y, y2=y))
        parts.append(text(25, y + 4, f"{level:g}", class_="tick", text_anchor="end"))
    for x in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(text(xs(x), height - 5, f"{x:g}", class_="tick", text_anchor="middle"))
    spoken = []
    for line in lines:
        parts.append(_response(line, xs, ys))
        spoken.append(f"{line.label}: {_told(line)}")
    label = f"Retention of {measure} over intensity, {heading}. " + "; ".join(spoken)
    return picture(width, height, label, *parts, class_="chart panel")


def _told(line: Response) -> str:
    values = ", ".join(f"{x:g} → {y:.2f}" for x, y, _, _ in line.points)
    return f"{values}; {_half(line)}"


def _half(line: Response) -> str:
    return "half is never lost" if line.half is None else f"half is lost at {line.half:.2f}"


def _response(line: Response, xs: Scale, ys: Scale) -> str:
    parts = [title(f"{line.label}: {_told(line)}")]
    banded = [(x, low, high) for x, _, low, high in line.points if low is not None and high]
    if len(banded) > 1:
        upper = [f"{number(xs(x))},{number(ys(high))}" for x, _, high in banded]
        lower = [f"{number(xs(x))},{number(ys(low or 0.0))}" for x, low, _ in reversed(banded)]
        parts.append(tag("polygon", class_="band", points=" ".join([*upper, *lower])))
    path = " ".join(f"{number(xs(x))},{number(ys(y))}" for x, y, _, _ in line.points)
    parts.append(tag("polyline", class_="curve", points=path, stroke_dasharray=dash(line.series)))
    parts += [mark(line.series, xs(x), ys(y), 3) for x, y, _, _ in line.points if x > 0]
    if line.half is not None:
        x, y = xs(line.half), ys(0.0)
        parts.append(tag("line", class_="drop", x1=x, x2=x, y1=ys(HALF), y2=y))
        parts.append(mark(line.series, x, y, 3.4, hollow=True))
    return tag("g", *parts, class_=_series(line.series))


def radar(
    rays: Sequence[str], webs: Sequence[Web], measure: str = "PRS-SR", per: str = "family"
) -> str:
    """A web per agent over at least three rays (families); a ray without a value leaves a gap."""
    width, height, radius = 340.0, 268.0, 104.0
    cx, cy = width / 2, height / 2 + 10
    highest = max([1.0, *(v for w in webs for v in w.values if v is not None)])
    out = Scale(0.0, math.ceil(highest * 10 - 1e-9) / 10, 0.0, radius)
    angles = [2 * math.pi * i / len(rays) - math.pi / 2 for i in range(len(rays))]

    def at(value: float, index: int) -> tuple[float, float]:
        reach = out(value)
        return cx + reach * math.cos(angles[index]), cy + reach * math.sin(angles[index])

    parts = []
    for level in (0.25, 0.5, 0.75, 1.0):
        ring = " ".join("{},{}".format(*map(number, at(level, i))) for i in range(len(rays)))
        parts.append(tag("polygon", class_="ring outer" if level == 1.0 else "ring", points=ring))
        x, y = at(level, 0)
        parts.append(text(x + 4, y + 11, f"{level:g}", class_="tick on-ring"))
    for index, name in enumerate(rays):
        x, y = at(out.high, index)
        parts.append(tag("line", class_="grid", x1=cx, y1=cy, x2=x, y2=y))
        parts.append(_ray_name(name, x, y, angles[index]))
    spoken = []
    for web in webs:
        spots = [at(v, i) if v is not None else None for i, v in enumerate(web.values)]
        said = ", ".join(
            f"{name} {'undefined' if v is None else f'{v:.2f}'}"
            for name, v in zip(rays, web.values, strict=True)
        )
        spoken.append(f"{web.label}: {said}")
        parts.append(_web(web, spots, spoken[-1]))
    return picture(width, height, f"{measure} per {per}. " + "; ".join(spoken), *parts)


def _ray_name(name: str, x: float, y: float, angle: float) -> str:
    side = math.cos(angle)
    anchor = "middle" if abs(side) < 0.3 else "start" if side > 0 else "end"
    down = 4 + 9 * math.sin(angle)
    return text(x + 9 * side, y + down, name, class_="heading", text_anchor=anchor)


def _web(web: Web, spots: Sequence[tuple[float, float] | None], words: str) -> str:
    parts = [title(words)]
    count = len(spots)
    for i, spot in enumerate(spots):
        after = spots[(i + 1) % count]
        if spot is not None and after is not None:
            ends = {"x1": spot[0], "y1": spot[1], "x2": after[0], "y2": after[1]}
            parts.append(tag("line", class_="curve", stroke_dasharray=dash(web.series), **ends))
    known = [s for s in spots if s is not None]
    if len(known) == count:
        shape = " ".join("{},{}".format(*map(number, s)) for s in known)
        parts.insert(1, tag("polygon", class_="band", points=shape))
    parts += [mark(web.series, *s, 4) for s in known]
    return tag("g", *parts, class_=_series(web.series))
