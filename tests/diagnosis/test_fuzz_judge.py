"""Campaigns whose failures a language model judges: part of the campaign, and never its agent's
fault."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from fuzz_samples import mutator_in_flat
from judge_samples import HASTY, WORDY, Model
from typer.testing import CliRunner

from navproof.check.tiny import tiny_simulator
from navproof.cli.main import app
from navproof.core.errors import NavproofError, RunError
from navproof.diagnosis.attribution.attribute import Settings
from navproof.diagnosis.fuzz.campaign import Campaign, read_campaign, run_campaign
from navproof.diagnosis.fuzz.testers import make_tester
from navproof.diagnosis.fuzz.types import Budget
from navproof.diagnosis.oracles.judge import LlmDistance, LlmMemory
from navproof.diagnosis.oracles.oracles import make_oracles
from navproof.diagnosis.oracles.protocol import JudgeError, MemoryLikeness
from navproof.reports.campaign.page import write_campaign_report
from navproof.testing import tiny_scene


def _run(
    folder: Path,
    model: Model,
    likeness: MemoryLikeness | None = None,
    judge: str | None = "m",
    agent: str = HASTY,
) -> Campaign:
    labels = LlmDistance(model.url, "m")
    return run_campaign(
        agent,
        make_tester("cantest", ("goal",)),
        mutator_in_flat("goal"),
        Budget(3),
        seed=5,
        initial=2,
        folder=folder,
        oracles=make_oracles(labels, likeness or LlmMemory(model.url, "m")) if judge else None,
        judge=judge,
        settings=Settings(trials=1, probes=False),
        sim=tiny_simulator("objectnav-v1"),
    )


def _bytes(folder: Path) -> dict[str, bytes]:
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


class _Away(LlmMemory):
    """Goes away after some questions."""

    def __init__(self, url: str, left: int) -> None:
        super().__init__(url, "m")
        self.left = left

    def __call__(self, remembered: Sequence[str], seen: Sequence[str]) -> float | None:
        self.left -= 1
        if self.left < 0:
            raise JudgeError("nobody is there")
        return super().__call__(remembered, seen)


def test_the_judge_is_part_of_the_campaign(model: Model, tmp_path: Path) -> None:
    campaign = _run(tmp_path / "a", model)
    assert len(campaign.diagnoses) == 3
    assert any("memory agree" in asked["messages"][1]["content"] for asked in model.asked)
    assert json.loads((tmp_path / "a" / "campaign.json").read_text())["judge"] == "m"
    assert read_campaign(tmp_path / "a") == Campaign(
        HASTY, "cantest", 5, 2, read_campaign(tmp_path / "a").corpus, campaign.thresholds, {}, "m"
    )
    before = _bytes(tmp_path / "a")
    with pytest.raises(RunError, match=r"another campaign .judge 'm', not 'n'."):
        _run(tmp_path / "a", model, judge="n")
    with pytest.raises(RunError, match=r"another campaign .judge 'm', not none."):
        _run(tmp_path / "a", model, judge=None)
    assert _bytes(tmp_path / "a") == before


def test_without_a_judge_nothing_is_written_of_one(model: Model, tmp_path: Path) -> None:
    _run(tmp_path / "a", model, judge=None)
    assert not model.asked
    assert "judge" not in json.loads((tmp_path / "a" / "campaign.json").read_text())
    with pytest.raises(RunError, match=r"another campaign .judge none, not 'm'."):
        _run(tmp_path / "a", model)


@pytest.mark.parametrize("left", [2, 6])  # while thresholds are calibrated, and later
def test_a_judge_that_goes_away_is_no_failure_and_the_campaign_goes_on(
    model: Model, tmp_path: Path, left: int
) -> None:
    _run(tmp_path / "whole", model)
    with pytest.raises(JudgeError, match="nobody is there"):
        _run(tmp_path / "parts", model, _Away(model.url, left))
    lines = tmp_path / "parts" / "campaign.jsonl"
    played = lines.read_text().splitlines() if lines.is_file() else []
    assert len(played) < 3
    assert all(json.loads(line)["status"] == "ok" for line in played)
    _run(tmp_path / "parts", model)
    assert _bytes(tmp_path / "parts") == _bytes(tmp_path / "whole")


def test_a_label_without_a_number_costs_the_cause_and_not_the_case(
    model: Model, tmp_path: Path
) -> None:
    counted = _run(tmp_path / "counted", model, judge=None, agent=WORDY)
    model.labels = "no idea"
    campaign = _run(tmp_path / "judged", model, agent=WORDY)
    first = counted.results[:2]  # the later ones follow from what is known of these
    ways = [
        [(r.trace.status, r.trace.poses) for r in held] for held in (campaign.results[:2], first)
    ]
    assert ways[0] == ways[1]
    lost = [d for d in campaign.diagnoses if d.verdict == "not_run"]
    assert lost
    assert all("answered 'no idea' instead of a number" in d.said for d in lost)
    assert campaign.thresholds is not None
    assert campaign.thresholds.left_out > 0


def test_the_report_says_who_judged_and_how_to_ask_again(model: Model, tmp_path: Path) -> None:
    model.memories = "it is fine"
    campaign = _run(tmp_path / "a", model)
    unrated = sum(diagnosis.unrated for diagnosis in campaign.diagnoses)
    assert unrated
    path = write_campaign_report([tmp_path / "a"], tmp_path / "a.html", lambda _: tiny_scene())
    page = path.read_text(encoding="utf-8")
    assert f"compared by judge m; in {unrated} steps of " in page
    assert "--judge &#34;$JUDGE&#34; --judge-model m" in page
    assert "<code>JUDGE</code> stands for the address" in page


def test_the_command_takes_a_judge(model: Model, tmp_path: Path) -> None:
    out = tmp_path / "hunt"
    given = ["fuzz", "-a", HASTY, "-o", str(out), "-s", "home/val/0", "--axes", "goal", "-n", "1"]
    judged = [*given, "--judge", model.url, "--no-minimise", "--json"]
    done = CliRunner().invoke(app, judged, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    at = f"default at {model.url}/v1/chat/completions"
    assert json.loads(done.stdout)["judge"] == at
    assert json.loads((out / "campaign.json").read_text())["judge"] == at
    page = write_campaign_report([out], tmp_path / "a.html").read_text(encoding="utf-8")
    assert f"--diagnose --judge {model.url}<" in page
    told = CliRunner().invoke(app, [*judged[:-1]], catch_exceptions=False)
    assert f"labels and memories were compared by judge {at}" in told.stdout


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--judge", "ftp://x"), "a judge's address starts with http"),
        (("--judge", "http://127.0.0.1:9"), "cannot reach the judge at http://127.0.0.1:9/v1"),
        (("--judge-model", "m"), "give --judge too"),
        (("--judge", "http://127.0.0.1:9", "--tester", "random"), "add --diagnose"),
    ],
)
def test_a_bad_judge_is_one_line(more: tuple[str, ...], said: str, tmp_path: Path) -> None:
    out = tmp_path / "x"
    done = CliRunner().invoke(app, ["fuzz", "-a", "frontier", "-o", str(out), *more])
    assert isinstance(done.exception, NavproofError)
    assert said in str(done.exception)
    assert not out.exists()
