"""Servers of agents on this machine: good ones, and one for each way to fail."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

websockets_server = pytest.importorskip("websockets.sync.server")

import msgpack  # noqa: E402

from navproof.agents.client.loading import load  # noqa: E402
from navproof.agents.client.serving import Address, Served, Session, serve  # noqa: E402

Message = Mapping[str, Any]
Behaviour = Callable[[Message, Any], Message | bytes | str | None]
"""What a server does when it is asked: the question, and the connection. None says nothing."""

DECLARES = {"sensors": ["pose"], "feels": None, "tasks": None, "options": {}, "files": []}
IDENTITY = {"name": "scripted", "version": "1"}


def scripted(question: Message, connection: Any = None) -> Message:
    """An honest server: its agent turns left twice and stops."""
    answers: dict[str, Any] = {
        "hello": {"protocol": 1, "declares": DECLARES, "identity": IDENTITY},
        "make": {"correctable": False, "keeps": False},
        "reset": {},
        "act": {"action": "stop" if question.get("number") == 2 else "left"},
    }
    return {"seq": question["seq"], "answer": answers[question["ask"]]}


def at_step(number: int, wrong: Behaviour, times: int = 10**9) -> Behaviour:
    """As ``scripted``, but at one step, so many times, otherwise."""
    left = [times]

    def behaviour(question: Message, connection: Any) -> Message | bytes | str | None:
        if question.get("number") == number and left[0] > 0:
            left[0] -= 1
            return wrong(question, connection)
        return scripted(question)

    return behaviour


def hang_up(question: Message, connection: Any) -> None:
    """The machine goes, without a word."""
    with contextlib.suppress(OSError):
        connection.socket.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def server(
    behaviour: Behaviour = scripted, port: int = 0, **options: Any
) -> Iterator[tuple[str, list[Message]]]:
    """Its address, and the questions that it has been asked."""
    asked: list[Message] = []

    def talk(connection: Any) -> None:
        with contextlib.suppress(Exception):
            for data in connection:
                question = msgpack.unpackb(data)
                asked.append(question)
                reply = behaviour(question, connection)
                if reply is not None:
                    raw = isinstance(reply, bytes | str)
                    connection.send(reply if raw else msgpack.packb(reply))

    usual: dict[str, Any] = {"compression": None, "max_size": None, "close_timeout": 0.1}
    with websockets_server.serve(talk, "localhost", port, **{**usual, **options}) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            scheme = "wss" if "ssl" in options else "ws"
            yield f"{scheme}://localhost:{listening.socket.getsockname()[1]}", asked
        finally:
            listening.shutdown()
            thread.join(5.0)


@contextlib.contextmanager
def served(
    reference: str, *, token: str | None = None, tls: ssl.SSLContext | None = None, **options: Any
) -> Iterator[str]:
    """The address of an agent that the client of one file serves, here in a thread."""
    found: list[int] = []
    ready = threading.Event()

    def tell(port: int) -> None:
        found.append(port)
        ready.set()

    what = Served(load(reference), options.pop("name", reference), **options)
    address = Address("localhost", 0, token, tls)
    threading.Thread(target=serve, args=(what, address, tell), daemon=True).start()
    assert ready.wait(10.0)
    yield f"{'ws' if tls is None else 'wss'}://localhost:{found[0]}"


def free_port() -> int:
    with socket.create_server(("localhost", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


__all__ = ["Session", "at_step", "free_port", "hang_up", "scripted", "served", "server"]
