"""What grows with a run: seconds and memory for as many episodes as a cluster plays.

    python benchmarks/bench_scale.py [--quick] [--json] [--episodes N] [--played N] [--workers N]

First a small run is played with one worker and with several: how many times as fast that is, what
the parent process spends on each episode while it is played, and on each when the run ends (its
traces are checked and scored by one process). Then a run of N episodes is made from the traces of
that one under other names, and each command that reads it has a process of its own: seconds, of
which the processor was busy so many, and by how much its memory grew beyond that of a run of a
hundredth of the episodes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import navproof as nv
from navproof.log import RunFolder, Trace, TraceKey, encode_trace
from navproof.log.shard import Shard

AGENTS = ("oracle", "random")
_SUITE = 36
"""The episodes of the suite; beyond that, each is played under several seeds."""


class Clock:
    """Hears of a run, and notes when what began, here and on the processor."""

    def __init__(self) -> None:
        self.moments: list[tuple[float, float]] = []
        self.total = 0

    def _note(self) -> None:
        self.moments.append((time.perf_counter(), time.process_time()))

    def announce(self, text: str) -> None: ...
    def making(self, done: int, total: int, what: str) -> None: ...

    def begin(self, total: int, resumed: Mapping[TraceKey, float]) -> None:
        self.total = total
        self._note()

    def finished(self, trace: Trace) -> None:
        self._note()


def played(out: Path, episodes: int, workers: int) -> dict[str, float]:
    """A run of so many episodes, and what it took of each. Those of the first half, in which
    workers start and scenes are loaded, do not count."""
    clock = Clock()
    each = min(_SUITE, -(-episodes // len(AGENTS)))
    nv.run(
        AGENTS,
        "mini",
        limit=each,
        seeds=-(-episodes // (each * len(AGENTS))),
        workers=workers,
        out=out,
        progress=clock,
    )
    ended = time.process_time()
    count, half = clock.total, clock.total // 2
    first, last = clock.moments[half], clock.moments[-1]
    return {
        "workers": workers,
        "episodes": count,
        "episodes_per_s": (count - half) / (last[0] - first[0]),
        "parent_ms": 1e3 * (last[1] - first[1]) / (count - half),
        "parent_end_ms": 1e3 * (ended - last[1]) / count,
    }


def copied(source: RunFolder, out: Path, episodes: int, shard: Shard | None = None) -> None:
    """A run, or a shard of it, of so many episodes: those of another one under other names."""
    traces = [trace for trace in source.traces() if trace.key.seed == 0]
    originals = {agent: [t for t in traces if t.key.agent == agent] for agent in AGENTS}
    texts = {
        agent: [gzip.decompress(encode_trace(trace)).decode() for trace in mine]
        for agent, mine in originals.items()
    }
    count = len(originals[AGENTS[0]])
    about = [originals[AGENTS[0]][i % count] for i in range(episodes // len(AGENTS))]
    names = {f"{trace.key.episode_id}-{i}": i % count for i, trace in enumerate(about)}
    info = replace(
        source.info,
        episodes=tuple(names),
        tasks=tuple(trace.episode.task for trace in about),
        seeds=(0,),
        shard=shard,
    )
    folder = RunFolder(out)
    folder.create(info)
    for key in info.assigned():
        at = names[key.episode_id]
        name = originals[key.agent][at].key.episode_id
        text = texts[key.agent][at].replace(f'"{name}"', f'"{key.episode_id}"')
        folder.take(key, gzip.compress(text.encode(), 1, mtime=0))
    folder.manifest.settle()


def scored(run: Path) -> None:
    nv.score(run).document()


def reported(run: Path) -> None:
    nv.report(run, out=run.with_suffix(".html"))


def compared(run: Path) -> None:
    nv.compare((run, AGENTS[0]), (run, AGENTS[1]))


def gone_on_with(run: Path) -> None:
    """What a run does with the traces that it finds, and with all of them when it ends."""
    folder = RunFolder(run)
    folder.hold()
    for _ in folder.traces():
        pass
    foreign, lost = folder.settle(folder.info)
    assert not foreign
    assert not lost


def merged(run: Path) -> None:
    parts = sorted(run.parent.glob(f"{run.name}-*"))
    nv.merge(parts, run.with_name(f"{run.name}.merged"), progress=False)


VERBS: dict[str, Callable[[Path], None]] = {
    "score": scored,
    "resume, settle": gone_on_with,
    "merge of 4": merged,
    "compare": compared,
    "report": reported,
}


def alone(verb: str, run: Path) -> dict[str, float]:
    """One verb in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--verb", verb, "--run", str(run)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"bench_scale: {verb}: {done.stderr.strip()[-300:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def told(verb: str, run: Path) -> dict[str, float]:
    began, busy = time.perf_counter(), time.process_time()
    VERBS[verb](run)
    return {
        "s": time.perf_counter() - began,
        "cpu_s": time.process_time() - busy,
        "peak_mb": peak_mb(),
    }


def peak_mb() -> float:
    """The most memory that this process ever had. (On Linux ``ru_maxrss`` is also that of the
    process that started it.)"""
    status = Path("/proc/self/status")
    if status.is_file():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / 1024


def read(source: RunFolder, folder: Path, episodes: int) -> Iterator[dict[str, Any]]:
    """Every verb on a run of so many episodes, and on one of a hundredth of it."""
    runs = {"large": episodes, "small": max(8, episodes // 100)}
    for name, count in runs.items():
        copied(source, folder / name, count)
        for index in range(1, 5):
            copied(source, folder / f"{name}-{index}", count, Shard(index, 4))
    for verb in VERBS:
        small, large = alone(verb, folder / "small"), alone(verb, folder / "large")
        more = runs["large"] - runs["small"]
        yield {
            "verb": verb,
            **large,
            "cpu_ms_each": 1e3 * (large["cpu_s"] - small["cpu_s"]) / more,
            "kb_each": 1024 * (large["peak_mb"] - small["peak_mb"]) / more,
        }


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="8 episodes, and 160 of them made")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--episodes", type=int, help="made from those played (default: 100000)")
    parser.add_argument("--played", type=int, help="(default: 720)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--verb", choices=VERBS, help=argparse.SUPPRESS)
    parser.add_argument("--run", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    if options.verb:
        print(json.dumps(told(options.verb, options.run)))
        return
    count = options.played or (8 if options.quick else 720)
    episodes = options.episodes or (160 if options.quick else 100_000)
    for name, value, least in (
        ("--played", count, 8),
        ("--episodes", episodes, 8),
        ("--workers", options.workers, 2),
    ):
        if value < least:
            raise SystemExit(f"bench_scale: {name} is at least {least}: {value}")
    verbs: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = [played(folder / f"w{n}", count, n) for n in (1, options.workers)]
        if not options.json:
            show_played(runs)
            print(f"\n{episodes:,} episodes\n")
            print("| | s | processor, s | ms an episode | peak, MB | KB an episode |")
            print("|---|--:|--:|--:|--:|--:|", flush=True)
        for row in read(RunFolder(folder / "w1"), folder, episodes):
            verbs.append(row)
            if not options.json:
                print(
                    f"| {row['verb']} | {row['s']:.1f} | {row['cpu_s']:.1f} "
                    f"| {row['cpu_ms_each']:.2f} | {row['peak_mb']:.0f} | {row['kb_each']:.1f} |",
                    flush=True,
                )
    if options.json:
        print(json.dumps({"played": runs, "episodes": episodes, "verbs": verbs}))


def show_played(runs: Sequence[Mapping[str, float]]) -> None:
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"{runs[0]['episodes']} episodes; processors: {os.cpu_count()}, load {busy:.1f}\n")
    print("| workers | episodes/s | parent, ms an episode | at the end, ms an episode |")
    print("|--:|--:|--:|--:|")
    for row in runs:
        cells = (row["episodes_per_s"], row["parent_ms"], row["parent_end_ms"])
        print(f"| {row['workers']} | {' | '.join(f'{cell:.2f}' for cell in cells)} |")
    speedup = runs[1]["episodes_per_s"] / runs[0]["episodes_per_s"]
    print(f"\n{runs[1]['workers']} workers are {speedup:.2f} times as fast as one")


if __name__ == "__main__":
    main()
