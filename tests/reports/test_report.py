"""The page: complete in itself, accessible, reproducible, and its numbers are the traces'."""

from __future__ import annotations

import math
import shutil
import statistics
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sample_run import AGENTS, TASKS, make_trace, sample_run

from navproof.core.errors import NavproofError, RunError
from navproof.log import RunFolder
from navproof.reports import write_report
from navproof.reports.gather import OUTCOMES, gather, outcome_of
from navproof.reports.tables import show, task_title
from navproof.world.scene import Scene

VOID = {"meta", "link", "img", "input", "br", "hr"}
OWN_SVG = {"path", "line", "circle", "polygon", "polyline", "rect", "image"}


class Page(HTMLParser):
    """Collects what the tests ask about, and checks that tags are closed in order."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.loads: list[str] = []
        self.unnamed: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.cells: dict[tuple[str, str, str], str] = {}
        self.words: list[str] = []
        self.pictures = 0
        self._task = self._agent = ""
        self._metric: str | None = None
        self._mean = False
        self.feed(source)
        self.close()

    def handle_starttag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        have = dict(attrs)
        if name not in VOID and not (name in OWN_SVG and self._self_closed()):
            self.open.append(name)
        for key in ("src", "href", "data", "poster", "srcset", "action"):
            if have.get(key):
                self.loads.append(have[key] or "")
        if have.get("id"):
            self.ids.append(have["id"] or "")
        if (have.get("href") or "").startswith("#"):
            self.targets.append((have["href"] or "")[1:])
        if name == "img":
            self.pictures += 1
            if not have.get("alt"):
                self.unnamed.append(name)
        if name == "svg" and have.get("aria-hidden") != "true" and not have.get("aria-label"):
            self.unnamed.append(name)
        if name == "tbody" and "data-task" in have:
            self._task = have["data-task"] or ""
        if name == "tr" and "data-agent" in have:
            self._agent = have["data-agent"] or ""
        if name == "td":
            self._metric = have.get("data-metric")
        self._mean = self._metric is not None and have.get("class") in ("mean", "best")

    def _self_closed(self) -> bool:
        return (self.get_starttag_text() or "").endswith("/>")

    def handle_startendtag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(name, attrs)
        if self.open and self.open[-1] == name and name not in VOID | OWN_SVG:
            self.open.pop()

    def handle_endtag(self, name: str) -> None:
        assert self.open, f"</{name}> closes nothing"
        assert self.open.pop() == name

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.words.append(data)
        if self._mean and data.strip() and self._metric:
            self.cells[self._task, self._agent, self._metric] = data.strip()
            self._mean = False


@pytest.fixture
def page(run_path: Path, tiny_library: Scene, tmp_path: Path) -> tuple[str, Page]:
    out = write_report([run_path], tmp_path / "deep" / "report.html", episodes=4)
    source = out.read_text(encoding="utf-8")
    return source, Page(source)


def test_page_is_well_formed_and_small(page: tuple[str, Page]) -> None:
    source, parsed = page
    assert source.startswith("<!doctype html>")
    assert not parsed.open
    assert len(source.encode()) < 5_000_000
    assert len(parsed.ids) == len(set(parsed.ids))
    assert set(parsed.targets) <= set(parsed.ids)


def test_page_loads_nothing(page: tuple[str, Page]) -> None:
    source, parsed = page
    assert all(load.startswith(("data:", "#")) for load in parsed.loads)
    style = source[source.index("<style>") : source.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    script = source[source.index("<script>") :]
    for word in ("fetch(", "XMLHttpRequest", "import(", "http:", "https:"):
        assert word not in script


def test_every_picture_has_words(page: tuple[str, Page]) -> None:
    _, parsed = page
    assert parsed.unnamed == []
    assert parsed.pictures == 4 * len(AGENTS) * 5


def test_numbers_are_those_of_the_traces(page: tuple[str, Page]) -> None:
    """Means computed here from the raw traces, without navproof's metrics."""
    _, parsed = page
    for agent in AGENTS:
        for task in TASKS:
            traces = [make_trace(agent, task, i) for i in range(12)]
            won, spl, errors, steps = [], [], [], []
            for t in traces:
                near = t.distances_m[-1] <= t.spec.success_m
                success = float(t.status == "ok" and t.actions[-1] == "stop" and near)
                walked = sum(
                    math.hypot(b.x - a.x, b.y - a.y)
                    for a, b in zip(t.poses, t.poses[1:], strict=False)
                )
                shortest = t.episode.geodesic_m
                won.append(success)
                spl.append(success * shortest / max(walked, shortest))
                errors.append(t.distances_m[-1])
                steps.append(len(t.actions))
            where = (task, agent)
            assert parsed.cells[*where, "success"] == f"{statistics.fmean(won):.3f}"
            assert parsed.cells[*where, "spl"] == f"{statistics.fmean(spl):.3f}"
            assert parsed.cells[*where, "navigation_error_m"] == f"{statistics.fmean(errors):.2f}"
            assert parsed.cells[*where, "steps"] == f"{statistics.fmean(steps):.1f}"


