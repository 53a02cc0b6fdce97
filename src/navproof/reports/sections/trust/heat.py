"""The heat map of a trust report: agents × corruptions, as SVG.

Shades are classes ``h0`` (nothing retained) to ``h10`` (everything); the style sheet's ramp for
them rises in lightness too, so that it survives colour blindness and grey paper. What has no value
is told apart by its texture: hatched where a condition was skipped, dashed where it is undefined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from navproof.reports.draw.svg import number, picture, tag, text, title

__all__ = ["SHADES", "Column", "Line", "Tile", "bands", "heat_map", "scale_bar", "shade_of"]

SHADES = 11
_CELL, _ROW, _GAP = 34.0, 32.0, 9.0
_RIGHT = 26.0
_LEAN_DEG = 50.0
_WIDEST_BAND = 14
_ROOM = 36  # characters for the label of a row
_MARKS = {"easy": "E", "medium": "M", "hard": "H"}


@dataclass(frozen=True, slots=True)
class Tile:
    """One cell: ``shown`` is printed in it, ``words`` say it in full; ``value`` gives its shade."""

    kind: Literal["value", "undefined", "skipped", "absent"]
    words: str
    shown: str = ""
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class Column:
    """One corruption: the lines of its name, its family's name, its difficulty ("" if unknown)."""

    name: tuple[str, ...]
    family: str
    grade: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One row: a cell per column, and the mean of them at the end. ``note`` stands small under
    the label, or instead of it."""

    label: str
    tiles: tuple[Tile, ...]
    mean: Tile
    note: str = ""


def shade_of(value: float) -> int:
    """The shade of a retention; what exceeds 1 has the last."""
    return min(max(round(value * (SHADES - 1)), 0), SHADES - 1)


def bands(columns: Sequence[Column]) -> list[tuple[int, int]]:
    """Columns from … to, whole families together, narrow enough for a sheet of paper."""
    found: list[tuple[int, int]] = []
    for _, members in groupby(range(len(columns)), key=lambda i: columns[i].family):
        family = list(members)
        if found and family[-1] + 1 - found[-1][0] <= _WIDEST_BAND:
            begin = found.pop()[0]
        else:
            begin = family[0]
        found.append((begin, family[-1] + 1))
    return found


def heat_map(lines: Sequence[Line], columns: Sequence[Column], mean: str, label: str) -> str:
    """Rows are ``lines``; ``mean`` heads the last column (none where it is empty), ``label`` is
    the text alternative."""
    left = 14 + 6.5 * max((len(_fitting(line.label, _ROOM)) for line in lines), default=0)
    left = max(left, 14 + 5.5 * max((len(line.note) for line in lines), default=0), 70.0)
    places = _places(columns, left)
    head = 26 + max((len(_fitting(part)) for c in columns for part in c.name), default=0) * 5.2
    end = places[-1] + _CELL if places else left
    total = end + 1.6 * _GAP
    bottom = head + _ROW * len(lines)
    width = (total + _CELL + 6 if mean else end) + _RIGHT
    parts = [_name(column, x, head) for column, x in zip(columns, places, strict=True)]
    if mean:
        parts.append(_leaning((mean,), total + 3, head, "heading"))
    for index, line in enumerate(lines):
        y = head + index * _ROW
        parts += _label(line, y)
        parts += [_tile(t, x, y, _CELL) for t, x in zip(line.tiles, places, strict=True)]
        if mean:
            parts.append(_tile(line.mean, total, y, _CELL + 6))
    parts += _grades(columns, places, bottom)
    parts += _families(columns, places, bottom + 26)
    drawn = picture(width, bottom + 52, label, *parts, class_="chart heatmap")
    return drawn.replace("<svg ", f'<svg style="--w:{number(width)}px" ', 1)


def _label(line: Line, y: float) -> list[str]:
    both = bool(line.label and line.note)
    middle = y + _ROW / 2 + 4
    parts = []
    if line.label:
        shown = text(0, middle - 6 * both, _fitting(line.label, _ROOM), class_="row")
        parts.append(tag("g", title(line.label), shown))
    if line.note:
        parts.append(text(0, middle + 8 * both, line.note, class_="tick"))
    return parts


def _places(columns: Sequence[Column], x: float) -> list[float]:
    """The left edge of every column; a gap stands between families."""
    places = []
    for index, column in enumerate(columns):
        if index and column.family != columns[index - 1].family:
            x += _GAP
        places.append(x)
        x += _CELL
    return places


def _fitting(label: str, room: int = 28) -> str:
    return label if len(label) <= room else f"{label[: room - 15]}…{label[-14:]}"


def _name(column: Column, x: float, head: float) -> str:
    return _leaning(column.name, x, head, "row", column.words)


def _leaning(lines: Sequence[str], x: float, head: float, style: str, words: str = "") -> str:
    """Text that leans to the right over its column, one line behind the other."""
    turn = f"translate({number(x + _CELL / 2)} {number(head - 7)}) rotate({number(-_LEAN_DEG)})"
    style += " small" if len(lines) > 1 else ""
    first = 4 - 5 * (len(lines) - 1)
    drawn = [
        text(8 * i, first + 11 * i, _fitting(line), class_=style) for i, line in enumerate(lines)
    ]
    return tag("g", *([title(words)] if words else []), *drawn, transform=turn)


def _tile(tile: Tile, x: float, y: float, width: float) -> str:
    inner_w, inner_h = width - 2, _ROW - 2
    box = {"x": x + 1, "y": y + 1, "width": inner_w, "height": inner_h, "rx": 3.0}
    middle = {"text_anchor": "middle"}
    parts = [title(tile.words)]
    if tile.kind == "value":
        shade = shade_of(tile.value)
        parts.append(tag("rect", class_=f"tile h{shade}", **box))
        parts.append(text(x + width / 2, y + 20.5, tile.shown, class_=f"on h{shade}", **middle))
    elif tile.kind == "absent":
        parts.append(text(x + width / 2, y + 20, "·", class_="tick", **middle))
    else:
        parts.append(tag("rect", class_=f"tile {tile.kind}", **box))
        if tile.kind == "skipped":
            parts.append(_hatching(x + 1, y + 1, inner_w, inner_h))
        if tile.shown:
            parts.append(text(x + width / 2, y + 20, tile.shown, class_="unsaid", **middle))
    return tag("g", *parts)


def _hatching(x: float, y: float, width: float, height: float) -> str:
    """Diagonals from corner to corner of a grid, cut at the edges."""
    strokes, step = [], 8.0
    offset = step - height
    while offset < width:
        x0, x1 = max(offset, 0.0), min(offset + height, width)
        ends = (x + x0, y + height - (x0 - offset), x + x1, y + height - (x1 - offset))
        strokes.append("M{} {}L{} {}".format(*map(number, ends)))
        offset += step
    return tag("path", class_="hatch", d="".join(strokes))


def _grades(columns: Sequence[Column], places: Sequence[float], y: float) -> list[str]:
    """Under each column, the letter of its difficulty."""
    if not any(c.grade for c in columns):
        return []
    parts = [text(places[0] - 8, y + 17, "difficulty", class_="tick", text_anchor="end")]
    for column, x in zip(columns, places, strict=True):
        if column.grade:
            at = {"text_anchor": "middle", "class_": f"grade {column.grade}"}
            letter = text(x + _CELL / 2, y + 17, _MARKS[column.grade], **at)
            parts.append(tag("g", title(column.grade), letter))
    return parts


def _families(columns: Sequence[Column], places: Sequence[float], y: float) -> list[str]:
    """A bracket with the family's name under its columns."""
    parts = []
    pairs = zip(columns, places, strict=True)
    for family, members in groupby(pairs, key=lambda pair: pair[0].family):
        xs = [x for _, x in members]
        left, right = xs[0] + 2, xs[-1] + _CELL - 2
        shape = f"M{number(left)} {number(y - 4)}V{number(y)}H{number(right)}V{number(y - 4)}"
        parts.append(tag("path", class_="ruler", d=shape))
        middle = (left + right) / 2
        parts.append(text(middle, y + 16, family, class_="heading", text_anchor="middle"))
    return parts


def scale_bar() -> str:
    """The ramp from 0 to 1 with its numbers."""
    size = 22.0
    parts = [
        tag("rect", class_=f"tile h{i}", x=i * size, y=0, width=size, height=12)
        for i in range(SHADES)
    ]
    last = SHADES * size
    parts += [
        text(0, 26, "0: all lost", class_="tick"),
        text(last / 2, 26, "0.5", class_="tick", text_anchor="middle"),
        text(last, 26, "1: all retained", class_="tick", text_anchor="end"),
    ]
    words = "Colour scale of retention from 0, dark blue, to 1, yellow"
    return picture(last, 30, words, *parts, class_="chart ramp")
