"""L3MVN (Yu, Kasaei and Cao, IROS 2023): frontiers chosen by a language model's common sense.

The zero-shot variant. A detector finds the goal and some telling objects. Of the frontiers within
reach the four of greatest utility count, u = cells + 8 if they are nearer than 3 m. One with
objects in a square of 4 m around it scores the probability that such a goal is in a room with
these objects; one without scores 0.1 + 0.1·u/max u. The best frontier is gone to if it scores over
0.3, else the first over 0.1 in the order of utility, else the first; the choice is made anew every
25 steps. The goal, once detected, is gone to. Constants are those of the released code
(github.com/ybgdgh/L3MVN, ``main_llm_zeroshot.py``); the paper leaves most of them open.

Differences from paper and code:

- The probability is the language model's answer, or that of statistics (``lm=stats``), in place of
  the likelihood that GPT-2 gives the sentence "a room containing …" over the six goals of HM3D.
- Things are boxes of an open-vocabulary detector that are remembered, not cells of a semantic map
  out of RedNet, which must be sure (0.9). The goal counts by the mean of its best three frames,
  from a score on that was chosen on train worlds; nothing ever takes it back, as in the paper. It
  is what LangNav's words describe, while the language model is asked for its noun.
- Where no frontier lies between 0.5 and 5 m, all count, in place of a random point; a frontier is
  where the robot reaches it first, not its centroid.
- It turns round once at the start, and getting about is the core's.
- The feed-forward variant (a network trained on language features) is not here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from navproof.agents.language import LanguageModel, load_language_model
from navproof.agents.language.load import check_language_model
from navproof.agents.mapping.navigate import XY, Navigator
from navproof.agents.options import check_between
from navproof.agents.registry import register_agent
from navproof.agents.search.explore import Frontier
from navproof.agents.search.eyes import Eyes, sensors_for
from navproof.agents.search.goal import SearchGoal
from navproof.agents.search.searcher import Method, SearchAgent, Searcher
from navproof.agents.search.survey import Survey
from navproof.core.types import Pose

__all__ = ["L3MVN", "TELLING", "CommonSense", "L3MVNOptions", "pick", "utility"]

TELLING = (
    *("chair", "sofa", "plant", "bed", "toilet", "tv", "bathtub", "shower", "fireplace"),
    *("stove", "refrigerator", "towel", "sink", "dresser", "dining table"),
    *("desk", "office chair", "exam bed", "reception desk", "counter bar", "shelf unit"),
)
"""The objects that are looked for besides the goal: those of the released code, without stairs and
with what offices, cafés, shops and clinics have in their place."""

_COUNT = 4
_NEAR_M, _NEAR_BONUS = 3.0, 8.0
_WITHIN_M = (0.5, 5.0)
_WINDOW_M = 2.0  # to each side
_SURE, _FAIR = 0.3, 0.1
_HOLD_STEPS = 25


@dataclass(frozen=True)
class L3MVNOptions:
    """``lm`` is who is asked (see ``agents.language.load``) and must be said; ``model`` the model
    to ask for at an address. ``detection`` is the score from which on a detection is believed."""

    lm: str = ""
    model: str = ""
    detector: str = "default"
    detection: float = 0.5

    def __post_init__(self) -> None:
        check_language_model("l3mvn", self.lm, self.model)
        check_between(self, 0.0, 1.0, "detection")

    @property
    def sensors(self) -> tuple[str, ...]:
        return sensors_for(self.detector)


@register_agent("l3mvn")
@final
class L3MVN(SearchAgent):
    """Frontiers chosen by what a language model expects near the objects around them; the goal is
    what the detector finds. ``lm`` must be said."""

    Options = L3MVNOptions
    example = "l3mvn@lm=stats"

    def __init__(self, options: L3MVNOptions | None = None) -> None:
        o = options or L3MVNOptions()
        model = load_language_model(o.lm, o.model)
        method = Method(
            "l3mvn", "detector", "detector", 1.0, "nearest", 1.0, o.detection, denies=False
        )
        super().__init__(
            Searcher(
                method,
                Eyes(None, o.detector),
                guide=lambda survey: CommonSense(survey, model, o.detection),
            ),
            model,
        )


@final
class CommonSense:
    """Chooses frontiers; without a ``model`` by their utility alone."""

    hold_steps = _HOLD_STEPS

    def __init__(self, survey: Survey, model: LanguageModel | None, least: float) -> None:
        self.besides = () if model is None else TELLING
        self.least = least
        self._survey = survey
        self._model = model
        self._noun = ""

    def ask(self, goal: SearchGoal, asked: str) -> SearchGoal:
        self._noun = goal.noun
        return goal

    def choose(self, nav: Navigator, pose: Pose, frontiers: Sequence[Frontier]) -> int:
        near, far = _WITHIN_M
        within = [i for i, (_, _, way_m) in enumerate(frontiers) if near < way_m < far]
        order = within or range(len(frontiers))
        best = sorted(order, key=lambda i: -utility(*frontiers[i][1:]))[:_COUNT]
        utilities = [utility(*frontiers[i][1:]) for i in best]
        scores = [
            self._score(frontiers[i][0], u / max(utilities))
            for i, u in zip(best, utilities, strict=True)
        ]
        return best[pick(scores)]

    def _score(self, place: XY, share: float) -> float:
        """Of a frontier whose utility is that share of the greatest."""
        objects = self.objects_around(place)
        if self._model is not None and objects:
            likely = self._model.near(self._noun, objects)
            if likely is not None:
                return likely
        return 0.1 + 0.1 * share

    def objects_around(self, place: XY) -> tuple[str, ...]:
        """The names of the telling objects that were seen in the square around a place."""
        found = {
            s.label
            for s in self._survey.sightings.all()
            if s.label in TELLING
            and s.score >= self.least
            and max(abs(s.position[0] - place[0]), abs(s.position[1] - place[1])) <= _WINDOW_M
        }
        return tuple(sorted(found))


def utility(cells: int, way_m: float) -> float:
    """What a frontier of that size is worth, that many metres away."""
    return cells + (_NEAR_BONUS if way_m < _NEAR_M else 0.0)


def pick(scores: Sequence[float]) -> int:
    """The index of the frontier to go to; they come in the order of their utility."""
    if max(scores) > _SURE:
        return scores.index(max(scores))
    return next((i for i, score in enumerate(scores) if score > _FAIR), 0)
