"""A language model to ask, at a real endpoint on this machine, and agents to ask it about."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from navproof.agents.baselines.frontier import FrontierAgent
from navproof.core.types import Decision, Move, Observation, TaskBrief

__all__ = ["HASTY", "MUDDLED", "WORDY", "Hasty", "Model", "Muddled", "Wordy"]

MUDDLED, HASTY = "judge_samples:Muddled", "judge_samples:Hasty"
WORDY = "judge_samples:Wordy"


class Muddled:
    """An explorer that never stops, and that tells each thing it remembers a second time, 5 m off,
    from its 4th step on; from the 8th on it tells nothing."""

    sensors = FrontierAgent.sensors

    def __init__(self) -> None:
        self._inner = FrontierAgent()

    def reset(self, brief: TaskBrief) -> None:
        self._inner.reset(brief)

    def act(self, obs: Observation) -> Decision:
        told = self._inner.act(obs)
        assert told.beliefs is not None
        held = told.beliefs.remembered if obs.step < 8 else ()
        off = [replace(r, position=(r.position[0] + 5.0, *r.position[1:])) for r in held]
        claims = (*held, *off) if obs.step >= 4 else held
        action = Move.LEFT if told.action is Move.STOP else told.action
        return Decision(action, replace(told.beliefs, remembered=claims))


class Hasty(Muddled):
    """The same, but it stops after a dozen steps."""

    def act(self, obs: Observation) -> Decision:
        told = super().act(obs)
        return replace(told, action=Move.STOP) if obs.step >= 12 else told


class Wordy(Hasty):
    """The same, with longer names for what it sees."""

    def act(self, obs: Observation) -> Decision:
        told = super().act(obs)
        assert told.beliefs is not None
        seen = tuple(replace(d, label=f"wooden {d.label}") for d in told.beliefs.perceived)
        return replace(told, beliefs=replace(told.beliefs, perceived=seen))


class Model:
    """A chat endpoint that gives the prepared answers in turn, or always the same two."""

    def __init__(self) -> None:
        self.answers: list[str] = []
        self.labels, self.memories = '{"d": 0.9}', '{"s": 0.25}'
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                model.asked.append(json.loads(body))
                question = model.asked[-1]["messages"][1]["content"]
                usual = model.memories if "memory" in question else model.labels
                model.keys.append(self.headers.get("Authorization"))
                answer = model.answers.pop(0) if model.answers else usual
                message = {"role": "assistant", "content": answer}
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
