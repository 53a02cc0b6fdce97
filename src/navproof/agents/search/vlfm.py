"""VLFM (Yokoyama et al. 2024) as LangNavBench runs it, and with two phases (§5.2, §5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from navproof.agents.options import check_between
from navproof.agents.registry import register_agent
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.memory import ValueMemory
from navproof.agents.search.searcher import EyeOptions, MapOptions, Method, SearchAgent, Searcher

__all__ = ["VLFM", "VLFMv2", "VLFMv2Options"]


@dataclass(frozen=True)
class VLFMv2Options(EyeOptions):
    """``eae`` is the share of each goal's budget in which map and detector must agree."""

    cell_m: float = 0.06
    eae: float = 0.4

    def __post_init__(self) -> None:
        check_between(self, 0.0, 1.0, "match", "detection", "eae")
        check_between(self, 0.02, 1.0, "cell_m")


@register_agent("vlfm")
@final
class VLFM(SearchAgent):
    """A map of how well whole images fit the words, which draws it to likely frontiers; the goal
    is the best spot of that map as soon as one matches."""

    Options = MapOptions

    def __init__(self, options: MapOptions | None = None) -> None:
        o = options or MapOptions()
        method = Method("vlfm", "map", "map", 0.0, "value", o.match, 1.0)
        super().__init__(_searcher(method, Eyes(o.encoder, None), o.cell_m))


@register_agent("vlfm-v2")
@final
class VLFMv2(SearchAgent):
    """VLFM with two phases: map and detector must agree first, later the map alone counts."""

    Options = VLFMv2Options

    def __init__(self, options: VLFMv2Options | None = None) -> None:
        o = options or VLFMv2Options()
        method = Method("vlfm-v2", "both", "map", o.eae, "value", o.match, o.detection)
        super().__init__(_searcher(method, Eyes(o.encoder, o.detector), o.cell_m))


def _searcher(method: Method, eyes: Eyes, cell_m: float) -> Searcher:
    return Searcher(method, eyes, lambda eyes: ValueMemory(eyes, cell_m, method.view_m))
