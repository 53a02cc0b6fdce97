"""Runs whose processes are killed at random, again and again, until each has ended after all.

    python benchmarks/torture.py [--kills 1000] [--limit-s 5400] [--seed 0] [--json] [--quick]

A run is played once undisturbed. Then the same command is given in an empty folder, and one of its
processes after another is ended by SIGKILL, at a random moment: the command itself, a worker, or
the process of an agent. A command that was killed is given again, as its user would. When it ends
by itself, what is in the folder is compared with the undisturbed run, and the next folder is begun.

Nothing may be lost (a planned episode without a trace), doubled (more traces or rows than planned),
changed (other bytes than undisturbed, but for seconds) or wrongly scored (held against the agent).
Episodes that the machine kept from being played three times are listed as such by the run, are not
scored, and are played when the command is given again; a command whose workers are killed whenever
they start gives up in one line, and goes on when it is given again. Both are counted, and are no
fault. Nothing that a killed command had started may outlive it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from navproof.core.tree import children_of, tree_of
from navproof.log.folder import RunFolder
from navproof.log.trace import Trace, TraceKey

TARGETS = ("command", "worker", "agent")
AGENTS = "random,forward,frontier"
_GONE_S = 10.0
_HANGS_S = 300.0


def command(folder: Path, episodes: int) -> list[str]:
    words = f"run --agent {AGENTS} --suite mini --limit {episodes} --workers 2 -o".split()
    return [sys.executable, "-c", "from navproof.cli.main import main; main()", *words, str(folder)]


class Command:
    """The command, while it runs."""

    def __init__(self, folder: Path, episodes: int, log: Path) -> None:
        with log.open("ab") as stream:
            self.process = subprocess.Popen(
                command(folder, episodes),
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )

    def pids(self, target: str) -> list[int]:
        """The processes of a kind that are there now."""
        me = self.process.pid
        if target == "command":
            return [me]
        workers = [pid for pid in children_of(me) if "navproof.play.serve" in _words(pid)]
        if target == "worker":
            return sorted(workers)
        agents = (pid for worker in workers for pid in children_of(worker))
        return sorted(pid for pid in agents if "navproof.agents.host" in _words(pid))

    def kill(self, target: str, chance: random.Random) -> set[int]:
        """End one process of a kind, where there is one: all that was there before, or nothing."""
        pids = self.pids(target)
        if not pids or self.process.poll() is not None:
            return set()
        there = tree_of(self.process.pid)
        with contextlib.suppress(ProcessLookupError):
            os.kill(chance.choice(pids), signal.SIGKILL)
            return there
        return set()


def _words(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    return ""


def still_there(pids: set[int]) -> set[int]:
    """Those of a killed command that live on after a while."""
    until = time.monotonic() + _GONE_S
    while True:
        alive = {pid for pid in pids if "navproof" in _words(pid)}
        if not alive or time.monotonic() > until:
            return alive
        time.sleep(0.05)


def faults(folder: RunFolder, undisturbed: RunFolder) -> Iterator[str]:
    """What is wrong in a folder, a line each."""
    planned = undisturbed.info.planned()
    there = Counter(folder.keys())
    for key in planned:
        if key not in there:
            yield f"lost: {key}"
            continue
        trace, reference = folder.trace(key), undisturbed.trace(key)
        if trace.status == "infrastructure":
            continue
        if trace.status != reference.status:
            yield f"wrongly scored: {key} is '{trace.status}' ({trace.reason})"
        elif _outcome(trace) != _outcome(reference):
            yield f"changed: {key}"
    for key, count in there.items():
        if key not in planned or count > 1:
            yield f"doubled: {key}"
    rows = Counter(
        TraceKey(row["agent"], row["episode_id"], row["condition"], row["seed"])
        for row in folder.results()
    )
    if rows != Counter(planned):
        yield f"results hold {rows.total()} rows for {len(planned)} episodes"


def _outcome(trace: Trace) -> Trace:
    """A trace without its seconds, and without how often it was begun."""
    facts = {name: value for name, value in trace.facts.items() if name != "attempts"}
    return replace(trace, timing={}, facts=facts)


def torture(
    kills: int, limit_s: float, seed: int, episodes: int, pause_s: float
) -> dict[str, object]:
    chance = random.Random(seed)
    struck: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    found: list[str] = []
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        log = place / "log.txt"
        if Command(place / "undisturbed", episodes, log).process.wait(_HANGS_S):
            raise SystemExit(f"torture: the undisturbed run failed: {log.read_text()[-500:]}")
        undisturbed = RunFolder(place / "undisturbed")
        while struck.total() < kills and time.monotonic() - began < limit_s:
            folder = RunFolder(place / f"run-{counts['runs']}")
            counts["runs"] += 1
            ended = False
            while not ended:
                counts["commands"] += 1
                running = Command(folder.path, episodes, log)
                code = _disturb(running, chance, struck, kills, pause_s, found)
                if code == 0:
                    left = sum(trace.status == "infrastructure" for trace in folder.traces())
                    counts["left to the next command"] += left
                    ended = not left
                elif code != -signal.SIGKILL:
                    counts["gave up"] += 1
                    told = log.read_text().strip().splitlines()
                    if "was ended by SIGKILL" not in told[-1]:
                        found.append(f"the command exited with {code}: {told[-1]}")
                        break
            found += [f"{folder.path.name}: {fault}" for fault in faults(folder, undisturbed)]
            told = f"{struck.total()} kills, {counts['runs']} runs, {len(found)} faults"
            print(told, file=sys.stderr, flush=True)
        planned = len(undisturbed.info.planned())
    return {
        "kills": struck.total(),
        **{f"kills of {target}": struck[target] for target in TARGETS},
        "runs": counts["runs"],
        "commands": counts["commands"],
        "episodes": counts["runs"] * planned,
        "commands that gave up": counts["gave up"],
        "episodes left to the next command": counts["left to the next command"],
        "faults": found,
        "seconds": round(time.monotonic() - began),
    }


def _disturb(
    running: Command,
    chance: random.Random,
    struck: Counter[str],
    kills: int,
    pause_s: float,
    found: list[str],
) -> int:
    """Kill one process after another until the command ends, one way or the other: its exit code.
    Each kind is struck equally often in the long run."""
    until = time.monotonic() + _HANGS_S
    while running.process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.process.wait(chance.expovariate(1.0 / pause_s))
        if struck.total() < kills:
            target = min(TARGETS, key=lambda kind: struck[kind] + chance.random())
            there = running.kill(target, chance)
            struck[target] += bool(there)
            if there and target == "command":
                running.process.wait()
                left = still_there(there - {running.process.pid})
                found += [f"outlives its command: {_words(pid)[-80:]}" for pid in left]
        if time.monotonic() > until:
            found.append("the command hangs")
            os.killpg(running.process.pid, signal.SIGKILL)
    return running.process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=1000, help="how many processes to end")
    parser.add_argument("--limit-s", type=float, default=5400.0, help="no new run after that")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    parser.add_argument("--quick", action="store_true", help="seconds, for tests")
    options = parser.parse_args()
    if not Path("/proc/self/cmdline").exists():
        raise SystemExit("torture: needs /proc, to find the processes of a run")
    kills, episodes, pause_s = (3, 2, 0.5) if options.quick else (options.kills, 12, 0.7)
    figures = torture(kills, options.limit_s, options.seed, episodes, pause_s)
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        for name, value in figures.items():
            print(f"{name:34} {len(value) if isinstance(value, list) else value}")
    for fault in figures["faults"] if isinstance(figures["faults"], list) else ():
        print(fault, file=sys.stderr)
    if figures["faults"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
