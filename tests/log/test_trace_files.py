"""Trace files: round trips, stable bytes, and one line for every way they can be bad."""

from __future__ import annotations

import gzip
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.core.errors import RunError
from navproof.core.types import (
    Beliefs,
    Camera,
    Detection,
    Episode,
    Event,
    Goal,
    Instruction,
    Pose,
    Remembered,
    Robot,
    SensorSpec,
    TaskSpec,
)
from navproof.log import Trace, TraceKey, decode_trace, encode_trace, read_trace, write_trace


def full_trace() -> Trace:
    """Every field filled, with everything that is awkward in JSON."""
    spec = TaskSpec(
        task="objectnav-v1",
        robot=Robot("r", 0.18, 0.88),
        sensors=(SensorSpec("rgb", "rgb", Camera(64, 48)), SensorSpec("pose", "pose")),
        success_m=0.1,
        budget_steps=500,
        distance_to="viewpoints",
    )
    episode = Episode(
        episode_id="home/val/0:objectnav:3",
        task="objectnav-v1",
        scene="home/val/0",
        start=Pose(0.1, 0.2, 0.0, -3.1),
        goals=(Goal("object", ((1.0, 2.0, 0.0),), "chair", (12, 13), "a chair"),),
        geodesic_m=2.0,
        reference_path=((0.1, 0.2, 0.0), (1.0, 2.0, 0.0)),
        budget_steps=500,
        seed=2**62,
        instruction=Instruction("Finde den Stuhl – “dort”.", ({"verb": "go", "n": 2},)),
        tags={"a": 1, "b": 1.5, "c": True, "d": None, "e": "x"},
    )
    beliefs = Beliefs(
        (Detection("chair", 0.25, (0.0, 1.0, 2.0, 3.0), None),),
        (Remembered("bed", (0.0, 1.0, 2.0), 7),),
        ((0.1, 0.2),),
    )
    return Trace(
        key=TraceKey("my_agent.py:MyAgent", "home/val/0:objectnav:3", "clean", -1),
        episode=episode,
        spec=spec,
        status="agent_error",
        reason="ValueError: ☃ (my_agent.py:3)",
        poses=(Pose(0.1, 0.2), Pose(1 / 3, -1e-300, 0.0, math.pi)),
        actions=("velocity 0.5 -0.1",),
        collisions=(True,),
        distances_m=(math.inf, 0.1 + 0.2),
        events=(Event(0, "stop", {"distance_m": None, "success": False}),),
        beliefs=(beliefs,),
        timing={"act_s": (0.001,)},
        facts={"privileged": "semantic", "n": 3},
    )


def test_a_full_trace_comes_back_exactly(tmp_path: Path) -> None:
    trace = full_trace()
    write_trace(trace, tmp_path / "t.json.gz")
    again = read_trace(tmp_path / "t.json.gz")
    assert again == trace
    assert type(again.episode.tags["a"]) is int
    assert type(again.episode.tags["b"]) is float
    assert [p.name for p in tmp_path.iterdir()] == ["t.json.gz"]  # nothing half-written


def test_bytes_depend_on_the_trace_alone(tmp_path: Path) -> None:
    assert encode_trace(full_trace()) == encode_trace(full_trace())
    names = list(json.loads(gzip.decompress(encode_trace(full_trace()))))
    assert (names[0], names[-1]) == ("navproof_trace", "timing")


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_every_float_keeps_every_bit(values: list[float]) -> None:
    steps = len(values) - 1
    trace = replace(
        full_trace(),
        distances_m=tuple(map(abs, values)),
        poses=tuple(Pose(v, -v, 0.0, 0.0) for v in values),
        actions=("left",) * steps,
        collisions=(False,) * steps,
        beliefs=(),
    )
    assert decode_trace(encode_trace(trace), "t") == trace


def packed(data: bytes) -> bytes:
    """Without the time, which would give every test process other names for the same tests."""
    return gzip.compress(data, mtime=0)


def damaged(change: dict[str, Any] | None = None, drop: str = "") -> bytes:
    document = json.loads(gzip.decompress(encode_trace(full_trace())))
    document |= change or {}
    document.pop(drop, None)
    return packed(json.dumps(document).encode())


def edited(part: str, **fields: Any) -> bytes:
    """With other values in one of its objects."""
    document = json.loads(gzip.decompress(encode_trace(full_trace())))
    return damaged({part: document[part] | fields})


def late(slice_: int) -> dict[str, Any]:
    return {"step": 0, "kind": "stop", "data": {}, "in_delay": slice_}


def asked(**fields: Any) -> dict[str, Any]:
    told = {"purpose": "p", "model": "m", "prompt": "?", "answer": "!", "images": []}
    return {**told, "tokens_in": 1, "tokens_out": 1, "step": 0, **fields}


