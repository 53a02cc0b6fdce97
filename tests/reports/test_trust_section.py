"""The trust section: its numbers, what has none, its words, its size and its accessibility."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from sample_run import sample_run
from test_report import Page
from trust_samples import COUNT, EVIL, trust_run

from navproof.log import RunFolder, Skipped
from navproof.log.results import encode_results
from navproof.reports import write_report
from navproof.reports.gather import Gathered, gather
from navproof.reports.sections.trust.choose import choose_pairs, pairs_of
from navproof.reports.sections.trust.section import TrustSection, trust_section
from navproof.testing import tiny_scene
from navproof.world.scene import Scene

LOSSES = {
    "steady": {
        "clean": 0,
        "spatter": 2,
        "black_out": 5,
        "depth_gaussian": 1,
        "friendly": 0,
        "mask_100": 8,
        "white_box": 0,
        "low_light_noise+depth_gaussian": 3,
    },
    "blind": {"clean": 2, "spatter": 2, "black_out": 2, "depth_gaussian": 10},
    "lost": {"clean": 10, "spatter": 10, "black_out": 10, "depth_gaussian": 10},
}
NO_WORDS = "it reads no instruction"
PROTOCOL = "at the protocol’s intensities"


def skips(agent: str = "blind") -> list[Skipped]:
    names = ("friendly", "mask_100", "white_box")
    return [Skipped(agent, "vln-v1", name, NO_WORDS) for name in names]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trust_run(tmp_path_factory.mktemp("trust") / "run", LOSSES, skipped=skips())


@pytest.fixture(scope="module")
def gathered(folder: Path) -> Gathered:
    return gather([RunFolder(folder)])


@pytest.fixture(scope="module")
def section(gathered: Gathered) -> TrustSection:
    found = trust_section(gathered)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def page(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Page]:
    scene = tiny_scene()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("navproof.world.library.load_scene", lambda ref: scene)
        out = write_report([folder], tmp_path_factory.mktemp("page") / "report.html", episodes=4)
    source = out.read_text(encoding="utf-8")
    return source, Page(source)


def said(page: Page) -> str:
    return " ".join(" ".join(page.words).split())


# ------------------------------------------------------------------------------------- gathering
def test_other_sections_are_about_clean_episodes(gathered: Gathered) -> None:
    assert [e.label for e in gathered.entrants] == ["steady", "blind", "lost"]
    assert {r.key.condition for r in gathered.rows} == {"clean"}
    assert len(gathered.rows) == 3 * COUNT
    assert len(gathered.trials) == COUNT * sum(map(len, LOSSES.values()))


def test_a_run_without_its_skipped_conditions_is_finished(tmp_path: Path) -> None:
    losses = {"a": {"clean": 0, "friendly": 1}, "b": {"clean": 0}}
    path = trust_run(tmp_path / "r", losses, count=2, skipped=skips("b")[:1])
    assert gather([RunFolder(path)]).warnings == ()


def test_results_spare_the_traces(
    folder: Path, tiny_library: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only clean traces and those of shown episodes are read."""
    read: list[str] = []
    before = RunFolder.trace
    monkeypatch.setattr(
        RunFolder, "trace", lambda run, key: (read.append(key.condition), before(run, key))[1]
    )
    write_report([folder], tmp_path / "r.html", episodes=2)
    assert len([c for c in read if c != "clean"]) <= 2 + 3  # two damaged ones, three wordings


def test_stale_or_missing_results_are_made_again_from_traces(tmp_path: Path) -> None:
    path = trust_run(tmp_path / "r", {"a": {"clean": 0, "spatter": 2}}, count=4)
    run = RunFolder(path)

    def retained() -> float | None:
        found = trust_section(gather([run]))
        assert found is not None
        return found.scores.conditions[0].retention_sr.value

    assert retained() == 0.5
    rows = run.results()
    run.write_results([row | {"success": 0.0, "spl": 0.0} for row in rows])
    assert retained() == 0.5
    damaged = [row | ({"success": 0.0} if row["condition"] != "clean" else {}) for row in rows]
    (path / "results.parquet").write_bytes(encode_results(damaged))  # the manifest says otherwise
    assert retained() == 0.5
    (path / "results.parquet").unlink()
    assert retained() == 0.5


