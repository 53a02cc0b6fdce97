"""Several connections to one process: batches, and whose turn it is."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

import runner_fakes as fakes
from agent_servers import served
from navproof.agents.client.records import Observation, ServeError
from navproof.agents.client.turns import Batches, Turns
from navproof.agents.limits import Limits
from navproof.log.trace import Trace, TraceKey
from navproof.play.worker import Worker
from navproof.tasks import spec_for

LIMITS = Limits(step_s=10.0, setup_s=10.0)
BATCHED = """
import numpy as np

class Many:
    "Each episode has a generator of its own, by its slot."
    sensors = ("pose",)
    batch = 3
    sizes = []

    def __init__(self, moves="forward left right"):
        self.moves, self.rngs = moves.split(), {}

    def reset(self, brief):
        self.rngs[brief.slot] = np.random.default_rng(brief.seed)

    def one(self, obs, rng):
        return "stop" if obs.step >= 12 else self.moves[int(rng.integers(len(self.moves)))]

    def act_batch(self, observations):
        Many.sizes.append(len(observations))
        assert len({obs.slot for obs in observations}) == len(observations)
        return [self.one(obs, self.rngs[obs.slot]) for obs in observations]

class Alone(Many):
    batch = 1

    def act(self, obs):
        return self.one(obs, self.rngs[0])

class Short(Many):
    def act_batch(self, observations):
        return []

class Raises(Many):
    def act_batch(self, observations):
        raise ValueError("no\\nidea")
"""


def played(worker: Worker, name: str, index: int) -> Trace:
    episode = fakes.tiny_episodes(index + 1)[index]
    job = fakes.Job(TraceKey(name, episode.episode_id), episode, spec_for(episode.task))
    return replace(worker.play(job), timing={})


def test_a_batch_plays_as_each_would_alone(tmp_path: Path) -> None:
    (tmp_path / "batched.py").write_text(BATCHED)
    workers = [Worker(fakes.TinySimulator, LIMITS) for _ in range(3)]
    with served(f"{tmp_path}/batched.py:Alone") as address:
        alone = [played(workers[0], address, index) for index in range(3)]
    assert len(alone[0].actions) == 13
    found: dict[int, Trace] = {}
    with served(f"{tmp_path}/batched.py:Many", wait_s=0.5) as address:

        def judge(index: int) -> None:
            found[index] = played(workers[index], address, index)

        threads = [threading.Thread(target=judge, args=(index,)) for index in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert workers[0]._hosted(address).declaration.served is not None
        assert workers[0]._hosted(address).declaration.served["batch"] == "3"
    for index in range(3):
        assert replace(found[index], key=alone[index].key) == alone[index]
    loaded = [m for name, m in list(sys.modules.items()) if name.endswith("batched")]
    assert max(size for module in loaded for size in module.Many.sizes) > 1
    for worker in workers:
        worker.close()


@pytest.mark.parametrize(
    ("agent", "says"),
    [("Short", "act_batch gave 0 answers, not 1"), ("Raises", "ValueError: no idea (batched.py:")],
)
def test_what_goes_wrong_in_a_batch_is_told(tmp_path: Path, agent: str, says: str) -> None:
    (tmp_path / "batched.py").write_text(BATCHED)
    worker = Worker(fakes.TinySimulator, LIMITS)
    with served(f"{tmp_path}/batched.py:{agent}") as address:
        for index in range(2):
            trace = played(worker, address, index)
            assert trace.status == "agent_error"
            assert trace.reason.startswith(f"step 0: {says}")
    worker.close()


def test_options_have_a_batch_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "batched.py").write_text(BATCHED)
    worker = Worker(fakes.TinySimulator, LIMITS)
    with served(f"{tmp_path}/batched.py:Many") as address:
        left = played(worker, f"{address}@moves=left", 0)
        right = played(worker, f"{address}@moves=right", 0)
    worker.close()
    assert left.actions == ("left",) * 12 + ("stop",)
    assert right.actions == ("right",) * 12 + ("stop",)


def test_a_batch_waits_for_no_more_than_are_playing_and_not_for_long() -> None:
    class Counts:
        def act_batch(self, observations: list[Observation]) -> list[int]:
            return [len(observations)] * len(observations)

    batches = Batches(Counts(), 4, 0.3)
    first, second = batches.enter(), batches.enter()
    assert (first, second) == (0, 1)
    batches.playing[first] = True
    began = time.monotonic()
    assert batches.act(Observation(slot=first)) == 1
    assert time.monotonic() - began < 0.2  # nobody else plays
    batches.playing[second] = True
    began = time.monotonic()
    assert batches.act(Observation(slot=first)) == 1
    assert time.monotonic() - began >= 0.3  # the second one had nothing to ask
    batches.leave(second)
    began = time.monotonic()
    assert batches.act(Observation(slot=first)) == 1
    assert time.monotonic() - began < 0.2
    assert batches.enter() == second


def test_turns_are_taken_one_at_a_time_and_a_hanging_call_is_left_behind() -> None:
    turns = Turns()
    inside: list[int] = []
    most: list[int] = []
    left = threading.Event()
    hung = threading.Event()

    def hang() -> None:
        with turns.of("hangs", left.is_set):
            hung.set()
            time.sleep(1.5)

    def call(number: int) -> None:
        with turns.of(number, lambda: False):
            inside.append(number)
            most.append(len(inside))
            time.sleep(0.01)
            inside.remove(number)

    threading.Thread(target=hang, daemon=True).start()
    assert hung.wait(5.0)
    callers = [threading.Thread(target=call, args=(number,)) for number in range(4)]
    for caller in callers:
        caller.start()
    time.sleep(0.1)
    assert most == []
    left.set()
    for caller in callers:
        caller.join(5.0)
    assert most == [1, 1, 1, 1]


def test_a_batch_needs_act_batch(tmp_path: Path) -> None:
    with (
        pytest.raises(ServeError, match="has no act_batch"),
        served("runner_fakes:Walker", batch=2),
    ):
        pass
    with (
        pytest.raises(ServeError, match="at least one observation, not 0"),
        served("runner_fakes:Walker", batch=0),
    ):
        pass


@pytest.mark.parametrize("line", ["sensors = 'rgb'", "tasks = 7"])
def test_names_that_are_no_tuple_are_told_before_anything_is_served(
    tmp_path: Path, line: str
) -> None:
    (tmp_path / "odd.py").write_text(
        f"class Odd:\n    {line}\n    def reset(self, b): ...\n    def act(self, o): ...\n"
    )
    with (
        pytest.raises(ServeError, match=f"{line}: write a tuple of names"),
        served(f"{tmp_path}/odd.py:Odd"),
    ):
        pass


def test_whatever_an_agent_raises_is_told_and_its_connection_lives(tmp_path: Path) -> None:
    (tmp_path / "rude.py").write_text(
        "class Rude:\n"
        "    sensors = ('pose',)\n"
        "    def reset(self, brief): pass\n"
        "    def act(self, obs):\n"
        "        raise GeneratorExit('\\x1b[2Jgone\\u202e')\n"
    )
    with served(f"{tmp_path}/rude.py:Rude") as address:
        worker = Worker(fakes.TinySimulator, LIMITS)
        for episode in fakes.tiny_episodes(2):
            key = TraceKey(address, episode.episode_id)
            trace = worker.play(fakes.Job(key, episode, spec_for(episode.task)))
            assert trace.status == "agent_error"
            assert "GeneratorExit: �[2Jgone�" in trace.reason
            assert trace.reason.isprintable()
        worker.close()
