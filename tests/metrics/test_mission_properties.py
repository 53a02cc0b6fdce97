"""What must hold of the scores of any mission."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mission_traces import follow, home, mission_trace, point, thing, walk
from navproof.log.trace import Trace
from navproof.metrics import MODES, built_in, score

coordinate = st.floats(-5, 5).map(lambda v: round(v, 3))
spot = st.tuples(coordinate, coordinate, st.floats(-180, 180))
moment = st.tuples(coordinate, coordinate, st.booleans())


@st.composite
def missions(draw: st.DrawFn) -> Trace:
    """Robot and people anywhere at each moment; any of the sub-tasks done, in order."""
    count = draw(st.integers(2, 9))
    robot = draw(st.lists(spot, min_size=count, max_size=count))
    people = []
    for who in ("p1", "p2"):
        spots = draw(st.lists(moment, min_size=count, max_size=count))
        people.append((walk(who, spots[0][:2], spots[-1][:2]), spots))
    tasks = [
        point(1, 1),
        follow(end=(0, 3)),
        thing(3, 0),
        draw(st.sampled_from([home(), thing(0, 0)])),
    ]
    done = {i: i for i in range(draw(st.integers(0, min(len(tasks), count - 1))))}
    gaps = draw(st.lists(st.floats(0.05, 2), min_size=count, max_size=count))
    times = [math.fsum(gaps[:t]) for t in range(count)]
    stops = draw(st.booleans())
    return mission_trace(robot, *tasks, people=people, done=done, times=times, stops=stops)


@settings(max_examples=80, deadline=None)
@given(missions())
def test_scores_are_bounded_and_ordered(trace: Trace) -> None:
    values = score(trace)
    for name, metric in built_in().items():
        value = values[name]
        assert not metric.bounded or value is None or 0.0 <= value <= 1.0, name
    won, full, ever = (values[n] for n in ("success", "full_sr", "oracle_success"))
    assert full is not None
    assert won is not None
    assert ever is not None
    assert full <= won <= ever
    ways = [values[mode.replace(" ", "_")] or 0.0 for mode in list(MODES)[:5]]
    assert sum(ways) + won == 1.0
    assert (values["csr_released"] == 1.0) == (values["csr"] == 1.0)
    shares = [values[f"pause_{b}"] for b in ("wait", "abandon", "intrusion", "overshoot")]
    if None not in shares:
        assert sum(v or 0.0 for v in shares) == pytest.approx(1.0)
