"""WMNav (Nie, Guo, Duan, Zhang, Chen 2025, "WMNav: Integrating Vision-Language Models into World
Models for Object Goal Navigation", arXiv 2503.02247) as a program of the chat agent.

At each stop the model predicts, for every view, how likely it leads to the goal (0 to 10). The
scores are written onto the floor that each view shows within 3 m, the mean where two views overlap,
and merged with those of before by the smaller one: the curiosity value map, which begins at 10 and
is 10 within 1 m of a goal that was located. Each direction then counts as the mean of the map over
all that it shows. In the best one the model sets a sub-task, knowing the one before and why the
direction was chosen, and says whether the goal is in view; then it is gone to, else the model
chooses among the free ways in that view (two thirds of what is free, at most 1.7 m).

Differences from the paper and its code: the goal is located by a point in the picture and its
depth, not by choosing among dense arrows; the robot stops by the chat agent's approach (0.8 m and
nearer) and not at 0.8 m from the mean of all located points; views and ways are those of the chat
agent (the fewest views that see all around; the code takes six); our words. It is not asked
before it stops unless ``@checks=yes``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from navproof.agents.chat.body import ChatBody
from navproof.agents.chat.directions import Direction, free_rays
from navproof.agents.chat.drawing import draw_directions
from navproof.agents.chat.kit import Around, ChatKit, Choice
from navproof.agents.chat.options import ChatOptions
from navproof.agents.chat.replies import BadReplyError, flag, number, schema_of, text
from navproof.agents.chat.views import Picture, Spot
from navproof.agents.correction import Correction
from navproof.agents.mapping.navigate import XY
from navproof.agents.registry import register_agent
from navproof.core.errors import AgentError
from navproof.core.types import Decision, Observation, Pose, TaskBrief

__all__ = ["CuriosityMap", "WMNav", "WMNavOptions"]

_CELL_M = 0.25
_SHOWN_M, _WRITTEN_M, _GOAL_M = 5.0, 3.0, 1.0
_MOST = 10.0
_CLIP, _STEP_M = 0.66, 1.7
_NOT_YET = "nothing yet"
_INTEGER: Mapping[str, Any] = {"type": "integer"}
_WORDS: Mapping[str, Any] = {"type": "string"}
_SCORE = schema_of({"view": _INTEGER, "score": {"type": "number"}, "why": _WORDS})
_PREDICT = schema_of({"scores": {"type": "array", "items": _SCORE}})
_POINT = schema_of({"view": _INTEGER, "x": _INTEGER, "y": _INTEGER})
_PLAN = schema_of(
    {
        "subtask": _WORDS,
        "found": {"type": "boolean"},
        "point": {"anyOf": [_POINT, {"type": "null"}]},
    }
)
_ACT = schema_of({"why": _WORDS, "direction": _INTEGER})
Cell = tuple[int, int]


@dataclass(frozen=True)
class WMNavOptions(ChatOptions):
    """Those of ``chat``; it needs pictures of all around."""

    stride_m: float = _STEP_M / _CLIP
    checks: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.images or self.look != "around":
            raise AgentError("wmnav needs pictures of all around: images=yes, look=around")


class CuriosityMap:
    """How likely the goal is around each place of the floor, as far as anything was predicted."""

    def __init__(self) -> None:
        self._values: dict[Cell, float] = {}

    def merge(self, cells: Mapping[Cell, float]) -> None:
        """The smaller of what was predicted before and what is now."""
        for cell, value in cells.items():
            self._values[cell] = min(self._values.get(cell, _MOST), value)

    def be_sure(self, at: XY) -> None:
        """The goal was located there."""
        n = math.ceil(_GOAL_M / _CELL_M)
        row, col = _cell(*at)
        for r in range(row - n, row + n + 1):
            for c in range(col - n, col + n + 1):
                if math.hypot(r - row, c - col) * _CELL_M <= _GOAL_M:
                    self._values[r, c] = _MOST

    def mean(self, cells: set[Cell]) -> float:
        return sum(self._values.get(cell, _MOST) for cell in cells) / len(cells)


@final
class Predict:
    """The program: predict, choose a direction, plan, act."""

    def begin(self, kit: ChatKit) -> None:
        self._kit = kit
        self.hear(kit.goal)

    def hear(self, words: str) -> None:
        self._map, self._subtask = CuriosityMap(), _NOT_YET

    def choose(self, around: Around) -> Choice | None:
        kit = self._kit
        told = {"task": kit.task_words(), "views": kit.views_words(around)}
        scores = kit.asker.ask(
            "predict",
            kit.prompts.filled("wmnav-predict", told),
            kit.pictures(around, ways=False),
            _PREDICT,
            lambda reply: _scores(reply, len(around.views)),
        )
        if scores is None:
            return None
        view, reason = self._best(around, scores)
        return self._plan(around, view, reason)

    def _best(self, around: Around, scores: Mapping[int, tuple[float, str]]) -> tuple[int, str]:
        """The view with the highest value on the map, and why it was given its score."""
        shown, written = _floor(self._kit, around)
        totals: dict[Cell, list[float]] = {}
        for view, cells in written.items():
            for cell in cells:
                totals.setdefault(cell, []).append(scores[view][0])
        self._map.merge({cell: sum(v) / len(v) for cell, v in totals.items()})
        values = {
            view: self._map.mean(cells) if cells else scores[view][0]
            for view, cells in shown.items()
        }
        best = max(values, key=lambda view: (values[view], scores[view][0], -view))
        return best, scores[best][1] or "it is the most promising one"

    def _plan(self, around: Around, view: int, reason: str) -> Choice | None:
        kit = self._kit
        picture = around.views[view - 1].picture(kit.options.image_px)
        told = {"task": kit.task_words(), "reason": reason, "subtask": self._subtask}
        one = replace(around, views=(around.views[view - 1],))

        def read(reply: Mapping[str, Any]) -> tuple[str, Spot | None]:
            spot = kit.pointed_at(reply, "point", one) if flag(reply, "found") else None
            subtask = text(reply, "subtask")
            if not subtask:
                raise BadReplyError("it names no subtask")
            return subtask, spot

        plan = kit.asker.ask(
            "plan", kit.prompts.filled("wmnav-plan", told), [Picture("", picture)], _PLAN, read
        )
        if plan is None:
            return None
        self._subtask, spot = plan
        if spot is not None:
            self._map.be_sure(spot.position[:2])
            kit.remember(kit.goal_label, spot, around.pose, around.step)
            kit.diary.add(around.step, around.pose, "", (), "went up to it")
            return Choice.walking_up(kit.goal_label, *spot.position[:2], spot.outline)
        return self._act(one, view)

    def _act(self, around: Around, view: int) -> Choice | None:
        """Choose among the ways in one view."""
        kit = self._kit
        ways = [_clipped(d, around.pose) for d in around.directions if not d.is_far]
        picture = around.views[0].picture(kit.options.image_px)
        drawn = draw_directions(picture, around.views[0], around.pose, ways)
        if not drawn:
            way = kit.nearest_way(around.views[0].yaw, around)
            return None if way is None else Choice.going(_clipped(way, around.pose))
        inside = [way for way in ways if way.number in drawn]
        told = {
            "task": kit.task_words(),
            "subtask": self._subtask,
            "directions": "\n".join(way.words for way in inside),
        }
        chosen = kit.asker.ask(
            "act",
            kit.prompts.filled("wmnav-act", told),
            [Picture("", picture)],
            _ACT,
            lambda reply: _direction(reply, drawn),
        )
        if chosen is None:
            return None
        choice = Choice.going(next(way for way in inside if way.number == chosen))
        kit.diary.add(around.step, around.pose, "", (), f"{choice.said}: {self._subtask}")
        return choice


def _scores(reply: Mapping[str, Any], views: int) -> dict[int, tuple[float, str]]:
    """(score, reason) of every view."""
    found: dict[int, tuple[float, str]] = {}
    given = reply.get("scores")
    for item in given if isinstance(given, list) else ():
        view = number(item, "view", range(1, views + 1)) if isinstance(item, Mapping) else None
        if view is not None:
            score = item.get("score")
            if isinstance(score, bool) or not isinstance(score, int | float):
                score = number(item, "score") or 0
            found[view] = (min(max(float(score), 0.0), _MOST), text(item, "why"))
    missing = [view for view in range(1, views + 1) if view not in found]
    if missing:
        raise BadReplyError(f"it has no score for view {missing[0]}")
    return found


def _direction(reply: Mapping[str, Any], allowed: tuple[int, ...]) -> int:
    chosen = number(reply, "direction", allowed)
    if chosen is None:
        raise BadReplyError("it chooses no direction")
    return chosen


def _floor(kit: ChatKit, around: Around) -> tuple[dict[int, set[Cell]], dict[int, set[Cell]]]:
    """The cells of floor that each view shows, and those of them that its score is written on."""
    lengths, _ = free_rays(kit.survey.nav, around.pose, _SHOWN_M)
    shown: dict[int, set[Cell]] = {}
    written: dict[int, set[Cell]] = {}
    for index, view in enumerate(around.views, start=1):
        half = math.radians(view.camera.hfov_deg) / 2.0
        shown[index], written[index] = set(), set()
        for ray, length in enumerate(lengths):
            yaw = around.pose.yaw + ray * math.tau / len(lengths)
            if abs(math.remainder(yaw - view.yaw, math.tau)) > half:
                continue
            for k in range(1, int(float(length) / (0.5 * _CELL_M)) + 1):
                away = 0.5 * k * _CELL_M
                x, y = around.pose.x + away * math.cos(yaw), around.pose.y + away * math.sin(yaw)
                shown[index].add(_cell(x, y))
                if away <= _WRITTEN_M:
                    written[index].add(_cell(x, y))
    return shown, written


def _cell(x: float, y: float) -> Cell:
    return math.floor(y / _CELL_M), math.floor(x / _CELL_M)


def _clipped(way: Direction, pose: Pose) -> Direction:
    """The way as far as it is gone at once."""
    share = min(_CLIP, _STEP_M / max(way.way_m, 1e-6))
    x = pose.x + share * (way.x - pose.x)
    y = pose.y + share * (way.y - pose.y)
    return replace(way, x=x, y=y, way_m=round(share * way.way_m, 2))


@register_agent("wmnav")
@final
class WMNav:
    """Predicts with a language model how likely each view leads to the goal, keeps a map of that,
    and plans in the best direction (Nie et al. 2025). It needs an endpoint."""

    Options = WMNavOptions
    sensors = ("rgb", "depth", "pose", "pointgoal")
    tasks = ("objectnav-v1", "langnav-v1")
    feels = frozenset({"rgb", "depth", "words", "prompt"})

    def __init__(self, options: WMNavOptions | None = None) -> None:
        self._body = ChatBody("wmnav", options or WMNavOptions(), Predict())

    def reset(self, brief: TaskBrief) -> None:
        self._body.reset(brief)

    def act(self, obs: Observation) -> Decision:
        return self._body.act(obs)

    def correct(self, correction: Correction) -> None:
        self._body.correct(correction)
