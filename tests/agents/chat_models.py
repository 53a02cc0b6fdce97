"""Language models on this machine, behind a real HTTP server: one that looks at the pictures it is
sent, and one with every fault that an endpoint can have."""

from __future__ import annotations

import base64
import json
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Asked", "ChatServer", "Looking", "Reply", "directions_in", "numbers_in"]

Image = NDArray[np.uint8]
BLUE, RED, GREEN = "blue", "red", "green"


@dataclass
class Asked:
    """A question as it came: the words and pictures of all that the user said, the words said last,
    and the body of the request."""

    body: dict[str, Any]
    headers: dict[str, str]
    path: str
    words: str = ""
    last: str = ""
    pictures: list[Image] = field(default_factory=list)

    @property
    def fields(self) -> set[str]:
        """The fields of the answer that is asked for, where a schema says so."""
        form = self.body.get("response_format", {}).get("json_schema", {})
        return set(form.get("schema", {}).get("properties", {}))

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])


@dataclass
class Reply:
    """What is sent back: words of the model, or raw bytes, with a status and headers. ``cut``:
    the connection ends in the middle; ``wait_s``: before anything is sent."""

    words: str | None = None
    data: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    wait_s: float = 0.0
    tokens: tuple[int, int] | None = (100, 10)
    finish: str = "stop"

    def packed(self) -> bytes:
        if self.words is None:
            return self.data
        usage = (
            {}
            if self.tokens is None
            else {
                "usage": {
                    "prompt_tokens": self.tokens[0],
                    "completion_tokens": self.tokens[1],
                }
            }
        )
        message = {"role": "assistant", "content": self.words}
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        return json.dumps({"choices": [choice], **usage}).encode()


Answer = Callable[[Asked], Reply | str]


