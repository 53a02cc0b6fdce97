"""A rewriter in a run: asked before it, once for each text, and part of what the run is."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Episode, Instruction
from navproof.corruptions.condition import parse_condition
from navproof.corruptions.rewriter import Rewriter, RewriterError
from navproof.play.env import Env
from navproof.runner import RunSpec
from navproof.runner.identity import describe, differences, hash_of
from navproof.runner.plan import plan, task_specs
from navproof.runner.rewriting import rewrite
from navproof.tasks import make_task

SAID = "Turn left at the sofa and stop in the kitchen."
ANSWER = "Hey, just turn left at the sofa, then stop in the kitchen!"


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """The address of an endpoint with one answer, and the texts that it was asked for."""
    texts: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            texts.append(body["messages"][1]["content"])
            data = json.dumps({"choices": [{"message": {"content": ANSWER}}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", texts
    server.shutdown()
    server.server_close()
    thread.join()


def episodes() -> tuple[Episode, ...]:
    base = tiny_episode("vln-v1", tiny_simulator("vln-v1"))
    return tuple(replace(base, episode_id=f"e{i}", instruction=Instruction(SAID)) for i in range(3))


def spec(rewriter: Rewriter | None) -> RunSpec:
    return RunSpec(("a", "b"), "x", conditions=("friendly", "mask_100"), rewriter=rewriter)


def test_each_text_is_asked_for_once_and_then_known_without_the_endpoint(
    asked: tuple[str, list[str]], tmp_path: Path
) -> None:
    url, texts = asked
    rewriter = Rewriter(url, "tiny-model", tmp_path)
    wanted = spec(rewriter)
    lines: list[str] = []
    for _ in range(2):
        rewrite(rewriter, plan(wanted, episodes(), task_specs(wanted, episodes())), lines.append)
    assert texts == [SAID]
    assert lines[0] == "asking tiny-model for 1 rewriting (kept for the next run)"
    away = Rewriter("http://127.0.0.1:9", "tiny-model", tmp_path)
    for condition, heard in (("friendly", ANSWER), ("clean", SAID)):
        env = Env(
            tiny_simulator("vln-v1"),
            make_task("vln-v1"),
            (),
            condition=parse_condition(condition),
            rewriter=away,
        )
        assert env.reset(episodes()[0])[0].instruction == heard


def test_a_tasks_own_words_are_asked_for_before_the_run_too(
    asked: tuple[str, list[str]], tmp_path: Path
) -> None:
    url, texts = asked
    rewriter = Rewriter(url, "tiny-model", tmp_path)
    episode = tiny_episode("pointnav-v1", tiny_simulator("pointnav-v1"))
    wanted = spec(rewriter)
    rewrite(rewriter, plan(wanted, [episode], task_specs(wanted, [episode])), lambda text: None)
    env = Env(tiny_simulator("pointnav-v1"), make_task("pointnav-v1"), ())
    assert set(texts) == {env.reset(episode)[0].instruction}


def test_an_endpoint_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    rewriter = Rewriter("http://127.0.0.1:9", "tiny-model", tmp_path, timeout_s=2.0)
    jobs = plan(spec(rewriter), episodes(), task_specs(spec(rewriter), episodes()))
    with pytest.raises(RewriterError, match="cannot reach the rewriter"):
        rewrite(rewriter, jobs, lambda text: None)


def test_the_model_is_part_of_the_run_and_its_address_is_not(tmp_path: Path) -> None:
    described = [
        describe(spec(rewriter), episodes(), task_specs(spec(rewriter), episodes()), {}, {})
        for rewriter in (
            None,
            Rewriter("http://a", "one", tmp_path),
            Rewriter("http://b", "one", tmp_path),
            Rewriter("http://a", "two", tmp_path),
        )
    ]
    none, one, elsewhere, two = described
    assert hash_of(one) == hash_of(elsewhere)
    assert len({hash_of(d) for d in described}) == 3
    assert differences(one, two) == ["rewriter: one there, two now"]
    assert differences(none, one) == ["rewriter: null there, one now"]
