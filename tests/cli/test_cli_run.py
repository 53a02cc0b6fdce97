"""``navproof run`` through its entry point: a whole run, kill -9 in the middle, bad input."""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_run_samples import navproof, refusal

from navproof.api.text.progress import RunProgress
from navproof.core.types import Episode, Goal, Pose
from navproof.log import RunFolder, TraceKey
from navproof.tasks.episodes import write_episodes
from navproof.testing import tiny_scene
from navproof.world.io import save_scene

MAIN = """
import signal
from navproof.cli.main import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background ignore Ctrl-C
main()
"""
AGENT = '''
import os
import time

class Slow:
    """Walks a little, with a pause before each step."""

    sensors = ("pose", "pointgoal")

    def reset(self, brief):
        self.left = 3 + brief.seed % 5

    def act(self, obs):
        time.sleep(float(os.environ.get("PAUSE_S", "0.02")))
        print("a word in between")
        self.left -= 1
        return "stop" if self.left < 0 else ("forward", "left")[self.left % 2]

class Broken(Slow):
    def act(self, obs):
        raise RuntimeError("out of ideas")
'''


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scene, an episode file and an agent file."""
    folder = tmp_path_factory.mktemp("cli-run")
    scene = folder / "tiny.scene"
    save_scene(tiny_scene(), scene)
    episodes = [
        Episode(
            episode_id=f"tiny-{index}",
            task="pointnav-v1",
            scene=str(scene),
            start=Pose(-3.0 + 0.1 * index, 1.0),
            goals=(Goal("point", ((3.0, 2.0, 0.0),)),),
            geodesic_m=round(math.hypot(3.0 - 0.1 * index, 1.0) + 3.0, 4),
            reference_path=((-3.0 + 0.1 * index, 1.0, 0.0), (0.0, 2.0, 0.0), (3.0, 2.0, 0.0)),
            budget_steps=40,
            seed=index,
        )
        for index in range(12)
    ]
    write_episodes(folder / "tiny.jsonl.gz", episodes)
    (folder / "mine.py").write_text(AGENT)
    return folder


def command(place: Path, out: str, *more: str, agent: str = "Slow") -> list[str]:
    agents = ",".join(f"{place / 'mine.py'}:{name}" for name in agent.split(","))
    suite = str(place / "tiny.jsonl.gz")
    return ["run", "--agent", agents, "--suite", suite, "-o", str(place / out), *more]


def rows(path: Path) -> list[dict[str, Any]]:
    found = RunFolder(path).results()
    return [{k: v for k, v in row.items() if not k.startswith("time_")} for row in found]


def start(words: list[str]) -> subprocess.Popen[str]:
    """The real command in a process group of its own, slow enough to be stopped on the way also
    where the machine is busy."""
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PAUSE_S": "0.2"},
        start_new_session=True,
    )


def wait_for_traces(path: Path, count: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while len(list(path.glob("traces/*/*.json.gz"))) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture(scope="module")
def whole(place: Path) -> Path:
    """An undisturbed run with one worker."""
    done = navproof(*command(place, "whole", "--workers", "1"))
    assert done.returncode == 0, done.stderr
    return place / "whole"


def test_kill_9_and_the_same_command_lose_nothing(place: Path, whole: Path) -> None:
    words = command(place, "killed", "--workers", "2")
    for kept in (2, 5):  # twice, at different moments
        process = start(words)
        wait_for_traces(place / "killed", kept, process)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    before = {p: p.stat().st_mtime_ns for p in place.glob("killed/traces/*/*.json.gz")}
    assert 5 <= len(before) < 12
    assert not (place / "killed" / "results.parquet").exists()
    done = navproof(*words)
    assert done.returncode == 0, done.stderr
    assert f"{len(before)} of 12 episodes are done already" in done.stderr
    assert rows(place / "killed") == rows(whole)
    assert [replace(t, timing={}) for t in RunFolder(place / "killed").traces()] == [
        replace(t, timing={}) for t in RunFolder(whole).traces()
    ]
    assert all(p.stat().st_mtime_ns == changed for p, changed in before.items())


def test_workers_die_with_the_command(place: Path) -> None:
    process = start(command(place, "orphans", "--workers", "2"))
    wait_for_traces(place / "orphans", 1, process)
    started = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(process.pid)],
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    assert sum("navproof.play.serve" in line for line in started) == 2
    children = [line.split()[0] for line in started]
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 10
    alive = children
    while alive and time.monotonic() < deadline:
        time.sleep(0.05)
        alive = [pid for pid in alive if _running(int(pid))]
    assert not alive


def _running(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    return False


def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(place: Path, whole: Path) -> None:
    words = command(place, "stopped", "--workers", "2")
    process = start(words)
    wait_for_traces(place / "stopped", 2, process)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    last = err.strip().splitlines()[-1]
    assert last.startswith("stopped: ")
    assert last.endswith("the same command goes on from there")
    assert "Traceback" not in err
    assert navproof(*words).returncode == 0
    assert rows(place / "stopped") == rows(whole)


def test_the_table_the_json_and_the_log_of_a_broken_agent(place: Path) -> None:
    words = command(place, "two", "--limit", "3", "--workers", "2", agent="Slow,Broken")
    done = navproof(*words)
    assert done.returncode == 0, done.stderr
    assert "3 × agent_error: step 0: RuntimeError: out of ideas (mine.py:" in done.stdout
    assert "a word in between" not in done.stdout + done.stderr
    assert f"run: {place / 'two'}" in done.stdout
    document = json.loads(navproof(*words, "--json").stdout)  # nothing left to run
    slow, broken = document["scores"]
    assert (slow["n"], broken["n"], broken["not_ok"]) == (3, 3, {"agent_error": 3})
    assert document["episodes"] == 6


def test_a_report_is_written_on_request(place: Path, whole: Path) -> None:
    done = navproof(*command(place, "whole", "--report"))
    assert done.returncode == 0, done.stderr
    assert f"report: {whole / 'report.html'}" in done.stdout
    assert (whole / "report.html").stat().st_size > 1000


def test_bad_input_gets_one_line(place: Path, whole: Path) -> None:
    base = command(place, "bad")
    assert "there is no suite 'minni'" in refusal(
        "run", "--agent", "random", "--suite", "minni", "-o", str(place / "bad")
    )
    assert "there is no agent 'orakel'" in refusal(
        "run", "-a", "orakel", "--suite", base[4], "-o", base[6]
    )
    eyes = "mlfm@encoder=truth:noise=0.1,mis=0.2,random"  # the first comma parts no agents
    assert "truth encoder has no option 'mis'; did you mean 'miss'" in refusal(
        "run", "-a", eyes, "--suite", base[4], "-o", base[6]
    )
    assert "has no 'Slov'" in refusal(*command(place, "bad", agent="Slov"))
    assert "--camera must read WIDTHxHEIGHT" in refusal(*base, "--camera", "big")
    assert "step_s must be a positive number" in refusal(*base, "--step-limit", "0")
    assert "--camera must read WIDTHxHEIGHT" in refusal(*base, "--camera", "²x²")
    assert "--seeds must be from 1 to" in refusal(*base, "--seeds", "0")
    assert "--seeds must be from 1 to" in refusal(*base, "--seeds", "100000000000")
    assert "does not fit into 64 bits" in refusal(*base, "--seed", str(2**63))
    assert "see navproof run --help" in refusal(*base, "--workers", "many")
    assert "Missing option '--agent'" in refusal("run", "-o", "x")
    assert "File name too long" in refusal(*command(place, "n" * 300))
    assert "seeds: [0] there, [7] now" in refusal(*command(place, "whole", "--seed", "7"))
    assert "holds other files" in refusal(
        "run", "-a", "random", "--suite", base[4], "-o", str(place)
    )
    assert not (place / "bad").exists()


def test_conditions_come_by_name_and_by_group(place: Path) -> None:
    words = command(place, "spoiled", "--limit", "2", "--seeds", "2")
    words += ["-c", "wheel_slip,wheel_slip@0.2", "--condition", "wheel_slip@0.6,low_battery@1"]
    done = navproof(*words, "--conditions", "depth", "--json")
    assert done.returncode == 0, done.stderr
    info = RunFolder(place / "spoiled").info
    assert info.conditions == (
        "clean",
        "depth_gaussian",
        "depth_missing",
        "depth_multipath",
        "depth_quantisation",
        "wheel_slip",
        "wheel_slip@0.2",
        "low_battery@1",
    )
    told = [line for line in done.stderr.splitlines() if " skips " in line]
    assert len(told) == 1
    assert told[0].endswith("depth_quantisation in pointnav-v1: no depth reaches it")
    assert json.loads(done.stdout)["skipped"] == [
        {
            "agent": info.agents[0],
            "task": "pointnav-v1",
            "condition": name,
            "why": "no depth reaches it",
        }
        for name in info.conditions[1:5]
    ]
    assert len(rows(place / "spoiled")) == 2 * 2 * 4
    again = navproof(*words, "--conditions", "depth")
    assert again.returncode == 0, again.stderr
    assert "conditions: " in refusal(*words)  # without the group it is another run


def test_bad_conditions_get_one_line(place: Path) -> None:
    base = command(place, "bad")
    assert "there is no corruption 'spater'; did you mean 'spatter'" in refusal(
        *base, "-c", "spater"
    )
    assert "intensity must be in [0, 1], got '7'" in refusal(*base, "-c", "spatter@7")
    assert "no group of conditions 'rbg'; did you mean 'rgb'" in refusal(
        *base, "--conditions", "rbg"
    )
    assert "a condition is empty" in refusal(*base, "-c", "spatter,")
    assert "address starts with http" in refusal(*base, "--rewriter", "localhost:1")
    assert "give --rewriter too" in refusal(*base, "--rewriter-model", "tiny")
    assert not (place / "bad").exists()


def test_an_edited_agent_does_not_resume(place: Path, tmp_path: Path) -> None:
    agent = tmp_path / "mine.py"
    agent.write_text(AGENT)
    words = ["run", "-a", f"{agent}:Slow", "--suite", str(place / "tiny.jsonl.gz"), "--limit", "1"]
    words += ["-o", str(tmp_path / "run")]
    assert navproof(*words).returncode == 0
    agent.write_text(AGENT + "\n# better now\n")
    assert "the file of agent" in refusal(*words)
    assert navproof(*words, "--fresh").returncode == 0


def test_a_long_note_leaves_the_bar_and_the_counts_their_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # Rich takes the stream for a terminal
    monkeypatch.setenv("COLUMNS", "80")
    keys = [TraceKey(f"folder/mine.py:Agent{i}", "e") for i in range(9)]
    with RunProgress() as progress:
        progress.begin(18, dict.fromkeys(keys, 1.0))
        (task,) = progress._bar.tasks
        assert task.fields["note"].startswith("SR Agent0 1.00")
        assert len(task.fields["note"]) <= 18


def test_a_simulator_that_is_not_there_is_one_line(place: Path) -> None:
    said = refusal(*command(place, "elsewhere", "--simulator", "no.such:thing"))
    assert "simulator 'no.such:thing': there is no module 'no.such'" in said
    assert not (place / "elsewhere").exists()
