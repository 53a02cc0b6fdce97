"""ApexNav (Zhang et al., RA-L 2025): semantic exploration where cues are strong, else geometric.

A value map (VLFM's) tells how well what was seen fits the goal and the room where it is to be
expected. Frontiers have the best value near them. With the greatest value over their mean
r = max/mean and their standard deviation σ, exploration is semantic if r > ``ratio`` and
σ > ``sigma``: of the frontiers with at least max(``ratio``, 0.9·r) times the mean, the first on
the shortest tour through all of them; else the nearest. Detections of the goal, and of things that
a language model says are easily taken for it, are fused by object (``fusion``); an object is gone
to when it is rather the goal than anything else, with a confidence of at least ``confidence``.
Where nothing is left to explore, the likeliest object must do. Rules are those of the paper and
the released code (github.com/Robotics-STAR-Lab/ApexNav), the share 0.9 the code's.

Differences from paper and code:

- Values are (1 + cos)/2 with the cosine between our encoder's image and the words of goal and room,
  which may be below 0, in place of BLIP-2's for a sentence. ``sigma`` and ``ratio`` are the code's.
- The language model does not say a threshold for each kind of goal: ``confidence`` is one for all.
- Evidence is counted in cells of 10 cm of the floor plan, not in voxels, and negative evidence by
  cells that are looked at near the object's height.
- The other things are asked for in every third step, the detector sees boxes and masks of its own,
  and what is out of the depth sensor's range is not gone to.
- A choice stands for 5 steps, in place of until a frontier changes. The tour is exact up to eight
  frontiers, the best by value, in place of Lin–Kernighan–Helsgaun.
- It turns round once at the start (the code twice, with another tilt), and getting about is the
  core's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, final

import numpy as np

from navproof.agents.language import LanguageModel, load_language_model
from navproof.agents.language.load import check_language_model
from navproof.agents.mapping.navigate import Navigator
from navproof.agents.options import check_between
from navproof.agents.registry import register_agent
from navproof.agents.search.explore import Frontier
from navproof.agents.search.eyes import Eyes, sensors_for
from navproof.agents.search.fusion import SUSPICION, FusedSightings, Fusion
from navproof.agents.search.goal import SearchGoal
from navproof.agents.search.memory import ValueMemory
from navproof.agents.search.searcher import Method, SearchAgent, Searcher
from navproof.agents.search.survey import Survey
from navproof.agents.search.tour import MOST_PLACES, first_of_tour, ways_between
from navproof.core.errors import AgentError
from navproof.core.types import Pose

__all__ = ["Adaptive", "ApexNav", "ApexNavOptions", "Mode", "cues_are_strong", "promising"]

Mode = Literal["adaptive", "semantic", "geometric"]

_SHARE = 0.9
_AROUND_M = 0.15
_HOLD_STEPS = 5


@dataclass(frozen=True)
class ApexNavOptions:
    """``lm`` is who is asked (see ``agents.language.load``) and must be said; ``model`` the model
    to ask for at an address. ``detection`` is the score from which on a detection counts,
    ``confidence`` that from which on an object is the goal. ``semantic`` goes for the best frontier
    always, ``geometric`` for the nearest."""

    lm: str = ""
    model: str = ""
    mode: Mode = "adaptive"
    fusion: Fusion = "target"
    encoder: str = "default"
    detector: str = "default"
    detection: float = 0.3
    confidence: float = 0.4
    sigma: float = 0.015
    ratio: float = 1.1
    cell_m: float = 0.06

    def __post_init__(self) -> None:
        check_language_model("apexnav", self.lm, self.model)
        check_between(self, 0.0, 1.0, "detection", "confidence", "sigma")
        check_between(self, 1.0, 100.0, "ratio")
        check_between(self, 0.02, 1.0, "cell_m")
        if self.confidence <= SUSPICION:
            raise AgentError(f"confidence must be above {SUSPICION:g}, not {self.confidence:g}")

    @property
    def sensors(self) -> tuple[str, ...]:

        return sensors_for(self.encoder, self.detector)


@register_agent("apexnav")
@final
class ApexNav(SearchAgent):
    """Explores by meaning where that tells places apart, else what is nearest; fuses what was
    detected as the goal and as what resembles it. ``lm`` must be said."""

    Options = ApexNavOptions
    example = "apexnav@lm=stats"

    def __init__(self, options: ApexNavOptions | None = None) -> None:
        o = options or ApexNavOptions()
        model = load_language_model(o.lm, o.model)
        method = Method(
            "apexnav",
            first="detector",
            then="detector",
            share=1.0,
            choice="nearest",
            match=1.0,
            detection=o.confidence,
            denies=False,
            suspects=True,
        )
        super().__init__(
            Searcher(
                method,
                Eyes(o.encoder, o.detector),
                lambda eyes: ValueMemory(eyes, o.cell_m, method.view_m),
                lambda survey: Adaptive(survey, model, o, method.view_m),
            ),
            model,
        )


@final
class Adaptive:
    """Chooses frontiers, and fuses what the survey detects."""

    hold_steps = _HOLD_STEPS

    def __init__(
        self, survey: Survey, model: LanguageModel | None, options: ApexNavOptions, view_m: float
    ) -> None:
        assert isinstance(survey.memory, ValueMemory)
        self.besides: tuple[str, ...] = ()
        self.least = options.detection
        self._values = survey.memory
        self._model = model
        self._options = options
        self._objects = FusedSightings(options.fusion, options.detection, view_m, self._values)
        survey.sightings = self._objects

    def ask(self, goal: SearchGoal, asked: str) -> SearchGoal:
        self.besides = () if self._model is None else self._model.alike(goal.noun)
        self._objects.ask(asked, self.besides)
        if self._model is None:
            return goal
        return replace(goal, room=self._model.room(goal.noun))

    def choose(self, nav: Navigator, pose: Pose, frontiers: Sequence[Frontier]) -> int:
        mode, o = self._options.mode, self._options
        if mode == "geometric":
            return 0
        cosines = [self._values.best_near(*place, _AROUND_M) for place, _, _ in frontiers]
        values = [0.5 * (1.0 + cosine) for cosine in cosines]
        if mode == "semantic":
            return values.index(max(values))
        if not cues_are_strong(values, o.sigma, o.ratio):
            return 0
        best = promising(values, o.ratio)
        if len(best) == 1:
            return best[0]
        places = [frontiers[i][0] for i in best]
        from_here = [frontiers[i][2] for i in best]
        return best[first_of_tour(from_here, ways_between(nav, pose, places))]


def cues_are_strong(values: Sequence[float], sigma: float, ratio: float) -> bool:
    """Whether the values of frontiers tell them apart."""
    mean, deviation = float(np.mean(values)), float(np.std(values))
    return deviation > sigma and max(values) > ratio * mean


def promising(values: Sequence[float], ratio: float) -> list[int]:
    """The indices of the frontiers whose values are far above the mean, best first; at most as many
    as a tour may have."""
    mean = float(np.mean(values))
    least = max(ratio * mean, _SHARE * max(values))
    best = [i for i, value in enumerate(values) if value >= least]
    return sorted(best, key=lambda i: (-values[i], i))[:MOST_PLACES]
