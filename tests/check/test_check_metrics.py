"""Every metric passes the checks that users' own must pass; broken ones fail the right one."""

from __future__ import annotations

import pytest
from checking import assert_fault, wrong

from navproof.check.metrics import check_metric, sample_traces
from navproof.metrics import METRICS

BROKEN = '''
import random
import navproof as nv

def fine(trace):
    """How many moves."""
    return len(trace.actions)

def text(trace): return "many"
def nan(trace): return float("nan")
def divides(trace): return 1.0 / len(trace.actions)
def dice(trace): return random.random()
def clocked(trace): return sum(sum(values) for values in trace.timing.values())
def never(trace):
    """Nothing."""
def nameless(trace): return 1.0

def spoils(trace):
    trace.episode.tags["seen"] = True
    return 1.0

def hashed(trace): return hash("metric") % 1000

counted = []
def counts(trace):
    counted.append(1)
    return len(counted)

@nv.register_metric("share", bounded=True, definition="d.")
def share(trace): return len(trace.actions)

def SR(trace): return 1.0

@nv.register_metric("mine", label="Success", definition="d.")
def mine(trace): return 1.0

@nv.register_metric("flag", binary=True, definition="d.")
def flag(trace): return 0.5
'''
# What nobody of our samples has: people to be followed, and pauses of a mission that went wrong.
ELSEWHERE = ("hfs", "hfr", "hfs_released", "hfr_released", "pause_", "delay_s")


@pytest.mark.parametrize("name", METRICS.built_in())
def test_built_in(name: str) -> None:
    checks = check_metric(name)
    assert wrong(checks) == {}
    unsure = [check.name for check in checks if not check.ok]
    assert unsure in ([], ["defined somewhere"])
    assert not unsure or name.startswith(ELSEWHERE)


def test_the_samples_are_good_bad_and_broken() -> None:
    traces = sample_traces()
    assert {trace.status for trace in traces} == {"ok", "agent_error"}
    assert any(not trace.actions for trace in traces)
    won = [METRICS["success"](trace) for trace in traces]
    assert 0.0 in won
    assert 1.0 in won


@pytest.mark.parametrize(
    ("name", "failing", "says"),
    [
        ("fine", "", ""),
        ("text", "a number or None", "it returned a str"),
        ("nan", "a number or None", "it returned nan"),
        ("divides", "a number or None", "raised ZeroDivisionError: float division by zero"),
        ("dice", "same trace, same number", "a second time it is 0."),
        ("counts", "same trace, same number", "a second time it is"),
        ("clocked", "seconds do not count", "with other seconds it is"),
        ("spoils", "leaves the trace alone", "the trace was changed"),
        ("share", "in range", "declared bounded and returned"),
        ("flag", "in range", "declared binary and returned 0.5"),
        ("SR", "name is free", "would be called like the built-in metric 'success' (SR)"),
        ("mine", "name is free", "would be called like the built-in metric 'success' (SR)"),
        ("absent", "loads", "has no 'absent'"),
    ],
)
def test_each_fault_is_found(broken: str, name: str, failing: str, says: str) -> None:
    assert_fault(wrong(check_metric(f"{broken}:{name}", elsewhere=False)), failing, says)


def test_what_differs_between_processes_is_found(broken: str) -> None:
    found = wrong(check_metric(f"{broken}:hashed"))
    assert found == {"same in another process": "another process gives another result"}


def test_what_is_told(broken: str) -> None:
    never = {c.name: c.ok for c in check_metric(f"{broken}:never", elsewhere=False)}
    assert never["defined somewhere"] is None
    nameless = {c.name: c.ok for c in check_metric(f"{broken}:nameless", elsewhere=False)}
    assert nameless["says what it is"] is None
