"""``navproof agent`` through its real entry point."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "my_agent.py"


def navproof(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from navproof.cli.main import main; main()", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_list_names_every_agent() -> None:
    done = navproof("agent", "list", "--json")
    assert done.returncode == 0, done.stderr
    listed = json.loads(done.stdout)
    rows = {row["agent"]: row for row in listed["agents"]}
    assert {"oracle", "random", "forward", "frontier"} <= set(rows)
    assert rows["mlfm"]["options"]["layers"] == "3"
    assert "mlfm@layers=1" in next(s for s in listed["sets"] if s["set"] == "mlfm-layers")["agents"]
    assert rows["oracle"]["ground truth"] == "expert, mission"
    assert rows["random"]["ground truth"] is None


def test_the_example_is_fit_to_run() -> None:
    done = navproof("agent", "check", f"{EXAMPLE}:MyAgent")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Fit to use." in done.stdout


def test_a_faulty_agent_gives_exit_code_1_and_says_how_to_mend_it(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(
        "class Bad:\n    sensors = ()\n    def reset(self, brief): pass\n"
        "    def act(self, obs): return 'fly'\n"
    )
    done = navproof("agent", "check", f"{path}:Bad", "--task", "pointnav", "--json")
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert result["ok"] is False
    (failed,) = (c for c in result["checks"] if c["ok"] is False)
    assert failed["check"] == "plays pointnav-v1"
    assert "returned 'fly'" in failed["what"]
    assert "brief.actions" in failed["mend"]
    assert "Traceback" not in done.stderr


def test_an_unknown_task_is_one_line() -> None:
    done = navproof("agent", "check", "random", "--task", "pointnaff")
    assert done.returncode == 2
    assert "did you mean 'pointnav'" in done.stderr
    assert "Traceback" not in done.stderr
