"""VLMaps (Huang et al. 2023) as LangNavBench runs it (§5.2)."""

from __future__ import annotations

from typing import final

from navproof.agents.registry import register_agent
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.memory import FeatureMemory
from navproof.agents.search.searcher import MapOptions, Method, SearchAgent, Searcher
from navproof.perception.feature_map import MapSettings

__all__ = ["VLMaps"]


@register_agent("vlmaps")
@final
class VLMaps(SearchAgent):
    """A flat map of mean features; its best matching spot is the goal as soon as one matches."""

    Options = MapOptions

    def __init__(self, options: MapOptions | None = None) -> None:
        o = options or MapOptions()
        method = Method("vlmaps", "map", "map", 0.0, "nearest", o.match, 1.0)
        settings = MapSettings(layers=1, cell_m=o.cell_m, fusion="mean")
        super().__init__(
            Searcher(
                method,
                Eyes(o.encoder, None),
                lambda eyes: FeatureMemory(eyes, settings, method.view_m),
            )
        )
