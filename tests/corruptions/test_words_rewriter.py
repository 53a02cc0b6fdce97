"""The rewriter, against a real HTTP server on this machine."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from navproof.core.errors import NavproofError, SpecError, UnknownNameError
from navproof.core.seeding import keyed
from navproof.core.types import Instruction
from navproof.corruptions import instruction
from navproof.corruptions.rewriter import STYLES, UNNAMED, Rewriter, RewriterError, restyle_with

TEXT = "Turn left at the sofa and stop in the kitchen."
GOOD = "Hey, just turn left at the sofa, then stop in the kitchen!"
BAD = "Hey, just turn right and stop wherever you like!"

Answer = str | bytes | int | float
"""Words of the model; raw bytes; an HTTP error; seconds to sleep."""


class Endpoint:
    """A chat endpoint that gives the prepared answers in turn and remembers what it was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def _handler(endpoint) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                endpoint.asked.append(json.loads(body))
                endpoint.headers.append(dict(self.headers))
                endpoint.paths.append(self.path)
                answer = endpoint.answers.pop(0)
                if isinstance(answer, float):
                    time.sleep(answer)
                    answer = "late"
                status = answer if isinstance(answer, int) else 200
                if isinstance(answer, str):
                    message = {"role": "assistant", "content": answer}
                    data = json.dumps({"choices": [{"message": message}]}).encode()
                else:
                    data = answer if isinstance(answer, bytes) else b'{"error": "no such model"}'
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                except OSError:
                    pass  # the client has given up

            def log_message(self, *_: object) -> None:
                pass

        return Handler


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.delenv("NAVPROOF_REWRITER_KEY", raising=False)
    served = Endpoint()
    yield served
    served.close()


@pytest.fixture
def make(endpoint: Endpoint, tmp_path: Path) -> Callable[..., Rewriter]:
    def build(**settings: Any) -> Rewriter:
        return Rewriter(**{"url": endpoint.url, "model": "m", "folder": tmp_path, **settings})

    return build


def test_the_model_is_asked_and_its_words_are_used(
    endpoint: Endpoint, make: Callable[..., Rewriter]
) -> None:
    endpoint.answers = [f'"{GOOD}"\n']
    found = restyle_with(make(), TEXT, "friendly", 1.0, keyed(0))
    assert (found.text, found.source, found.note) == (GOOD, "model", "")
    (asked,) = endpoint.asked
    assert endpoint.paths == ["/v1/chat/completions"]
    assert asked["model"] == "m"
    assert asked["temperature"] == 0
    assert STYLES["friendly"] in asked["messages"][0]["content"]
    assert asked["messages"][1] == {"role": "user", "content": TEXT}
    assert "Authorization" not in endpoint.headers[0]


def test_answers_are_kept_wherever_the_endpoint_is(
    endpoint: Endpoint, make: Callable[..., Rewriter]
) -> None:
    endpoint.answers = [GOOD]
    first = restyle_with(make(), TEXT, "friendly", 1.0, keyed(0))
    again = restyle_with(make(url="http://127.0.0.1:9"), TEXT, "friendly", 1.0, keyed(0))
    assert first == again
    assert len(endpoint.asked) == 1
    endpoint.answers = [GOOD, GOOD]
    restyle_with(make(model="other"), TEXT, "friendly", 1.0, keyed(0))
    restyle_with(make(), TEXT, "novice", 1.0, keyed(0))
    assert len(endpoint.asked) == 3


def test_models_without_a_name_do_not_answer_for_each_other(
    endpoint: Endpoint, make: Callable[..., Rewriter]
) -> None:
    endpoint.answers = [GOOD]
    first = restyle_with(make(model=UNNAMED), TEXT, "friendly", 1.0, keyed(0))
    assert restyle_with(make(model=UNNAMED), TEXT, "friendly", 1.0, keyed(0)) == first
    assert len(endpoint.asked) == 1
    with pytest.raises(RewriterError, match="cannot reach"):
        restyle_with(make(model=UNNAMED, url="http://127.0.0.1:9"), TEXT, "friendly", 1.0, keyed(0))


def test_a_spoilt_cache_file_is_asked_for_again(
    endpoint: Endpoint, make: Callable[..., Rewriter], tmp_path: Path
) -> None:
    endpoint.answers = [GOOD, GOOD]
    restyle_with(make(), TEXT, "friendly", 1.0, keyed(0))
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(b"{half")
    assert restyle_with(make(), TEXT, "friendly", 1.0, keyed(0)).text == GOOD
    assert len(endpoint.asked) == 2


