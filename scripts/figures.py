"""Charts of the report as pictures of their own, for the results pages.

A chart of ``navproof.reports`` has no colours: the report's style sheet gives them. Here the rules
that charts need are taken from it, so that a picture looks as the report does, in light and dark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from xml.sax.saxutils import escape

from navproof.reports.draw.charts import legend_mark
from navproof.reports.draw.svg import number, tag, text

_SHEETS = ("style.css", "trust.css")
_DARK = re.compile(r"\{% macro dark\(\) %\}(.*?)\{% endmacro %\}", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_DRAWN = re.compile(
    r"(svg )?(text|\.(grid|reference|tick|caption|heading|curve|band|mark|mark\.hollow|whisker|drop"
    r"|s\d))"
)
_COLOUR = re.compile(r"--(?:a\d|ink|muted|grid|surface|sans): [^;]+;")
_HEAD, _GAP, _EDGE, _KEY = 26.0, 26.0, 14.0, 22.0
_PLACE = 'x="{}" y="{}" width="{}" height="{}" '


def sheet(charts: Sequence[tuple[str, str]], names: Sequence[str], columns: int = 2) -> str:
    """One SVG: (heading, chart) side by side, and below them the names of the series in order."""
    sizes = [_size(chart) for _, chart in charts]
    wide, high = max(w for w, _ in sizes), max(h for _, h in sizes)
    head = _HEAD if any(heading for heading, _ in charts) else 0.0
    parts = []
    for index, ((heading, chart), (w, h)) in enumerate(zip(charts, sizes, strict=True)):
        row, column = divmod(index, columns)
        x, y = _EDGE + column * (wide + _GAP), _EDGE + row * (high + head + _GAP)
        if heading:
            parts.append(text(x, y + 12, heading, class_="heading"))
        parts.append(_put(chart, x, y + head, w, h))
    rows = -(-len(charts) // columns)
    across = min(columns, len(charts))
    width = 2 * _EDGE + across * wide + (across - 1) * _GAP
    below = _EDGE + rows * (high + head + _GAP)
    x = _EDGE
    for series, name in enumerate(names):
        room = 44 + 6.8 * len(name)
        if x > _EDGE and x + room > width:
            x, below = _EDGE, below + _KEY
        parts += [_put(legend_mark(series), x, below, 28, 16), text(x + 34, below + 12, name)]
        x += room
    height = below + _KEY + _EDGE / 2
    paper = tag("rect", width="100%", height="100%", style="fill: var(--surface)")
    box = f'viewBox="0 0 {number(width)} {number(height)}" width="{number(width)}"'
    said = escape("; ".join(heading for heading, _ in charts if heading), {'"': "&quot;"})
    head_tag = f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" aria-label="{said}">'
    return "\n".join([head_tag, f"<style>{_style()}</style>", paper, *parts, "</svg>", ""])


def _size(chart: str) -> tuple[float, float]:
    found = re.match(r'<svg viewBox="0 0 (\S+) (\S+)"', chart)
    if found is None:
        raise ValueError(f"not a chart of the report: {chart[:60]}")
    return float(found[1]), float(found[2])


def _put(chart: str, x: float, y: float, width: float, height: float) -> str:
    place = _PLACE.format(*(number(v) for v in (x, y, width, height)))
    return chart.replace("<svg ", f"<svg {place}", 1)


def _style() -> str:
    """The colours, and the rules of what a chart is drawn with."""
    folder = files("navproof.reports") / "templates"
    css = "\n".join((folder / name).read_text(encoding="utf-8") for name in _SHEETS)
    dark = _DARK.search(css)
    light = re.search(r":root \{(.*?)\}", css, re.DOTALL)
    if dark is None or light is None:
        raise ValueError("the report's style sheet has no colours")
    rules = []
    for selectors, body in _RULE.findall(_DARK.sub("", css)):
        kept = [s.strip() for s in selectors.split(",") if _DRAWN.fullmatch(s.strip())]
        if kept:
            rules.append(f"{', '.join(kept)} {{{body}}}")
    colours = [" ".join(_COLOUR.findall(block)) for block in (light[1], dark[1])]
    return "\n".join(
        [
            f":root {{ {colours[0]} }}",
            f"@media (prefers-color-scheme: dark) {{ :root {{ {colours[1]} }} }}",
            *dict.fromkeys(rules),
        ]
    )
