"""What the programs of chat agents work with: what is around the robot, what the model is told of
it, and what it may choose."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from navproof.agents.chat.asking import Asker
from navproof.agents.chat.directions import Direction, bearing_words
from navproof.agents.chat.drawing import draw_directions
from navproof.agents.chat.memory import Diary, Thing, things_in_words
from navproof.agents.chat.options import ChatOptions
from navproof.agents.chat.prompts import Prompts
from navproof.agents.chat.replies import BadReplyError, point, text
from navproof.agents.chat.views import Picture, Spot, View, mosaic
from navproof.agents.mapping.navigate import XY
from navproof.agents.search.goal import wanted
from navproof.agents.search.sightings import FRAMES, Sighting
from navproof.agents.search.survey import Survey
from navproof.core.errors import AgentError
from navproof.core.types import Detection, Pose, TaskBrief
from navproof.language.lexicon.nouns import noun

__all__ = ["Around", "ChatKit", "Choice", "Program", "task_family"]

_BELIEVED = 0.9  # the score of what a model says that it sees
_MOST_SEEN = 16
_SAME_M = 0.6
_BEFORE_M = 2.0
_HIDDEN_M = 0.5  # what is nearer than a thing by more hides it


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """What is around the robot where it stands: ``views`` as they were taken, the ways to choose
    from, and the things that are remembered. ``hint`` is what a sensor tells of the goal."""

    pose: Pose
    step: int
    views: tuple[View, ...]
    directions: tuple[Direction, ...]
    things: tuple[Thing, ...]
    hint: str = ""

    def direction(self, number: int) -> Direction:
        return next(d for d in self.directions if d.number == number)


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What to do next: go to a place ("go"), up to a thing ("up"), or stop here ("finish").
    ``said`` is told to the model later; ``is_goal``: the thing is taken for what is looked for."""

    kind: Literal["go", "up", "finish"]
    said: str
    x: float = 0.0
    y: float = 0.0
    outline: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))
    label: str = ""
    is_goal: bool = True

    @classmethod
    def going(cls, way: Direction) -> Choice:
        return cls("go", f"went {bearing_words(way.bearing)} (way {way.number})", way.x, way.y)

    @classmethod
    def walking_up(cls, label: str, x: float, y: float, outline: NDArray[np.float64]) -> Choice:
        return cls("up", f"went up to: {label or 'what you pointed at'}", x, y, outline, label)


class Program(Protocol):
    """What a chat agent asks its model, and what it makes of the answers."""

    def begin(self, kit: ChatKit) -> None:
        """A new episode."""

    def hear(self, words: str) -> None:
        """A new goal; what is remembered stays."""

    def choose(self, around: Around) -> Choice | None:
        """What to do next; None where the model said nothing that can be used."""


def task_family(task: str) -> str:
    """ "objectnav" of "objectnav-v1"."""
    return task.rpartition("-v")[0] or task


def _label(category: str | None, words: str) -> str:
    """What a thing that is looked for is called, "" where the words cannot be read."""
    if category:
        return noun(category)
    try:
        return wanted(words).target
    except AgentError:
        return ""


