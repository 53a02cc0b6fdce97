"""Statistics of episodes as pictures and one page: ``write_stats``."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import jinja2
from markupsafe import Markup

from navproof import __version__
from navproof.core.errors import EpisodeError
from navproof.core.files import write_atomically
from navproof.reports.dataset.mission_stats import MissionStats
from navproof.reports.dataset.stats import EXTENDED, FEATURES, DatasetStats
from navproof.reports.draw.charts import WIDTH
from navproof.reports.draw.svg import Scale, nice_ticks, picture, tag, text, title

__all__ = ["bars", "figures", "write_stats"]

_LEFT, _RIGHT, _ROW = 112.0, 46.0, 19.0
_MOST_BARS = 40
_BIN_M, _BIN_S, _BIN_WORDS = 2.5, 10.0, 10.0
Stats = DatasetStats | MissionStats
_STYLE = (
    "text{font:12px Inter,'Helvetica Neue','Liberation Sans',Arial,sans-serif;fill:#1b1f24}"
    ".tick,.caption{fill:#59626d;font-size:11px}.grid{stroke:#eae7e0}.value{font-weight:600}"
    ".s0{fill:#0072b2}.s1{fill:#d55e00}svg{background:#fff}"
)
"""Colours of a chart that stands alone; on the page the report's style sheet gives them."""


def write_stats(sets: Sequence[Stats], folder: Path) -> list[Path]:
    """Write ``index.html``, ``stats.json`` and one SVG a figure; returns what was written."""
    files: dict[str, str] = {
        "index.html": _page(sets),
        "stats.json": json.dumps([s.plain() for s in sets], indent=1, allow_nan=False) + "\n",
    }
    for stats in sets:
        for name, (_, drawing) in figures(stats).items():
            files[f"{_stem(stats.name)}-{name}.svg"] = _standalone(drawing)
    try:
        for name, body in files.items():
            write_atomically(folder / name, body.encode())
    except OSError as error:
        raise EpisodeError(f"{folder}: cannot be written ({error.strerror})") from None
    return [folder / name for name in files]


def figures(stats: Stats) -> dict[str, tuple[str, str]]:
    """(heading, SVG) by name; a figure without data is left out."""
    return _of_missions(stats) if isinstance(stats, MissionStats) else _of_goals(stats)


def _of_missions(stats: MissionStats) -> dict[str, tuple[str, str]]:
    parts = sum(stats.by_skill.values())
    lengths = _counted(stats.by_length, "sub-instruction")
    drawn: dict[str, tuple[str, Mapping[str, float], str]] = {
        "skills": (
            "Share of each skill",
            _percent(stats.by_skill, parts),
            "% of sub-instructions",
        ),
        "lengths": ("Length of missions", _percent(lengths, stats.episodes), "% of missions"),
        "steps": ("Which skill follows which", _shortened(stats.by_step), "pairs of sub-tasks"),
        "words": ("Words of an instruction", _binned(stats.words, _BIN_WORDS, ""), "missions"),
        "styles": ("Mean words by style", _rounded(stats.words_by_style), "words"),
        "seconds": ("Time of the expert", _binned(stats.seconds, _BIN_S, " s"), "missions"),
        "metres": ("Way of the expert", _binned(stats.metres), "missions"),
        "questions": ("Kinds of questions", stats.by_question, "missions"),
        "robots": ("Robots", stats.by_robot, "missions"),
        "places": ("Kinds of scenes", stats.by_place, "missions"),
        "people": (
            "People about",
            {f"{n}": c for n, c in stats.by_people.items()},
            "missions by number of people",
        ),
    }
    return {name: (head, bars(rows, what)) for name, (head, rows, what) in drawn.items() if rows}


def _of_goals(stats: DatasetStats) -> dict[str, tuple[str, str]]:
    goals, share = stats.descriptions, "% of goal descriptions"
    found: dict[str, tuple[str, str]] = {}
    if stats.goals_by_category:
        rows = _shortened(stats.goals_by_category)
        found["categories"] = ("How often each category is a goal", bars(rows, "goals"))
    if stats.features:
        named = {n: c for n in (*FEATURES, *EXTENDED) if (c := stats.by_feature.get(n, 0))}
        bare = {"no feature": stats.by_feature_count.get(0, 0)}
        rows = _percent(bare | named, goals)
        heading = "Share of descriptions with each linguistic feature"
        found["features"] = (heading, bars(rows, share, accent=tuple(bare)))
        rows = _percent(_counted(stats.by_feature_count, "feature"), goals)
        found["detail"] = ("Share of descriptions by number of features", bars(rows, share))
    if stats.by_instances:
        rows = _percent(_counted(stats.by_instances, "object"), sum(stats.by_instances.values()))
        found["instances"] = (
            "Share of descriptions by how many objects they fit",
            bars(rows, share),
        )
    if stats.first_legs_m:
        rows = _binned(stats.first_legs_m)
        found["first-legs"] = ("Way from the start to the first goal", bars(rows, "episodes"))
    if stats.later_legs_m:
        rows = _binned(stats.later_legs_m)
        found["later-legs"] = ("Way from a goal to the next", bars(rows, "goals"))
    if stats.words:
        rows = _shortened(_counted(Counter(stats.words), "word"))
        found["words"] = ("Length of descriptions", bars(rows, "descriptions"))
    return found