def test_page_says_what_was_run_what_failed_and_how_to_repeat_it(page: tuple[str, Page]) -> None:
    source, parsed = page
    words = " ".join(" ".join(parsed.words).split())
    assert "direct, wanderer and broken on sample" in words
    assert "direct reached the goal in 36 of 36 episodes (100 %)" in words
    assert "cannot reshape array" in words
    assert "navproof run --agent direct,wanderer,broken --suite sample" in words
    assert "pass the red table on your left" in words
    assert "arXiv:1807.06757" in words
    assert "prefers-color-scheme: dark" in source


def test_same_traces_same_bytes(
    page: tuple[str, Page], run_path: Path, tiny_library: Scene, tmp_path: Path
) -> None:
    again = write_report([run_path], tmp_path / "again.html", episodes=4)
    assert again.read_text(encoding="utf-8") == page[0]


def test_timing_does_not_change_the_page(tiny_library: Scene, tmp_path: Path) -> None:
    from dataclasses import replace

    pages = []
    for seconds in (0.001, 5.0):
        sample_run(tmp_path / "run", agents=("direct",), count=2)
        run = RunFolder(tmp_path / "run")
        for key in run.keys():  # noqa: SIM118
            trace = run.trace(key)
            run.write(replace(trace, timing={"act_s": (seconds,) * len(trace.actions)}))
        out = write_report([tmp_path / "run"], tmp_path / "r.html", episodes=1)
        pages.append(out.read_bytes())
    assert pages[0] == pages[1]


