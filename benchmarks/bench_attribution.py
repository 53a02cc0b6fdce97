"""How often attribution is right: failures whose cause is known, and what it says of them.

    python benchmarks/bench_attribution.py [--cases 20] [--kinds misses,loops] [-o FILE] [--list]
    python benchmarks/bench_attribution.py --costs
    python benchmarks/bench_attribution.py --quick

An agent that passes an episode is broken in one capability (``navproof.diagnosis.faults.faults``);
where it then fails, the cause of the failure is known: the capability, the type of error, and the
first step at which its output differed. Episodes are those of the suite ``val``, frames 256×256;
the budget of each is one and a quarter of what the sound agent needs, and 10 steps (100 for loops,
which must close to be told from detours), so that going astray costs the goal. Thresholds are
calibrated on the first episodes that the sound agent passes. *time* is the median of |step of the
source − first step of the fault|, *repaired* the share that correcting the broken capability saves,
*per minute* what one core attributes (processor time, playing included).

Every case is written to FILE (JSON lines) as soon as it is done; the same command goes on where the
last one ended. ``--list`` tells each miss. ``--quick`` is one failure of one kind
of the suite ``mini``, in small frames, and keeps nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from bench_render import pin_to_one_core
from navproof.agents.protocol import Agent
from navproof.core.errors import NavproofError, SpecError
from navproof.core.registry import suggest
from navproof.core.types import Episode, TaskSpec
from navproof.diagnosis.attribution.attribute import Settings, attribute
from navproof.diagnosis.attribution.corrected import CorrectedRun
from navproof.diagnosis.attribution.thresholds import LEAST_EPISODES, assumed, calibrate
from navproof.diagnosis.faults.faults import FAULTS, FaultKind, Faulty
from navproof.diagnosis.oracles.oracles import make_oracles
from navproof.diagnosis.types import Diagnosis, StepErrors, Thresholds
from navproof.log.trace import Trace, TraceKey
from navproof.metrics.navigation.success import success
from navproof.metrics.stats.stats import wilson
from navproof.play.play import play as play_session
from navproof.play.session import Session
from navproof.play.worker import Worker
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import spec_for, with_camera
from navproof.tasks.suites import load_suite

KINDS: tuple[str, ...] = get_args(FaultKind)
QUICK_KIND = "misses"
_SLACK = 1.25
_SPARE_STEPS = {"loops": 100}  # a loop shows when it has closed twice
_FEW_STEPS = 10
_GOAL_STEPS = (150, 250)  # runs of about 200 steps, of which 20 are to be attributed a minute
Row = dict[str, Any]


class Lab:
    """Plays sound and broken agents on one simulator."""

    def __init__(self, base: str, options: str, pixels: int) -> None:
        self.base, self.options, self._pixels = base, options, pixels
        self._sim = EmbeddedSimulator()
        # In this process, since the truth of a case is an attribute of the broken agent.
        self._worker = Worker(lambda: self._sim, in_process=True)
        self._sound: dict[str, int] = {}

    def name_of(self, kind: str) -> str:
        base = self.base.replace("@", "+")
        return f"navproof.diagnosis.faults.faults:Faulty@kind={kind}@base={base}{self.options}"

    def spec(self, task: str) -> TaskSpec:
        return with_camera(spec_for(task), self._pixels, self._pixels)

    def stage(self, name: str, episode: Episode) -> CorrectedRun:
        run = CorrectedRun(self._session(name, episode), self._worker.agent(name), make_oracles())
        run.begin(episode)
        return run

    def _session(self, name: str, episode: Episode) -> Session:
        key = TraceKey(name, episode.episode_id, "clean", 0)
        spec = self.spec(episode.task)
        return self._worker.session(key, spec, episode.task, beliefs=True, timed=False)

    def play(self, name: str, episode: Episode) -> tuple[Trace, Agent]:
        """A run as any other, and the agent after it."""
        agent = self._worker.agent(name)
        return play_session(self._session(name, episode), agent, episode), agent

    def calibrated(self, episodes: Sequence[Episode]) -> Thresholds:
        """Thresholds from the first episodes that the sound agent passes."""
        passed: list[tuple[StepErrors, ...]] = []
        for episode in episodes:
            if len(passed) == LEAST_EPISODES:
                break
            found = attribute(
                self.stage(self.base, episode), assumed(), settings=Settings(trials=1)
            )
            self._sound[episode.episode_id] = 0
            if found.verdict == "passed":
                self._sound[episode.episode_id] = len(found.errors)
                passed.append(found.errors)
        return calibrate(passed)

    def sound_steps(self, episode: Episode) -> int:
        """How many steps the sound agent needs; 0 where it fails."""
        if episode.episode_id not in self._sound:
            trace, _ = self.play(self.base, episode)
            self._sound[episode.episode_id] = len(trace.actions) if success(trace) > 0.0 else 0
        return self._sound[episode.episode_id]


def cases(lab: Lab, episodes: Sequence[Episode], asked: Row, done: dict[str, Row]) -> Iterator[Row]:
    """One row for every episode and kind, cases or not, until there are enough."""
    thresholds = lab.calibrated(episodes)
    for episode in episodes:
        kinds = [k for k in asked["kinds"] if _count(done.values(), k) < asked["cases"]]
        fresh = [k for k in kinds if _row_id(lab, k, episode) not in done]
        steps = lab.sound_steps(episode) if fresh else 0
        if fresh and not steps:
            for kind in fresh:
                yield _row(lab, kind, episode, why="the sound agent fails")
            continue
        for kind in fresh:
            spare = _SPARE_STEPS.get(kind, _FEW_STEPS)
            budget = min(episode.budget_steps, round(_SLACK * steps) + spare)
            yield _try(lab, kind, replace(episode, budget_steps=budget), steps, thresholds)


def _try(lab: Lab, kind: str, episode: Episode, steps: int, thresholds: Thresholds) -> Row:
    name = lab.name_of(kind)
    trace, agent = lab.play(name, episode)
    assert isinstance(agent, Faulty)
    true_step = agent.first_fault_step
    if trace.status != "ok":
        return _row(lab, kind, episode, why=f"{trace.status}: {trace.reason}")
    if true_step is None or success(trace) > 0.0:
        return _row(lab, kind, episode, why="no fault" if true_step is None else "passed")
    stage = lab.stage(name, episode)
    began = time.process_time()
    found = attribute(stage, thresholds, expected=trace)
    seconds = time.process_time() - began
    return _row(lab, kind, episode) | {
        "case": True,
        "sound_steps": steps,
        "steps": len(trace.actions),
        "true_step": true_step,
        "seconds": round(seconds, 3),
        **_said(found, FAULTS[kind].capability),
    }


def _said(found: Diagnosis, cause: str) -> Row:
    source = found.attribution
    return {
        "verdict": found.verdict,
        "capability": source.capability if source else "",
        "type": source.kind if source else "",
        "step": source.step if source else -1,
        "dose": source.dose if source else "",
        "repaired": any(t.success and t.capability == cause for t in found.trials),
        "trials": [[t.capability, t.step, t.dose, t.success, t.ended] for t in found.trials],
        "bouts": [[b.capability, b.first, b.last, round(b.peak, 2), b.kind] for b in found.bouts],
        "said": found.said,
    }


def _row_id(lab: Lab, kind: str, episode: Episode) -> str:
    return f"{lab.name_of(kind)} {episode.episode_id}"


def _row(lab: Lab, kind: str, episode: Episode, why: str = "") -> Row:
    row = {"id": _row_id(lab, kind, episode), "kind": kind, "base": lab.base, "case": False}
    return {**row, "task": episode.task, "episode": episode.episode_id, "why": why}


def _count(rows: Any, kind: str) -> int:
    return sum(row["case"] and row["kind"] == kind for row in rows)


# --------------------------------------------------------------------------------------- telling
def table(rows: Sequence[Row]) -> str:
    """Markdown: one line per kind of fault, and one for all."""
    lines = [
        "| fault | failures | right capability | right type | time | repaired | alone | steps "
        "| trials | per minute |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    held = [row for row in rows if row["case"]]
    for kind in KINDS:
        mine = [row for row in held if row["kind"] == kind]
        if mine:
            lines.append(_line(f"{kind} ({FAULTS[kind]})", mine))
    if held:
        lines += [_line("all", held), "", _speed(held)]
    return "\n".join(lines)


def _speed(rows: Sequence[Row]) -> str:
    """How fast it is with runs of the length that the goal speaks of, and with longer ones too."""
    least, most = _GOAL_STEPS
    about = [row for row in rows if least <= row["steps"] <= most]
    long = [row for row in rows if row["steps"] >= least]
    return (
        f"{_rate(about, f'{least} to {most} steps')} The goal is 20 at 200 steps.\n"
        f"{_rate(long, f'{least} steps or more')}"
    )


def _rate(rows: Sequence[Row], length: str) -> str:
    if not rows:
        return f"No failed run has {length}."
    steps = statistics.mean(row["steps"] for row in rows)
    rate = 60.0 * len(rows) / sum(row["seconds"] for row in rows)
    return (
        f"{len(rows)} failed runs of {length} ({steps:.0f} on average): "
        f"{rate:.0f} attributed per minute and core."
    )


def _line(name: str, rows: Sequence[Row]) -> str:
    right = [row for row in rows if is_right(row)]
    typed = [row for row in right if row["type"] == FAULTS[row["kind"]]]
    apart = [abs(row["step"] - row["true_step"]) for row in right]
    minutes = sum(row["seconds"] for row in rows) / 60.0
    cells = [
        name,
        str(len(rows)),
        _share(len(right), len(rows)),
        _share(len(typed), len(rows)),
        f"{statistics.median(apart):g}" if apart else "–",
        _share(sum(row["repaired"] for row in rows), len(rows)),
        f"{sum(row['dose'] == 'alone' for row in right)}",
        f"{statistics.mean(row['steps'] for row in rows):.0f}",
        f"{statistics.mean(len(row['trials']) for row in rows):.1f}",
        f"{len(rows) / minutes:.0f}" if minutes > 0.0 else "–",
    ]
    return f"| {' | '.join(cells)} |"


def is_right(row: Row) -> bool:
    return bool(row["capability"] == FAULTS[row["kind"]].capability)


def _share(part: int, whole: int) -> str:
    low, high = wilson(part, whole)
    return f"{100 * part / whole:.0f} % ({100 * low:.0f}–{100 * high:.0f})"


def misses(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        if row["case"] and (not is_right(row) or abs(row["step"] - row["true_step"]) > 10):
            true = f"{FAULTS[row['kind']].capability} at {row['true_step']}"
            yield f"{row['kind']} {row['episode']}: {true}, said {row['verdict']} {row['said']}"
            yield f"    trials {row['trials']}"
            yield f"    bouts {row['bouts'][:8]}"


# ----------------------------------------------------------------------------------------- costs
def costs(lab: Lab, episode: Episode) -> str:
    """Milliseconds of what a diagnosis is made of, on one episode."""
    stage = lab.stage(lab.base, episode)
    spent: dict[str, list[float]] = {"step": [], "oracles": [], "keep": [], "put back": []}
    states = []
    while not stage.done:
        began = time.process_time()
        if len(stage.records) % 8 == 0:
            states.append(stage.snapshot())
            spent["keep"].append(time.process_time() - began)
        began = time.process_time()
        judged: list[float] = []
        stage.step(look=lambda s, d: judged.append(_timed(lambda: stage.oracle.judge(s, d))))  # noqa: B023
        spent["oracles"].append(judged[0])
        spent["step"].append(time.process_time() - began - judged[0])
    for state in states:
        spent["put back"].append(_timed(lambda: stage.restore(state)))  # noqa: B023
    spent["path"] = _paths(stage)
    lines = ["| ms | mean | 95 % |", "|---|---|---|"]
    for name, seconds in spent.items():
        ordered = sorted(seconds)
        high = ordered[round(0.95 * (len(ordered) - 1))]
        lines.append(f"| {name} | {1e3 * statistics.mean(seconds):.2f} | {1e3 * high:.2f} |")
    return "\n".join(lines)


def _paths(stage: CorrectedRun) -> list[float]:
    poses = [record.pose.point for record in stage.records]
    goals = stage.env.episode.goals[-1].positions
    return [_timed(lambda p=p: stage.env.sim.shortest_path(p, goals)) for p in poses]  # type: ignore[misc]


def _timed(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--cases", type=int, default=20, help="failures of each kind")
    parser.add_argument("--base", default="frontier")
    parser.add_argument("--task", default="objectnav-v1")
    parser.add_argument("--suite", default="val")
    parser.add_argument("--pixels", type=int, default=256, help="of a side of the frames")
    parser.add_argument("--within", type=float, default=1e9, help="metres to the goal, at most")
    parser.add_argument("--options", default="", help="of the fault, as in @begins=30@rate=0.5")
    parser.add_argument("-o", "--out", type=Path, default=Path("runs/attribution.jsonl"))
    parser.add_argument("--list", action="store_true", help="tell each miss")
    parser.add_argument("--table", action="store_true", help="only what is there already")
    parser.add_argument("--costs", action="store_true")
    parser.add_argument("--quick", action="store_true", help="one failure, and nothing is kept")
    asked = parser.parse_args(words)
    try:
        with tempfile.TemporaryDirectory() as folder:
            if asked.quick:
                asked.out = Path(folder) / "attribution.jsonl"
                asked.suite, asked.kinds, asked.cases, asked.pixels = "mini", QUICK_KIND, 1, 64
            bench(asked)
    except NavproofError as error:
        sys.exit(f"bench_attribution: {error}")


def bench(asked: argparse.Namespace) -> None:
    """What the options ask for; a ``NavproofError`` where they cannot be meant."""
    kinds = asked.kinds.split(",")
    for kind in kinds:
        if kind not in KINDS:
            raise SpecError(f"--kinds: there is no fault '{kind}'{suggest(kind, list(KINDS))}")
    if asked.cases < 1:
        raise SpecError(f"--cases is at least 1: {asked.cases}")
    rows = {row["id"]: row for row in read_rows(asked.out)}
    if not asked.table:
        episodes = _episodes(asked)
        pin_to_one_core()
        lab = Lab(asked.base, asked.options, asked.pixels)
        if asked.costs:
            print(costs(lab, episodes[0]))
            return
        asked.out.parent.mkdir(parents=True, exist_ok=True)
        for row in cases(lab, episodes, {"kinds": kinds, "cases": asked.cases}, rows):
            rows[row["id"]] = row
            with asked.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
    print(table(list(rows.values())))
    if asked.list:
        print("\n".join(misses(list(rows.values()))))


def _episodes(asked: argparse.Namespace) -> list[Episode]:
    suite = load_suite(asked.suite)
    found = [e for e in suite if e.task == asked.task and e.geodesic_m <= asked.within]
    if not found:
        within = f"within {asked.within:g} m of its goal"
        raise SpecError(f"{asked.suite} has no episode of {asked.task} {within}")
    return found


def read_rows(path: Path) -> list[Row]:
    """What was written to FILE, nothing where there is none; a ``SpecError`` for other files."""
    if not path.is_file():
        return []
    rows: list[Row] = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            row = json.loads(line)
            known = {"id", "base", "case"} <= row.keys() and row["kind"] in FAULTS
        except (ValueError, AttributeError, KeyError):
            known = False
        if not known:
            raise SpecError(f"{path}, line {number}: not a case of bench_attribution.py")
        rows.append(row)
    return rows


if __name__ == "__main__":
    main(sys.argv[1:])
