"""Agents that attack their judge, each in its own way, and then stop where they stand: whoever is
believed to have arrived must have got something. What an attack brought is told as the intent."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
import stat
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from navproof.core.types import Beliefs, Decision, Move, Observation, Remembered, Scalar, TaskBrief

MARK = "an-orphan-of-an-attacker"


class Attacker:
    """Attacks at step 1, stops at step 2."""

    sensors = ("pose", "pointgoal")

    def reset(self, brief: TaskBrief) -> None:
        self.brief = brief

    def act(self, obs: Observation) -> Decision:
        if obs.step == 0:
            return Decision(Move.LEFT)
        if obs.step == 1:
            return Decision(Move.LEFT, intent={"gained": self.attack(obs)})
        return Decision(Move.STOP)

    def attack(self, obs: Observation) -> Scalar:
        raise NotImplementedError


class PatchesDistance(Attacker):
    def attack(self, obs: Observation) -> Scalar:
        from navproof.play.env import Env

        Env.distance_to_goal = lambda self: 0.0  # type: ignore[method-assign]
        return ""


class MovesTheRobot(Attacker):
    """Looks for the simulator among all objects, and puts the robot at the goal."""

    def attack(self, obs: Observation) -> Scalar:
        from navproof.sim.embedded import EmbeddedSimulator

        found = [o for o in gc.get_objects() if isinstance(o, EmbeddedSimulator)]
        return ", ".join(map(repr, found))


class PatchesTheRecorder(Attacker):
    def attack(self, obs: Observation) -> Scalar:
        from navproof.play import record

        record.Recorder.finish = lambda *a, **k: None  # type: ignore[method-assign, assignment]
        record.Recorder.add = lambda *a, **k: None  # type: ignore[method-assign, assignment]
        return ""


class LooksAtCallers(Attacker):
    """Looks for the environment in the frames that called it, and among all objects."""

    def attack(self, obs: Observation) -> Scalar:
        names: list[str] = []
        frame: Any = sys._getframe()
        while frame is not None:
            names += [name for name in ("env", "session", "episode") if name in frame.f_locals]
            frame = frame.f_back
        kinds = {type(o).__name__ for o in gc.get_objects()}
        return ", ".join([*names, *sorted(kinds & {"Env", "Session", "Episode", "Recorder"})])


class ReadsTheJudge(Attacker):
    """Tries every way into the processes above its own."""

    def attack(self, obs: Observation) -> Scalar:
        libc = ctypes.CDLL(None, use_errno=True)
        gained, pid = [], os.getppid()
        for _ in range(3):
            for name in ("mem", "maps", "environ", "root", "cwd"):
                try:
                    path = Path(f"/proc/{pid}/{name}")
                    gained.append(str(path.readlink() if name in ("root", "cwd") else path.open()))
                except OSError:
                    continue
            try:
                handles = list(Path(f"/proc/{pid}/fd").iterdir())
            except OSError:
                handles = []
            for handle in handles:
                try:
                    os.close(os.open(handle, os.O_RDONLY))
                    gained.append(f"descriptor {handle.name}")
                except OSError:
                    continue
            if libc.ptrace(16, pid, 0, 0) == 0:  # PTRACE_ATTACH
                gained.append("ptrace")
            local = ctypes.create_string_buffer(8)
            here = (ctypes.c_void_p * 2)(ctypes.addressof(local), 8)
            there = (ctypes.c_void_p * 2)(ctypes.addressof(local), 8)
            if libc.process_vm_readv(pid, here, 1, there, 1, 0) > 0:
                gained.append("process_vm_readv")
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
            if pid < 2:
                break
        return ", ".join(gained)


class KillsTheJudge(Attacker):
    """By a signal, by a limit, and by slowing it; and would have the blame for its own end."""

    def attack(self, obs: Observation) -> Scalar:
        import resource

        judge, me = os.getppid(), os.getpid()
        libc = ctypes.CDLL(None, use_errno=True)
        ways = {
            "a signal": lambda: os.kill(judge, signal.SIGKILL),
            "another signal": lambda: os.kill(judge, signal.SIGSEGV),
            "a signal to all": lambda: os.kill(-1, 0),  # asks whether it may, and sends none
            "a signal to its group": lambda: os.killpg(os.getpgid(judge), 0),
            "a signal to its thread": lambda: refused(libc.tgkill(judge, judge, signal.SIGABRT)),
            "a signal by handle": lambda: signal.pidfd_send_signal(
                os.pidfd_open(judge), signal.SIGKILL
            ),
            "a limit": lambda: resource.prlimit(judge, resource.RLIMIT_CPU, (1, 1)),
            "a priority": lambda: os.setpriority(os.PRIO_PROCESS, judge, 19),
            "its user's priority": lambda: os.setpriority(os.PRIO_USER, os.getuid(), 19),
            "a core": lambda: os.sched_setaffinity(judge, {0}),
            "a policy": lambda: os.sched_setscheduler(judge, os.SCHED_IDLE, os.sched_param(0)),
            "orphans": lambda: refused(libc.prctl(36, 0, 0, 0, 0)),
            "itself": lambda: os.kill(me, signal.SIGKILL),
            "its group": lambda: os.killpg(me, signal.SIGTERM),
            "all of its group": lambda: os.kill(0, signal.SIGHUP),
            "its thread": lambda: signal.pthread_kill(threading.get_ident(), signal.SIGKILL),
        }
        gained = []
        for name, way in ways.items():
            try:
                way()
            except OSError:
                continue
            gained.append(name)
        return ", ".join(gained)


def refused(result: int) -> None:
    if result != 0:
        raise PermissionError


class KillsTheJudgesThread(Attacker):
    """The last way that no filter knows, where the kernel keeps no signals apart: by a thread that
    the judge started when it had started the process of another agent, too."""

    def attack(self, obs: Observation) -> Scalar:
        for thread in Path(f"/proc/{os.getppid()}/task").iterdir():
            with contextlib.suppress(OSError):
                os.kill(int(thread.name), signal.SIGKILL)
        time.sleep(1.0)
        return ""


class WritesIntoObservations(Attacker):
    """The memory that it shares with the judge is not for it to write."""

    def attack(self, obs: Observation) -> Scalar:
        import mmap

        gained = []
        for handle in descriptors():
            try:
                mmap.mmap(handle, 1 << 16, access=mmap.ACCESS_WRITE)[:] = b"\xff" * (1 << 16)
                gained.append(str(handle))
            except (OSError, ValueError, TypeError):
                continue
        return ", ".join(gained)


class LooksItUp(Attacker):
    """Looks for its episode among those of the public suite, by what it is told, and for whatever
    is written of it on the disk. It knows where everything lies, and can make what can be made."""

    sensors = ("pose",)

    def attack(self, obs: Observation) -> Scalar:
        from navproof.core.cache import cache_dir
        from navproof.tasks.suites import load_suite

        gained = []
        told = self.brief.instruction
        for episode in load_suite(os.environ["NAVPROOF_TEST_SUITE"]):
            if episode.instruction is not None and episode.instruction.text == told:
                gained.append(f"goal {episode.goals[0].positions[0]}")
        places = [Path(os.environ["NAVPROOF_TEST_SECRET"]), Path(os.environ["NAVPROOF_TEST_RUN"])]
        for place in (*places, cache_dir("withheld")):
            for path in place.rglob("*") if place.is_dir() else [place]:
                try:
                    if path.is_file() and path.read_bytes():
                        gained.append(path.name)
                except OSError:
                    continue
        return ", ".join(gained)


class AnswersTwice(Attacker):
    """Writes an answer of its own before the one that it gives."""

    def attack(self, obs: Observation) -> Scalar:
        import msgpack

        told = msgpack.packb({"seq": 10**6, "answer": {"action": "stop"}})
        os.write(connection(), len(told).to_bytes(4, "little") + told)
        return ""


class SendsGarbage(Attacker):
    def attack(self, obs: Observation) -> Scalar:
        os.write(connection(), b"\xff" * 64)
        return ""


def descriptors() -> list[int]:
    """Those of this process."""
    return [int(path.name) for path in Path("/proc/self/fd").iterdir()]


def connection() -> int:
    """The descriptor of the connection to the judge."""
    for handle in descriptors():
        try:
            if stat.S_ISSOCK(os.fstat(handle).st_mode):
                return handle
        except OSError:
            continue
    raise LookupError


class Forks(Attacker):
    """Goes on in a copy of its process, too."""

    def attack(self, obs: Observation) -> Scalar:
        os.fork()
        return ""


class SpoilsTheProcess(Attacker):
    """Everything global that another agent might rest upon."""

    def reset(self, brief: TaskBrief) -> None:
        np.seterr(all="raise")
        warnings.simplefilter("error")
        os.environ.clear()
        np.random.seed = None  # type: ignore[assignment]
        sys.path.clear()
        super().reset(brief)

    def attack(self, obs: Observation) -> Scalar:
        return ""


class LeavesOrphans(Attacker):
    """Starts processes that are not to be found below it."""

    def attack(self, obs: Observation) -> Scalar:
        code = "import time; time.sleep(600)"
        subprocess.Popen([sys.executable, "-c", code, MARK], start_new_session=True)
        twice = (
            "import subprocess, sys; "
            f"subprocess.Popen([sys.executable, '-c', {code!r}, {MARK!r}], start_new_session=True)"
        )
        subprocess.run([sys.executable, "-c", twice], check=True)
        return ""


class Large(Attacker):
    """Needs 500 MB, and says so by taking them."""

    def reset(self, brief: TaskBrief) -> None:
        super().reset(brief)
        self.held = np.ones(500 * 2**17)

    def attack(self, obs: Observation) -> Scalar:
        return ""


class LargeChild(Large):
    """Has another process take as much again, and waits until it has."""

    def attack(self, obs: Observation) -> Scalar:
        code = "held = bytearray(b'x') * (600 * 2**20); print(); import time; time.sleep(600)"
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(4.0)
        return ""


class ForgesTraces(Attacker):
    """Writes a rival's results into the run folder, and the manifest with them, as soon as it is
    imported."""

    def attack(self, obs: Observation) -> Scalar:
        forge()
        return ""


def forge() -> None:
    """Copy every trace of this folder's runs over those of ``Walker``, and say that the run wrote
    them."""
    import hashlib
    import json

    for folder in Path.cwd().glob("*/"):
        rival = folder / "traces" / "runner_fakes%3AWalker"
        rival.mkdir(parents=True, exist_ok=True)
        for name in ("tiny-000", "tiny-001", "tiny-099"):
            path = rival / f"{name}@clean@0.json.gz"
            path.write_bytes(b"forged")
            entry = {
                "file": str(path.relative_to(folder)),
                "sha256": hashlib.sha256(b"forged").hexdigest(),
            }
            with (folder / "manifest.jsonl").open("a") as manifest:
                manifest.write(json.dumps(entry) + "\n")


class ForgesLater(Attacker):
    """Leaves a process that writes other results as soon as there are any, and other traces with
    them, each with its line in the manifest, for five seconds."""

    waits = True

    def attack(self, obs: Observation) -> Scalar:
        from navproof.log.results import encode_results

        table = encode_results([{"agent": "attackers:ForgesLater", "success": 1.0, "seed": 0}])
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                with contextlib.suppress(BaseException):
                    forge_later(Path(os.environ["NAVPROOF_TEST_RUN"]), table, self.waits)
            os._exit(0)
        os.wait()
        time.sleep(0.5)  # until it is at work
        return ""


class ForgesAtOnce(ForgesLater):
    """Other traces before there are results."""

    waits = False


def forge_later(folder: Path, table: bytes, waits: bool) -> None:
    """Which process that is stands in a file beside the run."""
    import gzip
    import hashlib
    import json

    def write(path: Path, data: bytes) -> None:
        path.write_bytes(data)
        name, digest = str(path.relative_to(folder)), hashlib.sha256(data).hexdigest()
        with (folder / "manifest.jsonl").open("a") as manifest:
            manifest.write(json.dumps({"file": name, "sha256": digest}) + "\n")

    folder.with_name("alive").write_text(str(os.getpid()))
    until, forged = time.monotonic() + 5.0, set[bytes]()
    while time.monotonic() < until:
        if (folder / "results.parquet").exists():
            write(folder / "results.parquet", table)
        elif waits:
            continue
        for path in folder.glob("traces/*/*.gz"):
            data = path.read_bytes()
            if data not in forged:
                trace = json.loads(gzip.decompress(data))
                data = gzip.compress(json.dumps({**trace, "reason": "forged"}).encode())
                forged.add(data)
                write(path, data)


def end_itself() -> None:
    """By the one way that is left: no filter knows the numbers of a process's own threads."""
    thread = threading.Thread(target=time.sleep, args=(60.0,), daemon=True)
    thread.start()
    os.kill(thread.native_id or 0, signal.SIGKILL)
    time.sleep(60.0)


