"""What of an agent's code and files is not part of what a run is, in words."""

from __future__ import annotations

from navproof.core.errors import printable
from navproof.log.folder import RunInfo

__all__ = ["unfollowed_notes"]

_SHOWN = 3


def unfollowed_notes(info: RunInfo, *, whole: bool = False) -> list[str]:
    """A line for each agent of which something could not be followed; ``whole``: with all of it,
    however much that is."""
    return [_note(info, agent, whole) for agent in info.unfollowed]


def _note(info: RunInfo, agent: str, whole: bool) -> str:
    lines = info.unfollowed[agent]
    served = info.spec.get("served", {})
    if agent in served:
        told = served[agent] or {}
        who = printable(", ".join(f"{key} {value}" for key, value in told.items())) or "nothing"
        return f"{agent}: its code cannot be followed; its server says of itself: {who}"
    shown = lines if whole else lines[:_SHOWN]
    more = f", … ({len(lines)} in all)" if len(lines) > len(shown) else ""
    named = ""
    if agent in info.spec.get("agent_files", {}):  # what it reads may be what was named
        named = " (the files that these and its options name are part of it)"
    return (
        f"{agent}: not part of the run's identity: {', '.join(shown)}{more}; what decides its "
        f"actions belongs into the class's `files`{named}"
    )
