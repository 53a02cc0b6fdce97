"""Which part of a run a shard has: every row once, of balanced sizes, told by run.json alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.core.errors import RunError, SpecError
from navproof.log import RunFolder, RunInfo, Skipped
from navproof.log.shard import Shard, parse_shard, shard_note


def info(tasks: str, agents: int = 1, seeds: int = 1, shard: Shard | None = None) -> RunInfo:
    """A run of one episode for each letter, which is its task."""
    return RunInfo(
        spec={},
        spec_hash="0" * 12,
        agents=tuple(f"agent-{i}" for i in range(agents)),
        episodes=tuple(f"{task}-{i:03d}" for i, task in enumerate(tasks)),
        conditions=("clean", "fog"),
        seeds=tuple(range(seeds)),
        tasks=tuple(tasks),
        skipped=(Skipped("agent-0", "a", "fog", "blind"),),
        shard=shard,
    )


@given(
    tasks=st.text("abc", min_size=1, max_size=40),
    agents=st.integers(1, 3),
    seeds=st.integers(1, 3),
    count=st.integers(1, 12),
)
def test_shards_are_a_partition_of_balanced_sizes(
    tasks: str, agents: int, seeds: int, count: int
) -> None:
    run = info(tasks, agents, seeds)
    parts = [run.assigned(Shard(i + 1, count)) for i in range(count)]
    together = [key for part in parts for key in part]
    assert sorted(together) == sorted(run.planned())
    sizes = [len(part) for part in parts]
    assert max(sizes) - min(sizes) <= 1
    order = {key: i for i, key in enumerate(run.planned())}
    for part in parts:
        assert [order[key] for key in part] == sorted(order[key] for key in part)


def test_tasks_are_shared_out_and_episodes_stay_together() -> None:
    run = info("a" * 8 + "b" * 16, agents=2, seeds=2)
    of_episode: dict[str, set[int]] = {}
    for index in range(1, 5):
        keys = run.assigned(Shard(index, 4))
        episodes = {key.episode_id for key in keys}
        assert Counter(name[0] for name in episodes)["b"] in (4, 5)
        for name in episodes:
            of_episode.setdefault(name, set()).add(index)
        taken = sorted(name for name in episodes if name.startswith("b"))
        numbers = [int(name[2:]) for name in taken]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))  # as scenes lie
    assert sum(len(where) > 1 for where in of_episode.values()) <= 3  # one at each cut


def test_a_run_says_which_part_it_holds(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.create(info("ab", shard=Shard(2, 3)))
    assert folder.info.shard == Shard(2, 3)
    assert "shard 2/3 of a run: 1 of its 3 episodes" in shard_note(folder.info)[0]
    assert shard_note(info("ab")) == []
    folder.create(info("ab"))
    assert '"shard"' not in (tmp_path / "run.json").read_text()


def test_a_shard_that_cannot_be_is_no_run(tmp_path: Path) -> None:
    RunFolder(tmp_path).create(info("ab", shard=Shard(2, 3)))
    text = (tmp_path / "run.json").read_text()
    (tmp_path / "run.json").write_text(text.replace('"index": 2', '"index": 4'))
    with pytest.raises(RunError, match="there is no shard 4/3"):
        _ = RunFolder(tmp_path).info


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0/3", "there is no shard 0/3"),
        ("4/3", "numbered from 1 to 3"),
        ("1/0", "from 1 to 100,000 shards"),
        ("1/1000000", "from 1 to 100,000 shards"),
        ("2", "INDEX/COUNT"),
        ("/3", "INDEX/COUNT"),
        ("-1/3", "INDEX/COUNT"),
        ("1/3/5", "INDEX/COUNT"),
        ("²/3", "INDEX/COUNT"),
    ],
)
def test_shards_that_there_are_not(text: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        parse_shard(text)
    assert str(parse_shard("2/3")) == "2/3"