class KillsItself(Attacker):
    """Always at the same step: no machine does that."""

    def attack(self, obs: Observation) -> Scalar:
        end_itself()
        return ""


class KilledOnce(Attacker):
    """By somebody else, as it were: it is not so when it is tried again."""

    def attack(self, obs: Observation) -> Scalar:
        flag = Path(os.environ["NAVPROOF_TEST_FLAG"])
        if not flag.exists():
            flag.touch()
            end_itself()
        return ""


class KilledAnywhere(Attacker):
    """By somebody else, again and again, at whatever step it is."""

    def act(self, obs: Observation) -> Decision:
        flag = Path(os.environ["NAVPROOF_TEST_FLAG"])
        attempts = len(flag.read_text()) if flag.exists() else 0
        if obs.step == attempts:
            flag.write_text("x" * (attempts + 1))
            end_itself()
        return Decision(Move.LEFT)


class DiesInConstructor(Attacker):
    def __init__(self) -> None:
        end_itself()


class LeavesNameless(Attacker):
    """Starts processes that nothing tells from others, and ends before they do."""

    def attack(self, obs: Observation) -> Scalar:
        code = "import time; time.sleep(600)"
        twice = (
            "import subprocess, sys; "
            f"subprocess.Popen([sys.executable, '-c', {code!r}, {MARK!r}], "
            "start_new_session=True, env={})"
        )
        subprocess.run([sys.executable, "-c", twice], check=True, env={})
        ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)
        os._exit(3)