def test_lost_content_is_asked_for_again(endpoint: Endpoint, make: Callable[..., Rewriter]) -> None:
    endpoint.answers = [BAD, GOOD]
    assert restyle_with(make(), TEXT, "friendly", 1.0, keyed(0)).text == GOOD
    complaint = endpoint.asked[1]["messages"][-1]["content"]
    assert "sofa" in complaint
    assert endpoint.asked[1]["messages"][2] == {"role": "assistant", "content": BAD}


@pytest.mark.parametrize("answer", [BAD, TEXT])
def test_a_rewriting_that_stays_wrong_is_refused(
    endpoint: Endpoint, make: Callable[..., Rewriter], answer: str
) -> None:
    endpoint.answers = [answer, answer]
    told = Instruction(TEXT)
    found = restyle_with(make(), told, "friendly", 1.0, keyed(0))
    assert found.source == "built-in"
    assert "refused" in found.note
    assert "\n" not in found.note
    rng = keyed(0)
    rng.random()
    assert found.text == instruction.friendly(told, 1.0, rng)
    assert restyle_with(make(), told, "friendly", 1.0, keyed(0)) == found
    assert len(endpoint.asked) == 2


def test_the_key_comes_from_the_environment(
    endpoint: Endpoint, make: Callable[..., Rewriter], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "abc")
    endpoint.answers = [GOOD]
    restyle_with(make(key_variable="MY_KEY"), TEXT, "friendly", 1.0, keyed(0))
    assert endpoint.headers[0]["Authorization"] == "Bearer abc"


def test_intensity_is_the_chance_of_a_rewriting(
    endpoint: Endpoint, make: Callable[..., Rewriter]
) -> None:
    endpoint.answers = [GOOD]
    for seed in range(20):
        sources = [
            restyle_with(make(), TEXT, "friendly", level, keyed(seed)).source
            for level in (0.0, 0.3, 0.6, 1.0)
        ]
        assert sources[0] == "unchanged"
        assert sources[-1] == "model"
        assert sources == sorted(sources, key=["unchanged", "model"].index)


@pytest.mark.parametrize("text", ["", "  ", "?!"])
def test_no_words_no_question(endpoint: Endpoint, make: Callable[..., Rewriter], text: str) -> None:
    assert restyle_with(make(), text, "formal", 1.0, keyed(0)).text == text
    assert not endpoint.asked


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (404, "answered 404"),
        (500, "answered 500"),
        (b"not json", "chat completion"),
        (b'{"choices": []}', "chat completion"),
        (b'{"choices": [{"message": {"content": null}}]}', "chat completion"),
        (b"[1, 2]", "chat completion"),
        (b"\xff\xfe", "chat completion"),
        ("   ", "chat completion"),
        (1.5, "within 0.3 s"),
    ],
)
def test_trouble_is_one_clear_line(
    endpoint: Endpoint, make: Callable[..., Rewriter], answer: Answer, says: str, tmp_path: Path
) -> None:
    endpoint.answers = [answer]
    with pytest.raises(RewriterError, match=says) as caught:
        restyle_with(make(timeout_s=0.3), TEXT, "friendly", 1.0, keyed(0))
    assert "\n" not in str(caught.value)
    assert endpoint.url in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_nobody_there_is_one_clear_line(make: Callable[..., Rewriter]) -> None:
    with pytest.raises(RewriterError, match="cannot reach"):
        restyle_with(make(url="http://127.0.0.1:9"), TEXT, "friendly", 1.0, keyed(0))


def test_bad_settings_are_said(make: Callable[..., Rewriter]) -> None:
    for settings in ({"url": "ftp://x"}, {"url": "localhost"}, {"model": ""}, {"timeout_s": 0.0}):
        with pytest.raises(SpecError):
            make(**settings)
    with pytest.raises(UnknownNameError, match="friendly"):
        restyle_with(make(), TEXT, "freindly", 1.0, keyed(0))
    assert issubclass(RewriterError, NavproofError)


@pytest.mark.parametrize("url", ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/"])
def test_the_address_may_end_in_v1(make: Callable[..., Rewriter], url: str) -> None:
    assert make(url=url).endpoint == "http://h:1/v1/chat/completions"
