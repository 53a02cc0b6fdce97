"""The conformance suite finds what is wrong with agents that are wrong in one way each."""

from __future__ import annotations

from pathlib import Path

import pytest

from navproof.agents import registry
from navproof.agents.load import example_of, needs_endpoint
from navproof.check.agents import check_agent
from navproof.check.result import Check

AGENTS = """
import random, time, threading
import numpy as np

class Good:
    sensors = ("pose",)
    def reset(self, brief):
        self.rng = np.random.default_rng(brief.seed)
    def act(self, obs):
        return ["forward", "left", "right"][self.rng.integers(3)]

class GlobalRandom(Good):
    def act(self, obs):
        return random.choice(["forward", "left", "right"])

class Remembers(Good):
    count = 0
    def reset(self, brief): pass
    def act(self, obs):
        self.count += 1
        return "left" if self.count > 10 else "forward"

class Raises(Good):
    def act(self, obs):
        return [][obs.step]

class ReturnsNone(Good):
    def act(self, obs):
        return None if obs.step == 3 else "left"

class Scribbles(Good):
    sensors = ("semantic",)
    def reset(self, brief):
        super().reset(brief)
        brief.labels[10] = "mine"

class Locked(Good):
    def reset(self, brief):
        super().reset(brief)
        self.lock = threading.Lock()

class Shallow(Good):
    def __deepcopy__(self, memo):
        return self

class Keeps(Shallow):
    def snapshot(self): return self.rng.bit_generator.state
    def restore(self, state): self.rng.bit_generator.state = state

class Hangs(Good):
    def act(self, obs):
        while obs.step == 2:
            pass
        return "left"

class Wishes(Good):
    sensors = ("sonar",)
"""


ALONE = [example_of(n) for n in registry.AGENTS.built_in() if not needs_endpoint(n)]


@pytest.mark.parametrize("name", ALONE)
def test_built_in(name: str) -> None:
    """A few steps of one task; ``test_suite_wide`` has them play every task to its end."""
    checks = check_agent(name, ["vln-v1"], steps=6)
    assert wrong({c.name: c for c in checks}) <= {"time per step"}  # the machine may be busy
    assert {"plays vln-v1", "same seed, same actions", "can be copied"} <= {c.name for c in checks}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("agents")
    (path / "zoo.py").write_text(AGENTS)
    return path


def run(folder: Path, name: str, **options: float) -> dict[str, Check]:
    checks = check_agent(f"{folder / 'zoo.py'}:{name}", ["vln-v1"], **options)  # type: ignore[arg-type]
    return {c.name: c for c in checks}


def wrong(checks: dict[str, Check]) -> set[str]:
    return {name for name, check in checks.items() if check.ok is False}


@pytest.mark.parametrize(
    ("name", "failing", "says"),
    [
        ("Good", None, ""),
        ("Keeps", None, ""),
        ("GlobalRandom", "same seed, same actions", "differ from step"),
        ("Remembers", "reset clears everything", "a second time differs from step 0"),
        ("Raises", "plays vln-v1", "act at step 0 raised IndexError: list index out of range"),
        ("ReturnsNone", "plays vln-v1", "at step 3 the agent returned None"),
        ("Scribbles", "leaves the brief alone", "vln-v1 was changed"),
        ("Locked", "can be copied", "copying failed: TypeError"),
        ("Shallow", "can be copied", "differs from step"),
        ("Wishes", "plays vln-v1", "no sensor 'sonar'"),
    ],
)
def test_each_fault_is_found(folder: Path, name: str, failing: str | None, says: str) -> None:
    checks = run(folder, name)
    if failing is None:
        assert wrong(checks) == set()
        return
    assert failing in wrong(checks)
    assert says in checks[failing].what
    assert checks[failing].mend
    assert all("\n" not in c.what for c in checks.values())


def test_where_the_agent_raised_is_named(folder: Path) -> None:
    assert "(zoo.py:" in run(folder, "Raises")["plays vln-v1"].what


def test_an_agent_that_hangs_is_stopped(folder: Path) -> None:
    checks = run(folder, "Hangs", step_limit_s=1.0)
    assert "act at step 2 took longer than 1 s" in checks["plays vln-v1"].what


def test_what_cannot_be_loaded_is_one_failed_check(folder: Path) -> None:
    (check,) = check_agent(f"{folder / 'zoo.py'}:Godo")
    assert check.ok is False
    assert "did you mean 'Good'?" in check.what


def test_ground_truth_is_named(folder: Path) -> None:
    assert "semantic" in run(folder, "Scribbles")["ground truth"].what
