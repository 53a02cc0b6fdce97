"""Connections: what each asks, and who may."""

import hmac
import http
import inspect
import ssl
import sys
import threading
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple

import msgpack

from navproof.agents.client.habitat import Habitat, HabitatOptions, Kind
from navproof.agents.client.loading import Loaded, blame, digest_of, made_with
from navproof.agents.client.records import (
    ServeError,
    brief_from,
    decision_to,
    observation_from,
)
from navproof.agents.client.turns import Batches, Turns, seed_generators

__all__ = ["Address", "Served", "Session", "serve"]

PROTOCOL = 1
_WHEN = {"make": "constructor", "snapshot": "copy", "restore": "copy"}


class Served:
    """What is served: a class, how agents are made of it, and what is said of it."""

    def __init__(
        self,
        loaded: Loaded,
        name: str,
        *,
        habitat: Optional[Tuple[Kind, HabitatOptions]] = None,
        batch: Optional[int] = None,
        wait_s: float = 0.005,
    ) -> None:
        self.loaded, self.name, self.habitat, self._wait_s = loaded, name, habitat, wait_s
        make = loaded.make
        declared: Any = getattr(make, "batch", 1)
        self.batch = declared if batch is None else batch
        if not isinstance(self.batch, int) or self.batch < 1:
            raise ServeError(f"a batch holds at least one observation, not {self.batch!r}")
        self.turns = Turns()
        self._shared: Dict[Tuple[Tuple[str, str], ...], Batches] = {}
        self._sharing = threading.Lock()
        if self.batch > 1 and habitat is not None:
            raise ServeError("a habitat.Agent answers one observation at a time: leave out --batch")
        if self.batch > 1 and not callable(getattr(make, "act_batch", None)):
            raise ServeError(f"{name} has no act_batch(observations), which --batch needs")
        for method in ("reset", "act" if self.batch == 1 else "act_batch"):
            if inspect.isclass(make) and not callable(getattr(make, method, None)):
                raise ServeError(f"{name} has no method '{method}'")
        made_with(make, loaded.options)
        self.greeting()

    def made(self, asked: Mapping[str, str]) -> Any:
        """A new agent, with the options of the command line and those that were asked for."""
        agent = made_with(self.loaded.make, {**self.loaded.options, **asked})()
        return agent if self.habitat is None else Habitat(agent, *self.habitat)

    def shared(self, asked: Mapping[str, str]) -> Batches:
        """The agent of all connections that ask for these options."""
        with self._sharing:
            key = tuple(sorted(asked.items()))
            if key not in self._shared:
                self._shared[key] = Batches(self.made(asked), self.batch, self._wait_s)
            return self._shared[key]

    def greeting(self) -> Dict[str, Any]:
        """The answer to ``hello``."""
        make, habitat = self.loaded.make, self.habitat
        declared = {
            "sensors": habitat[0].sensors if habitat else getattr(make, "sensors", None),
            "feels": habitat[0].feels if habitat else getattr(make, "feels", None),
            "tasks": (habitat[0].task,) if habitat else getattr(make, "tasks", None),
        }
        identity = {
            "name": self.name,
            "version": str(getattr(make, "version", "none")),
            "files": digest_of(self.loaded.files),
            "python": sys.version.split()[0],
        }
        if self.batch > 1:
            identity["batch"] = str(self.batch)
        keeps = all(callable(getattr(make, name, None)) for name in ("snapshot", "restore"))
        return {
            "protocol": PROTOCOL,
            "declares": {
                **{k: None if v is None else _names(k, v) for k, v in declared.items()},
                "options": {name: str(value) for name, value in self.loaded.options.items()},
                "files": [],
            },
            "offers": ["snapshot"] if keeps and self.batch == 1 and not habitat else [],
            "identity": identity,
            "batch": self.batch,
        }


def _names(what: str, values: Any) -> Any:
    if isinstance(values, str):
        raise ServeError(f"{what} = {values!r}: write a tuple of names, ({values!r},)")
    if not isinstance(values, (set, frozenset, tuple, list)):
        raise ServeError(f"{what} = {values!r}: write a tuple of names")
    return sorted(values) if isinstance(values, (set, frozenset)) else [str(one) for one in values]


