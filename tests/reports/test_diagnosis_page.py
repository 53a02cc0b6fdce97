"""``scripts/diagnosis_results.py``: testers side by side, from campaigns and known causes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sample_run import make_trace

from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.fuzz.store import Header, Store
from navproof.diagnosis.fuzz.types import Case, CaseResult
from navproof.diagnosis.types import Attribution, Diagnosis, Evidence, Repair, Trial
from navproof.log import Trace, TraceKey

Main = Callable[[Sequence[str]], None]


@pytest.fixture
def main(script: Callable[[str], Main]) -> Main:
    return script("diagnosis_results")


def campaign(
    folder: Path,
    tester: str,
    seed: int,
    kinds: Sequence[ErrorType | None],
    diagnosed: bool = True,
) -> None:
    """One case for each type of error; None is a pass."""
    store = Store(folder / f"mlfm.{tester}.{seed}")
    store.path.mkdir(parents=True)
    store.write_header(Header("mlfm", tester, seed, 1, diagnosed, {"task": "objectnav-v1"}))
    for number, kind in enumerate(kinds):
        trace = make_trace("direct", "objectnav-v1", number)
        trace = replace(trace, key=TraceKey("mlfm", trace.key.episode_id))
        case = Case(trace.episode)
        told = _diagnosis(trace, kind) if kind is not None and diagnosed else None
        store.keep(case, trace, told)
        store.append(number, CaseResult(case, trace, kind is None, told), 0.0)


def _diagnosis(trace: Trace, kind: ErrorType) -> Diagnosis:
    capability = kind.capability
    repair = Repair(capability, 3, "alone", trace.poses, trace.actions)
    return Diagnosis(
        trace.key,
        "attributed",
        Attribution(capability, 3, 0.9, kind, "alone", Evidence(3, ""), repair, ""),
        trials=(
            Trial(Capability.DECISION, 2, "onward", capability is Capability.DECISION, 9),
            Trial(capability, 3, "onward", True, 9),
            Trial(Capability.MEMORY, 0, "led", True, 9, also=Capability.PLANNING),
        ),
    )


@pytest.fixture
def campaigns(tmp_path: Path) -> Path:
    folder = tmp_path / "campaigns"
    missed, loop = ErrorType.MISSED, ErrorType.LOOP
    campaign(folder, "cantest", 0, [None, missed, missed, loop])
    campaign(folder, "cantest", 1, [None, missed, None, loop, loop])  # one more than the others
    campaign(folder, "random", 0, [None, missed, None, missed])
    campaign(folder, "vlatest", 0, [None, None, None, missed])
    campaign(folder, "cantest-no-feedback", 0, [None, None, None, None])
    return folder


def below(text: str, heading: str, row: str) -> list[str]:
    part = text[text.index(heading) :]
    line = next(x for x in part.splitlines() if x.startswith(f"| {row} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def of_four(main: Main, campaigns: Path, tmp_path: Path) -> str:
    """The page of the first four cases of each campaign."""
    out = tmp_path / "results" / "page.md"
    main([str(campaigns), "--faults", str(tmp_path / "none"), "--cases", "4", "-o", str(out)])
    return out.read_text(encoding="utf-8")


def test_testers_are_compared_at_equal_budget(main: Main, campaigns: Path, tmp_path: Path) -> None:
    text = of_four(main, campaigns, tmp_path)
    assert "mlfm: 4 cases, 2 seeds" in text
    found = below(text, "## Failures found", "cantest")
    assert found[:3] == ["cantest", "2", "0.0 (0–0)"]
    assert found[5] == "2.5 (2–3)"
    assert "CanTest found +50 % against the best baseline, random" in text  # in the seed of both
    assert "(95 % interval -52 to +365 % if cases were independent" in text  # 3 and 2 of 4
    causes = below(text, "By capability", "cantest")
    assert causes == ["cantest", "2", "1.5", "0.0", "1.0", "0.0", "0.0", "0.0"]
    causes = below(text, "By capability", "random")
    assert causes == ["random", "1", "2.0", "0.0", "0.0", "0.0", "0.0", "0.0"]
    assert below(text, "Types of error", "cantest")[-1] == "2.0 of 8"
    assert below(text, "Types of error", "cantest")[1:3] == ["2", "1.5"]  # not the sum of both
    assert below(text, "Without feedback", "cantest-no-feedback")[5] == "0.0"
    # every case once, whichever testers came upon it, as the last of them was diagnosed
    assert below(text, "Repaired", "decision")[1:3] == ["3", "0"]
    assert below(text, "Repaired", "any one of them")[1:3] == ["3", "3"]
    assert "| memory |" not in text[text.index("Repaired") :]  # not by itself


def test_curves_are_drawn_with_the_colours_of_the_report(
    main: Main, campaigns: Path, tmp_path: Path
) -> None:
    assert "](../images/diagnosis-curves.svg)" in of_four(main, campaigns, tmp_path)
    picture = (tmp_path / "images" / "diagnosis-curves.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(picture)
    space = "{http://www.w3.org/2000/svg}"
    assert [x.text for x in root.findall(f"{space}text")] == [
        "mlfm", "cantest", "random", "behavexplor", "vlatest"
    ]  # fmt: skip
    drawn = {word for x in root.iter() for word in x.get("class", "").split()}
    style = root.findtext(f"{space}style", "")
    assert {"curve", "band", "grid", "tick", "s0", "s3"} <= drawn
    for name in drawn - {"chart", "key"}:
        assert re.search(rf"\.{name}\b", style), name
    for colour in set(re.findall(r"var\(--(\w+)\)", style)) - {"c"}:
        assert style.count(f"--{colour}:") == (1 if colour == "sans" else 2), colour


def test_campaigns_that_are_not_finished_are_told_and_not_counted(
    main: Main, campaigns: Path, tmp_path: Path
) -> None:
    campaign(campaigns, "behavexplor", 0, [ErrorType.MISSED, ErrorType.MISSED])
    text = of_four(main, campaigns, tmp_path)
    assert "| behavexplor |" not in text
    assert "not finished: mlfm.behavexplor.0 (2 cases)" in text


def test_failures_that_nobody_diagnosed_are_no_unexplained_ones(
    main: Main, campaigns: Path, tmp_path: Path
) -> None:
    campaign(campaigns, "random", 1, [None, ErrorType.MISSED, None, None], diagnosed=False)
    text = of_four(main, campaigns, tmp_path)
    assert below(text, "## Failures found", "random")[1] == "2"
    assert below(text, "By capability", "random")[1:3] == ["1", "2.0"]


def test_prose_stays_and_known_causes_are_told(main: Main, tmp_path: Path) -> None:
    out, faults = tmp_path / "page.md", tmp_path / "faults.jsonl"
    row = {
        "id": "x",
        "kind": "misses",
        "base": "frontier",
        "case": True,
        "episode": "e",
        "capability": "perception",
        "type": "PE-1",
        "step": 5,
        "true_step": 3,
        "dose": "alone",
        "repaired": True,
        "steps": 80,
        "trials": [1, 2],
        "seconds": 1.5,
    }
    faults.write_text(json.dumps(row) + "\n")
    out.write_text("<!-- prose: summary -->\nMine.\n<!-- /prose -->\n")
    main([str(tmp_path / "nowhere"), "--faults", str(faults), "-o", str(out)])
    text = out.read_text(encoding="utf-8")
    assert "Mine." in text
    cells = below(text, "Failures of known cause", "misses (PE-1)")
    assert cells[1:5] == ["1", "100 % (21–100)", "100 % (21–100)", "2"]
    assert cells[-1] == "40"


def test_no_cases_are_refused(main: Main, campaigns: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="--cases is at least 1"):
        main([str(campaigns), "--cases", "0", "-o", str(tmp_path / "p.md")])
    assert not (tmp_path / "p.md").exists()


@pytest.mark.parametrize("text", ["# A page", '{"id": "x"}', "[1]", '{"kind": "taste"}', "\x80"])
def test_a_file_of_other_things_than_cases_is_told(main: Main, tmp_path: Path, text: str) -> None:
    faults = tmp_path / "faults.jsonl"
    faults.write_bytes(text.encode("latin-1"))
    with pytest.raises(SystemExit, match=r"faults.jsonl, line 1: not a case"):
        main([str(tmp_path), "--faults", str(faults), "-o", str(tmp_path / "p.md")])
    assert not (tmp_path / "p.md").exists()


def test_nothing_to_tell_is_said(main: Main, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no campaign"):
        main([str(tmp_path), "--faults", str(tmp_path / "none"), "-o", str(tmp_path / "p.md")])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--part", "0/4"], "--part is K/N"),
        (["--part", "two"], "--part is K/N"),
        (["--seeds", "0"], "--seeds is at least 1: 0"),
        (["--budget", "0"], "--budget is at least 1: 0"),
        (["--diagnosed-seeds", "-1"], "--diagnosed-seeds is at least 0: -1"),
        (["--initial", "0"], "--initial is at least 1: 0"),
        (["--axes", "goal,taste"], "there is no axis 'taste'"),
    ],
)
def test_campaigns_that_cannot_be_meant_are_refused(
    script: Callable[[str], Main], tmp_path: Path, words: list[str], says: str
) -> None:
    with pytest.raises(SystemExit, match=says):
        script("diagnosis_campaigns")([*words, "-o", str(tmp_path / "new")])
    assert not (tmp_path / "new").exists()


def test_cases_that_testers_share_are_played_once(
    script: Callable[[str], Main], tmp_path: Path
) -> None:
    begin_alike = script("diagnosis_campaigns").__globals__["begin_alike"]
    missed = ErrorType.MISSED
    campaign(tmp_path, "cantest", 0, [None, missed, None])
    campaign(tmp_path, "cantest", 1, [None])
    cases = [result.case for result in Store(tmp_path / "mlfm.cantest.0").results()]
    header = Header("mlfm", "vlatest", 0, 2, False, {"task": "objectnav-v1"})
    begin_alike(tmp_path, "mlfm.vlatest.0", header)  # begins with two cases, the other with one
    assert not (tmp_path / "mlfm.vlatest.0").exists()
    begin_alike(tmp_path, "mlfm.vlatest.0", replace(header, initial=1))
    own = Store(tmp_path / "mlfm.vlatest.0")
    assert own.header() == replace(header, initial=1)
    assert own.results() == ()
    assert own.trace(cases[0]) is not None
    assert own.trace(cases[1]) is None