def test_results_of_a_run_without_a_manifest_are_made_again(tmp_path: Path) -> None:
    """Nothing says that they are what the run wrote: nor in a run that is made to look so."""
    path = trust_run(tmp_path / "r", {"a": {"clean": 0, "spatter": 2}}, count=4)
    run = RunFolder(path)
    better = {"success": 1.0, "spl": 1.0}
    run.write_results(
        [row | (better if row["condition"] != "clean" else {}) for row in run.results()]
    )
    (path / "manifest.jsonl").unlink()
    run.create(replace(run.info, run_version=2))
    section = trust_section(gather([RunFolder(path)]))
    assert section is not None
    assert section.scores.conditions[0].retention_sr.value == 0.5


def test_results_of_traces_that_changed_since_are_made_again(tmp_path: Path) -> None:
    """Only damaged ones did, of which the report opens none: the table bears their digest."""
    path = trust_run(tmp_path / "r", {"a": {"clean": 0, "spatter": 2}}, count=4)
    better = trust_run(tmp_path / "s", {"a": {"clean": 0, "spatter": 0}}, count=4)
    run, other = RunFolder(path), RunFolder(better)
    for trace in other.traces():
        if trace.key.condition != "clean":
            run.write(trace)
    section = trust_section(gather([RunFolder(path)]))
    assert section is not None
    assert section.scores.conditions[0].retention_sr.value == 1.0


def test_clean_runs_and_runs_without_clean_have_no_section(
    run_path: Path, tiny_library: Scene, tmp_path: Path
) -> None:
    plain = gather([RunFolder(run_path)])
    assert plain.trials == ()
    assert trust_section(plain) is None
    only = gather([RunFolder(trust_run(tmp_path / "r", {"a": {"spatter": 1}}, count=2))])
    assert [e.label for e in only.entrants] == ["a · spatter"]
    assert trust_section(only) is None
    source = write_report([run_path], tmp_path / "p.html", episodes=0).read_text("utf-8")
    assert 'id="trust"' not in source
    assert "heatmap" not in source


def test_agents_of_two_runs_keep_apart(tmp_path: Path, folder: Path) -> None:
    other = trust_run(tmp_path / "other", {"steady": {"clean": 0, "spatter": 10}})
    found = trust_section(gather([RunFolder(folder), RunFolder(other)]))
    assert found is not None
    values = {
        c.agent: c.retention_sr.value for c in found.scores.conditions if c.condition == "spatter"
    }
    assert values["steady (run)"] == 0.8
    assert values["steady (other)"] == 0.0


# --------------------------------------------------------------------------------------- numbers
def test_retention_is_counted_by_hand(section: TrustSection) -> None:
    table = {line.condition: line for _, lines in section.numbers for line in lines}
    steady = [s.name for s in section.subjects].index("steady")
    for condition, lost in (("spatter", 2), ("black out", 5), ("mask 100", 8)):
        cell = table[condition].cells[steady]
        assert not isinstance(cell, str)
        assert cell[1].shown == f"{(COUNT - lost) / COUNT:.2f}"
        assert cell[3] == COUNT
    assert [family for family, _ in section.numbers] == ["RGB", "depth", "instruction", "mixed"]
    blind = [s.name for s in section.subjects].index("blind")
    assert table["friendly"].cells[blind] == f"skipped: {NO_WORDS}"
    assert table["low light noise + depth gaussian"].cells[blind] == "not run"


def test_one_sentence_per_agent_says_overall_worst_and_family(section: TrustSection) -> None:
    says = {s.name: s.says for s in section.subjects}
    mean = (8 + 5 + 9 + 10 + 2 + 10 + 7) / 70
    assert says["steady"].startswith(f"retains {100 * mean:.0f} % of its clean success over 7")
    assert f"PRS-SR {mean:.2f}, 95 % interval" in says["steady"]
    assert "the worst is mask 100 with 20 %" in says["steady"]
    assert "the RGB family hurts most with 65 % retained" in says["steady"]
    assert "the worst is depth gaussian with 0 %" in says["blind"]
    assert "the clean SR is 0" in says["lost"]


