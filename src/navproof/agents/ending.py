"""How an agent says that it is there."""

from __future__ import annotations

from navproof.core.types import Move, TaskBrief

__all__ = ["ending"]


def ending(brief: TaskBrief) -> Move:
    """``FOUND`` where the task has several goals to claim, else ``STOP``."""
    return Move.FOUND if Move.FOUND in brief.actions else Move.STOP
