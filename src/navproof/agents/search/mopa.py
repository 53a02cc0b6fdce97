"""MOPA (Raychaudhuri et al. 2024) as LangNavBench runs it (§5.2): with a planner, not PointNav."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from navproof.agents.options import check_between
from navproof.agents.registry import register_agent
from navproof.agents.search.eyes import Eyes, sensors_for
from navproof.agents.search.searcher import Method, SearchAgent, Searcher

__all__ = ["MOPA", "MOPAOptions"]


@dataclass(frozen=True)
class MOPAOptions:
    """``detection`` is the score from which on a detection is believed."""

    detector: str = "default"
    detection: float = 0.3

    def __post_init__(self) -> None:
        check_between(self, 0.0, 1.0, "detection")

    @property
    def sensors(self) -> tuple[str, ...]:
        return sensors_for(self.detector)


@register_agent("mopa")
@final
class MOPA(SearchAgent):
    """A map of what was detected; wanders to uniformly drawn places until the goal is on it."""

    Options = MOPAOptions

    def __init__(self, options: MOPAOptions | None = None) -> None:
        o = options or MOPAOptions()
        method = Method("mopa", "detector", "detector", 1.0, "uniform", 1.0, o.detection)
        super().__init__(Searcher(method, Eyes(None, o.detector)))
