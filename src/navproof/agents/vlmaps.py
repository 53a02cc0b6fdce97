"""VLMaps (Huang et al. 2023) as LangNavBench runs it (§5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from navproof.agents._search_eyes import Eyes, sensors_for
from navproof.agents._search_memory import FeatureMemory
from navproof.agents.options import check_between
from navproof.agents.searcher import Method, SearchAgent, Searcher
from navproof.perception.feature_map import MapSettings

__all__ = ["VLMaps", "VLMapsOptions"]


@dataclass(frozen=True)
class VLMapsOptions:
    """``match`` is the probability from which on words fit a spot of the map."""

    encoder: str = "default"
    match: float = 0.5
    cell_m: float = 0.06

    def __post_init__(self) -> None:
        check_between(self, 0.0, 1.0, "match")
        check_between(self, 0.02, 1.0, "cell_m")

    @property
    def sensors(self) -> tuple[str, ...]:
        return sensors_for(self.encoder)


@final
class VLMaps(SearchAgent):
    """A flat map of mean features; its best matching spot is the goal, from the first step on."""

    Options = VLMapsOptions

    def __init__(self, options: VLMapsOptions | None = None) -> None:
        o = options or VLMapsOptions()
        method = Method("vlmaps", "map", "map", 0.0, "nearest", o.match, 1.0)
        settings = MapSettings(layers=1, cell_m=o.cell_m, fusion="mean")
        super().__init__(
            Searcher(
                method,
                Eyes(o.encoder, None),
                lambda eyes: FeatureMemory(eyes, settings, method.view_m),
            )
        )
