"""The client of one file: what it is made of, which Pythons can read it, and that it serves."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runner_fakes as fakes
from navproof.agents.client import CLIENT_NAME, PARTS, client_text
from navproof.agents.client import records as theirs
from navproof.agents.client.command import main
from navproof.agents.client.words import Beliefs, Decision, Detection, Remembered
from navproof.agents.limits import Limits
from navproof.agents.wire import brief_to, decision_from, observation_to, pack, unpack
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core import types as ours
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.hosted import HostedAgent
from navproof.play.session import Session
from navproof.play.worker import Worker
from navproof.sim.robots import ROBOTS
from navproof.tasks import TASKS, make_task, spec_for

OLDEST, MYPYS_OLDEST = (3, 8), "3.10"
PYTHONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
ALLOWED = {"msgpack", "numpy", "websockets"}
LIMITS = Limits(step_s=20.0, setup_s=20.0)
AGENT = """
import hashlib
import numpy as np

class Seer:
    "Walks by its own generator, and says what it was given, as runner_fakes.Seer does."
    sensors = ("rgb", "depth", "pose")
    feels = frozenset({"rgb", "depth", "words"})

    def reset(self, brief):
        self.rng = np.random.default_rng(brief.seed)
        self.left = int(self.rng.integers(3, 12))

    def act(self, obs):
        from navproof_client import Decision, Move
        self.left -= 1
        moves = (Move.FORWARD, Move.FORWARD, Move.LEFT, Move.RIGHT)
        move = Move.STOP if self.left < 0 else moves[int(self.rng.integers(4))]
        found = hashlib.sha256(f"{obs.step} {obs.instruction} {obs.collided}".encode())
        for name, reading in obs.readings.items():
            found.update(name.encode() + reading.tobytes())
        return Decision(move, intent={"saw": found.hexdigest()[:16]})

class Needs(Seer):
    def __init__(self, config): pass
    def act_batch(self, observations): pass
