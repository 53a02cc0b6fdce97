"""The section about causes: its answer, its counts, its pictures and its words."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from diagnosis_samples import CAUSES, EVIL, diagnosed_run, diagnosis_of

from navproof.diagnosis.capabilities import PIPELINE, Capability, ErrorType
from navproof.diagnosis.fuzz.store import Header, Store
from navproof.diagnosis.summary import SummaryRow, read_summary, row_of, write_summary
from navproof.log import RunFolder, TraceKey
from navproof.metrics.stats.stats import wilson
from navproof.reports import write_report
from navproof.reports.campaign.found_failures import discovered
from navproof.reports.gather import gather
from navproof.reports.sections.diagnosis.charts import discovery
from navproof.reports.sections.diagnosis.fix_first import advise
from navproof.reports.sections.diagnosis.section import (
    DiagnosisSection,
    diagnosis_section,
    judge_words,
    section_of,
)
from navproof.testing import tiny_scene


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return diagnosed_run(tmp_path_factory.mktemp("diagnosed") / "run")


@pytest.fixture(scope="module")
def section(run: Path) -> DiagnosisSection:
    scene = tiny_scene()
    found = diagnosis_section(gather([RunFolder(run)]), lambda name: scene)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def page(run: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    scene = tiny_scene()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("navproof.world.library.load_scene", lambda ref: scene)
        out = write_report([run], tmp_path_factory.mktemp("page") / "report.html", episodes=1)
    return out.read_text(encoding="utf-8")


def rows(*kinds: ErrorType | None) -> list[SummaryRow]:
    """A passed episode for each None, an attributed failure for each type."""
    return [
        SummaryRow(TraceKey("a", f"e{i}"), "objectnav-v1", "passed")
        if kind is None
        else SummaryRow(
            TraceKey("a", f"e{i}"), "objectnav-v1", "attributed", kind.capability, 3, 0.9, kind
        )
        for i, kind in enumerate(kinds)
    ]


def test_what_recovers_most_is_to_be_fixed_first() -> None:
    told = advise("a", 0, rows(ErrorType.LOOP, ErrorType.MISSED, ErrorType.MISSED, *(None,) * 7))
    assert told.first is not None
    assert (told.first.capability, told.first.failures) == (Capability.PERCEPTION, 2)
    assert told.first.share == pytest.approx(0.2)
    assert (told.first.low, told.first.high) == wilson(2, 10)
    assert told.says.startswith("perception; repaired, it would recover 20 %")
    assert "2 of 3 failures" in told.says
    assert told.says.endswith("2 of 3 failures, missed detection (PE-1)")  # all of them
    mixed = advise("a", 0, rows(ErrorType.MISSED, ErrorType.MISSED, ErrorType.CONFUSED, None))
    assert mixed.says.endswith("3 of 3 failures, mostly missed detection (PE-1)")


def test_what_helps_is_counted_over_failures_of_one_capability(run: Path) -> None:
    folder = RunFolder(run)
    entrant = gather([folder]).entrants[0]
    base = diagnosis_of(folder.trace(folder.keys()[0]), ErrorType.DETOUR, black_box=False)
    assert base.attribution is not None
    search = replace(base, attribution=replace(base.attribution, suggestion="Search."))
    joint = replace(base, verdict="joint")
    read = [(entrant, folder, told) for told in (base, search, search, joint)]
    scene = tiny_scene()
    known = [(entrant, "clean", row_of(told, "objectnav-v1")) for _, _, told in read]
    found = section_of(known, read, (), (), lambda name: scene, ["a judge"]).suggestions
    assert found == ((ErrorType.DETOUR, 3, (("Search.", 2), ("Help for PL-1.", 1))),)


def test_a_judge_that_said_nothing_is_told() -> None:
    assert judge_words("judge m", [0, 0]) == "labels and memories were compared by judge m"
    assert "; in 4 steps of 2 failures it gave no number" in judge_words("judge m", [3, 0, 1])
    assert "; in 1 step of 1 failure it gave no number" in judge_words("judge m", [1])


def test_without_failures_there_is_nothing_to_fix() -> None:
    assert advise("a", 0, rows(None, None)).first is None
    assert advise("a", 0, rows(None, None)).says == "nothing; all 2 episodes passed"


def test_failures_that_could_not_be_played_again_say_nothing_of_corrections() -> None:
    lost = [replace(row, verdict="not_run") for row in rows(None, None)]
    assert "none of its 2 failures could be played again" in advise("a", 0, lost).says


def test_failures_are_counted_by_type_and_condition(section: DiagnosisSection) -> None:
    for line in section.lines:
        condition = "clean" if line.condition == "clean" else "spatter"
        kinds = CAUSES[line.entrant.agent][condition]
        assert (line.episodes, line.failures) == (10, len(kinds))
        for kind, cell in zip(ErrorType, line.cells, strict=True):
            assert cell.count == kinds.count(kind)
            assert cell.share == pytest.approx(cell.count / len(kinds))
        unexplained, outside, unplayed = (cell.count for cell in line.others)
        expected = kinds.count(None)
        closed = line.entrant.agent == "closed"
        assert (unexplained, outside, unplayed) == (
            (0, expected, 0) if closed else (expected, 0, 0)
        )
    assert len(section.lines) == 4


def test_failures_that_nobody_diagnosed_are_told(
    section: DiagnosisSection, run: Path, tmp_path: Path
) -> None:
    assert section.untold == ()
    part = RunFolder(shutil.copytree(run, tmp_path / "part"))
    summary = read_summary(part)
    clean = [row for row in summary.rows if row.key.condition == "clean"]
    write_summary(part, replace(summary, rows=tuple(clean)))
    scene = tiny_scene()
    found = diagnosis_section(gather([part]), lambda name: scene)
    assert found is not None
    expected = [
        f"{line.entrant.label}: {line.failures} failures were not diagnosed (under spatter)"
        for line in section.lines
        if line.condition != "clean"
    ]
    assert sorted(found.untold) == sorted(expected)


def test_the_answer_is_over_all_conditions_of_an_agent(section: DiagnosisSection) -> None:
    (eager,) = [a for a in section.advice if a.label.startswith("eager")]
    assert eager.first is not None
    assert (eager.first.capability, eager.first.failures) == (Capability.PERCEPTION, 7)
    assert (eager.episodes, eager.failures, eager.unattributed) == (20, 10, 1)


def test_repair_rates_count_what_was_tried(section: DiagnosisSection) -> None:
    rates = {r.capability: (r.saved, r.tried) for r in section.repairs}
    assert rates == {
        Capability.PERCEPTION: (7, 7),
        Capability.MEMORY: (1, 1),
        Capability.PLANNING: (1, 2),
        Capability.DECISION: (0, 9),
    }


def test_black_boxes_are_told_apart(section: DiagnosisSection) -> None:
    (outside,) = section.outside
    assert (outside.asked, outside.saved) == (5, 3)
    assert "the corruption did it" in outside.probe


def test_one_failure_of_each_capability_is_shown(section: DiagnosisSection) -> None:
    shown = [story.capability for story in section.stories]
    assert shown == [Capability.PERCEPTION, Capability.MEMORY, Capability.PLANNING]
    story = section.stories[0]
    assert [shot.caption for shot in story.shots] == [
        "given at step 3, the source",
        "the end of the failed run",
        "the end of the repaired run",
    ]
    source = story.shots[0].svg
    assert source.count('class="box-expected"') == 1
    assert source.count('class="box-believed"') == 1  # the lamp concerns nothing expected
    assert "source: PE-1, step 3" in story.timeline
    assert story.timeline.count('class="reference"') == len(PIPELINE)
    assert story.plan.count('class="path') == 2


def test_the_page_answers_at_the_top_and_escapes(page: str) -> None:
    assert page.index("fix first: <strong>perception</strong>") < page.index('id="summary"')
    assert EVIL not in page
    assert "&lt;b&gt;not a chair" in page
    assert "the 95 % quantile in 8 passed episodes" in page
    assert re.search(r'href="#diagnosis"', page)


def test_a_run_without_diagnosis_has_no_section(run_path: Path) -> None:
    assert diagnosis_section(gather([RunFolder(run_path)])) is None


def test_campaigns_beside_the_run_are_counted(tmp_path: Path) -> None:
    def campaign(
        name: str, tester: str, seed: int, *passed: bool, agent: str = "a", axes: str = "goal"
    ) -> None:
        store = Store(tmp_path / name)
        store.path.mkdir()
        store.write_header(Header(agent, tester, seed, 1, True, {"axes": axes.split(",")}))
        lines = [json.dumps({"success": ok}) for ok in passed]
        (store.path / "campaign.jsonl").write_text("\n".join(lines) + "\n")

    campaign("one", "cantest", 0, False, True, False)
    campaign("two", "cantest", 1, True, True, False)
    campaign("three", "random", 0, True)
    campaign("other", "random", 0, False, agent="b")
    (tmp_path / "run").mkdir()
    found = discovered([tmp_path / "run"], {"a"})
    assert found == [("cantest", ((1.0, 1.0, 2.0), (0.0, 0.0, 1.0))), ("random", ((0.0,),))]
    svg = discovery(found)
    assert "cantest: 1.5 after 3" in svg
    assert svg.count("polyline") == 2
    assert svg.count("<circle") == 1  # one case makes no line
    campaign("copy", "cantest", 0, False, True)  # got less far than the same one
    campaign("wider", "cantest", 0, False, axes="goal,start")
    again = dict(discovered([tmp_path / "run"], {"a"}))
    assert set(again) == {"cantest (goal)", "cantest (goal, start)", "random (goal)"}
    assert again["cantest (goal)"] == found[0][1]
