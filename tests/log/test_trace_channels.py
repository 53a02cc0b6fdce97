"""The channels of a trace: kept exactly, checked when read, and absent from files without any."""

from __future__ import annotations

import gzip
import json
import math
from dataclasses import replace
from typing import Any

import pytest

from navproof.core.errors import RunError
from navproof.core.types import Episode, Goal, Pose, Robot, TaskSpec, Walk
from navproof.log import Trace, TraceKey, decode_trace, encode_trace

CHANNELS = {"time_s": (0.0, 0.1), "subtask.0.distance_m": (math.inf, 1.0 / 3.0)}


def one_step() -> Trace:
    goal = Goal("point", ((1.0, 0.0, 0.0),))
    episode = Episode("e", "pointnav-v1", "tiny", Pose(0.0, 0.0), (goal,), 1.0, (), 5, 0)
    return Trace(
        key=TraceKey("a", "e"),
        episode=episode,
        spec=TaskSpec("pointnav-v1", Robot("r", 0.2, 1.0), (), 0.2, 5),
        status="ok",
        reason="",
        poses=(Pose(0.0, 0.0), Pose(0.25, 0.0)),
        actions=("forward",),
        collisions=(False,),
        distances_m=(1.0, 0.75),
        events=(),
    )


def document(trace: Trace) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress(encode_trace(trace)))
    return found


def test_channels_come_back_exactly() -> None:
    trace = replace(one_step(), channels=CHANNELS)
    assert decode_trace(encode_trace(trace), "t") == trace
    assert document(trace)["channels"]["subtask.0.distance_m"] == ["inf", 1.0 / 3.0]


def test_a_file_without_channels_is_as_it_was_before_there_were_any() -> None:
    plain = document(one_step())
    assert "channels" not in plain
    assert not {"people", "subtasks", "question", "wordings", "robot"} & plain["episode"].keys()
    assert list(plain)[-1] == "timing"
    assert decode_trace(encode_trace(one_step()), "t").channels == {}


def test_people_of_an_episode_are_kept() -> None:
    walk = Walk("p1", "red coat", ((0.0, 0.0, 1.5), (2.0, 0.0, 0.0)), begins_s=2.0)
    trace = replace(one_step(), episode=replace(one_step().episode, people=(walk,), robot="h1"))
    assert decode_trace(encode_trace(trace), "t") == trace


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([0.0], r"channels\.time_s has 1 entries, 1 actions need 2"),
        ([0.0, "nan"], r"channels\.time_s holds NaN"),
        ([0.0, "soon"], r"channels\.time_s\[1\]: expected a number"),
        (3.0, r"channels\.time_s: expected a list"),
    ],
)
def test_bad_channels_are_refused_in_one_line(values: object, why: str) -> None:
    plain = document(one_step()) | {"channels": {"time_s": values}}
    data = gzip.compress(json.dumps(plain).encode(), mtime=0)
    with pytest.raises(RunError, match=why) as caught:
        decode_trace(data, "t.json.gz")
    assert str(caught.value).startswith("t.json.gz: not a valid trace")
