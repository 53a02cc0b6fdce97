"""OneMap (Busch et al. 2024) as LangNavBench runs it, and with two phases (§5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from navproof.agents.options import check_between
from navproof.agents.registry import register_agent
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.memory import FeatureMemory
from navproof.agents.search.searcher import EyeOptions, Method, SearchAgent, Searcher
from navproof.perception.feature_map import MapSettings

__all__ = ["OneMap", "OneMapOptions", "OneMapV2", "OneMapV2Options"]


@dataclass(frozen=True)
class OneMapOptions(EyeOptions):
    cell_m: float = 0.06

    def __post_init__(self) -> None:
        check_between(self, 0.0, 1.0, "match", "detection")
        check_between(self, 0.02, 1.0, "cell_m")


@dataclass(frozen=True)
class OneMapV2Options(OneMapOptions):
    """``eae`` is the share of each goal's budget in which map and detector must agree."""

    eae: float = 0.4

    def __post_init__(self) -> None:
        OneMapOptions.__post_init__(self)
        check_between(self, 0.0, 1.0, "eae")


@register_agent("onemap")
@final
class OneMap(SearchAgent):
    """A flat feature map fused by confidence, which draws it to likely frontiers; map and detector
    must agree throughout."""

    Options = OneMapOptions

    def __init__(self, options: OneMapOptions | None = None) -> None:
        o = options or OneMapOptions()
        super().__init__(
            _searcher(o, Method("onemap", "both", "both", 1.0, "value", o.match, o.detection))
        )


@register_agent("onemap-v2")
@final
class OneMapV2(SearchAgent):
    """OneMap with two phases: map and detector must agree first, later the map alone counts."""

    Options = OneMapV2Options

    def __init__(self, options: OneMapV2Options | None = None) -> None:
        o = options or OneMapV2Options()
        super().__init__(
            _searcher(o, Method("onemap-v2", "both", "map", o.eae, "value", o.match, o.detection))
        )


def _searcher(o: OneMapOptions, method: Method) -> Searcher:
    settings = MapSettings(layers=1, cell_m=o.cell_m, fusion="confidence")
    return Searcher(
        method,
        Eyes(o.encoder, o.detector),
        lambda eyes: FeatureMemory(eyes, settings, method.view_m),
    )
