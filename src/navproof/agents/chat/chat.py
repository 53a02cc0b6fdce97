"""``chat``: a robot that asks a language model behind an endpoint where to go."""

from __future__ import annotations

from typing import final

from navproof.agents.chat.body import ChatBody
from navproof.agents.chat.decide import Decide
from navproof.agents.chat.options import ChatOptions
from navproof.agents.correction import Correction
from navproof.agents.registry import register_agent
from navproof.core.types import Decision, Observation, TaskBrief

__all__ = ["Chat"]


@register_agent("chat")
@final
class Chat:
    """Asks a language model at an endpoint which of the ways to take. It sees what the robot's
    camera shows all around, or is told it in words."""

    Options = ChatOptions
    sensors = ("rgb", "depth", "pose", "pointgoal")
    feels = frozenset({"rgb", "depth", "words", "prompt"})

    def __init__(self, options: ChatOptions | None = None) -> None:
        self._body = ChatBody("chat", options or ChatOptions(), Decide())

    def reset(self, brief: TaskBrief) -> None:
        self._body.reset(brief)

    def act(self, obs: Observation) -> Decision:
        return self._body.act(obs)

    def correct(self, correction: Correction) -> None:
        self._body.correct(correction)
