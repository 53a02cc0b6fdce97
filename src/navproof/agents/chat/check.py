"""The question before the robot stops: is this really it?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from navproof.agents.chat.kit import Around, ChatKit
from navproof.agents.chat.memory import things_in_words
from navproof.agents.chat.replies import BadReplyError, flag, schema_of

__all__ = ["Check"]

_SCHEMA = schema_of({"why": {"type": "string"}, "done": {"type": "boolean"}})


@final
class Check:
    """Asks whether what was to be done is done, without the ways to go on."""

    def __init__(self, kit: ChatKit) -> None:
        self._kit = kit

    def confirms(self, around: Around) -> bool:
        """Where the answer cannot be used, what was said before counts: it is done."""
        kit = self._kit
        values = {
            "task": kit.task_words(),
            "goal": kit.goal,
            "history": kit.diary.words(around.pose),
            "things": things_in_words(around.things, around.pose),
            "views": kit.views_words(around),
        }
        name = "check-thing" if kit.seeks_a_thing else "check"
        found = kit.asker.ask(
            "check",
            kit.prompts.filled(name, values),
            kit.pictures(around, ways=False),
            _SCHEMA,
            _said,
        )
        return True if found is None else found


def _said(reply: Mapping[str, Any]) -> bool:
    if "done" not in reply:
        raise BadReplyError("it does not say 'done'")
    return flag(reply, "done")
