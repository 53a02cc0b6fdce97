"""Agents behind an address, written as any other: ``ws://gpu:9000``, ``wss://lab.example``.

    ws://gpu:9000@map=arm.toml         a server of the robot-policy convention (``agents.policy``)
    wss://gpu:9000@ca=lab.pem          its certificate is signed by this authority
    ws://gpu:9000@token_file=my.token  what the server lets in; else it is in NAVPROOF_TOKEN
    ws://gpu:9000@beam=7               any other option is the agent's: the server is told of it

What is written stays in results, so a token is never part of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from navproof.core.errors import AgentError, SpecError
from navproof.core.input.reading import LimitError, read_file
from navproof.core.names import parse_name

__all__ = ["TOKEN_VARIABLE", "Address", "is_address", "parse_address", "token_for"]

TOKEN_VARIABLE = "NAVPROOF_TOKEN"
_SCHEMES = {"ws": 80, "wss": 443}
_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|::1")
_ADDRESS = re.compile(r"[a-zA-Z]+://|[\w.-]+:\d+(?:/|@|$)")
"""Also of what is meant as one: ``http://…`` and ``host:9000`` are told how it reads."""
_LONGEST_TOKEN = 8192
_TOKEN = re.compile(r"[\x21-\x7e]{1,4096}")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is and how it is spoken to. ``map`` says how a policy server is; ``options``
    are for the agent."""

    host: str
    port: int
    path: str = "/"
    is_secure: bool = False
    map: Path | None = None
    ca: Path | None = None
    token_file: Path | None = None
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_loopback(self) -> bool:
        """Whether it is this machine."""
        return _LOOPBACK.fullmatch(self.host) is not None

    @property
    def place(self) -> str:
        """Host and port, for messages."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{'wss' if self.is_secure else 'ws'}://{self.place}{self.path}"


def is_address(name: str) -> bool:
    """Whether an agent's name is the address of a server."""
    return _ADDRESS.match(name.lstrip()) is not None


def parse_address(name: str) -> Address:
    """The address in an agent's name; an ``AgentError`` in one line where there is none, which does
    not repeat what might be a secret."""
    try:
        parsed = parse_name(name, "agent")
        parts = urlsplit(parsed.ref)
        port = parts.port
    except SpecError as error:
        raise AgentError(str(error)) from None
    except ValueError:
        raise AgentError("the address of an agent must read ws://host:port") from None
    if parsed.value or parts.username is not None or parts.query or parts.fragment:
        raise AgentError(
            "the address of an agent is a host, a port and perhaps a path, and stays in results; "
            f"a token belongs into {TOKEN_VARIABLE} or a file (@token_file=FILE)"
        )
    scheme = parts.scheme.lower()
    if scheme not in _SCHEMES or not parts.hostname or parsed.mode:
        raise AgentError(f"agent '{name}': an address must read ws://host:port")
    options = dict(parsed.options)
    files = {key: _file(name, key, options.pop(key, None)) for key in ("map", "ca", "token_file")}
    if files["ca"] is not None and scheme != "wss":
        raise AgentError(f"agent '{name}': option 'ca' is for wss://, which proves who answers")
    return Address(
        parts.hostname,
        port or _SCHEMES[scheme],
        parts.path or "/",
        scheme == "wss",
        options=options,
        **files,
    )


def token_for(address: Address) -> str | None:
    """What the server is to be shown, from the file or the environment; None where there is
    neither. An ``AgentError`` where it cannot be one."""
    if address.token_file is not None:
        where = str(address.token_file)
        try:
            token = read_file(address.token_file, _LONGEST_TOKEN).decode().strip()
        except (OSError, UnicodeDecodeError, LimitError) as error:
            why = getattr(error, "strerror", None) or "it is not a short text"
            raise AgentError(f"token file {where} cannot be read: {why}") from None
    else:
        where, token = TOKEN_VARIABLE, os.environ.get(TOKEN_VARIABLE, "").strip()
        if not token:
            return None
    if not _TOKEN.fullmatch(token):
        raise AgentError(f"{where} holds no token: it is one word of printable ASCII characters")
    return token


def _file(name: str, option: str, value: str | None) -> Path | None:
    if value is None:
        return None
    path = Path(value)
    if not path.is_file():
        shown = "" if option == "token_file" else f" {value}"  # it might be the token itself
        is_there = "it is no plain file" if path.exists() else "there is no file"
        raise AgentError(f"agent '{name.partition('@')[0]}': {option}: {is_there}{shown}")
    return path
