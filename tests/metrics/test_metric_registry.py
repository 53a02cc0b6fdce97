"""Metrics declare themselves; tables keep their order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from navproof.core.errors import SpecError, UnknownNameError
from navproof.log.trace import Trace
from navproof.metrics import METRICS, built_in, register_metric
from navproof.metrics.protocol import Metric

MakeTrace = Callable[..., Trace]


def test_tables_keep_their_order() -> None:
    names = list(built_in())
    assert names == list(METRICS.built_in())
    assert names[:10] == [
        *("success", "oracle_success", "navigation_error_m", "goal_sr", "goal_spl"),
        *("spl", "soft_spl", "path_length_m", "steps", "delay_s"),
    ]
    assert names[10:18] == [
        *("ndtw", "sdtw", "cls", "dtw_m", "collisions", "collision_rate", "full_sr", "csr"),
    ]
    assert names[-4:] == ["pause_wait", "pause_abandon", "pause_intrusion", "pause_overshoot"]
    assert names[-9:-4] == ["drift", "stuck", "premature_stop", "fall", "out_of_time"]
    assert len(names) == 40


def test_a_file_brings_a_metric(tmp_path: Path, make_trace: MakeTrace) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import navproof.metrics as nv\n"
        "def jerk(trace):\n"
        '    """How rough\n    the walk was\n\n    More words."""\n'
        "    return 3 * len(trace.actions)\n"
        "@nv.register_metric\n"
        "def bare_above(trace):\n    return 1\n"
        "@nv.register_metric('tilt', label='Tilt', unit='deg', better='lower')\n"
        "def other(trace):\n    return 2\n"
    )
    plain = METRICS[f"{file}:jerk"]
    assert (plain.name, plain.label, plain.unit, plain.better) == ("jerk", "jerk", "", "higher")
    assert plain.definition == "How rough the walk was."
    assert not plain.bounded
    assert plain(make_trace()) == 3
    tilt = METRICS[f"{file}:other"]
    assert (tilt.name, tilt.label, tilt.unit, tilt.better) == ("tilt", "Tilt", "deg", "lower")
    assert METRICS[f"{file}:bare_above"].name == "bare_above"
    assert METRICS["tilt"] is tilt
    assert "tilt" not in built_in()


@dataclass
class Tool:
    x: int = 0

    def __call__(self, trace: Trace) -> float:
        return 1.0


def test_what_is_no_metric_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(
        "number = 3\nclass Thing: pass\ndef two(a, b): return 1\ndef none(): return 1\n"
        "def condition(trace): return 1\ndef time_of_day(trace): return 1\n"
    )
    for name, words in {
        "number": "is an int, not a function",
        "Thing": "is a type, not a function",
        "two": "must be a function of one trace: missing a required argument: 'b'",
        "none": "must be a function of one trace: too many positional arguments",
        "condition": "results have such a column already",
        "time_of_day": "results have such a column already",
        "jerc": "has no 'jerc'",
    }.items():
        with pytest.raises(SpecError, match=words) as caught:
            METRICS[f"{file}:{name}"]
        assert "\n" not in str(caught.value)
    with pytest.raises(UnknownNameError, match="did you mean 'spl'"):
        METRICS["spll"]


def test_a_declaration_is_checked() -> None:
    def fine(trace: Trace) -> float:
        return 1.0

    with pytest.raises(SpecError, match="higher or lower is better, not 'more'"):
        register_metric("fine", better="more")  # type: ignore[call-overload]
    with pytest.raises(SpecError, match="navproof has its own metric 'success'"):
        register_metric("success")(fine)
    with pytest.raises(SpecError, match="letters, digits and '_' only"):
        register_metric("so so")(fine)
    assert isinstance(METRICS["success"], Metric)
    assert METRICS["success"].label == "SR"
