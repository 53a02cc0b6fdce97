"""Run folders written by hand, and the real command in a process of its own."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from navproof.cli.main import main
from navproof.core.types import Episode, Goal, Pose, Robot, TaskSpec
from navproof.log import RunFolder, RunInfo, Trace, TraceKey
from navproof.metrics import result_rows
from navproof.testing import tiny_scene
from navproof.world.io import save_scene

SPEC = TaskSpec("pointnav-v1", Robot("r", 0.2, 1.0), (), 0.2, 500)


def navproof(*words: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """The command line through its entry point."""
    return subprocess.run(
        [sys.executable, "-c", "from navproof.cli.main import main; main()", *words],
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, "COLUMNS": "100"},
    )


def ended(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The exit code of a command in this process."""
    monkeypatch.setattr(sys, "argv", ["navproof", *words])
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


def vln_run(folder: Path, count: int) -> Path:
    """A run of two agents in the tiny flat, which lies beside it as a file."""
    source = Path(__file__).parents[1] / "reports" / "sample_run.py"
    spec = importlib.util.spec_from_file_location(f"sample_run_of_{count}", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    save_scene(tiny_scene(), folder / "tiny.scene")
    scene = str(folder / "tiny.scene")
    return Path(module.sample_run(folder / "run", ("direct", "broken"), count=count, scene=scene))


def refusal(*words: str) -> str:
    """The message of a refused command: one line, exit code 2, nothing on stdout."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.argv = sys.argv, ["navproof", *words]
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            pytest.raises(SystemExit) as left,
        ):
            main()
    finally:
        sys.argv = before
    assert left.value.code == 2, err.getvalue()
    text = err.getvalue()
    assert out.getvalue() == ""
    assert text.startswith("navproof: ")
    assert text.count("\n") == 1, text
    return text.strip()


def sample_trace(agent: str, index: int, won: bool, task: str = "pointnav-v1") -> Trace:
    """A walk of 1 m that stops at its goal, or one that goes nowhere."""
    start, end = Pose(0.0, 0.0), Pose(1.0 if won else 0.0, 0.0)
    episode = Episode(
        f"{task}-{index}",
        task,
        "s",
        start,
        (Goal("point", ((1.0, 0.0, 0.0),)),),
        1.0,
        ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        500,
        0,
    )
    return Trace(
        TraceKey(agent, episode.episode_id),
        episode,
        SPEC,
        "ok",
        "",
        (start, end, end),
        ("forward", "stop"),
        (not won, False),
        (1.0, 0.0 if won else 1.0, 0.0 if won else 1.0),
        (),
        facts={"spec_hash": "abc", "privileged": "expert" if agent == "seer" else ""},
    )


def sample_run(
    path: Path, agents: Mapping[str, Sequence[bool]], task: str = "pointnav-v1"
) -> RunFolder:
    """A finished run: for every agent, which of its episodes it won."""
    folder = RunFolder(path)
    count = max(len(won) for won in agents.values())
    episodes = tuple(f"{task}-{i}" for i in range(count))
    folder.create(RunInfo({"agents": list(agents)}, "hash", tuple(agents), episodes))
    for agent, outcomes in agents.items():
        for index, won in enumerate(outcomes):
            folder.write(sample_trace(agent, index, won, task))
    folder.write_results(result_rows(folder.traces()))
    return folder
