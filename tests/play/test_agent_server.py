"""Agents on a server play as they do here; what goes wrong between is told, and has an owner."""

from __future__ import annotations

import contextlib
import http.server
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import agent_servers as servers
import runner_fakes as fakes
from agent_servers import at_step, free_port, hang_up, scripted, served, server
from navproof.agents import websocket
from navproof.agents.limits import Limits
from navproof.core.errors import AgentError
from navproof.core.types import Episode
from navproof.log.trace import Trace, TraceKey
from navproof.play.hosted import HostedAgent, StateLostError
from navproof.play.worker import Worker
from navproof.runner.run import run
from navproof.runner.spec import RunSpec
from navproof.tasks import spec_for

LIMITS = Limits(step_s=1.0, setup_s=3.0, episode_s=60.0)


@pytest.fixture(autouse=True)
def no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAVPROOF_TOKEN", raising=False)


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(fakes.TinySimulator, LIMITS)
    yield made
    made.close()


def played(worker: Worker, name: str, episode: Episode) -> Trace:
    key = TraceKey(name, episode.episode_id)
    trace = worker.play(fakes.Job(key, episode, spec_for(episode.task)))
    return replace(trace, timing={})


def outcome(trace: Trace) -> tuple[str, tuple[str, ...]]:
    return trace.status, trace.actions


WHOLE = ("ok", ("left", "left", "stop"))


# ------------------------------------------------------------------------------------ the good
@pytest.mark.parametrize("agent", ["Seer", "Believer"])
def test_an_agent_plays_there_as_here_to_the_bit(
    worker: Worker, episodes: tuple[Episode, ...], agent: str
) -> None:
    worker._beliefs = True
    here = [played(worker, f"runner_fakes:{agent}", episode) for episode in episodes[:2]]
    with served(f"runner_fakes:{agent}") as address:
        there = [played(worker, address, episode) for episode in episodes[:2]]
    for one, other in zip(here, there, strict=True):
        assert one.status == "ok"
        assert replace(other, key=one.key) == one
    assert len(here[0].actions) > 2


