"""``import navproof as nv``: which names there are, and that having them costs nothing."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import navproof as nv

NAMES = """
Action Agent Answer Beliefs Camera Comparison Condition Corruption Decision Detection Diagnosis
Episode Event Goal Instruction Limits Metric Mount Move NavproofError Noise Observation Pose
Question Reading ReadingSpec Remembered Report Robot Run RunDiagnosis Scan Scene Scores Sensor
SensorSpec Simulator SubTask Suite SuitePart Task TaskBrief TaskKind TaskSpec Trace TraceKey
Velocity Verification View Walk Waypoints __version__ compare diagnose export load_scene make_env
merge
parse_condition
register_agent register_corruption register_metric register_robot register_sensor
register_simulator register_suite register_task report run score verify
"""


def told(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_public_names_are_pinned() -> None:
    assert sorted(nv.__all__) == sorted(NAMES.split())
    assert set(nv.__all__) <= set(dir(nv))


@pytest.mark.parametrize("name", sorted(set(NAMES.split()) - {"__version__"}))
def test_every_name_is_what_type_checkers_see(name: str) -> None:
    tree = ast.parse(Path(nv.__file__).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    homes = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert homes.keys() | {"__version__"} == set(nv.__all__)
    assert getattr(nv, name) is getattr(importlib.import_module(str(homes[name])), name)


def test_a_name_that_there_is_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'rum'"):
        nv.rum  # noqa: B018


def test_importing_navproof_imports_nothing_else() -> None:
    code = "import sys, navproof; print([m for m in sys.modules if m.startswith('navproof.')])"
    assert told(code) == "[]"
    code = "import sys, navproof; print('numpy' in sys.modules)"
    assert told(code) == "False"


def test_types_come_without_simulator_and_verbs_that_read_without_agents() -> None:
    code = (
        "import sys, navproof as nv; {names}; "
        "rooms = {{m.split('.')[1] for m in sys.modules if m.startswith('navproof.')}}; "
        "print(sorted(rooms & {{'sim', 'world', 'agents', 'tasks', 'play', 'runner'}}), "
        "'numba' in sys.modules)"
    )
    assert told(code.format(names="nv.Move, nv.Decision, nv.SensorSpec, nv.Episode")) == "[] False"
    assert told(code.format(names="nv.score, nv.compare, nv.Run, nv.Metric")) == "[] False"


def test_verbs_stay_verbs_when_rooms_are_imported() -> None:
    code = (
        "import navproof as nv, navproof.api.report, navproof.diagnosis, navproof.reports, "
        "navproof.runner; print(all(callable(v) for v in (nv.run, nv.score, nv.compare, "
        "nv.diagnose, nv.report)))"
    )
    assert told(code) == "True"


def test_without_gymnasium_make_env_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import navproof as nv\n"
        "try:\n    nv.make_env('pointnav')\n"
        "except nv.NavproofError as error:\n    print(type(error).__name__, error)"
    )
    line = told(code)
    assert line.startswith("MissingExtraError")
    assert "pip install 'navproof[gym]'" in line
