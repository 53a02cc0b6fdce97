"""What can be set of an agent that asks a language model: ``chat@endpoint=…@model=…@images=no``."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from navproof.agents.options import check_between
from navproof.agents.search.eyes import sensors_for
from navproof.core.endpoint.client import Endpoint
from navproof.core.errors import AgentError, SpecError

__all__ = ["ENDPOINT_VARIABLE", "KEY_VARIABLE", "ChatOptions"]

KEY_VARIABLE = "NAVPROOF_CHAT_KEY"
ENDPOINT_VARIABLE = "NAVPROOF_CHAT_ENDPOINT"
_NEEDS = (
    "it asks a language model: say which, as in @endpoint=http://localhost:8000@model=NAME (the"
    f" endpoint may be in the environment variable {ENDPOINT_VARIABLE})"
)


@dataclass(frozen=True)
class ChatOptions:
    """``endpoint`` and ``model``: who is asked (without an endpoint, that of the environment
    variable ``ENDPOINT_VARIABLE``); ``key`` is the environment variable that holds the key, where
    one is wanted.

    What the model is shown: ``images`` (without them, what depth and ``detector`` say, in words),
    at most ``image_px`` wide and high, in one picture where ``mosaic``; all around (``look``) or
    what is ahead alone; a panorama sensor's views where ``panorama`` names one. It chooses among at
    most ``directions`` ways of at most ``stride_m`` metres. ``checks``: it is asked once more
    before it stops. ``prompts`` is a folder with texts that take the place of ours.

    How it is asked: at ``temperature`` (none: not said), for at most ``answer_tokens``, with
    ``form`` as the form of the answer. One step waits at most ``patience_s`` for answers, one
    attempt at most ``timeout_s``. An episode ends where ``max_calls`` or ``max_tokens`` are used
    up. ``cache``: answers of before are used, nothing else is ("only"), or they are not ("off").
    ``price_in`` and ``price_out`` are those of a million tokens.
    """

    endpoint: str = ""
    model: str = ""
    images: bool = True
    look: Literal["around", "ahead"] = "around"
    panorama: str = ""
    image_px: int = 512
    mosaic: bool = False
    directions: int = 8
    stride_m: float = 2.5
    detector: str = ""
    checks: bool = True
    prompts: Path | None = None
    temperature: float | None = 0.0
    answer_tokens: int = 1024
    form: Literal["schema", "object", "text"] = "schema"
    patience_s: float = 25.0
    timeout_s: float = 60.0
    max_calls: int | None = None
    max_tokens: int | None = None
    cache: Literal["use", "only", "off"] = "use"
    key: str = KEY_VARIABLE
    price_in: float = 0.0
    price_out: float = 0.0

    def __post_init__(self) -> None:
        check_between(self, 64, 4096, "image_px")
        check_between(self, 1, 32, "directions")
        check_between(self, 0.5, 10.0, "stride_m")
        check_between(self, 16, 1 << 20, "answer_tokens")
        check_between(self, 0.1, 86_400.0, "patience_s", "timeout_s")
        check_between(self, 0.0, math.inf, "price_in", "price_out")
        for name in ("max_calls", "max_tokens"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise AgentError(f"{name} must be at least 1, not {value}")
        if self.temperature is not None:
            check_between(self, 0.0, 2.0, "temperature")
        if self.prompts is not None and not self.prompts.is_dir():
            raise AgentError(f"there is no folder {self.prompts} with prompts")
        if self.endpoint and self.model:
            _ = self.at

    @property
    def address(self) -> str:
        return self.endpoint or os.environ.get(ENDPOINT_VARIABLE, "")

    @property
    def at(self) -> Endpoint:
        """Who is asked; an ``AgentError`` where nobody is named."""
        if not self.address or not self.model:
            raise AgentError(_NEEDS)
        try:
            return Endpoint(self.address, self.key, "chat model")
        except SpecError as error:
            raise AgentError(str(error)) from None

    @property
    def eyes(self) -> str:
        """The detector's name, "" for none: in words alone, one is needed to name things."""
        if self.detector == "none":
            return ""
        return self.detector or ("" if self.images else "default")

    @property
    def sensors(self) -> tuple[str, ...]:
        around = (self.panorama, f"{self.panorama}_depth") if self.panorama else ()
        return (*sensors_for(self.eyes), *around)

    @property
    def feels(self) -> frozenset[str]:
        seen = {"rgb"} if self.images or self.eyes else set[str]()
        return frozenset({"depth", "words", "prompt", *seen})

    @property
    def files(self) -> tuple[str, ...]:
        """What it is made of besides its code."""
        return () if self.prompts is None else (str(self.prompts),)
