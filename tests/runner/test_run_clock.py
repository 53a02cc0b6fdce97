"""Whole runs in worlds that do not wait: through the boundary, verified, diagnosed, told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent_servers import served
from clock_samples import peopled
from navproof.api.compare import compare
from navproof.api.score import score
from navproof.api.verify import verify
from navproof.core.errors import RunError, SpecError
from navproof.diagnosis.attribution.attribute import Settings
from navproof.diagnosis.run import diagnose_run
from navproof.log import RunFolder, Trace
from navproof.reports.gather import commands, gather
from navproof.runner import RunSpec
from navproof.runner.run import run

THOUGHTFUL, STUBBORN = "clock_samples:Thoughtful", "clock_samples:Stubborn"
SLEEPER = "clock_samples:Sleeper"
AGENTS = (THOUGHTFUL, STUBBORN)
FAST = Settings(trials=2, probes=True)


class Listener:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def announce(self, text: str) -> None:
        self.lines.append(text)

    def making(self, done: int, total: int, what: str) -> None: ...
    def begin(self, total: int, resumed: object) -> None: ...
    def finished(self, trace: Trace) -> None: ...


def spec(*agents: str, clock: str = "declared", **changes: object) -> RunSpec:
    small = RunSpec(agents, "flat", camera=(48, 36), clock=clock)  # type: ignore[arg-type]
    return replace(small, **changes)


def contents(folder: RunFolder) -> list[Trace]:
    return [replace(trace, timing={}) for trace in folder.traces()]


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    path = tmp_path_factory.mktemp("declared")
    return run(spec(*AGENTS), path / "run", episodes=peopled(path))


def test_what_hosted_agents_declare_is_what_the_world_goes_on(declared: RunFolder) -> None:
    traces = list(declared.traces())
    assert [trace.status for trace in traces] == ["ok"] * 4
    for trace in traces:
        assert set(trace.delays.took_s) == {0.0, 0.13, 0.4}
        assert trace.spec.clock == "declared"
        gone_s = 0.1 * len(trace.actions) + sum(trace.delays.took_s)
        assert trace.channels["time_s"][-1] == pytest.approx(gone_s)
    assert {trace.actions for trace in traces if trace.key.agent == STUBBORN} == {
        trace.actions for trace in traces if trace.key.agent == THOUGHTFUL
    }


def test_it_is_the_same_in_one_process_and_for_any_number_of_workers(
    declared: RunFolder, tmp_path: Path
) -> None:
    episodes = tuple(t.episode for t in declared.traces() if t.key.agent == THOUGHTFUL)
    several = run(spec(*AGENTS), tmp_path / "several", episodes=episodes, workers=2)
    inside = run(spec(*AGENTS, in_process=True), tmp_path / "inside", episodes=episodes)
    assert contents(several) == contents(declared) == contents(inside)


def test_it_is_the_same_on_a_server(declared: RunFolder, tmp_path: Path) -> None:
    here = [trace for trace in contents(declared) if trace.key.agent == THOUGHTFUL]
    with served(THOUGHTFUL) as address:
        there = run(spec(address), tmp_path / "run", episodes=[t.episode for t in here])
    found = [replace(trace, key=one.key) for trace, one in zip(contents(there), here, strict=True)]
    assert found == here


def test_it_is_verified_exactly(declared: RunFolder) -> None:
    found = verify(declared.path, workers=1, progress=False)
    assert found.verdict == "verified", (found.rows, found.found.faults, found.found.gaps)
    assert any("clock declared" in note for note in found.found.notes)


def test_failures_are_played_again_as_they_were(declared: RunFolder) -> None:
    summary = diagnose_run(declared, settings=FAST)
    assert {row.verdict for row in summary.rows} <= {"from_outside", "unexplained", "attributed"}
    assert len(summary.rows) == 4


def test_scores_comparisons_and_reports_say_which_clock(
    declared: RunFolder, tmp_path: Path
) -> None:
    episodes = tuple(t.episode for t in declared.traces() if t.key.agent == THOUGHTFUL)
    waits = run(spec(THOUGHTFUL, clock="wait"), tmp_path / "waits", episodes=episodes)
    told = score(declared.path)
    assert any(note.startswith("clock declared: the world went on") for note in told.notes)
    assert told.document()["clock"] == "declared"
    assert told.mean("delay_s", agent=THOUGHTFUL) > 0.05
    plain = score(waits.path)
    assert not any(note.startswith("clock ") for note in plain.notes)
    assert "delay_s" not in {row["metric"] for row in plain.rows}
    found = compare((waits.path, THOUGHTFUL), (declared.path, THOUGHTFUL))
    assert any("different clocks (wait and declared)" in note for note in found.notes)
    both = gather([waits, declared])
    assert any("different clocks (declared, wait)" in line for line in both.warnings)
    assert [" --clock declared " in line for line in commands(both)[:2]] == [False, True]


def test_another_clock_is_another_run(declared: RunFolder) -> None:
    episodes = tuple(t.episode for t in declared.traces() if t.key.agent == THOUGHTFUL)
    with pytest.raises(RunError, match=r"differs \(clock: declared there, wait now"):
        run(spec(*AGENTS, clock="wait"), declared.path, episodes=episodes)


def test_a_measured_run_is_verified_exactly_and_diagnosed_by_what_it_took(tmp_path: Path) -> None:
    listener = Listener()
    done = run(
        spec(SLEEPER, clock="measured"),
        tmp_path / "run",
        episodes=peopled(tmp_path, 1, 12),
        progress=listener,
    )
    assert any(line.startswith("clock measured: ") for line in listener.lines)
    (trace,) = done.traces()
    assert trace.status == "ok"
    assert all(took_s >= 0.02 for took_s in trace.delays.took_s)
    assert trace.timing["act_s"] == trace.delays.took_s  # what was measured is what went on
    assert verify(done.path, workers=1, progress=False).verdict == "verified"
    (row,) = diagnose_run(done, settings=FAST).rows
    assert row.verdict in ("from_outside", "unexplained", "attributed")


def test_agents_that_say_nothing_or_nonsense_are_told_of(tmp_path: Path) -> None:
    listener = Listener()
    agents = (SLEEPER, "clock_samples:Twitchy")
    done = run(spec(*agents), tmp_path / "run", episodes=peopled(tmp_path, 1, 3), progress=listener)
    silent, twitchy = done.traces()
    assert silent.delays.took_s == (0.0, 0.0, 0.0)
    assert any(line.startswith(f"{SLEEPER} never said how long") for line in listener.lines)
    assert twitchy.status == "agent_error"
    assert twitchy.reason == (
        "step 0: the agent returned a Decision whose took_s is -0.5 of type float; "
        "it must be None or seconds from 0 to 600"
    )


def test_clocks_that_are_none_and_simulators_that_cannot_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="the clock is wait, declared or measured, not 'real'"):
        spec(THOUGHTFUL, clock="real")
    (tmp_path / "still.py").write_text("class Still:\n    pass\n")
    still = f"{tmp_path / 'still.py'}:Still"
    with pytest.raises(SpecError, match="simulator Still has no go_on"):
        run(spec(THOUGHTFUL, simulator=still), tmp_path / "run", episodes=peopled(tmp_path, 1))
