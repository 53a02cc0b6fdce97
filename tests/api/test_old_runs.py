"""A run folder of version 0.1, kept in ``tests/data``, is read by every verb, and never mixed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import navproof as nv
from navproof.reports.replay import find_key, render_replay

KEPT = Path(__file__).parents[1] / "data" / "run-0.1"


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy: scoring and reporting write into the folder."""
    return Path(shutil.copytree(KEPT, tmp_path_factory.mktemp("old") / "run"))


def test_its_traces_give_the_scores_that_it_had(old: Path) -> None:
    before = nv.Run(KEPT).rows
    scores = nv.score(old)
    assert scores.planned == len(scores.episodes) == len(before) == 12
    assert scores.info.spec["navproof"] == "0.1.0"
    for then, now in zip(before, scores.episodes, strict=True):
        for column in ("agent", "episode_id", "condition", "status", "success", "spl", "steps"):
            assert now[column] == then[column]
    assert scores.mean(agent="oracle", task="pointnav-v1") == 1.0
    assert scores.mean(agent="random", task="mission-v1", condition="wheel_slip") == 0.0
    assert "wheel_slip" in scores.table()


def test_it_is_compared_with_itself_and_its_agents_with_each_other(old: Path) -> None:
    found = nv.Run(old).compare("oracle", "random", metrics="success")
    assert (found.pairs, found.rows[0]["difference"], found.rows[0]["wins"]) == (3, 1.0, 3)
    assert nv.compare(old, KEPT, metrics="SR").rows[0]["difference"] == 0.0


def test_it_is_reported_and_replayed(old: Path, tmp_path: Path) -> None:
    page = nv.report(old, episodes=1).path.read_text()
    assert "oracle" in page
    assert "0.1.0" in page
    run = nv.Run(old)
    key = find_key(run.folder, "pointnav_home-val-0_s1_000", "oracle", "wheel_slip")
    strip = render_replay(run.folder.trace(key), tmp_path / "replay.png")
    assert strip.stat().st_size > 10_000


def test_it_is_not_resumed_by_another_version(old: Path) -> None:
    episodes = {trace.key.episode_id: trace.episode for trace in nv.Run(old).traces()}
    before = sorted(p.name for p in old.rglob("*"))
    with pytest.raises(nv.NavproofError, match=r"a run of navproof 0\.1\.0, and this is") as told:
        nv.run(
            ["random", "oracle"],
            list(episodes.values()),
            conditions="wheel_slip",
            beliefs=True,
            out=old,
            progress=False,
        )
    assert "\n" not in str(told.value)
    assert sorted(p.name for p in old.rglob("*")) == before
