"""A run folder with conditions, written by hand, and the command without a process of its own."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from cli_run_samples import sample_trace

from navproof.cli.main import main
from navproof.log import RunFolder, RunInfo, Skipped, TraceKey
from navproof.metrics import result_rows

Outcomes = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


def called(*words: str) -> Done:
    """The command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.argv = sys.argv, ["navproof", *words]
    code: object = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as left:
        code = left.code
    finally:
        sys.argv = before
    return Done(int(str(code or 0)), out.getvalue(), err.getvalue())


def trust_run(
    path: Path,
    agents: Outcomes,
    skipped: tuple[Skipped, ...] = (),
    *,
    episodes: int = 20,
    task: str = "pointnav-v1",
) -> RunFolder:
    """For every agent and condition, how many of its first episodes it won."""
    names = tuple(f"{task}-{i}" for i in range(episodes))
    conditions = tuple(dict.fromkeys(c for won in agents.values() for c in won))
    folder = RunFolder(path)
    folder.create(
        RunInfo(
            {"agents": list(agents)},
            "hash",
            tuple(agents),
            names,
            conditions,
            tasks=(task,) * episodes,
            skipped=skipped,
        )
    )
    for agent, outcomes in agents.items():
        for condition, count in outcomes.items():
            for index in range(episodes):
                trace = sample_trace(agent, index, index < count, task)
                key = TraceKey(agent, trace.key.episode_id, condition)
                timing = {"reset_s": (0.1,), "act_s": (0.1, 0.1), "env_s": (0.01, 0.01)}
                if condition != "clean":
                    timing["corrupt_s"] = (0.002, 0.004)
                folder.write(replace(trace, key=key, timing=timing))
    folder.write_results(result_rows(folder.traces()))
    return folder
