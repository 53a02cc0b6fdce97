"""MLFM, the Multi-Layered Feature Map of LangNavBench (Raychaudhuri et al. 2025, §4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from navproof.agents.options import check_between
from navproof.agents.registry import register_agent
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.memory import FeatureMemory, Features
from navproof.agents.search.searcher import EyeOptions, Method, Rule, SearchAgent, Searcher
from navproof.perception.feature_map import MapSettings

__all__ = ["MLFM", "MLFMOptions"]


@dataclass(frozen=True)
class MLFMOptions(EyeOptions):
    """``eae`` is the share of each goal's budget in which map and detector must agree; ``sources``
    who is asked at all; ``kernel`` whether "this on that" is asked as two texts across layers."""

    layers: int = 3
    cell_m: float = 0.06
    eae: float = 0.4
    sources: Rule = "both"
    kernel: bool = True
    features: Features = "patch"

    def __post_init__(self) -> None:
        check_between(self, 0.0, 1.0, "match", "detection", "eae")
        check_between(self, 0.02, 1.0, "cell_m")
        check_between(self, 1, 16, "layers")


@register_agent("mlfm")
@final
class MLFM(SearchAgent):
    """Features in layers of height, text as kernel for what stands on what, consensus with a
    detector first and the map alone later (EAE-E)."""

    Options = MLFMOptions

    def __init__(self, options: MLFMOptions | None = None) -> None:
        o = options or MLFMOptions()
        both = o.sources == "both"
        method = Method(
            "mlfm",
            first=o.sources,
            then="map" if both else o.sources,
            share=o.eae,
            choice="value",
            match=o.match,
            detection=o.detection,
            parts=o.kernel and o.sources != "detector",
        )
        eyes = Eyes(
            None if o.sources == "detector" else o.encoder,
            None if o.sources == "map" else o.detector,
        )
        settings = MapSettings(layers=o.layers, cell_m=o.cell_m, fusion="confidence")
        super().__init__(
            Searcher(
                method,
                eyes,
                None
                if o.sources == "detector"
                else lambda eyes: FeatureMemory(
                    eyes, settings, method.view_m, o.features, o.kernel
                ),
            )
        )
