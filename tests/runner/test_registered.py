"""What a script registers is known in workers; what they could not import is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from navproof.log import RunFolder

TESTS = Path(__file__).parents[1]
SCRIPT = """
import sys
from pathlib import Path

from navproof.agents.registry import register_agent
from navproof.core.errors import NavproofError
from navproof.corruptions.registry import register_corruption
from navproof.runner import RunSpec
from navproof.runner.run import run
from runner_fakes import SIMULATOR, tiny_episodes


@register_corruption("pitch_dark", target="rgb")
def pitch_dark(image, intensity, rng):
    return image if intensity == 0.0 else image * 0


@register_agent("looker")
class Looker:
    sensors = ("rgb",)

    def reset(self, brief): ...

    def act(self, obs):
        from navproof.core.types import Decision
        return Decision("stop", intent={"brightest": int(obs.rgb.max())})


def main():
    with Path("ran.txt").open("a") as told:
        told.write("once ")
    spec = RunSpec(("looker",), "tiny", conditions=("pitch_dark@1",), simulator=SIMULATOR)
    try:
        run(spec, "out", episodes=tiny_episodes(1))
    except NavproofError as error:
        sys.exit(str(error))

"""
GUARDED = SCRIPT + 'if __name__ == "__main__":\n    main()\n'


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("how", [("pack/script.py",), ("-m", "pack.script")])
def test_a_script_runs_what_it_registers_and_runs_once(
    tmp_path: Path, how: tuple[str, ...]
) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "script.py").write_text(GUARDED)
    done = python(tmp_path, *how)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ran.txt").read_text() == "once "
    seen = {t.key.condition: t.events for t in RunFolder(tmp_path / "out").traces()}
    brightest = {
        condition: [e.data["brightest"] for e in events if e.kind == "intent"]
        for condition, events in seen.items()
    }
    assert brightest["pitch_dark@1"] == [0]
    assert brightest["clean"] > [0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-c", GUARDED), "agent 'looker' is defined in a notebook or on the command line"),
        (("script.py",), "it starts a run when it is imported; put that part under if __name__"),
    ],
)
def test_what_workers_cannot_import_is_refused_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "script.py").write_text(f"{SCRIPT}main()\n")
    done = python(tmp_path, *arguments)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.strip().count("\n") == 0
    assert not (tmp_path / "out" / "run.json").exists()