def test_families_have_a_line_each_and_all(section: TrustSection) -> None:
    lines = {line.name: line for line in section.families}
    assert list(lines) == ["RGB", "depth", "instruction", "mixed", "all"]
    assert lines["RGB"].cells[0][0].shown == "0.65"
    assert lines["all"].k == 7
    lost = [s.name for s in section.subjects].index("lost")
    assert lines["all"].cells[lost][0].shown == "undefined"
    assert section.radar


def test_the_heat_map_marks_skipped_undefined_and_difficulty(section: TrustSection) -> None:
    sr, spl = section.heat
    assert (sr.measure, spl.measure) == ("SR", "SPL")
    assert sr.svg.count('class="tile skipped"') == 3
    assert f"blind, friendly: skipped, {NO_WORDS}" in sr.svg
    assert sr.svg.count('class="tile undefined"') == 4  # three conditions of "lost", and its mean
    assert "lost, spatter: undefined, the clean SR is 0" in sr.svg
    assert 'class="grade hard"' in sr.svg
    assert "steady, spatter: 0.80, 95 % interval" in sr.svg
    assert section.undefined == (section.undefined[0],)
    assert section.skipped == (("blind", f"friendly, mask 100 and white box: {NO_WORDS}"),)


def test_costs_are_per_episode_and_step(section: TrustSection) -> None:
    lines = {line.condition: line.cells[0] for line in section.costs}
    assert lines["clean"][1] == "–"
    assert lines["spatter"][1] == "2.00"
    assert float(lines["spatter"][0]) > float(lines["clean"][0]) > 0.5


def _rows(section: TrustSection) -> list[str]:
    """What stands before the rows of the heat map, whose columns have slanted names."""
    upright = re.sub(r"<g transform=.*?</g>", "", section.heat[0].svg)
    return re.findall(r'<text x="0" y="[^"]*" class="(?:row|tick)">([^<]*)<', upright)


def test_a_sweep_has_curves_and_rows_by_intensity(tmp_path: Path) -> None:
    losses = {
        "a": {
            "clean": 0,
            **{f"spatter@{x:g}": round(COUNT * x) for x in (0.25, 0.5, 0.75, 1.0)},
            **{f"defocus@{x:g}": 1 for x in (0.25, 0.5, 0.75, 1.0)},
            "low_light@0.5": 2,
            "low_light": 4,
        }
    }
    found = trust_section(gather([RunFolder(trust_run(tmp_path / "sweep", losses))]))
    assert found is not None
    (panels,) = found.panels
    assert panels.family == "RGB"
    assert len(panels.charts) == 4  # the mean first
    assert "RGB, mean" in panels.charts[0]
    assert dict(found.halves)["defocus"] == ("never within [0, 1]",)
    assert dict(found.halves)["spatter"][0].startswith("0.5")
    assert found.intensity == 1.0
    assert "over 3 corruptions at intensity 1" in found.subjects[0].says
    assert _rows(found) == ["a", "at 0.25", "at 0.5", "at 0.75", "at 1"]


def test_a_curve_beside_the_protocol_leaves_its_scores(tmp_path: Path) -> None:
    sweep = {"spatter@0.25": 0, "spatter@1": 3}
    losses = {"a": {"clean": 0, "defocus": 1, "friendly": 0, **sweep}}
    found = trust_section(gather([RunFolder(trust_run(tmp_path / "r", losses, count=4))]))
    assert found is not None
    assert found.intensity is None
    assert "over 2 corruptions (PRS-SR 0.88" in found.subjects[0].says
    assert _rows(found) == ["a", PROTOCOL, "at 0.25", "at 1"]  # 0.6 would tell of defocus again


def test_a_sweep_beside_a_run_at_the_protocols_intensities_is_quoted_at_its_highest(
    tmp_path: Path,
) -> None:
    full = trust_run(tmp_path / "full", {"a": {"clean": 0, "defocus": 1, "friendly": 0}}, count=4)
    swept = {"clean": 0, "spatter@0.25": 0, "spatter@0.75": 1}
    sweep = trust_run(tmp_path / "sweep", {"b": swept}, count=4)
    found = trust_section(gather([RunFolder(full), RunFolder(sweep)]))
    assert found is not None
    says = {subject.name: subject.says for subject in found.subjects}
    assert "over 2 corruptions (PRS-SR 0.88" in says["a"]
    assert "retains 75 % of its clean success over 1 corruption at intensity 0.75" in says["b"]
    assert _rows(found) == ["a", PROTOCOL, "b", "at 0.25", "at 0.75"]


