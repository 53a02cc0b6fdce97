"""``navproof agent`` through its real entry point."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_the_client_is_written_out_and_nothing_else_is_replaced(tmp_path: Path) -> None:
    pytest.importorskip("websockets")
    file = tmp_path / "navproof_client.py"
    for _ in range(2):  # what is the same may be written again
        done = navproof("agent", "client", "-o", str(tmp_path))
        assert done.returncode == 0, done.stderr
        assert f"wrote {file}" in done.stdout
    helped = [sys.executable, str(file), "serve", "-h"]
    assert subprocess.run(helped, capture_output=True, check=False).returncode == 0
    file.write_text("mine")
    done = navproof("agent", "client", "-o", str(file))
    assert done.returncode == 2
    assert done.stderr == f"navproof: {file} is there and is another; add --force to replace it\n"
    assert file.read_text() == "mine"
    assert navproof("agent", "client", "-o", str(file), "--force").returncode == 0
    assert "class Served" in file.read_text()


def test_an_address_is_checked_as_any_agent(tmp_path: Path) -> None:
    pytest.importorskip("websockets")
    from agent_servers import free_port, served

    with served("runner_fakes:Walker") as address:
        done = navproof("agent", "check", address, "--task", "pointnav", "--json")
    checks = {check["check"]: check for check in json.loads(done.stdout)["checks"]}
    assert done.returncode == 0, done.stdout + done.stderr
    assert checks["plays pointnav-v1"]["ok"] is True
    assert checks["same seed, same actions"]["ok"] is True
    assert checks["can be copied"]["ok"] is None
    assert "diagnosis plays it again from its first step" in checks["can be copied"]["what"]
    done = navproof("agent", "check", f"ws://localhost:{free_port()}")
    assert done.returncode == 1
    assert "nothing answers at" in done.stdout