class Session:
    """One connection's agent, and the answers that it gives. ``is_left``: whether the other side
    has hung up."""

    def __init__(self, served: Served, is_left: Callable[[], bool]) -> None:
        self.served, self.is_left = served, is_left
        self.asked: Dict[str, str] = {}
        self.agent: Any = None
        self.shared: Optional[Batches] = None
        self.slot, self.beliefs = 0, True
        self.states: Dict[int, Any] = {}
        self.last_handle = 0

    def answer(self, question: Mapping[str, Any]) -> Dict[str, Any]:
        """The message that answers a question; what the agent raises is in it."""
        seq, ask = question.get("seq", -1), str(question.get("ask"))
        for handle in question.get("drop", ()):
            self.states.pop(handle, None)
        when = f"step {question.get('number')}" if ask == "act" else _WHEN.get(ask, ask)
        try:
            handler = getattr(self, f"on_{ask}", None)
            if handler is None:
                raise ServeError(f"there is no question '{ask}' in protocol {PROTOCOL}")
            return {"seq": seq, "answer": handler(question)}
        except MemoryError as error:
            told = {"status": "memory_limit", "text": f"{when}: {blame(error)}"}
        except BaseException as error:  # whatever it raises is told, and the connection lives
            told = {"status": "agent_error", "text": f"{when}: {blame(error)}"}
        told["text"] = told["text"].encode(errors="replace").decode()
        return {"seq": seq, "fault": told}

    def close(self) -> None:
        self.served.turns.forget(self)
        if self.shared is not None:
            self.shared.leave(self.slot)

    def on_hello(self, question: Mapping[str, Any]) -> Dict[str, Any]:
        if question.get("protocol") != PROTOCOL:
            theirs = question.get("protocol")
            return {"protocol": PROTOCOL, "refusal": f"protocol {theirs} is asked for, not 1"}
        self.asked = dict(question.get("options") or {})
        try:
            made_with(self.served.loaded.make, {**self.served.loaded.options, **self.asked})
            return self.served.greeting()
        except ServeError as error:
            return {"protocol": PROTOCOL, "refusal": str(error)}

    def on_make(self, question: Mapping[str, Any]) -> Dict[str, Any]:
        self.states.clear()
        if self.served.batch > 1:
            if self.shared is None:
                self.shared = self.served.shared(self.asked)
                self.slot = self.shared.enter()
            return {"correctable": False, "keeps": False}
        with self.served.turns.of(self, self.is_left):
            self.agent = self.served.made(self.asked)
        return {"correctable": False, "keeps": hasattr(self.agent, "snapshot")}

    def on_reset(self, question: Mapping[str, Any]) -> Dict[str, Any]:
        brief = brief_from(question["brief"], self.slot)
        self.beliefs = bool(question.get("beliefs"))
        if self.shared is not None:
            with self.shared.calling:
                self.shared.agent.reset(brief)
            self.shared.playing[self.slot] = True
            return {}
        with self.served.turns.of(self, self.is_left):
            seed_generators(brief.seed)
            self.agent.reset(brief)
        return {}

    def on_act(self, question: Mapping[str, Any]) -> Dict[str, Any]:
        observation = observation_from(question, self.slot)
        if self.shared is not None:
            return decision_to(self.shared.act(observation), self.beliefs)
        with self.served.turns.of(self, self.is_left):
            return decision_to(self.agent.act(observation), self.beliefs)

    def on_snapshot(self, question: Mapping[str, Any]) -> Dict[str, Any]:
        with self.served.turns.of(self, self.is_left):
            state = self.agent.snapshot()
        self.last_handle += 1
        self.states[self.last_handle] = state
        return {"handle": self.last_handle}

    def on_restore(self, question: Mapping[str, Any]) -> Dict[str, Any]:
        with self.served.turns.of(self, self.is_left):
            self.agent.restore(self.states[question["handle"]])
        return {}


class Address(NamedTuple):
    """Where it is served, and how: with TLS, to those who know the token, to anybody."""

    host: str
    port: int
    token: Optional[str] = None
    tls: Optional[ssl.SSLContext] = None
    longest: int = 64 * 2**20


def serve(served: Served, address: Address, ready: Callable[[int], None]) -> None:
    """Serve until interrupted; ``ready`` is told the port."""
    from websockets.exceptions import ConnectionClosed
    from websockets.sync import server as sync_server

    def talk(connection: Any) -> None:
        connection.recv_bufsize = 1 << 20  # a frame of pictures in few pieces
        session = Session(served, lambda: connection.protocol.state.name != "OPEN")
        try:
            for message in connection:
                question = msgpack.unpackb(message) if isinstance(message, bytes) else None
                if not isinstance(question, dict) or question.get("ask") == "stop":
                    break
                connection.send(msgpack.packb(session.answer(question)))
        except (ConnectionClosed, ValueError):
            pass
        finally:
            session.close()

    def admitted(connection: Any, request: Any) -> Any:
        shown = request.headers.get("Authorization", "")
        expected = "" if address.token is None else f"Bearer {address.token}"
        if address.token is None or hmac.compare_digest(shown.encode(), expected.encode()):
            return None
        return connection.respond(http.HTTPStatus.UNAUTHORIZED, "the token is wrong or missing\n")

    options: Dict[str, Any] = {"ssl": address.tls, "max_size": address.longest}
    options.update(compression=None, process_request=admitted, origins=[None], close_timeout=1)
    if "ping_interval" in inspect.signature(sync_server.serve).parameters:
        options["ping_interval"] = None  # a judge that is busy elsewhere has not gone
    with sync_server.serve(talk, address.host, address.port, **options) as server:
        ready(server.socket.getsockname()[1])
        server.serve_forever()
