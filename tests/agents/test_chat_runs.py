"""Chat agents in whole runs: processes of their own, the command line, and what is left of it."""

from __future__ import annotations

import gzip
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_models import Asked, ChatServer, Looking, Reply, directions_in
from chat_plays import name_of
from typer.testing import CliRunner

import navproof as nv
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.cli.main import app
from navproof.core.errors import AgentError, RunError
from navproof.core.types import Episode
from navproof.log.usage import Usage, usage_by_agent
from navproof.tasks.episodes import write_episodes
from navproof.testing import tiny_scene
from navproof.world.io import save_scene

Tiny = Callable[..., list[Episode]]
SECRET = "sk-not-to-be-told"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.delenv("NAVPROOF_CHAT_ENDPOINT", raising=False)
    monkeypatch.setenv("NAVPROOF_CHAT_KEY", SECRET)


@pytest.fixture
def looking() -> Iterator[ChatServer]:
    with ChatServer(Looking()) as server:
        yield server


@pytest.fixture(scope="module")
def flat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two-room flat as a file."""
    path = tmp_path_factory.mktemp("scenes") / "flat.scene"
    save_scene(tiny_scene(), path)
    return path


@pytest.fixture
def tiny(flat: Path) -> Callable[..., list[Episode]]:
    def made(task: str, steps: int = 60, count: int = 1) -> list[Episode]:
        episode = replace(tiny_episode(task, tiny_simulator(task), steps), scene=str(flat))
        return [replace(episode, episode_id=f"{episode.episode_id}-{n}") for n in range(count)]

    return made


def run(out: Path, agents: Any, episodes: list[Episode], **settings: Any) -> nv.Run:
    usual = {"camera": (256, 192), "workers": 1, "progress": False}
    return nv.run(agents, episodes, out=out, **{**usual, **settings})


def invoke(*words: object) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


def test_a_run_with_all_that_follows(looking: ChatServer, tmp_path: Path, tiny: Tiny) -> None:
    name = name_of(looking, price_in=10, price_out=100)
    done = run(
        tmp_path / "run",
        [name, "random"],
        tiny("objectnav-v1"),
        conditions=["white_box", "low_light@1"],
        beliefs=True,
    )
    assert [s.agent for s in done.info.skipped] == ["random", "random"]  # it has no prompt, no eyes
    asked = len(looking.asked)

    # what was used
    found = usage_by_agent(done.folder)
    assert {condition for _, condition in found} == {"clean", "white_box", "low_light"}
    whole = sum(found.values(), Usage())
    assert (whole.episodes, whole.calls) == (3, asked)
    assert whole.tokens_in == 100 * asked
    assert whole.spent == pytest.approx(asked * 1e-6 * (100 * 10 + 10 * 100))
    scores = nv.score(done)
    assert f"{asked} answers of a language model in 3 episodes" in scores.table(300)
    told = scores.document()["usage"]
    assert [row["condition"] for row in told] == ["clean", "white_box", "low_light"]
    assert told[0]["median_s"] > 0.0

    # verified, replayed, reported, without anything that was secret
    assert invoke("verify", done.path).exit_code == 0
    transcript = tmp_path / "chat.md"
    shown = invoke("replay", done.path, "tiny", "-a", name, "-c", "white_box", "-o", transcript)
    assert shown.exit_code == 0, shown.output
    text = transcript.read_text()
    assert "## Step 9: decide" in text or "## Step 10: decide" in text
    assert "**System prompt**" in text
    assert "Your task: Find a chair." in text
    video = tmp_path / "chat.gif"
    assert invoke("replay", done.path, "tiny", "-a", name, "-o", video).exit_code == 0
    with pytest.raises(RunError, match="random asked no language model in episode tiny"):
        invoke("replay", done.path, "tiny", "-a", "random", "-o", tmp_path / "none.md")
    page = nv.report(done, out=tmp_path / "report.html").path.read_text()
    assert 'id="usage"' in page
    assert "Tokens in per episode" in page
    for path in [*done.path.rglob("*"), transcript, tmp_path / "report.html"]:
        data = path.read_bytes() if path.is_file() else b""
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        assert SECRET.encode() not in data, path
    assert all(asked.headers["Authorization"] == f"Bearer {SECRET}" for asked in looking.asked)


def test_a_run_of_others_says_nothing_of_models(tmp_path: Path, tiny: Tiny) -> None:
    done = run(tmp_path / "run", "random", tiny("pointnav-v1", 10))
    assert usage_by_agent(done.folder) == {}
    assert "language model" not in nv.score(done).table(200)
    (trace,) = done.traces()
    assert trace.exchanges == ()
    assert "exchange_s" not in trace.timing


def test_a_failure_is_diagnosed_and_shows_what_was_answered(
    looking: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny: Tiny
) -> None:
    """A model that sees nothing: with the truth in its place the run succeeds."""
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NAVPROOF_CHAT_ENDPOINT", looking.url)
    blind = Looking(least=2.0)
    looking.answer = lambda asked: (
        '{"done": true}' if "Look once more" in asked.words else blind(asked)
    )
    done = run(tmp_path / "run", "chat@model=blind", tiny("objectnav-v1", 70), beliefs=True)
    assert done.scores().mean() == 0.0
    found = nv.diagnose(done, trials=6, progress=False)
    (row,) = found.rows
    assert row["verdict"] == "attributed"
    assert row["capability"] == "perception"
    assert row["asked"].startswith("asked at step ")
    assert 'blind answered: {"seen": []' in row["asked"]
    assert row["asked"] in found.table(2000)
    (details,) = found.details()
    assert details.asked is not None
    assert details.asked.prompt.startswith("Your task: Find a chair.")
    page = nv.report(done).path.read_text()
    assert "What blind was asked at step" in page


def test_many_episodes_wait_at_once(tmp_path: Path, tiny: Tiny) -> None:
    """Three workers keep three questions open at an endpoint that takes its time."""

    def slow(asked: Asked) -> Reply:
        way = min(directions_in(asked.words), default=1)
        reply = {"direction": way, "done": False, "seen": [], "point": None}
        until = time.monotonic() + 30.0
        while server.most_at_once < 3 and time.monotonic() < until:
            time.sleep(0.02)
        return Reply(json.dumps(reply))

    with ChatServer(slow) as server:
        name = name_of(server, look="ahead", max_calls=5)
        done = run(tmp_path / "run", name, tiny("objectnav-v1", 60, count=3), workers=3)
        assert server.most_at_once == 3
    assert {row["status"] for row in done.rows} == {"ok"}


def test_a_run_is_the_same_with_any_number_of_workers_and_without_the_model(
    looking: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny: Tiny
) -> None:
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NAVPROOF_CHAT_ENDPOINT", looking.url)
    episodes = tiny("objectnav-v1", 60, count=2)
    one = run(tmp_path / "one", "chat@model=m", episodes)
    asked = len(looking.asked)
    two = run(tmp_path / "two", "chat@model=m", episodes, workers=2)
    assert len(looking.asked) == asked
    monkeypatch.setenv("NAVPROOF_CHAT_ENDPOINT", "http://127.0.0.1:9")
    alone = run(tmp_path / "alone", "chat@model=m@cache=only", episodes)
    for left, right, third in zip(one.traces(), two.traces(), alone.traces(), strict=True):
        assert left.actions == right.actions == third.actions
        assert left.exchanges == right.exchanges == third.exchanges
    used = usage_by_agent(alone.folder)["chat@model=m@cache=only", "clean"]
    assert used.kept == used.calls
    assert used.spent == 0.0


def test_prompts_are_part_of_what_a_run_is(looking: ChatServer, tmp_path: Path, tiny: Tiny) -> None:
    folder = tmp_path / "words"
    folder.mkdir()
    (folder / "task-objectnav.txt").write_text("Do this: $goal")
    name = name_of(looking, prompts=folder)
    run(tmp_path / "run", name, tiny("objectnav-v1", 20))
    (folder / "task-objectnav.txt").write_text("Do that: $goal")
    with pytest.raises(RunError, match=r"a file that agent .* names has changed since"):
        run(tmp_path / "run", name, tiny("objectnav-v1", 20))


@pytest.mark.parametrize(
    ("agent", "says"),
    [
        ("chat", "it asks a language model: say which, as in @endpoint=http://localhost:8000"),
        ("wmnav@model=m", "it asks a language model: say which"),
        ("mem2ego@endpoint=nowhere@model=m", "a chat model's address starts with http"),
        ("chat@endpoint=http://127.0.0.1:9@model=m", "cannot reach the chat model at http://127"),
        ("chat@endpoint=http://127.0.0.1:9@modle=m", "has no option 'modle'; did you mean 'model'"),
        ("chat@endpoint=http://a:b@c@model=m", "into the environment variable NAVPROOF_CHAT_KEY"),
    ],
)
def test_bad_names_are_one_line_before_the_run(
    agent: str, says: str, tmp_path: Path, tiny: Tiny
) -> None:
    write_episodes(tmp_path / "e.jsonl", tiny("objectnav-v1", 10))
    words = ("run", "--agent", agent, "--suite", tmp_path / "e.jsonl", "-o", tmp_path / "r")
    with pytest.raises(AgentError) as caught:
        invoke(*words, "--workers", 1)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "r" / "traces").exists()


def test_an_endpoint_that_goes_away_costs_episodes_in_one_line(tmp_path: Path, tiny: Tiny) -> None:
    with ChatServer(lambda asked: Reply(data=b"down", status=503)) as server:
        done = run(
            tmp_path / "run", name_of(server, patience_s=0.5), tiny("objectnav-v1", 30, count=2)
        )
    assert {row["status"] for row in done.rows} == {"agent_error"}
    assert "answered 503 Service Unavailable: down" in done.rows[0]["reason"]
    assert "raise @patience_s, and with it --step-limit" in done.rows[0]["reason"]


def test_agents_that_ask_are_listed_with_their_options() -> None:
    found = json.loads(invoke("agent", "list", "--json").output)
    by_name = {row["agent"]: row for row in found["agents"]}
    assert {"chat", "wmnav", "mem2ego"} <= by_name.keys()
    assert by_name["chat"]["options"]["max_calls"] == "none"
    assert by_name["wmnav"]["options"]["checks"] == "false"
    assert "NAVPROOF" not in json.dumps(by_name["chat"]["options"]).replace("NAVPROOF_CHAT_KEY", "")
    assert os.environ["NAVPROOF_CHAT_KEY"] == SECRET