def test_a_task_that_an_agent_cannot_do_is_said_once(tmp_path: Path) -> None:
    why = "it does vln-v1 only"
    skipped = [Skipped("a", "objectnav-v1", name, why) for name in ("clean", "spatter")]
    path = trust_run(tmp_path / "r", {"a": {"clean": 0, "spatter": 1}}, count=3, skipped=skipped)
    found = trust_section(gather([RunFolder(path)]))
    assert found is not None
    assert found.skipped == (("a", f"all of ObjectNav v1: {why}"),)
    assert "tile skipped" not in found.heat[0].svg
    assert len(found.subjects) == 1


def test_several_tasks_are_told_apart(tmp_path: Path) -> None:
    path = trust_run(
        *(tmp_path / "r", {"a": {"clean": 0, "spatter": 1}}),
        tasks=("vln-v1", "objectnav-v1"),
        count=3,
        seeds=(0, 1),
    )
    found = trust_section(gather([RunFolder(path)]))
    assert found is not None
    assert [s.label for s in found.subjects] == ["a · ObjectNav v1", "a · VLN v1"]
    assert [s.series for s in found.subjects] == [0, 1]
    assert found.scores.conditions[0].n == 6


# ----------------------------------------------------------------------------------------- page
class Headings(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.feed(source)

    def handle_starttag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        if re.fullmatch(r"h[1-6]", name):
            self.levels.append(int(name[1]))


def test_page_is_accessible_and_well_formed(page: tuple[str, Page]) -> None:
    source, parsed = page
    assert not parsed.open
    assert parsed.unnamed == []
    assert len(parsed.ids) == len(set(parsed.ids))
    assert set(parsed.targets) <= set(parsed.ids)
    assert {"trust", "damaged", "summary"} <= set(parsed.ids)
    levels = Headings(source).levels
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))
    assert all(load.startswith(("data:", "#")) for load in parsed.loads)
    charts = re.findall(r'<svg [^>]*class="chart[^"]*"[^>]*>', source)
    assert charts
    assert all('role="img"' in chart and "aria-label=" in chart for chart in charts)


def test_page_says_everything(page: tuple[str, Page]) -> None:
    words = said(page[1])
    assert "steady retains 73 % of its clean success" in words
    assert f"friendly, mask 100 and white box: {NO_WORDS}" in words
    assert "What changed in the instruction" in words
    assert "Keep close to the walls." in words
    assert "What a corruption costs" in words
    assert "resample whole episodes 2000 times" in words
    assert "spatter (0.6)" in words
    assert "Most damaged episodes" in words
    assert "instead of “forward”" in words
    assert "All of them clean." in words
    assert "--suite trust --condition clean,spatter,black_out,depth_gaussian" in words


def test_protocol_hash_and_methods_are_on_the_page(page: tuple[str, Page], folder: Path) -> None:
    digest = RunFolder(folder).info.spec_hash
    words = said(page[1])
    assert f"Protocol hash {digest}" in words


