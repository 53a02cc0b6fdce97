"""The HTTP client for language models, against a real server on this machine."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "agents"))
from chat_models import Asked, ChatServer, Reply

from navproof.core.endpoint.client import Completion, Endpoint, EndpointError, ask_patiently
from navproof.core.endpoint.kept import KeptAnswers
from navproof.core.errors import SpecError

KEY = "NAVPROOF_TEST_KEY"
BODY = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.delenv(KEY, raising=False)


class Script:
    """Answers in turn; the last one for ever."""

    def __init__(self, *replies: Reply | str) -> None:
        self.replies = list(replies)

    def __call__(self, asked: Asked) -> Reply | str:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@pytest.fixture
def serve() -> Iterator[Callable[..., ChatServer]]:
    servers: list[ChatServer] = []

    def start(*replies: Reply | str) -> ChatServer:
        server = ChatServer(Script(*replies))
        server.__enter__()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.__exit__()


def at(server: ChatServer) -> Endpoint:
    return Endpoint(server.url, KEY, "model")


@pytest.mark.parametrize(
    ("url", "goes_to"),
    [
        ("http://host", "http://host/v1/chat/completions"),
        ("http://host:80/", "http://host:80/v1/chat/completions"),
        ("https://host/v1", "https://host/v1/chat/completions"),
        ("https://host/api/v1/", "https://host/api/v1/chat/completions"),
        ("https://host/proxy", "https://host/proxy/v1/chat/completions"),
        ("https://host/v1beta/openai/chat/completions", None),
        ("https://host/d/x/chat/completions?api-version=2", None),
    ],
)
def test_addresses(url: str, goes_to: str | None) -> None:
    assert Endpoint(url, KEY).address == (goes_to or url)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("host:80", "starts with http:// or https://"),
        ("ftp://host", "starts with http:// or https://"),
        ("https://", "starts with http:// or https://"),
        ("https://me:secret@host", f"put it into the environment variable {KEY}"),
        ("https://host/v1?api_key=secret", f"put it into the environment variable {KEY}"),
    ],
)
def test_addresses_that_are_none_or_hold_a_secret(url: str, says: str) -> None:
    with pytest.raises(SpecError) as caught:
        Endpoint(url, KEY)
    assert says in str(caught.value)
    assert "secret" not in str(caught.value)


def test_an_answer_with_what_it_used(serve: Callable[..., ChatServer]) -> None:
    server = serve(Reply("hi", tokens=(7, 2)))
    assert at(server).ask(BODY, 5.0) == Completion("hi", 7, 2, "stop")
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.body == BODY
    assert "Authorization" not in asked.headers
    for tokens in (None, (-1, 10**400), ("7", True)):
        server.answer = Script(Reply("hi", tokens=tokens))  # type: ignore[arg-type]
        assert at(server).ask(BODY, 5.0) == Completion("hi", None, None, "stop")


def test_text_in_parts_a_refusal_and_nothing(serve: Callable[..., ChatServer]) -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, {"type": "x"}]

    def told(message: dict[str, Any]) -> Reply:
        return Reply(data=json.dumps({"choices": [{"message": message}]}).encode())

    server = serve(told({"content": parts}), told({"content": None, "refusal": "I will not"}))
    assert at(server).ask(BODY, 5.0).text == "ab"
    assert at(server).ask(BODY, 5.0).text == "I will not"
    server.answer = Script(told({"content": None}))
    assert at(server).ask(BODY, 5.0).text == ""


def test_a_key_is_sent_from_the_environment_and_told_to_nobody(
    serve: Callable[..., ChatServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, "sk-very-secret")
    refused = Reply(data=b'{"error": "bad key sk-very-secret"}', status=401)
    server = serve(Reply("hi"), refused)
    endpoint = at(server)
    assert endpoint.ask(BODY, 5.0).text == "hi"
    assert server.asked[0].headers["Authorization"] == "Bearer sk-very-secret"
    assert "sk-very-secret" not in repr(endpoint)
    with pytest.raises(EndpointError) as caught:
        endpoint.ask(BODY, 5.0)
    assert "answered 401" in str(caught.value)
    assert "secret" not in f"{caught.value} {caught.value.said}"


def test_a_redirect_does_not_take_the_key_elsewhere(
    serve: Callable[..., ChatServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, "sk-very-secret")
    other = serve(Reply("hi"))
    moved = Reply(data=b"", status=302, headers={"Location": f"{other.url}/v1/chat/completions"})
    with pytest.raises(EndpointError, match="answered 302"):
        at(serve(moved)).ask(BODY, 5.0)
    assert other.asked == []


@pytest.mark.parametrize(
    ("reply", "says", "passing"),
    [
        (Reply(data=b"busy", status=429), "answered 429", True),
        (Reply(data=b'{"code": "insufficient_quota"}', status=429), "answered 429", False),
        (Reply(data=b"oops", status=500), "answered 500", True),
        (Reply(data=b"away", status=503), "answered 503", True),
        (Reply(data=b"no such model", status=404), "no such model", False),
        (Reply(data=b"no", status=400), "answered 400", False),
        (Reply("half", cut=True), "cannot reach", True),
        (Reply(data=b"<html>", headers={"Content-Type": "text/html"}), "<html>", True),
        (Reply(data=b"not json"), "did not answer with a chat completion", True),
        (Reply(data=b"[1, 2]"), "did not answer with a chat completion", True),
        (Reply(data=b'{"choices": []}'), "did not answer with a chat completion", True),
        (Reply(data=b'{"choices": [{"message": 3}]}'), "did not answer with a chat", True),
        (Reply(data=b"x" * ((1 << 20) + 10)), "more than 1048576 bytes", False),
        (Reply("late", wait_s=1.0), "gave no answer within 0.3 s", True),
    ],
)
def test_trouble_is_one_line(
    serve: Callable[..., ChatServer], reply: Reply, says: str, passing: bool
) -> None:
    with pytest.raises(EndpointError) as caught:
        at(serve(reply)).ask(BODY, 0.3 if reply.wait_s else 5.0)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.is_passing is passing


def test_nobody_there() -> None:
    endpoint = Endpoint("http://127.0.0.1:9", KEY)
    with pytest.raises(EndpointError, match="cannot reach the model at") as caught:
        endpoint.ask(BODY, 5.0)
    assert caught.value.is_passing
    with pytest.raises(EndpointError, match="cannot reach"):
        endpoint.reach()


def test_who_is_there_can_be_reached(serve: Callable[..., ChatServer]) -> None:
    server = serve(Reply("hi"))
    at(server).reach()
    assert server.asked == []


def test_a_reply_that_drips_is_late_as_a_whole() -> None:
    """Each byte comes in time; all of them do not."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        import threading

        def drip() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                for _ in range(40):
                    time.sleep(0.1)
                    try:
                        connection.sendall(b" ")
                    except OSError:
                        return

        threading.Thread(target=drip, daemon=True).start()
        began = time.monotonic()
        with pytest.raises(EndpointError, match=r"no answer within 0\.5 s"):
            Endpoint(url, KEY).ask(BODY, 0.5)
        assert time.monotonic() - began < 2.0


