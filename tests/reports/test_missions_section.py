"""Missions in a report: the paper's layouts, from runs written by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mission_run_samples import mission_run
from navproof.log import RunFolder
from navproof.reports import write_report
from navproof.reports.gather import commands, gather
from navproof.reports.sections.missions.section import MissionSection, mission_section
from navproof.reports.sections.missions.tables import Grid
from navproof.world.scene import Scene


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mission_run(tmp_path_factory.mktemp("missions") / "run")


@pytest.fixture(scope="module")
def section(run: Path) -> MissionSection:
    found = mission_section(gather([RunFolder(run)]))
    assert found is not None
    return found


def cells(grid: Grid, agent: str, *names: str) -> dict[str, str | None]:
    (line,) = [x for x in grid.lines if (x.entrant.label, *x.names) == (agent, *names)]
    return {head.name: c.mean for head, c in zip(grid.heads, line.cells, strict=True)}


def bold(grid: Grid, column: str) -> set[tuple[str, ...]]:
    place = [head.name for head in grid.heads].index(column)
    return {(x.entrant.label, *x.names) for x in grid.lines if x.cells[place].best}


def test_metrics_by_robot_in_the_order_of_the_paper(section: MissionSection) -> None:
    grid = section.metrics
    assert [x.names for x in grid.lines] == [("Carter",), ("Aliengo",), ("H1",)] * 2
    assert [h.name for h in grid.heads] == [
        *("SR", "full-SR", "CSR", "SGC", "OSR", "SPL", "HFS", "HFR", "SII", "EQA-ACC"),
    ]
    good = cells(grid, "good", "Carter")
    assert (good["SR"], good["HFS"], good["EQA-ACC"]) == ("80.0", "100.0", None)
    assert cells(grid, "poor", "Carter")["HFS"] == "0.0"
    assert bold(grid, "SR") == {("good", "Carter"), ("good", "Aliengo"), ("good", "H1")}
    assert {x.count for x in grid.lines} == {5}
    assert section.robots == ("carter", "aliengo", "h1")


def test_styles_are_of_the_same_missions(section: MissionSection) -> None:
    grid = section.styles
    assert grid is not None
    assert [(x.names, x.count) for x in grid.lines] == [
        (("Aliengo", "original"), 4),
        (("Aliengo", "concise"), 4),
    ]
    assert cells(grid, "good", "Aliengo", "original")["SR"] == "75.0"
    assert bold(grid, "SR") == {("good", "Aliengo", "concise")}
    assert "good, concise: 1.000" in section.style_figures[0].svg
    assert "poor" not in section.style_figures[0].svg


def test_ways_to_fail_and_a_radar_per_robot(section: MissionSection) -> None:
    assert cells(section.failures, "poor", "Carter") == {
        "failed": "80.0",
        "drift": "0.0",
        "stuck": "0.0",
        "premature stop": "80.0",
        "fall": "0.0",
        "out of time": "0.0",
    }
    assert cells(section.failures, "poor", "H1")["out of time"] == "80.0"
    assert [f.title for f in section.radars] == ["Carter", "Aliengo", "H1"]
    assert "poor: premature stop 0.80, drift 0.00" in section.radars[0].svg
    assert 'role="img"' in section.radars[0].svg


def test_homes_and_commercial_spaces(section: MissionSection) -> None:
    home = cells(section.scenes, "good", "Carter", "home")
    assert home["failed"] == "25.0"
    assert cells(section.scenes, "good", "Carter", "commercial")["failed"] == "0.0"
    assert "good · Carter, home (4): 0.250" in section.scene_figure.svg


def test_pauses(section: MissionSection) -> None:
    assert section.pauses is not None
    assert section.pause_figure is not None
    assert cells(section.pauses, "good", "H1")["correct wait"] == "100.0"
    assert cells(section.pauses, "poor", "H1")["intrusion"] == "100.0"
    assert {x.count for x in section.pauses.lines} == {1}
    assert "good · H1: 1 correct wait" in section.pause_figure.svg.replace(
        "correct wait 1", "1 correct wait"
    )


def test_kinds_of_sub_tasks(section: MissionSection) -> None:
    found = cells(section.kinds, "poor", "Carter")
    assert (found["goto point"], found["goto object"]) == ("100.0", "0.0")
    assert found["goto object: progress"] == "25.0"
    assert "goto room" not in found


def test_three_robots_are_no_three_protocols(run: Path) -> None:
    gathered = gather([RunFolder(run)])
    assert not any("different protocols" in line for line in gathered.warnings)
    assert "--robot h1,carter,aliengo" in commands(gathered)[0]


def test_the_page(run: Path, tmp_path: Path, tiny_library: Scene) -> None:
    page = write_report([run], tmp_path / "r.html", episodes=0).read_text()
    part = page[page.index('<section id="missions"') :]
    part = part[: part.index("</section>")]
    for heading in ("By robot", "By style", "How missions failed", "In pauses", "Homes"):
        assert f"<h3>{heading}" in part
    assert '<a href="#missions">' in page
    assert part.count("<svg") == part.count("</svg>") > 10
    pictures = re.findall(r'<svg[^>]*class="chart[^>]*>', part)
    assert pictures
    assert all("aria-label=" in svg or "aria-labelledby=" in svg for svg in pictures)
    assert "People react" not in part
    sheet = page[page.index("<style>") : page.index("</style>")]
    drawn = {name for names in re.findall(r'class="([^"]+)"', part) for name in names.split()}
    assert {name for name in drawn if f".{name}" not in sheet} <= {"sortable"}


def test_the_words_of_a_style_are_shown_beside_the_original(
    run: Path, tmp_path: Path, tiny_library: Scene
) -> None:
    page = write_report([run], tmp_path / "r.html", episodes=0).read_text()
    trust = page[page.index("What changed in the instruction") :]
    assert '<td class="words">Go to the point, then to the chair.</td>' in trust
    assert re.search(r"<del>.*Go to the.*<ins>.*Point", trust, re.DOTALL)


def test_reacting_people_are_told(tmp_path: Path, tiny_library: Scene) -> None:
    run = mission_run(tmp_path / "run", people="reacting", styles=())
    page = write_report([run], tmp_path / "r.html", episodes=0).read_text()
    assert "People react to the robot here" in page
    assert "By style" not in page
    assert "--people reacting" in page


def test_other_runs_have_no_such_section(run_path: Path) -> None:
    assert mission_section(gather([RunFolder(run_path)])) is None
