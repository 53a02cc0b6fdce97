"""A simulator that cannot be had is told in one line, before anything is played."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from navproof.agents.limits import Limits
from navproof.core.errors import NavproofError, SpecError
from navproof.play.pool import Pool
from navproof.sim.protocol import Simulator
from navproof.sim.registry import (
    SIMULATOR_METHODS,
    SIMULATOR_PROPERTIES,
    make_simulator,
    missing_in,
)

SIMULATORS = """
import os
import sys
from navproof.sim.embedded import EmbeddedSimulator

class Boom(EmbeddedSimulator):
    def __init__(self):
        raise ValueError("no bridge")

class Leaves(EmbeddedSimulator):
    def __init__(self):
        sys.exit(0)

class Dies(EmbeddedSimulator):
    def __init__(self):
        os._exit(7)

class Nope: ...

class PassesOn:
    def __init__(self):
        self.inner = EmbeddedSimulator()

    def __getattr__(self, name):
        return getattr(self.inner, name)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sim.py"
    path.write_text(SIMULATORS)
    return path


def test_the_parts_are_those_of_the_protocol() -> None:
    public = {name for name in vars(Simulator) if not name.startswith("_")}
    assert {*SIMULATOR_METHODS, *SIMULATOR_PROPERTIES} == public
    assert all(inspect.isfunction(vars(Simulator)[name]) for name in SIMULATOR_METHODS)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Boom", r"sim.py:Boom' could not be made: ValueError: no bridge \(sim.py:8\)"),
        ("Leaves", r"sim.py:Leaves' could not be made: SystemExit: 0 \(sim.py:12\)"),
        ("Nope", r"sim.py:Nope' is none: a Nope has no load, people, place, apply, … "),
    ],
)
def test_what_is_no_simulator_is_one_line(file: Path, name: str, said: str) -> None:
    with pytest.raises(SpecError, match=said) as refusal:
        make_simulator(f"{file}:{name}")
    assert "\n" not in str(refusal.value)
    with (
        Pool(1, Limits(), simulator=f"{file}:{name}") as pool,
        pytest.raises(NavproofError, match=said),
    ):
        pool.load_agents(("oracle",))


def test_one_that_ends_the_worker_is_not_blamed_on_the_agent(file: Path) -> None:
    said = "a worker could not make simulator .*sim.py:Dies: exited with code 7"
    with (
        Pool(1, Limits(), simulator=f"{file}:Dies") as pool,
        pytest.raises(NavproofError, match=said),
    ):
        pool.load_agents(("oracle",))


def test_one_that_passes_everything_on_is_whole(file: Path) -> None:
    assert missing_in(make_simulator(f"{file}:PassesOn")) == []
