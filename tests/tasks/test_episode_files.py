"""Episode files: what is written is read back, and anything else ends in one clear line."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from navproof.core.errors import EpisodeError
from navproof.core.types import Episode, Goal, Instruction, Pose
from navproof.tasks.episodes import (
    episode_from_json,
    episode_to_json,
    read_episodes,
    write_episodes,
)

finite = st.floats(-1e4, 1e4)
points = st.tuples(finite, finite, finite)
scalars = st.one_of(st.none(), st.booleans(), st.integers(-99, 99), finite, st.text(max_size=8))
bags = st.dictionaries(st.text(max_size=6), scalars, max_size=3)
episodes = st.builds(
    Episode,
    episode_id=st.text("abc-09_", min_size=1),
    task=st.sampled_from(["pointnav-v1", "vln-v1"]),
    scene=st.text("abc/09", min_size=1),
    start=st.builds(Pose, finite, finite, finite, finite),
    goals=st.tuples(
        st.builds(
            Goal,
            st.sampled_from(["point", "object"]),
            st.lists(points, min_size=1, max_size=3).map(tuple),
            st.one_of(st.none(), st.text(max_size=5)),
            st.lists(st.integers(0, 99), max_size=3).map(tuple),
            st.text(max_size=9),
        )
    ),
    geodesic_m=st.floats(0, 100),
    reference_path=st.lists(points, max_size=4).map(tuple),
    budget_steps=st.integers(1, 5000),
    seed=st.integers(0, 2**31 - 1),
    instruction=st.builds(
        Instruction, st.text("ab ", max_size=9).map(lambda t: f"Go {t}."), st.tuples(bags)
    ),
    tags=bags,
)


def one() -> Episode:
    return Episode(
        "a_1",
        "pointnav-v1",
        "home/val/0",
        Pose(0.0, 1.0, 0.0, 0.5),
        (Goal("point", ((1.0, 2.0, 0.0),)),),
        2.5,
        ((0.0, 1.0, 0.0), (1.0, 2.0, 0.0)),
        500,
        7,
    )


@given(episodes)
def test_every_episode_survives_the_round_trip(episode):
    line = episode_to_json(episode)
    assert "\n" not in line
    assert episode_from_json(line) == episode
    assert episode_to_json(episode_from_json(line)) == line


@pytest.mark.parametrize("name", ["e.jsonl", "e.jsonl.gz"])
def test_files_round_trip_and_repeat_to_the_byte(tmp_path, name):
    made = [one(), Episode(**{**_fields(one()), "episode_id": "a_2"})]
    write_episodes(tmp_path / name, made)
    write_episodes(tmp_path / f"again-{name}", made)
    assert read_episodes(tmp_path / name) == tuple(made)
    assert (tmp_path / name).read_bytes() == (tmp_path / f"again-{name}").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([name, f"again-{name}"])


def _fields(episode: Episode) -> dict:
    return {name: getattr(episode, name) for name in Episode.__dataclass_fields__}


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("schema_version", 2, "schema_version"),
        ("schema_version", None, "schema_version"),
        ("schema_version", True, "schema_version"),
        ("start", 3, "'start'"),
        ("start", {"x": "a", "y": 0}, "start.x"),
        ("goals", [], "'goals'"),
        ("goals", [{"kind": "point", "positions": []}], "goals.0.positions"),
        ("goals", [{"kind": "thing", "positions": [[0, 0, 0]]}], "goals.0.kind"),
        ("goals", [{"kind": "point", "positions": [[0, 0]]}], "goals.0.positions.0"),
        ("geodesic_m", -1, "geodesic_m"),
        ("geodesic_m", "far", "geodesic_m"),
        ("geodesic_m", 1e300, "geodesic_m"),
        ("goals", [{"kind": "point", "positions": [[1e300, 0, 0]]}], "goals.0.positions"),
        ("budget_steps", 0, "budget_steps"),
        ("budget_steps", 2.5, "budget_steps"),
        ("task", "pointnav", "pointnav-v1"),
        ("task", "vln-v1", "'instruction'"),
        ("task", "objectnav-v1", "goals.0.category"),
        ("episode_id", " ", "episode_id"),
        ("episode_id", "a\ud800", "half a character"),
        ("strat", 1, "did you mean 'start'"),
        ("tags", {"a": [1]}, "tags.a"),
        ("reference_path", [[0, 0, "x"]], "reference_path.0.2"),
    ],
)
def test_a_bad_field_is_named_with_file_and_line(tmp_path, field, value, said):
    raw = json.loads(episode_to_json(one()))
    path = tmp_path / "bad.jsonl"
    good = episode_to_json(one())
    path.write_text(good + "\n\n" + json.dumps({**raw, "episode_id": "b", field: value}) + "\n")
    with pytest.raises(EpisodeError) as caught:
        read_episodes(path)
    message = str(caught.value)
    assert message.startswith(f"{path}, line 3: ")
    assert said in message
    assert "\n" not in message


@pytest.mark.parametrize("field", ["start", "goals", "seed", "scene", "episode_id"])
def test_a_missing_field_is_named(field):
    raw = json.loads(episode_to_json(one()))
    del raw[field]
    with pytest.raises(EpisodeError, match=field):
        episode_from_json(json.dumps(raw))


def test_numbers_too_large_are_not_numbers():
    line = episode_to_json(one()).replace('"x":0.0', '"x":1e400')
    with pytest.raises(EpisodeError, match="'start': must be finite"):
        episode_from_json(line)


def test_bad_files_are_one_line(tmp_path):
    cases = {
        "missing.jsonl": None,
        "empty.jsonl": b"",
        "binary.jsonl": b"\xff\xfe\x00",
        "cut.jsonl.gz": gzip.compress(episode_to_json(one()).encode())[:40],
        "list.jsonl": b"[1]",
        "nan.jsonl": b'{"schema_version": NaN}',
        "deep.jsonl": b"[" * 100_000,
        "twice.jsonl": (episode_to_json(one()) + "\n").encode() * 2,
    }
    for name, data in cases.items():
        if data is not None:
            (tmp_path / name).write_bytes(data)
        with pytest.raises(EpisodeError) as caught:
            read_episodes(tmp_path / name)
        assert str(tmp_path / name) in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(EpisodeError, match="cannot be read"):
        read_episodes(tmp_path)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 500), st.binary(min_size=1, max_size=3))
def test_a_damaged_line_is_an_episode_error_or_an_episode(at, noise):
    data = bytearray(episode_to_json(one()).encode())
    at %= len(data)
    data[at : at + len(noise)] = noise
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return
    message = ""
    try:
        assert isinstance(episode_from_json(text), Episode)
    except EpisodeError as error:
        message = str(error)
    assert "\n" not in message
