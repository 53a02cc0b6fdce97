"""Demonstrations as files: they come back as they were, and bad ones are refused in a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navproof.core.errors import EpisodeError
from navproof.tasks.mission.demonstrations import (
    Demonstration,
    read_demonstrations,
    write_demonstrations,
)

SHOWN = Demonstration(
    "m1",
    "carter",
    "human",
    ((0.0, 0.0, 0.0, 0.0), (3.0, 4.0, 0.5, 5.0), (3.0, 4.0, 1.0, 6.5)),
    (1,),
)


@pytest.mark.parametrize("name", ["d.jsonl", "d.jsonl.gz"])
def test_they_come_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_demonstrations(path, [SHOWN, SHOWN])
    first = path.read_bytes()
    assert read_demonstrations(path) == (SHOWN, SHOWN)
    write_demonstrations(path, [SHOWN, SHOWN])
    assert path.read_bytes() == first


def test_length_and_time() -> None:
    assert SHOWN.length_m == 5.0
    assert SHOWN.seconds == 6.5


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"source": "robot"}, "field 'source'"),
        ({"waypoints": [[0, 0, 0]]}, r"field 'waypoints\.0'"),
        ({"waypoints": [[0, 0, 0, 1], [0, 0, 0, 0.5]]}, "goes back in time"),
        ({"waypoints": [[0, 0, "x", 1]]}, "four numbers"),
        ({"waypoints": 5}, "field 'waypoints'"),
        ({"waypoints": []}, "field 'waypoints'"),
        ({"waypoints": [[0, 0, True, 1]]}, "four numbers"),
        ({"waypoints": [[0, 0, 0, -1]]}, "goes back in time"),
        ({"waypoints": [[1e400, 0, 0, 0]]}, "Infinity is not a number"),
        ({"ends": [7]}, "field 'ends'"),
        ({"ends": 1}, "field 'ends'"),
        ({"ends": [0.5]}, "field 'ends'"),
        ({"robot": 3}, "field 'robot'"),
        ({"episode_id": " "}, "field 'episode_id'"),
        ({"sauce": "human"}, "unknown field 'sauce'"),
        ({"robot": None}, None),
    ],
)
def test_bad_files_are_one_line(
    tmp_path: Path, change: dict[str, object], said: str | None
) -> None:
    raw = {"episode_id": "m", "robot": "carter", "source": "human", "waypoints": [[0, 0, 0, 0]]}
    raw.update(change)
    if said is None:
        del raw["robot"]
        said = "field 'robot' is missing"
    path = tmp_path / "d.jsonl"
    path.write_text("\n" + json.dumps(raw))
    with pytest.raises(EpisodeError, match=said) as caught:
        read_demonstrations(path)
    assert "line 2" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_file_of_them(tmp_path: Path) -> None:
    for content in (b"\x1f\x8bnonsense", b"\xff\xfe", b"[1]", b"{"):
        path = tmp_path / "d"
        path.write_bytes(content)
        with pytest.raises(EpisodeError):
            read_demonstrations(path)
    with pytest.raises(EpisodeError, match="cannot be read"):
        read_demonstrations(tmp_path / "missing")
