"""The core of the agents that look for what words describe: perceive, ask, approach or explore.

Every step the survey takes in what is seen; the memory (a map) and the detector each propose where
the thing wanted is; a rule says whose word counts:

``map``        the best spot of the map is the goal (LangNavBench §4.2, exploit-only)
``detector``   what the detector found is the goal
``both``       a detection is the goal where the map agrees within ``agree_m`` (consensus); spots of
               the map alone are gone to and looked at, and dropped if the detector stays silent

A method may change its rule after a share of the budget (EAE-E). Whatever cannot be reached is
dropped; when all is explored, or time runs out, the best spot of the map must do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Protocol, final

import numpy as np
from numpy.typing import NDArray

from navproof.agents.correction import Correction
from navproof.agents.language.protocol import AskedModel, LanguageModel
from navproof.agents.mapping.navigate import XY, turn_towards
from navproof.agents.mapping.planning import warm_up
from navproof.agents.options import check_between
from navproof.agents.search.approach import Approach
from navproof.agents.search.explore import Choice, Explorer, FrontierChooser
from navproof.agents.search.eyes import Eyes, sensors_for
from navproof.agents.search.goal import SearchGoal, wanted
from navproof.agents.search.memory import Memory
from navproof.agents.search.sightings import Sighting
from navproof.agents.search.survey import Survey
from navproof.core.errors import AgentError
from navproof.core.seeding import rng
from navproof.core.types import Decision, Move, Observation, Scalar, TaskBrief
from navproof.perception.query import top_candidates

__all__ = ["EyeOptions", "Guide", "MapOptions", "Method", "Rule", "SearchAgent", "Searcher"]

Rule = Literal["map", "detector", "both"]

FOUND_REACHES_M = (0.8, 1.0, 1.3)  # a goal of LangNav is found within 1.5 m
STOP_REACHES_M = (0.6, 0.75, 0.9)  # ObjectNav's viewpoints lie within 1 m of the object
POINT_STOP_M = 0.18  # PointNav succeeds within 0.2 m
_SAME_M = 0.6
_LOOK_M = (1.2, 2.5)  # from where a spot of the map is judged by the detector
_LOOKS = 5  # good views, in most of which the detector must speak
_RELAX = (0.4, 0.8)  # shares of the budget between which any spot of the map comes to do
_FAR_COST = 0.01  # of score, for each metre
_BESIDES_EVERY = 3  # steps, in one of which the detector is also asked for other things
_SUSPECT = 0.01  # from which on a thing will do where all is explored


@dataclass(frozen=True)
class EyeOptions:
    """What an agent sees with, and from when on it believes its eyes: ``match`` is the probability
    that words fit a spot of the map, ``detection`` the score of a detection."""

    encoder: str = "default"
    detector: str = "default"
    match: float = 0.5
    detection: float = 0.3

    def __post_init__(self) -> None:
        check_between(self, 0.0, 1.0, "match", "detection")

    @property
    def sensors(self) -> tuple[str, ...]:
        return sensors_for(self.encoder, self.detector)


@dataclass(frozen=True)
class MapOptions:
    """For agents that see with an encoder alone. ``match`` is the probability from which on words
    fit a spot of the map; 0 makes the best spot the goal at once, however poor."""

    encoder: str = "default"
    match: float = 0.5
    cell_m: float = 0.06

    def __post_init__(self) -> None:
        check_between(self, 0.0, 1.0, "match")
        check_between(self, 0.02, 1.0, "cell_m")

    @property
    def sensors(self) -> tuple[str, ...]:
        return sensors_for(self.encoder)


@dataclass(frozen=True, slots=True)
class Method:
    """What tells search agents apart. ``then`` replaces the rule ``first`` after ``share`` of each
    goal's budget. ``parts``: the detector is asked for the thing alone, as the map knows of what it
    stands on; otherwise for the whole description. ``denies``: a detection that the detector does
    not repeat from good views is dropped. ``suspects``: where all is explored, the likeliest
    detection must do."""

    name: str
    first: Rule
    then: Rule
    share: float
    choice: Choice
    match: float
    detection: float
    parts: bool = False
    view_m: float = 5.0
    agree_m: float = 0.75
    denies: bool = True
    suspects: bool = False


class Guide(FrontierChooser, Protocol):
    """What a method of its own adds to the core: it chooses among frontiers."""

    @property
    def besides(self) -> tuple[str, ...]:
        """The names of other things that the detector is asked for besides the goal."""

    @property
    def least(self) -> float:
        """The score from which on a detection of another thing counts."""

    def ask(self, goal: SearchGoal, asked: str) -> SearchGoal:
        """A new goal, of which the detector is asked for ``asked``; what the memory is to be asked
        for."""


@dataclass(frozen=True, slots=True)
class _Target:
    """A place that may be the goal. ``sure``: it is claimed on arrival, else looked at."""

    x: float
    y: float
    spots: NDArray[np.float64]
    score: float
    by: Rule
    sure: bool


class SearchAgent:
    """An agent that is a ``Searcher`` with settings of its own. What it looks for it reads, in
    ObjectNav too. What it asks of its ``model``, if it has one that tells, its decisions tell."""

    tasks = ("pointnav-v1", "objectnav-v1", "langnav-v1")
    feels = frozenset({"rgb", "depth", "words"})

    def __init__(self, searcher: Searcher, model: LanguageModel | None = None) -> None:
        self._searcher = searcher
        self._asked = model if isinstance(model, AskedModel) else None

    def reset(self, brief: TaskBrief) -> None:
        if self._asked is not None:
            self._asked.begin()
        self._searcher.reset(brief)

    def act(self, obs: Observation) -> Decision:
        decision = self._searcher.act(obs)
        if self._asked is None:
            return decision
        return replace(decision, exchanges=self._asked.take_exchanges())

    def correct(self, correction: Correction) -> None:
        self._searcher.correct(correction)


@final
class Searcher:
    """Looks for one goal after the other, as a ``Method`` says; ``memory`` makes its map, ``guide``
    what chooses among frontiers, where that is more than the method says."""

    def __init__(
        self,
        method: Method,
        eyes: Eyes,
        memory: Callable[[Eyes], Memory] | None = None,
        guide: Callable[[Survey], Guide] | None = None,
    ) -> None:
        self.method = method
        self.eyes = eyes
        self._make_memory = memory
        self._make_guide = guide
        warm_up()

    def reset(self, brief: TaskBrief) -> None:
        name = self.method.name
        if brief.control not in ("discrete", "any"):
            raise AgentError(f"{name} moves discretely; this task's control is {brief.control}")
        self._brief = brief
        memory = None if self._make_memory is None else self._make_memory(self.eyes)
        self._survey = Survey(name, brief, self.eyes, memory, self.method.view_m)
        self._guide = None if self._make_guide is None else self._make_guide(self._survey)
        draw = rng(brief.seed, brief.task, f"agent.{name}")
        self._explorers = [
            Explorer(nav, self.method.choice, draw, chooser=self._guide)
            for nav in (self._survey.nav, self._survey.close)
        ]
        self._says = Move.FOUND if Move.FOUND in brief.actions else Move.STOP
        reaches_m = FOUND_REACHES_M if self._says is Move.FOUND else STOP_REACHES_M
        self._approach = Approach(self._survey, reaches_m)
        self._turns_round = self._turns_left = round(math.tau / self._survey.nav.turn_rad)
        self._words: str | None = None
        self._claimed: XY | None = None  # where the goal before was
        self._wanted = SearchGoal("", "", "")
        self._began = 0
        self._forget_goal()

    def act(self, obs: Observation) -> Decision:
        if obs.pointgoal is not None:
            move = self._to_point(obs, float(obs.pointgoal[0]), float(obs.pointgoal[1]))
            self._survey.moved(move is Move.FORWARD)
            return Decision(move, self._survey.beliefs())
        if obs.instruction != self._words:
            self._hear(obs)
        least = 0.0 if self._guide is None else self._guide.least
        self._survey.look(obs, self._queries(obs.step), least)
        move, intent = self._decide(obs.step - self._began)
        self._survey.moved(move is Move.FORWARD)
        return Decision(move, self._survey.beliefs(), intent)

    def correct(self, correction: Correction) -> None:
        """See ``CorrectableAgent``."""
        self._survey.correct(correction)

    # ------------------------------------------------------------------------------------- goals
    def _hear(self, obs: Observation) -> None:
        """New words: the question changes, all that was seen stays."""
        self._words = obs.instruction
        self._wanted = wanted(obs.instruction)
        self._asked = self._wanted.target if self.method.parts else self._wanted.whole
        self._began = obs.step
        self._forget_goal()
        if self._guide is not None:
            self._wanted = self._guide.ask(self._wanted, self._asked)
        if self._survey.memory is not None:
            self._survey.memory.ask(self._wanted, self._claimed)

    def _queries(self, step: int) -> tuple[str, ...]:
        """What the detector is asked for in a step: the goal, now and then other things too."""
        if self._guide is None or step % _BESIDES_EVERY:
            return (self._asked,)
        return (self._asked, *(name for name in self._guide.besides if name != self._asked))

    def _forget_goal(self) -> None:
        for explorer in self._explorers:
            explorer.forget()
        self._out_of_reach: list[XY] = []
        self._looked_at: list[XY] = []
        self._looks = self._nods = self._turns = 0  # at the present aim
        self._aim: _Target | None = None
        self._shown: tuple[float, float] = (0.0, 0.0)  # the aim as the intent tells it
        self._approach.forget()
        self._all_explored = False

    # ---------------------------------------------------------------------------------- deciding
    def _decide(self, steps_spent: int) -> tuple[Move, dict[str, Scalar]]:
        """The next move, and what it is for."""
        method, budget = self.method, self._brief.budget_steps
        rule = method.first if steps_spent < method.share * budget else method.then
        if steps_spent == round(method.share * budget):
            self._looked_at.clear()  # the detector has no say any more
        scores = None if self._survey.memory is None else self._survey.memory.scores()
        for target in self._targets(rule, scores, steps_spent / budget):
            if self._turns_left > 0 and not target.sure:
                continue
            step = self._go_to(target, budget - steps_spent)
            if step is not None:
                return step
        if self._turns_left > 0:
            self._turns_left -= 1
            return Move.LEFT, {"is": "explore"}
        self._aim = None
        if not self._all_explored:
            move = self._explore()
            if move is not None:
                return move, {"is": "explore"}
            self._all_explored = True
            return self._decide(steps_spent)
        return self._says, {"is": "exhausted"}

    def _explore(self) -> Move | None:
        """To where nothing was seen yet; then to where it was seen from afar only."""
        for explorer in self._explorers:
            move = explorer.move(self._survey.pose, self._promise)
            if move is not None:
                self._survey.path = explorer.nav.path
                return move
        if self._survey.forgive():
            for explorer in self._explorers:
                explorer.forget()
            return self._explore()
        return None

    def _least(self, rule: Rule, scores: NDArray[np.float32], share_spent: float) -> float:
        """The probability from which on a spot of the map counts, after a share of the budget. The
        map alone is believed ever more easily; in the end its best spots must do."""
        if rule != "map" and not self._all_explored:
            return self.method.match
        first, last = _RELAX
        eased = min(1.0, max(0.0, (share_spent - first) / (last - first)))
        if self._all_explored or eased == 1.0:
            return min(self.method.match, 0.5 * max(0.0, float(scores.max())))
        return (1.0 - eased) * self.method.match

    def _promise(self, place: XY) -> float:
        memory = self._survey.memory
        return 0.0 if memory is None else memory.promise(*place, radius_m=0.75)

    def _targets(
        self, rule: Rule, scores: NDArray[np.float32] | None, share_spent: float
    ) -> list[_Target]:
        """Where the goal may be, best first, after a share of the budget."""
        targets: list[_Target] = []
        if rule != "map":
            last_resort = self.method.suspects and self._all_explored
            least = _SUSPECT if last_resort else self.method.detection
            for sighting in self._survey.sightings.of(self._asked):
                if sighting.steady >= least and self._agrees(rule, sighting, scores):
                    x, y, _ = sighting.position
                    by: Rule = "both" if rule == "both" else "detector"
                    target = _Target(x, y, sighting.spots, sighting.steady, by, sure=True)
                    if _is_new(target, self._looked_at):
                        targets.append(target)
        if not targets and scores is not None and rule != "detector":
            targets = self._spots(scores, self._least(rule, scores, share_spent))
            if rule == "both" and not self._all_explored:
                targets = [
                    _Target(t.x, t.y, t.spots, t.score, "map", sure=False)
                    for t in targets
                    if _is_new(t, self._looked_at)
                ]
        targets = [t for t in targets if _is_new(t, self._out_of_reach)]
        best = max((t.score for t in targets), default=1.0)
        return sorted(targets, key=lambda t: -self._worth(t, max(best, 1e-9)))

    def _worth(self, target: _Target, best: float) -> float:
        """Its score beside the ``best``, less for the way to it, more for having set out for it."""
        pose = self._survey.pose
        away = math.dist((target.x, target.y), (pose.x, pose.y))
        is_aim = self._aim is not None and math.dist((target.x, target.y), _xy(self._aim)) < _SAME_M
        return target.score / best - _FAR_COST * away + (0.1 if is_aim else 0.0)

    def _agrees(self, rule: Rule, sighting: Sighting, scores: NDArray[np.float32] | None) -> bool:
        """Whether the map holds the thing wanted where it was detected."""
        if rule != "both" or scores is None or self._survey.memory is None:
            return True
        x, y, _ = sighting.position
        return self._survey.memory.agrees(scores, x, y, self.method.agree_m, self.method.match)

    def _spots(self, scores: NDArray[np.float32], least: float) -> list[_Target]:
        """The best spots of the map, each with the cells that make it."""
        assert self._survey.memory is not None
        grid = self._survey.memory.grid
        flat = scores.max(axis=0)
        targets: list[_Target] = []
        for c in top_candidates(scores, grid, least, radius_m=0.5, n=5):
            window = grid.window(c.x, c.y, _SAME_M)
            rows, cols = np.nonzero(flat[window] >= 0.5 * (least + c.score))
            x, y = grid.centre(rows + window[0].start, cols + window[1].start)
            cells = np.stack([x, y], axis=1) if rows.size else np.array([[c.x, c.y]])
            targets.append(_Target(c.x, c.y, cells, c.score, "map", sure=True))
        return targets

    # --------------------------------------------------------------------------------- approaching
    def _go_to(self, target: _Target, steps_left: int) -> tuple[Move, dict[str, Scalar]] | None:
        """The next move to a target; None where it has just turned out to be none."""
        if self._aim is None or math.dist(_xy(self._aim), _xy(target)) > _SAME_M:
            self._looks = self._nods = self._turns = 0
        self._aim = target
        if math.dist(self._shown, _xy(target)) > _SAME_M:
            self._shown = (round(target.x, 2), round(target.y, 2))
        for explorer in self._explorers:
            explorer.interrupt()
        checks = not target.sure or (target.by != "map" and self.method.denies)
        if checks and self._is_denied(target):
            self._drop(target, self._looked_at)
            return None
        step = self._approach.step(target.x, target.y, target.spots)
        if step == "lost":
            self._drop(target, self._out_of_reach)
            return None
        if steps_left <= 1 and target.sure:
            near = self._approach.apart_m(target.spots) <= self._approach.reaches_m[-1]
            step = "there" if near else step
        if isinstance(step, Move):
            return step, self._about("approach", target)
        turn = self._face(target)
        if turn is not None and steps_left > 1:
            return turn, self._about("approach", target)
        if not target.sure:
            self._drop(target, self._looked_at)
            return None
        self._claimed = _xy(target)
        return self._says, self._about("claim", target)

    def _face(self, target: _Target) -> Move | None:
        """A turn to what is to be looked at, or stopped at; what is found need not be faced."""
        self._turns += 1
        if (target.sure and self._says is Move.FOUND) or self._turns > self._turns_round // 2:
            return None
        nav = self._survey.nav
        return turn_towards(self._survey.pose, target.x, target.y, nav.turn_rad)

    def _is_denied(self, target: _Target) -> bool:
        """Whether the detector had good views of the target, and stayed silent in most of them. A
        spot of the map alone is silent ground; its detections make it a target of both."""
        pose = self._survey.pose
        away = math.dist((pose.x, pose.y), _xy(target))
        bearing = math.atan2(target.y - pose.y, target.x - pose.x) - pose.yaw
        half = math.radians(self._survey.camera.hfov_deg) / 2.0
        ahead = abs(math.remainder(bearing, math.tau)) < 0.7 * half
        if _LOOK_M[0] <= away <= _LOOK_M[1] and ahead:
            here = np.array([[pose.x, pose.y]])
            if self._survey.eye_level.sees(here, target.x, target.y, 0.35)[0]:
                self._looks += 1
                self._nods += any(
                    s.label == self._asked
                    and math.dist(s.position[:2], _xy(target)) < self.method.agree_m
                    and s.score >= 0.5 * self.method.detection
                    for s in self._survey.fresh
                )
        return self._looks >= _LOOKS and 2 * self._nods < self._looks

    def _drop(self, target: _Target, where: list[XY]) -> None:
        where.append(_xy(target))
        self._aim = None
        self._approach.forget()

    def _about(self, what: str, target: _Target) -> dict[str, Scalar]:
        x, y = self._shown
        return {"is": what, "by": target.by, "x": x, "y": y}

    # ------------------------------------------------------------------------------------ PointNav
    def _to_point(self, obs: Observation, distance_m: float, bearing: float) -> Move:
        self._survey.grope(obs)
        if distance_m <= POINT_STOP_M:
            return Move.STOP
        pose, nav = self._survey.pose, self._survey.nav
        x = pose.x + distance_m * math.cos(pose.yaw + bearing)
        y = pose.y + distance_m * math.sin(pose.yaw + bearing)
        move = nav.towards(pose, x, y, 0.1)
        if move is None and nav.path:
            move = turn_towards(pose, x, y, nav.turn_rad) or Move.FORWARD
        return move or self._explore() or Move.LEFT


def _xy(target: _Target) -> XY:
    return target.x, target.y


def _is_new(target: _Target, dropped: list[XY]) -> bool:
    return all(math.dist(_xy(target), spot) > _SAME_M for spot in dropped)
