"""Every suite passes the checks that users' own must pass; broken ones fail the right one."""

from __future__ import annotations

import pytest
from checking import assert_all_hold, assert_fault, wrong

from navproof.check.suites import check_suite
from navproof.tasks.suites import SUITES

BROKEN = """
import random
from dataclasses import replace
from navproof import Suite, SuitePart
from navproof.tasks.generate import generate_episodes

SCENES = ("home/train/0",)
PART = SuitePart(("pointnav-v1",), SCENES, 2)
FINE = Suite("fine", parts=(PART,), conditions=("trust-mini", "spatter@0.3"))
NO_TASK = Suite("a", parts=(SuitePart(("pointnaff-v1",), SCENES, 2),))
NO_SCENE = Suite("b", parts=(SuitePart(("pointnav-v1",), ("home/vall/0",), 2),))
NO_CONDITION = Suite("c", parts=(PART,), conditions=("splatter",))
EMPTY = Suite("d")

MADE = generate_episodes("pointnav-v1", "home/train/0", 2, 1)
def fine(): return MADE
def twice(): return MADE + MADE
def none(): return []
def longer(): return [replace(one, geodesic_m=one.geodesic_m + 2.0) for one in MADE]
def dice(): return [replace(one, seed=random.randrange(10**6)) for one in MADE]
def raises(): raise OSError("no disk")
"""


@pytest.mark.parametrize("name", SUITES.built_in())
def test_built_in(name: str) -> None:
    """Their episodes are made where that is a matter of seconds."""
    assert_all_hold(check_suite(name, make=name in ("mini", "langnav-ext-val", "missions-mini")))


@pytest.mark.parametrize(
    ("name", "failing", "says"),
    [
        ("FINE", "", ""),
        ("fine", "", ""),
        ("NO_TASK", "tasks", "did you mean 'pointnav-v1'"),
        ("NO_SCENE", "episodes", "home/vall/0"),
        ("NO_CONDITION", "conditions", "did you mean 'spatter'"),
        ("EMPTY", "loads", "no parts"),
        ("twice", "ids are unique", "occurs twice"),
        ("none", "episodes", "returns no episodes"),
        ("longer", "episodes are sound", "field 'geodesic_m'"),
        ("dice", "same episodes again", "they are others"),
        ("raises", "episodes", "OSError: no disk"),
    ],
)
def test_each_fault_is_found(broken: str, name: str, failing: str, says: str) -> None:
    assert_fault(wrong(check_suite(f"{broken}:{name}")), failing, says)
