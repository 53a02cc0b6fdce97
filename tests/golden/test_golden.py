"""Behaviour kept across every change of the house: digests of scenes, episodes and traces.

A digest that differs means that something a user would notice changed. Where that was meant,
``python tests/golden/plays.py`` writes the digests again, and CHANGELOG.md says so.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import plays

from navproof.log.storage import decode_trace, encode_trace
from navproof.sim.embedded import EmbeddedSimulator
from navproof.verification.again import session_of, simulated_again
from navproof.verification.compare import difference

KEPT = json.loads(plays.DIGESTS.read_text())


@pytest.fixture(scope="module")
def sim() -> EmbeddedSimulator:
    return EmbeddedSimulator()


@pytest.fixture(scope="module")
def episodes() -> dict:
    return plays.episodes()


def test_worlds_and_episodes_have_the_same_bytes() -> None:
    made = plays.made()
    assert made == {name: KEPT[name] for name in made}


def test_every_agent_task_and_condition_has_a_digest() -> None:
    wanted = {f"{agent} {task} {condition}" for agent, task, condition in plays.plays()}
    assert wanted <= KEPT.keys()


@pytest.mark.parametrize(("agent", "task", "condition"), plays.plays(), ids="-".join)
def test_behaviour_is_the_same_and_follows_from_the_actions(
    sim, episodes, agent, task, condition
) -> None:
    trace = plays.play(sim, episodes[task], agent, condition)
    assert plays.digest(trace) == KEPT[f"{agent} {task} {condition}"]
    kept = decode_trace(encode_trace(trace), "a trace")
    session = session_of(kept, sim, words_as_heard=False)
    again = decode_trace(encode_trace(simulated_again(session, kept)), "the same, simulated")
    assert difference(kept, again, over=session.done) is None