class ChatServer:
    """An OpenAI-compatible endpoint; ``answer`` says what it answers. Use as a context manager."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ChatServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _reply(self, asked: Asked) -> Reply:
        with self._lock:
            self.asked.append(asked)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            found = self.answer(asked)
            reply = Reply(found) if isinstance(found, str) else found
            time.sleep(reply.wait_s)
            return reply
        finally:
            with self._lock:
                self._now -= 1

    def _handler(served) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self) -> None:
                self.send_response(404)
                self.end_headers()

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked = Asked(body, dict(self.headers), self.path)
                for message in body["messages"]:
                    if message["role"] == "user":
                        asked.last, pictures = _content(message["content"])
                        asked.words = "\n".join(filter(None, (asked.words, asked.last)))
                        asked.pictures += pictures
                reply = served._reply(asked)
                data = reply.packed()
                try:
                    self.send_response(reply.status)
                    length = len(data) + (1000 if reply.cut else 0)
                    self.send_header("Content-Length", str(length))
                    for name, value in {
                        "Content-Type": "application/json",
                        **reply.headers,
                    }.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(data)
                except OSError:
                    pass  # the client has given up
                self.close_connection = True

            def log_message(self, *_: object) -> None: ...

        return Handler


def _content(content: Any) -> tuple[str, list[Image]]:
    if isinstance(content, str):
        return content, []
    words = "\n".join(part["text"] for part in content if part["type"] == "text")
    pictures = []
    for part in content:
        if part["type"] == "image_url":
            kind, _, packed = part["image_url"]["url"].partition(";base64,")
            assert kind == "data:image/jpeg"
            data = np.frombuffer(base64.b64decode(packed), dtype=np.uint8)
            decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
            pictures.append(np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB), dtype=np.uint8))
    return words, pictures


# ------------------------------------------------------------------------------ a model that looks
def coloured(picture: Image, colour: str) -> NDArray[np.bool_]:
    """The pixels of a saturated colour."""
    r, g, b = (picture[..., i].astype(np.int32) for i in range(3))
    if colour == BLUE:
        return (b > r + 30) & (b > g + 25)
    if colour == GREEN:
        return (g > r + 20) & (g > b + 20)
    return (r > g + 40) & (r > b + 40)


@cache
def _templates(radius: int) -> tuple[tuple[int, Image], ...]:
    """A disc with each number, as somebody would draw it who has seen a few."""
    found = []
    for number in range(1, 10):
        side = 2 * radius + 1
        disc = np.full((side, side, 3), 255, dtype=np.uint8)
        scale, thick = radius / 17.0, max(1, round(radius / 8))
        face = cv2.FONT_HERSHEY_SIMPLEX
        (wide, tall), _ = cv2.getTextSize(str(number), face, scale, thick)
        at = (radius - wide // 2, radius + tall // 2)
        cv2.putText(disc, str(number), at, face, scale, (0, 0, 0), thick, cv2.LINE_AA)
        n = round(0.62 * radius)
        found.append(
            (number, disc[radius - n : radius + n + 1, radius - n : radius + n + 1].copy())
        )
    return tuple(found)


def numbers_in(picture: Image) -> dict[int, tuple[float, float]]:
    """The numbers on white discs in a picture, with where they stand (shares of its size)."""
    height, width = picture.shape[:2]
    radius = max(9, round(height / 24))
    best: dict[tuple[int, int], tuple[float, int]] = {}
    for number, template in _templates(radius):
        score = cv2.matchTemplate(picture, template, cv2.TM_CCOEFF_NORMED)
        for v, u in np.argwhere(score > 0.75):
            at = (int(u) + template.shape[1] // 2, int(v) + template.shape[0] // 2)
            near = next((k for k in best if max(abs(k[0] - at[0]), abs(k[1] - at[1])) < radius), at)
            value = float(score[v, u])
            if value > best.get(near, (0.0, 0))[0]:
                best[near] = (value, number)
    return {number: (u / width, v / height) for (u, v), (_, number) in best.items()}


def directions_in(words: str) -> dict[int, str]:
    """The lines of the list of ways."""
    return {int(n): line for n, line in re.findall(r"^(\d+): (.*)$", words, re.MULTILINE)}


class Looking:
    """Points at what has a colour, else takes the longest arrow that it reads in the pictures, of
    those that are said to lead on; it confirms where enough of the colour is in view."""

    def __init__(self, colour: str = BLUE, least: float = 0.002, confirms: float = 0.02) -> None:
        self.colour, self.least, self.confirms = colour, least, confirms

    def __call__(self, asked: Asked) -> Reply | str:
        wanted = asked.fields
        reply: dict[str, Any]
        if "Look once more" in asked.words:
            share = max(float(coloured(picture, self.colour).mean()) for picture in asked.pictures)
            return json.dumps({"why": f"{share:.3f} of it", "done": share >= self.confirms})
        if "scores" in wanted:
            return json.dumps({"scores": self.scores(asked.pictures)})
        if "subtask" in wanted:
            spot = self.spot(asked.pictures)
            reply = {"subtask": "go on", "found": spot is not None, "point": spot}
            return json.dumps(reply)
        if "letters" in wanted:
            return json.dumps({"why": "", "letters": ["A"]})
        if "mark" in wanted:
            spot, seen = self.spot(asked.pictures), []
            if spot is not None:
                seen = [{"what": f"{self.colour} thing", **spot}]
            reply = {"seen": seen, "room": "", "why": "", "mark": "F1", "point": spot}
            return json.dumps(reply)
        if wanted == {"why", "direction"}:
            return json.dumps({"why": "", "direction": self.way(asked.pictures, asked.words)})
        reply = {
            "seen": [],
            "room": "a room",
            "notes": "looked",
            "why": "",
            "direction": 1,
            "point": None,
            "thing": None,
            "done": False,
            "answer": None,
        }
        spot = self.spot(asked.pictures)
        if "stands before" in asked.last:
            reply["done"] = True
        elif spot is not None:
            reply["point"] = spot
            reply["seen"] = [{"what": f"{self.colour} thing", **spot}]
            reply["why"] = "there it is"
        else:
            reply["direction"] = self.way(asked.pictures, asked.words)
        return json.dumps(reply)

    def scores(self, pictures: Sequence[Image]) -> list[dict[str, Any]]:
        """10 where the colour is in view, else by how much floor is."""
        found = []
        for number, picture in enumerate(pictures, start=1):
            low = picture[picture.shape[0] // 2 :].astype(np.int32)
            floor = float((low[..., 0] > low[..., 2] + 20).mean())
            there = float(coloured(picture, self.colour).mean()) >= self.least
            score = 10 if there else round(8 * floor, 1)
            found.append({"view": number, "score": score, "why": "floor"})
        return found

    def spot(self, pictures: Sequence[Image]) -> dict[str, int] | None:
        """Where most of the colour is."""
        shares = [float(coloured(picture, self.colour).mean()) for picture in pictures]
        view = int(np.argmax(shares))
        if shares[view] < self.least:
            return None
        rows, cols = np.nonzero(coloured(pictures[view], self.colour))
        height, width = pictures[view].shape[:2]
        x, y = np.median(cols) / width, np.median(rows) / height
        return {"view": view + 1, "x": round(1000 * x), "y": round(1000 * y)}

    def way(self, pictures: Sequence[Image], words: str) -> int:
        """The arrow that reaches highest in a picture, rather one that leads on."""
        lines = directions_in(words)
        tips: dict[int, float] = {}
        for picture in pictures:
            for number, (_, v) in numbers_in(picture).items():
                tips[number] = min(v, tips.get(number, 1.0))
        tips = {n: v for n, v in tips.items() if n in lines}
        if not tips:
            return next(iter(lines), 1)
        return min(
            tips,
            key=lambda n: (
                "been there" in lines[n],
                "unexplored" not in lines[n],
                tips[n],
            ),
        )
