"""Damaged input of every kind, given to navproof many thousand times.

    python tests/fuzz/fuzz_run.py [--count 10000] [--seed 1] [--workers 2] [--kinds scene,stl]
                                  [--limit-s 5400] [--one KIND/INDEX] [--json FILE]

Each mutant is a sound file with something wrong in it, drawn from the seed, its kind and its number
alone. It is used as far as it goes: a scene is rendered, walked in and made into episodes, a run is
scored, reported, replayed. It may work, or end in one clear line. Anything else is a finding:
another exception, a process that dies, hangs or takes too much memory. Exit code 1 if there is any.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fuzz_kinds import KINDS, MESHES
from fuzz_seeds import make_seeds

__all__ = ["Answer", "draw_kinds", "play"]

_HANGS_S = 40.0
_WARM_S = 400.0
GOOD = ("works", "refused")


@dataclass(frozen=True)
class Answer:
    """How the use of one mutant ended: ``works``, ``refused`` (one line), or a finding."""

    kind: str
    index: int
    outcome: str
    file: str = ""
    why: str = ""
    took_s: float = 0.0

    def __str__(self) -> str:
        return f"{self.kind}/{self.index} ({self.file}): {self.outcome}: {self.why}"


class _Child:
    """A process that uses mutants; a new one where it died."""

    def __init__(self, seeds: Path, kinds: Sequence[str]) -> None:
        here = Path(__file__).parent
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - for as long as the process lives
        self._process = subprocess.Popen(
            [sys.executable, str(here / "fuzz_child.py"), str(seeds), ",".join(kinds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env={**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"},  # others reserve gigabytes
            start_new_session=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        if self._answer(_WARM_S) is None:
            self.end()
            self._errors.seek(0)
            said = self._errors.read().decode(errors="replace").strip()[-2000:]
            raise SystemExit(f"a process that uses mutants did not start: {said}")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def _answer(self, within_s: float) -> dict[str, object] | None:
        try:
            line = self._lines.get(timeout=within_s)
        except queue.Empty:
            return None
        return json.loads(line) if line else None  # type: ignore[no-any-return]

    def use(self, kind: str, index: int, seed: int) -> Answer:
        assert self._process.stdin is not None
        began = time.monotonic()
        self._process.stdin.write(f"{kind} {index} {seed}\n")
        self._process.stdin.flush()
        told = self._answer(_HANGS_S)
        if told is not None:
            return Answer(kind, index, **told)  # type: ignore[arg-type]
        took = time.monotonic() - began
        code = self._process.poll()
        if took >= _HANGS_S - 1:
            return Answer(kind, index, "hang", why=f"{took:.0f} s", took_s=took)
        code = self._process.wait(5) if code is None else code
        return Answer(kind, index, "crash", why=f"exit code {code}", took_s=took)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None and self._lines.empty()

    def end(self) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def draw_kinds(count: int, kinds: Sequence[str], seed: int) -> list[tuple[str, int]]:
    """So many mutants by kind and number, kinds by their weight, in a random order."""
    weights = [KINDS[kind].weight for kind in kinds]
    total = sum(weights)
    each = {kind: max(1, round(count * w / total)) for kind, w in zip(kinds, weights, strict=True)}
    drawn = [(kind, index) for kind, number in each.items() for index in range(number)]
    random.Random(seed).shuffle(drawn)
    return drawn


def play(
    mutants: Sequence[tuple[str, int]], seed: int, seeds: Path, workers: int, limit_s: float
) -> Iterator[Answer]:
    """Use them in so many processes; answers come as they are there, none after the limit."""
    waiting: queue.Queue[tuple[str, int]] = queue.Queue()
    for mutant in mutants:
        waiting.put(mutant)
    answers: queue.Queue[Answer | BaseException | None] = queue.Queue()
    until = time.monotonic() + limit_s
    kinds = list(dict.fromkeys(kind for kind, _ in mutants))

    def work() -> None:
        child: _Child | None = None
        try:
            while time.monotonic() < until:
                try:
                    kind, index = waiting.get_nowait()
                except queue.Empty:
                    break
                child = child or _Child(seeds, kinds)
                answer = child.use(kind, index, seed)
                answers.put(answer)
                if answer.outcome in ("crash", "hang", "memory"):
                    child.end()
                    child = None
        except BaseException as error:
            answers.put(error)
        finally:
            if child is not None:
                child.end()
            answers.put(None)

    for _ in range(workers):
        threading.Thread(target=work, daemon=True).start()
    left = workers
    while left:
        answer = answers.get()
        if answer is None:
            left -= 1
        elif isinstance(answer, BaseException):
            raise answer
        else:
            yield answer


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--limit-s", type=float, default=5400.0)
    parser.add_argument("--one", help="KIND/INDEX: use this one here, with its traceback")
    parser.add_argument("--seeds", type=Path, help="a folder for the sound files, made if missing")
    parser.add_argument(
        "--sample", action="store_true", help="one of each kind of mesh: each is slow"
    )
    parser.add_argument("--json", type=Path, help="write every finding there")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        seeds = asked.seeds or Path(name) / "seeds"
        if not seeds.is_dir():
            make_seeds(seeds)
        if asked.one:
            kind, _, index = asked.one.partition("/")
            _one(kind, int(index), asked.seed, seeds)
            return
        kinds = [kind for kind in asked.kinds.split(",") if KINDS[kind].is_there(seeds)]
        for kind in sorted(set(asked.kinds.split(",")) - set(kinds)):
            print(f"{kind}: left out, what makes its sound file is not installed")
        began = time.monotonic()
        counts: Counter[tuple[str, str]] = Counter()
        findings: list[Answer] = []
        slowest: list[Answer] = []
        slow = [kind for kind in kinds if asked.sample and kind in MESHES]
        quick = [kind for kind in kinds if kind not in slow]
        mutants = [*draw_kinds(asked.count, quick, asked.seed), *((kind, 0) for kind in slow)]
        for answer in play(mutants, asked.seed, seeds, asked.workers, asked.limit_s):
            counts[answer.kind, answer.outcome] += 1
            slowest = sorted([*slowest, answer], key=lambda a: -a.took_s)[:5]
            if answer.outcome not in GOOD:
                findings.append(answer)
                print(answer, flush=True)
    took = time.monotonic() - began
    for kind in kinds:
        of = {outcome: n for (k, outcome), n in sorted(counts.items()) if k == kind}
        print(f"{kind:16}" + "  ".join(f"{outcome} {n}" for outcome, n in of.items()))
    print(f"{counts.total()} of {len(mutants)} mutants, {len(findings)} findings, {took:.0f} s")
    print("slowest: " + "; ".join(f"{a.kind}/{a.index} {a.took_s:.1f} s" for a in slowest))
    if asked.json:
        asked.json.write_text(json.dumps([vars(f) for f in findings], indent=1))
    if findings or counts.total() < len(mutants):
        raise SystemExit(1)


def _one(kind: str, index: int, seed: int, seeds: Path) -> None:
    chance = random.Random(f"{seed}/{kind}/{index}")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        print(KINDS[kind].prepare(seeds, place, chance))
        os.chdir(place)
        KINDS[kind].use(place, chance)
        print("works")


if __name__ == "__main__":
    main()
