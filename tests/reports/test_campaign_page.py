"""The page of a search for failures: causes, curves, the failures, and how to go on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from diagnosis_samples import EVIL, THRESHOLDS, diagnosis_of
from sample_run import make_trace
from typer.testing import CliRunner

from navproof.cli.main import app
from navproof.core.errors import RunError
from navproof.core.plain import as_plain
from navproof.diagnosis.capabilities import ErrorType
from navproof.diagnosis.fuzz.minimise import Checked, MinimalCase
from navproof.diagnosis.fuzz.store import Header, Store, is_campaign
from navproof.diagnosis.fuzz.suite import MINIMAL_NAME
from navproof.diagnosis.fuzz.types import Case, CaseResult
from navproof.diagnosis.types import Diagnosis
from navproof.log import TraceKey
from navproof.reports.campaign.page import write_campaign_report
from navproof.testing import tiny_scene

MISSED, LOOP = ErrorType.MISSED, ErrorType.LOOP
ABOUT = {"task": "objectnav-v1", "scenes": ["tiny"], "axes": ["goal", "condition"]}
Told = tuple[ErrorType | None, str]
"""The type of a failure's cause and its condition; (None, …) passes."""


def campaign(
    folder: Path,
    cases: Sequence[Told],
    tester: str = "cantest",
    seed: int = 0,
    *,
    diagnosed: bool = True,
    beliefs: bool = True,
    rooms: bool = True,
    about: Mapping[str, Any] = ABOUT,
) -> Path:
    store = Store(folder)
    folder.mkdir(parents=True)
    store.write_header(Header("frontier", tester, seed, 2, diagnosed, about, THRESHOLDS))
    for number, (kind, condition) in enumerate(cases):
        trace = make_trace("direct", "objectnav-v1", number)
        trace = replace(trace, key=TraceKey("frontier", trace.key.episode_id, condition))
        case = Case(trace.episode, condition, changed={"room_id": number if rooms else 0})
        told = None
        if kind is not None and diagnosed:
            told = diagnosis_of(trace, kind, black_box=False)
            if not beliefs:  # and a search asks nothing from outside
                told = Diagnosis(trace.key, "from_outside", said="A black box.")
        store.keep(case, trace, told)
        store.append(number, CaseResult(case, trace, kind is None, told), None)
    return folder


def made_smaller(folder: Path, number: int, condition: str, checked: Checked) -> None:
    result = Store(folder).results()[number]
    gone = ("low_light", "spatter@1 above 0.5", "words", "words")
    small = MinimalCase(replace(result.case, condition=condition), gone, 3, checked)
    with (folder / MINIMAL_NAME).open("a") as file:
        file.write(json.dumps(as_plain(small)) + "\n")


def page(*folders: Path) -> str:
    scene = tiny_scene()
    out = write_campaign_report(folders, folders[0] / "report.html", lambda name: scene)
    return out.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cases = [(None, "clean"), (MISSED, "spatter@1"), (MISSED, "clean"), (LOOP, "low_light")]
    path = campaign(tmp_path_factory.mktemp("searches") / "hunt", cases)
    made_smaller(path, 1, "spatter@0.5", "cause")
    (path / "failures").mkdir()
    (path / "failures" / "commands.txt").write_text("")
    return path


def test_it_answers_what_to_fix_and_lists_what_was_found(folder: Path) -> None:
    text = page(folder)
    assert "Failures of frontier, found by cantest" in text
    assert "failed 3 of 4 cases, of 3 kinds" in text
    assert text.index("fix first: <strong>perception</strong>") < text.index('id="found"')
    assert "made smaller (without low light, spatter at 1 lowered to 0.5, fewer words); " in text
    assert "it still fails from the same cause" in text
    assert "<td>spatter at 0.5</td>" in text
    assert "as small as it could be made" in text
    assert "Help for PE-1." in text
    assert "Help for PL-2." in text
    assert "cantest: " not in text  # one curve needs no legend
    assert "frontier: 3.0 after 4" in text
    assert EVIL not in text
    assert "http" not in text.replace("http://www.w3.org", "")
    rows = text[text.index('class="found"') :]
    assert rows[: rows.index("</table>")].count('<th scope="row">') == 3


def test_it_tells_how_to_do_it_again(folder: Path) -> None:
    text = page(folder)
    assert "navproof fuzz --agent frontier --task objectnav-v1 --tester cantest" in text
    assert "--axes goal,condition --scene tiny --budget 4 --initial 2 --seed 0" in text
    assert "--out hunt --diagnose" in text
    assert "sh hunt/failures/commands.txt" in text


def test_conditions_are_counted_by_family(folder: Path) -> None:
    text = page(folder)
    table = text[text.index('class="goals blame"') :]
    table = table[: table.index("</table>")]
    assert table.count('<td class="beside-agent">RGB</td><td>2</td><td>2</td>') == 1
    assert table.count('<td class="beside-agent">clean</td><td>2</td><td>1</td>') == 1