def test_results_do_not_depend_on_who_else_is_served(
    episodes: tuple[Episode, ...], tmp_path: Path
) -> None:
    """Two judges of one server take turns, and each agent has generators of its own."""
    (tmp_path / "dice.py").write_text(
        "import random, time\n"
        "import numpy as np\n"
        "class Dice:\n"
        "    sensors = ('pose',)\n"
        "    def reset(self, brief): pass\n"
        "    def act(self, obs):\n"
        "        time.sleep(0.001)\n"
        "        if obs.step > 8: return 'stop'\n"
        "        number = random.randrange(3) + int(np.random.randint(3))\n"
        "        return ('forward', 'left', 'right')[number % 3]\n"
    )
    dice = f"{tmp_path}/dice.py:Dice"
    judges = [Worker(fakes.TinySimulator, LIMITS) for _ in range(2)]
    alone = [played(judges[0], dice, episode) for episode in episodes]
    with served(dice) as address:
        found: dict[int, list[Trace]] = {}

        def judge(number: int) -> None:
            found[number] = [played(judges[number], address, episode) for episode in episodes]

        threads = [threading.Thread(target=judge, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for number in range(2):
        assert [t.actions for t in found[number]] == [t.actions for t in alone]
    for one in judges:
        one.close()


def test_faults_of_the_agent_are_its_own(worker: Worker, episodes: tuple[Episode, ...]) -> None:
    with served("runner_fakes:Raises") as address:
        for _ in range(2):  # it is made anew, on the same connection
            trace = played(worker, address, episodes[0])
            assert (trace.status, trace.actions) == ("agent_error", ("forward", "forward"))
            assert trace.reason.startswith("step 2: ValueError: no idea where I am (runner_fakes")
    with served("runner_fakes:RaisesInConstructor") as address:
        trace = played(worker, address, episodes[0])
        assert trace.reason.startswith("constructor: RuntimeError: weights are missing (runner_")
    with served("runner_fakes:ReturnsNone") as address:
        trace = played(worker, address, episodes[0])
        assert trace.reason == "step 0: the agent returned None of type NoneType, no action"
    with server(at_step(0, lambda q, _: {"seq": q["seq"], "answer": {"action": "jump"}})) as (a, _):
        trace = played(worker, a, episodes[0])
        assert trace.status == "agent_error"
        assert "step 0: it holds no decision" in trace.reason


def test_options_of_an_address_are_the_agents(
    worker: Worker, episodes: tuple[Episode, ...], tmp_path: Path
) -> None:
    (tmp_path / "turner.py").write_text(
        "class Turner:\n"
        "    def __init__(self, turns=1, to='left'):\n"
        "        self.turns, self.to = turns, to\n"
        "    def reset(self, brief): pass\n"
        "    def act(self, obs): return self.to if obs.step < self.turns else 'stop'\n"
    )
    with served(f"{tmp_path}/turner.py:Turner@turns=2") as address:
        assert outcome(played(worker, address, episodes[0])) == WHOLE
        trace = played(worker, f"{address}@turns=1@to=right", episodes[0])
        assert outcome(trace) == ("ok", ("right", "stop"))
        with pytest.raises(AgentError, match=r"no option 'speed'; known: turns, to"):
            HostedAgent(f"{address}@speed=1", LIMITS).declaration  # noqa: B018
        with pytest.raises(AgentError, match=r"option 'turns' must be a number, not 'x'"):
            HostedAgent(f"{address}@turns=x", LIMITS).declaration  # noqa: B018


# ------------------------------------------------------------------------------- in mid-episode
def test_a_server_that_dies_once_costs_nothing(
    worker: Worker, episodes: tuple[Episode, ...]
) -> None:
    with server(at_step(1, hang_up, times=1)) as (address, asked):
        assert outcome(played(worker, address, episodes[0])) == WHOLE
    assert [q["ask"] for q in asked].count("reset") == 2


def test_a_server_that_dies_at_the_same_step_each_time_has_done_it_itself(
    worker: Worker, episodes: tuple[Episode, ...]
) -> None:
    with server(at_step(1, hang_up)) as (address, asked):
        trace = played(worker, address, episodes[0])
    assert outcome(trace) == ("agent_died", ("left",))
    assert trace.reason == "step 1: the connection to its server was lost"
    assert [q["ask"] for q in asked].count("reset") == 2


def test_a_server_that_restarts_is_waited_for(
    worker: Worker, episodes: tuple[Episode, ...]
) -> None:
    port = free_port()
    with contextlib.ExitStack() as first, contextlib.ExitStack() as second:

        def restart(question: Any, connection: Any) -> None:
            def again() -> None:
                time.sleep(0.5)
                second.enter_context(server(port=port))

            threading.Thread(target=again).start()
            threading.Thread(target=first.close).start()
            time.sleep(0.1)
            hang_up(question, connection)

        address, _ = first.enter_context(server(at_step(1, restart, times=1), port))
        assert outcome(played(worker, address, episodes[0])) == WHOLE


def test_a_server_that_is_gone_for_good_is_nobodys_failure_and_waited_for_once(
    episodes: tuple[Episode, ...],
) -> None:
    worker = Worker(fakes.TinySimulator, replace(LIMITS, setup_s=0.8))
    with contextlib.ExitStack() as stack:

        def go(question: Any, connection: Any) -> None:
            stack.close()
            hang_up(question, connection)

        address, _ = stack.enter_context(server(at_step(1, go)))
        began = time.monotonic()
        trace = played(worker, address, episodes[0])
        assert trace.status == "infrastructure"
        assert "not played in 3 attempts; its server: nothing answers at" in trace.reason
        assert time.monotonic() - began > 0.8
        began = time.monotonic()
        assert played(worker, address, episodes[1]).status == "infrastructure"
        assert time.monotonic() - began < 0.8


def test_another_agent_at_the_same_address_is_not_taken_for_the_first(
    worker: Worker, episodes: tuple[Episode, ...]
) -> None:
    versions = iter("1223")

    def behaviour(question: Any, connection: Any) -> Any:
        reply = dict(scripted(question))
        if question["ask"] == "hello":
            identity = {"name": "scripted", "version": next(versions)}
            reply["answer"] = {**reply["answer"], "identity": identity}
        if question.get("number") == 1:
            return hang_up(question, connection)
        return reply

    with server(behaviour) as (address, _):
        trace = played(worker, address, episodes[0])
    assert trace.status == "infrastructure"
    assert "plays another agent than when the run began: version 1, 2" in trace.reason


# ------------------------------------------------------------------------------- late and wrong
def test_a_server_that_hangs_costs_its_episode_and_no_other(
    worker: Worker, episodes: tuple[Episode, ...]
) -> None:
    with server(at_step(1, lambda q, c: None, times=1)) as (address, _):
        trace = played(worker, address, episodes[0])
        assert outcome(trace) == ("agent_timeout", ("left",))
        assert trace.reason == "step 1 took longer than 1 s"
        assert outcome(played(worker, address, episodes[1])) == WHOLE


def test_a_call_that_hangs_is_left_behind_by_the_client(
    worker: Worker, episodes: tuple[Episode, ...], tmp_path: Path
) -> None:
    flag = tmp_path / "flag"
    (tmp_path / "hangs.py").write_text(
        "import pathlib, time\n"
        "class Hangs:\n"
        "    def reset(self, brief): pass\n"
        "    def act(self, obs):\n"
        f"        flag = pathlib.Path({str(flag)!r})\n"
        "        if obs.step == 1 and not flag.exists():\n"
        "            flag.touch()\n"
        "            time.sleep(30)\n"
        "        return 'stop' if obs.step == 2 else 'left'\n"
    )
    with served(f"{tmp_path}/hangs.py:Hangs") as address:
        assert played(worker, address, episodes[0]).status == "agent_timeout"
        assert outcome(played(worker, address, episodes[1])) == WHOLE


def test_an_answer_that_comes_late_is_not_taken_for_the_next(
    worker: Worker, episodes: tuple[Episode, ...]
) -> None:
    def late(question: Any, connection: Any) -> Any:
        time.sleep(1.5)
        return scripted(question)

    with server(at_step(0, late, times=1)) as (address, _):
        trace = played(worker, address, episodes[0])
        assert (trace.status, trace.reason) == ("agent_timeout", "step 0 took longer than 1 s")
        assert outcome(played(worker, address, episodes[1])) == WHOLE


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (b"\xc1\xc1", "it is not msgpack"),
        (b"\x01", "it is not a map"),
        ("Traceback: none", "it is text, not msgpack"),
        ({"seq": 99, "answer": {"action": "stop"}}, "it has number 99, not 5"),
        ({"seq": None}, "it has number None, not 5"),
        ({"seq": 5}, "it holds neither an answer nor a fault"),
    ],
)
def test_what_is_no_answer_costs_the_episode(
    worker: Worker, episodes: tuple[Episode, ...], wrong: Any, says: str
) -> None:
    with server(at_step(1, lambda q, c: wrong, times=1)) as (address, _):
        trace = played(worker, address, episodes[0])
        assert outcome(trace) == ("agent_error", ("left",))
        assert trace.reason.startswith(f"step 1: what its server sent is no answer: {says}")
        assert outcome(played(worker, address, episodes[1])) == WHOLE