def delayed(**fields: Any) -> bytes:
    """A trace whose world did not wait, with other values in what it tells of that."""
    document = json.loads(gzip.decompress(encode_trace(full_trace())))
    told = {"took_s": [0.1], "slices": [1], "poses": [[0, 0, 0, 0]], "collisions": [False]}
    delays = {**told, "distances_m": [1.0], "channels": {}, **fields}
    spec = document["spec"] | {"clock": "declared"}
    return damaged({"navproof_trace": 3, "spec": spec, "delays": delays})


def test_what_the_damaged_ones_are_made_of_is_sound() -> None:
    for data in (damaged(), edited("spec"), delayed(), damaged({"exchanges": [asked()]})):
        decode_trace(data, "t")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "cut short or damaged"),
        (encode_trace(full_trace())[:-9], "cut short or damaged"),
        (b"not a gzip file", "cut short or damaged"),
        (encode_trace(full_trace())[:40] + b"\x00" * 200, "cut short or damaged"),
        (packed(b"{nonsense"), "does not hold JSON"),
        (packed(b"\xff\xfe\x00"), "does not hold JSON"),
        (packed(b"[" * 100_000), "does not hold JSON"),
        (packed(b"[" + b"1" * 5000 + b"]"), "does not hold JSON"),
        (packed(b"[1]"), "not a JSON object"),
        (damaged({"navproof_trace": 99}), "version 99, but this navproof reads versions 1 to 3"),
        (damaged(drop="navproof_trace"), "no version"),
        (damaged(drop="poses"), "poses is missing"),
        (damaged({"poses": [[0, 0, 0, 0]]}), "poses has 1 entries, 1 actions need 2"),
        (damaged({"poses": [[0, 0, 0], [0, 0, 0]]}), "poses[0]: expected a list of 4 numbers"),
        (damaged({"distances_m": [1.0, "x"]}), "distances_m[1]: expected a number, got 'x'"),
        (damaged({"distances_m": [1.0, "nan"]}), "distances_m holds NaN"),
        (damaged({"status": "fine"}), "status: expected one of ok, agent_error"),
        (damaged({"collisions": [1]}), "collisions[0]: expected true or false, got 1"),
        (damaged({"surprise": 1}), "surprise is not a known field"),
        (damaged({"beliefs": [None, None]}), "beliefs has 2 entries for 1 actions"),
        (damaged({"poses": [[0, 0, 0, 0], [1e9, 0, 0, 0]]}), "poses[1] is no place"),
        (damaged({"distances_m": [1.0, -1.0]}), "distances_m holds what is no distance"),
        (damaged({"channels": {"x": [0.0, 1e300]}}), "channels.x holds what is no number"),
        (damaged({"channels": {"x": [0.0]}}), "channels.x has 1 entries, 1 actions need 2"),
        (damaged({"timing": {"act_s": [-1.0]}}), "timing.act_s holds what are no seconds"),
        (damaged({"facts": {"n": 10**30}}), "facts.n"),
        (damaged({"facts": {"n": "x" * 200_000}}), "facts: 'n' is a text of 200,000 characters"),
        (edited("episode", goals=[]), "episode.goals there must be at least one"),
        (edited("episode", budget_steps=0), "episode.budget_steps must be at least 1"),
        (edited("spec", budget_steps=0), "spec.success_m or spec.budget_steps makes no sense"),
        (edited("spec", clock="declared"), "delays are told of 0 actions, not of 1"),
        (edited("key", agent="x" * 1001), "a name has 1,001 characters"),
        (damaged({"events": [{"step": 2, "kind": "stop", "data": {}}]}), "events[0] is at step 2"),
        (damaged({"events": [late(0)]}), "events[0] is in slice 0 of a delay, which there is not"),
        (damaged({"exchanges": [asked(step=5)]}), "exchanges[0] holds what is no step"),
        (damaged({"exchanges": [asked(price="inf")]}), "exchanges[0] holds what is no step"),
        (delayed(took_s=[-1.0]), "delays.took_s holds what is no time"),
        (delayed(slices=[2]), "delays.poses has 1 entries for 2 slices"),
        (delayed(slices=[-1]), "has 1 entries for -1 slices"),
        (delayed(poses=[["nan", 0, 0, 0]]), "delays.poses holds what is no place"),
        (delayed(distances_m=[-2.0]), "delays.distances_m holds what is no distance"),
        (delayed(channels={"x": [0.0]}), "delays and actions have other channels"),
    ],
)
def test_bad_files_get_one_line(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "bad.json.gz"
    path.write_bytes(data)
    with pytest.raises(RunError) as caught:
        read_trace(path)
    text = str(caught.value)
    assert says in text
    assert text.startswith(str(path))
    assert "\n" not in text


def test_a_missing_file_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"none\.json\.gz: cannot be read \(No such file"):
        read_trace(tmp_path / "none.json.gz")


def test_writing_never_leaves_half_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    path = tmp_path / "t.json.gz"
    write_trace(full_trace(), path)
    before = path.read_bytes()

    def broken(handle: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="disk full"):
        write_trace(replace(full_trace(), reason="other"), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["t.json.gz"]
