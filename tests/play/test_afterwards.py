"""What agents leave behind is gone before results are written: it has nothing to forge."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

import attackers
import runner_fakes as fakes
from navproof.agents.limits import Limits
from navproof.core.types import Episode
from navproof.log.folder import RunFolder
from navproof.log.manifest import Manifest
from navproof.log.storage import encode_trace
from navproof.log.trace import Trace, TraceKey
from navproof.play.pool import Pool
from navproof.runner.run import run
from navproof.runner.spec import RunSpec
from navproof.tasks import spec_for

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends what agents left")
RUN = """
import ctypes, struct, sys
sys.path[:0] = sys.argv[4:]
from pathlib import Path
if sys.argv[2] == "old":  # to this process, and all that it starts, the kernel has no Landlock
    libc = ctypes.CDLL(None)
    words = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x50026), (0x06, 0, 0, 0x7FFF0000)]
    program = b"".join(struct.pack("<HBBI", *word) for word in words)
    held = ctypes.create_string_buffer(program, len(program))
    about = struct.pack("<HxxxxxxQ", len(words), ctypes.addressof(held))
    assert libc.prctl(38, 1, 0, 0, 0) == libc.prctl(22, 2, about, 0, 0) == 0
import runner_fakes as fakes
from navproof.runner.run import run
from navproof.runner.spec import RunSpec
from navproof.core.errors import RunError
try:
    spec = RunSpec(tuple(sys.argv[3].split(",")), "tiny", simulator=fakes.SIMULATOR)
    run(spec, Path(sys.argv[1]), episodes=fakes.tiny_episodes(1))
except RunError as error:
    print(error)
"""


def attacked(path: Path, kernel: str, agent: str, *others: str) -> str:
    """What a run of an attacker says of itself when it has ended."""
    tests = str(Path(attackers.__file__).parent)
    names = ",".join((f"attackers:{agent}", *others))
    command = [sys.executable, "-c", RUN, str(path), kernel, names, tests]
    env = {**os.environ, "PYTHONPATH": tests, "NAVPROOF_TEST_RUN": str(path)}
    done = subprocess.run(
        command, env=env, check=True, timeout=120.0, stdout=subprocess.PIPE, text=True
    )
    held = RunFolder(path).info.versions["confinement"]
    assert ("processes" in held) == (kernel == "new")
    return done.stdout


def forged(path: Path, kernel: str, agent: str) -> str:
    """The same of a forger, of which nothing is left."""
    said = attacked(path, kernel, agent)
    process = Path("/proc", path.with_name("alive").read_text(), "stat")
    assert not process.exists() or " Z " in process.read_text()
    return said


@linux
@pytest.mark.parametrize("kernel", ["new", "old"])
def test_a_process_that_outlives_its_episode_has_nothing_to_forge(
    tmp_path: Path, kernel: str
) -> None:
    """With and without Landlock."""
    path = tmp_path / "run"
    assert forged(path, kernel, "ForgesLater") == ""
    folder = RunFolder(path)
    (row,), (trace,) = folder.results(), folder.traces()
    assert (row["episode_id"], row["success"]) == ("tiny-000", 0.0)
    assert (trace.status, trace.reason, trace.actions) == ("ok", "", ("left", "left", "stop"))


@linux
def test_who_forges_traces_while_the_run_goes_on_has_no_results(tmp_path: Path) -> None:
    path = tmp_path / "run"
    assert "1 traces are changed by something else whenever" in forged(path, "new", "ForgesAtOnce")
    assert not (path / "results.parquet").exists()
    assert list(RunFolder(path).traces()) == []


def test_what_others_wrote_into_a_run_that_was_interrupted_is_not_gone_on_with(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    """An episode that was never played, with its line in the manifest."""
    spec = RunSpec(("runner_fakes:Walker",), "tiny", simulator=fakes.SIMULATOR)
    whole = run(spec, tmp_path / "whole", episodes=episodes[:2])
    path = tmp_path / "run"
    never = TraceKey("runner_fakes:Walker", episodes[1].episode_id)

    class Interrupts:
        def announce(self, text: str) -> None: ...
        def making(self, done: int, total: int, what: str) -> None: ...
        def begin(self, total: int, resumed: object) -> None: ...
        def finished(self, trace: Trace) -> None:
            data = encode_trace(replace(whole.trace(never), actions=("stop",), reason="forged"))
            target = RunFolder(path).trace_path(never)
            target.write_bytes(data)
            Manifest(path).add(target.relative_to(path).as_posix(), data)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(spec, path, episodes=episodes[:2], progress=Interrupts())
    assert [trace.key.episode_id for trace in RunFolder(path).traces()] == [episodes[0].episode_id]
    found = run(spec, path, episodes=episodes[:2])
    assert found.trace(never).reason == ""
    assert [row["steps"] for row in found.results()] == [row["steps"] for row in whole.results()]


@linux
def test_a_pool_that_rests_has_no_processes_and_goes_on(episodes: tuple[Episode, ...]) -> None:
    spec = RunSpec(("runner_fakes:Walker",), "tiny", simulator=fakes.SIMULATOR)
    with Pool(2, spec.limits, simulator=spec.simulator) as pool:
        for _ in range(2):
            pool.load_agents(spec.agents)
            workers = [worker.pid for worker in pool._workers.values()]
            assert workers
            pool.rest()
            until = time.monotonic() + 5.0
            while any(Path(f"/proc/{pid}").exists() for pid in workers):
                assert time.monotonic() < until


# ---------------------------------------------------------------- a kernel without Landlock
@linux
@pytest.mark.parametrize("kernel", ["new", "old"])
def test_the_judge_is_ended_by_no_signal(tmp_path: Path, kernel: str) -> None:
    assert attacked(tmp_path / "run", kernel, "KillsTheJudge") == ""
    (trace,) = RunFolder(tmp_path / "run").traces()
    assert (trace.status, trace.reason) == ("ok", "")
    assert "attempts" not in trace.facts
    assert [e.data["gained"] for e in trace.events if e.kind == "intent"] == [""]


@linux
def test_the_judge_is_not_read_on_such_a_kernel(tmp_path: Path) -> None:
    """It is not dumpable, and agents, root's too, have no privilege to look all the same."""
    assert attacked(tmp_path / "run", "old", "ReadsTheJudge") == ""
    (trace,) = RunFolder(tmp_path / "run").traces()
    assert [e.data["gained"] for e in trace.events if e.kind == "intent"] == [""]


