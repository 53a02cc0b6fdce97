"""Every episode of a report in one list, and the list of runs: data that a page's script shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sample_run import AGENTS, TASKS, sample_run

import navproof as nv
from navproof.log import RunFolder
from navproof.reports import write_report
from navproof.reports.gather import OUTCOMES, gather
from navproof.reports.sections import listing as module
from navproof.reports.sections.listing import listing
from navproof.testing import tiny_scene
from navproof.world.scene import Scene


def data_of(page: Path, name: str = "episodes") -> dict[str, Any]:
    source = page.read_text(encoding="utf-8")
    found = re.search(rf'id="data-{name}">(.*?)</script>', source, re.DOTALL)
    assert found
    told: dict[str, Any] = json.loads(found.group(1))
    return told


def column(told: dict[str, Any], name: str) -> list[Any]:
    """The values of a column, words for their numbers."""
    at = [c["name"] for c in told["columns"]].index(name)
    values = told["columns"][at].get("values")
    return [values[row[at]] if values else row[at] for row in told["rows"]]


@pytest.fixture
def page(run_path: Path, tiny_library: Scene, tmp_path: Path) -> Path:
    return write_report([run_path], tmp_path / "report.html", episodes=2)


def test_every_episode_is_in_the_list_as_it_was_scored(page: Path, run_path: Path) -> None:
    told, g = data_of(page), gather([RunFolder(run_path)])
    assert len(told["rows"]) == len(told["details"]) == len(g.rows) == 12 * len(AGENTS) * len(TASKS)
    wanted = sorted(
        (r.key.episode_id, g.entrants[r.entrant].label, OUTCOMES[r.outcome], r.result["steps"])
        for r in g.rows
    )
    names = ("Episode", "Agent", "Outcome", "steps")
    assert sorted(zip(*(column(told, n) for n in names), strict=True)) == wanted
    assert any("cannot reshape" in reason for reason in column(told, "Reason"))
    assert [c["name"] for c in told["columns"]].count("Condition") == 1


def test_a_row_opens_a_plan_with_the_way_and_knows_its_frames(page: Path, run_path: Path) -> None:
    told = data_of(page)
    plan = told["plans"][0]
    assert plan["g"].startswith("<g")
    for detail in told["details"]:
        us, vs = detail["w"][::2], detail["w"][1::2]
        assert 1 <= len(us) == len(vs) <= 96
        assert detail["p"] == 0
    ids = {
        number: f'id="episode-{number}"' in page.read_text(encoding="utf-8")
        for number in {d["n"] for d in told["details"] if "n" in d}
    }
    assert ids == {1: True, 2: True}
    assert told["runs"] == [{"run": str(run_path), "name": run_path.name}]


def test_large_lists_give_up_ways_then_columns(
    run_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    g = gather([RunFolder(run_path)])
    load = lambda name: tiny_scene()  # noqa: E731
    whole = listing(g, load, ())
    assert not whole.note
    monkeypatch.setattr(module, "_ROOM", len(whole.data) - 1)
    smaller = listing(g, load, ())
    assert "too many" in smaller.note
    told = json.loads(smaller.data)
    assert len(told["rows"]) == whole.rows
    assert told["plans"] == []
    assert all("w" not in detail for detail in told["details"])
    monkeypatch.setattr(module, "_ROOM", len(smaller.data) - 1)
    few = json.loads(listing(g, load, ()).data)
    assert len(few["rows"]) == whole.rows
    assert len(few["columns"]) < len(told["columns"])
    monkeypatch.setattr(module, "_MOST", 10)
    cut = listing(g, load, ())
    assert (cut.rows, "98 more" in cut.note) == (10, True)


def test_agents_without_a_common_task_are_not_compared(tmp_path: Path) -> None:
    from navproof.reports import tables

    runs = [
        RunFolder(sample_run(tmp_path / name, agents=(agent,), tasks=(task,), count=3))
        for name, agent, task in (
            ("a", "direct", "vln-v1"),
            ("b", "wanderer", "pointnav-v1"),
            ("c", "late", "pointnav-v1"),
        )
    ]
    g = gather(runs)
    assert [{e.agent for e in group} for group in g.comparable()] == [
        {"direct"},
        {"late", "wanderer"},
    ]
    pairs = {frozenset((d.first.agent, d.second.agent)) for d in tables.differences(g)}
    assert pairs == {frozenset(("late", "wanderer"))}
    for pair in (g.comparable()[1], g.comparable()[1][::-1]):  # in the order that is asked for
        (found,) = tables.differences(g, pair)
        assert (found.first, found.second) == pair
    figures = tables.distributions(g)
    assert sum(f.title == "How long it took" for f in figures) == 2
    assert all(("direct" in f.svg) != ("wanderer" in f.svg) for f in figures)
    cells = [len(cells) for table in tables.heat_tables(g) for _, cells in table.rows]
    assert set(cells) == {3}  # one for each agent in its own task


def test_a_folder_of_runs_is_a_list_of_them(
    tiny_library: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "runs & more"
    for name, agents in (("one", ("direct", "broken")), ("deep/two", ("wanderer",))):
        run = RunFolder(sample_run(folder / name, agents=agents, count=2))
        nv.score(run)
    (folder / "three").mkdir()
    (folder / "three" / "run.json").write_text("{")
    nv.report(folder / "deep" / "two", episodes=0)
    written = nv.report(folder)
    assert written.path == folder / "index.html"
    told = data_of(written.path, "runs")
    assert len(told["rows"]) == 3 * 3 + 1
    assert {"one", "deep/two", "three"} == set(column(told, "Run"))
    rates = dict(zip(column(told, "Agent"), column(told, "SR"), strict=True))
    assert rates["direct"] == 1.0
    states = dict(zip(column(told, "Run"), column(told, "State"), strict=True))
    assert states["one"] == "finished"
    assert "cannot be read" in states["three"]
    details = dict(zip(column(told, "Run"), told["details"], strict=True))
    assert details["deep/two"]["report"] == "deep/two/report.html"
    assert (folder / "deep" / "two" / "report.html").is_file()
    assert details["one"]["report"] == ""
    assert details["one"]["command"].startswith("navproof report '")


def test_words_of_others_stay_data(tmp_path: Path, tiny_library: Scene) -> None:
    from dataclasses import replace

    run = RunFolder(sample_run(tmp_path / "run", agents=("direct",), tasks=("vln-v1",), count=1))
    trace = run.trace(run.keys()[0])
    evil = "</script><!--<script>alert(1)"
    run.write(replace(trace, status="agent_error", reason=evil))
    page = write_report([run.path], tmp_path / "r.html", episodes=0)
    source = page.read_text(encoding="utf-8")
    assert source.count("</script>") == 2  # the data, and the script
    assert evil in column(data_of(page), "Reason")