def test_frames_that_are_none_cost_the_episode(
    worker: Worker, episodes: tuple[Episode, ...]
) -> None:
    def broken(question: Any, connection: Any) -> None:
        connection.socket.sendall(b"\xff\x00\xff\x00 not a frame")

    with server(at_step(1, broken)) as (address, _):
        trace = played(worker, address, episodes[0])
    assert outcome(trace) == ("agent_error", ("left",))
    assert "it is not WebSocket" in trace.reason


def test_messages_that_are_too_large_cost_the_episode(
    worker: Worker, episodes: tuple[Episode, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "LONGEST", 1 << 20)
    with server(at_step(1, lambda q, c: bytes(2 << 20))) as (address, _):
        trace = played(worker, address, episodes[0])
    assert outcome(trace) == ("agent_error", ("left",))
    assert trace.reason.endswith("is no answer: it would be longer than 1 MB")
    with server(max_size=100) as (address, _):  # the brief is too much for it
        trace = played(worker, address, episodes[0])
    assert outcome(trace) == ("agent_died", ())
    assert "code 1009: a message of 0.0 MB is too large for it" in trace.reason


# ------------------------------------------------------------------------------ before the run
def refusal(name: str) -> str:
    with pytest.raises(AgentError) as caught:
        HostedAgent(name, LIMITS).declaration  # noqa: B018
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_nobody_there_is_one_line_before_the_run(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    address = f"ws://localhost:{free_port()}"
    spec = RunSpec((address,), "tiny", simulator=fakes.SIMULATOR, limits=LIMITS)
    began = time.monotonic()
    with pytest.raises(AgentError) as caught:
        run(spec, tmp_path / "r", episodes=episodes)
    assert f"agent '{address}': nothing answers at localhost:" in str(caught.value)
    assert "start it there, as in: python navproof_client.py serve" in str(caught.value)
    assert time.monotonic() - began < 20.0
    assert not (tmp_path / "r" / "run.json").exists()
    assert "nothing answers at" in refusal("ws://no-such-host.invalid:9000")


class _Page(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_error(404, "no such page")

    def log_message(self, format: str, *args: Any) -> None: ...


def test_what_is_no_agents_server_is_one_line() -> None:
    with http.server.ThreadingHTTPServer(("localhost", 0), _Page) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        told = refusal(f"ws://localhost:{pages.server_port}")
        assert "it refuses the connection (HTTP 404" in told
        pages.shutdown()
    with socket.create_server(("localhost", 0)) as listening:

        def talk() -> None:
            connection, _ = listening.accept()
            connection.sendall(b"SSH-2.0-hello\r\n\r\n")
            connection.close()

        threading.Thread(target=talk, daemon=True).start()
        port = listening.getsockname()[1]
        assert "it does not speak WebSocket" in refusal(f"ws://localhost:{port}")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"protocol": 2, "declares": servers.DECLARES}, "declares nothing sound: protocol 2, not"),
        ({"protocol": 1, "declares": {}}, "declares nothing sound: sensors is missing"),
        ({"protocol": 1, "refusal": "no\nGPU here"}, "no GPU here"),
        (
            {"protocol": 1, "declares": {**servers.DECLARES, "feels": ["rbg"]}},
            "has 'rbg' among its feels; did you mean 'rgb'?",
        ),
        (
            {"protocol": 1, "declares": servers.DECLARES, "identity": {"version": 3}},
            "declares nothing sound: identity.version",
        ),
    ],
)
def test_greetings_that_cannot_be_used_are_one_line(answer: Any, says: str) -> None:
    def behaviour(question: Any, connection: Any) -> Any:
        return {"seq": question["seq"], "answer": answer}

    with server(behaviour) as (address, _):
        assert says in refusal(address)


