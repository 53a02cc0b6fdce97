"""Names of agents as people read them: ``oracle``, ``mlfm@layers=1``, ``Class@speed=2``."""

from __future__ import annotations

from dataclasses import replace

from navproof.core.errors import SpecError
from navproof.core.names import parse_name

__all__ = ["short_name"]


def short_name(name: str) -> str:
    """Without file or module, with the options: ``Class@speed=2``. A name that could not be
    written today stays as it is."""
    try:
        parsed = parse_name(name)
    except SpecError:
        return name
    return str(replace(parsed, ref=parsed.attribute))
