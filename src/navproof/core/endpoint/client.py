"""One question to a language model behind an OpenAI-compatible endpoint, over HTTP.

``Endpoint.ask`` sends a body as ``/v1/chat/completions`` takes it and returns a ``Completion``.
``ask_patiently`` asks again, ever later, where the endpoint is busy, away or cut off, and keeps to
what it says itself of when to come again (``Retry-After``).

A key is read from an environment variable when it is sent; it is in no address, no value and no
message.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import math
import os
import random
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import IO, Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from navproof.core.errors import NavproofError, SpecError, one_line

__all__ = ["Completion", "Endpoint", "EndpointError", "ask_patiently"]

_MOST_BYTES = 1 << 20
_SHOWN = 200
_PASSING = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
"""Statuses after which the same question may be answered a little later."""
_FOR_GOOD = ("insufficient_quota", "billing_hard_limit")
"""What some endpoints say with 429 where waiting is of no use."""
_SECRETS = {"key", "api_key", "apikey", "api-key", "token", "access_token", "password"}
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 20.0
_MOST_GARBLED = 3
_MOST_TOKENS = 1 << 40


class EndpointError(NavproofError):
    """An endpoint cannot be reached, refuses, or answers something else than a completion.

    ``status`` is that of HTTP, ``said`` what came with it. ``is_passing``: the same question may be
    answered later, ``wait_s`` seconds later at the earliest where the endpoint said so.
    ``is_garbled``: something came that is no completion.
    """

    def __init__(
        self,
        text: str,
        *,
        status: int | None = None,
        said: str = "",
        is_passing: bool = False,
        is_garbled: bool = False,
        wait_s: float | None = None,
    ) -> None:
        super().__init__(text)
        self.status, self.said = status, said
        self.is_passing, self.is_garbled, self.wait_s = is_passing, is_garbled, wait_s

    def retold(self, text: str, said: str) -> EndpointError:
        """The same in other words."""
        return EndpointError(
            text,
            status=self.status,
            said=said,
            is_passing=self.is_passing,
            is_garbled=self.is_garbled,
            wait_s=self.wait_s,
        )


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered, perhaps nothing. Tokens are None where the endpoint does not tell
    them; ``finish`` says why it ended ("stop", "length", "content_filter", …)."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    finish: str = ""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address: ``http://host:8000`` (or ``…/v1``, or a full ``…/chat/completions``, perhaps with
    a query that holds no secret). ``role`` is what messages call the model there; the key, where
    one is wanted, is in the environment variable ``key_variable``."""

    url: str
    key_variable: str
    role: str = "model"

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise SpecError(
                f"a {self.role}'s address starts with http:// or https://: '{self.url}'"
            )
        names = {name.lower() for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
        if "@" in parts.netloc or names & _SECRETS:
            raise SpecError(
                f"a {self.role}'s address holds no password or key: put it into the environment "
                f"variable {self.key_variable}"
            )

    @property
    def address(self) -> str:
        """Where questions go."""
        parts = urlsplit(self.url)
        path = parts.path.rstrip("/")
        if not path.endswith("/chat/completions"):
            path = f"{path.removesuffix('/v1')}/v1/chat/completions"
        return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))

    def ask(self, body: Mapping[str, Any], timeout_s: float) -> Completion:
        """The completion of ``body``, or an ``EndpointError``."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        key = os.environ.get(self.key_variable, "").strip()
        if key:
            headers["Authorization"] = f"Bearer {key}"
            if "api-version=" in self.address:  # Azure looks here
                headers["api-key"] = key
        request = urllib.request.Request(self.address, json.dumps(body).encode(), headers)
        try:
            return self._completion(self._reply(request, timeout_s))
        except EndpointError as error:
            raise _without(key, error) from None

    def reach(self, timeout_s: float = 5.0) -> None:
        """``EndpointError`` where nobody listens there. Nothing is asked."""
        parts = urlsplit(self.address)
        request = urllib.request.Request(
            urlunsplit((parts.scheme, parts.netloc, "/", "", "")), method="HEAD"
        )
        try:
            self._reply(request, timeout_s)
        except EndpointError as error:
            if error.status is None:
                raise

    # ---------------------------------------------------------------------------------- inside
    def _reply(self, request: urllib.request.Request, timeout_s: float) -> bytes:
        until = time.monotonic() + timeout_s
        opener = urllib.request.build_opener(_NoRedirect)
        try:
            with opener.open(request, timeout=timeout_s) as reply:
                return self._read(reply, until, timeout_s)
        except urllib.error.HTTPError as error:
            raise self._refusal(error) from None
        except TimeoutError:
            raise self._late(timeout_s) from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise self._late(timeout_s) from None
            cause = error.reason if isinstance(error.reason, Exception) else error
            passing = not isinstance(cause, ssl.SSLError | ValueError)
            raise self._away(cause, is_passing=passing) from None
        except (OSError, http.client.HTTPException) as error:
            raise self._away(error, is_passing=True) from None
        except ValueError as error:
            raise self._away(error, is_passing=False) from None

    def _read(self, reply: Any, until: float, timeout_s: float) -> bytes:
        """All of it; a reply that drips is late as a whole."""
        data = bytearray()
        while chunk := reply.read1(1 << 16):
            data += chunk
            if len(data) > _MOST_BYTES:
                raise EndpointError(
                    f"the {self.role} at {self.address} answered more than {_MOST_BYTES} bytes"
                )
            if time.monotonic() > until:
                raise self._late(timeout_s)
        expected = reply.headers.get("Content-Length", "")
        if expected.isdigit() and len(data) < int(expected):
            raise self._away(http.client.IncompleteRead(bytes(data[:0])), is_passing=True)
        return bytes(data)

    def _refusal(self, error: urllib.error.HTTPError) -> EndpointError:
        said = ""
        with contextlib.suppress(Exception):
            said = " ".join(error.read(_MOST_BYTES).decode(errors="replace").split())
        about = f" {error.reason}" if error.reason else ""
        passing = error.code in _PASSING and not any(word in said for word in _FOR_GOOD)
        return EndpointError(
            f"the {self.role} at {self.address} answered {error.code}{about}: {said[:_SHOWN]}",
            status=error.code,
            said=said,
            is_passing=passing,
            wait_s=_told_wait_s(error.headers),
        )

    def _late(self, timeout_s: float) -> EndpointError:
        return EndpointError(
            f"the {self.role} at {self.address} gave no answer within {timeout_s:g} s",
            is_passing=True,
        )

    def _away(self, error: BaseException, *, is_passing: bool) -> EndpointError:
        return EndpointError(
            f"cannot reach the {self.role} at {self.address} ({one_line(error)})",
            is_passing=is_passing,
        )

    def _completion(self, data: bytes) -> Completion:
        try:
            document: Any = json.loads(data)
            choice = document["choices"][0]
            text = _text(choice["message"])
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            text = None
        if text is None:
            said = " ".join(data[:120].decode(errors="replace").split())
            raise EndpointError(
                f"the {self.role} at {self.address} did not answer with a chat completion:"
                f" '{said}'",
                said=said,
                is_passing=True,
                is_garbled=True,
            )
        usage = document.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        return Completion(
            text,
            _count(usage.get("prompt_tokens")),
            _count(usage.get("completion_tokens")),
            str(choice.get("finish_reason") or ""),
        )


def ask_patiently(
    endpoint: Endpoint,
    body: Mapping[str, Any],
    *,
    until: float,
    timeout_s: float,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[Completion, int]:
    """The completion and the number of attempts that it took. What is passing is waited for until
    ``until`` (``time.monotonic``), what is garbled asked for three times; then the last
    ``EndpointError`` is raised, with the number of attempts in its text."""
    attempts, garbled, began = 0, 0, time.monotonic()
    while True:
        attempts += 1
        left_s = max(0.05, until - time.monotonic())
        try:
            return endpoint.ask(body, min(timeout_s, left_s)), attempts
        except EndpointError as error:
            wait_s = _wait_s(attempts) if error.wait_s is None else max(0.0, error.wait_s)
            garbled += error.is_garbled
            goes_on = error.is_passing and garbled < _MOST_GARBLED
            if goes_on and time.monotonic() + wait_s < until:
                sleep(wait_s)
                continue
            raise _given_up(error, attempts, time.monotonic() - began) from None


def _given_up(error: EndpointError, attempts: int, seconds: float) -> EndpointError:
    if not error.is_passing:
        return error
    told = "" if error.wait_s is None else f"; it asks to wait {error.wait_s:g} s"
    times = "1 attempt" if attempts == 1 else f"{attempts} attempts"
    return error.retold(f"{error}{told} ({times} in {seconds:.0f} s)", error.said)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A key is sent to the address that it is for, and to no other."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> None:
        return None


def _wait_s(attempts: int) -> float:
    """Twice as long each time. Drawn, so that many who were refused at once do not come again at
    once; from the system's own source, since no result depends on it."""
    longest = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2.0 ** min(attempts - 1, 10))
    return random.SystemRandom().uniform(0.5, 1.0) * longest


def _told_wait_s(headers: Mapping[str, str] | Message | None) -> float | None:
    """The seconds of ``Retry-After``: a number or a date, or (in milliseconds) its newer kin."""
    if headers is None:
        return None
    number = _number(headers.get("retry-after-ms"))
    if number is not None:
        return number / 1e3
    told = headers.get("Retry-After")
    number = _number(told)
    if number is not None or not told:
        return number
    with contextlib.suppress(ValueError, TypeError, OverflowError):
        when = parsedate_to_datetime(str(told))
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, (when - datetime.now(UTC)).total_seconds())
    return None


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0.0 else None


def _text(message: Any) -> str | None:
    """The words of a message: one text, or the text parts of several. A refusal is an answer."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if not content and isinstance(message.get("refusal"), str):
        content = message["refusal"]
    return content if isinstance(content, str) else "" if content is None else None


def _count(value: Any) -> int | None:
    """A number of tokens; None where it is not told, or cannot be one."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_TOKENS
    return value if is_count else None


def _without(key: str, error: EndpointError) -> EndpointError:
    """The error without the key, which some endpoints send back."""
    if not key or (key not in str(error) and key not in error.said):
        return error
    return error.retold(str(error).replace(key, "…"), error.said.replace(key, "…"))