def test_testers_stand_side_by_side_and_seeds_together(folder: Path, tmp_path: Path) -> None:
    second = campaign(tmp_path / "b", [(None, "clean"), (LOOP, "clean")], seed=1)
    other = campaign(tmp_path / "c", [(MISSED, "clean")] * 2, "random", diagnosed=False)
    text = page(folder, second, other, folder)
    assert "found by 2 testers" in text
    assert "<strong>frontier · cantest</strong> failed 4 of 6 cases" in text
    assert "frontier · cantest: 1.0 after 2" in text  # as far as both seeds went
    assert "<strong>Note</strong>frontier · random: its failures were not diagnosed" in text
    assert "<b>frontier · cantest (seed 1)</b> perception 0.40" in text
    assert "Here are at most" not in text


def test_searches_of_two_spaces_are_no_seeds_of_one(folder: Path, tmp_path: Path) -> None:
    wider = {**ABOUT, "axes": ["goal", "start"]}
    other = campaign(tmp_path / "b", [(LOOP, "clean")], about=wider)
    copied = campaign(tmp_path / "c", [(None, "clean")])  # of the same seed, and less far
    text = page(folder, other, copied)
    assert "<strong>frontier (goal, condition)</strong> failed 3 of 4 cases" in text
    assert "<strong>frontier (goal, start)</strong> failed 1 of 1 cases" in text


def test_failures_of_seeds_that_nobody_diagnosed_do_not_count_as_passed(
    folder: Path, tmp_path: Path
) -> None:
    untold = campaign(tmp_path / "b", [(LOOP, "clean")] * 3, seed=1, diagnosed=False)
    text = page(folder, untold)
    assert "failed 6 of 7 cases" in text
    table = text[text.index('class="goals blame"') :]
    assert '<td class="beside-agent">clean</td><td>2</td><td>1</td>' in table
    assert "frontier: the failures of seed 1 were not diagnosed, so the causes are those" in text


def test_a_search_without_diagnoses_or_failures_has_no_causes(tmp_path: Path) -> None:
    plain = campaign(tmp_path / "a", [(LOOP, "clean"), (None, "clean")], diagnosed=False)
    text = page(plain)
    assert 'id="diagnosis"' not in text
    assert "not diagnosed" in text
    assert "as small as" not in text  # nobody made them smaller, nor kept them as a suite
    assert "<code>failures/</code>" not in text
    text = page(campaign(tmp_path / "b", [(None, "clean")]))
    assert 'id="found"' not in text
    assert "failed 0 of 1 cases" in text


def test_an_agent_without_beliefs_has_no_causes_and_that_is_said(
    folder: Path, tmp_path: Path
) -> None:
    closed = campaign(tmp_path / "a", [(LOOP, "clean"), (None, "clean")], beliefs=False)
    text = page(closed)
    assert "<strong>Note</strong>frontier: the agent tells no beliefs, so no capability" in text
    assert "and cantest searched by failure alone; navproof diagnose on a run" in text
    assert "one capability at a time was corrected" not in text
    assert '<td class="cause">no beliefs told<small>' in text
    assert "not diagnosed" not in text
    other = campaign(tmp_path / "b", [(LOOP, "clean")] * 2, "random", beliefs=False)
    text = page(folder, other)
    assert "frontier · random: the agent tells no beliefs, so no capability could be " in text
    assert "corrected; navproof diagnose" in text  # random never fed on causes
    table = text[text.index('class="goals blame"') :]
    assert "frontier · random" not in table[: table.index("</table>")]


def test_kinds_are_counted_as_they_are_listed(tmp_path: Path) -> None:
    cases = [(MISSED, "clean"), (MISSED, "spatter@1"), (LOOP, "clean"), (LOOP, "clean")]
    path = campaign(tmp_path / "a", cases, rooms=False)
    assert "failed 4 of 4 cases, of 3 kinds." in page(path)
    made_smaller(path, 1, "clean", "cause")
    text = page(path)
    assert "failed 4 of 4 cases, of 3 kinds (2 once made smaller)." in text
    rows = text[text.index('class="found"') :]
    assert rows[: rows.index("</table>")].count('<th scope="row">') == 2


def test_folders_of_both_kinds_are_told_apart(folder: Path, run_path: Path, tmp_path: Path) -> None:
    assert is_campaign(folder)
    assert not is_campaign(run_path)
    for other, said in ((run_path, "one at a time"), (tmp_path / "x", "does not exist")):
        done = CliRunner().invoke(app, ["report", str(folder), str(other)])
        assert isinstance(done.exception, RunError)
        assert said in str(done.exception)
    empty = Store(tmp_path / "empty")
    empty.path.mkdir()
    empty.write_header(Header("frontier", "cantest", 0, 2, True, ABOUT))
    with pytest.raises(RunError, match="holds no case yet"):
        page(empty.path)


def test_the_command_writes_it(folder: Path, tiny_library: object) -> None:
    done = CliRunner().invoke(app, ["report", str(folder), "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    assert json.loads(done.stdout)["report"] == str(folder / "report.html")
