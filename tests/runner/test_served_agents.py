"""Agents on servers as part of what a run is."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

import runner_fakes as fakes
from agent_servers import free_port, scripted, served, server
from navproof.agents.declaration import Declaration
from navproof.agents.limits import Limits
from navproof.core.errors import AgentError
from navproof.log.folder import RunFolder
from navproof.runner.identity import AgentCode, agent_code, describe, differences, hash_of
from navproof.runner.plan import task_specs
from navproof.runner.run import run
from navproof.runner.spec import RunSpec
from runner_fakes import tiny_episodes

LIMITS = Limits(step_s=10.0, setup_s=1.0)


@pytest.fixture(autouse=True)
def no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAVPROOF_TOKEN", raising=False)


def spec(*agents: str, **fields: Any) -> RunSpec:
    return RunSpec(agents, "tiny", simulator=fakes.SIMULATOR, limits=LIMITS, **fields)


def described(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((path / "run.json").read_text())
    return found


class Told:
    """Keeps what is announced."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def announce(self, text: str) -> None:
        self.lines.append(text)

    def making(self, done: int, total: int, what: str) -> None: ...
    def begin(self, total: int, resumed: Any) -> None: ...
    def finished(self, trace: Any) -> None: ...


def version(number: str) -> Any:
    """A server whose agent is of that version."""

    def behaviour(question: Any, connection: Any) -> Any:
        reply = scripted(question)
        if question["ask"] == "hello":
            identity = {"name": "scripted", "version": number}
            return {**reply, "answer": {**reply["answer"], "identity": identity}}
        return reply

    return behaviour


def test_what_a_server_says_of_itself_is_part_of_what_a_run_is(tmp_path: Path) -> None:
    told = Told()
    with server(version("1")) as (address, _):
        folder = run(spec(address), tmp_path / "r", episodes=tiny_episodes(2), progress=told)
    about = described(tmp_path / "r")
    assert about["spec"]["served"] == {address: {"name": "scripted", "version": "1"}}
    assert about["unfollowed"] == {address: ["its code, which is on a server"]}
    assert about["versions"]["confinement"] == "none"
    assert {trace.status for trace in folder.traces()} == {"ok"}
    line = f"{address}: its code cannot be followed; its server says of itself: name scripted, "
    assert f"{line}version 1" in told.lines


def test_a_run_goes_on_with_the_same_agent_only(tmp_path: Path) -> None:
    port, episodes = free_port(), tiny_episodes(3)
    address = f"ws://localhost:{port}"
    with server(version("1"), port):
        run(spec(address), tmp_path / "r", episodes=episodes)
    first = RunFolder(tmp_path / "r")
    next(iter((tmp_path / "r" / "traces").rglob("*.gz"))).unlink()
    with pytest.raises(AgentError, match="nothing answers at localhost"):
        run(spec(address), tmp_path / "r", episodes=episodes)
    with (
        server(version("2"), port),
        pytest.raises(AgentError, match="another agent than when the run began: version 1, 2"),
    ):
        run(spec(address), tmp_path / "r", episodes=episodes)
    with server(version("1"), port):
        done = run(spec(address), tmp_path / "r", episodes=episodes)
    assert len(list(done.traces())) == 3
    run(spec(address), tmp_path / "r", episodes=episodes)  # all is there: nobody is asked
    assert first.info.spec_hash == done.info.spec_hash


def test_another_version_is_another_run() -> None:
    name, episodes = "ws://localhost:1", tiny_episodes(1)
    tasks = task_specs(spec(name), episodes)
    old, new = (
        describe(spec(name), episodes, tasks, {name: AgentCode(served={"version": number})}, {})
        for number in "12"
    )
    assert hash_of(old) != hash_of(new)
    assert differences(old, new) == [
        'served: {"ws://localhost:1": {"version": "1"}} there, '
        '{"ws://localhost:1": {"version": "2"}} now'
    ]


def test_a_map_is_part_of_what_a_run_is(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text("[observation]\n")
    (tmp_path / "token").write_text("secret\n")
    name = f"ws://localhost:1@map={tmp_path}/map.toml@token_file={tmp_path}/token"
    before = agent_code(name, Declaration())
    (tmp_path / "token").write_text("another\n")
    assert agent_code(name, Declaration()) == before
    (tmp_path / "map.toml").write_text("[action]\n")
    assert agent_code(name, Declaration()).digest != before.digest


def test_servers_and_agents_here_play_in_one_run_by_any_number_of_workers(tmp_path: Path) -> None:
    agents: dict[int, list[Any]] = {}
    with served("runner_fakes:Walker") as address:
        for workers in (1, 2):
            done = run(
                spec(address, "runner_fakes:Walker"),
                tmp_path / str(workers),
                episodes=tiny_episodes(4),
                workers=workers,
            )
            agents[workers] = [
                [(t.key.episode_id, t.actions) for t in done.traces() if t.key.agent == agent]
                for agent in (address, "runner_fakes:Walker")
            ]
    assert agents[1] == agents[2]
    assert sorted(agents[1][0]) == sorted(agents[1][1])
    assert len(agents[1][0]) == 4


def test_in_process_is_for_agents_here(tmp_path: Path) -> None:
    with served("runner_fakes:Walker") as address:
        done = run(
            spec(address, "runner_fakes:Walker", in_process=True),
            tmp_path / "r",
            episodes=tiny_episodes(2),
        )
    assert {trace.status for trace in done.traces()} == {"ok"}


def test_a_server_that_goes_leaves_episodes_for_the_next_time(tmp_path: Path) -> None:
    port, episodes = free_port(), tiny_episodes(3)
    address = f"ws://localhost:{port}"
    with contextlib.ExitStack() as stack:
        resets = iter(range(10))

        def behaviour(question: Any, connection: Any) -> Any:
            if question["ask"] == "reset" and next(resets) == 1:
                stack.close()
                connection.socket.shutdown(2)
                return None
            return version("1")(question, connection)

        stack.enter_context(server(behaviour, port))
        done = run(spec(address), tmp_path / "r", episodes=episodes)
    statuses = sorted(trace.status for trace in done.traces())
    assert statuses == ["infrastructure", "infrastructure", "ok"]
    with server(version("1"), port):
        done = run(spec(address), tmp_path / "r", episodes=episodes)
    assert [trace.status for trace in done.traces()] == ["ok"] * 3
