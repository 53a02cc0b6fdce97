"""A language model as judge of labels."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from navproof.diagnose.judge import KEY_VARIABLE, LlmDistance, LlmJudge
from navproof.errors import RunError, SpecError


class Model:
    """A chat endpoint that gives the prepared answers in turn."""

    def __init__(self) -> None:
        self.answers: list[str] = []
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                model.asked.append(json.loads(body))
                model.keys.append(self.headers.get("Authorization"))
                message = {"role": "assistant", "content": model.answers.pop(0)}
                data = json.dumps({"choices": [{"message": message}]}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Model]:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path))
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    served = Model()
    yield served
    served.server.shutdown()
    served.server.server_close()


def test_the_model_rates_a_pair_once_in_either_order(model: Model) -> None:
    model.answers = ['{"d": 0.30}']
    distance = LlmDistance(model.url, "m")
    assert distance("Desk", "table") == 0.3
    assert distance("table", "desk") == 0.3
    assert distance("desk", "desk") == 0.0
    assert len(model.asked) == 1
    system, question = model.asked[0]["messages"]
    assert system["role"] == "system"
    assert '"desk"' in question["content"]
    assert '"table"' in question["content"]
    assert model.asked[0]["temperature"] == 0
    assert distance.name == "judge m"


def test_answers_are_kept_on_disk(model: Model) -> None:
    model.answers = ['Sure: {"d": 0.9}']
    assert LlmDistance(model.url, "m")("bed", "mug") == 0.9
    assert LlmDistance(model.url, "m")("mug", "bed") == 0.9
    assert len(model.asked) == 1


def test_a_key_is_sent_where_there_is_one(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "abc")
    model.answers = ['{"d": 0}']
    LlmDistance(model.url)("couch", "sofa")
    assert model.keys == ["Bearer abc"]


@pytest.mark.parametrize(
    "answer", ["none", '{"d": 1.4}', '{"e": 0.1}', '{"d": true}', '{"d": "x"}']
)
def test_no_number_is_one_line_and_is_not_kept(model: Model, answer: str) -> None:
    model.answers = [answer, '{"d": 0.6}']
    with pytest.raises(RunError, match="instead of a number"):
        LlmDistance(model.url, "m")("cabinet", "fridge")
    assert LlmDistance(model.url, "m")("cabinet", "fridge") == 0.6


def test_nobody_there(model: Model) -> None:
    distance = LlmDistance("http://127.0.0.1:9", "m")
    with pytest.raises(RunError, match="could not be judged: cannot reach the judge at"):
        distance("a mug", "a cup")


def test_a_bad_address() -> None:
    with pytest.raises(SpecError, match="a judge's address starts with http"):
        LlmJudge("localhost:80")
