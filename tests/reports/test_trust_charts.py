"""The heat map, the sensitivity curves, the radar and the word diff: well-formed, told in words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from navproof.reports.sections.trust.charts import Response, Web, radar, sensitivity
from navproof.reports.sections.trust.diff import word_diff
from navproof.reports.sections.trust.heat import (
    SHADES,
    Column,
    Line,
    Tile,
    bands,
    heat_map,
    scale_bar,
    shade_of,
)

EVIL = '<b onload="x">&'


def columns(counts: dict[str, int]) -> list[Column]:
    return [Column((f"{f} {i}",), f, "hard") for f, n in counts.items() for i in range(n)]


def drawn(tiles: list[Tile]) -> ET.Element:
    heads = [Column((f"c{i}",), "RGB", "easy") for i in range(len(tiles))]
    line = Line("agent", tuple(tiles), Tile("value", "mean", "0.50", 0.5))
    return ET.fromstring(heat_map([line], heads, "PRS-SR", "what it shows"))


def test_cells_print_their_value_and_say_why_they_have_none() -> None:
    root = drawn(
        [
            Tile("value", "a: 0.89", "0.89", 0.89),
            Tile("undefined", "b: undefined, the clean score is 0", "undef."),
            Tile("skipped", "c: skipped, it has no depth sensor"),
            Tile("absent", "d: not run"),
        ]
    )
    assert root.get("role") == "img"
    assert root.get("aria-label") == "what it shows"
    words = [t.text for t in root.iter("text")]
    assert {"0.89", "undef.", "0.50", "PRS-SR", "RGB"} <= set(words)
    titles = [t.text for t in root.iter("title")]
    assert "c: skipped, it has no depth sensor" in titles
    assert "b: undefined, the clean score is 0" in titles
    classes = [r.get("class") for r in root.iter("rect")]
    assert classes == ["tile h9", "tile undefined", "tile skipped", "tile h5"]
    assert len([p for p in root.iter("path") if p.get("class") == "hatch"]) == 1


def test_shades_rise_with_retention_and_end_at_one() -> None:
    shades = [shade_of(v / 100) for v in range(131)]
    assert shades == sorted(shades)
    assert (shades[0], shades[100], shades[130]) == (0, SHADES - 1, SHADES - 1)
    assert len(list(ET.fromstring(scale_bar()).iter("rect"))) == SHADES


def test_hatching_stays_inside_its_cell() -> None:
    root = drawn([Tile("skipped", "x")])
    (rect,) = [r for r in root.iter("rect") if r.get("class") == "tile skipped"]
    left, top = float(rect.get("x", "")), float(rect.get("y", ""))
    right, bottom = left + float(rect.get("width", "")), top + float(rect.get("height", ""))
    (hatch,) = [p for p in root.iter("path") if p.get("class") == "hatch"]
    points = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", hatch.get("d", ""))
    assert points
    for x, y in points:
        assert left - 0.01 <= float(x) <= right + 0.01
        assert top - 0.01 <= float(y) <= bottom + 0.01


def test_bands_hold_every_column_once_and_whole_families() -> None:
    heads = columns({"RGB": 8, "depth": 4, "instruction": 9, "mixed": 2, "body": 8})
    assert bands(heads) == [(0, 12), (12, 23), (23, 31)]
    assert bands(columns({"RGB": 3})) == [(0, 3)]
    assert bands([]) == []


def test_names_in_charts_are_escaped() -> None:
    line = Line(EVIL, (Tile("value", EVIL, "1.00", 1.0),), Tile("absent", EVIL))
    for svg in (
        heat_map([line], [Column((EVIL,), EVIL, "", EVIL)], EVIL, EVIL),
        sensitivity(EVIL, [Response(EVIL, 0, ((0.0, 1.0, None, None), (1.0, 0.2, 0.1, 0.3)), 0.6)]),
        radar([EVIL, "b", "c"], [Web(EVIL, 0, (1.0, 0.5, None))]),
    ):
        assert "<b " not in svg
        assert ET.fromstring(svg).get("aria-label")


def test_a_curve_marks_where_half_is_lost() -> None:
    points = ((0.0, 1.0, 1.0, 1.0), (0.5, 0.6, 0.5, 0.7), (1.0, 0.2, 0.0, 0.3))
    root = ET.fromstring(sensitivity("spatter", [Response("a", 0, points, 0.625)]))
    label = root.get("aria-label") or ""
    assert "half is lost at 0.62" in label or "half is lost at 0.63" in label
    (drop,) = [x for x in root.iter("line") if x.get("class") == "drop"]
    (level,) = [x for x in root.iter("line") if x.get("class") == "reference"]
    share = (float(drop.get("x1", "")) - float(level.get("x1", ""))) / (
        float(level.get("x2", "")) - float(level.get("x1", ""))
    )
    assert abs(share - 0.625) < 0.01
    assert drop.get("y1") == level.get("y1")
    never = ET.fromstring(sensitivity("spatter", [Response("a", 0, points[:2])]))
    assert not [x for x in never.iter("line") if x.get("class") == "drop"]
    assert "half is never lost" in (never.get("aria-label") or "")


def test_a_radar_leaves_a_gap_where_nothing_is_known() -> None:
    whole = ET.fromstring(radar(["a", "b", "c"], [Web("x", 0, (1.0, 0.5, 0.8))]))
    partly = ET.fromstring(radar(["a", "b", "c"], [Web("x", 0, (1.0, 0.5, None))]))

    def sides(root: ET.Element) -> int:
        return len([x for x in root.iter("line") if x.get("class") == "curve"])

    assert (sides(whole), sides(partly)) == (3, 1)
    assert "c undefined" in (partly.get("aria-label") or "")


# -------------------------------------------------------------------------------------- the diff
def test_a_diff_says_what_went_and_what_came() -> None:
    changes = word_diff("Leave the room and stop.", "Please leave the ROOM and stop.")
    assert [(c.kind, c.words) for c in changes] == [
        ("gone", "Leave"),
        ("new", "Please leave"),
        ("same", "the"),
        ("gone", "room"),
        ("new", "ROOM"),
        ("same", "and stop."),
    ]


@given(st.text(max_size=60), st.text(max_size=60))
def test_both_sides_can_be_read_from_a_diff(before: str, after: str) -> None:
    changes = word_diff(before, after)
    for missing, whole in (("new", before), ("gone", after)):
        words = " ".join(c.words for c in changes if c.kind != missing).split()
        assert words == whole.split()


def test_very_long_texts_are_given_as_wholes() -> None:
    before, after = "a " * 500, "b " * 500
    assert [c.kind for c in word_diff(before, after)] == ["gone", "new"]
