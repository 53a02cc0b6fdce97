"""Whole runs with real worker processes: misbehaving agents, resume, determinism, locks."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import runner_fakes as fakes
from navproof.core.errors import AgentError, RunError
from navproof.core.types import Episode
from navproof.log import RunFolder, Trace, TraceKey
from navproof.play.worker import Worker
from navproof.runner import Limits, RunSpec
from navproof.runner.plan import plan, task_specs
from navproof.runner.run import run

LIMITS = Limits(step_s=20.0, episode_s=60.0, memory_mb=4096)


def spec(*agents: str, **changes: Any) -> RunSpec:
    names = tuple(f"runner_fakes:{name}" for name in agents)
    return replace(RunSpec(names, "tiny", simulator=fakes.SIMULATOR, limits=LIMITS), **changes)


def rows(folder: RunFolder) -> list[dict[str, Any]]:
    """Results without the columns that depend on the clock."""
    found = folder.results()
    return [{k: v for k, v in row.items() if not k.startswith("time_")} for row in found]


def contents(folder: RunFolder) -> list[Trace]:
    return [replace(trace, timing={}) for trace in folder.traces()]


class Listener:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.total = 0
        self.resumed: dict[TraceKey, float] = {}
        self.traces: list[Trace] = []

    def announce(self, text: str) -> None:
        self.lines.append(text)

    def making(self, done: int, total: int, what: str) -> None: ...

    def begin(self, total: int, resumed: Any) -> None:
        self.total, self.resumed = total, dict(resumed)

    def finished(self, trace: Trace) -> None:
        self.traces.append(trace)


def test_results_do_not_depend_on_the_number_of_workers(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    agents = spec("Walker", "GlobalDice", "Raises", seeds=(0, 1))
    folders = [
        run(agents, tmp_path / str(workers), workers=workers, episodes=episodes)
        for workers in (1, 2, 3)
    ]
    first = folders[0]
    assert len(rows(first)) == 4 * 3 * 2
    assert [r["agent"] for r in rows(first)] == [n for n in agents.agents for _ in range(8)]
    for other in folders[1:]:
        assert rows(other) == rows(first)
        assert contents(other) == contents(first)
        assert (other.path / "run.json").read_bytes() == (first.path / "run.json").read_bytes()


def test_agents_that_misbehave_cost_their_own_episodes(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    bad = (
        "Raises",
        "RaisesInConstructor",
        "ReturnsNan",
        "HardExit",
        "Segfaults",
        "Prints",
        "WantsLidar",
        "CannotBeShown",
        "BreaksUnicode",
    )
    folder = run(spec("Walker", *bad), tmp_path / "r", workers=2, episodes=episodes[:1])
    found = {}
    for row in rows(folder):
        found.setdefault(row["agent"].removeprefix("runner_fakes:"), []).append(row)
    assert {row["status"] for row in found["Walker"] + found["Prints"]} == {"ok"}
    expected = {
        "Raises": ("agent_error", "step 2: ValueError: no idea where I am (runner_fakes.py:"),
        "RaisesInConstructor": ("agent_error", "constructor: RuntimeError: weights are missing"),
        "ReturnsNan": ("agent_error", "step 0: the agent returned nan"),
        "HardExit": ("agent_died", "step 1: the agent's process exited with code 7"),
        "Segfaults": ("agent_died", "step 1: the agent's process was ended by SIGSEGV (runner_"),
        "WantsLidar": ("agent_error", "pointnav-v1 has no sensor 'lidar'"),
        "CannotBeShown": ("agent_error", "step 0: Rude (runner_fakes.py:"),
        "BreaksUnicode": ("agent_error", "step 0: ValueError: half a pair: � (runner_fakes.py:"),
    }
    for name, (status, reason) in expected.items():
        for row in found[name]:
            assert row["status"] == status
            assert reason in row["reason"]
            assert row["success"] == row["spl"] == 0.0
    died = folder.trace(TraceKey("runner_fakes:HardExit", "tiny-000"))
    assert died.actions == ("left",)  # what had happened before is kept
    assert died.facts["sensors"] == "pose,pointgoal"


def test_an_agent_that_leaves_the_folder_takes_no_other_along(
    tmp_path: Path, episodes: tuple[Episode, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("late.py").write_text("from runner_fakes import Walker\n")
    agents = replace(spec("Wanders"), agents=("runner_fakes:Wanders", "late.py:Walker"))
    bench = Worker(fakes.TinySimulator, LIMITS)
    jobs = plan(agents, episodes[:1], task_specs(agents, episodes))
    assert [bench.play(job).status for job in jobs] == ["ok", "ok"]


def test_agents_that_hang_are_ended_from_outside(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    limits = replace(LIMITS, step_s=1.0, episode_s=2.0)
    agents = spec("Sleeps", "Spins", "Dawdles", "Walker", limits=limits)
    folder = run(agents, tmp_path / "r", workers=2, episodes=episodes[:1])
    by_agent = {row["agent"].removeprefix("runner_fakes:"): row for row in rows(folder)}
    for name in ("Sleeps", "Spins"):
        assert by_agent[name]["status"] == "agent_timeout"
        assert by_agent[name]["reason"] == "step 1 took longer than 1 s"
        assert by_agent[name]["steps"] == 1.0
    assert by_agent["Dawdles"]["reason"] == "the episode took longer than 2 s"
    assert by_agent["Walker"]["status"] == "ok"
    logs = list((folder.path / "logs").rglob("*.log"))
    stuck = next(p for p in logs if "Sleeps" in str(p)).read_text()
    assert "runner_fakes.py" in stuck  # where it hung


def test_an_agent_that_eats_memory_is_ended(tmp_path: Path, episodes: tuple[Episode, ...]) -> None:
    limits = replace(LIMITS, memory_mb=600)
    folder = run(spec("Eats", "Walker", limits=limits), tmp_path / "r", episodes=episodes[:1])
    eats, walks = rows(folder)
    assert (eats["status"], walks["status"]) == ("memory_limit", "ok")
    assert eats["reason"] == "used more than 600 MB of memory"


def test_a_run_goes_on_where_it_was_interrupted(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    agents = spec("Walker", "Raises")
    whole = run(agents, tmp_path / "whole", episodes=episodes)

    class StopsAfterThree(Listener):
        def finished(self, trace: Trace) -> None:
            super().finished(trace)
            if len(self.traces) == 3:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(agents, tmp_path / "r", episodes=episodes, progress=StopsAfterThree())
    folder = RunFolder(tmp_path / "r")
    kept = folder.keys()
    assert len(kept) == 3
    # damage: one trace cut short, one half-written, as after a power cut
    cut = folder.trace_path(kept[0])
    cut.write_bytes(cut.read_bytes()[:50])
    (cut.parent / f".{cut.name}.99.part").write_bytes(b"half")
    before = folder.trace_path(kept[1]).stat().st_mtime_ns
    listener = Listener()
    run(agents, tmp_path / "r", episodes=episodes, progress=listener)
    assert len(listener.resumed) == 2
    assert len(listener.traces) == 6
    assert listener.total == 8
    assert folder.trace_path(kept[1]).stat().st_mtime_ns == before  # not run twice
    assert rows(folder) == rows(whole)
    assert contents(folder) == contents(whole)
    assert not list(folder.path.rglob("*.part"))
    again = Listener()
    run(agents, tmp_path / "r", episodes=episodes, progress=again)
    assert (len(again.resumed), again.traces) == (8, [])


def test_another_spec_in_the_same_folder_is_refused(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    run(spec("Walker"), tmp_path / "r", episodes=episodes[:1])
    with pytest.raises(RunError) as caught:
        run(spec("Walker", seeds=(0, 1)), tmp_path / "r", episodes=episodes[:1])
    assert "holds a run that differs (seeds: [0] there, [0, 1] now)" in str(caught.value)
    assert "--fresh" in str(caught.value)
    folder = run(spec("Raises"), tmp_path / "r", episodes=episodes[:1], fresh=True)
    assert [trace.key.agent for trace in folder.traces()] == ["runner_fakes:Raises"]


def test_a_folder_of_something_else_is_left_alone(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    for fresh in (False, True):
        with pytest.raises(RunError, match="holds other files and is not a run folder"):
            run(spec("Walker"), tmp_path, episodes=episodes, fresh=fresh)
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="is not a folder"):
        run(spec("Walker"), tmp_path / "file", episodes=episodes)


def test_an_agent_that_cannot_be_loaded_ends_the_run_before_it_begins(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    with pytest.raises(AgentError, match="has no 'Wolker'; did you mean 'Walker'"):
        run(spec("Wolker"), tmp_path / "r", episodes=episodes)
    blind = RunSpec(("mlfm@encoder=onnx:/nowhere",), "tiny")
    with pytest.raises(AgentError, match="there is no folder '/nowhere'"):
        run(blind, tmp_path / "r", episodes=episodes)
    assert not (tmp_path / "r").exists()


def test_a_memory_limit_below_what_any_agent_needs_is_refused(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    limits = replace(LIMITS, memory_mb=10)
    with pytest.raises(AgentError, match=r"less than the \d+ MB that the process of agent"):
        run(spec("Walker", limits=limits), tmp_path / "r", episodes=episodes)


HOLDER = """
import sys, time
from pathlib import Path
from navproof.core.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(120)
"""


def test_two_runs_in_one_folder_are_refused_and_stale_locks_are_not(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "r")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(RunError, match=f"in use by another run \\(process {other.pid}\\)"):
            run(spec("Walker"), tmp_path / "r", episodes=episodes[:1])
        other.kill()  # leaves its lock file behind
    assert (tmp_path / "r" / ".lock").exists()
    run(spec("Walker"), tmp_path / "r", episodes=episodes[:1])
    assert not (tmp_path / "r" / ".lock").exists()


def test_beliefs_and_seeds_reach_the_traces(tmp_path: Path, episodes: tuple[Episode, ...]) -> None:
    folder = run(
        spec("Believer", beliefs=True, seeds=(5, 6)), tmp_path / "r", episodes=episodes[:1]
    )
    five, six = folder.traces()
    assert (five.key.seed, six.key.seed) == (5, 6)
    assert five.beliefs
    assert five.actions != six.actions