"""


# ------------------------------------------------------------------------------------ the file
def test_it_is_what_its_oldest_python_can_read() -> None:
    ast.parse(client_text(), feature_version=OLDEST)


def test_it_is_typed_for_the_oldest_python_that_mypy_knows(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / CLIENT_NAME).write_text(client_text())
    command = [sys.executable, "-m", "mypy", "--strict", "--python-version", MYPYS_OLDEST]
    command += ["--follow-imports=silent", "--ignore-missing-imports", "--cache-dir=none"]
    done = subprocess.run(
        [*command, CLIENT_NAME], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_needs_three_packages_and_nothing_of_navproofs() -> None:
    tree = ast.parse(client_text())
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    assert found - set(sys.stdlib_module_names) == ALLOWED


def test_no_name_is_defined_by_two_of_its_parts() -> None:
    tree = ast.parse(client_text())
    defined = [n.name for n in tree.body if isinstance(n, ast.ClassDef | ast.FunctionDef)]
    for node in tree.body:
        if isinstance(node, ast.Assign):
            defined += [t.id for t in node.targets if isinstance(t, ast.Name)]
    assert sorted(set(defined) - {"_NAMES"}) == sorted(n for n in defined if n != "_NAMES")
    assert len(defined) > 40


def test_everything_of_its_parts_is_in_it() -> None:
    text = client_text()
    folder = Path(theirs.__file__).parent
    for part in PARTS:
        for node in ast.parse((folder / f"{part}.py").read_text()).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                source = ast.get_source_segment((folder / f"{part}.py").read_text(), node)
                assert source is not None
                assert source in text


# ------------------------------------------------------------------------- what agents are told
def same(theirs: Any, ours: Any) -> None:
    """Every attribute of ours is one of theirs, with the same value."""
    if is_dataclass(ours) and not isinstance(ours, type):
        for field in fields(ours):
            same(getattr(theirs, field.name), getattr(ours, field.name))
    elif isinstance(ours, tuple):
        assert len(theirs) == len(ours)
        for one, other in zip(theirs, ours, strict=True):
            same(one, other)
    elif isinstance(ours, np.ndarray):
        np.testing.assert_array_equal(theirs, ours)
        assert theirs.dtype == ours.dtype
    elif isinstance(ours, dict):
        assert theirs.keys() == ours.keys()
        for key, value in ours.items():
            same(theirs[key], value)
    else:
        assert theirs == ours


@pytest.mark.parametrize("task", sorted(TASKS))
def test_briefs_and_observations_have_the_attributes_of_navproofs(task: str) -> None:
    sim = tiny_simulator(task)
    env = Env(sim, make_task(task), ("rgb", "depth", "pose", "semantic"))
    session = Session(env, TraceKey("x", "y"), timed=False)
    session.begin(tiny_episode(task, sim, 10))
    for robot in (session.brief.robot, *ROBOTS.values()):
        brief = replace(session.brief, robot=robot)
        same(theirs.brief_from(unpack(pack(brief_to(brief)))), brief)
    hurried = replace(session.brief, clock="declared")
    same(theirs.brief_from(unpack(pack(brief_to(hurried)))), hurried)
    observation = session.observation
    told = theirs.observation_from(unpack(pack(observation_to(observation))))
    same(told, observation)
    for name in ("rgb", "depth", "semantic", "pose", "pointgoal", "expert"):
        same(getattr(told, name), getattr(observation, name))
    told.rgb[:] = 0  # its own to change


def test_decisions_travel_from_its_types_and_from_navproofs() -> None:
    point = (np.float32(1.0), 2.0, 0.0)
    beliefs = Beliefs(
        [Detection("chair", np.float32(0.5), (0, 0, 2, 2), point)],
        [Remembered("bed", np.array(point), np.int64(3))],
        [(1.0, np.float64(2.0))],
    )
    told = decision_from(
        unpack(pack(theirs.decision_to(Decision("left", beliefs, {"is": "x", "n": np.int32(2)}))))
    )
    assert told.action is ours.Move.LEFT
    assert told.intent == {"is": "x", "n": 2}
    assert told.beliefs is not None
    assert told.beliefs.perceived[0].position == [1.0, 2.0, 0.0]
    assert told.beliefs.remembered[0].step == 3
    assert told.took_s is None
    slow = decision_from(unpack(pack(theirs.decision_to(Decision("left", took_s=np.float64(0.3))))))
    assert slow.took_s == 0.3
    for action in (
        ours.Move.STOP,
        ours.Velocity(0.5, -0.1),
        ours.Waypoints(((1.0, 0.5), (2.0, 0.0))),
        ours.Answer("blue"),
    ):
        plain = unpack(pack(theirs.decision_to(ours.Decision(action, took_s=0.25))))
        assert decision_from(plain) == ours.Decision(action, took_s=0.25)


# ----------------------------------------------------------------------------- it serves
def interpreter(version: str) -> str:
    """One that has what the client needs, or a skip in one line."""
    found = shutil.which(f"python{version}")
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    found = sys.executable if version == own else found
    if found is None:
        pytest.skip(f"python{version} is not at hand")
    code = "import msgpack, numpy, websockets.sync.server, sys; print(sys.version.split()[0])"
    done = subprocess.run([found, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout.startswith(version + "."):
        pytest.skip(f"python{version} lacks numpy, msgpack or websockets")
    return found


@contextmanager
def client(folder: Path, python: str, *words: str) -> Iterator[tuple[str, int]]:
    """The address of what it serves, and its process."""
    (folder / CLIENT_NAME).write_text(client_text())
    command = [python, CLIENT_NAME, "serve", *words]
    environment = {k: v for k, v in os.environ.items() if k != "NAVPROOF_TOKEN"}
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # nohup ignores it
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert " at ws://" in line
            yield line.rpartition(" ")[2].strip(), process.pid
        finally:
            process.kill()


def played(worker: Worker, name: str, count: int = 2) -> list[Trace]:
    return [
        worker.play(fakes.Job(TraceKey(name, episode.episode_id), episode, spec_for(episode.task)))
        for episode in fakes.tiny_episodes(count)
    ]


@pytest.mark.parametrize("version", PYTHONS)
def test_it_serves_on_every_python_at_hand_as_here_to_the_bit(version: str, tmp_path: Path) -> None:
    python = interpreter(version)
    (tmp_path / "mine.py").write_text(AGENT)
    worker = Worker(fakes.TinySimulator, LIMITS)
    here = played(worker, "runner_fakes:Seer")
    with client(tmp_path, python, "mine.py:Seer", "--port", "0") as (address, _):
        there = played(worker, address)
        served = worker._hosted(address).declaration.served or {}
    worker.close()
    assert served["python"].startswith(version + ".")
    assert served["name"] == "mine.py:Seer"
    for one, other in zip(here, there, strict=True):
        assert one.status == "ok"
        assert replace(other, key=one.key, timing={}) == replace(one, timing={})


def test_a_client_that_is_killed_and_started_again_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\n"
        "class Slow:\n"
        "    sensors = ('pose',)\n"
        "    def reset(self, brief): pass\n"
        "    def act(self, obs):\n"
        "        time.sleep(0.1)\n"
        "        return 'left' if obs.step < 8 else 'stop'\n"
    )
    worker = Worker(fakes.TinySimulator, LIMITS)
    found: list[Trace] = []
    with client(tmp_path, sys.executable, "slow.py:Slow", "--port", "0") as (address, pid):
        judge = threading.Thread(target=lambda: found.extend(played(worker, address, 1)))
        judge.start()
        time.sleep(0.5)  # some steps
        os.kill(pid, signal.SIGKILL)
    port = address.rpartition(":")[2]
    with client(tmp_path, sys.executable, "slow.py:Slow", "--port", port):
        judge.join(30.0)
    worker.close()
    assert [(t.status, len(t.actions)) for t in found] == [("ok", 9)]


def test_it_ends_soon_when_it_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    with client(tmp_path, sys.executable, "mine.py:Seer", "--port", "0") as (address, pid):
        agent = HostedAgent(address, LIMITS)
        agent.make()
        began = time.monotonic()
        os.kill(pid, signal.SIGINT)
        found, status = 0, 0
        while not found and time.monotonic() - began < 20.0:
            time.sleep(0.05)
            found, status = os.waitpid(pid, os.WNOHANG)
        assert time.monotonic() - began < 8.0
        assert os.waitstatus_to_exitcode(status) == 130
        agent.close()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["none.py:Seer"], "there is no file"),
        (["mine.py:Sear"], "mine.py has no 'Sear'; it has Seer, Needs"),
        (["mine.py:Seer@beam=2"], "the agent has no option 'beam'; known: none"),
        (["mine.py:Needs"], "the agent needs the option 'config': write @config=…"),
        (["mine.py:Needs@config=1", "--as", "habitat-pointnav", "--batch", "2"], "--batch"),
        (["mine.py"], "'mine.py' must read my_agent.py:MyAgent"),
        (["broken.py:Seer"], "broken.py failed on import: ZeroDivisionError: "),
        (["mine.py:Seer", "--port", "PORT"], "cannot serve at localhost:"),
        (["mine.py:Seer", "--token-file", "/dev/zero"], "/dev/zero cannot be read: it is no plain"),
        (["abroad.py:Seer"], "(abroad.py:1); here, import Move, Velocity and the like"),
    ],
)
def test_what_cannot_be_served_is_one_line(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "mine.py").write_text(AGENT)
    (tmp_path / "broken.py").write_text("1 / 0\n")
    (tmp_path / "abroad.py").write_text("from navproof.nothing import Move\n")
    with socket.create_server(("localhost", 0)) as taken:
        port = str(taken.getsockname()[1])
        words = [port if word == "PORT" else word for word in words]
        with pytest.raises(SystemExit) as left:
            main(["serve", *words])
    text = str(left.value.code)
    assert text.startswith("navproof_client: ")
    assert says in text
    assert "\n" not in text


@pytest.mark.parametrize(
    "words",
    [("--port", "99999"), ("--port", "-3"), ("--max-mb", "-4"), ("--wait-ms", "nan")],
)
def test_numbers_that_make_no_sense_are_refused(
    words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["serve", "mine.py:Seer", *words])
    assert left.value.code == 2
    assert f"argument {words[0]}" in capsys.readouterr().err