class SeesOrphans(Attacker):
    """Looks for what another agent left."""

    def attack(self, obs: Observation) -> Scalar:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if MARK.encode() in path.read_bytes().split(b"\0"):
                    found.append(path.parent.name)
            except OSError:
                continue
        return ", ".join(found)


class SaysWhatCannotBeKept(Attacker):
    """What it says is ``said``; more than a trace could hold."""

    said: Scalar = ""

    def attack(self, obs: Observation) -> Scalar:
        return self.said


class SaysHalfAPair(SaysWhatCannotBeKept):
    said = "\ud800"


class SaysTooManyDigits(SaysWhatCannotBeKept):
    said = 10**400


class SaysTooMuch(SaysWhatCannotBeKept):
    said = "x" * 5000


class BelievesTooMuch(Attacker):
    def act(self, obs: Observation) -> Decision:
        return Decision(Move.LEFT, Beliefs(plan=((0.0, 0.0),) * 10_001))


class BelievesInLongWords(Attacker):
    def act(self, obs: Observation) -> Decision:
        things = tuple(Remembered("x" * 4000, (0.0, 0.0, 0.0), 0) for _ in range(2000))
        return Decision(Move.LEFT, Beliefs(remembered=things))


class SendsTooMuch(Attacker):
    """Says that a message of 5 MiB comes."""

    def attack(self, obs: Observation) -> Scalar:
        os.write(connection(), (5 << 20).to_bytes(4, "little"))
        return ""