# ------------------------------------------------------------------------------------- patience
class Clock:
    """Waits that are noted and not slept."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.waited.append(seconds)


def patiently(server: ChatServer, patience_s: float = 60.0) -> tuple[Completion, int, Clock]:
    clock = Clock()
    until = time.monotonic() + patience_s
    found, attempts = ask_patiently(at(server), BODY, until=until, timeout_s=5.0, sleep=clock)
    return found, attempts, clock


def test_what_is_busy_is_asked_again_ever_later(serve: Callable[..., ChatServer]) -> None:
    busy = Reply(data=b"busy", status=429)
    found, attempts, clock = patiently(serve(busy, busy, busy, busy, Reply("hi")))
    assert (found.text, attempts) == ("hi", 5)
    for wait, longest in zip(clock.waited, (0.5, 1.0, 2.0, 4.0), strict=True):
        assert 0.5 * longest <= wait <= longest


@pytest.mark.parametrize(
    ("headers", "waits"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after-ms": "1500", "Retry-After": "9"}, 1.5),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-3"}, None),
    ],
)
def test_it_comes_again_when_it_is_told_to(
    serve: Callable[..., ChatServer], headers: dict[str, str], waits: float | None
) -> None:
    busy = Reply(data=b"busy", status=503, headers=headers)
    _, _, clock = patiently(serve(busy, Reply("hi")))
    assert clock.waited == [waits] if waits is not None else clock.waited[0] <= 0.5


def test_a_date_is_a_time_to_come_again(serve: Callable[..., ChatServer]) -> None:
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    busy = Reply(data=b"busy", status=429, headers={"Retry-After": when})
    _, _, clock = patiently(serve(busy, Reply("hi")))
    assert 15.0 < clock.waited[0] <= 20.0


def test_it_does_not_wait_longer_than_it_may(serve: Callable[..., ChatServer]) -> None:
    busy = Reply(data=b"busy", status=429, headers={"Retry-After": "300"})
    with pytest.raises(EndpointError, match=r"asks to wait 300 s \(1 attempt in 0 s\)"):
        patiently(serve(busy), patience_s=10.0)


def test_what_is_refused_is_not_asked_again(serve: Callable[..., ChatServer]) -> None:
    server = serve(Reply(data=b"no such model", status=404))
    with pytest.raises(EndpointError, match="answered 404"):
        patiently(server)
    assert len(server.asked) == 1


def test_what_is_garbled_is_asked_for_three_times(serve: Callable[..., ChatServer]) -> None:
    server = serve(Reply(data=b"<html>"))
    with pytest.raises(EndpointError, match=r"\(3 attempts in 0 s\)"):
        patiently(server)
    assert len(server.asked) == 3


# --------------------------------------------------------------------------------- kept answers
def test_answers_are_kept_by_question(tmp_path: Path) -> None:
    kept = KeptAnswers(tmp_path / "answers")
    assert kept.find("why?") is None
    kept.keep("why?", {"answer": "because", "tokens_in": 3})
    assert kept.find("why?") == {"answer": "because", "tokens_in": 3}
    assert kept.find("why not?") is None
    (path,) = (tmp_path / "answers").iterdir()
    for spoilt in (b"{half", b"[]", b'{"answer": 3}', b'{"answer": ""}'):
        path.write_bytes(spoilt)
        assert kept.find("why?") is None