def test_names_are_escaped(tiny_library: Scene, tmp_path: Path) -> None:
    from dataclasses import replace

    from navproof.core.types import Instruction
    from navproof.log import TraceKey

    sample_run(tmp_path / "run", agents=("direct",), tasks=("vln-v1",), count=1)
    run = RunFolder(tmp_path / "run")
    trace = run.trace(run.keys()[0])
    evil = "<script>alert(1)</script>"
    shutil.rmtree(tmp_path / "run" / "traces")
    run.create(replace(run.info, agents=(evil,)))
    episode = replace(trace.episode, instruction=Instruction(evil))
    key = TraceKey(evil, trace.key.episode_id)
    run.write(replace(trace, key=key, episode=episode, status="agent_error", reason=evil))
    source = write_report([tmp_path / "run"], tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script>alert" not in source
    assert Page(source).unnamed == []


def test_runs_side_by_side_warn_when_protocols_differ(
    run_path: Path, tiny_library: Scene, tmp_path: Path
) -> None:
    other = sample_run(tmp_path / "other", agents=("direct",), count=6, success_m=1.0)
    g = gather([RunFolder(run_path), RunFolder(other)])
    assert sorted(e.label for e in g.entrants) == [
        "broken",
        "direct (other)",
        "direct (sample)",
        "wanderer",
    ]
    assert any("cannot be compared" in w for w in g.warnings)
    assert any("direct (other) lacks 18" in w for w in g.warnings)
    page = write_report([run_path, other], tmp_path / "both.html", episodes=1)
    assert "cannot be compared" in page.read_text(encoding="utf-8")


def test_equal_ids_of_different_problems_are_not_paired(
    run_path: Path, tiny_library: Scene, tmp_path: Path
) -> None:
    from dataclasses import replace

    from navproof.reports.sections.stories import pick, tell
    from navproof.reports.tables import differences

    other = RunFolder(sample_run(tmp_path / "other", agents=("late",), tasks=("vln-v1",), count=3))
    for key in other.keys():  # noqa: SIM118
        trace = other.trace(key)
        start = replace(trace.episode.start, x=-3.5)
        other.write(replace(trace, episode=replace(trace.episode, start=start)))
    g = gather([RunFolder(run_path), other])
    assert any("3 episodes (such as vln-000)" in w for w in g.warnings)
    assert not any("late" in (d.first.label, d.second.label) for d in differences(g))
    stories = tell(g, pick(g, 60), lambda ref: tiny_library)
    assert all(line.entrant.label != "late" for s in stories for line in s.lines)


def test_equal_names_are_told_apart_by_folder(tmp_path: Path) -> None:
    paths = [tmp_path / side / "run" for side in ("a", "b")]
    runs = [RunFolder(sample_run(p, agents=("direct",), count=1)) for p in paths]
    labels = [e.label for e in gather(runs).entrants]
    assert labels == [f"direct ({p})" for p in paths]


def test_the_same_protocol_gives_no_warning(run_path: Path, tmp_path: Path) -> None:
    extra = sample_run(tmp_path / "extra", agents=("late",))
    assert gather([RunFolder(run_path), RunFolder(extra)]).warnings == ()


def test_unfinished_runs_say_so(tmp_path: Path) -> None:
    path = sample_run(tmp_path / "half", agents=("direct",), count=3)
    next((path / "traces").rglob("*.json.gz")).unlink()
    assert gather([RunFolder(path)]).warnings == ("half is not finished: 8 of 9 episodes.",)


def test_a_lost_scene_costs_its_frames_only(run_path: Path, tmp_path: Path) -> None:
    out = write_report([run_path], tmp_path / "r.html", episodes=2)  # no scene is called "tiny"
    parsed = Page(out.read_text(encoding="utf-8"))
    assert parsed.pictures == 0
    assert "No frames:" in " ".join(parsed.words)


def test_pictures_give_way_to_the_size_limit(
    run_path: Path, tiny_library: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from navproof.reports import html

    large = write_report([run_path], tmp_path / "large.html", episodes=3)
    without = write_report([run_path], tmp_path / "without.html", episodes=0)
    limit = (large.stat().st_size + without.stat().st_size) // 2
    monkeypatch.setattr(html, "LARGEST", limit)
    monkeypatch.setattr(html, "_ROOMS", (10**9, 60_000, 0))
    small = write_report([run_path], tmp_path / "small.html", episodes=3)
    assert small.stat().st_size < limit
    assert not Page(small.read_text(encoding="utf-8")).open


def test_no_episodes_is_fine_and_negative_is_not(run_path: Path, tmp_path: Path) -> None:
    source = write_report([run_path], tmp_path / "r.html", episodes=0).read_text(encoding="utf-8")
    assert 'id="episodes"' not in source
    assert not Page(source).open
    with pytest.raises(RunError, match="episodes"):
        write_report([run_path], tmp_path / "r.html", episodes=-1)


@pytest.mark.parametrize("kind", ["nowhere", "empty", "no traces", "damaged"])
def test_bad_runs_end_in_one_line(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "run"
    if kind == "empty":
        path.mkdir()
    elif kind != "nowhere":
        sample_run(path, agents=("direct",), count=1)
        for file in (path / "traces").rglob("*.json.gz"):
            if kind == "no traces":
                file.unlink()
            else:
                file.write_bytes(b"not gzip")
    with pytest.raises(NavproofError) as caught:
        write_report([path], tmp_path / "r.html")
    assert "\n" not in str(caught.value)
    assert "run" in str(caught.value)
    assert not (tmp_path / "r.html").exists()


def test_an_unwritable_file_is_one_line(run_path: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot write"):
        write_report([run_path], tmp_path / "file" / "r.html", episodes=0)


def test_outcomes_are_told_apart() -> None:
    seen = {
        outcome_of(make_trace(agent, "vln-v1", index), agent == "direct")
        for agent, index in (("direct", 0), ("wanderer", 1), ("broken", 0))
    }
    assert seen == {"success", "passed", "agent_error"}
    assert outcome_of(make_trace("wanderer", "pointnav-v1", 1), False) == "budget"
    assert outcome_of(make_trace("broken", "pointnav-v1", 1), False) == "astray"
    assert seen <= set(OUTCOMES)


def test_small_words() -> None:
    assert task_title("objectnav-v1") == "ObjectNav v1"
    assert task_title("socialnav-v2") == "socialnav v2"
    assert show(-0.0004, 3) == "0.000"
    assert show(-1.5, 1) == "−1.5"
