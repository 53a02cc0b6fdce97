"""What an agent may use before it costs the episode."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from navproof.core.errors import SpecError

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What an agent may use before it costs the episode.

    ``step_s``: wall time of one ``act``. ``setup_s``: of its constructor, and of each ``reset``.
    ``episode_s``: from ``reset`` to the last step. ``memory_mb``: resident memory (MiB) of the
    agent's process with all that it started, read from ``/proc`` (so on Linux only).
    """

    step_s: float = 30.0
    setup_s: float = 300.0
    episode_s: float = 1800.0
    memory_mb: float = 8192.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not (math.isfinite(value) and value > 0):
                raise SpecError(f"limit {name} must be a positive number, got {value}")
