"""Loading agents by name, from files and from modules, with every way it can go wrong."""

from __future__ import annotations

import copy
import pickle
import sys
from pathlib import Path

import pytest

from navproof.agents.load import example_of, load_agent, needs_endpoint
from navproof.agents.registry import AGENTS
from navproof.core.errors import AgentError, NavproofError, UnknownNameError

GOOD = """
from dataclasses import dataclass
import neighbour

@dataclass
class Walker:
    steps: int = 0
    sensors = ("depth", "pose")
    def reset(self, brief): self.steps = neighbour.START
    def act(self, obs): return "forward"

class NoAct:
    def reset(self, brief): pass
    def step(self, obs): pass

class Picky:
    def __init__(self, weights): pass
    def reset(self, brief): pass
    def act(self, obs): return "stop"

class OneSensor(Walker):
    sensors = "rgb"

class OddSensors(Walker):
    sensors = (1, 2)

def make():
    return Walker()

def make_nothing():
    return object()

NUMBER = 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "neighbour.py").write_text("START = 4\n")
    path = tmp_path / "mine.py"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize("name", sorted(example_of(n) for n in AGENTS if not needs_endpoint(n)))
def test_registered_agents_load_and_are_made(name: str) -> None:
    factory = load_agent(name)
    assert factory.name == name
    assert callable(factory().act)
    assert factory.sensors is not None


def test_an_example_is_a_name_that_can_be_run() -> None:
    assert example_of("mlfm") == "mlfm"
    assert example_of("l3mvn") == "l3mvn@lm=stats"
    with pytest.raises(AgentError, match="say which language model it asks"):
        load_agent("l3mvn")


def test_from_a_file_with_its_neighbour(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    first = sys.path[0]
    factory = load_agent(f"{file}:Walker")
    agent = factory()
    assert factory.sensors == ("depth", "pose")
    assert sys.path[0] == first  # its folder comes last: it shadows nothing
    assert sys.path[-1] == str(file.parent)
    agent.reset(None)  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(agent)) == agent
    assert copy.deepcopy(agent) == agent


def test_from_a_module() -> None:
    factory = load_agent("navproof.agents.baselines.random:RandomAgent")
    assert factory.sensors == ("pointgoal",)
    factory()


def test_a_factory_function_is_as_good_as_a_class(file: Path) -> None:
    factory = load_agent(f"{file}:make")
    assert factory.sensors is None
    assert factory().act(None) == "forward"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("{file}:Walkr", "has no 'Walkr'; did you mean 'Walker'?"),
        ("{file}", "names a file: write"),
        ("{dir}/none.py:Agent", "there is no file"),
        ("{file}:NoAct", "has no method 'act' (it has reset, step)"),
        ("{file}:OneSensor", "write a tuple of names: ('rgb',)"),
        ("{file}:OddSensors", "sensors must be a tuple of names"),
        ("{file}:NUMBER", "is an int, not a class"),
        ("no.such.module:Agent", "there is no module 'no.such.module'"),
        (":Agent", "must read file.py:NAME"),
        ("navproof.agents.baselines.random:", "must read file.py:NAME"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(file: Path, name: str, says: str) -> None:
    with pytest.raises(AgentError) as caught:
        load_agent(name.format(file=file, dir=file.parent))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_constructors_that_need_arguments(file: Path) -> None:
    with pytest.raises(AgentError, match="needs the option 'weights'"):
        load_agent(f"{file}:Picky")()
    with pytest.raises(AgentError, match="has no method 'reset'"):
        load_agent(f"{file}:make_nothing")()


def test_a_file_that_fails_on_import(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import something_that_is_not_there\n")
    with pytest.raises(AgentError, match="failed on import: ModuleNotFoundError"):
        load_agent(f"{path}:A")
    path.write_text("def f(:\n")
    with pytest.raises(AgentError, match="failed on import: SyntaxError"):
        load_agent(f"{path}:A")
    path.write_text("raise SystemExit(3)\n")
    with pytest.raises(AgentError, match="failed on import: SystemExit"):
        load_agent(f"{path}:A")


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'oracle'"):
        load_agent("oracel")
    assert issubclass(UnknownNameError, NavproofError)