def test_a_judge_of_another_version_is_refused_in_one_line() -> None:
    session = servers.Session(
        servers.Served(servers.load("runner_fakes:Walker"), "w"), lambda: False
    )
    answer = session.answer({"ask": "hello", "seq": 1, "protocol": 2})["answer"]
    assert answer == {"protocol": 1, "refusal": "protocol 2 is asked for, not 1"}


# ------------------------------------------------------------------------------------ states
def test_a_server_that_keeps_states_is_put_back_and_another_is_not(
    worker: Worker, episodes: tuple[Episode, ...], tmp_path: Path
) -> None:
    (tmp_path / "keeper.py").write_text(
        "class Keeper:\n"
        "    sensors = ('pose',)\n"
        "    def reset(self, brief): self.count = 0\n"
        "    def act(self, obs):\n"
        "        self.count += 1\n"
        "        return ('forward', 'left', 'right')[self.count % 3]\n"
        "    def snapshot(self): return self.count\n"
        "    def restore(self, count): self.count = count\n"
    )
    key = TraceKey("x", episodes[0].episode_id)
    with served(f"{tmp_path}/keeper.py:Keeper") as address:
        agent = HostedAgent(address, LIMITS)
        worker._agents[key.agent] = agent
        session = worker.session(key, spec_for(episodes[0].task), episodes[0].task)
        session.begin(episodes[0])
        agent.reset(session.brief)
        agent.act(session.observation)
        state = agent.snapshot()
        first = [agent.act(session.observation).action for _ in range(4)]
        agent.restore(state)
        assert [agent.act(session.observation).action for _ in range(4)] == first
        agent.close()
        with pytest.raises(StateLostError):
            agent.restore(state)
    with served("runner_fakes:Walker") as address:
        agent = HostedAgent(address, LIMITS)
        agent.reset(session.brief)
        with pytest.raises(StateLostError, match="keeps no states"):
            agent.snapshot()
        assert not agent.is_correctable
        agent.close()
