"""Whole runs: calibrated, explained, kept, taken up again, the same for any number of workers."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from diagnosed_runs import BLIND, SILENT, tiny_run

from navproof.core.errors import NavproofError, RunError, SpecError
from navproof.core.lock import locked
from navproof.core.types import Decision, Observation, TaskBrief
from navproof.diagnosis.attribution.attribute import Settings
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.files import diagnosis_path, read_diagnosis
from navproof.diagnosis.run import diagnose_run
from navproof.diagnosis.summary import read_summary, write_summary
from navproof.diagnosis.types import Diagnosis
from navproof.log.folder import RunFolder

EXAMPLES = Path(__file__).parents[2] / "examples"
_FAST = Settings(trials=3, probes=False)


class Listener:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.begun: list[tuple[str, int, int]] = []
        self.told: list[Diagnosis] = []

    def announce(self, text: str) -> None:
        self.lines.append(text)

    def begin(self, agent: str, total: int, done: int) -> None:
        self.begun.append((agent, total, done))

    def finished(self, diagnosis: Diagnosis) -> None:
        self.told.append(diagnosis)


def _written(folder: RunFolder) -> dict[str, bytes]:
    """What a diagnosis has left, by path."""
    files = [folder.path / "diagnosis.json", *(folder.path / "diagnosis").rglob("*.gz")]
    return {str(path.relative_to(folder.path)): path.read_bytes() for path in files}


def test_failures_are_explained_and_kept(tmp_path: Path) -> None:
    folder = tiny_run(tmp_path / "run", {"frontier": 60, BLIND: 40, SILENT: 24}, episodes=2)
    summary = diagnose_run(folder, settings=_FAST)
    assert summary == read_summary(folder)
    by_agent = {row.key.agent: row for row in summary.rows}
    assert [row.key for row in summary.rows] == folder.keys()
    assert by_agent["frontier"].verdict == "passed"
    blind = by_agent[BLIND]
    assert (blind.verdict, blind.capability) == ("attributed", Capability.PERCEPTION)
    assert blind.tried[Capability.PERCEPTION]
    assert by_agent[SILENT].verdict == "from_outside"
    full = read_diagnosis(folder, blind.key)
    assert full.attribution is not None
    assert (full.attribution.step, full.said) == (blind.step, blind.said)
    assert not diagnosis_path(folder, by_agent["frontier"].key).exists()
    assert "frontier" not in summary.thresholds  # nothing to explain: nothing to calibrate


def test_it_is_taken_up_again_and_ends_the_same(tmp_path: Path) -> None:
    folder = tiny_run(tmp_path / "run", {BLIND: 30}, episodes=2)
    diagnose_run(folder, settings=_FAST)
    before = _written(folder)
    lost = diagnosis_path(folder, folder.keys()[1])
    lost.unlink()
    listener = Listener()
    diagnose_run(folder, settings=_FAST, progress=listener)
    assert listener.begun == [(BLIND, 2, 1)]
    assert [told.key for told in listener.told] == [folder.keys()[1]]
    assert _written(folder) == before


def test_a_run_that_goes_on_is_not_diagnosed(tmp_path: Path) -> None:
    """Nor does a run go on, nor another diagnosis, while one is made."""
    folder = tiny_run(tmp_path / "run", {BLIND: 30})
    with locked(folder.path), pytest.raises(RunError, match=r"in use by a run .*wait until it has"):
        diagnose_run(folder, settings=_FAST)
    assert not (folder.path / "diagnosis.json").exists()

    class Looks(Listener):
        def finished(self, diagnosis: Diagnosis) -> None:
            super().finished(diagnosis)
            with pytest.raises(RunError, match="in use by a run or a diagnosis"):
                diagnose_run(folder, settings=_FAST)
            with pytest.raises(RunError, match="in use by another run"), locked(folder.path):
                pass

    listener = Looks()
    diagnose_run(folder, settings=_FAST, progress=listener)
    assert len(listener.told) == 1
    diagnose_run(folder, settings=_FAST)
    with pytest.raises(RunError, match="does not exist"):
        diagnose_run(RunFolder(tmp_path / "gone"))
    assert not (tmp_path / "gone").exists()


def test_other_settings_are_another_diagnosis_and_remove_nothing_unasked(tmp_path: Path) -> None:
    folder = tiny_run(tmp_path / "run", {BLIND: 30, SILENT: 24})
    diagnose_run(folder, settings=_FAST)
    before, other = _written(folder), replace(_FAST, trials=1)
    with pytest.raises(RunError, match=r"diagnosed otherwise .trials \d+, not 1.*--fresh"):
        diagnose_run(folder, agents=[BLIND], settings=other)
    assert _written(folder) == before
    listener = Listener()
    summary = diagnose_run(folder, agents=[BLIND], settings=other, fresh=True, progress=listener)
    assert listener.begun == [(BLIND, 1, 0)]
    assert summary.settings.trials == 1
    assert [row.key.agent for row in summary.rows] == [BLIND]
    assert len(read_diagnosis(folder, folder.keys()[0]).trials) == 1


@pytest.mark.parametrize(
    ("text", "said"), [("{", "not a valid summary .*--fresh"), (None, "is missing.*--fresh")]
)
def test_a_summary_that_is_damaged_costs_no_diagnosis(
    tmp_path: Path, text: str | None, said: str
) -> None:
    folder = tiny_run(tmp_path / "run", {BLIND: 30})
    diagnose_run(folder, settings=_FAST)
    kept, summary = diagnosis_path(folder, folder.keys()[0]), folder.path / "diagnosis.json"
    summary.unlink() if text is None else summary.write_text(text)
    with pytest.raises(RunError, match=said):
        diagnose_run(folder, settings=_FAST)
    assert kept.is_file()


def test_a_part_of_a_run_adds_to_what_is_there(tmp_path: Path) -> None:
    folder = tiny_run(tmp_path / "run", {BLIND: 24, SILENT: 24}, episodes=2)
    first = diagnose_run(folder, agents=["Silent"], limit=1, settings=_FAST)
    assert [row.key for row in first.rows] == folder.keys()[2:3]
    both = diagnose_run(folder, agents=[BLIND], limit=1, settings=_FAST)
    assert [row.key for row in both.rows] == [folder.keys()[0], folder.keys()[2]]


@pytest.mark.parametrize("simulator", ["my_simulator.py:Slippery", "physics"])
def test_it_goes_back_into_the_simulator_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, simulator: str
) -> None:
    if simulator == "physics":
        pytest.importorskip("mujoco", minversion="4.0")
    shutil.copy(EXAMPLES / "my_simulator.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    folder = tiny_run(tmp_path / "run", {BLIND: 40}, simulator=simulator)
    (row,) = diagnose_run(folder, settings=_FAST).rows
    assert (row.verdict, row.capability) == ("attributed", Capability.PERCEPTION)


def test_a_simulator_that_was_edited_is_not_gone_back_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(EXAMPLES / "my_simulator.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    folder = tiny_run(tmp_path / "run", {BLIND: 6}, simulator="my_simulator.py:Slippery")
    with Path("my_simulator.py").open("a") as file:
        file.write("SLIP = 0.2\n")
    with pytest.raises(RunError, match=r"simulator my_simulator\.py:Slippery has changed"):
        diagnose_run(folder, settings=_FAST)


class Crasher:
    """Brings its process down in mid-episode, unless it is played by whoever made the run."""

    sensors = ("pose",)

    def reset(self, brief: TaskBrief) -> None: ...

    def act(self, obs: Observation) -> Any:
        from navproof.core.types import Move

        if obs.step == 3 and os.environ.get("NAVPROOF_TEST_PARENT") != str(os.getpid()):
            os._exit(7)
        return Decision(Move.LEFT)


class Hanger:
    """Never answers from step 3 on when it is played again."""

    sensors = ("pose",)

    def reset(self, brief: TaskBrief) -> None: ...

    def act(self, obs: Observation) -> Any:
        from navproof.core.types import Move

        while obs.step == 3 and os.environ.get("NAVPROOF_TEST_PARENT") != str(os.getpid()):
            time.sleep(0.05)
        return Decision(Move.LEFT)


def test_an_agent_that_hangs_costs_its_episode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAVPROOF_TEST_PARENT", str(os.getpid()))
    run = tiny_run(tmp_path / "run", {"test_diagnose_run:Hanger": 8}, limits={"step_s": 1.0})
    (lost,) = diagnose_run(run, settings=_FAST).rows
    assert lost.verdict == "not_run"
    assert "took longer than 1 s" in lost.said


class Heeds:
    """Turns left as often as its instruction has words, then stops."""

    sensors = ("pose",)

    def reset(self, brief: TaskBrief) -> None:
        self.left = len(brief.instruction.split())

    def act(self, obs: Observation) -> Any:
        from navproof.core.types import Move

        self.left -= 1
        return Decision(Move.STOP if self.left < 0 else Move.LEFT)


def test_words_are_those_that_were_heard_then(tmp_path: Path) -> None:
    """A model rewrote them; it is not there any more."""
    run = tiny_run(
        tmp_path / "run", {"test_diagnose_run:Heeds": 30}, rewritten="one two three four"
    )
    assert len(run.trace(run.keys()[0]).actions) == 5
    (told,) = diagnose_run(run, settings=_FAST).rows
    assert told.verdict == "from_outside"


def test_any_number_of_workers_says_the_same_and_a_crash_costs_its_episode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAVPROOF_TEST_PARENT", str(os.getpid()))
    crasher = "test_diagnose_run:Crasher"
    alone = tiny_run(tmp_path / "alone", {BLIND: 40})
    many = tiny_run(tmp_path / "many", {crasher: 8, BLIND: 40})
    diagnose_run(alone, settings=_FAST)
    summary = diagnose_run(many, workers=2, settings=_FAST)
    crashed, blind = summary.rows
    assert (crashed.verdict, crashed.said) == (
        "not_run",
        "The agent failed: step 3: the agent's process exited with code 7",
    )
    assert blind.verdict == "attributed"
    one, other = (diagnosis_path(run, blind.key).read_bytes() for run in (alone, many))
    assert one == other


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    folder = tiny_run(tmp_path / "run", {"random": 6})

    def refused(said: type[NavproofError], words: str, **given: Any) -> None:
        with pytest.raises(said, match=words) as caught:
            diagnose_run(folder, **given)
        assert "\n" not in str(caught.value)

    refused(RunError, "no agent 'mlfm'", agents=["mlfm"])
    refused(RunError, "no condition 'fog'", conditions=["fog"])
    refused(SpecError, "at least one worker", workers=0)
    refused(SpecError, "at least one episode", limit=0)
    summary = diagnose_run(folder, settings=_FAST)
    write_summary(folder, summary)
    (folder.path / "diagnosis.json").write_text("{")
    with pytest.raises(RunError, match="not a valid summary"):
        read_summary(folder)
    with pytest.raises(RunError, match="no diagnosis"):
        read_summary(RunFolder(tmp_path))


def test_a_judge_that_cannot_be_asked_is_told_at_once(tmp_path: Path) -> None:
    class Away:
        name = "away"

        def __call__(self, believed: str, expected: str) -> float:
            raise RunError("labels could not be judged: nobody is there")

    folder = tiny_run(tmp_path / "run", {BLIND: 8})
    with pytest.raises(RunError, match="nobody is there"):
        diagnose_run(folder, distance=Away(), settings=_FAST)
    assert not (folder.path / "diagnosis.json").exists()


def test_passed_episodes_that_are_damaged_are_told_of(tmp_path: Path) -> None:
    folder = tiny_run(tmp_path / "run", {"frontier": 60, BLIND: 24}, episodes=3)
    keys = folder.keys()[:3]
    rows = folder.results()
    rows[0]["success"] = 0.0  # a failure to explain, so that there is something to calibrate for
    folder.write_results(rows)
    folder.trace_path(keys[1]).write_bytes(b"damaged")
    listener = Listener()
    summary = diagnose_run(folder, agents=["frontier"], settings=_FAST, progress=listener)
    limits = summary.thresholds["frontier"]
    assert (limits.episodes, limits.left_out) == (1, 1)
    (told,) = [line for line in listener.lines if "left out" in line]
    assert told.startswith("frontier: 1 of 2 passed episodes are left out of the calibration")
    assert keys[1].episode_id in told
    assert "\n" not in told
    assert read_summary(folder) == summary
