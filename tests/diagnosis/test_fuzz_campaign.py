"""Campaigns in the flat: repeatable to the byte, resumable, within budget, by every tester."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fuzz_samples import mutator_in_flat, result
from run_samples import Onlooker

from navproof.check.tiny import tiny_simulator
from navproof.core.errors import RunError, SpecError
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.fuzz.campaign import Campaign, read_campaign, run_campaign
from navproof.diagnosis.fuzz.minimise import MinimalCase
from navproof.diagnosis.fuzz.player import Player
from navproof.diagnosis.fuzz.suite import (
    distinct,
    minimal_failures,
    still_distinct,
    told_of,
    write_failures,
)
from navproof.diagnosis.fuzz.testers import TESTERS, make_tester
from navproof.diagnosis.fuzz.types import Axis, Budget, CaseResult
from navproof.tasks.episodes import read_episodes

AXES: tuple[Axis, ...] = ("goal", "start", "condition")
FELT = ("wheel_slip", "low_battery")
WANDERER = "fuzz_samples:Wanderer"


def _run(
    name: str, cases: int, folder: Path | None = None, agent: str = WANDERER, **more: object
) -> Campaign:
    return run_campaign(
        agent,
        make_tester(name, AXES),
        mutator_in_flat(*AXES, felt=FELT),
        Budget(cases),
        seed=3,
        initial=3,
        folder=folder,
        oracles=Onlooker,
        sim=tiny_simulator("objectnav-v1"),
        **more,  # type: ignore[arg-type]
    )


def _bytes(folder: Path) -> dict[str, bytes]:
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


class _Interrupt:
    """A progress that stops the campaign after some cases."""

    def __init__(self, after: int) -> None:
        self.left = after
        self.began: tuple[int, int, int] | None = None

    def begin(self, total: int, done: int, failures: int) -> None:
        self.began = (total, done, failures)

    def calibrating(self, done: int, total: int) -> None:
        pass

    def played(self, result: CaseResult) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("name", TESTERS)
def test_every_tester_finds_failures_of_an_agent_that_wanders(name: str) -> None:
    campaign = _run(name, 5)
    assert len(campaign.results) == 5
    assert len({r.case.case_id for r in campaign.results}) == 5
    assert campaign.failures
    assert (campaign.thresholds is None) is (not make_tester(name, AXES).needs_diagnosis)


def test_testers_begin_with_the_same_cases() -> None:
    one, other = _run("random", 3), _run("behavexplor", 3)
    assert [r.case for r in one.results] == [r.case for r in other.results]


def test_a_campaign_is_the_same_twice_and_after_an_interruption(tmp_path: Path) -> None:
    whole = _run("cantest", 7, tmp_path / "whole")
    for after in (2, 2):  # among the initial cases, and later
        with pytest.raises(KeyboardInterrupt):
            _run("cantest", 7, tmp_path / "parts", progress=_Interrupt(after))
    lines = tmp_path / "parts" / "campaign.jsonl"
    lines.write_text(lines.read_text() + '{"number": 4, "ca')  # killed while it wrote
    watched = _Interrupt(99)
    again = _run("cantest", 7, tmp_path / "parts", progress=watched)
    assert watched.began is not None
    assert watched.began[:2] == (7, 4)
    assert again.corpus == whole.corpus
    assert _bytes(tmp_path / "parts") == _bytes(tmp_path / "whole")


def test_a_larger_budget_goes_on(tmp_path: Path) -> None:
    _run("behavexplor", 4, tmp_path / "a")
    longer = _run("behavexplor", 6, tmp_path / "a")
    assert longer.corpus == _run("behavexplor", 6).corpus
    read = read_campaign(tmp_path / "a")
    assert (read.agent, read.tester, read.initial) == (WANDERER, "behavexplor", 3)
    assert read.results == longer.results


def test_of_a_campaign_that_has_come_further_everything_counts(tmp_path: Path) -> None:
    whole = _run("behavexplor", 6, tmp_path)
    before, watched = _bytes(tmp_path), _Interrupt(99)
    assert _run("behavexplor", 4, tmp_path, progress=watched) == whole
    assert watched.began is not None
    assert watched.began[:2] == (6, 6)
    assert _bytes(tmp_path) == before
    told = _run("behavexplor", 4, tmp_path, attribute_all=True)  # told anew, from its traces
    assert [r.case for r in told.results] == [r.case for r in whole.results]
    assert read_campaign(tmp_path).results == told.results


def test_a_campaign_is_diagnosed_afterwards_without_being_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = _run("behavexplor", 6, tmp_path / "whole", attribute_all=True)
    plain = _run("behavexplor", 6, tmp_path / "later")
    assert not plain.diagnoses
    assert len(whole.diagnoses) == len(whole.failures) > 0
    played = Player._plainly
    monkeypatch.setattr(Player, "_plainly", lambda *_: pytest.fail("played again"))
    with pytest.raises(KeyboardInterrupt):
        _run("behavexplor", 6, tmp_path / "later", attribute_all=True, progress=_Interrupt(4))
    later = _run("behavexplor", 6, tmp_path / "later", attribute_all=True)
    monkeypatch.setattr(Player, "_plainly", played)
    assert later == whole
    assert _bytes(tmp_path / "later") == _bytes(tmp_path / "whole")
    with pytest.raises(RunError, match=r"another campaign .diagnosed true, not false"):
        _run("behavexplor", 6, tmp_path / "later")


def test_reading_changes_nothing(tmp_path: Path) -> None:
    """Somebody may be going on with it."""
    _run("random", 4, tmp_path)
    lines = tmp_path / "campaign.jsonl"
    lines.write_text(lines.read_text() + '{"number": 4, "ca')
    before = _bytes(tmp_path)
    assert len(read_campaign(tmp_path).results) == 4
    assert _bytes(tmp_path) == before


def test_nobody_else_goes_on_with_it_meanwhile(tmp_path: Path) -> None:
    class Twice(_Interrupt):
        def played(self, result: CaseResult) -> None:
            with pytest.raises(RunError, match="in use by another run"):
                _run("random", 4, tmp_path)
            super().played(result)

    _run("random", 4, tmp_path, progress=Twice(99))
    assert not (tmp_path / ".lock").exists()
    assert len(read_campaign(tmp_path).results) == 4


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"x": 1}', "line 2: not a line of a campaign; keep only the lines before it"),
        ("", "line 2: not a line of a campaign"),
        (None, "line 2: it is of case number 2, so that lines are missing"),
    ],
)
def test_lines_that_are_damaged_or_missing_are_told(
    tmp_path: Path, line: str | None, said: str
) -> None:
    _run("random", 4, tmp_path)
    path = tmp_path / "campaign.jsonl"
    lines = path.read_text().splitlines()
    lines[1:2] = [] if line is None else [line]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(RunError, match=said):
        read_campaign(tmp_path)


@pytest.mark.parametrize("damage", [None, b"damaged"])
def test_a_diagnosis_that_is_lost_is_told(tmp_path: Path, damage: bytes | None) -> None:
    lost = next(k for k, r in enumerate(_run("cantest", 4, tmp_path).results) if r.diagnosis)
    for path in (tmp_path / "diagnosis").iterdir():
        path.unlink() if damage is None else path.write_bytes(damage)
    with pytest.raises(RunError, match=rf"line {lost + 1}: the diagnosis of case '.*' is missing"):
        read_campaign(tmp_path)


@pytest.mark.parametrize(
    ("text", "why"), [("garbage", "Expecting value"), ('{"agent": "a"}', "tester: Field required")]
)
def test_a_header_that_is_damaged_is_told_in_a_line(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "campaign.json").write_text(text)
    with pytest.raises(RunError, match=f"not a campaign .{why}.*; start it afresh") as told:
        read_campaign(tmp_path)
    assert "\n" not in str(told.value)


def test_a_failure_is_told_by_its_cause_or_by_how_it_ended() -> None:
    known, unknown = result("a", ErrorType.MISSED), result("b")
    assert told_of(known) == "so"
    assert told_of(unknown) == "It ended after 10 steps, 5.0 m from the goal."
    broken = replace(known, trace=replace(known.trace, reason="it raised"))
    assert told_of(broken) == "it raised"


def test_a_damaged_trace_is_named_and_played_again(tmp_path: Path) -> None:
    _run("cantest", 6, tmp_path)
    before = _bytes(tmp_path)
    lines = (tmp_path / "campaign.jsonl").read_text().splitlines(keepends=True)
    trace = tmp_path / "traces" / f"{json.loads(lines[3])['case']}.json.gz"
    trace.write_bytes(b"damaged")
    with pytest.raises(RunError, match=r"line 4: the trace of case '.*' is missing or damaged"):
        _run("cantest", 6, tmp_path)
    (tmp_path / "campaign.jsonl").write_text("".join(lines[:3]))
    _run("cantest", 6, tmp_path)
    assert _bytes(tmp_path) == before


def test_lines_tell_what_was_found(tmp_path: Path) -> None:
    campaign = _run("cantest", 5, tmp_path / "a")
    lines = [json.loads(t) for t in (tmp_path / "a" / "campaign.jsonl").read_text().splitlines()]
    assert [line["number"] for line in lines] == list(range(5))
    assert [line["success"] for line in lines] == [r.success for r in campaign.results]
    assert [line["steps"] for line in lines] == [len(r.trace.actions) for r in campaign.results]
    assert {line["verdict"] for line in lines if not line["success"]} <= {
        "unattributed",
        "from_outside",
    }


def test_a_budget_of_steps_ends_a_campaign() -> None:
    tester, mutator = make_tester("random", AXES), mutator_in_flat(*AXES, felt=FELT)
    sim = tiny_simulator("objectnav-v1")
    budget = Budget(50, steps=1)
    campaign = run_campaign(WANDERER, tester, mutator, budget, 3, oracles=Onlooker, sim=sim)
    assert len(campaign.results) == 1


def test_a_seed_corpus_is_not_larger_than_the_budget() -> None:
    with pytest.raises(SpecError, match="--initial must be from 1 to the budget of 2;"):
        _run("random", 2)


def test_another_campaign_in_the_folder_is_not_touched(tmp_path: Path) -> None:
    _run("random", 3, tmp_path / "a")
    before = _bytes(tmp_path / "a")
    with pytest.raises(RunError, match=r"another campaign .tester 'random', not 'vlatest'"):
        _run("vlatest", 3, tmp_path / "a")
    assert _bytes(tmp_path / "a") == before
    assert len(_run("vlatest", 4, tmp_path / "a", fresh=True).results) == 4
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "thesis.txt").write_text("mine")
    with pytest.raises(RunError, match="something else"):
        _run("random", 3, tmp_path / "b", fresh=True)
    with pytest.raises(RunError, match="is a file"):
        _run("random", 3, tmp_path / "b" / "thesis.txt")
    with pytest.raises(RunError, match="holds no campaign"):
        read_campaign(tmp_path / "b")


def test_failures_alike_are_counted_once() -> None:
    results = [
        result("a", ErrorType.MISSED),
        result("b", ErrorType.MISSED),
        result("c", ErrorType.CONFUSED),
        result("d", ErrorType.MISSED, room=0),
        result("e", ErrorType.MISSED, condition="depth_gaussian"),
        result("f", ErrorType.MISSED, condition="depth_missing@0.25"),
        result("g", success=True),
    ]
    assert [r.case.case_id for r in distinct(results)] == ["a", "c", "d", "e"]


def test_failures_of_two_capabilities_together_are_another_kind() -> None:
    one, other = result("a", ErrorType.MISSED), result("b", ErrorType.MISSED)
    assert other.diagnosis is not None
    assert other.diagnosis.attribution is not None
    both = replace(other.diagnosis.attribution, also=Capability.PLANNING)
    joint = replace(other, diagnosis=replace(other.diagnosis, verdict="joint", attribution=both))
    assert [r.case.case_id for r in distinct([one, joint])] == ["a", "b"]


def test_failures_that_do_not_need_their_conditions_are_one() -> None:
    results = [
        result("a", ErrorType.MISSED),
        result("b", ErrorType.MISSED, condition="depth_gaussian"),
        result("c", ErrorType.MISSED, condition="low_light"),
    ]
    clean = [MinimalCase(replace(r.case, condition="clean"), (), 1) for r in results[:2]]
    small = [*clean, MinimalCase(results[2].case, (), 1)]
    assert [m.case.case_id for m in still_distinct(results, small)] == ["a", "c"]


def test_failures_become_suites(tmp_path: Path) -> None:
    campaign = _run("random", 6, tmp_path)
    kinds = distinct(campaign.failures)
    mutator, sim = mutator_in_flat(*AXES, felt=FELT), tiny_simulator("objectnav-v1")
    small = minimal_failures(WANDERER, kinds, mutator, tmp_path, sim)
    assert minimal_failures(WANDERER, kinds, mutator, tmp_path, sim) == small
    assert len((tmp_path / "minimal.jsonl").read_text().splitlines()) == len(small)
    files = write_failures(tmp_path, WANDERER, [m.case for m in small])
    held = [e for path in files for e in read_episodes(path)]
    assert sorted(e.episode_id for e in held) == sorted(m.case.case_id for m in small)
    lines = (tmp_path / "failures" / "commands.txt").read_text().splitlines()
    commands = [line for line in lines if line.startswith("navproof run ")]
    assert len(commands) == len(files)
    assert f"--agent fuzz_samples:Wanderer --suite {files[0].name} " in commands[0]
    assert str(tmp_path) not in "".join(lines)


def test_without_failures_no_suite_is_left(tmp_path: Path) -> None:
    cases = [result("a").case]
    target = tmp_path / "failures"
    write_failures(tmp_path, WANDERER, cases)
    assert write_failures(tmp_path, WANDERER, ()) == ()
    assert not target.exists()
    write_failures(tmp_path, WANDERER, cases)
    run = target / "clean-run"
    run.mkdir()
    write_failures(tmp_path, WANDERER, ())
    assert list(target.iterdir()) == [run]  # what somebody has played stays
    assert write_failures(tmp_path / "none", WANDERER, ()) == ()
    assert not (tmp_path / "none").exists()