def test_changes_are_marked_by_more_than_colour(page: tuple[str, Page]) -> None:
    source, _ = page
    assert '<del><span class="spoken">[gone: </span>Leave' in source
    assert '<ins><span class="spoken">[new: </span>Hi! Please leave' in source
    style = source[source.index("<style>") : source.index("</style>")]
    assert re.search(r"del \{[^}]*line-through", style)
    assert re.search(r"ins \{[^}]*underline", style)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_enough_and_the_ramp_rises_in_lightness(page: tuple[str, Page]) -> None:
    style = page[0][: page[0].index("</style>")]
    ramp = [re.search(rf"--h{i}: (#\w{{6}})", style) for i in range(11)]
    colours = [found.group(1) for found in ramp if found]
    assert len(colours) == 11
    lightness = [luminance(c) for c in colours]
    assert lightness == sorted(lightness)
    light_on = re.search(r"((?:svg \.on\.h\d+,? ?)+)\{ fill: #fff", style)
    assert light_on
    whites = {int(n) for n in re.findall(r"\.h(\d+)", light_on.group(1))}
    for i, colour in enumerate(colours):
        assert contrast(colour, "#ffffff" if i in whites else "#000000") >= 4.5
    for name in ("ink", "muted", "faint", "accent"):
        light, dark = (m for m in re.findall(rf"--{name}: (#\w{{6}})", style)[:2])
        surfaces = [re.findall(rf"--{s}: (#\w{{6}})", style)[:2] for s in ("paper", "surface")]
        for back_light, back_dark in surfaces:
            assert contrast(light, back_light) >= 4.5
            assert contrast(dark, back_dark) >= 4.5


def test_hostile_names_are_escaped(tiny_library: Scene, tmp_path: Path) -> None:
    losses = {EVIL: {"clean": 0, "spatter": 2, EVIL: 1, "friendly": 2}}
    skipped = [Skipped(EVIL, "vln-v1", f"{EVIL}2", EVIL)]
    path = trust_run(tmp_path / "r", losses, count=3, skipped=skipped)
    run = RunFolder(path)
    for key in run.keys():  # noqa: SIM118
        if key.condition == "friendly":
            trace = run.trace(key)
            (event, *others) = trace.events
            run.write(replace(trace, events=(replace(event, data={"text": EVIL}), *others)))
    source = write_report([path], tmp_path / "r.html", episodes=4).read_text("utf-8")
    assert "<script>alert" not in source
    assert not Page(source).open
    assert "No frames:" in source  # nobody knows what that condition does


def test_the_same_run_gives_the_same_page(
    page: tuple[str, Page], folder: Path, tiny_library: Scene, tmp_path: Path
) -> None:
    again = write_report([folder], tmp_path / "again.html", episodes=4)
    assert again.read_text("utf-8") == page[0]


def test_no_episodes_means_no_stories(folder: Path, tiny_library: Scene, tmp_path: Path) -> None:
    source = write_report([folder], tmp_path / "r.html", episodes=0).read_text("utf-8")
    assert 'id="damaged"' not in source
    assert 'id="trust"' in source
    assert Page(source).pictures == 0


def test_a_large_run_stays_small(tiny_library: Scene, tmp_path: Path) -> None:
    """24 conditions × 60 episodes × 2 agents."""
    from navproof.corruptions.navtrust import PAPER

    losses = {
        agent: {"clean": 2, **{name: (7 * i) % 60 for i, name in enumerate(PAPER, 1 + base)}}
        for base, agent in enumerate(("one", "two"))
    }
    path = trust_run(tmp_path / "large", losses, count=60)
    out = write_report([path], tmp_path / "r.html")
    assert out.stat().st_size < 5_000_000
    assert Page(out.read_text("utf-8")).pictures > 0


# ---------------------------------------------------------------------------------------- choice
def test_damaged_pairs_take_turns(gathered: Gathered) -> None:
    pairs = pairs_of(gathered)
    assert len(pairs) == len([t for t in gathered.trials if t.key.condition != "clean"])
    chosen = choose_pairs(pairs, 4)
    assert all(p.damage > 0 for p in chosen)
    assert all(p.clean.key.episode_id == p.spoiled.key.episode_id for p in chosen)
    assert all(p.clean.result["success"] and not p.spoiled.result["success"] for p in chosen)
    families = {"spatter": "rgb", "black_out": "rgb", "mask_100": "instruction"}
    kinds = [families.get(p.condition, p.condition) for p in chosen]
    assert len(set(kinds)) == 4
    assert {p.spoiled.entrant for p in chosen} == {0, 1}
    assert choose_pairs(pairs, 4) == chosen
    assert choose_pairs([p for p in pairs if p.spoiled.entrant == 2], 4) == []


def test_sample_runs_still_report_without_conditions(tmp_path: Path) -> None:
    """An old run: one condition, no results file."""
    path = sample_run(tmp_path / "old", agents=("direct",), count=1)
    assert gather([RunFolder(path)]).trials == ()
