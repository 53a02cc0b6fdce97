"""Charts: marks stand where the numbers say, and every picture says what it shows."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.reports.draw.charts import (
    WIDTH,
    Bar,
    Curve,
    Profile,
    Strip,
    Whisker,
    curves,
    interval_bar,
    legend_mark,
    profiles,
    quantile,
    stacked,
    strips,
    whiskers,
)
from navproof.reports.draw.svg import Scale, mark, nice_ticks, number, tag, text

finite = st.floats(-1e6, 1e6, allow_nan=False)


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [e for e in root.iter() if name in e.get("class", "").split()]


def x_of(root: ET.Element, value: float) -> float:
    """Where the axis of a chart puts a value, from two of its tick labels."""
    ticks = [(float(e.text or "nan"), float(e.get("x", "nan"))) for e in of_class(root, "tick")]
    (v0, x0), (v1, x1) = ticks[0], ticks[-1]
    return x0 + (value - v0) / (v1 - v0) * (x1 - x0)


def test_whisker_ends_and_dot_are_at_their_values() -> None:
    rows = [Whisker("a", 0, 0.5, 0.25, 0.8), Whisker("b", 1, 1.0, 0.9, 1.0)]
    root = parsed(whiskers([("Task", rows)], "SR"))
    lines = of_class(root, "whisker")
    assert [float(lines[0].get(k, "nan")) for k in ("x1", "x2")] == pytest.approx(
        [x_of(root, 0.25), x_of(root, 0.8)], abs=0.02
    )
    caps = of_class(root, "cap")
    assert float(caps[3].get("x1", "nan")) == pytest.approx(x_of(root, 1.0), abs=0.02)
    dot = next(e for e in of_class(root, "mark") if e.tag.endswith("circle"))
    assert float(dot.get("cx", "nan")) == pytest.approx(x_of(root, 0.5), abs=0.02)
    assert dot.get("cy") == lines[0].get("y1")


def test_whiskers_say_undefined_and_escape_names() -> None:
    svg = whiskers([("T & U", [Whisker('<b>"', 0, None, None, None)])], "SR")
    root = parsed(svg)
    assert not of_class(root, "whisker")
    assert 'T & U, <b>": undefined' in root.get("aria-label", "")


def test_rows_do_not_overlap_and_stay_inside() -> None:
    rows = [Whisker(f"agent {i}", i, i / 9, 0.0, 1.0) for i in range(10)]
    root = parsed(whiskers([("A", rows), ("B", rows)], "SR"))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    ys = [float(e.get("y1", "nan")) for e in of_class(root, "whisker")]
    assert width == WIDTH
    assert len(ys) == 20
    assert min(np.diff(ys)) >= 20
    assert max(ys) < height - 20


def test_interval_bar_is_decoration_with_the_right_ends() -> None:
    root = parsed(interval_bar(0.5, 0.0, 1.0, 3))
    assert root.get("aria-hidden") == "true"
    line = of_class(root, "whisker")[0]
    track = of_class(root, "track")[0]
    assert (line.get("x1"), line.get("x2")) == (track.get("x1"), track.get("x2"))
    assert float(of_class(root, "mark")[0].get("cx", "nan")) == 30
    assert "s3" in root.get("class", "").split()


@given(st.lists(finite, min_size=1, max_size=40), st.floats(0, 1))
def test_quantile_is_numpys(values: list[float], share: float) -> None:
    assert quantile(values, share) == pytest.approx(np.quantile(values, share), rel=1e-9, abs=1e-6)


def test_strips_draw_every_value_and_the_median() -> None:
    values = (1.0, 2.0, 4.0, 8.0, 16.0)
    root = parsed(strips([Strip("a", 0, values), Strip("b", 1, ())], "steps", 4.0))
    specks = of_class(root, "speck")
    assert [float(s.get("cx", "nan")) for s in specks] == pytest.approx(
        [x_of(root, v) for v in values], abs=0.02
    )
    median = float(of_class(root, "median")[0].get("x1", "nan"))
    assert median == pytest.approx(x_of(root, 4.0), abs=0.02)
    assert float(of_class(root, "reference")[0].get("x1", "nan")) == pytest.approx(median)
    assert "b: no values" in root.get("aria-label", "")


def test_strips_count_what_lies_beyond_the_edge() -> None:
    root = parsed(strips([Strip("a", 0, (*[1.0] * 99, 500.0))], "ratio"))
    assert "1 beyond the edge" in root.get("aria-label", "")
    assert max(float(s.get("cx", "nan")) for s in of_class(root, "speck")) <= WIDTH


def test_strips_of_zeros_have_an_ordinary_axis() -> None:
    root = parsed(strips([Strip("a", 0, (0.0, 0.0))], "error"))
    assert x_of(root, 1.0) == pytest.approx(WIDTH - 12)


def test_strips_of_many_episodes_are_thinned_and_keep_the_ends() -> None:
    root = parsed(strips([Strip("a", 0, tuple(float(i) for i in range(1000)))], "steps"))
    places = [float(s.get("cx", "nan")) for s in of_class(root, "speck")]
    assert len(places) == 400
    assert (places[0], places[-1]) == pytest.approx((x_of(root, 0), x_of(root, 999)), abs=0.02)
    assert "400 dots a row" in root.get("aria-label", "")


def test_stacked_parts_are_proportional_and_fill_the_row() -> None:
    kinds = [("o-success", "success"), ("o-budget", "out of steps"), ("o-env_error", "error")]
    root = parsed(stacked([Bar("a", (6, 3, 0))], kinds, "share"))
    parts = of_class(root, "part")
    widths = [float(p.get("width", "nan")) for p in parts]
    assert len(parts) == 2
    assert widths[0] == pytest.approx(2 * widths[1], abs=0.05)
    assert float(parts[1].get("x", "nan")) == pytest.approx(
        float(parts[0].get("x", "nan")) + widths[0], abs=0.02
    )
    assert "a: success 6, out of steps 3" in root.get("aria-label", "")


def test_curves_start_and_end_where_they_should_and_skip_infinity() -> None:
    root = parsed(curves([Curve("a", 0, (4.0, math.inf, 2.0, 0.0))], "step", "distance", 1.0))
    points = of_class(root, "curve")[0].get("points", "").split()
    assert len(points) == 3
    first, last = (tuple(map(float, p.split(","))) for p in (points[0], points[-1]))
    cursor = of_class(root, "cursor")[0]
    assert first[0] == float(cursor.get("data-start", "nan"))
    assert last[0] == float(cursor.get("data-end", "nan"))
    assert first[1] < last[1]  # further away is higher up
    assert of_class(root, "reference")


def test_series_differ_in_shape_or_colour_for_many_agents() -> None:
    looks = {(mark(i, 0, 0, 5), i % 8) for i in range(40)}
    assert len(looks) == 40
    assert legend_mark(1) != legend_mark(2)


@given(st.floats(-1e5, 1e5), st.floats(1e-3, 1e5), st.integers(2, 9))
def test_nice_ticks_cover_the_range_evenly(low: float, span: float, about: int) -> None:
    ticks = nice_ticks(low, low + span, about)
    slack = 1e-6 * max(1.0, abs(low), span)
    assert ticks[0] <= low + slack
    assert ticks[-1] >= low + span - slack
    assert len(ticks) <= about + 3
    assert np.diff(ticks) == pytest.approx(np.diff(ticks)[0], rel=1e-3)


def test_scale_clamps_and_survives_an_empty_range() -> None:
    assert Scale(0, 1, 10, 20)(2.0) == 20
    assert Scale(0, 1, 10, 20)(-1.0) == 10
    assert Scale(1, 1, 10, 20)(1.0) == 10


def test_numbers_and_elements_are_written_plainly() -> None:
    assert number(-0.001) == "0"
    assert number(1.50) == "1.5"
    assert tag("a", class_="x", data_y=1.0, z=None) == '<a class="x" data-y="1"/>'
    assert text(0, 1, "a<b") == '<text x="0" y="1">a&lt;b</text>'


def test_profiles_stand_over_their_places_at_their_values() -> None:
    lines = [
        Profile("a", 0, ((0.2, 0.1, 0.3), None, (0.4, 0.3, 0.5))),
        Profile("b", 1, ((0.0, 0.0, 0.1), (0.1, 0.0, 0.2), (0.3, 0.2, 0.4))),
    ]
    root = parsed(profiles(lines, ["0", "1", "2"], "features", "success rate"))
    ticks = [e for e in of_class(root, "tick") if e.get("text-anchor") == "end"]
    (v0, y0), (v1, y1) = (
        (float(e.text or "nan"), float(e.get("y", "nan")) - 4) for e in (ticks[0], ticks[-1])
    )
    assert (v0, v1) == (0.0, 0.6)  # the axis ends above the highest interval, not at 1
    bars = of_class(root, "whisker")
    assert len(bars) == 5  # an undefined place has no mark
    ends = [y0 + v / v1 * (y1 - y0) for v in (0.1, 0.3)]
    assert [float(bars[0].get(k, "nan")) for k in ("y1", "y2")] == pytest.approx(ends, abs=0.02)
    assert float(bars[0].get("x1", "nan")) < float(bars[2].get("x1", "nan"))  # side by side
    label = root.get("aria-label", "")
    assert "b, 1: 0.100, interval 0.000 to 0.200" in label
    assert "a, 1:" not in label


def test_long_names_keep_the_end_that_tells_them_apart() -> None:
    names = ["mlfm@encoder=truth@layers=1", "mlfm@encoder=truth@layers=2"]
    root = parsed(stacked([Bar(name, (1,)) for name in names], [("x", "y")], "c"))
    first, second = (e.text for e in of_class(root, "row"))
    assert first != second
    assert first is not None
    assert first.startswith("mlfm@")
    assert first.endswith("layers=1")