class ChatKit:
    """One episode of one agent. ``goal_label`` is what the thing is called that it looks for, where
    it looks for one; ``rejected`` are places that turned out to be something else, ``reached``
    what it has gone up to, ``blocked`` where it could not go; ``answer`` is what it would answer
    to a question."""

    def __init__(
        self,
        name: str,
        options: ChatOptions,
        prompts: Prompts,
        asker: Asker,
        brief: TaskBrief,
        survey: Survey,
    ) -> None:
        self.name, self.options, self.prompts = name, options, prompts
        self.asker, self.brief, self.survey = asker, brief, survey
        self.diary = Diary()
        self.family = task_family(brief.task)
        self.answer = ""
        self.hear(brief.instruction)

    def hear(self, words: str) -> None:
        """A new goal: what was taken for the one before may be this one."""
        self.goal = words
        self.goal_label = _label(self.brief.goal_category, words) if self.seeks_a_thing else ""
        self.rejected: list[XY] = []
        self.reached: list[XY] = []
        self.blocked: list[XY] = []
        self.diary.notes = ""

    @property
    def seeks_a_thing(self) -> bool:
        """Whether the episode is about being at one thing."""
        return self.family in ("objectnav", "langnav")

    # ------------------------------------------------------------------------- what it is told
    def values(self, around: Around) -> dict[str, str]:
        """What every template about a decision may ask for."""
        left = self.brief.budget_steps - around.step
        return {
            "task": self.task_words(),
            "goal": self.goal,
            "history": self.diary.words(around.pose),
            "things": things_in_words(around.things, around.pose),
            "notes": self.diary.notes or "(none)",
            "views": self.views_words(around),
            "directions": "\n".join(d.words for d in around.directions) or "(none)",
            "hint": around.hint,
            "steps_left": str(max(0, left)),
        }

    def task_words(self) -> str:
        """What the task is, with its goal in it."""
        return self.prompts.filled(f"task-{self.family}", {"goal": self.goal}, "task")

    def views_words(self, around: Around) -> str:
        """How the views lie around the robot."""
        if not self.options.images:
            return "You cannot see pictures: you are told what the robot's sensors find."
        lines = [
            f"View {number}: {bearing_words(view.yaw - around.pose.yaw)}"
            for number, view in enumerate(around.views, start=1)
        ]
        if self.options.mosaic and len(lines) > 1:
            lines.insert(0, "All views are in one picture, from left to right and top to bottom:")
        return "\n".join(lines)

    def pictures(self, around: Around, *, ways: bool = True) -> tuple[Picture, ...]:
        """The views with their ways drawn in."""
        if not self.options.images:
            return ()
        drawn = []
        for view in around.views:
            picture = view.picture(self.options.image_px)
            if ways:
                draw_directions(picture, view, around.pose, around.directions)
            drawn.append(picture)
        return self.packed(drawn)

    def packed(self, drawn: Sequence[NDArray[np.uint8]]) -> tuple[Picture, ...]:
        """Pictures as they are sent: one by one with their titles, or in one."""
        if self.options.mosaic and len(drawn) > 1:
            return (Picture("", mosaic(list(drawn))),)
        return tuple(Picture(f"View {n}:", one) for n, one in enumerate(drawn, start=1))

    # --------------------------------------------------------------------- what it says in return
    def pointed_at(self, reply: Mapping[str, Any], name: str, around: Around) -> Spot | None:
        """The place that the model points at; None where it points at nothing, or farther than
        depth reaches."""
        found = point(reply.get(name), len(around.views))
        if found is None:
            return None
        view, x, y = found
        spot = around.views[view - 1].spot(x, y)
        if spot is not None:
            self.refuse_old("that", spot.position[:2], around.pose)
        return spot

    def refuse_old(self, name: str, at: XY, pose: Pose) -> None:
        """``BadReplyError`` where the model wants to be brought to what turned out to be something
        else, or to what it stands before."""
        if self.was_rejected(at):
            raise BadReplyError(
                f"you went up to {name} before, and said that it is not what is asked for"
            )
        is_near = math.dist(at, (pose.x, pose.y)) < _BEFORE_M
        if is_near and any(math.dist(at, one) < _SAME_M for one in self.reached):
            raise BadReplyError(
                f"the robot stands before {name} already: choose a way on, or say that it is done"
            )

    def was_rejected(self, at: XY) -> bool:
        """Whether something near there turned out to be something else."""
        return any(math.dist(gone, at) < _SAME_M for gone in self.rejected)

    def bearing_of(self, reply: Mapping[str, Any], name: str, around: Around) -> float | None:
        """The direction (rad, in the episode frame) in which the model points."""
        found = point(reply.get(name), len(around.views))
        if found is None:
            return None
        view = around.views[found[0] - 1]
        half = math.tan(math.radians(view.camera.hfov_deg) / 2.0)
        return view.yaw - math.atan((2.0 * found[1] - 1.0) * half)

    def nearest_way(self, yaw: float, around: Around) -> Direction | None:
        """The straight way that leads that way best."""
        ways = [d for d in around.directions if not d.is_far]
        return min(
            ways,
            key=lambda d: abs(math.remainder(around.pose.yaw + d.bearing - yaw, math.tau)),
            default=None,
        )

    def take_in(self, reply: Mapping[str, Any], around: Around) -> list[str]:
        """Remember what the model says that it sees: ``seen``, a list of points with ``what``. The
        labels; what cannot be read is left out."""
        seen = reply.get("seen")
        labels: list[str] = []
        for item in list(seen)[:_MOST_SEEN] if isinstance(seen, Sequence) else ():
            if not isinstance(item, Mapping):
                if isinstance(item, str) and item.strip():
                    labels.append(" ".join(item.split())[:60])
                continue
            label = text(item, "what")[:60]
            if not label:
                continue
            labels.append(label)
            try:
                found = point(item, len(around.views))
            except BadReplyError:
                continue
            if found is None:
                continue
            spot = around.views[found[0] - 1].spot(found[1], found[2])
            if spot is not None:
                self.remember(label, spot, around.pose, around.step)
        return labels

    def remember(self, label: str, spot: Spot, pose: Pose, step: int) -> None:
        x, y, _ = spot.position
        away = math.dist((x, y), (pose.x, pose.y))
        best = (_BELIEVED,) * FRAMES
        self.survey.sightings.add(Sighting(label, best, spot.position, spot.outline, step, away))

    def seen_now(self, view: View) -> tuple[Detection, ...]:
        """The remembered things that are in a view and that nothing in it hides."""
        known = self.survey.sightings.all()
        if not known:
            return ()
        shares = view.pixels(np.array([s.position for s in known], dtype=np.float64))
        height, width = view.depth.shape
        found = []
        for sighting, (u, v, z) in zip(known, shares, strict=True):
            if not (0.0 <= u < 1.0 and 0.0 <= v < 1.0 and z > 0.0):
                continue
            depth = float(view.depth[int(v * height), int(u * width)])
            if depth > 0.0 and abs(depth - z) <= _HIDDEN_M:
                found.append(Detection(sighting.label, sighting.score, None, sighting.position))
        return tuple(found)