@linux
def test_who_finds_another_thread_of_its_judge_has_it_play_again(tmp_path: Path) -> None:
    """One that was started later than the filter. The next judge has none such."""
    path = tmp_path / "old"
    attacked(path, "old", "KillsTheJudgesThread", "runner_fakes:Walker")
    assert [row["status"] for row in RunFolder(path).results()] == ["ok", "ok"]


@linux
@pytest.mark.parametrize(
    ("holds", "status", "told"),
    [
        (("signals",), "infrastructure", "not played in 3 attempts; its worker was ended by"),
        (
            (),
            "agent_died",
            "in each of 3 attempts (this system cannot keep agents from doing that)",
        ),
    ],
)
def test_who_could_end_its_judge_loses_where_it_is_ended_each_time(
    episodes: tuple[Episode, ...], holds: tuple[str, ...], status: str, told: str
) -> None:
    """So nobody drops losses. Where signals are kept apart, the machine is to blame."""
    key = TraceKey("runner_fakes:Sleeps", episodes[0].episode_id)
    job = fakes.Job(key, episodes[0], spec_for(episodes[0].task))
    limits = Limits(step_s=60.0)
    with Pool(1, limits, simulator=fakes.SIMULATOR) as pool:
        pool.load_agents([key.agent])
        pool._holds = holds
        killer = threading.Thread(target=kill_playing, args=(pool, 3))
        killer.start()
        (outcome,) = pool.run([job])
        killer.join()
    assert outcome.result.status == status
    assert told in outcome.result.reason


def kill_playing(pool: Pool, times: int) -> None:
    """End so many workers while they play, one after the other."""
    killed = set[int]()
    while len(killed) < times:
        time.sleep(0.05)
        for worker in list(pool._workers.values()):
            if worker.job is not None and worker.phase == "acting" and worker.pid not in killed:
                os.kill(worker.pid, signal.SIGKILL)
                killed.add(worker.pid)
