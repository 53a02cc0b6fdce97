"""A language model as judge of labels and memories, at a real endpoint on this machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from diagnosed_runs import tiny_run
from judge_samples import MUDDLED, Model
from typer.testing import CliRunner

from navproof.cli.main import app
from navproof.core.errors import RunError, SpecError
from navproof.diagnosis.attribution.attribute import Settings
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.files import read_diagnosis
from navproof.diagnosis.oracles.judge import KEY_VARIABLE, LlmDistance, LlmJudge, LlmMemory
from navproof.diagnosis.oracles.protocol import JudgeError
from navproof.diagnosis.run import diagnose_run
from navproof.diagnosis.summary import read_summary
from navproof.diagnosis.types import Diagnosis


def test_the_model_rates_a_pair_once_in_either_order(model: Model) -> None:
    model.answers = ['{"d": 0.30}']
    distance = LlmDistance(model.url, "m")
    assert distance("Desk", "table") == 0.3
    assert distance("table", "desk") == 0.3
    assert distance("desk", "desk") == 0.0
    assert len(model.asked) == 1
    system, question = model.asked[0]["messages"]
    assert system["role"] == "system"
    assert '"desk"' in question["content"]
    assert '"table"' in question["content"]
    assert model.asked[0]["temperature"] == 0
    assert distance.name == "judge m"


def test_answers_are_kept_on_disk(model: Model) -> None:
    model.answers = ['Sure: {"d": 0.9}']
    assert LlmDistance(model.url, "m")("bed", "mug") == 0.9
    assert LlmDistance(model.url, "m")("mug", "bed") == 0.9
    assert len(model.asked) == 1


def test_a_key_is_sent_where_there_is_one(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "abc")
    model.answers = ['{"d": 0}']
    LlmDistance(model.url)("couch", "sofa")
    assert model.keys == ["Bearer abc"]


@pytest.mark.parametrize(
    "answer", ["none", '{"d": 1.4}', '{"e": 0.1}', '{"d": true}', '{"d": "x"}']
)
def test_no_number_is_one_line_and_is_not_kept(model: Model, answer: str) -> None:
    model.answers = [answer, '{"d": 0.6}']
    with pytest.raises(RunError, match="instead of a number"):
        LlmDistance(model.url, "m")("cabinet", "fridge")
    assert LlmDistance(model.url, "m")("cabinet", "fridge") == 0.6


def test_nobody_there(model: Model) -> None:
    distance = LlmDistance("http://127.0.0.1:9", "m")
    with pytest.raises(RunError, match="cannot reach the judge at"):
        distance("a mug", "a cup")


def test_a_bad_address() -> None:
    with pytest.raises(SpecError, match="a judge's address starts with http"):
        LlmJudge("localhost:80")


# --------------------------------------------------------------------------------------- memories
def test_the_model_rates_a_memory_once(model: Model) -> None:
    model.answers = ['{"s": 0.50}']
    likeness = LlmMemory(model.url, "m")
    told, seen = ("sofa at place 2",), ("chair at place 1", "sofa at place 2")
    assert likeness(told, seen) == 0.5
    assert LlmMemory(model.url, "m")(list(told), list(seen)) == 0.5  # from the disk
    assert len(model.asked) == 1
    question = model.asked[0]["messages"][1]["content"]
    assert "1. chair at place 1\n2. sofa at place 2\nRemembered" in question
    assert likeness(seen, told) == 0.25  # the two are not the same the other way round
    assert likeness.name == "judge m"


def test_no_number_for_a_memory_leaves_it_to_counting(model: Model) -> None:
    model.memories = "it is fine"
    assert LlmMemory(model.url, "m")(("sofa at place 1",), ("chair at place 1",)) is None


def _memory_errors(told: Diagnosis) -> list[float]:
    return [e.values[Capability.MEMORY] for e in told.errors if Capability.MEMORY in e.values]


def _diagnosed(folder: Path, model: Model) -> tuple[list[float], Any]:
    run = tiny_run(folder, {MUDDLED: 12})
    fast = Settings(trials=2, probes=False)
    labels, memories = LlmDistance(model.url, "m"), LlmMemory(model.url, "m")
    summary = diagnose_run(run, distance=labels, likeness=memories, settings=fast)
    return _memory_errors(read_diagnosis(run, run.keys()[0])), summary


def test_a_run_is_judged_by_the_model(model: Model, tmp_path: Path) -> None:
    run = tiny_run(tmp_path / "counted", {MUDDLED: 12})
    fast = Settings(trials=2, probes=False)
    before = diagnose_run(run, settings=fast)
    counted = _memory_errors(read_diagnosis(run, run.keys()[0]))
    assert (before.distance, before.likeness) == ("lexicon", "counted")
    assert {0.0, 0.5, 1.0} <= set(counted)
    rated, summary = _diagnosed(tmp_path / "rated", model)
    assert (summary.distance, summary.likeness) == ("judge m", "judge m")
    assert len(rated) == len(counted)
    for ours, theirs in zip(counted, rated, strict=True):
        assert theirs == (0.75 if 0.0 < ours < 1.0 else ours)  # 1 − 0.25, where there is a doubt


def test_a_model_that_rates_no_memory_is_refused_before_the_work(
    model: Model, tmp_path: Path
) -> None:
    model.memories = "it is fine"
    with pytest.raises(RunError, match="judge m gave no number"):
        _diagnosed(tmp_path / "run", model)
    assert not (tmp_path / "run" / "diagnosis.json").exists()


def test_what_the_model_does_not_rate_is_counted_and_told(model: Model, tmp_path: Path) -> None:
    """It rates the memory that it is asked about before the work, and no other."""
    run = tiny_run(tmp_path / "run", {MUDDLED: 12})
    labels, memories = LlmDistance(model.url, "m"), LlmMemory(model.url, "m")
    model.answers = ['{"d": 0.3}', '{"s": 0.5}']
    model.memories = "it is fine"
    fast = Settings(trials=2, probes=False)
    summary = diagnose_run(run, distance=labels, likeness=memories, settings=fast)
    errors = read_diagnosis(run, run.keys()[0]).errors
    unrated = [e.step for e in errors if e.unrated]
    assert unrated
    assert all(0.0 < errors[step].values[Capability.MEMORY] < 1.0 for step in unrated)
    assert summary.rows[0].unrated == len(unrated)
    assert read_summary(run) == summary
    assert json.loads((run.path / "diagnosis.json").read_text())["unrated_steps"] == len(unrated)
    given = ["--judge", model.url, "--judge-model", "m", "--trials", "2", "--no-probes"]
    done = CliRunner().invoke(app, ["diagnose", str(run.path), *given], catch_exceptions=False)
    said = f"in {len(unrated)} steps of 1 failure it gave no number for the memory, and counting"
    assert said in done.stdout
    again = CliRunner().invoke(app, ["diagnose", str(run.path), *given, "--json"])
    assert json.loads(again.stdout)["unrated_steps"] == len(unrated)


def test_without_a_model_nothing_is_said_of_one(tmp_path: Path) -> None:
    run = tiny_run(tmp_path / "run", {MUDDLED: 12})
    given = ["--trials", "2", "--no-probes"]
    done = CliRunner().invoke(app, ["diagnose", str(run.path), *given], catch_exceptions=False)
    assert "compared by" not in done.stdout
    assert "unrated" not in (run.path / "diagnosis.json").read_text()


def test_the_command_asks_the_model_about_both(model: Model, tmp_path: Path) -> None:
    run = tiny_run(tmp_path / "run", {MUDDLED: 12})
    given = ["--judge", model.url, "--judge-model", "m", "--trials", "2", "--no-probes", "--json"]
    done = CliRunner().invoke(app, ["diagnose", str(run.path), *given], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert (document["distance"], document["likeness"]) == ("judge m", "judge m")
    questions = [asked["messages"][1]["content"] for asked in model.asked]
    assert any(text.startswith("How different in meaning") for text in questions)
    assert any(text.startswith("How well does this memory agree") for text in questions)
    assert 0.75 in _memory_errors(read_diagnosis(run, run.keys()[0]))


class Away(LlmMemory):
    """Answers once."""

    left = 1

    def __call__(self, remembered: Sequence[str], seen: Sequence[str]) -> float | None:
        self.left -= 1
        if self.left < 0:
            raise JudgeError("nobody is there")
        return super().__call__(remembered, seen)


def test_a_model_that_goes_away_costs_what_it_was_asked_for_and_is_asked_again(
    model: Model, tmp_path: Path
) -> None:
    run = tiny_run(tmp_path / "run", {MUDDLED: 12})
    fast = Settings(trials=2, probes=False)

    labels = LlmDistance(model.url, "m")
    (lost,) = diagnose_run(run, distance=labels, likeness=Away(model.url, "m"), settings=fast).rows
    assert (lost.verdict, lost.said) == ("not_run", "It could not be judged: nobody is there")
    again = diagnose_run(run, distance=labels, likeness=LlmMemory(model.url, "m"), settings=fast)
    assert again.rows[0].verdict != "not_run"
