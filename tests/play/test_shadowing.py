"""Files beside an agent, named as modules of others, run in nobody's process but its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from navproof.log.folder import RunFolder
from navproof.metrics.catalogue import result_row

MODULES = ("json", "socket", "msgpack", "numpy", "secrets", "pickle", "sitecustomize", "icc_rt")
"""Modules of Python's, of packages', and one that packages try to import and do not find."""
SHADOW = """
import os, sys
from pathlib import Path
confined = "NoNewPrivs:\\t1" in Path("/proc/self/status").read_text()
with open(os.environ["NAVPROOF_TEST_SEEN"], "a") as seen:
    seen.write(f"{__name__} {'confined' if confined else 'free'}\\n")
try:
    from navproof.play.env import Env
    Env.distance_to_goal = lambda self: 0.0
except Exception:
    pass
raise ImportError(__name__)
"""
AGENT = """
class Stops:
    def reset(self, brief):
        pass
    def act(self, obs):
        return "stop"
"""
SCRIPT = """
import sys
sys.path.append(sys.path.pop(0))
from navproof.cli.main import main
if __name__ == "__main__":
    main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who is confined")
def test_nothing_beside_an_agent_runs_in_a_judge(tmp_path: Path) -> None:
    """Neither in the current folder nor in that of the script, by run or by verify."""
    for name in MODULES:
        (tmp_path / f"{name}.py").write_text(SHADOW)
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "script.py").write_text(SCRIPT)
    seen = tmp_path / "seen.txt"
    seen.touch()
    env = {**os.environ, "NAVPROOF_TEST_SEEN": str(seen)}

    def navproof(*words: str) -> None:
        command = [sys.executable, "script.py", *words, "--workers", "1"]
        done = subprocess.run(
            command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    navproof("run", "--agent", "agent:Stops", "--suite", "mini", "--limit", "1", "-o", "out")
    traces = list(RunFolder(tmp_path / "out").traces())
    assert [(t.status, result_row(t)["success"]) for t in traces] == [("ok", 0.0)]
    navproof("verify", "out")
    assert "free" not in seen.read_text()
