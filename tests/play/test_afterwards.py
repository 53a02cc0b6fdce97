"""What agents leave behind is gone before results are written: it has nothing to forge."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import attackers
import runner_fakes as fakes
from navproof.core.types import Episode
from navproof.log.folder import RunFolder
from navproof.log.manifest import Manifest
from navproof.log.storage import encode_trace
from navproof.log.trace import Trace, TraceKey
from navproof.play.pool import Pool
from navproof.runner.run import run
from navproof.runner.spec import RunSpec

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
    spec = RunSpec((f"attackers:{sys.argv[3]}",), "tiny", simulator=fakes.SIMULATOR)
    run(spec, Path(sys.argv[1]), episodes=fakes.tiny_episodes(1))
except RunError as error:
    print(error)
"""


def forged(path: Path, kernel: str, agent: str) -> str:
    """What a run of a forger says of itself when it has ended, and nothing of the forger is
    left."""
    tests = str(Path(attackers.__file__).parent)
    command = [sys.executable, "-c", RUN, str(path), kernel, agent, tests]
    env = {**os.environ, "PYTHONPATH": tests, "NAVPROOF_TEST_RUN": str(path)}
    done = subprocess.run(
        command, env=env, check=True, timeout=120.0, stdout=subprocess.PIPE, text=True
    )
    process = Path("/proc", path.with_name("alive").read_text(), "stat")
    assert not process.exists() or " Z " in process.read_text()
    held = RunFolder(path).info.versions["confinement"]
    assert ("processes" in held) == (kernel == "new")
    return done.stdout


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