def bars(rows: Mapping[str, float], caption: str, accent: Sequence[str] = ()) -> str:
    """Horizontal bars from 0, one a row, its number at its end. Rows in ``accent`` stand out."""
    ticks = nice_ticks(0.0, max([*rows.values(), 1e-9]), 4)
    scale = Scale(0.0, ticks[-1], _LEFT, WIDTH - _RIGHT)
    parts: list[str] = []
    y = 4.0
    for label, value in rows.items():
        x = scale(value)
        style = "s1" if label in accent else "s0"
        shape = tag(
            "rect",
            title(f"{label}: {value:g}"),
            class_=f"part {style}",
            x=_LEFT,
            y=y + 3,
            width=max(x - _LEFT, 0.5),
            height=_ROW - 6,
            rx=1.5,
        )
        parts += [
            text(_LEFT - 6, y + 14, label, class_="row", text_anchor="end"),
            shape,
            text(x + 5, y + 14, f"{value:g}", class_="value"),
        ]
        y += _ROW
    y += 2
    grid = []
    for tick in ticks:
        x = scale(tick)
        grid.append(tag("line", class_="grid", x1=x, x2=x, y1=4, y2=y))
        grid.append(text(x, y + 14, f"{tick:g}", class_="tick", text_anchor="middle"))
    grid.append(text(scale.end, y + 29, caption, class_="caption", text_anchor="end"))
    spoken = "; ".join(f"{label}: {value:g}" for label, value in rows.items())
    return picture(WIDTH, y + 36, f"{caption}. {spoken}", *grid, *parts)


def _shortened(rows: Mapping[str, float]) -> dict[str, float]:
    """The first rows, and the rest in one, where they are too many for a picture."""
    names = list(rows)
    kept = {n: rows[n] for n in names[:_MOST_BARS]}
    rest = names[_MOST_BARS:]
    return kept | ({f"{len(rest)} others": sum(rows[n] for n in rest)} if rest else {})


def _percent(rows: Mapping[str, float], total: int) -> dict[str, float]:
    return {name: round(100.0 * count / total, 1) for name, count in rows.items()}


def _counted(rows: Mapping[int, int], what: str) -> dict[str, int]:
    """Rows by number, the number with its noun: "1 word", "2 words"."""
    return {f"{n} {what}" + ("" if n == 1 else "s"): rows[n] for n in sorted(rows)}


def _stem(name: str) -> str:
    """A set's name as the beginning of a file name."""
    plain = name.removesuffix(".gz").removesuffix(".jsonl")
    return "".join(c if c.isalnum() or c in "-." else "-" for c in plain).strip("-.") or "set"


def _binned(values: Sequence[float], width: float = _BIN_M, unit: str = " m") -> dict[str, float]:
    """Counts in bins so wide."""
    edges = [k * width for k in range(math.floor(max(values, default=0.0) / width) + 2)]
    return {
        f"{low:g}–{high:g}{unit}": sum(low <= v < high for v in values)
        for low, high in (pairwise(edges) if values else ())
    }


def _rounded(rows: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 1) for name, value in rows.items()}


def _standalone(drawing: str) -> str:
    head = '<svg xmlns="http://www.w3.org/2000/svg" '
    return drawing.replace("<svg ", head, 1).replace(">", f"><style>{_STYLE}</style>", 1) + "\n"


def _page(sets: Sequence[Stats]) -> str:
    environment = jinja2.Environment(  # not strict: the report's style sheet has loops of its own
        loader=jinja2.PackageLoader("navproof.reports", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    tables = [s.table() for s in sets]
    return environment.get_template("dataset.html.j2").render(
        sets=sets,
        rows=[(row, [_number(t[row]) for t in tables]) for row in tables[0]],
        figures=[
            (s.name, [(name, head, Markup(svg)) for name, (head, svg) in figures(s).items()])
            for s in sets
        ],
        version=__version__,
    )


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.1f}"
